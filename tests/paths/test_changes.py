# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""-P while the world changes: what was ruled out a moment ago may be what is asked for now.

Each point is a script (see scripted.py) that makes each call twice, at first where the call is
none of ours.
"""

import os
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import namespaces  # noqa: E402
import scripted  # noqa: E402
import tap  # noqa: E402
from scripted import check, trace  # noqa: E402

FOLLOWED = scripted.FOLLOWED


def test_a_number_becomes_another_directory():
    check("""
fd = directory("other")
look(fd, "f"); lstat(fd, "f")
os.dup2(directory("d"), fd)
look(fd, "f"); lstat(fd, "f")
os.close(fd)
os.dup2(directory("other"), fd)
look(fd, "x"); lstat(fd, "x")
""", ["openat f", "newfstatat f"])  # fmt: skip


def test_another_thread_changes_the_number():
    check("""
fd, inside = directory("other"), directory("d")
def work():
    os.dup2(inside, fd)
look(fd, "f")
thread = threading.Thread(target=work)
thread.start(); thread.join()
look(fd, "f"); lstat(fd, "f")
""", ["openat f", "newfstatat f"], [["-f"], FOLLOWED])  # fmt: skip


def test_a_directory_moves_in():
    check("""
fd = directory("other/sub")
look(fd, "f")
os.rename("other", "d/other")
look(fd, "f"); lstat(fd, "f"); os.fstat(fd)
os.rename("d/other", "other")
look(fd, "f"); lstat(fd, "f")
""", ["rename other", "openat f", "newfstatat f", "rename d/other"])  # fmt: skip


def test_another_process_moves_a_directory_in():
    check("""
fd = directory("other/sub")
look(fd, "f")
in_child(lambda: os.rename("other", "d/other"))
look(fd, "f"); lstat(fd, "f"); os.fstat(fd)
""", ["rename other", "openat f", "newfstatat f"], [["-f"], FOLLOWED])  # fmt: skip


def test_somebody_untraced_moves_a_directory_in():
    # Without a filter no child is traced but with -f.
    check("""
fd = directory("other/sub")
look(fd, "f")
in_child(lambda: os.rename("other", "d/other"))
look(fd, "f"); lstat(fd, "f")
""", ["openat f", "newfstatat f"], [["--seccomp-bpf=off"], ["--seccomp-bpf=on"]])  # fmt: skip


def test_a_directory_above_moves():
    check("""
os.mkdir("top"); os.rename("d", "top/d")
fd = directory("top/d")
look(fd, "f")
in_child(lambda: (os.rename("top", "old"), os.rename("old", "above")))
look(fd, "f"); lstat(fd, "f"); os.fstat(fd)
""", ["openat f", "newfstatat f", "newfstatat"], [["-f"], FOLLOWED],
        pattern="above/d")  # fmt: skip


def test_a_directory_becomes_a_link():
    check("""
os.mkdir("way"); open("way/f", "w").close()
os.stat("way/f"); os.close(os.open("way/f", 0))
os.rename("way", "old"); os.symlink("d", "way")
os.stat("way/f"); os.close(os.open("way/f", 0)); os.stat(os.path.abspath("way/f"))
""", ["newfstatat way/f", "openat way/f"])  # fmt: skip


def test_a_file_becomes_a_link():
    check("""
fd = directory("other")
os.stat("x", dir_fd=fd)
os.unlink("other/x"); os.symlink("../d/f", "other/x")
os.stat("x", dir_fd=fd); os.close(os.open("x", 0, dir_fd=fd)); lstat(fd, "x")
""", ["newfstatat x", "openat x"])  # fmt: skip


def test_a_link_that_changes_all_the_time():
    # Whatever the call meets, what it opens is known when it returns.
    script = """
os.symlink("other", "way")
pid = os.fork()
if not pid:
    while True:
        for target in ("d", "other"):
            os.symlink(target, "new"); os.rename("new", "way")
seen = 0
open("other/f", "w").close()
for i in range(300):
    fd = os.open("way/f", os.O_RDONLY)
    if os.readlink(f"/proc/self/fd/{fd}").endswith("/d/f"):
        os.fsync(fd); seen += 1
    os.close(fd)
os.kill(pid, 9); os.waitpid(pid, 0)
os.access(f"/SEEN{seen}", 0)
"""
    for options in ([], ["--seccomp-bpf=on"], ["--seccomp-bpf=off"]):
        found = trace(script + 'os.fsync(os.open("d/f", 0)) if not seen else None', options)
        assert found.count("openat way/f") >= found.count("fsync") - 1, (options, found)


def test_a_terminal_by_its_master():
    # The master is no file in /dev/pts everywhere, and nothing else of it is open.
    script = """
import fcntl
master = os.open("/dev/ptmx", os.O_RDWR | os.O_NOCTTY)
def dialog():
    fcntl.ioctl(master, 0x40045431, bytes(4))  # TIOCSPTLCK: unlocked
    end = fcntl.ioctl(master, 0x5441, os.O_RDWR | os.O_NOCTTY)  # TIOCGPTPEER
    os.write(end, b"x"); os.close(end)
dialog(); dialog()
"""
    if not os.path.exists("/dev/ptmx") or not os.path.isdir("/dev/pts"):
        raise tap.Skip("no pseudo-terminals here")
    calls = ["ioctl", "write x", "close"] * 2
    check(script, calls, pattern="/dev/pts")
    # The call that brings it need not be one to show.
    check(script, ["write x"] * 2, [["--seccomp-bpf=on", "-e", "trace=write"]], pattern="/dev/pts")


def test_a_hard_link_appears():
    check("""
fd = directory("other")
lstat(fd, "new"); look(fd, "new")
os.link("d/f", "other/new")
lstat(fd, "new"); look(fd, "new"); os.stat("other/new")
""", ["link d/f", "newfstatat new", "openat new", "newfstatat other/new"],
        pattern="d/f")  # fmt: skip


def test_a_bind_mount_appears():
    prefix = namespaces.own_mounts()
    check("""
fd = directory("empty")
look(fd, "f"); os.stat(os.path.abspath("other/sub"))
assert libc.mount(b"d", b"empty", None, 0x1000, None) == 0
look(directory("empty"), "f"); lstat(directory("."), "empty"); os.stat(os.path.abspath("empty/f"))
""", ["mount d", "openat f", "newfstatat empty"], prefix=prefix)  # fmt: skip


def test_bind_mounts_from_before():
    setup = 'mount --bind other/sub empty && exec "$@"'
    prefix = [*namespaces.own_mounts(), "sh", "-c", setup, "-"]
    script = """
os.stat("empty/f"); os.close(os.open("other/sub/f", 0)); look(directory("empty"), "f")
os.access("empty/none", 0); os.stat("other"); os.stat("d/f")
"""
    shown = ["newfstatat empty/f", "openat other/sub/f", "openat empty", "openat f",
             "access empty/none"]  # fmt: skip
    for pattern in ("other/sub", "empty", "other/s*", "**/empty"):
        check(script, shown, pattern=pattern, prefix=prefix)


def test_somebody_who_shares_the_directory_changes_it():
    # clone(CLONE_FS | CLONE_VM | CLONE_VFORK | SIGCHLD), and the child calls chdir.
    check("""
os.stat("f") if os.path.exists("f") else None
stack = ctypes.create_string_buffer(1 << 16)
child = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(lambda _: libc.chdir(b"d") and 1)
top = ctypes.c_void_p(ctypes.addressof(stack) + len(stack))
pid = libc.clone(child, top, 0x200 | 0x100 | 0x4000 | 17, None)
os.waitpid(pid, 0)
os.stat("f")
""", ["newfstatat f"])  # fmt: skip


def test_nothing_is_held():
    prefix = namespaces.own_mounts()
    script = """
assert libc.mount(b"none", b"empty", b"tmpfs", 0, None) == 0
open("empty/file", "w").close()
fd = directory("empty"); look(fd, "file"); lstat(fd, "file"); os.close(fd)
os.chdir("empty"); os.stat("./file"); os.stat("file"); os.chdir("..")
os.stat("empty/./../empty/file")
assert libc.umount(b"empty") == 0
"""
    for pattern in ("/nonexistent", "empty/file", "=empty", "!empty"):
        check(script, [], pattern=pattern, prefix=prefix)


def test_many_processes_and_few_descriptors():
    # More processes than tracer may have files open.
    script = """
readers = []
for i in range(120):
    read, write = os.pipe()
    if not os.fork():
        os.close(write)
        os.stat("other/x"); os.read(read, 1)
        os.chdir("d"); os.stat("f"); os._exit(0)
    readers.append(write); os.close(read)
for write in readers:
    os.close(write)
for write in readers:
    os.wait()
"""
    for options in (["-f"], FOLLOWED):
        found = trace(script, options, prefix=["sh", "-c", 'ulimit -S -n 200; exec "$@"', "-"])
        assert found.count("newfstatat f") == 120, (options, found)


tap.run(globals())
