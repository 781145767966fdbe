# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Scripts that are traced with -P while they change the world.

Each works in a folder of its own with  d/f  other/x  other/sub/f  empty  and is traced with -P d,
with and without -f and a seccomp filter; it names the calls that must be shown.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

import tracing

FOLLOWED = ["-f", "--seccomp-bpf=on"]
EVERY_WAY = [[], ["-f"], ["--seccomp-bpf=on"], FOLLOWED, ["--seccomp-bpf=off"]]

HELPERS = """
import ctypes, os, sys, threading
libc = ctypes.CDLL(None, use_errno=True)
def directory(name, **more):
    return os.open(name, os.O_RDONLY | os.O_DIRECTORY, **more)
def look(fd, name, **more):
    try:
        os.close(os.open(name, os.O_RDONLY | os.O_NOFOLLOW, dir_fd=fd))
    except OSError:
        pass
def lstat(fd, name):
    try:
        os.stat(name, dir_fd=fd, follow_symlinks=False)
    except OSError:
        pass
def in_child(function):
    pid = os.fork()
    if not pid:
        function()
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == 0
"""


def make_folder(folder):
    for name in ("d", "other/sub", "empty"):
        os.makedirs(os.path.join(folder, name))
    for name in ("d/f", "other/x", "other/sub/f"):
        pathlib.Path(folder, name).write_text("text\n", encoding="utf-8")


def trace(script, options, pattern="d", prefix=()):
    """The calls that are shown, as NAME or NAME PATH, and how the command ended."""
    with tempfile.TemporaryDirectory(prefix="tracer-test-") as folder:
        folder = os.path.realpath(folder)
        make_folder(folder)
        output = os.path.join(folder, "trace")
        done = subprocess.run(
            [*prefix, *tracing.tracer(), "-qq", "-o", output, "-P", pattern, *options, "--",
             sys.executable, "-I", "-S", "-c", HELPERS + script],
            cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
            timeout=tracing.PATIENCE,
        )  # fmt: skip
        lines = pathlib.Path(output).read_text(encoding="utf-8").splitlines()
    assert done.returncode == 0, (options, done.returncode, done.stderr)
    calls = [re.match(r'(?:\d+ +)?([a-z_0-9]+)\((?:[^"\n]*"([^"]*)")?', line) for line in lines]
    return [" ".join(filter(None, call.groups())) for call in calls if call]


def check(script, expected, ways=None, **more):
    for options in ways or EVERY_WAY:
        found = trace(script, options, **more)
        for call in expected:
            assert call in found, f"{options}: no {call} in {found}"
            found.remove(call)
