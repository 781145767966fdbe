# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Calls observed through tracepoints: all of them, nobody stopped, what is lost counted."""

import collections
import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import requires  # noqa: E402
import tap  # noqa: E402
import tracing  # noqa: E402
from tap import Skip  # noqa: E402

PYTHON = "/usr/bin/python3"

# Tells when it is ready, and makes getppid calls in three threads once it is told to go on.
THREADS = """
import os, sys, threading
go = threading.Event()
def work():
    go.wait()
    for _ in range(100):
        os.getppid()
threads = [threading.Thread(target=work) for _ in range(3)]
for thread in threads:
    thread.start()
print("ready", flush=True)
sys.stdin.readline()
print([l for l in open("/proc/self/status") if l.startswith("TracerPid")][0], flush=True)
go.set()
for thread in threads:
    thread.join()
"""


def need_observing():
    """Skips with the tracer's own words where the machine forbids tracepoints."""
    done, _ = tracing.run(["--observe"], ["/bin/true"])
    if "cannot be observed" in done.stderr:
        raise Skip(done.stderr.strip().split("\n")[0])


def observe(options, command, **more):
    need_observing()
    return tracing.run_json(["--observe"] + options, command, **more)


def calls(events, name=None):
    return [e for e in events if e["kind"] == "syscall" and (not name or e["name"] == name)]


def functions(event):
    return [frame.get("function") for frame in event["stack"]]


@contextlib.contextmanager
def threads_observed(options):
    """The process and, when all is over, the events of its threads and what it printed."""
    need_observing()
    found = {}
    with tempfile.TemporaryDirectory(prefix="tracer-observe-") as folder:
        path = os.path.join(folder, "trace")
        with subprocess.Popen(
            [PYTHON, "-c", THREADS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as target:
            assert target.stdout.readline() == "ready\n"
            words = ["--observe", "--format=json", "-o", path, *options, "-p", str(target.pid)]
            with subprocess.Popen(tracing.tracer() + words) as tracer:
                # It says that it is there for each thread it observes.
                wanted = 4 if "-f" in options else 1
                tracing.wait_until(
                    lambda: pathlib.Path(path).exists()
                    and pathlib.Path(path).read_text("utf-8").count('"attached"') == wanted,
                    "all threads are observed",
                )
                target.stdin.write("\n")
                target.stdin.close()
                found["printed"] = target.stdout.read()
                assert target.wait(tracing.PATIENCE) == 0
                assert tracer.wait(tracing.PATIENCE) == 0
        with open(path, encoding="utf-8") as lines:
            found["events"] = [json.loads(line) for line in lines]
    yield found


def strace_counts(command):
    with tempfile.NamedTemporaryFile() as file:
        try:
            subprocess.run(
                ["strace", "-f", "-c", "-U", "calls,name", "-o", file.name, *command],
                stdin=subprocess.DEVNULL, capture_output=True, check=True,
                timeout=tracing.PATIENCE,
            )  # fmt: skip
        except (FileNotFoundError, subprocess.CalledProcessError):
            raise Skip("strace does not work here") from None
        text = pathlib.Path(file.name).read_text(encoding="utf-8")
    rows = [line.split() for line in text.splitlines()]
    return {row[1]: int(row[0]) for row in rows if len(row) == 2 and row[0].isdigit()}


def test_counts_equal_strace():
    for command in (
        [tracing.program("calls"), "getpid", "getppid", "close:99", "umask:18", "exit:0"],
        ["/bin/ls", "/"],
        ["/bin/sh", "-c", "/bin/true; exec /bin/true"],
    ):
        known = strace_counts(command)
        _, events = observe(["-f"], command)
        # strace counts no calls that never end.
        ended = [event["name"] for event in calls(events) if event["result"] != "none"]
        counts = dict(collections.Counter(ended))
        known.pop("total", None)
        assert counts == known, (command, counts, known)


def test_values_and_results():
    need_observing()
    done, lines = tracing.run(
        ["--observe", "-e", "trace=close,umask,exit_group"],
        [tracing.program("calls"), "close:99", "umask:18", "exit:7"],
    )
    assert done.returncode == 7
    assert lines[-4:] == [
        "close(99)                               = -1 EBADF (Bad file descriptor)",
        "umask(022)                              = 022",
        "exit_group(7)                           = ?",
        "+++ exited with 7 +++",
    ], lines


def test_all_abis():
    _, events = observe([], [tracing.program("calls", abi="i386"), "getpid", "exit:0"])
    assert {event["abi"] for event in calls(events)} == {"x86_64", "i386"}
    # Only the execve that starts it is made by our own child.
    assert [event["name"] for event in calls(events) if event["abi"] == "x86_64"] == ["execve"]
    assert len(calls(events, "getpid")) == 1


def test_strings_are_marked():
    """While the program sleeps, its memory is still what it was."""
    code = "import os, time\nfor _ in range(3): os.access('/no/such/file', 0); time.sleep(0.2)"
    _, events = observe(["-e", "trace=access"], [PYTHON, "-c", code])
    paths = [event["args"][0] for event in calls(events)]
    ours = [path for path in paths if path["value"] == "/no/such/file"]
    assert len(ours) >= 2, paths
    assert all(path["late"] and path["text"] == '"/no/such/file"?' for path in ours)
    _, lines = tracing.run(["--observe", "-e", "trace=access"], [PYTHON, "-c", code])
    assert any(line.startswith('access("/no/such/file"?, F_OK)') for line in lines), lines


def test_only_calls_of_a_path():
    code = "import os, time\nfor _ in range(3): os.access('/no/such/file', 0); time.sleep(0.2)"
    _, events = observe(["-P", "/no/such/file"], [PYTHON, "-c", code])
    assert {event["name"] for event in calls(events)} == {"access"}


def test_numbers_are_not_marked():
    _, events = observe([], [tracing.program("calls"), "close:99", "exit:0"])
    closed = [event for event in calls(events, "close") if event["args"][0]["value"] == 99]
    assert len(closed) == 1
    assert "late" not in closed[0]["args"][0]


def test_never_stops():
    with threads_observed(["-f"]) as found:
        assert found["printed"].split() == ["TracerPid:", "0"], found["printed"]
        assert not [event for event in found["events"] if event["kind"] == "stopped"]


def test_threads_of_a_running_process():
    with threads_observed(["-f"]) as found:
        made = collections.Counter(event["tid"] for event in calls(found["events"], "getppid"))
        assert sorted(made.values()) == [100, 100, 100], made
        met = [event for event in calls(found["events"]) if event.get("met")]
        # Three wait for the start, the first reads.
        assert {event["name"] for event in met} == {"futex", "read"}, met


def test_one_thread_without_f():
    with threads_observed([]) as found:
        assert not calls(found["events"], "getppid")
        assert calls(found["events"], "read")


def test_a_missing_process_is_an_error():
    need_observing()
    done = subprocess.run(
        tracing.tracer() + ["--observe", "-p", "4194303"],
        capture_output=True, text=True, check=False, timeout=tracing.PATIENCE,
    )  # fmt: skip
    assert done.returncode == 1
    assert "4194303" in done.stderr and "No such process" in done.stderr


def test_killed():
    done, events = observe(["-f"], ["/bin/sh", "-c", "kill -9 $$"])
    assert events[-1]["kind"] == "killed", events[-1]
    assert done.returncode in (-signal.SIGKILL, 137)


def test_lost_events_are_counted():
    """dd makes 200,000 calls and some for its start; each is two records."""
    need_observing()
    done, events = tracing.run_json(
        ["--observe", "--ring-size=4k"],
        ["dd", "if=/dev/zero", "of=/dev/null", "bs=1", "count=100000"],
    )
    notes = " ".join(event["text"] for event in events if event["kind"] == "note")
    said = re.search(r"(\d+) events were lost, (\d+) were recorded", notes)
    assert done.returncode == 0
    marks = [event["lost"] for event in events if event["kind"] == "lost"]
    if not said:
        assert not marks
        assert len(calls(events, "read")) >= 100000
        raise Skip("nothing was lost: the ring was emptied faster than it was filled")
    lost, recorded = int(said[1]), int(said[2])
    assert 0 < sum(marks) <= lost
    assert 400000 <= lost + recorded <= 401000, (lost, recorded)
    whole = [event for event in calls(events) if event["result"] in ("success", "error")]
    assert len(whole) <= recorded // 2


def test_nothing_is_lost_with_the_usual_ring():
    done, events = observe([], ["dd", "if=/dev/zero", "of=/dev/null", "bs=1", "count=20000"])
    assert done.returncode == 0
    assert not [event for event in events if event["kind"] in ("lost", "note")]
    assert len([event for event in calls(events, "read") if event["return"] == 1]) == 20000
    times = [event["monotonic"] for event in calls(events)]
    assert times == sorted(times)


def test_stacks_of_a_program_that_is_gone():
    """It runs for no longer than a few milliseconds: all is from samples and files."""
    _, events = observe(
        ["-k", "-e", "trace=getppid"], [tracing.program("calls"), "getppid", "exit:0"]
    )
    (call,) = calls(events)
    names = functions(call)
    assert names[0] == "syscall", names
    assert names[1:3] == ["make_call", "main"], names
    assert call["stack_end"] == "outermost", call["stack_end"]


def test_same_stacks_as_by_ptrace():
    command = [tracing.program("calls"), "getppid", "umask:18", "close:99", "exit:0"]
    options = ["-k", "-e", "trace=getppid,umask,exit_group"]
    _, observed = observe(options, command)
    _, stopped = tracing.run_json(options, command)
    assert len(calls(observed)) == len(calls(stopped)) >= 3
    for ours, theirs in zip(calls(observed), calls(stopped)):
        assert functions(ours) == functions(theirs), (functions(ours), functions(theirs))


def test_stacks_of_failures_only():
    _, events = observe(
        ["--stack-if=error", "-e", "trace=getppid,close"],
        [tracing.program("calls"), "getppid", "close:99", "exit:0"],
    )
    (good,) = calls(events, "getppid")
    bad = [event for event in calls(events, "close") if event.get("error") == "EBADF"]
    assert "stack" not in good
    assert len(bad) == 1 and "make_call" in functions(bad[0])


def test_faults_too():
    _, events = observe(["--pf=all", "-k"], [tracing.program("faults"), "touch:50"])
    touched = [
        event
        for event in events
        if event["kind"] == "fault" and event["code"].get("function") == "touch"
    ]
    assert len(touched) == 50, len(touched)
    assert all(functions(fault)[:3] == ["touch", "touch_fresh", "act"] for fault in touched)
    # In order with the calls around them.
    marks = [i for i, e in enumerate(events) if e.get("name") == "getrusage"]
    places = [i for i, e in enumerate(events) if e in touched]
    assert marks[0] < places[0] and places[-1] < marks[1]


def test_all_processes():
    """Another process than the command's is seen; the tracer itself is not."""
    need_observing()
    with subprocess.Popen(
        [PYTHON, "-c", "import os, time\nwhile True: os.getppid(); time.sleep(0.01)"]
    ) as other:
        try:
            done, events = tracing.run_json(
                ["--all-cpus", "-e", "trace=getppid,umask,write"],
                ["/bin/sh", "-c",
                 f"echo $PPID; sleep 0.5; {tracing.program('calls')} umask:18 exit:0"],
            )
        finally:
            other.kill()
            other.wait()
    assert done.returncode == 0, done.stderr
    assert [event for event in calls(events, "getppid") if event["pid"] == other.pid]
    assert [event for event in calls(events, "umask") if event["comm"] == "calls"]
    # Nor could there be an end, if what it writes about a call made it write again.
    assert not [event for event in events if event["pid"] == int(done.stdout)]


def test_same_as_perf_trace():
    need_observing()
    requires.require(["command:perf"])
    command = [tracing.program("calls"), "getpid", "getppid", "close:99", "umask:18", "exit:0"]
    try:
        done = subprocess.run(
            ["perf", "trace", *command],
            capture_output=True, text=True, check=True, timeout=tracing.PATIENCE,
        )  # fmt: skip
    except subprocess.CalledProcessError as error:
        raise Skip(f"perf trace does not work here: {error.stderr.strip()}") from None
    line = re.compile(r"calls/\d+ (\w+)\(.*\) += ")
    found = [line.search(text) for text in done.stderr.splitlines()]
    theirs = [match[1] for match in found if match]
    if not theirs:
        raise Skip("perf trace shows no calls here")
    _, lines = tracing.run(["--observe", "--format=perf"], command)
    found = [line.search(text) for text in lines]
    ours = [match[1] for match in found if match]
    # perf trace begins to look when the execve is under way.
    assert ours[0] == "execve"
    assert ours[1:] == [name for name in theirs if name != "execve"], (ours, theirs)


def times(lines):
    """{thread's name: its row} of the table that --sched ends with."""
    start = next(i for i, line in enumerate(lines) if line.startswith("------------ ----"))
    return {line.split()[-1]: line.split() for line in lines[start + 1 :]}


def test_times_of_threads():
    need_observing()
    code = "import time\ntime.sleep(0.3)\nend = time.process_time() + 0.3\nwhile "
    code += "time.process_time() < end: pass"
    for options in (["--observe"], []):
        options = options + ["--sched", "-e", "trace=exit_group"]
        _, lines = tracing.run(options, [PYTHON, "-c", code])
        row = times(lines)["python3"]
        assert float(row[0]) >= 300, row
        assert int(row[3]) >= 1
        if "--observe" in options:
            assert float(row[2]) >= 300, row
        else:
            # The kernel's account does not tell sleep.
            assert row[2] == "-", row


# Reads a long time on a processor, and sleeps longer in a call than that took.
WORKS = """
import os, time
zero = os.open("/dev/zero", os.O_RDONLY)
buffer = bytearray(1 << 24)
before = time.monotonic()
for _ in range(300):
    os.readv(zero, [buffer])
time.sleep(2 * (time.monotonic() - before))
"""


def test_counted_time_is_that_on_a_processor():
    need_observing()
    for options, most in (([], "readv"), (["-w"], "clock_nanosleep")):
        options = ["--observe", "-c", "-U", "total-time,calls,name"] + options
        _, lines = tracing.run(options, [PYTHON, "-c", WORKS])
        rows = {row[2]: row for row in map(str.split, lines) if len(row) == 3}
        assert rows["readv"][1] == "300", rows
        times = {name: float(rows[name][0]) for name in ("readv", "clock_nanosleep")}
        assert max(times, key=times.get) == most, rows


def test_refusals():
    for options, words in (
        (["--observe", "--kernel-stack"], "--kernel-stack"),
        (["--observe", "--stack-after=1s"], "--stack-after"),
        (["--all-cpus", "-p", "1"], "--all-cpus"),
        (["--sched", "--format=json"], "--sched"),
    ):
        done = subprocess.run(
            tracing.tracer() + options + ["/bin/true"],
            capture_output=True, text=True, check=False, timeout=tracing.PATIENCE,
        )  # fmt: skip
        assert done.returncode != 0
        assert words in done.stderr, done.stderr


tap.run(globals())
