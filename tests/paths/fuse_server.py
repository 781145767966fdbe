# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""A file system of one file, `file`, whose server can stop to answer: linux/fuse.h by hand."""

import contextlib
import ctypes
import errno
import os
import signal
import struct

import tap

LIBC = ctypes.CDLL(None, use_errno=True)
MNT_DETACH = 2
ROOT, FILE = 1, 2
LOOKUP, FORGET, GETATTR, OPEN, RELEASE, FLUSH, INIT, OPENDIR, BATCH_FORGET = (
    1, 2, 3, 14, 18, 25, 26, 27, 42)  # fmt: skip
HEADER = struct.Struct("IIQQIIII")


def _attributes(node):
    mode = 0o40755 if node == ROOT else 0o100644
    return struct.pack("6Q10I", node, 0, 0, 0, 0, 0, 0, 0, 0, mode, 1, 0, 0, 0, 4096, 0)


def _answer(opcode, node, body):
    """The answer, or a negative error. Nothing is valid for any time: all has to be asked."""
    if opcode == INIT:
        return struct.pack("4I2HII2HI7I", 7, 31, 4096, 0, 1, 1, 4096, 1, 1, 0, 0, *[0] * 7)
    if opcode == GETATTR:
        return struct.pack("QII", 0, 0, 0) + _attributes(node)
    if opcode == LOOKUP and body.rstrip(b"\0") == b"file":
        return struct.pack("4Q2I", FILE, 0, 0, 0, 0, 0) + _attributes(FILE)
    if opcode == LOOKUP:
        return -errno.ENOENT
    if opcode in (OPEN, OPENDIR):
        return struct.pack("QII", 0, 0, 0)
    return b"" if opcode == RELEASE else -errno.ENOSYS


def _serve(device, stopped):
    answers = True

    def stop(_signal, _frame):
        nonlocal answers
        answers = False
        os.write(stopped, b".")

    signal.signal(signal.SIGUSR1, stop)
    os.write(stopped, b".")
    while True:
        request = os.read(device, 1 << 17)
        _, opcode, unique, node, *_ = HEADER.unpack_from(request)
        if not answers or opcode in (FORGET, BATCH_FORGET):
            continue
        body = _answer(opcode, node, request[HEADER.size :])
        error, body = (body, b"") if isinstance(body, int) else (0, body)
        os.write(device, struct.pack("IiQ", 16 + len(body), error, unique) + body)


class Server:
    """A mounted file system; the process that answers for it is `pid`."""

    def __init__(self, point):
        self.point = str(point)
        device = os.open("/dev/fuse", os.O_RDWR)
        options = f"fd={device},rootmode=40000,user_id=0,group_id=0"
        if LIBC.mount(b"tests", self.point.encode(), b"fuse", 0, options.encode()) != 0:
            raise tap.Skip(f"cannot mount FUSE: {os.strerror(ctypes.get_errno())}")
        self.heard, stopped = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            with contextlib.suppress(OSError):
                _serve(device, stopped)
            os._exit(0)
        # The connection ends with the last descriptor of it.
        os.close(device)
        os.close(stopped)
        os.read(self.heard, 1)

    def stop_answering(self):
        """From now on requests are taken and forgotten."""
        os.kill(self.pid, signal.SIGUSR1)
        os.read(self.heard, 1)

    def end(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.heard)
        LIBC.umount2(self.point.encode(), MNT_DETACH)
