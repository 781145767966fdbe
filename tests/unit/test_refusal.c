// SPDX-License-Identifier: MIT
// Copyright the tracer authors

// Why we may not attach to a process. Each case is a process of the user "nobody" that another
// one of that user tries to attach to.

#include <errno.h>
#include <linux/capability.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "stops.h"

enum {
	NOBODY = 65534,
};

struct process {
	pid_t pid;
	/** Closed when it is to end. */
	int keep;
};

static void need_root(void)
{
	if (geteuid() == 0)
		return;
	print_message("needs root\n");
	skip();
}

static bool become_nobody(void)
{
	return !setresgid(NOBODY, NOBODY, NOBODY) && !setresuid(NOBODY, NOBODY, NOBODY);
}

/** A process that does @prepare and then waits for its end. */
static struct process start(bool (*prepare)(void))
{
	int keep[2], ready[2];
	struct process process;
	char byte;

	assert_int_equal(pipe(keep), 0);
	assert_int_equal(pipe(ready), 0);
	process.keep = keep[1];
	process.pid = fork();
	if (process.pid == 0) {
		close(keep[1]);
		if (prepare() && write(ready[1], "r", 1) == 1)
			byte = (char)read(keep[0], &byte, 1);
		_exit(0);
	}
	close(keep[0]);
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1) {
		print_message("the process cannot be prepared here\n");
		skip();
	}
	close(ready[0]);
	return process;
}

static void end(struct process *process)
{
	close(process->keep);
	assert_int_equal(waitpid(process->pid, NULL, 0), process->pid);
}

/** What is said to one who did @prepare and then attaches to @pid, sent back by a pipe. */
static void expect_refusal(bool (*prepare)(void), pid_t pid, const char *part)
{
	char message[1024] = "";
	int answer[2];
	pid_t child;

	assert_int_equal(pipe(answer), 0);
	child = fork();
	if (child == 0) {
		struct trace_options options = {0};
		struct trace *trace;
		struct error *error;

		if (!prepare() || trace_create(&options, &trace))
			_exit(1);
		error = trace_attach(trace, pid);
		dprintf(answer[1], "%s", error ? error->message : "it was attached to");
		_exit(0);
	}
	close(answer[1]);
	while (read(answer[0], message + strlen(message), sizeof(message) - strlen(message) - 1) >
		0)
		;
	close(answer[0]);
	assert_int_equal(waitpid(child, NULL, 0), child);
	if (!strstr(message, part))
		fail_msg("\"%s\" does not say \"%s\"", message, part);
}

static bool dumpable_nobody(void)
{
	return become_nobody() && !prctl(PR_SET_DUMPABLE, 1);
}

static bool undumpable_nobody(void)
{
	return become_nobody() && !prctl(PR_SET_DUMPABLE, 0);
}

static bool capable_nobody(void)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {
		{.permitted = CAP_TO_MASK(CAP_NET_RAW)}};

	return !prctl(PR_SET_KEEPCAPS, 1) && become_nobody() &&
	       !syscall(SYS_capset, &header, data) && !prctl(PR_SET_DUMPABLE, 1);
}

static bool nobody_further_in(void)
{
	return dumpable_nobody() && !unshare(CLONE_NEWUSER);
}

static void need_user_namespaces(void)
{
	pid_t child = fork();
	int status;

	if (child == 0)
		_exit(!nobody_further_in());
	assert_int_equal(waitpid(child, &status, 0), child);
	if (status == 0)
		return;
	print_message("no user namespace may be made here, as in every chroot\n");
	skip();
}

CASE(may_not_be_dumped)
{
	struct process process;

	need_root();
	process = start(undumpable_nobody);
	expect_refusal(dumpable_nobody, process.pid, "it may not be dumped");
	end(&process);
}

CASE(has_more_capabilities)
{
	struct process process;

	need_root();
	process = start(capable_nobody);
	expect_refusal(dumpable_nobody, process.pid, "it has capabilities that we lack");
	end(&process);
}

CASE(lives_in_an_outer_user_namespace)
{
	struct process process;

	need_root();
	need_user_namespaces();
	process = start(dumpable_nobody);
	expect_refusal(nobody_further_in, process.pid, "it lives in another user namespace");
	end(&process);
}

CASE(the_same_user_is_allowed)
{
	struct process process;

	need_root();
	process = start(dumpable_nobody);
	expect_refusal(dumpable_nobody, process.pid, "it was attached to");
	end(&process);
}

static bool stay_as_we_are(void)
{
	return true;
}

/** The highest number a process can have. */
static pid_t last_number(void)
{
	cleanup_fclose FILE *file = fopen("/proc/sys/kernel/pid_max", "re");
	int most = 0;

	return file && fscanf(file, "%d", &most) == 1 ? most - 1 : 0;
}

/** Process 1 of a new pid namespace, with a child that has @number there. */
static void run_namespace(int ready, pid_t number)
{
	struct clone_args args = {
		.exit_signal = SIGCHLD, .set_tid = (uint64_t)&number, .set_tid_size = 1};

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (syscall(SYS_clone3, &args, sizeof(args)) == 0) {
		prctl(PR_SET_NAME, "inner");
		if (write(ready, "r", 1) == 1)
			pause();
	}
	close(ready);
	pause();
	_exit(0);
}

static bool in_pid_namespace(void)
{
	// Namespaces may have limits of their own.
	pid_t number = last_number();
	int ready[2];
	char byte;

	if (pipe(ready) || unshare(CLONE_NEWPID))
		return false;
	if (fork() == 0)
		run_namespace(ready[1], number);
	close(ready[1]);
	return read(ready[0], &byte, 1) == 1;
}

CASE(a_number_from_a_pid_namespace)
{
	struct process process;

	need_root();
	if (kill(last_number(), 0) == 0) {
		print_message("the highest process number is taken\n");
		skip();
	}
	process = start(in_pid_namespace);
	expect_refusal(stay_as_we_are, last_number(),
		"it has this number only in its own pid namespace: here it is process ");
	expect_refusal(stay_as_we_are, last_number(), "(inner)");
	end(&process);
}

RUN_CASES(ADD(may_not_be_dumped), ADD(has_more_capabilities), ADD(lives_in_an_outer_user_namespace),
	ADD(the_same_user_is_allowed), ADD(a_number_from_a_pid_namespace));
