# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Who looks for debug files: the question that the program was written for.

The judge is a full trace by strace, without -P and without stacks, from which the lines that
name something below the directory are taken. Ours with -P must show all of them, and each with
a stack that leads from the C library into the program.
"""

import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS))
sys.path.insert(0, str(TESTS / "diff"))

import normalize  # noqa: E402
import requires  # noqa: E402
import tap  # noqa: E402
import tracing  # noqa: E402

DIRECTORY = "/usr/lib/debug"
LIBC = "/usr/lib/x86_64-linux-gnu/libc.so.6"
LINKER = "/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2"
QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
OPENED = re.compile(r"<(/[^>]*)>")
# What their quoted argument is, is data.
DATA_CALLS = ("read", "write", "pread64", "pwrite64", "execve", "readv", "writev")


def is_below(path):
    path = os.path.normpath(path)
    return path == DIRECTORY or path.startswith(DIRECTORY + "/")


def is_about_directory(line):
    name = line.partition("(")[0]
    paths = OPENED.findall(line)
    if name not in DATA_CALLS:
        paths += QUOTED.findall(line)[:1]
    return any(is_below(path) for path in paths)


def calls_of(command, tracer, options, folder):
    """How often each line stands in the trace, whoever made the call, without addresses."""
    trace = os.path.join(folder, "trace")
    done = subprocess.run(
        tracer + ["-f", "-y", "-o", trace] + options + ["--"] + command,
        stdin=subprocess.DEVNULL, capture_output=True, timeout=600, check=False, cwd=folder,
    )  # fmt: skip
    assert done.returncode != tracing.SANITIZER_STATUS, done.stderr.decode(errors="replace")
    with open(trace, encoding="utf-8", errors="surrogateescape") as lines:
        tasks = normalize.split_tasks(lines.read().splitlines())
    found = collections.Counter()
    for task in tasks.values():
        for line in task.lines:
            line = re.sub(r"0x[0-9a-f]{5,}", "ADDR", line)
            # What a path resolves to, where that is not how it is spelled: strace does not say.
            line = re.sub(r'"<(/[^>]*)>', '"', line)
            found[re.sub(r" += ", " = ", line)] += 1
    return found


def check_all_are_shown(command, at_least):
    with tempfile.TemporaryDirectory(prefix="tracer-real-") as folder:
        everything = calls_of(command, ["strace"], ["-e", "trace=%file,%desc"], folder)
        wanted = collections.Counter(
            {line: count for line, count in everything.items() if is_about_directory(line)}
        )
        ours = calls_of(command, tracing.tracer(), ["-P", DIRECTORY], folder)
    assert sum(wanted.values()) >= at_least, f"the program only made {sum(wanted.values())} calls"
    missing = wanted - ours
    assert not missing, "not shown:\n" + "\n".join(missing)
    strange = [
        line for line in (ours - wanted) if not line.startswith(("---", "+++")) and "(" in line
    ]
    wrong = [line for line in strange if line in everything and not is_about_directory(line)]
    assert not wrong, "shown, but not about the directory:\n" + "\n".join(wrong)


def stacks_of(command):
    """(call line, its frames) for each call."""
    _, lines = tracing.run(["-f", "-k", "-P", DIRECTORY], command)
    stacks = []
    for line in lines:
        if line.startswith(" > "):
            stacks[-1][1].append(line[3:])
        else:
            stacks.append((line, []))
    return [(line, frames) for line, frames in stacks if "(" in line.split(" ", 1)[1][:30]]


def check_stacks(command, program, libc):
    stacks = [one for one in stacks_of(command) if "---" not in one[0] and "+++" not in one[0]]
    assert stacks, "no call was shown"
    for line, frames in stacks:
        if "<unfinished" in line:
            continue
        text = "\n".join([line] + frames)
        # The dynamic linker looks there too, when LD_LIBRARY_PATH says so.
        by_linker = frames and frames[-1].startswith(LINKER + "(_start+")
        assert by_linker or any(frame.startswith(program + "(") for frame in frames), text
        if libc and not by_linker:
            # Its debug file gives each frame a function and a line.
            inner = [frame for frame in frames if frame.startswith(LIBC + "(")]
            assert inner, text
            for frame in inner:
                assert re.search(r"\(\w+.*\) \[0x[0-9a-f]+\] \S+:\d+", frame), text


GDB = ["gdb", "-nx", "-batch", "-ex", "info line main", "/usr/bin/objdump"]
VALGRIND = ["valgrind", "-q", "/usr/bin/ls", "/"]
INTERPRET = "/usr/lib/heaptrack/libexec/heaptrack_interpret"


def test_gdb_shows_every_look_up():
    requires.require(["strace:6.1", "command:gdb", "file:/usr/bin/objdump"])
    check_all_are_shown(GDB, 20)


def test_gdb_stacks():
    requires.require(["command:gdb", "file:/usr/bin/objdump", "debug:" + LIBC])
    check_stacks(GDB, "/usr/bin/gdb", libc=True)


def test_valgrind_shows_every_look_up():
    requires.require(["strace:6.1", "command:valgrind", "debug:" + LIBC])
    check_all_are_shown(VALGRIND, 20)


def test_valgrind_stacks():
    requires.require(["command:valgrind", "debug:" + LIBC])
    check_stacks(VALGRIND, "/usr/libexec/valgrind/memcheck-amd64-linux", libc=False)


def heaptrack_recording(folder):
    """A shell command that feeds a recording to the interpreter, as heaptrack's script does."""
    requires.require(["command:heaptrack", "command:zstd", "file:" + INTERPRET])
    subprocess.run(
        ["heaptrack", "--raw", "-o", os.path.join(folder, "h"), "ls", "/"],
        check=True, capture_output=True,
    )  # fmt: skip
    packed = next(pathlib.Path(folder).glob("h*.zst"))
    plain = os.path.join(folder, "plain")
    subprocess.run(["zstd", "-qd", packed, "-o", plain], check=True)
    return ["sh", "-c", f"exec {INTERPRET} <{plain} >/dev/null"]


def test_heaptrack_interpret_shows_every_look_up():
    requires.require(["strace:6.1", "debug:" + LIBC])
    with tempfile.TemporaryDirectory(prefix="tracer-heaptrack-") as folder:
        check_all_are_shown(heaptrack_recording(folder), 3)


def test_heaptrack_interpret_stacks():
    requires.require(["debug:" + LIBC])
    with tempfile.TemporaryDirectory(prefix="tracer-heaptrack-") as folder:
        check_stacks(heaptrack_recording(folder), INTERPRET, libc=True)


tap.run(globals())
