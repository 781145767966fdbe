# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Stacks through signal handlers whose trampoline has no rules, or those of a function.

The environment gives TRACER and STACKS, the folder of the programs.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import tap  # noqa: E402
import tracing  # noqa: E402
from tap import Skip  # noqa: E402

STACKS = pathlib.Path(os.environ["STACKS"])

SOURCE = """
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>
static volatile int after;
__attribute__((noinline)) static void handler(int n) { after = (int)syscall(SYS_getppid) + n; }
__attribute__((noinline)) static void outer(void) { raise(SIGUSR1); after = 2; }
int main(void)
{
	struct sigaction action = {.sa_handler = handler};
	sigaction(SIGUSR1, &action, 0);
	outer();
	return after != 2;
}
"""
# A trampoline of one's own, as SA_RESTORER allows, and a stack above the thread's own.
OWN_SOURCE = """
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
struct kernel_action { void *handler; unsigned long flags; void *restorer; uint64_t mask; };
void restorer(void);
__asm__(".text\\n.p2align 4\\nnop\\n.globl restorer\\n.type restorer, @function\\nrestorer:\\n"
	".cfi_startproc\\n" RESTORER "\\n.cfi_endproc\\n.size restorer, . - restorer\\n");
static volatile int after;
__attribute__((noinline)) static void handler(int n) { after = (int)syscall(SYS_getppid) + n; }
__attribute__((noinline)) static void outer(void)
{
	syscall(SYS_tgkill, getpid(), (int)syscall(SYS_gettid), SIGUSR1);
	after = 2;
}
static char memory[2][65536];
static void *run(void *unused)
{
	struct kernel_action action = {handler, FLAGS | 0x04000000 | SA_ONSTACK, restorer, 0};
	stack_t stack = {.ss_sp = memory[1], .ss_size = sizeof(memory[1])};
	sigaltstack(&stack, 0);
	syscall(SYS_rt_sigaction, SIGUSR1, &action, 0, 8);
	outer();
	return unused;
}
#include <ucontext.h>
static ucontext_t context, back;
int main(void)
{
	getcontext(&context);
	context.uc_stack.ss_sp = memory[0];
	context.uc_stack.ss_size = sizeof(memory[0]);
	context.uc_link = &back;
	makecontext(&context, (void (*)(void))run, 0);
	swapcontext(&back, &context);
	return after != 2;
}
"""
GO_SOURCE = """
package main

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

//go:noinline
func outer() { syscall.Kill(syscall.Getpid(), syscall.SIGUSR1) }

func main() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGUSR1)
	outer()
	<-c
	time.Sleep(time.Millisecond)
}
"""


def functions(event):
    return [frame.get("function", "?") for frame in event.get("stack", [])]


def calls(options, command, *names):
    done, events = tracing.run_json(options + ["-e", "trace=" + ",".join(names)], command)
    assert done.returncode == 0, done
    return [event for event in events if event.get("name") in names and event.get("stack")]


def built(folder, compiler, source, *flags):
    if not shutil.which(compiler):
        raise Skip(f"{compiler} is missing")
    path = pathlib.Path(folder, "program")
    path.with_suffix(".c").write_text(source)
    done = subprocess.run([compiler, "-O1", "-g", *flags, "-o", path, path.with_suffix(".c")],
                          capture_output=True, text=True, check=False)
    if done.returncode:
        raise Skip(f"{compiler} {' '.join(flags)} does not build: {done.stderr}")
    return str(path)


def in_order(found, *expected):
    rest = iter(found)
    return all(word in rest for word in expected)


def check(event, *inner):
    """The handler's caller is the signal frame, behind it is what was interrupted."""
    signals = [i for i, frame in enumerate(event["stack"]) if frame.get("signal_frame")]
    assert len(signals) == 1, event
    found = functions(event)
    assert in_order(found[:signals[0]], *inner), event
    assert in_order(found[signals[0] + 1:], "outer"), event
    assert event["stack_end"] != "loop", event


def check_both(options, program):
    handler, back = calls(options, [program], "getppid", "rt_sigreturn", "sigreturn")
    check(handler, "handler")
    check(back)
    return handler, back


def test_glibc():
    with tempfile.TemporaryDirectory() as folder:
        for event in check_both(["-k"], built(folder, "cc", SOURCE)):
            assert in_order(functions(event), "outer", "main", "_start"), event
            assert event["stack_end"] == "outermost", event


def test_frame_pointers():
    with tempfile.TemporaryDirectory() as folder:
        program = built(folder, "cc", SOURCE, "-fno-omit-frame-pointer")
        for event in check_both(["--call-graph=fp"], program):
            assert in_order(functions(event), "outer", "main"), event


def test_musl():
    with tempfile.TemporaryDirectory() as folder:
        for event in check_both(["-k"], built(folder, "musl-gcc", SOURCE)):
            # Its own functions have no tables: what is known is shown, and that it is not all.
            assert in_order(functions(event), "outer", "main"), event
            assert event["stack_end"] == "no_rule", event


def test_musl_static():
    with tempfile.TemporaryDirectory() as folder:
        for event in check_both(["-k"], built(folder, "musl-gcc", SOURCE, "-static")):
            assert in_order(functions(event), "outer", "main"), event


def own(restorer, *flags, has_siginfo=True):
    with tempfile.TemporaryDirectory() as folder:
        program = built(folder, "cc", OWN_SOURCE, f'-DRESTORER="{restorer}"',
                        f"-DFLAGS={4 if has_siginfo else 0}", *flags)
        handler, back = calls(["-k"], [program], "getppid", "rt_sigreturn", "sigreturn")
    check(handler, "handler")
    assert in_order(functions(handler), "outer", "run"), handler
    # The coroutine begins where nobody called it; on i386 it seems to be called.
    assert "-m32" in flags or handler["stack_end"] == "outermost", handler
    return back


def test_a_trampoline_of_ones_own():
    check(own("mov $15, %eax; syscall"))


def test_a_trampoline_that_looks_like_no_other():
    # Only what the kernel left on the stack says that a signal led here. The call itself is in
    # a function that can be anything: no stack of it may be called complete.
    back = own("xor %eax, %eax; add $15, %eax; syscall; hlt")
    assert "outer" in functions(back) or back["stack_end"] != "outermost", back


def test_trampolines_of_ones_own_i386():
    check(own("mov $173, %eax; int $0x80", "-m32"))
    check(own("pop %eax; mov $119, %eax; int $0x80", "-m32", has_siginfo=False))


def test_go():
    if not shutil.which("go"):
        raise Skip("go is missing")
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "calls.go").write_text(GO_SOURCE)
        environment = {**os.environ, "GO111MODULE": "off", "GOCACHE": f"{folder}/cache",
                       "HOME": folder, "GOFLAGS": ""}
        done = subprocess.run(["go", "build", "-o", f"{folder}/calls", f"{folder}/calls.go"],
                              env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Skip("go does not build: " + done.stderr)
        found = calls(["-f", "-k"], [f"{folder}/calls"], "rt_sigreturn")
    assert found
    for event in found:
        # It interrupts anything, but something.
        assert event["stack"][0].get("signal_frame") and len(event["stack"]) > 1, event


tap.run(globals())
