# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Code that is replaced at the same address by somebody else must not keep its old names."""

import contextlib
import json
import os
import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import tap  # noqa: E402
import target as targets  # noqa: E402
import tracing  # noqa: E402

FIRST, SECOND = "swap_first.so", "swap_second.so"


@contextlib.contextmanager
def swapping(*libraries):
    paths = [str(tracing.PROGRAMS.resolve() / name) for name in libraries]
    process = targets.spawn([tracing.program("swap")] + paths)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def do(process, command):
    """Returns the address of the code that is loaded now."""
    process.stdin.write(command.encode())
    process.stdin.flush()
    answer = process.stdout.readline().split()
    assert answer and answer[0] == command.encode(), answer
    return answer[1]


def acts(tracer):
    """The names in the library that each act went through, with its module."""
    shown = []
    for line in tracer.lines():
        event = json.loads(line) if line.endswith("}") else {}
        if event.get("name") != "getppid" or event["result"] == "running":
            continue
        shown.append(
            [
                (frame["function"], os.path.basename(frame["module"]))
                for frame in event["stack"]
                if re.search("inner|act", frame.get("function", ""))
            ]
        )
    return shown


def chain(library):
    inner = library.removeprefix("swap_").removesuffix(".so") + "_inner"
    return [(inner, library), ("act", library)]


def check(options, commands, libraries, expected):
    """`expected` says which library each act is to be in."""
    with swapping(*libraries) as process:
        options = ["--format=json", "-k", "-e", "trace=getppid"] + options
        with targets.tracing_in_background(options + ["-p", str(process.pid)]) as tracer:
            tracing.wait_until(lambda: tracing.tracer_pid(process.pid) != 0, "attached")
            addresses = {do(process, command) for command in commands}
            tracing.wait_until(lambda: len(acts(tracer)) == len(expected), "all acts are shown")
            tracer.process.terminate()
            tracer.wait()
            if len(addresses) > 1:
                raise tap.Skip("the libraries were loaded at different addresses")
            for act, library in zip(acts(tracer), expected):
                assert act == chain(library), tracer.lines()


def test_by_a_thread_that_is_not_traced():
    check([], "aatata", [FIRST, SECOND, FIRST], [FIRST, FIRST, SECOND, FIRST])


def test_by_a_thread_that_is_traced():
    check(["-f"], "aatata", [FIRST, SECOND, FIRST], [FIRST, FIRST, SECOND, FIRST])


def test_by_a_traced_child_that_shares_the_memory():
    check(["-f"], "aavava", [FIRST, SECOND, FIRST], [FIRST, FIRST, SECOND, FIRST])


def test_by_an_execve_of_another_thread():
    command = [tracing.program("exec_from_thread"), tracing.program("calls"), "exit:6"]
    _, events = tracing.run_json(["-k", "-f", "-e", "trace=execve,exit_group"], command)
    calls = {event["name"]: event for event in events if event["kind"] == "syscall"}
    modules = {
        name: {os.path.basename(frame["module"]) for frame in event["stack"] if "module" in frame}
        for name, event in calls.items()
    }
    assert "exec_from_thread" in modules["execve"], calls
    assert "calls" in modules["exit_group"], calls
    assert "exec_from_thread" not in modules["exit_group"], calls


tap.run(globals())
