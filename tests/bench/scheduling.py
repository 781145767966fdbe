# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""What --scheduling=auto does compared with off: scheduling.py [PAIRS [NAME…]].

It must never take more than 1.1 times as long. Each pair runs both, one after the other, in the
same situation; what is printed is the median of the ratios of their times, the smallest and
the largest, and the median time without (off). Needs gcc, and root for a limited group
of processes and for a tracer without privileges.
"""

import contextlib
import os
import pathlib
import subprocess
import tempfile

import measure
from measure import TRACER, dd

LIMITED = pathlib.Path("/sys/fs/cgroup/cpu/tracer-bench")

# Some threads make calls, others compute as long as these do.
THREADS = r"""
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int callers;
static int calls, pause_us;

static void *call(void *unused)
{
	for (int i = 0; i < calls; i++) {
		syscall(SYS_getppid);
		if (pause_us)
			usleep(pause_us);
	}
	callers--;
	return unused;
}

static void *compute(void *unused)
{
	while (callers)
		;
	return unused;
}

int main(int argc, char **argv)
{
	int count = atoi(argv[1]), computing = atoi(argv[2]);
	pthread_t threads[256];

	calls = atoi(argv[3]);
	pause_us = atoi(argv[4]);
	callers = count;
	for (int i = 0; i < count + computing; i++)
		pthread_create(&threads[i], NULL, i < count ? call : compute, NULL);
	for (int i = 0; i < count + computing; i++)
		pthread_join(threads[i], NULL);
}
"""

PIPE = "dd if=/dev/zero bs=1 count=10000 | dd of=/dev/null bs=1"
LOOP = "i=0; while [ $i -lt 300 ]; do /bin/true; i=$((i+1)); done"
UNPRIVILEGED = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
LIMIT = ["sh", "-c", f'echo $$ >{LIMITED}/tasks; exec "$@"', "limit"]


def threads(count, computing, calls, pause_us=0):
    return ["./threads", str(count), str(computing), str(calls), str(pause_us)]


# name: (words before the tracer, busy loops beside, command)
ROWS = {
    "dd": ([], 0, dd(20000)),
    "dd, one loop beside": ([], 1, dd(20000)),
    "dd, two loops beside": ([], 2, dd(20000)),
    "dd, four loops beside": ([], 4, dd(20000)),
    "dd, unprivileged": (UNPRIVILEGED, 0, dd(20000)),
    "dd, unprivileged, two loops": (UNPRIVILEGED, 2, dd(20000)),
    "dd, half a CPU allowed": (LIMIT, 0, dd(20000)),
    "dd into dd": ([], 0, ["sh", "-c", PIPE]),
    "300 processes": ([], 0, ["sh", "-c", LOOP]),
    "300 processes, two loops": ([], 2, ["sh", "-c", LOOP]),
    "two threads call": ([], 0, threads(2, 0, 20000)),
    "16 threads call": ([], 0, threads(16, 0, 2000)),
    "one calls, one computes": ([], 0, threads(1, 1, 20000)),
    "one calls, two compute": ([], 0, threads(1, 2, 20000)),
    "two call, two compute": ([], 0, threads(2, 2, 10000)),
    "calls and sleeps": ([], 0, threads(1, 0, 2000, 100)),
    "four call and sleep": ([], 0, threads(4, 0, 1000, 100)),
}


@contextlib.contextmanager
def limited_group():
    """Yields whether processes can be limited to half a CPU."""
    try:
        LIMITED.mkdir()
        (LIMITED / "cpu.cfs_period_us").write_text("10000", encoding="ascii")
        (LIMITED / "cpu.cfs_quota_us").write_text("5000", encoding="ascii")
    except OSError:
        yield False
        return
    try:
        yield True
    finally:
        LIMITED.rmdir()


def seconds(prefix, choice, command, folder):
    tracer = [TRACER, f"--scheduling={choice}", "-f", "-o", "/dev/null"]
    return measure.seconds([*prefix, *tracer, *command], folder)


def compare(name, pairs, folder):
    prefix, loops, command = ROWS[name]
    with measure.busy_loops(loops):
        measure.compare(
            name, pairs,
            lambda: seconds(prefix, "off", command, folder),
            lambda: seconds(prefix, "auto", command, folder),
        )  # fmt: skip


def main():
    pairs, names = measure.arguments()
    measure.head(note=f"{'off':>9}")
    with tempfile.TemporaryDirectory(prefix="tracer-bench-") as folder, limited_group() as limits:
        os.chmod(folder, 0o755)
        pathlib.Path(folder, "threads.c").write_text(THREADS, encoding="ascii")
        subprocess.run(
            ["gcc", "-O2", "-pthread", "-o", "threads", "threads.c"], cwd=folder, check=True
        )
        for name in names or ROWS:
            prefix = ROWS[name][0]
            if (prefix and os.geteuid() != 0) or (prefix is LIMIT and not limits):
                print(f"{name:28} not measured: needs root and cgroup v1's cpu controller")
            else:
                compare(name, pairs, folder)


main()
