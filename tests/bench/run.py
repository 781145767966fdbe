# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""What tracing costs compared with strace and perf, in the same run: run.py [PAIRS].

Times drift from machine to machine and from minute to minute, so each pair runs both tracers
one after the other and only the median of the ratios is printed, with the smallest and the
largest. Build with tools/run: a build with sanitizers says nothing.
"""

import os
import pathlib
import shutil
import tempfile

import measure
from measure import HELLO, ROOT, TRACER, compare, dd

STAT = "import os\nfor i in range(5000): os.stat('/etc/passwd')"

# name: (options of both, command)
RUNS = {
    "dd bs=1": ([], dd(10000)),
    "dd bs=1, -P elsewhere": (["-P", "/nonexistent"], dd(10000)),
    "python stat": ([], ["/usr/bin/python3", "-c", STAT]),
    "python stat, -k": (["-k"], ["/usr/bin/python3", "-c", STAT]),
    "gcc -f": (["-f"], ["gcc", "-O2", "-c", "hello.c"]),
    "gcc -f -k": (["-f", "-k"], ["gcc", "-O2", "-c", "hello.c"]),
}


# perf loses most faults when it takes stacks; the time it needs for that is the measure.
PROGRAMS = pathlib.Path(os.environ.get("TEST_PROGRAMS", str(ROOT / "build/tests/programs")))
FAULTS = [str(PROGRAMS / "faults"), "touch:20000"]
FAULT_RUNS = {
    "20000 faults": (["--pf=all", "--no-syscalls"], []),
    "20000 faults, dwarf": (["--pf=all", "--no-syscalls", "-k"], ["--call-graph", "dwarf,16384"]),
}

# Without stopping: what perf trace needs for the same calls is the measure.
CALLS = dd(20000)
OBSERVE_RUNS = {
    "observed dd bs=1": ([], []),
    "observed dd bs=1, -c": (["-c"], ["-s"]),
}


def seconds(tracer, options, command, folder):
    return measure.seconds([*tracer, "-o", "trace", *options, *command], folder)


def head(other):
    measure.head("tracer / " + other, f"{other:>9}")


def main():
    pairs, _ = measure.arguments()
    with tempfile.TemporaryDirectory(prefix="tracer-bench-") as folder:
        (pathlib.Path(folder) / "hello.c").write_text(HELLO)
        head("strace")
        for name, (options, command) in RUNS.items():
            compare(
                name, pairs,
                lambda o=options, c=command: seconds(["strace"], o, c, folder),
                lambda o=options, c=command: seconds([TRACER], o, c, folder),
            )  # fmt: skip
        if not shutil.which("perf") or not os.access(FAULTS[0], os.X_OK):
            print("page faults: perf is not installed, or the test programs are not built")
            return
        head("perf")
        for name, (options, theirs) in FAULT_RUNS.items():
            theirs = ["-F", "all", "--no-syscalls", *theirs]
            compare(
                name, pairs,
                lambda o=theirs: seconds(["perf", "trace"], o, FAULTS, folder),
                lambda o=options: seconds([TRACER], o, FAULTS, folder),
            )  # fmt: skip
        head("perf trace")
        for name, (options, theirs) in OBSERVE_RUNS.items():
            compare(
                name, pairs,
                lambda o=theirs: seconds(["perf", "trace"], o, CALLS, folder),
                lambda o=options: seconds([TRACER, "--observe"], o, CALLS, folder),
            )  # fmt: skip


main()
