# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""-P and io_uring: files without descriptors, and rings with numbers of their own.

Each case is a list of steps for the program `rings`, which works in a folder with
d/f  "d/a b\\c"  other/x  hard (a link to d/f), and the calls that -P must show; a submission is
called by its opcodes.
"""

import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import tap  # noqa: E402
import tracing  # noqa: E402

WAYS = [[], ["-f"], ["--seccomp-bpf=off"]]

# Of linux/io_uring.h.
FSYNC, READ = 3, 22
SQE128, NO_MMAP, NO_DESCRIPTOR, NO_SQARRAY = 1 << 10, 1 << 14, 3 << 14, 1 << 16

OPEN = ["open,d/f", "open,other/x"]
# What OPEN shows with -P d, and then the call that registers descriptors 3 and 4.
OPENED = ["openat"]
FILES = ["openat", "io_uring_register"]
FIXED = [f"fixed,{READ},0", "enter", f"fixed,{FSYNC},1", "enter"]

# Name, pattern, steps, what is shown.
CASES = [
    ("a fixed file, and another that is none", "d", OPEN + ["ring", "files,3,4"] + FIXED,
        FILES + ["READ"]),
    ("the same, and the descriptors are closed", "d", OPEN + ["ring", "files,3,4", "close,3",
        "close,4"] + FIXED, FILES + ["close", "READ"]),
    ("the other way round", "d", OPEN + ["ring", "files,4,3", "close,3"] + FIXED,
        FILES + ["close", "FSYNC"]),
    ("by a tagged table", "d", OPEN + ["ring", "files2,3,4", "close,3"] + FIXED,
        FILES + ["close", "READ"]),
    ("by an update", "d", OPEN + ["ring", "files,4,4", "update,1,3", "close,3"] + FIXED,
        FILES + ["close", "FSYNC"]),
    ("an update takes it away", "d", OPEN + ["ring", "files,3,4,4", "close,3", "update,1,4,4",
        "update,0,4"] + FIXED, FILES + ["close", "io_uring_register"]),
    ("a tagged update takes it away", "d", OPEN + ["ring", "files,4,3", "close,3", "update2,0,4",
        "update2,0,4,4"] + FIXED, FILES + ["close", "io_uring_register"]),
    ("with a number, an update takes it away", "d", OPEN + ["ring", "number", "files,4,3",
        "close,3", "update,0,4", "update,1,4"] + FIXED, FILES + ["close", "io_uring_register"]),
    ("by a tagged update", "d", OPEN + ["ring", "sparse,4", "update2,1,3", "close,3"] + FIXED,
        FILES + ["close", "FSYNC"]),
    ("by an entry", "d", OPEN + ["ring", "files,4,4", "replace,1,3", "enter", "close,3"] + FIXED,
        ["openat", "FILES_UPDATE", "close", "FSYNC"]),
    ("an entry takes it away", "d", OPEN + ["ring", "files,3,4", "replace,1,4", "enter",
        "replace,0,4", "enter"] + FIXED, FILES + ["FILES_UPDATE"]),
    ("no longer there", "d", OPEN + ["ring", "files,3,4", "nofiles", "files,4,4", "nofiles"] +
        FIXED, FILES + ["io_uring_register"]),
    ("two of which one counts", "d", OPEN + ["ring", "files,3,4", f"fixed,{FSYNC},1",
        f"fixed,{READ},0", "enter"], FILES + ["FSYNC, READ"]),
    ("slots that are empty or are not", "d", ["ring", "sparse,2", "files,3,3"] + FIXED +
        [f"fixed,{READ},700000", f"fixed,{READ},-1", "enter"], []),
    ("opened into a slot", "d", ["ring", "sparse,2", "openslot,d/f,0", "openslot,other/x,1",
        "enter"] + FIXED, ["OPENAT, OPENAT", "READ"]),
    ("opened into a slot, outside", "d", ["ring", "sparse,2", "openslot,other/x,0", "enter"] +
        FIXED, []),
    ("opened into a slot and read at once", "d", ["ring", "sparse,2", "openslot,d/f,0",
        f"fixed,{READ},0", "enter"], ["OPENAT, READ"]),
    ("a slot is closed", "d", ["ring", "sparse,2", "openslot,d/f,0", "enter", "closeslot,1",
        "enter", "closeslot,0", "enter"] + FIXED, ["OPENAT", "CLOSE"]),
    ("a slot is opened over", "d", ["ring", "sparse,2", "openslot,d/f,0", "enter",
        "openslot,other/x,0", "enter"] + FIXED, ["OPENAT", "OPENAT"]),
    ("spliced from", "d", OPEN + ["ring", "files,3,4", "pipe", "splice,1,7", "enter",
        "splice,0,7", "enter"], FILES + ["SPLICE"]),
    ("sent to another ring", "d", OPEN + ["ring", "files,3,4", "send,1", "enter", "send,0",
        "enter"], FILES + ["MSG_RING"]),
    ("what is under way with it is cancelled", "d", OPEN + ["ring", "files,3,4", "cancel,1",
        "enter", "cancel,0", "enter"], FILES + ["ASYNC_CANCEL"]),
    ("exactly the file", "=d/f", OPEN + ["ring", "files,3,4", "close,3"] + FIXED,
        FILES + ["close", "READ"]),
    ("its directory is not it", "=d", OPEN + ["ring", "files,3,4", "close,3"] + FIXED, []),
    ("by another name of it", "d/f", ["open,hard", "ring", "files,3", "close,3"] + FIXED,
        FILES + ["close", "READ"]),
    ("a name with blanks", "d/a b\\c", ["ring", "sparse,2", "openslot,d/a b\\c,0", "enter"] + FIXED,
        ["OPENAT", "READ"]),
    ("deleted", "d/f", ["ring", "sparse,2", "openslot,d/f,0", "enter", "unlink,d/f"] + FIXED,
        ["OPENAT", "unlink", "READ"]),
    ("moved in", "d", ["ring", "sparse,2", "openslot,other/x,0", "enter", "rename,other/x,d/x"] +
        FIXED, ["rename", "READ"]),
    ("a number of its own", "d", OPEN + ["ring", "number", f"plain,{READ},4", "enter",
        f"plain,{FSYNC},3", "enter"], OPENED + ["FSYNC"]),
    ("with a number, fixed files", "d", OPEN + ["ring", "number", "files,3,4", "close,3"] + FIXED,
        FILES + ["close", "READ"]),
    ("with a number, files registered before", "d", OPEN + ["ring", "files,3,4", "number"] + FIXED,
        FILES + ["READ"]),
    ("with a number, by another descriptor", "d", OPEN + ["ring", "files,3,4", "number", "dup,5",
        "close,5"] + FIXED, FILES + ["READ"]),
    ("a number is no descriptor", "d", ["close,0", "open,d/f", "open,other/x", "ring", "number",
        "files,3", f"fixed,{READ},0", "enter"], OPENED),
    ("with a number, the descriptor is closed", "d", OPEN + ["ring", "files,3,4", "number",
        "close,5", "close,3"] + FIXED, FILES + ["close", "READ"]),
    ("the same, and other files are registered then", "d", OPEN + ["ring", "number", "close,5",
        "files,4,3", f"plain,{FSYNC},3", "enter"] + FIXED, FILES + ["FSYNC", "FSYNC"]),
    ("two numbers without descriptors", "d", OPEN + ["ring", "files,4,4", "number", "close,5",
        "ring", "files,3,4", "number", "close,5"] + FIXED,
        FILES + ["READ"]),
    ("the number is given away", "d", OPEN + ["ring", "number", "nonumber", "ring", "files,3,4",
        "number"] + FIXED, FILES + ["READ"]),
    ("another thread's number", "d", OPEN + ["thread", "ring", "number", "ring", "files,3,4",
        "number"] + FIXED, FILES + ["READ"]),
    ("entries of twice the size", "d", OPEN + [f"ring,{SQE128}", "files,3,4"] +
        [f"fixed,{FSYNC},1", f"fixed,{READ},1", "enter", f"fixed,{FSYNC},1", f"fixed,{READ},0",
         f"fixed,{READ},0", "enter"], FILES + ["FSYNC, READ, READ"]),
    ("the same in the order of memory", "d", OPEN + [f"ring,{SQE128 | NO_SQARRAY}", "files,3,4"] +
        [f"fixed,{READ},1", f"fixed,{FSYNC},1", "enter"] * 9 + [f"fixed,{FSYNC},1",
         f"fixed,{READ},0", "enter"], FILES + ["FSYNC, READ"]),
    ("entries in memory of the program", "d", OPEN + [f"ring,{NO_MMAP}", "files,3,4"] + FIXED * 6,
        FILES + ["READ"] * 6),
    ("wide entries in memory of the program", "d", OPEN + [f"ring,{NO_MMAP | SQE128 | NO_SQARRAY}",
        "files,3,4"] + FIXED * 6, FILES + ["READ"] * 6),
    ("entries in the order of memory", "d", OPEN + [f"ring,{NO_SQARRAY}", "files,3,4"] + FIXED * 6,
        FILES + ["READ"] * 6),
    ("a ring that never had a descriptor", "d", OPEN + [f"ring,{NO_DESCRIPTOR}"] +
        [f"plain,{FSYNC},4", f"plain,{READ},3", "enter", f"plain,{FSYNC},4", "enter"] * 6,
        OPENED + ["FSYNC, READ"] * 6),
    ("the same with wide entries in the order of memory", "d",
        OPEN + [f"ring,{NO_DESCRIPTOR | SQE128 | NO_SQARRAY}"] +
        [f"plain,{FSYNC},4", "enter", f"plain,{READ},4", f"plain,{FSYNC},3", "enter"] * 6,
        OPENED + ["READ, FSYNC"] * 6),
]  # fmt: skip

IN_ANOTHER_PLACE = [
    ("a fixed file of another namespace", "d", ["unshare", "bindmount,d,other", "ring", "sparse,2",
        "openslot,other/f,0", "enter"] + FIXED, ["mount", "OPENAT", "READ"]),
    ("the same name in another namespace", "d", ["unshare", "bindmount,other,d", "ring", "sparse,2",
        "openslot,d/x,0", "enter"] + FIXED, ["mount"]),
    ("a fixed file of a jail", "jail/d", ["chroot,jail", "ring", "sparse,2", "openslot,/d/f,0",
        "enter"] + FIXED, ["OPENAT", "READ"]),
    ("the same name in a jail", "d", ["chroot,jail", "ring", "sparse,2", "openslot,/d/f,0",
        "enter"] + FIXED, []),
]  # fmt: skip


def make_folder(folder):
    for name in ("d/f", "d/a b\\c", "other/x", "jail/d/f"):
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write("text\n")
    os.link(os.path.join(folder, "d/f"), os.path.join(folder, "hard"))


def call_of(line):
    call = re.match(r"(?:\d+ +)?([a-z_0-9]+)\(", line)
    opcodes = re.search(r"io_uring_enter\(.*?/\* (.*?) \*/", line)
    return opcodes[1].replace("IORING_OP_", "") if opcodes else call and call[1]


def trace(pattern, steps, options, abi="x86_64"):
    """The calls shown, and what was said."""
    program = tracing.program("rings", abi)
    with tempfile.TemporaryDirectory(prefix="tracer-test-") as folder:
        folder = os.path.realpath(folder)
        make_folder(folder)
        output = os.path.join(folder, "trace")
        done = subprocess.run(
            [*tracing.tracer(), "-qq", "-o", output, "-P", pattern, *options, "--", program,
             *steps],
            cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
            timeout=tracing.PATIENCE,
        )  # fmt: skip
        with open(output, encoding="utf-8") as lines:
            calls = [call for call in map(call_of, lines) if call]
    if done.returncode == 4:
        raise tap.Skip("no io_uring here, or no ring of that kind")
    assert done.returncode == 0, (done.returncode, done.stderr)
    return calls, done.stderr


def check(pattern, steps, expected):
    for options in WAYS:
        calls, said = trace(pattern, steps, options)
        assert calls == expected, f"{options}: wanted {expected}, shown {calls}"
        assert not said, said


def check_as_root(*case):
    if os.geteuid() != 0:
        raise tap.Skip("not root: no namespaces and no chroot")
    check(*case)


# Says how many rings its tracer has open: with a number, when it was given back, by a thread with a
# number, when that has ended, and before and after an execve.
COUNTS_RINGS = """
import ctypes, os, re, struct, sys, threading, time
libc = ctypes.CDLL(None, use_errno=True)
def count():
    tracer = re.search(r"TracerPid:.(\\d+)", open("/proc/self/status").read())[1]
    fds = os.listdir(f"/proc/{tracer}/fd")
    links = [os.readlink(f"/proc/{tracer}/fd/{fd}") for fd in fds if fd != "0"]
    return links.count("anon_inode:[io_uring]")
def say():
    os.write(1, b"%d " % count())
if len(sys.argv) > 1:
    say(); sys.exit()
ring = libc.syscall(425, 8, bytes(120))
if ring < 0:
    sys.exit(4)
def number(operation, which, fd):
    update = ctypes.create_string_buffer(struct.pack("IIQ", which, 0, fd), 16)
    if libc.syscall(427, ring, operation, update, 1) != 1:
        os._exit(4)
    return struct.unpack_from("I", update)[0]
def work():
    number(20, 0xffffffff, ring); say()
which = number(20, 0xffffffff, ring); say()
number(21, which, 0); say()
thread = threading.Thread(target=work)
thread.start(); thread.join()
for _ in range(1000):
    if not count():
        break
    time.sleep(0.01)
say()
number(20, 0xffffffff, ring); say()
os.execv(sys.executable, ["python", "-I", "-S", "-c", SCRIPT, "again"])
"""


def check_kept():
    script = f"SCRIPT = {COUNTS_RINGS!r}\n{COUNTS_RINGS}"
    done, _ = tracing.run(
        ["-f", "-P", "/nonexistent"], [sys.executable, "-I", "-S", "-c", script]
    )
    if done.returncode == 4:
        raise tap.Skip("no io_uring here, or no numbers for rings")
    assert done.returncode == 0 and done.stdout == "1 0 1 0 1 0 ", (done.returncode, done.stdout,
                                                                    done.stderr)  # fmt: skip


def check_blind(steps, words, shown):
    for options in WAYS:
        calls, said = trace("d", steps, options)
        assert calls == shown, (options, calls)
        assert said.count("cannot be seen") == 1 and words in said, (options, said)


def check_i386(pattern, steps, expected):
    calls, said = trace(pattern, steps, ["-f"], "i386")
    assert calls == expected and not said, (calls, said)


def main():
    report = tap.Report()
    for name, *case in CASES:
        report.check(name, check, *case)
    for name, *case in IN_ANOTHER_PLACE:
        report.check(name, check_as_root, *case)
    for name, *case in CASES:
        report.check(f"in 32 bits: {name}", check_i386, *case)
    report.check("files of a ring that never had a descriptor are said to be unseen, once",
        check_blind, [*OPEN, f"ring,{NO_DESCRIPTOR}", "files,3,4", *FIXED],
        "which files are registered", FILES)  # fmt: skip
    report.check("a ring is kept no longer than its number", check_kept)
    sys.exit(report.finish())


main()
