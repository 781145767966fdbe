# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Descriptors on a file system that does not answer: they are named, and nobody waits for it."""

import contextlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import fuse_server  # noqa: E402
import namespaces  # noqa: E402
import requires  # noqa: E402
import tap  # noqa: E402

TRACER = os.environ["TRACER"]
INSIDE = "TEST_DEAD_MOUNT_INSIDE"
# Only ends a hang.
LIMIT = 60


@contextlib.contextmanager
def dead_file():
    """(folder, descriptor): of a file whose server has stopped to answer."""
    with tempfile.TemporaryDirectory() as folder:
        point = pathlib.Path(folder) / "mount"
        point.mkdir()
        server = fuse_server.Server(point)
        descriptor = None
        try:
            descriptor = os.open(point / "file", os.O_RDONLY)
            # The server does not want to hear of closing, and the kernel remembers that.
            os.close(os.open(point / "file", os.O_RDONLY))
            server.stop_answering()
            yield folder, descriptor
        finally:
            server.end()
            if descriptor is not None:
                os.close(descriptor)


def trace(folder, descriptor, *options):
    out = pathlib.Path(folder) / "out"
    command = [TRACER, "-o", str(out), *options, "/bin/sh", "-c", f"true <&{descriptor}"]
    tracer = subprocess.Popen(command, pass_fds=[descriptor])
    try:
        assert tracer.wait(LIMIT) == 0
    finally:
        tracer.kill()
    return out.read_text(encoding="utf-8")


def check_named(options):
    with dead_file() as (folder, descriptor):
        text = trace(folder, descriptor, *options)
        assert re.search(rf"dup2\({descriptor}<{folder}/mount/file>, 0\)", text), text


def test_descriptors_are_named():
    check_named(["-y", "-e", "trace=dup2"])


def test_nothing_else_is_asked_about_them():
    check_named(["-yy", "-e", "trace=dup2"])


def test_descriptors_are_named_without_a_filter():
    check_named(["-y", "--seccomp-bpf=off", "-e", "trace=dup2"])


def test_paths_elsewhere_are_looked_for():
    with dead_file() as (folder, descriptor):
        text = trace(folder, descriptor, "--seccomp-bpf=off", "-P", "/etc/passwd")
        assert "dup2" not in text, text


def main():
    if INSIDE in os.environ:
        tap.run(globals())
        return
    try:
        requires.require(["root", "file:/dev/fuse"])
        words = [*namespaces.own_mounts(), sys.executable, __file__, *sys.argv[1:]]
    except tap.Skip as skip:
        print(f"1..0 # SKIP {skip}")
        return
    sys.exit(subprocess.run(words, env={**os.environ, INSIDE: "1"}, check=False).returncode)


main()
