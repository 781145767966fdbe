# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""-P misses no spelling of a file: each point makes calls and names those that must show.

In a folder of its own:  d/f d/deep/g  other/x  link -> d  flink -> d/f  away -> /etc
jail/d/f  script (starts with #!d/echo)

Arguments choose: points that make one of these calls.
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

import namespaces  # noqa: E402
import tap  # noqa: E402
import tracing  # noqa: E402

ROOT = ("chroot", "unshare", "bindmount", "tmpfs")
NOFOLLOW = "0x100"
EMPTY = "0x1000"
O_NOFOLLOW = "0x20000"
O_PATH = "0x200000"
O_CREAT = "0x42"

FSYNC, OPENAT, RENAMEAT = 3, 18, 35
SQPOLL = 2

# name, patterns, calls to make, calls that must show (and no others)
CASES = [
    ("relative", "d", ["open,d/f"], ["openat"]),
    ("absolute", "d", ["open,@/d/f"], ["openat"]),
    ("dots and slashes", "d", ["open,./d//./f", "stat,other/../d/f"], ["openat", "newfstatat"]),
    ("a sibling is not meant", "d", ["open,other/x", "open,d2/f"], []),
    ("the directory itself", "d", ["stat,d", "stat,d/", "stat,d/."], ["newfstatat"] * 3),
    ("its parent is not meant", "d", ["stat,.", "stat,d/.."], []),
    ("deep below", "d", ["open,d/deep/g"], ["openat"]),
    ("descriptor of a directory", "d", ["open,d", "openat,3,f", "openat,3,deep/g"], ["openat"] * 3),
    ("out of a directory again", "d", ["open,d", "openat,3,../other/x"], ["openat"] * 2),
    ("into it from outside", "d", ["open,other", "openat,3,../d/f"], ["openat"]),
    ("through a link to the directory", "d", ["open,link/f", "open,link/../d/f"], ["openat"] * 2),
    ("through a link to the file", "d/f", ["open,flink", "read,3"], ["openat", "read"]),
    ("a pattern through a link", "link/f", ["open,d/f", "open,link/f", "open,flink"],
        ["openat"] * 3),
    ("a link that leads out of it", "d", ["open,d/out/x", "stat,d/out"], ["openat", "newfstatat"]),
    ("a link that is not followed", "d/f",
        [f"stat,flink,{NOFOLLOW}", f"open,flink,{O_NOFOLLOW}", "readlink,flink"], []),
    ("the link itself", "flink",
        [f"stat,flink,{NOFOLLOW}", "readlink,flink", f"open,flink,{O_PATH}"],
        ["newfstatat", "readlink", "openat"]),
    ("links that lead in circles", "loop", ["open,loop", "open,d/f"], ["openat"]),
    ("after chdir", "d", ["chdir,d", "open,f", "open,../other/x"], ["chdir", "openat"]),
    ("after fchdir", "d", ["open,d", "fchdir,3", "stat,f"], ["openat", "fchdir", "newfstatat"]),
    ("/proc/self/cwd", "d", ["open,/proc/self/cwd/d/f", "open,/proc/thread-self/cwd/d/f"],
        ["openat"] * 2),
    ("/proc/self/root", "d", ["open,/proc/self/root@/d/f"], ["openat"]),
    ("/proc/self/fd", "d/f", ["open,d/f", "open,/proc/self/fd/3", "open,/dev/fd/3"],
        ["openat"] * 3),
    ("below a descriptor in /proc", "d", ["open,d", "open,/proc/self/fd/3/f"], ["openat"] * 2),
    ("the program in /proc", "@self", ["open,/proc/self/exe"], ["execve", "openat"]),
    ("a missing file", "d", ["open,d/none", "open,d/none/../x", "access,link/none"],
        ["openat", "openat", "access"]),
    ("a missing pattern", "d/none/a", ["open,d/none/a/b", "open,d/none"], ["openat"]),
    ("a missing pattern through a link", "link/none", ["open,d/none"], ["openat"]),
    ("a file as a directory", "d/f", ["open,d/f/x"], ["openat"]),
    ("a link to what is missing", "d", ["stat,dangling"], ["newfstatat"]),
    ("what did not exist at first", "new", [f"open,new,{O_CREAT}", "write,3", "link,new,hard",
        "open,hard", "read,4"], ["openat", "write", "link", "openat", "read"]),
    ("empty path", "d/f", ["open,d/f", f"statat,3,,{EMPTY}", "stat,"], ["openat", "newfstatat"]),
    ("empty path, working directory", "d", ["chdir,d", f"statat,cwd,,{EMPTY}"],
        ["chdir", "newfstatat"]),
    ("hard link", "d/f", ["open,hard_f", "read,3"], ["openat", "read"]),
    ("reads, writes, copies", "d/f", ["open,d/f,2", "write,3", "dup,3", "read,4", "poll,4",
        "select,4", "close,3", "close_range,4,9"],
        ["openat", "write", "dup", "read", "poll", "pselect6", "close", "close_range"]),
    ("another descriptor", "d/f", ["open,other/x", "read,3", "close_range,3,9", "poll,3"], []),
    ("deleted while open", "d/f", ["open,d/f", "unlink,d/f", "read,3", "close,3"],
        ["openat", "unlink", "read", "close"]),
    ("moved away while open", "d", ["open,d/f", "rename,d/f,other/y", "read,3", "open,other/y"],
        ["openat", "rename", "read", "openat"]),
    ("both sides of rename", "d", ["rename,other/x,d/x", "rename,d/x,other/x",
        "rename,other/x,other/y"], ["rename", "rename"]),
    ("both sides of link", "d", ["link,other/x,d/y", "link,d/f,other/z", "link,other/x,other/w"],
        ["link", "link"]),
    ("both sides of symlink", "d", ["symlink,../d/f,other/s", "symlink,nothing,d/s",
        "symlink,d/f,other/t"], ["symlink", "symlink"]),
    ("openat2", "d",
        ["openat2,cwd,d/f,0", "openat2,cwd,link/f,4", "open,jail", "openat2,5,/d/f,0x10"],
        ["openat2", "openat2"]),
    ("openat2, the directory as root", "jail/d", ["open,jail", "openat2,3,/d/f,0x10",
        "openat2,3,/../d/f,0x10", "openat2,3,@/jail/d/f,0x8"], ["openat2"] * 3),
    ("mapped", "d/f", ["open,d/f", "mmap,3", "close,3", "madvise", "msync", "mprotect", "mlock",
        "mremap", "munmap", "madvise"],
        ["openat", "mmap", "close", "madvise", "msync", "mprotect", "mlock", "mremap", "munmap"]),
    ("mapped, deleted", "d/f", ["open,d/f", "mmap,3", "unlink,d/f", "munmap"],
        ["openat", "mmap", "unlink", "munmap"]),
    ("mapped over", "d/f", ["open,d/f", "mmap,3", "over", "munmap"], ["openat", "mmap", "mmap"]),
    ("other mappings", "d/f", ["anonymous", "madvise", "munmap"], []),
    ("socket", "d", ["socket", "bind,3,d/s", "socket", "connect,4,./d/s", "connect,4,other/s"],
        ["bind", "connect"]),
    ("sent and received", "d/f", ["open,d/f", "send,3", "close,3", "receive", "read,3"],
        ["openat", "sendmsg", "close", "recvmsg", "read"]),
    ("io_uring", "d", ["ring", f"submit,{OPENAT},cwd,./link/f", f"submit,{OPENAT},cwd,other/x",
        f"submit,{RENAMEAT},cwd,d/f,d2/g", f"submit,{RENAMEAT},cwd,other/x,d/x",
        f"submit,{RENAMEAT},cwd,d2/g,d2/h"], ["io_uring_enter"] * 3),
    ("io_uring: descriptors", "d/f", ["open,d/f", "open,other/x", "ring", f"submit,{FSYNC},3",
        f"submit,{FSYNC},4"], ["openat", "io_uring_enter"]),
    ("exec", "d/echo", ["chdir,other", "exec,../d/echo"], ["execve"]),
    ("exec of a script", "d/echo", ["exec,./script"], ["execve"]),
    ("exec of a script of a script", "d/echo", ["exec,./script2"], ["execve"]),
    ("exec of a script by a descriptor", "d/echo", ["open,script2", "execat,3,"], ["execveat"]),
    ("exec of a deleted script", "d/echo", ["open,script", "unlink,script", "execat,3,"],
        ["execveat"]),
    ("exec of a deleted script in /proc", "d/echo", ["open,script", "unlink,script",
        "exec,/proc/self/fd/3"], ["execve"]),
    ("exec of something else by a descriptor", "d", ["open,other/echo", "execat,3,"], []),
    ("exec of something else", "d", ["exec,other/echo"], []),
    ("exactly the directory", "=d", ["stat,d", "open,d/f", "open,d", "openat,4,f"],
        ["newfstatat", "openat", "openat"]),
    ("glob", "d/*", ["stat,d", "open,d/f", "open,link/deep/g", "open,other/x"], ["openat"] * 2),
    ("exact glob", "=**/[fg]", ["open,d/f", "open,d/deep/g", "stat,d/deep", "open,other/x"],
        ["openat"] * 2),
    ("exclusion", "d !d/deep", ["open,d/f", "open,d/deep/g", "open,d", "openat,5,deep/g", "read,4"],
        ["openat", "openat"]),
    ("several", "d/f other", ["open,d/f", "open,other/x", "open,d/deep/g"], ["openat"] * 2),
    ("chroot: the jail's file is another", "d", ["chroot,jail", "open,/d/f"], []),
    ("chroot: found by its real name", "jail/d",
        ["chroot,jail", "chdir,/", "open,/d/f", "open,d/f", "open,../d/f", "open,/../../d/f",
         "stat,/dlink/f"], ["openat", "openat", "openat", "openat", "newfstatat"]),
    ("chroot: a directory left outside", "d", ["open,d", "chroot,jail", "openat,3,f"],
        ["openat", "openat"]),
    ("bind mount in another namespace", "d", ["unshare", "bindmount,d,other", "open,other/f",
        "open,other/deep/g"], ["mount", "openat", "openat"]),
    ("bind mount of a part", "d", ["unshare", "bindmount,d/deep,other", "open,other/g",
        "read,3"], ["mount", "openat", "read"]),
    ("bind mount of a file", "d/f", ["unshare", "bindmount,d/f,other/x", "open,other/x", "read,3"],
        ["mount", "openat", "read"]),
    ("hidden by a bind mount", "d", ["unshare", "bindmount,other,d", "open,d/x"], ["mount"]),
    ("a file system mounted below", "d", ["unshare", "tmpfs,d/deep", f"open,d/deep/n,{O_CREAT}",
        "write,3"], ["mount", "openat", "write"]),
    ("chroot in another namespace", "jail/d", ["unshare", "chroot,jail", "chdir,/", "open,/d/f",
        "open,../d/f"], ["openat", "openat"]),
    ("missing in a bind mount", "d/no", ["unshare", "bindmount,d,other", "open,other/none/a/b",
        "open,other/no/a/b", "stat,other/no", "stat,other"], ["openat", "newfstatat"]),
    ("bind mount in a chroot in another namespace", "d", ["unshare", "bindmount,d,jail/e",
        "chroot,jail", "chdir,/", "open,/e/f", "open,d/f", "stat,e/none/a"],
        ["mount", "openat", "newfstatat"]),
    ("bind mount of a part of a chroot", "jail/d", ["unshare", "chroot,jail", "chdir,/",
        "bindmount,d,e", "open,e/f", "open,e/none/a"], ["mount", "openat", "openat"]),
    ("a file system in a chroot in another namespace", "jail", ["unshare", "chroot,jail",
        "chdir,/", "tmpfs,e", f"open,e/n,{O_CREAT}", "stat,/"],
        ["chroot", "chdir", "mount", "openat", "newfstatat"]),
]  # fmt: skip

# In a chroot, and /above is a bind mount of the directory that its root is in.
ABOVE = [
    ("above a chroot: the same file", "d", ["open,/above/root@/d/f", "read,3", "open,d/f",
        "stat,/above/root@/d/none", "open,/above/root@/other/x"],
        ["openat", "read", "openat", "newfstatat"]),
    ("above a chroot: a pattern there", "/above/root@/d", ["open,d/f", "open,/above/root@/d/f",
        "open,other/x"], ["openat", "openat"]),
    ("above a chroot: a glob", "**/d/*", ["open,d/f", "open,/above/root@/d/f", "open,other/x"],
        ["openat", "openat"]),
    ("above a chroot: what is not in it", "d", ["stat,/above", "stat,/above/root",
        "stat,/above/none@/d/f"], []),
    ("above a chroot: by a bind mount of its own", "d", ["unshare",
        "bindmount,/above/root@/d,other", "open,other/f", "open,other/deep/g"],
        ["mount", "openat", "openat"]),
]  # fmt: skip

TARGET_VIEW = [
    ("target view: names in the jail", "/d", ["chroot,jail", "chdir,/", "open,/d/f", "open,d/f",
        "open,/dlink/f"], ["openat"] * 3),
    ("target view: through the jail's links", "/dlink", ["chroot,jail", "open,/d/f"], ["openat"]),
    ("target view: not ours", "/jail/d", ["chroot,jail", "open,/d/f"], []),
]  # fmt: skip


def make_folder(folder):
    def write(name, text, mode=0o644):
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, mode)

    for name in ("d/f", "d/deep/g", "other/x", "d2/f", "jail/d/f", "jail/e/x"):
        write(name, "text of it\n" * 1000)
    for name in ("d/echo", "other/echo"):
        shutil.copy("/bin/true", os.path.join(folder, name))
    write("script", f"#! {folder}/d/echo\n", 0o755)
    write("script2", "#!./script with words\n", 0o755)
    for name, target in (
        ("link", "d"), ("flink", "d/f"), ("away", "/etc"), ("dangling", "d/nothing"),
        ("d/out", "../other"), ("loop", "loop2"), ("loop2", "loop"), ("jail/dlink", "/d"),
    ):  # fmt: skip
        os.symlink(target, os.path.join(folder, name))
    os.link(os.path.join(folder, "d/f"), os.path.join(folder, "hard_f"))


def shown(lines):
    """Names of the calls in a trace."""
    found = [re.match(r"(?:\d+ +)?([a-z_0-9]+)\(", line) for line in lines]
    found = [match.group(1) for match in found if match]
    # The loader protects what it has mapped of a program.
    executes = "execve" in found or "execveat" in found
    return [name for name in found if name != "mprotect" or not executes]


def check(patterns, calls, expected, view):
    # With -f more is kept from call to call.
    for follow in ([], ["-f"]):
        check_once(patterns, calls, expected, [f"--path-view={view}"] + follow)


def check_once(patterns, calls, expected, options):
    if any(call.split(",")[0] in ROOT for call in calls) and os.geteuid() != 0:
        raise tap.Skip("not root: no chroot, mounts and namespaces")
    if "unshare" in calls:
        namespaces.own_mounts()
    program = tracing.program("paths")
    with tempfile.TemporaryDirectory(prefix="tracer-test-") as folder:
        folder = os.path.realpath(folder)
        make_folder(folder)
        words = [call.replace("@", folder) for call in calls]
        options = options + ["-q", "-q", "-o", os.path.join(folder, "trace")]
        for pattern in patterns.split():
            options += ["-P", pattern.replace("@self", program).replace("@", folder)]
        done = subprocess.run(
            tracing.tracer() + options + ["--", program] + words, cwd=folder,
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
            timeout=tracing.PATIENCE,
        )  # fmt: skip
        with open(os.path.join(folder, "trace"), encoding="utf-8") as trace:
            lines = trace.read().splitlines()
        if done.returncode == 4:
            raise tap.Skip("no io_uring here")
        assert done.returncode == 0, (done.returncode, done.stderr)
        assert shown(lines) == expected, f"wanted {expected}, shown:\n" + "\n".join(lines)


def check_polled():
    done, _ = tracing.run(["-P", "/nonexistent"], [tracing.program("paths"), f"ring,{SQPOLL}",
                                                   f"ring,{SQPOLL}"])  # fmt: skip
    if done.returncode == 4:
        raise tap.Skip("no io_uring here, or none that the kernel polls")
    assert done.stderr.count("cannot be seen") == 1, done.stderr


def is_chosen(calls):
    return not sys.argv[1:] or any(call.split(",")[0] in sys.argv for call in calls)


def main():
    report = tap.Report()
    groups = [("tracer", CASES), ("target", TARGET_VIEW)]
    if os.path.isdir("/above/root"):
        groups.append(("tracer", ABOVE))
    for view, cases in groups:
        for name, patterns, calls, expected in cases:
            if cases is ABOVE or is_chosen(calls):
                report.check(name, check, patterns, calls, expected, view)
    if is_chosen(["ring"]):
        report.check("a ring that the kernel polls is said to be unseen, once", check_polled)
    sys.exit(report.finish())


main()
