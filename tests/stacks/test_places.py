# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Which file a frame is said to be in, and where in it: as it is mapped there and then.

The environment gives TRACER and STACKS, the folder of the programs.
"""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import tap  # noqa: E402
import tracing  # noqa: E402
from tap import Skip  # noqa: E402

# Calls through a library that another thread has just put where the one before was. The file is
# the same one with other contents, or another one.
RELOAD_SOURCE = """
#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>
#include <stdlib.h>
static void *library;
static const char *path;
static void (*function)(void (*)(void));
static void *reload(void *command)
{
	if (library)
		dlclose(library);
	if (command && system(command))
		exit(2);
	library = dlopen(path, RTLD_NOW);
	if (!library)
		exit(3);
	*(void **)&function = dlsym(library, "outer");
	return NULL;
}
static void call(void) { (void)getppid(); }
int main(int count, char **words)
{
	const void *first = NULL;
	for (int i = 1; i + 1 < count; i += 2) {
		pthread_t thread;
		path = words[i];
		pthread_create(&thread, NULL, reload, *words[i + 1] ? words[i + 1] : NULL);
		pthread_join(thread, NULL);
		if (first && first != (const void *)function)
			return 77;
		first = (const void *)function;
		function(call);
	}
	return 0;
}
"""
LIBRARY_SOURCE = """
__attribute__((noinline)) static void NAME(void (*f)(void)) { f(); __asm__(""); }
void outer(void (*f)(void)) { NAME(f); __asm__(""); }
"""
AGAIN_SOURCE = """
#include <unistd.h>
__attribute__((noinline)) static void work(void) { (void)getppid(); __asm__(""); }
int main(int count, char **words)
{
	work();
	if (count > 1)
		execl(words[1], words[1], (char *)0);
	return 0;
}
"""
# Jumps to data: in the file, in a file that is no program, and to nothing at all.
JUMP_SOURCE = """
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
static jmp_buf back;
int data_symbol = 1;
static void handler(int n) { (void)getppid(); siglongjmp(back, n); }
__attribute__((noinline)) static void jump(void *to) { ((void (*)(void))to)(); __asm__(""); }
static void try(void *to)
{
	if (!sigsetjmp(back, 1))
		jump(to);
}
int main(int count, char **words)
{
	int file = open(words[count - 1], O_RDONLY);
	struct sigaction action = {.sa_handler = handler};
	char *mapped, *gone, *late;
	sigaction(SIGSEGV, &action, 0);
	(void)getppid();
	mapped = mmap(0, 8192, PROT_READ, MAP_PRIVATE, file, 4096);
	gone = mmap(0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	munmap(gone, 4096);
	try(&data_symbol);
	try(mapped + 0x123);
	try(gone);
	// The same address again, where something is by now.
	late = mmap(gone, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	try(late);
	late = mmap(gone, 4096, PROT_READ, MAP_PRIVATE | MAP_FIXED, file, 4096);
	try(late + 0x45);
	return 0;
}
"""


def build(path, source, *flags):
    if not shutil.which("cc"):
        raise Skip("cc is missing")
    source_path = path.with_suffix(".c")
    source_path.write_text(source)
    subprocess.run(["cc", "-O1", "-g", *flags, "-o", path, source_path], check=True)
    return str(path)


def frames(options, command, name, status=0):
    done, events = tracing.run_json(options + ["-e", f"trace={name}"], command)
    if done.returncode == 77:
        raise Skip("the library came to another address")
    assert done.returncode == status, done
    return [event["stack"] for event in events if event.get("name") == name]


def has(frame, module, function):
    return frame.get("module") == module and frame.get("function") == function


def reloaded(options, first, second, command):
    with tempfile.TemporaryDirectory() as folder:
        at = pathlib.Path(folder)
        program = build(at / "reload", RELOAD_SOURCE, "-pthread")
        paths = [build(at / f"{name}.so", LIBRARY_SOURCE, f"-DNAME={name}_inner", "-fPIC",
                       "-shared", "-Wl,--build-id") for name in ("la", "lb")]
        expected = {"la": paths[0], "lb": paths[1], "same": paths[0]}
        found = frames(options + ["-k"], [program, paths[0], "", expected[second],
                                          command.format(*paths)], "getppid")
    assert len(found) == 2, found
    for stack, path, name in ((found[0], paths[0], "la_inner"),
                              (found[1], expected[second], "lb_inner")):
        inner = [frame for frame in stack if has(frame, path, name)]
        assert len(inner) == 1, (path, name, stack)
    assert first == "la"


def test_a_thread_that_is_not_traced_loads_another_library():
    reloaded([], "la", "lb", "")
    reloaded(["--seccomp-bpf=off"], "la", "lb", "")
    reloaded(["-f"], "la", "lb", "")


def test_a_thread_that_is_not_traced_loads_what_the_file_is_now():
    # Device, inode and path stay.
    reloaded([], "la", "same", "cat {1} > {0}")


def test_a_program_executes_a_copy_of_itself():
    with tempfile.TemporaryDirectory() as folder:
        at = pathlib.Path(folder)
        first = build(at / "s64", AGAIN_SOURCE, "-Wl,--build-id")
        second = str(at / "z64")
        shutil.copy(first, second)
        found = frames(["-k"], [first, second], "getppid")
        _, lines = tracing.run(["-k", "-e", "trace=getppid"], [first, second])
        # Which was met first does not count.
        other = frames(["-k"], [second, first], "getppid")
    assert [has(stack[1], path, "work") for stack, path in zip(found, (first, second))] == [
        True, True], found
    assert [has(stack[1], path, "work") for stack, path in zip(other, (second, first))] == [
        True, True], other
    work = [line for line in lines if "(work+0x" in line]
    assert [line.split("(")[0] for line in work] == [f" > {first}", f" > {second}"], lines


def test_addresses_beside_a_file_are_in_the_file():
    with tempfile.TemporaryDirectory() as folder:
        program = build(pathlib.Path(folder, "jump"), JUMP_SOURCE)
        other = pathlib.Path(folder, "other")
        other.write_bytes(bytes(16384))
        found = frames(["-k"], [program, str(other)], "getppid")[1:]
        _, lines = tracing.run(["-k", "-e", "trace=getppid"], [program, str(other)])
        symbols = subprocess.run(["nm", program], capture_output=True, text=True, check=True)
        sections = subprocess.run(["readelf", "-SW", program], capture_output=True, text=True,
                                  check=True)
    address = int(re.search(r"^(\w+) D data_symbol$", symbols.stdout, re.M).group(1), 16)
    data = re.search(r" \.data +PROGBITS +(\w+) (\w+)", sections.stdout)
    offset = address - int(data.group(1), 16) + int(data.group(2), 16)
    # Behind the signal frame is what could not be executed.
    places = [next(stack[i + 1] for i, frame in enumerate(stack) if frame.get("signal_frame"))
              for stack in found]
    expected = [(program, offset), (str(other), 0x1123), (None, None), (None, None),
                (str(other), 0x1045)]
    assert [(place.get("mapping"), place.get("offset")) for place in places] == expected, places
    signals = [lines[i + 1] for i, line in enumerate(lines) if line.startswith("--- SIGSEGV")]
    assert signals[:2] == [f" > {program}() [{offset:#x}]", f" > {other}() [0x1123]"], signals
    assert re.fullmatch(r" > \[unmapped\]\(\) \[0x7\w{11}\]", signals[2]), signals
    anon = signals[2].replace("unmapped", "anon")
    assert signals[3:] == [anon, f" > {other}() [0x1045]"], signals


COPY_SOURCE = """
#define _GNU_SOURCE
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
extern char __executable_start, etext;
__attribute__((noinline)) static void work(void) { (void)getppid(); __asm__(""); }
/* Never runs: something to write over. */
__attribute__((used, noinline)) static int unused(void) { return 1234; }
/* From a copy of itself, since its own pages are away meanwhile. */
__attribute__((noinline)) static void replace(char *start, size_t size, char *copy)
{
	mremap(copy, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, start);
}
int main(int count, char **words)
{
	char *start = (char *)((uintptr_t)main & ~(uintptr_t)4095);
	size_t size = (((uintptr_t)&etext + 4095) & ~(uintptr_t)4095) - (uintptr_t)start;
	char *copy = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	work();
	memcpy(copy, start, size);
	if (count > 1)
		copy[(char *)unused - start] ^= 1;
	mprotect(copy, size, PROT_READ | PROT_EXEC);
	replace(start, size, copy);
	work();
	return words == 0;
}
"""


def test_code_copied_to_anonymous_memory():
    # As tools do that put code into huge pages.
    with tempfile.TemporaryDirectory() as folder:
        program = build(pathlib.Path(folder, "copied"), COPY_SOURCE)
        found = frames(["-k"], [program], "getppid")
        changed = frames(["-k"], [program, "change"], "getppid")
    assert len(found) == 2 and has(found[1][1], program, "work"), found
    # The call, the file, the place in it, and all around are the same.
    keys = ("module", "module_pc", "offset", "function", "file", "line")
    assert [found[0][1].get(key) for key in keys] == [found[1][1].get(key) for key in keys], found
    assert found[1][-1]["function"] == "_start", found
    # Other bytes are other code.
    assert has(changed[0][1], program, "work") and "module" not in changed[1][1], changed


def test_debug_files_of_packages_from_before_usr_was_merged():
    if os.getuid():
        raise Skip("only root can change the root")
    if not shutil.which("objcopy"):
        raise Skip("objcopy is missing")
    for own, debug in (("/usr/lib/app", "/lib/app"), ("/lib/app", "/usr/lib/app"),
                       ("/usr/sbin", "/sbin")):
        with tempfile.TemporaryDirectory() as folder:
            at, there = pathlib.Path(folder + own), pathlib.Path(folder, "usr/lib/debug" + debug)
            at.mkdir(parents=True)
            there.mkdir(parents=True)
            program = build(at / "work", AGAIN_SOURCE, "-static", "-Wl,--build-id=none")
            for options in (["--only-keep-debug", program, there / "work.debug"],
                            ["--strip-all", f"--add-gnu-debuglink={there}/work.debug", program]):
                subprocess.run(["objcopy", *options], check=True)
            found = frames(["-k"], ["chroot", folder, f"{own}/work"], "getppid")
            assert [frame.get("function") for frame in found[-1]][1:3] == ["work", "main"], found


def test_a_call_from_the_vdso():
    with tempfile.TemporaryDirectory() as folder:
        program = build(pathlib.Path(folder, "clock"), """
            #include <time.h>
            int main(void)
            {
                struct timespec now;
                return clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
            }""")
        found = frames(["-k"], [program], "clock_gettime")
    if not found or found[0][0]["module"] != "[vdso]":
        raise Skip("the C library makes this call itself")
    # The call may be made by a function of the vdso that has no name.
    names = [frame.get("function") for frame in found[0] if frame["module"] == "[vdso]"]
    assert names[-1] == "__vdso_clock_gettime", found


def test_attached_to_a_stopped_task():
    with tempfile.TemporaryDirectory() as folder:
        program = build(pathlib.Path(folder, "busy"), """
            #include <signal.h>
            #include <stdlib.h>
            static volatile int count;
            __attribute__((noinline)) static void spin(void) { for (;;) count++; }
            __attribute__((noinline)) static void stop(void) { raise(SIGSTOP); spin(); }
            int main(void) { stop(); return count; }""")
        with subprocess.Popen([program]) as task:
            try:
                os.waitpid(task.pid, os.WUNTRACED)
                lines = attached(task.pid)
                # In the call that stopped it, or on its way out of it.
                assert any("(stop+0x" in line for line in lines), lines
                assert "--- stopped by SIGSTOP ---" in lines, lines
                os.kill(task.pid, signal.SIGCONT)
                until_it_runs(task.pid)
                os.kill(task.pid, signal.SIGSTOP)
                os.waitpid(task.pid, os.WUNTRACED)
                lines = attached(task.pid)
                assert any("(spin+0x" in line for line in lines), lines
            finally:
                task.kill()


def until_it_runs(pid):
    """Until it has used some processor time: then it is in no call any more."""
    def used():
        return int(pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11])

    start = used()
    while used() < start + 3:
        time.sleep(0.01)


def attached(pid):
    """What is said of a task until it is known to be stopped."""
    lines = []
    with subprocess.Popen(tracing.tracer() + ["-k", "-p", str(pid)], stderr=subprocess.PIPE,
                          text=True) as tracer:
        for line in tracer.stderr:
            lines.append(line.rstrip("\n"))
            if line.startswith("--- stopped by"):
                break
        tracer.send_signal(signal.SIGINT)
        tracer.stderr.read()
    return lines


tap.run(globals())
