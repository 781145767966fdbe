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
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TRACER = os.environ.get("TRACER", str(ROOT / "build/tracer"))

STAT = "import os\nfor i in range(5000): os.stat('/etc/passwd')"
HELLO = '#include <stdio.h>\nint main(void) { puts("hello"); }\n'

# name: (options of both, command)
RUNS = {
    "dd bs=1": ([], ["dd", "if=/dev/zero", "of=/dev/null", "bs=1", "count=10000"]),
    "dd bs=1, -P elsewhere": (
        ["-P", "/nonexistent"],
        ["dd", "if=/dev/zero", "of=/dev/null", "bs=1", "count=10000"],
    ),
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
CALLS = ["dd", "if=/dev/zero", "of=/dev/null", "bs=1", "count=20000"]
OBSERVE_RUNS = {
    "observed dd bs=1": ([], []),
    "observed dd bs=1, -c": (["-c"], ["-s"]),
}


def seconds(tracer, options, command, folder):
    start = time.monotonic()
    subprocess.run(
        [*tracer, "-o", "trace", *options, *command],
        cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, check=True,
    )  # fmt: skip
    return time.monotonic() - start


def compare(name, pairs, other, ours):
    """Runs both PAIRS times, one after the other, and prints the ratios of their times."""
    ratios, times = [], []
    for _ in range(pairs):
        times.append(other())
        ratios.append(ours() / times[-1])
    print(
        f"{name:24} {statistics.median(ratios):7.2f} {min(ratios):7.2f}"
        f" {max(ratios):7.2f} {statistics.median(times):8.2f}s",
        flush=True,
    )


def head(other):
    print(f"{'tracer / ' + other:24} {'median':>7} {'least':>7} {'most':>7} {other:>9}")


def main():
    if not os.access(TRACER, os.X_OK):
        sys.exit(f"{TRACER} is not built: run tools/run -V")
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
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
