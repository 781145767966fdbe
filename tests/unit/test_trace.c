// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <errno.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "schema/syscall_set.h"
#include "stops.h"

#define ARGV(...) ((char *const *)(const char *const[]){__VA_ARGS__, NULL})

CASE(first_comes_the_execve)
{
	struct run run = stops_of(false, ARGV("true"));
	const enum stop_kind start[] = {
		STOP_STARTED, STOP_SYSCALL_ENTRY, STOP_EXEC, STOP_SYSCALL_EXIT};

	assert_true(run.stops.count > 4);
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(run.stops.data[i].stop.kind, start[i]);
		assert_int_equal(run.stops.data[i].id.tid, run.tid);
		assert_int_equal(run.stops.data[i].tgid, run.tid);
		assert_int_equal(run.stops.data[i].count, 1);
	}
	assert_int_equal(run.stops.data[1].stop.syscall.number, SYS_execve);
	assert_int_equal(run.stops.data[2].stop.former_tid, run.tid);
	assert_int_equal(run.stops.data[3].stop.syscall.number, SYS_execve);
	assert_int_equal(run.stops.data[3].stop.syscall.retval, 0);
	assert_false(run.stops.data[3].stop.syscall.is_error);
	assert_int_equal(run.stops.data[run.stops.count - 1].stop.kind, STOP_EXITED);
	assert_int_equal(run.stops.data[run.stops.count - 1].stop.status, 0);
	stops_end(&run);
}

CASE(exit_status_and_death)
{
	struct run run = stops_of(false, ARGV("sh", "-c", "exit 42"));

	assert_int_equal(stops_first(&run, STOP_EXITED)->stop.status, 42);
	stops_end(&run);
	run = stops_of(false, ARGV("sh", "-c", "kill -KILL $$"));
	assert_int_equal(stops_first(&run, STOP_KILLED)->stop.signal, SIGKILL);
	assert_int_equal(stops_count(&run, STOP_EXITED), 0);
	stops_end(&run);
}

static void expect_not_launched(const char *name, const char *message)
{
	struct trace *trace = stops_create(false);
	struct stop stop;
	int tid;
	struct error *error = trace_launch(trace, ARGV(name), &tid);

	assert_non_null(error);
	assert_string_equal(error->message, message);
	error_destroy(error);
	assert_int_equal(trace_next(trace, &stop), TRACE_DONE);
	trace_destroy(trace);
	alarm(0);
}

CASE(what_is_not_there_is_not_launched)
{
	expect_not_launched("no-such-command", "Can't stat 'no-such-command': "
					       "No such file or directory");
	expect_not_launched("/no/such/command", "Can't stat '/no/such/command': "
						"No such file or directory");
	expect_not_launched("/dev/null/x", "Can't stat '/dev/null/x': Not a directory");
	expect_not_launched("", "Can't stat '': No such file or directory");
}

// Of a command that cannot be executed only that is seen, not how the child then ends.
CASE(a_failed_execve_is_seen)
{
	struct run run = stops_of(true, ARGV("/"));

	assert_int_equal(run.stops.count, 4);
	assert_int_equal(run.stops.data[1].stop.kind, STOP_SYSCALL_ENTRY);
	assert_int_equal(run.stops.data[2].stop.kind, STOP_SYSCALL_EXIT);
	assert_int_equal(run.stops.data[2].stop.syscall.retval, -EACCES);
	assert_true(run.stops.data[2].stop.syscall.is_error);
	assert_int_equal(run.stops.data[3].stop.kind, STOP_EXITED);
	assert_int_equal(run.stops.data[3].stop.status, 1);
	stops_end(&run);
}

// What we block and set for ourselves must not reach the command.
CASE(the_command_gets_our_signal_settings_as_they_were)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN}, old;
	struct run run;

	sigaction(SIGCHLD, &ignore, &old);
	run = stops_of(false, ARGV("grep", "-qx", "SigBlk:.0000000000000000", "/proc/self/status"));
	assert_int_equal(stops_first(&run, STOP_EXITED)->stop.status, 0);
	stops_end(&run);
	run = stops_of(
		false, ARGV("grep", "-qE", "^SigIgn:.[0-9a-f]{11}[1357]", "/proc/self/status"));
	assert_int_equal(stops_first(&run, STOP_EXITED)->stop.status, 0);
	stops_end(&run);
	sigaction(SIGCHLD, NULL, &ignore);
	assert_ptr_equal(ignore.sa_handler, SIG_IGN);
	sigaction(SIGCHLD, &old, NULL);
}

// Entries and exits of each task take turns, and none is lost.
static void check_calls(const struct run *run, enum abi_id abi, uint64_t number, size_t expected)
{
	size_t entries = 0, exits = 0;
	// One bit per tracee: serials count from 0.
	bool *inside = calloc(run->stops.count, sizeof(*inside));

	array_for_each (seen, &run->stops) {
		const struct stop_syscall *call = &seen->stop.syscall;
		bool ours = call->abi == abi && call->number == number;

		if (seen->stop.kind == STOP_SYSCALL_ENTRY) {
			assert_false(inside[seen->id.serial]);
			assert_true(seen->in_syscall);
			inside[seen->id.serial] = true;
			entries += ours;
		} else if (seen->stop.kind == STOP_SYSCALL_EXIT) {
			assert_true(inside[seen->id.serial]);
			inside[seen->id.serial] = false;
			exits += ours;
		}
	}
	free(inside);
	assert_int_equal(entries, expected);
	assert_int_equal(exits, expected);
}

CASE(many_threads_lose_nothing)
{
	cleanup_free char *program = stops_program("many_threads");
	struct run run = stops_of(true, ARGV(program, "50", "100"));

	check_calls(&run, ABI_X86_64, SYS_getppid, 5000);
	assert_int_equal(stops_count(&run, STOP_STARTED), 51);
	assert_int_equal(stops_count(&run, STOP_CHILD), 50);
	assert_int_equal(stops_count(&run, STOP_EXITED), 51);
	array_for_each (seen, &run.stops) {
		assert_int_equal(seen->tgid, run.tid);
		if (seen->stop.kind == STOP_CHILD)
			assert_true(seen->stop.clone_flags & CLONE_THREAD);
	}
	stops_end(&run);
}

CASE(many_children_lose_nothing)
{
	cleanup_free char *program = stops_program("many_children");
	struct run run = stops_of(true, ARGV(program, "1000"));
	size_t sevens = 0;

	assert_int_equal(stops_count(&run, STOP_STARTED), 1001);
	assert_int_equal(stops_count(&run, STOP_CHILD), 1000);
	check_calls(&run, ABI_X86_64, SYS_getppid, 1000);
	array_for_each (seen, &run.stops) {
		if (seen->stop.kind == STOP_CHILD)
			assert_false(seen->stop.clone_flags & CLONE_VM);
		if (seen->stop.kind == STOP_STARTED)
			assert_int_equal(seen->tgid, seen->id.tid);
		if (seen->stop.kind == STOP_EXITED && seen->id.tid != run.tid)
			sevens += seen->stop.status == 7;
	}
	assert_int_equal(sevens, 1000);
	assert_int_equal(run.stops.data[run.stops.count - 1].stop.status, 0);
	stops_end(&run);
}

CASE(without_follow_children_are_left_alone)
{
	cleanup_free char *program = stops_program("many_children");
	struct run run = stops_of(false, ARGV(program, "30"));

	assert_int_equal(stops_count(&run, STOP_STARTED), 1);
	assert_int_equal(stops_count(&run, STOP_CHILD), 0);
	check_calls(&run, ABI_X86_64, SYS_getppid, 0);
	assert_int_equal(stops_first(&run, STOP_EXITED)->stop.status, 0);
	stops_end(&run);
}

CASE(vfork_is_told_from_fork)
{
	cleanup_free char *program = stops_program("vfork_exec");
	struct run run = stops_of(true, ARGV(program, "/bin/true"));
	const uint64_t flags = CLONE_VM | CLONE_VFORK;
	const struct seen *child = stops_first(&run, STOP_CHILD);

	assert_int_equal(child->stop.clone_flags & flags, flags);
	assert_int_equal(child->id.tid, run.tid);
	array_for_each (seen, &run.stops) {
		if (seen->stop.kind == STOP_STARTED && seen->id.serial == 1)
			assert_int_equal(seen->id.tid, child->stop.child);
	}
	stops_end(&run);
}

// The caller takes over the leader's tid, the leader is gone without an exit.
static void check_exec_from_thread(const char *name, enum abi_id abi, uint64_t execve_number)
{
	cleanup_free char *program = stops_program(name);
	struct run run = stops_of(true, ARGV(program, "/bin/true"));
	const struct seen *superseded = stops_first(&run, STOP_SUPERSEDED);
	const struct seen *exec = superseded + 1, *exit = superseded + 2, *entry = superseded;

	assert_int_equal(superseded->id.tid, run.tid);
	assert_int_equal(superseded->id.serial, 0);
	assert_int_equal(stops_count(&run, STOP_SUPERSEDED), 1);
	assert_int_equal(exec->stop.kind, STOP_EXEC);
	assert_int_equal(exec->stop.former_tid, superseded->stop.superseded_by);
	assert_int_equal(exec->id.tid, run.tid);
	assert_int_equal(exec->count, 1);
	assert_int_equal(exit->stop.kind, STOP_SYSCALL_EXIT);
	assert_true(task_id_equal(exit->id, exec->id));
	assert_true(exit->in_syscall);
	assert_int_equal(exit->stop.syscall.abi, abi);
	assert_int_equal(exit->stop.syscall.number, execve_number);
	assert_int_equal(exit->stop.syscall.retval, 0);
	// The same tracee entered it under its former tid.
	while (entry->id.serial != exec->id.serial)
		entry--;
	assert_int_equal(entry->stop.kind, STOP_SYSCALL_ENTRY);
	assert_int_equal(entry->id.tid, exec->stop.former_tid);
	assert_int_equal(run.stops.data[run.stops.count - 1].stop.kind, STOP_EXITED);
	stops_end(&run);
}

CASE(exec_from_a_thread)
{
	check_exec_from_thread("exec_from_thread", ABI_X86_64, SYS_execve);
}

static bool have_i386(void)
{
	cleanup_free char *program = stops_program("exec_from_thread-i386");

	return access(program, X_OK) == 0;
}

CASE(i386_tasks)
{
	cleanup_free char *program = stops_program("many_threads-i386");
	struct run run;

	if (!have_i386()) {
		print_message("needs 32-bit test programs (gcc-multilib)\n");
		skip();
	}
	// asm/unistd_32.h: getppid is 64, execve is 11.
	run = stops_of(true, ARGV(program, "10", "50"));
	check_calls(&run, ABI_I386, 64, 500);
	stops_end(&run);
	check_exec_from_thread("exec_from_thread-i386", ABI_I386, 11);
}

CASE(signals_arrive_unchanged)
{
	cleanup_free char *program = stops_program("signals");
	struct run run = stops_of(false, ARGV(program));
	bool queued = false;

	array_for_each (seen, &run.stops) {
		const siginfo_t *info = &seen->stop.siginfo;

		if (seen->stop.kind != STOP_SIGNAL)
			continue;
		assert_true(seen->stop.has_siginfo);
		assert_int_equal(info->si_signo, seen->stop.signal);
		if (info->si_code == SI_QUEUE) {
			queued = true;
			assert_int_equal(info->si_value.sival_int, 42);
			assert_int_equal(info->si_pid, run.tid);
		}
	}
	assert_true(queued);
	// The program exits with 1 if a handler missed its signal, else SIGTERM ends it.
	assert_int_equal(stops_first(&run, STOP_KILLED)->stop.signal, SIGTERM);
	stops_end(&run);
}

CASE(registers_tell_the_word_size)
{
	struct run run = stops_launch(false, ARGV("true"));
	unsigned char registers[1024];
	struct stop stop;

	while (stops_next(run.trace, &stop)) {
		if (stop.kind == STOP_SYSCALL_ENTRY)
			assert_int_equal(trace_registers(run.trace, stop.tracee, registers,
						 sizeof(registers)),
				27 * 8);
		if (stop.kind == STOP_EXITED)
			assert_int_equal(trace_registers(run.trace, stop.tracee, registers,
						 sizeof(registers)),
				0);
		trace_resume(run.trace, &stop, false);
	}
	stops_end(&run);
}

// A stopped process really stops, tells it, and goes on when it is told to.
CASE(group_stop)
{
	struct run run =
		stops_launch(true, ARGV("sh", "-c", "sleep 1000 & kill -STOP $$; kill $!; exit 3"));
	struct stop stop;
	int step = 0;

	while (stops_next(run.trace, &stop)) {
		enum stop_kind kind = stop.kind;
		int signal = stop.signal, tid = stop.tracee->id.tid;

		stops_keep(&run, &stop);
		trace_resume(run.trace, &stop, false);
		if (tid != run.tid)
			continue;
		if (step == 0 && kind == STOP_SIGNAL && signal == SIGSTOP) {
			step = 1;
		} else if (step == 1 && kind == STOP_GROUP) {
			assert_int_equal(signal, SIGSTOP);
			// It must not have run on: then it would not be stopped for long.
			for (int i = 0; i < 20; i++) {
				assert_int_equal(stops_state(tid), 't');
				usleep(1000);
			}
			step = 2;
			kill(tid, SIGCONT);
		} else if (step == 2 && kind == STOP_SIGNAL && signal == SIGCONT) {
			step = 3;
		}
	}
	assert_int_equal(step, 3);
	// The background job was killed, so this is the shell's.
	assert_int_equal(stops_first(&run, STOP_EXITED)->stop.status, 3);
	assert_int_equal(stops_first(&run, STOP_EXITED)->id.tid, run.tid);
	stops_end(&run);
}

CASE(skip_exit_hides_that_exit_only)
{
	cleanup_free char *program = stops_program("many_threads");
	struct run run = stops_launch(true, ARGV(program, "3", "100"));
	struct stop stop;
	size_t entries = 0;

	while (stops_next(run.trace, &stop)) {
		bool skip = stop.kind == STOP_SYSCALL_ENTRY && stop.syscall.number == SYS_getppid;

		if (stop.kind == STOP_SYSCALL_EXIT)
			assert_int_not_equal(stop.syscall.number, SYS_getppid);
		entries += skip;
		trace_resume(run.trace, &stop, skip);
	}
	assert_int_equal(entries, 300);
	stops_end(&run);
}

CASE(calls_that_are_not_wanted_do_not_stop)
{
	cleanup_free char *program = stops_program("many_threads");
	struct syscall_set wanted = {0};
	struct trace_options options = {.follow = true, .wanted = &wanted};
	struct run run = {0};
	size_t calls = 0;

	alarm(CASE_LIMIT);
	syscall_set_add(&wanted, ABI_X86_64, SYS_getppid);
	assert_null(trace_create(&options, &run.trace));
	assert_null(trace_launch(run.trace, ARGV(program, "3", "100"), &run.tid));
	stops_run(&run);
	array_for_each (seen, &run.stops) {
		if (seen->stop.kind != STOP_SYSCALL_ENTRY && seen->stop.kind != STOP_SYSCALL_EXIT)
			continue;
		assert_int_equal(seen->stop.syscall.number, SYS_getppid);
		calls++;
	}
	assert_int_equal(calls, 600);
	assert_int_equal(stops_count(&run, STOP_CHILD), 3);
	assert_int_equal(stops_count(&run, STOP_EXITED), 4);
	stops_end(&run);
}

// Every task that was seen ends once, and nothing is seen of it then.
static void check_ends(const struct run *run)
{
	bool *ended = calloc(run->stops.count, sizeof(*ended));
	bool *began = calloc(run->stops.count, sizeof(*began));

	array_for_each (seen, &run->stops) {
		enum stop_kind kind = seen->stop.kind;

		assert_false(ended[seen->id.serial]);
		began[seen->id.serial] = true;
		ended[seen->id.serial] =
			kind == STOP_KILLED || kind == STOP_EXITED || kind == STOP_SUPERSEDED;
	}
	for (size_t i = 0; i < run->stops.count; i++)
		assert_int_equal(began[i], ended[i]);
	free(ended);
	free(began);
}

// Whatever the task is doing: its end is reported, once, and nothing hangs.
static bool kill_at(char *const argv[], size_t index, bool before_resume)
{
	struct run run = stops_launch(true, argv);
	struct stop stop;
	bool reached = false;

	while (stops_next(run.trace, &stop)) {
		int tgid = stop.tracee->tgid;

		stops_keep(&run, &stop);
		if (run.stops.count - 1 == index)
			reached = true;
		if (reached && before_resume)
			kill(tgid, SIGKILL);
		trace_resume(run.trace, &stop, false);
		if (reached)
			kill(run.tid, SIGKILL);
	}
	check_ends(&run);
	stops_end(&run);
	return reached;
}

CASE(killed_at_every_stop)
{
	cleanup_free char *exec = stops_program("exec_from_thread");
	cleanup_free char *vfork = stops_program("vfork_exec");
	size_t index;

	for (index = 0; kill_at(ARGV("true"), index, true); index++)
		;
	assert_true(index > 10);
	for (index = 0; kill_at(ARGV("true"), index, false); index++)
		;
	// The start of the program is the same for all: skip most of it.
	for (index = 40; kill_at(ARGV(exec, "/bin/true"), index, index % 2); index += 3)
		;
	for (index = 40; kill_at(ARGV(vfork, "/bin/true"), index, index % 2); index += 3)
		;
}

// One task that makes calls without end does not keep others from being served.
CASE(the_round_is_fair)
{
	struct run run = stops_launch(
		true, ARGV("sh", "-c", "(while :; do cd /; done) & sleep 0.1; kill $!"));
	struct stop stop;

	while (stops_next(run.trace, &stop))
		trace_resume(run.trace, &stop, false);
	stops_end(&run);
}

CASE(rest_is_told_once)
{
	struct run run = stops_launch(false, ARGV("sleep", "0.3"));
	struct stop stop;
	enum trace_result result, last = TRACE_STOP;
	size_t rests = 0;

	while ((result = trace_next(run.trace, &stop)) != TRACE_DONE) {
		if (result == TRACE_STOP)
			trace_resume(run.trace, &stop, false);
		else
			assert_int_not_equal(last, TRACE_IDLE);
		rests += result == TRACE_IDLE;
		last = result;
	}
	assert_true(rests >= 1);
	stops_end(&run);
}

CASE(a_signal_interrupts_the_wait)
{
	struct run run = stops_launch(false, ARGV("sleep", "1000"));
	struct stop stop;
	enum trace_result result;
	bool told = false;

	while ((result = trace_next(run.trace, &stop)) != TRACE_INTERRUPTED) {
		assert_int_not_equal(result, TRACE_DONE);
		if (result == TRACE_STOP)
			trace_resume(run.trace, &stop, false);
		if (result == TRACE_IDLE && !told) {
			told = true;
			kill(getpid(), SIGTERM);
		}
	}
	assert_int_equal(trace_signal(run.trace), SIGTERM);
	trace_pass_on(run.trace, SIGTERM);
	while (stops_next(run.trace, &stop)) {
		stops_keep(&run, &stop);
		trace_resume(run.trace, &stop, false);
	}
	assert_int_equal(stops_first(&run, STOP_KILLED)->stop.signal, SIGTERM);
	stops_end(&run);
}

// Children of ours that are not traced (the reader of a pipe, say) stay ours to wait for.
CASE(other_children_are_not_reaped)
{
	pid_t other = fork();
	struct run run;
	int status;

	if (other == 0)
		_exit(9);
	stops_await_state(other, 'Z');
	run = stops_of(true, ARGV("true"));
	assert_int_equal(waitpid(other, &status, 0), other);
	assert_int_equal(WEXITSTATUS(status), 9);
	stops_end(&run);
}

RUN_CASES(ADD(first_comes_the_execve), ADD(exit_status_and_death),
	ADD(what_is_not_there_is_not_launched), ADD(a_failed_execve_is_seen),
	ADD(the_command_gets_our_signal_settings_as_they_were), ADD(many_threads_lose_nothing),
	ADD(many_children_lose_nothing), ADD(without_follow_children_are_left_alone),
	ADD(vfork_is_told_from_fork), ADD(exec_from_a_thread), ADD(i386_tasks),
	ADD(signals_arrive_unchanged), ADD(registers_tell_the_word_size), ADD(group_stop),
	ADD(skip_exit_hides_that_exit_only), ADD(calls_that_are_not_wanted_do_not_stop),
	ADD(killed_at_every_stop), ADD(the_round_is_fair), ADD(rest_is_told_once),
	ADD(a_signal_interrupts_the_wait), ADD(other_children_are_not_reaped));
