// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "session/session.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "filter/match.h"
#include "filter/query.h"
#include "output/sink.h"
#include "perf/kallsyms.h"
#include "proc/task_status.h"
#include "session/debuginfod_start.h"
#include "session/fd_watch.h"
#include "session/frame_names.h"
#include "session/kernel_stacks.h"
#include "session/messages.h"
#include "session/on_lifecycle.h"
#include "session/on_signal.h"
#include "session/on_syscall.h"
#include "session/source_perf.h"
#include "session/source_ptrace.h"
#include "session/state.h"
#include "trace/residual_tracer.h"
#include "trace/trace.h"
#include "unwind/unwind.h"

enum {
	/** A line waits no longer than this for others to be written with it. */
	HELD_MS = 100,
};

static void report_task_count(struct session *session)
{
	size_t count = trace_count(session->ptrace.trace);

	if (count == session->task_count)
		return;
	session->task_count = count;
	outputs_tasks(&session->outputs, count);
}

static bool dispatch(struct session *session, struct session_task *task, const struct stop *stop)
{
	switch (stop->kind) {
	case STOP_SYSCALL_ENTRY:
		return session_on_entry(session, task, stop);
	case STOP_SYSCALL_EXIT:
		session_on_exit(session, task, stop);
		return false;
	case STOP_SIGNAL:
	case STOP_GROUP:
		session_on_signal(session, task, stop);
		return false;
	case STOP_CHILD:
	case STOP_EXEC:
	case STOP_STARTED:
	case STOP_EXITED:
	case STOP_KILLED:
	case STOP_SUPERSEDED:
	case STOP_DETACHED:
		session_on_lifecycle(session, task, stop);
		return false;
	case STOP_OTHER:
		return false;
	}
	assert(!"stop kind");
	return false;
}

static bool handle_stop(struct session *session, const struct stop *stop)
{
	struct session_task *task;
	bool skip_exit;

	// First what happened before the stop, while everything is still mapped where it was.
	perf_events_drain(session);
	task = source_ptrace_task(&session->ptrace, stop->tracee);
	mem_forget(&task->live.mem);
	source_ptrace_account(&session->ptrace, task);
	report_task_count(session);
	skip_exit = dispatch(session, task, stop);
	if (stop->tracee->user)
		fd_watch_stop(session, task, stop);
	return skip_exit;
}

static void task_gone(void *context, struct tracee *tracee)
{
	struct session *session = context;
	struct stop stop = {.kind = STOP_DETACHED, .tracee = tracee};

	handle_stop(session, &stop);
}

// A signal 0 means that the process the user sees is gone: nobody asked for anything.
static void interrupted(struct session *session, int signal)
{
	session->result.interrupted = signal;
	// That nobody reads what we write is no reason to end for the command.
	if (signal && signal != SIGPIPE)
		trace_pass_on(session->ptrace.trace, signal);
}

static uint64_t coarse_milliseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

// What the command writes itself comes after the lines about what it did before, so on its
// standard error nothing is held back. A file gets large pieces; nothing waits for long.
static void settle_output(struct session *session)
{
	struct sink *sink = session->options->sink;

	if (!sink_pending(sink)) {
		session->held_since = 0;
		return;
	}
	if (!session->held_since)
		session->held_since = coarse_milliseconds();
	if (!sink_is_stderr(sink) && coarse_milliseconds() - session->held_since < HELD_MS)
		return;
	sink_flush(sink);
	session->held_since = 0;
}

static bool woken(void *context)
{
	struct session *session = context;
	bool by_faults = session->perf_woken && session->perf_woken(context);

	bool by_servers = session->debuginfod && debuginfod_has_news(session->debuginfod);

	return session_long_calls_due(session) || by_faults || by_servers;
}

static void show_long_calls(struct session *session)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	session_call_show_long(session, now);
}

// -b execve. The first one of the command is how it starts.
static bool is_left(const struct session *session, const struct stop *stop)
{
	return session->options->detach_on_exec && stop->kind == STOP_EXEC &&
	       (session->command_runs || stop->tracee->tgid != session->command_pid);
}

static void take_stop(struct session *session, const struct stop *stop)
{
	bool leave = is_left(session, stop);
	bool skip_exit = handle_stop(session, stop);

	settle_output(session);
	if (leave)
		trace_let_go(session->ptrace.trace, stop, task_gone, session);
	else
		trace_resume(session->ptrace.trace, stop, skip_exit);
}

static void run_loop(struct session *session)
{
	struct stop stop;

	for (;;) {
		switch (trace_next(session->ptrace.trace, &stop)) {
		case TRACE_STOP:
			take_stop(session, &stop);
			if (sink_error(session->options->sink) || session_is_full(session))
				return;
			break;
		case TRACE_IDLE:
			show_long_calls(session);
			sink_flush(session->options->sink);
			session->held_since = 0;
			break;
		case TRACE_WOKEN:
			perf_events_drain(session);
			if (session_is_full(session))
				return;
			show_long_calls(session);
			session_flush_pending(session, /* wait= */ false);
			sink_flush(session->options->sink);
			break;
		case TRACE_ASKED:
			outputs_event(&session->outputs, &(struct event){.kind = EVENT_ASKED});
			break;
		case TRACE_INTERRUPTED:
			interrupted(session, trace_signal(session->ptrace.trace));
			return;
		case TRACE_DONE:
			return;
		}
	}
}

static void attaching(void *context, int tid)
{
	session_kernel_stack_remember(context, tid);
	perf_events_attaching(context, tid);
}

// A process that looks like a zombie, and is none.
static void say_leader_has_exited(struct session *session, int pid)
{
	struct task_status status;
	cleanup_free char *text = NULL;

	if (!task_status_read(pid, &status) || status.state != 'Z' || status.tgid != pid ||
		(session->options->quiet & SESSION_QUIET_ATTACH))
		return;
	text = xasprintf("the first thread of process %d has exited; the others are traced", pid);
	message_note(session, text);
}

static struct error *attach(struct session *session, int pid)
{
	struct error *error = trace_attach(session->ptrace.trace, pid);

	if (!error)
		say_leader_has_exited(session, pid);
	return error;
}

// The time that we take is not the command's, which has its limits by now.
static void lift_limits(void)
{
	const struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
	struct rlimit limit;

	if (setrlimit(RLIMIT_CPU, &none) == 0 || getrlimit(RLIMIT_CPU, &limit) != 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_CPU, &limit);
}

// Who reads what the command writes must see its end, and what it is to read be only its own.
static void release_streams(void)
{
	cleanup_close int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int fd = STDIN_FILENO; fd <= STDOUT_FILENO && null > fd; fd++)
		dup2(null, fd);
}

static struct error *start(struct session *session)
{
	const struct session_options *options = session->options;
	struct trace_options trace_options = {
		.follow = options->follow,
		.leave_signals = options->leave_signals,
		.wanted = &session->stops.calls,
		.supervisor_pid = options->supervisor_pid,
		.supervisor_pipe = options->supervisor_pipe,
		.scheduling = options->scheduling,
		.startup = options->startup,
		.kill_on_exit = options->kill_on_exit,
		.never_stops = options->never_stops,
	};
	struct error *error;

	trace_options.attaching = attaching;
	trace_options.context = session;
	trace_options.asking_signal = session->unwind ? SIGUSR1 : 0;
	error = perf_events_create(session, &trace_options);
	if (session->perf)
		source_perf_init(&session->perf->source, session);
	session->perf_woken = trace_options.woken;
	trace_options.woken = woken;

	stop_set_init(&session->stops, options);
	if (options->supervisor_pid) {
		trace_options.traps = &session->stops.traps;
		trace_options.no_new_privs = options->no_new_privs;
	}
	if (!error)
		error = trace_create(&trace_options, &session->ptrace.trace);
	if (!error)
		session_long_calls_start(session, options->stacks.after);
	for (size_t i = 0; !error && i < options->pid_count; i++)
		error = attach(session, options->pids[i]);
	if (!error && options->command)
		error = trace_launch(
			session->ptrace.trace, options->command, &session->command_pid);
	if (!error && options->command)
		release_streams();
	if (!error && options->supervisor_pid)
		lift_limits();
	if (!error && options->command)
		error = perf_events_launched(session, session->command_pid);
	if (!error)
		error = perf_events_start(session);
	return error;
}

static void tell_scheduling(const struct trace *trace)
{
	const uint64_t *stops = trace_stops(trace);

	message_say("scheduling: %" PRIu64 " stops as the kernel decides, %" PRIu64
		    " on the task's CPU, %" PRIu64 " there as SCHED_IDLE, %" PRIu64 " awake",
		stops[SCHEDULE_PLAIN], stops[SCHEDULE_ON_CPU], stops[SCHEDULE_IDLE],
		stops[SCHEDULE_AWAKE]);
}

// That nobody reads what goes to our standard error is for nobody to know.
static bool writes_to_nobody(const struct sink *sink)
{
	return sink_error(sink) == EPIPE && sink_is_stderr(sink);
}

static bool cannot_write(const struct session *session)
{
	const struct sink *sink = session->options->sink;

	return sink_error(sink) && !writes_to_nobody(sink) && !session->result.interrupted;
}

static void say_write_error(const struct sink *sink)
{
	if (sink_error(sink) && !writes_to_nobody(sink))
		message_say("cannot write to %s: %s", sink_name(sink), strerror(sink_error(sink)));
}

static void set_result(struct session *session, int status)
{
	session->result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
	session->result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

// With a filter it still needs us: see session_supervise_end().
static void wait_for_filtered_command(struct session *session)
{
	int status;

	if (residual_serve_command(session->result.residual, &status))
		set_result(session, status);
}

// The tasks were let go because enough was shown, or no more can be: the command ends by itself.
static void wait_for_command(struct session *session)
{
	int status;

	if (!session->command_pid || session->options->supervisor_pid ||
		(session->ptrace.trace && trace_filters(session->ptrace.trace)))
		return;
	while (waitpid(session->command_pid, &status, 0) < 0) {
		if (errno != EINTR)
			return;
	}
	set_result(session, status);
}

struct error *session_run(const struct session_options *options, struct session_result *ret)
{
	struct session session = {.options = options};
	struct output_options output_options = options->output;
	struct unwind_options unwind_options = options->unwind;
	struct frame_describer describer;
	struct error *error = NULL;

	if (options->output.stack != OUTPUT_STACK_NONE || options->faults.minor ||
		options->faults.major) {
		error = debuginfod_start_asking(options, &session.debuginfod);
		if (error)
			return error;
		unwind_options.debuginfod = session.debuginfod;
		session.unwind = unwind_context_create(&unwind_options);
	}
	output_options.unwind = session.unwind;
	if (session.unwind) {
		describer = frame_names_of(session.unwind);
		output_options.describer = &describer;
	}
	if (options->query->paths.patterns.count)
		match_paths_init(&session.paths, &options->query->paths,
			options->follow && !options->observe.enabled, options->decode.fd_paths);
	source_ptrace_init(&session.ptrace, &session);
	session.watch.source = &session.ptrace.base;
	for (size_t i = 0; i < options->request_count; i++)
		outputs_add(
			&session.outputs, &options->requests[i], &output_options, options->sink);
	error = options->observe.enabled ? session_observe_start(&session) : start(&session);
	if (!error && options->observe.enabled)
		session_observe_run(&session);
	else if (!error)
		run_loop(&session);
	session.wrote_all = !sink_error(options->sink);
	say_write_error(options->sink);
	perf_events_release(&session);
	session_long_calls_stop(&session);
	if (session.ptrace.trace)
		trace_detach_all(session.ptrace.trace, task_gone, &session);
	session_observe_end(&session);
	perf_events_finish(&session);
	if (!error && (session_is_full(&session) || cannot_write(&session)))
		wait_for_command(&session);
	session_flush_pending(&session, /* wait= */ true);
	session_explain_end(&session);
	outputs_finish(&session.outputs);
	schedstat_pool_deinit(&session.schedstat);
	sink_flush(options->sink);
	if (session.wrote_all)
		say_write_error(options->sink);
	if (options->debug && session.ptrace.trace)
		tell_scheduling(session.ptrace.trace);
	session.result.residual =
		session.ptrace.trace ? trace_take_residual(session.ptrace.trace) : NULL;
	if (session.result.residual && cannot_write(&session))
		wait_for_filtered_command(&session);
	trace_destroy(session.ptrace.trace);
	session_observe_destroy(&session);
	session_process_forget_unseen(&session);
	assert(!session.processes.count);
	hash_deinit(&session.processes);
	if (options->query->paths.patterns.count)
		match_paths_deinit(&session.paths);
	uring_forms_deinit(&session.uring_forms);
	call_deinit(&session.scratch);
	session_kernel_stack_forget(&session);
	kallsyms_destroy(session.kernel_symbols);
	if (session.unwind)
		unwind_context_destroy(session.unwind);
	debuginfod_stop(session.debuginfod);
	if (!error)
		*ret = session.result;
	return error;
}
