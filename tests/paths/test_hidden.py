# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""-P without privileges and processes that may be traced but not looked into.

The kernel then tells nothing of their paths and descriptors. What may be missed is said, once;
what is not missed is not.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import requires  # noqa: E402
import tap  # noqa: E402
import tracing  # noqa: E402

USER = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
WAYS = [["-f", "--seccomp-bpf=on"], ["-f", "--seccomp-bpf=off"], []]
OPENED = ["openat", "close"]


def trace(folder, options, steps, user=USER):
    """The calls shown, as names, and what tracer said."""
    wanted, out = os.path.join(folder, "file"), os.path.join(folder, "out")
    command = [os.path.join(folder, "undumpable"), wanted, *steps]
    for name in (wanted, out):
        pathlib.Path(name).touch()
    os.chmod(out, 0o666)
    done = subprocess.run(
        [*user, *tracing.tracer(), *options, "-P", wanted, "-o", out, *command],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, ""), done
    calls = re.findall(r"^(?:\d+ +)?(\w+)\(", pathlib.Path(out).read_text(), re.M)
    return calls, done.stderr


def check(steps, calls, hidden, ways=WAYS, **more):
    """With @hidden calls of the process cannot be seen; else all are, and nothing is said."""
    requires.require(["root", "command:setpriv"])
    with tempfile.TemporaryDirectory(prefix="tracer-paths-") as folder:
        os.chmod(folder, 0o755)
        shutil.copy(tracing.program("undumpable"), os.path.join(folder, "undumpable"))
        if subprocess.run([*USER, "test", "-x", tracing.tracer()[0]], check=False).returncode:
            raise tap.Skip(f"nobody may not run {tracing.tracer()[0]}")
        for way in ways:
            shown, said = trace(folder, way, steps, **more)
            assert shown == calls, (way, shown)
            found = re.fullmatch(
                r"\S*tracer: process \d+ \(undumpable\) may not be looked into .*PR_SET_DUMPABLE.*"
                r"cannot be seen; .*CAP_SYS_PTRACE\n", said)
            assert found if hidden else said == "", (way, said)


def test_what_may_be_missed_is_said_once():
    check(["open", "read", "open", "read"], OPENED, hidden=True)


def test_descriptors_alone_may_be_missed_too():
    """A filter lets reads of a process go that held nothing: only without one they are seen."""
    check(["read"], OPENED, hidden=True, ways=[["--seccomp-bpf=off"]])


def test_nothing_is_said_where_nothing_is_missed():
    check(["number"], OPENED, hidden=False)


def test_root_looks_into_it():
    check(["open", "read", "open"], OPENED + ["openat", "read", "openat"], hidden=False, user=[])


tap.run(globals())
