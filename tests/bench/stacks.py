# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""What stacks cost: stacks.py [PAIRS [NAME…]].

Both sides run on one processor, one after the other, with everything written to files; what is
printed is the median of the ratios of processor time with the smallest and the largest: on one
processor that is the time it takes, without that of other programs. Needs a build without
sanitizers (TRACER names it), gcc, and debug files of the C library for lines.

  first     with an empty cache, divided by strace without stacks
  second    the same once more, with what the first run left in the cache
  -k / -k   second, divided by strace -k (which shows no lines)
  threads   calls seen in 5 s of 300 threads that never sleep, divided by those of strace -k,
            and the memory it takes
  maps      a process with 5,000 more mappings, divided by one without
  flat      memory and open files of the tracer while it takes a million stacks, and while
            10,000 processes come and go: at a quarter of the time, and at its end
"""

import os
import pathlib
import resource
import signal
import subprocess
import tempfile
import time

import measure
from measure import HELLO, TRACER, dd, show

ONE_PROCESSOR = ["taskset", "-c", "0"]
SECONDS = 5

STAT = "import os\nfor i in range(20000): os.stat('/etc/passwd')"
THREADS = r"""
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static void *call(void *unused)
{
	for (;;)
		syscall(SYS_getppid);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	for (int i = 1; i < atoi(argv[argc - 1]); i++)
		pthread_create(&thread, NULL, call, NULL);
	call(NULL);
}
"""
MAPS = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static int is_traced(void)
{
	char text[4096] = "";
	FILE *file = fopen("/proc/self/status", "r");

	fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	return !strstr(text, "TracerPid:\t0");
}

int main(int argc, char **argv)
{
	// Neighbours differ, or the kernel makes one of them.
	for (int i = 0; i < atoi(argv[argc - 1]); i++)
		mmap(NULL, 4096, i % 2 ? PROT_READ : PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	puts("ready");
	fflush(stdout);
	while (!is_traced())
		usleep(1000);
	for (int i = 0; i < 50000; i++) {
		// As a program that loads something now and then.
		if (i % 1000 == 0)
			munmap(mmap(NULL, 4096, PROT_READ | PROT_EXEC,
				       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
				4096);
		syscall(SYS_getppid);
	}
}
"""

PROCESSES = r"""
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	for (int i = 0; i < atoi(argv[argc - 1]); i++) {
		if (!fork()) {
			execl("/bin/true", "true", (char *)NULL);
			_exit(1);
		}
		wait(NULL);
	}
}
"""

# name: (options of both, command)
RUNS = {
    "dd bs=1": ([], dd(20000)),
    "python stat": ([], ["/usr/bin/python3", "-c", STAT]),
    "gcc -f": (["-f"], ["gcc", "-c", "hello.c"]),
}


def processor_time():
    """Of all children that were waited for, and theirs."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(command, folder):
    start = processor_time()
    subprocess.run(
        [*ONE_PROCESSOR, *command],
        cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, check=True,
    )  # fmt: skip
    return processor_time() - start


def traced(tracer, options, command, folder):
    return run([tracer, "-o", "trace", *options, *command], folder)


def compare(name, pairs, folder):
    options, command = RUNS[name]
    ratios = {"first": [], "second": []}
    for i in range(pairs):
        os.environ["XDG_CACHE_HOME"] = str(pathlib.Path(folder) / f"cache-{name}-{i}")
        for when, list_of in ratios.items():
            alone = traced("strace", options, command, folder)
            list_of.append(traced(TRACER, ["-k", *options], command, folder) / alone)
    for when, list_of in ratios.items():
        show(f"{name}, {when}", list_of)
    # strace needs milliseconds for each stack.
    if name.startswith("dd"):
        command = dd(2000)
        show(f"{name}, -k / -k", [
            traced(TRACER, ["-k", *options], command, folder)
            / traced("strace", ["-k", *options], command, folder)
            for _ in range(pairs)
        ])  # fmt: skip


def build(name, source, folder):
    path = pathlib.Path(folder) / name
    subprocess.run(
        ["gcc", "-O1", "-g", "-pthread", "-o", path, "-x", "c", "-"],
        input=source, text=True, check=True,
    )  # fmt: skip
    return str(path)


def calls_seen(tracer, program, folder):
    """Calls that @tracer writes in SECONDS, and its memory in MiB."""
    target = subprocess.Popen([program, "300"])
    time.sleep(0.5)
    trace = pathlib.Path(folder) / "trace"
    process = subprocess.Popen(
        [tracer, "-f", "-k", "-o", trace, "-p", str(target.pid)],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    time.sleep(SECONDS)
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    process.send_signal(signal.SIGINT)
    target.kill()
    target.wait()
    process.wait()
    memory = next(int(line.split()[1]) for line in status.splitlines() if "VmRSS" in line)
    with trace.open(errors="replace") as lines:
        return sum("getppid(" in line for line in lines), memory // 1024


def compare_threads(pairs, folder):
    program = build("threads", THREADS, folder)
    ratios = []
    for _ in range(pairs):
        ours, memory = calls_seen(TRACER, program, folder)
        theirs, their_memory = calls_seen("strace", program, folder)
        ratios.append(ours / max(theirs, 1))
    show("threads", ratios, f"{memory} MiB, strace {their_memory} MiB")


def attached(program, count, folder):
    target = subprocess.Popen(
        [*ONE_PROCESSOR, program, count], stdout=subprocess.PIPE, text=True
    )
    target.stdout.readline()
    spent = run([TRACER, "-k", "-e", "trace=getppid", "-o", "trace", "-p", str(target.pid)], folder)
    target.wait()
    return spent


def compare_maps(pairs, folder):
    program = build("maps", MAPS, folder)
    show("maps", [
        attached(program, "5000", folder) / attached(program, "0", folder) for _ in range(pairs)
    ])  # fmt: skip


def watch(command, folder):
    """Memory in KiB and open files of the tracer of @command, every half second."""
    process = subprocess.Popen(
        [TRACER, "-f", "-k", "--no-cache", "-o", "/dev/null", *command],
        cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    seen = []
    while process.poll() is None:
        time.sleep(0.5)
        try:
            status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
            memory = [line.split()[1] for line in status.splitlines() if "VmRSS" in line]
            if memory:
                seen.append((int(memory[0]), len(os.listdir(f"/proc/{process.pid}/fd"))))
        except OSError:
            break
    process.wait()
    return seen


def show_flat(folder):
    for name, command in (
        ("a million stacks", dd(500000)),
        ("10,000 processes", [build("processes", PROCESSES, folder), "10000"]),
    ):
        seen = watch(command, folder)
        print(f"{'flat, ' + name:28} {seen[len(seen) // 4]} {seen[-1]} (KiB, files)", flush=True)


def main():
    pairs, names = measure.arguments()
    names = names or [*RUNS, "threads", "maps", "flat"]
    measure.head()
    with tempfile.TemporaryDirectory(prefix="tracer-bench-") as folder:
        (pathlib.Path(folder) / "hello.c").write_text(HELLO)
        for name in names:
            if name == "threads":
                compare_threads(pairs, folder)
            elif name == "maps":
                compare_maps(pairs, folder)
            elif name == "flat":
                show_flat(folder)
            else:
                compare(name, pairs, folder)


main()
