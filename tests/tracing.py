# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Runs the tracer under test ($TRACER) and helps to look at what it did.

With TRACER=strace the same tests check strace: that is how they were proven.
"""

import json
import os
import pathlib
import shlex
import signal
import subprocess
import tempfile
import time

from tap import Skip

PROGRAMS = pathlib.Path(os.environ.get("TEST_PROGRAMS", "build/tests/programs"))
# Sanitizers and a loaded machine make everything slow; nothing here measures time.
PATIENCE = 120
# What tests/meson.build tells sanitizers to exit with.
SANITIZER_STATUS = 86

# In the background of a script these are ignored, and what is ignored ends no tracer.
for _number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
    if signal.getsignal(_number) == signal.SIG_IGN:
        signal.signal(_number, signal.SIG_DFL)


def tracer():
    """The command that starts the tracer, as words."""
    command = os.environ.get("TRACER")
    if not command:
        raise Skip("TRACER does not say which tracer to test")
    return shlex.split(command)


def program(name, abi="x86_64"):
    path = (PROGRAMS / (name if abi == "x86_64" else f"{name}-{abi}")).resolve()
    if not path.exists():
        raise Skip(f"{path.name} was not built (gcc-multilib is missing?)")
    return str(path)


def run(options, command, **more):
    """Runs a command under the tracer to its end; returns status and the trace's lines."""
    with tempfile.TemporaryDirectory(prefix="tracer-test-") as folder:
        trace = os.path.join(folder, "trace")
        more.setdefault("stdin", subprocess.DEVNULL)
        done = subprocess.run(
            tracer() + ["-o", trace] + options + ["--"] + command,
            capture_output=True, text=True, timeout=PATIENCE, check=False, **more,
        )
        assert done.returncode != SANITIZER_STATUS, done.stderr
        with open(trace, encoding="utf-8", errors="surrogateescape") as lines:
            return done, lines.read().splitlines()


def run_json(options, command, **more):
    done, lines = run(["--format=json"] + options, command, **more)
    return done, [json.loads(line) for line in lines]


def wait_until(condition, what):
    """Waits for something that must happen; the limit only ends a hang."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, f"did not happen: {what}"
        time.sleep(0.01)


def states(pid):
    """State letters of all threads of a process, from /proc."""
    letters = {}
    for tid in os.listdir(f"/proc/{pid}/task"):
        try:
            with open(f"/proc/{pid}/task/{tid}/stat", encoding="utf-8") as stat:
                letters[int(tid)] = stat.read().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            continue
    return letters


def tracer_pid(tid):
    """Who traces a task; 0 for nobody."""
    with open(f"/proc/{tid}/status", encoding="utf-8") as status:
        for line in status:
            if line.startswith("TracerPid:"):
                return int(line.split()[1])
    return 0
