# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""What the scripts in this folder share: the program, pairs of runs, and lines of ratios."""

import contextlib
import os
import pathlib
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TRACER = os.environ.get("TRACER", str(ROOT / "build/tracer"))

HELLO = '#include <stdio.h>\nint main(void) { puts("hello"); }\n'


def dd(count):
    return ["dd", "if=/dev/zero", "of=/dev/null", "bs=1", f"count={count}"]


def arguments():
    """How many pairs, and the names of the rows: all if there are none."""
    if not os.access(TRACER, os.X_OK):
        sys.exit(f"{TRACER} is not built: run tools/run -V")
    return int(sys.argv[1]) if len(sys.argv) > 1 else 5, sys.argv[2:]


@contextlib.contextmanager
def busy_loops(count):
    loops = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def seconds(words, folder):
    start = time.monotonic()
    subprocess.run(
        words, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, check=True, timeout=900
    )
    return time.monotonic() - start


def head(name="", note=""):
    print(f"{name:28} {'median':>8} {'least':>8} {'most':>8} {note}", flush=True)


def show(name, ratios, note="", digits=2):
    columns = [statistics.median(ratios), min(ratios), max(ratios)]
    print(f"{name:28}", *(f"{ratio:8.{digits}f}" for ratio in columns), note, flush=True)


def compare(name, pairs, other, ours, note="", digits=2):
    """Runs both PAIRS times, one after the other; shows the ratios, and how long @other takes."""
    ratios, times = [], []
    for _ in range(pairs):
        times.append(other())
        ratios.append(ours() / times[-1])
    show(name, ratios, f"{note}{statistics.median(times):8.3f}s", digits)
