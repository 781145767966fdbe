# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""What a stop costs: stops.py [PAIRS [NAME…]]. The rows of doc/performance.md.

Tracer and yardstick run in turn, as a user types them, nothing pinned; the ratio is taken pair
by pair, because times drift from minute to minute, and the median is what counts. The
yardstick is strace with the same options, or the command without any tracer ("native").
"""

import os
import pathlib
import tempfile

import measure
from measure import TRACER, dd

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


def commands(row):
    """The words of the tracer and of the yardstick."""
    options, command, yardstick, _ = row
    pin = ["taskset", "-c", "0"] if "one CPU" in yardstick else []
    ours = pin + [TRACER, "-o", "trace"] + options + command
    if yardstick == "native":
        return ours, command
    return ours, pin + ["strace", "-o", "trace.strace"] + options + command


def compare(name, row, pairs, folder):
    ours, yardstick = commands(row)
    measure.compare(
        name, pairs,
        lambda: measure.seconds(yardstick, folder),
        lambda: measure.seconds(ours, folder),
        note=f"{row[3]:6} {row[2]:>15} ", digits=3,
    )  # fmt: skip


def write_project(folder):
    for i in range(UNITS):
        text = SOURCE.replace("NAME", f"unit{i}")
        pathlib.Path(folder, f"unit{i}.c").write_text(text, encoding="utf-8")
    objects = " ".join(f"unit{i}.o" for i in range(UNITS))
    make = f"CFLAGS = -O2\nall: {objects}\n"
    pathlib.Path(folder, "Makefile").write_text(make, encoding="utf-8")


def main():
    pairs, names = measure.arguments()
    load = " ".join(pathlib.Path("/proc/loadavg").read_text(encoding="utf-8").split()[:3])
    print(f"load before: {load}, {os.cpu_count()} CPUs, {pairs} pairs")
    measure.head(note=f"{'goal':>6} {'yardstick':>15}")
    with tempfile.TemporaryDirectory(prefix="tracer-bench-") as folder:
        write_project(folder)
        for name in names or ROWS:
            with measure.busy_loops(2 if "busy" in name else 0):
                compare(name, ROWS[name], pairs, folder)


main()
