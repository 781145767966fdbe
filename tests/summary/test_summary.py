# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Summaries of real programs: the same numbers as strace's, and as the lines counted."""

import collections
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import requires  # noqa: E402
import tap  # noqa: E402
import tracing  # noqa: E402
from tap import Skip  # noqa: E402


def rows(lines):
    """{call: (calls, errors)} of a table with the columns calls, errors, name."""
    found = {}
    for line in lines:
        words = line.split()
        if words and words[0].isdigit():
            errors = int(words[1]) if len(words) == 3 else 0
            found[words[-1]] = (int(words[0]), errors)
    return found


def table(options, command):
    _, lines = tracing.run(["-c", "-U", "calls,errors"] + options, command)
    return rows(lines)


def test_same_counts_as_strace():
    requires.require(["strace:6.1"])
    for command in (["ls", "/"], ["sh", "-c", "ls /nonexistent; true; /bin/true"]):
        done = subprocess.run(
            ["strace", "-f", "-c", "-U", "calls,errors"] + command,
            capture_output=True, text=True, check=False, timeout=tracing.PATIENCE,
        )  # fmt: skip
        theirs = rows(done.stderr.splitlines())
        if not theirs:
            raise Skip("strace counts nothing here")
        assert table(["-f"], command) == theirs


def test_same_counts_as_the_lines():
    command = [tracing.program("calls"), "close:99", "getppid", "getppid", "exit:0"]
    _, events = tracing.run_json([], command)
    calls, errors = collections.Counter(), collections.Counter()
    for event in events:
        if event["kind"] == "syscall" and event["result"] in ("success", "error"):
            calls[event["name"]] += 1
            errors[event["name"]] += event["result"] == "error"
    counted = table([], command)
    total = counted.pop("total")
    assert counted == {name: (calls[name], errors[name]) for name in calls}
    assert total == (sum(calls.values()), sum(errors.values()))


def test_times_on_the_wall_and_on_a_processor():
    command = ["sleep", "0.3"]
    seconds = {}
    for options in ([], ["-w"]):
        _, lines = tracing.run(
            ["-c", "-U", "total-time", "-e", "trace=/nanosleep"] + options, command
        )
        row = next(line.split() for line in lines if "nanosleep" in line)
        seconds[len(options)] = float(row[0])
    # It sleeps for 0.3 seconds, and needs a processor for next to nothing of it.
    assert seconds[1] >= 0.3, seconds
    assert seconds[0] < 0.15, seconds


def test_threads_have_tables_of_their_own():
    done, lines = tracing.run(
        ["-f", "-c", "--summary-by=thread", "-e", "trace=getppid"],
        ["sh", "-c", f"{tracing.program('calls')} getppid getppid exit:0; "
         f"{tracing.program('calls')} getppid exit:0"],
    )  # fmt: skip
    heads = [line.split(", ")[1] for line in lines if line.endswith(" calls")]
    assert heads[-2:] == ["2 calls", "1 calls"], lines
    assert done.returncode == 0


def test_faults_by_function_and_file():
    command = [tracing.program("faults"), "touch:40"]
    done, lines = tracing.run(["-c", "--pf=min", "--no-syscalls"], command)
    if done.returncode:
        raise Skip(done.stderr.strip().split("\n")[0])
    counts = {line.split()[-1]: line.split()[:2] for line in lines if len(line.split()) == 3}
    assert counts["touch"] == ["40", "0"], counts
    assert int(counts["[anon]"][0]) >= 40
    assert not any("seconds" in line for line in lines)


def test_mistakes_are_explained():
    for option, text in (
        (["-S", "colour"], "cannot sort"),
        (["-U", "calls,calls"], "twice"),
        (["-U", "x"], "unknown column"),
        (["-O", "-3"], "invalid -O"),
        (["--summary-by=moon"], "by 'moon'"),
        (["-C", "--format=json"], "only for text"),
    ):
        done = subprocess.run(
            tracing.tracer() + ["-c" if option[0] != "-C" else "-q"] + option + ["true"],
            capture_output=True, text=True, check=False, timeout=tracing.PATIENCE,
        )  # fmt: skip
        assert done.returncode != 0 and text in done.stderr, (option, done.stderr)


tap.run(globals())
