# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Many tasks at once: nothing is lost, nothing hangs, nothing is left behind."""

import os
import pathlib
import signal
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import tap  # noqa: E402
import target as targets  # noqa: E402
import tracing  # noqa: E402


def count(lines, text):
    return sum(text in line for line in lines)


def check_calls(lines, name, expected):
    """So many calls began, and each of them has its result."""
    begun = count(lines, f" {name}(")
    interrupted = count(lines, f" {name}( <unfinished ...>")
    resumed = count(lines, f"<... {name} resumed>")
    assert begun == expected, f"{begun} calls of {name}, not {expected}"
    assert interrupted == resumed, f"{interrupted} interrupted, {resumed} resumed"


def test_100_threads_make_1000_calls_each():
    done, lines = tracing.run(
        ["-f", "-e", "trace=getppid"], [tracing.program("many_threads"), "100", "1000"]
    )
    assert done.returncode == 0, done
    check_calls(lines, "getppid", 100000)
    assert count(lines, "+++ exited with 0 +++") == 101


def test_1000_short_lived_children():
    done, lines = tracing.run(
        ["-f", "-e", "trace=getppid,exit_group"], [tracing.program("many_children"), "1000"]
    )
    assert done.returncode == 0, done
    check_calls(lines, "getppid", 1000)
    assert count(lines, " exit_group(7") == 1000
    assert count(lines, "+++ exited with 7 +++") == 1000
    assert count(lines, "--- SIGCHLD ") > 0


def test_kill_9_while_tasks_are_born_and_die():
    for tasks in ("many_children", "many_threads"):
        with targets.tracing_in_background(["-f", tracing.program(tasks), "1000", "5"]) as tracer:
            tracing.wait_until(lambda: len(tracer.lines()) > 500, "500 lines")
            first = int(tracer.lines()[0].split()[0])
            pids = {int(line.split()[0]) for line in tracer.lines()}
            tracer.process.send_signal(signal.SIGKILL)
            tracer.wait()

        # What was traced goes on and ends by itself; a stopped task would stay for ever.
        tracing.wait_until(lambda: not alive(first), f"{tasks} runs to its end")
        left = {pid for pid in pids if alive(pid)}
        assert not left, f"left behind: {left}"


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as stat:
            return stat.read().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_kill_9_of_a_tracer_that_started_the_command():
    command = tracing.tracer() + ["-f", "-o", os.devnull, tracing.program("counter"), "3"]
    process = targets.spawn(command)
    try:
        assert process.stdout.readline() == b"ready\n"
        with open(f"/proc/{process.pid}/task/{process.pid}/children", encoding="utf-8") as file:
            pid = int(file.read().split()[0])
        process.kill()
        process.wait()
        targets.Target(process, pid).expect_running()
        process.stdin.close()
        tracing.wait_until(lambda: not alive(pid), "it ends when its input does")
    finally:
        process.kill()
        process.wait()


tap.run(globals())
