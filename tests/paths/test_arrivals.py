# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""-P and descriptors that come into a process that had nothing of what is asked for, by other
ways than the result of a call with a path. What is done with them then must be shown.
"""

import fcntl
import os
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import namespaces  # noqa: E402
import tap  # noqa: E402
from scripted import FOLLOWED, check  # noqa: E402

FILTERED = ["--seccomp-bpf=on"]
WAYS = [FILTERED, FOLLOWED]

SYSCALLS = """
import array, fcntl, socket, struct
def number(call, *args):
    got = libc.syscall(call, *args)
    if got < 0:
        os.write(2, b"errno %d of %d" % (ctypes.get_errno(), call)); os._exit(9)
    return got
"""


def needs_root():
    if os.geteuid() != 0:
        raise tap.Skip("must be root")


def has_namespaces_of_processes():
    pid = os.pidfd_open(os.getpid())
    try:
        os.close(fcntl.ioctl(pid, 0xFF0A))
    except OSError:
        return False
    finally:
        os.close(pid)
    return True


def test_a_mount_of_autofs():
    # The request stores the descriptor in its argument.
    if not os.path.exists("/dev/autofs"):
        raise tap.Skip("no /dev/autofs here")
    script = SYSCALLS + """
read, write = os.pipe()
options = f"fd={write},pgrp={os.getpgrp()},minproto=5,maxproto=5,indirect"
assert libc.mount(b"none", b"d", b"autofs", 0, options.encode()) == 0, ctypes.get_errno()
device = os.stat("d").st_dev
encoded = (device & 0xff) | (device >> 8 & 0xfff) << 8
path = b"./d" + bytes(1)
control = os.open("/dev/autofs", os.O_RDONLY)
request = bytearray(struct.pack("IIIiQ", 1, 0, 24 + len(path), -1, encoded) + path)
fcntl.ioctl(control, 0xc0189374, request)  # AUTOFS_DEV_IOCTL_OPENMOUNT
fd = struct.unpack_from("i", request, 12)[0]
os.fstatvfs(fd); os.close(fd)
libc.umount2(b"d", 2)
"""
    prefix = namespaces.own_mounts()
    check(script, ["mount none", "ioctl ./d", "fstatfs", "close"], WAYS, prefix=prefix)
    # The call that brings it need not be one to show.
    check(script, ["fstatfs"], [way + ["-e", "trace=fstatfs"] for way in WAYS], prefix=prefix)


def test_a_namespace_by_its_process():
    # It has a name where it is mounted, and none where the kernel tells of the descriptor.
    setup = 'mount --bind /proc/self/ns/uts other/x && exec "$@"'
    prefix = [*namespaces.own_mounts(), "sh", "-c", setup, "-"]
    script = SYSCALLS + """
pid = number(434, os.getpid(), 0)  # pidfd_open
fd = fcntl.ioctl(pid, 0xff0a)  # PIDFD_GET_UTS_NAMESPACE
os.fstatvfs(fd); os.close(fd)
"""
    if not has_namespaces_of_processes():
        raise tap.Skip("pidfd_open(2) gives no namespaces here: Linux before 6.11")
    check(script, ["ioctl", "fstatfs", "close"], WAYS, pattern="other/x", prefix=prefix)
    check(script, ["fstatfs"], [way + ["-e", "trace=fstatfs"] for way in WAYS],
          pattern="other/x", prefix=prefix)  # fmt: skip


def test_a_map_of_bpf_in_a_file():
    script = SYSCALLS + """
if libc.mount(b"none", b"d", b"bpf", 0, None) != 0:
    os._exit(4)
def object(command, path, fd):
    path = ctypes.create_string_buffer(path)
    attributes = struct.pack("QII", ctypes.addressof(path), fd, 0)
    return number(321, command, attributes, len(attributes))
kind = struct.pack("IIII", 2, 4, 4, 1)  # BPF_MAP_TYPE_ARRAY
fd = number(321, 0, kind, len(kind))  # BPF_MAP_CREATE
object(6, b"d/map", fd)  # BPF_OBJ_PIN
os.close(fd)
os.close(object(7, b"./d/map", 0))  # BPF_OBJ_GET
os.unlink("d/map")
"""
    if "\tbpf\n" not in pathlib.Path("/proc/filesystems").read_text(encoding="ascii"):
        raise tap.Skip("no file system for bpf here")
    check(script, ["mount none", "bpf d/map", "bpf ./d/map", "unlink d/map"],
          prefix=namespaces.own_mounts())  # fmt: skip


WATCHED_BY_FANOTIFY = SYSCALLS + """
events = number(300, 0, 0)  # fanotify_init: FAN_CLASS_NOTIF
number(301, events, 1, ctypes.c_ulong(0x20), -100, b"d/f")  # fanotify_mark(FAN_MARK_ADD, FAN_OPEN)
in_child(lambda: os.close(os.open("d/f", os.O_RDONLY)))
os.set_inheritable(events, True)
"""
READS_AN_EVENT = """
import os, struct, sys
source = int(sys.argv[1]) if len(sys.argv) > 1 else events
fd = struct.unpack_from("i", os.read(source, 4096), 16)[0]
os.fsync(fd); os.close(fd)
"""


def test_events_of_fanotify_after_exec():
    needs_root()
    check(WATCHED_BY_FANOTIFY + f"""
os.execv(sys.executable, ["python", "-I", "-S", "-c", {READS_AN_EVENT!r}, str(events)])
""", ["fsync"], WAYS)  # fmt: skip


def test_events_of_fanotify_in_a_child():
    needs_root()
    check(WATCHED_BY_FANOTIFY + f"""
def work():
    {"; ".join(READS_AN_EVENT.strip().splitlines())}
in_child(work)
""", ["fsync"], [FOLLOWED])  # fmt: skip


def test_events_of_fanotify_by_another_process():
    # The descriptor of the events is given away; nothing else of it is.
    needs_root()
    check(SYSCALLS + f"""
here, there = socket.socketpair()
pid = os.fork()
if not pid:
    events = array.array("i")
    _, data, _, _ = here.recvmsg(1, socket.CMSG_SPACE(4))
    events.frombytes(data[0][2][:4])
    events = events[0]
    {"; ".join(READS_AN_EVENT.strip().splitlines())}
    os._exit(0)
{WATCHED_BY_FANOTIFY}
there.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [events]))])
os.close(events)
assert os.waitpid(pid, 0)[1] == 0
""", ["fsync"], [FOLLOWED])  # fmt: skip


SUPERVISED = SYSCALLS + """
here, there = socket.socketpair()
pid = os.fork()
if not pid:
    # getppid is answered by somebody else: SECCOMP_RET_USER_NOTIF.
    steps = struct.pack("HBBIHBBIHBBIHBBI", 0x20, 0, 0, 0, 0x15, 0, 1, 110,
                        6, 0, 0, 0x7fc00000, 6, 0, 0, 0x7fff0000)
    steps = ctypes.create_string_buffer(steps)
    filter = struct.pack("H6xQ", 4, ctypes.addressof(steps))
    libc.prctl(38, 1, 0, 0, 0)  # PR_SET_NO_NEW_PRIVS
    listener = number(317, 1, 8, filter)  # SECCOMP_FILTER_FLAG_NEW_LISTENER
    there.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [listener]))])
    os.close(listener)
    supervised()
    os._exit(0)
_, data, _, _ = here.recvmsg(1, socket.CMSG_SPACE(4))
listener = struct.unpack("i", data[0][2][:4])[0]
notice = bytearray(80)
fcntl.ioctl(listener, 0xc0502100, notice)  # SECCOMP_IOCTL_NOTIF_RECV
number_of = struct.unpack_from("Q", notice)[0]
fd = os.open("d/f", os.O_RDONLY)
# SECCOMP_IOCTL_NOTIF_ADDFD with SECCOMP_ADDFD_FLAG_SEND: is the result of the call, too.
fcntl.ioctl(listener, 0x40182103, bytearray(struct.pack("QIIII", number_of, 2, fd, 0, 0)))
assert os.waitpid(pid, 0)[1] == 0
"""


def test_a_supervisor_gives_one():
    check("""
def supervised():
    os.fsync(os.getppid())
""" + SUPERVISED, ["openat d/f", "ioctl", "fsync"], [FOLLOWED])  # fmt: skip


def test_a_supervisor_gives_one_after_exec():
    check("""
def supervised():
    os.execv(sys.executable, ["python", "-I", "-S", "-c", "import os; os.fsync(os.getppid())"])
""" + SUPERVISED, ["openat d/f", "ioctl", "fsync"], [FOLLOWED])  # fmt: skip


def test_a_supervisor_gives_one_to_a_child():
    check("""
def supervised():
    in_child(lambda: os.fsync(os.getppid()))
""" + SUPERVISED, ["openat d/f", "ioctl", "fsync"], [FOLLOWED])  # fmt: skip


tap.run(globals())
