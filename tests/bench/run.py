# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""What tracing costs compared with strace, in the same run: run.py [PAIRS].

Times drift from machine to machine and from minute to minute, so each pair runs both tracers
one after the other and only the median of the ratios is printed, with the smallest and the
largest. Build with tools/run: a build with sanitizers says nothing.
"""

import os
import pathlib
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


def seconds(tracer, options, command, folder):
    start = time.monotonic()
    subprocess.run(
        [tracer, "-o", "trace", *options, *command],
        cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, check=True,
    )  # fmt: skip
    return time.monotonic() - start


def main():
    if not os.access(TRACER, os.X_OK):
        sys.exit(f"{TRACER} is not built: run tools/run -V")
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    print(f"{'tracer / strace':24} {'median':>7} {'least':>7} {'most':>7} {'strace':>9}")
    with tempfile.TemporaryDirectory(prefix="tracer-bench-") as folder:
        (pathlib.Path(folder) / "hello.c").write_text(HELLO)
        for name, (options, command) in RUNS.items():
            ratios, times = [], []
            for _ in range(pairs):
                times.append(seconds("strace", options, command, folder))
                ratios.append(seconds(TRACER, options, command, folder) / times[-1])
            print(
                f"{name:24} {statistics.median(ratios):7.2f} {min(ratios):7.2f}"
                f" {max(ratios):7.2f} {statistics.median(times):8.2f}s",
                flush=True,
            )


main()
