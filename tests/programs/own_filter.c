// SPDX-License-Identifier: MIT
// Copyright the tracer authors

// A program with a seccomp filter of its own: own_filter ACTION, where ACTION is what happens
// to its getppid: errno, trace, trap, allow. Or what a filter of others could break: untraced
// and untraced3 create a task with CLONE_UNTRACED, vsyscall calls through the page of that name.
// Prints what it sees, the same with any tracer.

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t trapped;

static void on_trap(int signal)
{
	trapped = signal;
}

static void filter(uint32_t action)
{
	struct sock_filter steps[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, action),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {.len = 4, .filter = steps};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
		exit(99);
}

static void show_calls(void)
{
	long result;

	errno = 0;
	result = syscall(SYS_getppid);
	printf("getppid %s, errno %d, trapped %d\n", result < 0 ? "fails" : "works", errno,
		trapped);
	printf("openat %s\n", open("/dev/null", O_RDONLY) < 0 ? strerror(errno) : "works");
}

static int child(void)
{
	return open("/dev/null", O_RDONLY) < 0 ? errno : 0;
}

static void untraced(int by_clone3)
{
	struct clone_args args = {.flags = CLONE_UNTRACED, .exit_signal = SIGCHLD};
	int status;
	long pid = by_clone3 ? syscall(SYS_clone3, &args, sizeof(args))
			     : syscall(SYS_clone, CLONE_UNTRACED | SIGCHLD, 0, 0, 0, 0);

	if (pid == 0)
		_exit(child());
	if (pid < 0 || waitpid((pid_t)pid, &status, 0) != pid)
		exit(98);
	printf("child: %d\n", status);
}

// Where the kernel has the page, see arch/x86/include/uapi/asm/vsyscall.h.
static void call_vsyscalls(void)
{
#ifdef __x86_64__
	long (*get_time)(long *) = (long (*)(long *))0xffffffffff600400;
	long (*get_cpu)(unsigned *, unsigned *, void *) =
		(long (*)(unsigned *, unsigned *, void *))0xffffffffff600800;
	unsigned node = 77;
	long now = 0;

	for (int i = 0; i < 3; i++)
		printf("time %s\n", get_time(&now) == now && now ? "works" : "fails");
	printf("getcpu %s\n", get_cpu(NULL, &node, NULL) == 0 && node != 77 ? "works" : "fails");
#endif
}

int main(int argc, char **argv)
{
	const char *action = argc > 1 ? argv[1] : "";

	signal(SIGSYS, on_trap);
	if (strcmp(action, "errno") == 0)
		filter(SECCOMP_RET_ERRNO | EMLINK);
	else if (strcmp(action, "trace") == 0)
		filter(SECCOMP_RET_TRACE | 7);
	else if (strcmp(action, "trap") == 0)
		filter(SECCOMP_RET_TRAP);
	else if (strcmp(action, "allow") == 0)
		filter(SECCOMP_RET_ALLOW);
	else if (strcmp(action, "untraced") == 0)
		untraced(0);
	else if (strcmp(action, "untraced3") == 0)
		untraced(1);
	else if (strcmp(action, "vsyscall") == 0)
		call_vsyscalls();
	else
		return 2;
	show_calls();
	return 0;
}
