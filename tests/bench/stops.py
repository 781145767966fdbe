# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""What a stop costs: stops.py [PAIRS [NAME…]]. The rows of doc/performance.md.

Tracer and yardstick run in turn, as a user types them, nothing pinned; the ratio is taken pair
by pair, because times drift from minute to minute, and the median is what counts. The
yardstick is strace with the same options, or the command without any tracer ("native").
"""

import contextlib
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TRACER = os.environ.get("TRACER", str(ROOT / "build/tracer"))

SOURCE = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
static int compare(const void *a, const void *b) { return strcmp(a, b); }
int NAME(int n, char *p)
{
	for (int i = 0; i < n; i++)
		p[i] = (char)(sin(i) * 100);
	qsort(p, n / 8, 8, compare);
	return printf("%s\\n", p);
}
"""
UNITS = 24


def dd(count):
    return ["dd", "if=/dev/zero", "of=/dev/null", "bs=1", f"count={count}"]


LOOP = "i=0; while [ $i -lt 1000 ]; do /bin/true; i=$((i+1)); done"
# name: (options, command, yardstick, goal)
ROWS = {
    "dd, all calls": ([], dd(20000), "strace", 0.2),
    "dd, two busy loops beside": ([], dd(20000), "strace", 1.0),
    "gcc -O2 -c, -f": (["-f"], ["gcc", "-O2", "-c", "unit0.c"], "strace", 0.5),
    "make -j2, -f": (["-f"], ["make", "-s", "-B", "-j2"], "strace", 0.7),
    "dd, -P /etc/nothing": (["-P", "/etc/nothing"], dd(20000), "strace", 0.02),
    "dd x 50, -P /etc/nothing": (["-P", "/etc/nothing"], dd(1000000), "native", 1.3),
    "find /usr, -P -k": (
        ["-k", "-P", "/usr/lib/debug"], ["find", "/usr", "-type", "f"], "strace", 0.1),
    "find /usr, -P -k, native": (
        ["-k", "-P", "/usr/lib/debug"], ["find", "/usr", "-type", "f"], "native", 3),
    "dd, all on one CPU": ([], dd(20000), "strace one CPU", 0.75),
    "1000 processes, -f -c": (["-f", "-c"], ["sh", "-c", LOOP], "strace", 0.5),
    "1000 processes, -f": (["-f"], ["sh", "-c", LOOP], "strace", 0.5),
}  # fmt: skip


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


def commands(row):
    """The words of the tracer and of the yardstick."""
    options, command, yardstick, _ = row
    pin = ["taskset", "-c", "0"] if "one CPU" in yardstick else []
    ours = pin + [TRACER, "-o", "trace"] + options + command
    if yardstick == "native":
        return ours, command
    return ours, pin + ["strace", "-o", "trace.strace"] + options + command


def measure(name, row, pairs, folder):
    ours, yardstick = commands(row)
    ratios, times = [], []
    for _ in range(pairs):
        times.append(seconds(yardstick, folder))
        ratios.append(seconds(ours, folder) / times[-1])
    print(
        f"{name:26} {statistics.median(ratios):8.3f} {min(ratios):8.3f} {max(ratios):8.3f}"
        f" {row[3]:6} {row[2]:>15} {statistics.median(times):8.3f}s",
        flush=True,
    )


def write_project(folder):
    for i in range(UNITS):
        text = SOURCE.replace("NAME", f"unit{i}")
        pathlib.Path(folder, f"unit{i}.c").write_text(text, encoding="utf-8")
    objects = " ".join(f"unit{i}.o" for i in range(UNITS))
    make = f"CFLAGS = -O2\nall: {objects}\n"
    pathlib.Path(folder, "Makefile").write_text(make, encoding="utf-8")


def main():
    if not os.access(TRACER, os.X_OK):
        sys.exit(f"{TRACER} is not built: run tools/run -V")
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    load = " ".join(pathlib.Path("/proc/loadavg").read_text(encoding="utf-8").split()[:3])
    print(f"load before: {load}, {os.cpu_count()} CPUs, {pairs} pairs")
    print(f"{'':26} {'median':>8} {'least':>8} {'most':>8} {'goal':>6} {'yardstick':>15}")
    with tempfile.TemporaryDirectory(prefix="tracer-bench-") as folder:
        write_project(folder)
        for name in sys.argv[2:] or ROWS:
            with busy_loops(2 if "busy" in name else 0):
                measure(name, ROWS[name], pairs, folder)


main()
