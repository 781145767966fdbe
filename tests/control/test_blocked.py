# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Output that nobody reads: the tracer waits, but can be asked to end, and nobody stays stopped."""

import contextlib
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import tap  # noqa: E402
import tracing  # noqa: E402

# Each round adds a byte to a file, with some calls.
COMMAND = ["sh", "-c", "trap '' INT; while [ -e go ]; do echo -n x >> rounds; done; exit 5"]
WAYS = {
    "without a filter": ["--seccomp-bpf=off"],
    "all tasks": ["-f", "--seccomp-bpf=off"],
    "stacks": ["-f", "-k", "--seccomp-bpf=off"],
    "a filter": ["-f", "--seccomp-bpf=on"],
    "a filter, some calls": ["--seccomp-bpf=on", "-e", "trace=openat,write"],
}


def writes(pid):
    """Whether a task or a child of its is blocked in writev(), number 20."""
    children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    for tid in [pid] + [int(child) for child in children.split()]:
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            if pathlib.Path(f"/proc/{tid}/syscall").read_text(encoding="ascii").startswith("20 "):
                return True
    return False


def rounds(folder):
    try:
        return os.path.getsize(os.path.join(folder, "rounds"))
    except FileNotFoundError:
        return 0


@contextlib.contextmanager
def blocked(options):
    """A tracer that waits for the reader of its trace: process, reading end, folder."""
    with tempfile.TemporaryDirectory(prefix="tracer-test-") as folder:
        go = pathlib.Path(folder, "go")
        fifo = os.path.join(folder, "fifo")
        go.touch()
        os.mkfifo(fifo)
        reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
        with subprocess.Popen(
            tracing.tracer() + ["-o", "fifo"] + options + COMMAND,
            cwd=folder, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        ) as process:  # fmt: skip
            try:
                tracing.wait_until(lambda: writes(process.pid), "the tracer waits for a reader")
                yield process, reader, folder
            finally:
                go.unlink()
                os.close(reader)
                process.kill()


def wait_for_rounds(folder):
    count = rounds(folder)
    tracing.wait_until(lambda: rounds(folder) > count + 2, "the command runs")


def check_two_signals(way, first, second):
    with blocked(WAYS[way]) as (process, _, folder):
        process.send_signal(first)
        # SIGTERM may be for the command too, and end it.
        runs_on = first == signal.SIGINT
        if runs_on:
            wait_for_rounds(folder)
        assert process.poll() is None, (way, "one signal is not enough")
        tracing.wait_until(
            lambda: process.poll() is not None or process.send_signal(second),
            "the tracer ends",
        )
        assert process.returncode == -second, (way, process.returncode)
        if runs_on:
            wait_for_rounds(folder)


def test_a_first_signal_lets_all_tasks_go_and_a_second_one_ends_us():
    for way in WAYS:
        check_two_signals(way, signal.SIGINT, signal.SIGTERM)
        check_two_signals(way, signal.SIGTERM, signal.SIGTERM)


def test_what_was_traced_before_the_signal_is_written_when_somebody_reads():
    for way, options in WAYS.items():
        with blocked(options) as (process, reader, folder):
            process.send_signal(signal.SIGINT)
            wait_for_rounds(folder)
            os.set_blocking(reader, True)
            trace = b"".join(iter(lambda: os.read(reader, 1 << 16), b""))
            lines = trace.splitlines()
            assert re.search(rb"\b(execve|openat)\(", lines[0]), (way, lines[0])
            assert trace.endswith(b"\n"), (way, lines[-1])
            assert process.wait(timeout=tracing.PATIENCE) == -signal.SIGINT, way


tap.run(globals())
