# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""The program `counter` as something to attach to, to look at and to end."""

import contextlib
import os
import subprocess
import tempfile

import tracing

ENDED = 5


class Target:
    """A running counter; `pid` is its process, whoever is its parent."""

    def __init__(self, process, pid):
        self.process = process
        self.pid = pid

    def ask(self):
        """The sum so far: an answer shows that the main thread runs."""
        self.process.stdin.write(b"?")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())

    def expect_running(self):
        """All threads run, nobody traces them, and they count."""
        tids = os.listdir(f"/proc/{self.pid}/task")
        for tid in tids:
            assert tracing.tracer_pid(tid) == 0, f"thread {tid} is still traced"
        letters = tracing.states(self.pid)
        stopped = {tid: letter for tid, letter in letters.items() if letter in "tT"}
        assert not stopped, f"stopped threads: {stopped}"
        first = self.ask()
        tracing.wait_until(lambda: self.ask() > first, "the threads go on counting")

    def end(self):
        """Ends it as a user would; returns its exit status."""
        self.process.stdin.close()
        status = self.process.wait(tracing.PATIENCE)
        self.process.stdout.close()
        return status


def spawn(command):
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


@contextlib.contextmanager
def running(threads=3):
    """A counter without a tracer."""
    process = spawn([tracing.program("counter"), str(threads)])
    try:
        assert process.stdout.readline() == b"ready\n"
        yield Target(process, process.pid)
    finally:
        process.kill()
        process.wait()


class Tracer:
    """A tracer in the background, with its trace in a file."""

    def __init__(self, process, path):
        self.process = process
        self.path = path

    def lines(self):
        with open(self.path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read().splitlines()

    def wait_for(self, text):
        tracing.wait_until(lambda: any(text in line for line in self.lines()), f"trace has {text}")

    def wait(self):
        status = self.process.wait(tracing.PATIENCE)
        assert status != tracing.SANITIZER_STATUS, "a sanitizer found a bug, see above"
        return status


@contextlib.contextmanager
def tracing_in_background(options, **streams):
    with tempfile.TemporaryDirectory(prefix="tracer-control-") as folder:
        path = os.path.join(folder, "trace")
        open(path, "w", encoding="utf-8").close()
        where = [] if "stderr" in streams else ["-o", path]
        process = subprocess.Popen(tracing.tracer() + where + options, **streams)
        try:
            yield Tracer(process, path)
        finally:
            process.kill()
            process.wait()
