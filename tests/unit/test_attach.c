// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/parse.h"
#include "stops.h"

// A process to attach to, and what it is told and says. It dies with us.
struct target {
	pid_t pid;
	int in, out;
};

// In the child: standard input and output become the pipes.
static void become_target(const int in[2], const int out[2])
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	dup2(in[0], STDIN_FILENO);
	dup2(out[1], STDOUT_FILENO);
	close_range(3, ~0U, 0);
}

static struct target target_start(void (*body)(void))
{
	int in[2], out[2];
	struct target target;

	assert_int_equal(pipe2(in, O_CLOEXEC), 0);
	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	target = (struct target){.pid = fork(), .in = in[1], .out = out[0]};
	if (target.pid == 0) {
		become_target(in, out);
		body();
		_exit(0);
	}
	close(in[0]);
	close(out[1]);
	return target;
}

static void target_await(const struct target *target, char expected)
{
	char byte = '\0';

	assert_int_equal(read(target->out, &byte, 1), 1);
	assert_int_equal(byte, expected);
}

// The status of wait().
static int target_end(struct target *target)
{
	int status;

	close(target->in);
	close(target->out);
	assert_int_equal(waitpid(target->pid, &status, __WALL), target->pid);
	return status;
}

static void target_kill(struct target *target)
{
	kill(target->pid, SIGKILL);
	assert_int_equal(WTERMSIG(target_end(target)), SIGKILL);
}

static void run_counter(void)
{
	cleanup_free char *program = stops_program("counter");

	execl(program, program, "4", NULL);
	_exit(97);
}

static struct target counter_start(void)
{
	struct target target = target_start(run_counter);
	char text[6];

	assert_int_equal(read(target.out, text, sizeof(text)), sizeof(text));
	assert_memory_equal(text, "ready\n", sizeof(text));
	return target;
}

static long counter_ask(const struct target *target)
{
	char text[32] = "";

	assert_int_equal(write(target->in, "x", 1), 1);
	assert_true(read(target->out, text, sizeof(text) - 1) > 0);
	return atol(text);
}

// It runs, and ends as it does when nobody looks.
static void counter_check(struct target *target)
{
	long sum = counter_ask(target);
	int status;

	while (counter_ask(target) == sum)
		;
	status = target_end(target);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 5);
}

static void attach(struct trace *trace, pid_t pid)
{
	struct error *error = trace_attach(trace, pid);

	if (error)
		fail_msg("%s", error->message);
}

static void count_gone(void *context, struct tracee *tracee)
{
	size_t *count = context;

	assert_non_null(tracee);
	(*count)++;
}

static size_t detach(struct trace *trace)
{
	size_t count = 0;

	trace_detach_all(trace, count_gone, &count);
	assert_int_equal(trace_count(trace), 0);
	return count;
}

// Goes on until @limit stops of @kind came.
static void run_until(struct run *run, enum stop_kind kind, size_t limit)
{
	struct stop stop;

	while (stops_count(run, kind) < limit) {
		assert_true(stops_next(run->trace, &stop));
		stops_keep(run, &stop);
		trace_resume(run->trace, &stop, false);
	}
}

CASE(all_threads_are_attached_and_let_go)
{
	struct target target = counter_start();
	struct run run = {.trace = stops_create(true)};

	attach(run.trace, target.pid);
	// Again, or by another thread's number: it is ours already.
	attach(run.trace, target.pid);
	assert_int_equal(trace_count(run.trace), 5);
	run_until(&run, STOP_STARTED, 5);
	run_until(&run, STOP_SYSCALL_EXIT, 100);
	array_for_each (seen, &run.stops)
		assert_int_equal(seen->tgid, target.pid);
	assert_int_equal(detach(run.trace), 5);
	counter_check(&target);
	stops_end(&run);
}

CASE(destroy_lets_go)
{
	struct target target = counter_start();
	struct run run = {.trace = stops_create(true)};

	attach(run.trace, target.pid);
	run_until(&run, STOP_SYSCALL_ENTRY, 10);
	stops_end(&run);
	counter_check(&target);
}

CASE(detached_before_the_first_stop)
{
	struct target target = counter_start();
	struct run run = {.trace = stops_create(true)};

	attach(run.trace, target.pid);
	assert_int_equal(detach(run.trace), 5);
	counter_check(&target);
	stops_end(&run);
}

CASE(without_follow_one_thread_is_attached)
{
	struct target target = counter_start();
	struct run run = {.trace = stops_create(false)};

	attach(run.trace, target.pid);
	run_until(&run, STOP_STARTED, 1);
	assert_int_equal(write(target.in, "x", 1), 1);
	run_until(&run, STOP_SYSCALL_EXIT, 2);
	assert_true(read(target.out, (char[32]){0}, 31) > 0);
	array_for_each (seen, &run.stops)
		assert_int_equal(seen->id.tid, target.pid);
	assert_int_equal(detach(run.trace), 1);
	counter_check(&target);
	stops_end(&run);
}

CASE(a_stopped_process_stays_stopped)
{
	struct target target = counter_start();
	struct run run = {.trace = stops_create(true)};

	kill(target.pid, SIGSTOP);
	stops_await_state(target.pid, 'T');
	attach(run.trace, target.pid);
	run_until(&run, STOP_GROUP, 5);
	assert_int_equal(stops_count(&run, STOP_STARTED), 5);
	assert_int_equal(stops_first(&run, STOP_GROUP)->stop.signal, SIGSTOP);
	assert_int_equal(detach(run.trace), 5);
	stops_await_state(target.pid, 'T');
	kill(target.pid, SIGCONT);
	counter_check(&target);
	stops_end(&run);
}

CASE(stopped_while_traced_then_let_go)
{
	struct target target = counter_start();
	struct run run = {.trace = stops_create(true)};

	attach(run.trace, target.pid);
	run_until(&run, STOP_STARTED, 5);
	kill(target.pid, SIGSTOP);
	run_until(&run, STOP_GROUP, 5);
	assert_int_equal(detach(run.trace), 5);
	stops_await_state(target.pid, 'T');
	kill(target.pid, SIGCONT);
	counter_check(&target);
	stops_end(&run);
}

static void write_byte(char byte)
{
	if (write(STDOUT_FILENO, &byte, 1) != 1)
		_exit(1);
}

static void on_usr1(int signal)
{
	(void)signal;
	write_byte('u');
}

static void handle_signals(void)
{
	signal(SIGUSR1, on_usr1);
	write_byte('r');
	for (;;)
		pause();
}

// The signal is under way to the task, stopped for us to see it, when we leave.
CASE(a_signal_in_flight_is_delivered)
{
	struct target target = target_start(handle_signals);
	struct run run = {.trace = stops_create(true)};
	struct stop stop;

	target_await(&target, 'r');
	attach(run.trace, target.pid);
	run_until(&run, STOP_SYSCALL_ENTRY, 1);
	kill(target.pid, SIGUSR1);
	// If it was met in its call, the stop of attaching is still to come. The call is
	// interrupted: exit, then the signal, which is not given back.
	do {
		assert_true(stops_next(run.trace, &stop));
		if (stop.kind != STOP_SIGNAL)
			trace_resume(run.trace, &stop, false);
	} while (stop.kind == STOP_SYSCALL_EXIT || stop.kind == STOP_OTHER);
	assert_int_equal(stop.kind, STOP_SIGNAL);
	detach(run.trace);
	target_await(&target, 'u');
	target_kill(&target);
	stops_end(&run);
}

static void echo(void)
{
	char byte;

	write_byte('r');
	if (read(STDIN_FILENO, &byte, 1) != 1)
		_exit(1);
	write_byte(byte);
	pause();
}

// The call a task is in when we come is restarted by the kernel, and loses nothing.
CASE(inside_a_call)
{
	struct target target = target_start(echo);
	struct run run = {.trace = stops_create(false)};

	target_await(&target, 'r');
	stops_await_state(target.pid, 'S');
	attach(run.trace, target.pid);
	run_until(&run, STOP_SYSCALL_ENTRY, 1);
	assert_int_equal(stops_first(&run, STOP_SYSCALL_ENTRY)->stop.syscall.number, SYS_read);
	detach(run.trace);
	assert_int_equal(write(target.in, "e", 1), 1);
	target_await(&target, 'e');
	target_kill(&target);
	stops_end(&run);
}

static void *keep_writing(void *argument)
{
	for (;;) {
		write_byte('t');
		usleep(1000);
	}
	return argument;
}

static void leave_to_thread(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, keep_writing, NULL);
	syscall(SYS_exit, 0);
}

static void expect_refusal(bool follow, pid_t pid, const char *part)
{
	struct trace *trace = stops_create(follow);
	struct error *error = trace_attach(trace, pid);

	if (!error)
		fail_msg("attached, in spite of: %s", part);
	if (!strstr(error->message, part))
		fail_msg("\"%s\" does not say \"%s\"", error->message, part);
	error_destroy(error);
	trace_destroy(trace);
	alarm(0);
}

CASE(the_leader_has_exited)
{
	struct target target = target_start(leave_to_thread);
	struct run run;

	target_await(&target, 't');
	stops_await_state(target.pid, 'Z');
	expect_refusal(false, target.pid, "other threads run on");
	run = (struct run){.trace = stops_create(true)};
	attach(run.trace, target.pid);
	run_until(&run, STOP_SYSCALL_EXIT, 3);
	assert_int_equal(run.stops.data[0].tgid, target.pid);
	assert_int_not_equal(run.stops.data[0].id.tid, target.pid);
	assert_int_equal(detach(run.trace), 1);
	target_await(&target, 't');
	target_kill(&target);
	stops_end(&run);
}

static void *execute_when_told(void *argument)
{
	char byte;

	if (read(STDIN_FILENO, &byte, 1) == 1)
		execl("/bin/cat", "cat", NULL);
	_exit(1);
	return argument;
}

static void wait_for_thread(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, execute_when_told, NULL);
	write_byte('r');
	pthread_join(thread, NULL);
}

// The kernel drops the leader without a word when a thread we do not trace takes its place.
CASE(a_leader_that_vanishes_is_noticed)
{
	struct target target = target_start(wait_for_thread);
	struct run run = {.trace = stops_create(false)};

	target_await(&target, 'r');
	attach(run.trace, target.pid);
	run_until(&run, STOP_STARTED, 1);
	assert_int_equal(write(target.in, "x", 1), 1);
	stops_run(&run);
	assert_int_equal(run.stops.data[run.stops.count - 1].stop.kind, STOP_SUPERSEDED);
	assert_int_equal(write(target.in, "c", 1), 1);
	target_await(&target, 'c');
	assert_int_equal(WEXITSTATUS(target_end(&target)), 0);
	stops_end(&run);
}

static void sleep_in_vfork(void)
{
	write_byte('r');
	if (vfork() == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		syscall(SYS_pause);
	}
}

// The parent sleeps uninterruptibly, so it cannot stop to be detached.
CASE(who_does_not_stop_does_not_hold_us)
{
	struct target target = target_start(sleep_in_vfork);
	struct run run = {.trace = stops_create(false)};

	target_await(&target, 'r');
	stops_await_state(target.pid, 'D');
	attach(run.trace, target.pid);
	assert_int_equal(detach(run.trace), 1);
	target_kill(&target);
	stops_end(&run);
}

// In the child: traces @pid, or a busy command if it is 0, for ever.
static void trace_on(pid_t pid, int ready)
{
	struct trace_options options = {.follow = true};
	const char *const busy[] = {"sh", "-c", "while :; do cd /; done", NULL};
	struct trace *trace;
	struct stop stop;
	int tid = pid;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (trace_create(&options, &trace) ||
		(pid ? trace_attach(trace, pid) : trace_launch(trace, (char *const *)busy, &tid)))
		_exit(1);
	for (size_t stops = 0;; stops++) {
		if (stops == 500 && write(ready, &tid, sizeof(tid)) != sizeof(tid))
			_exit(1);
		if (trace_next(trace, &stop) == TRACE_STOP)
			trace_resume(trace, &stop, false);
	}
}

// Kills a tracer in the middle of its work; returns whom it traced.
static pid_t trace_and_kill_tracer(pid_t pid)
{
	int ready[2], tid;
	pid_t tracer;

	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	tracer = fork();
	if (tracer == 0)
		trace_on(pid, ready[1]);
	close(ready[1]);
	assert_int_equal(read(ready[0], &tid, sizeof(tid)), sizeof(tid));
	close(ready[0]);
	kill(tracer, SIGKILL);
	assert_int_equal(waitpid(tracer, NULL, 0), tracer);
	return tid;
}

static void expect_none_stopped(pid_t pid)
{
	char path[64];
	cleanup_closedir DIR *dir = NULL;
	struct dirent *entry;
	int tid;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	assert_non_null(dir);
	while ((entry = readdir(dir))) {
		struct task_status status;

		if (!parse_int(entry->d_name, &tid) || !task_status_read(tid, &status))
			continue;
		assert_int_equal(status.tracer, 0);
		assert_true(status.state == 'R' || status.state == 'S' || status.state == 'D');
	}
}

CASE(killing_the_tracer_leaves_nobody_stopped)
{
	struct target target = counter_start();
	pid_t launched;

	alarm(CASE_LIMIT);
	for (int i = 0; i < 5; i++) {
		trace_and_kill_tracer(target.pid);
		expect_none_stopped(target.pid);
	}
	counter_check(&target);
	launched = trace_and_kill_tracer(0);
	expect_none_stopped(launched);
	assert_int_equal(kill(launched, SIGKILL), 0);
	alarm(0);
}

CASE(nobody_there)
{
	// Above the highest number there can be.
	expect_refusal(true, 1 << 23, "No such process");
	expect_refusal(false, 1 << 23, "No such process");
}

CASE(ourselves)
{
	expect_refusal(true, getpid(), "it is this tracer itself");
}

static void end_at_once(void)
{
}

CASE(a_zombie)
{
	struct target target = target_start(end_at_once);

	stops_await_state(target.pid, 'Z');
	expect_refusal(true, target.pid, "it has exited");
	expect_refusal(false, target.pid, "it has exited");
	assert_int_equal(target_end(&target), 0);
}

CASE(traced_by_another)
{
	struct target target = counter_start();
	char expected[64];
	int status;
	pid_t other = fork();

	if (other == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		prctl(PR_SET_NAME, "rival");
		if (ptrace(PTRACE_SEIZE, target.pid, 0, 0) != 0)
			_exit(1);
		kill(getpid(), SIGSTOP);
		_exit(0);
	}
	assert_int_equal(waitpid(other, &status, WUNTRACED), other);
	assert_true(WIFSTOPPED(status));
	snprintf(expected, sizeof(expected), "already traced by process %d (rival)", other);
	expect_refusal(false, target.pid, expected);
	kill(other, SIGKILL);
	assert_int_equal(waitpid(other, NULL, 0), other);
	counter_check(&target);
}

// In the child: traces its parent, and passes on what comes there.
static void trace_parent(int ready)
{
	pid_t parent = getppid();
	int status;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (ptrace(PTRACE_SEIZE, parent, 0, 0) != 0 || write(ready, "r", 1) != 1)
		_exit(1);
	while (waitpid(parent, &status, 0) == parent && WIFSTOPPED(status)) {
		bool event = status >> 16;

		ptrace(PTRACE_CONT, parent, 0, event ? 0L : (long)WSTOPSIG(status));
	}
	_exit(0);
}

CASE(whoever_traces_us)
{
	int ready[2];
	char byte;
	pid_t tracer;

	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	tracer = fork();
	if (tracer == 0)
		trace_parent(ready[1]);
	close(ready[1]);
	if (read(ready[0], &byte, 1) == 1)
		expect_refusal(true, tracer, "it traces this tracer");
	else
		print_message("not allowed to be traced by a child\n");
	close(ready[0]);
	kill(tracer, SIGKILL);
	assert_int_equal(waitpid(tracer, NULL, 0), tracer);
}

// The first thread of the kernel, unless we are in a pid namespace of our own.
CASE(a_kernel_thread)
{
	cleanup_fclose FILE *comm = fopen("/proc/2/comm", "re");
	char name[32] = "";

	if (geteuid() != 0 || !comm || !fgets(name, sizeof(name), comm) ||
		strcmp(name, "kthreadd\n") != 0) {
		print_message("needs root and a visible kernel thread\n");
		skip();
	}
	expect_refusal(true, 2, "it is a thread of the kernel");
}

CASE(another_user)
{
	struct target target;
	int status;
	pid_t child;

	if (geteuid() != 0) {
		print_message("needs root\n");
		skip();
	}
	target = counter_start();
	child = fork();
	if (child == 0) {
		struct trace_options options = {0};
		struct trace *trace;
		struct error *error;

		if (setresgid(65534, 65534, 65534) || setresuid(65534, 65534, 65534) ||
			trace_create(&options, &trace))
			_exit(2);
		error = trace_attach(trace, target.pid);
		_exit(!error || !strstr(error->message, "it belongs to user 0"));
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	counter_check(&target);
}

RUN_CASES(ADD(all_threads_are_attached_and_let_go), ADD(destroy_lets_go),
	ADD(detached_before_the_first_stop), ADD(without_follow_one_thread_is_attached),
	ADD(a_stopped_process_stays_stopped), ADD(stopped_while_traced_then_let_go),
	ADD(a_signal_in_flight_is_delivered), ADD(inside_a_call), ADD(the_leader_has_exited),
	ADD(a_leader_that_vanishes_is_noticed), ADD(who_does_not_stop_does_not_hold_us),
	ADD(killing_the_tracer_leaves_nobody_stopped), ADD(nobody_there), ADD(ourselves),
	ADD(a_zombie), ADD(traced_by_another), ADD(whoever_traces_us), ADD(a_kernel_thread),
	ADD(another_user));
