// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "session/observe.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/parse.h"
#include "output/sink.h"
#include "perf/record.h"
#include "perf/sampler.h"
#include "proc/task_status.h"
#include "schema/syscall_set.h"
#include "session/debuginfod_start.h"
#include "session/messages.h"
#include "session/on_lifecycle.h"
#include "session/perf_events.h"
#include "session/perf_records.h"
#include "session/state.h"
#include "trace/command.h"
#include "trace/stop.h"

enum {
	/** Milliseconds after which records that nobody told of are looked for. */
	LOOK_EVERY = 100,
	NS_PER_MS = 1000000,
	/** More calls than this are not worth a filter in the kernel. */
	FILTER_MOST = 100,
};

static const int ending_signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM};

// What was ignored when we were started (nohup, a job in the background) does not end us.
static void block_signals(struct session *session)
{
	struct session_observe *observe = session->observe;
	struct sigaction action;

	sigemptyset(&observe->signals);
	sigaddset(&observe->signals, SIGCHLD);
	observe->blocked = observe->signals;
	for (size_t i = 0; i < ARRAY_SIZE(ending_signals); i++) {
		if (sigaction(ending_signals[i], NULL, &action) != 0 ||
			action.sa_handler == SIG_IGN)
			continue;
		sigaddset(&observe->blocked, ending_signals[i]);
		if (!session->options->leave_signals)
			sigaddset(&observe->signals, ending_signals[i]);
	}
	sigprocmask(SIG_BLOCK, &observe->blocked, &observe->old_mask);
	// Ignored, it would not be sent.
	action = (struct sigaction){.sa_handler = SIG_DFL};
	sigaction(SIGCHLD, &action, &observe->old_sigchld);
}

// In the child. It waits until it is watched; if we die before, it leaves.
static _Noreturn void run_child(const struct session_observe *observe, const int go[2],
	const char *path, char *const argv[])
{
	ssize_t got;
	char byte;

	close(go[1]);
	while ((got = read(go[0], &byte, 1)) < 0 && errno == EINTR)
		;
	if (got != 1)
		_exit(1);
	sigaction(SIGCHLD, &observe->old_sigchld, NULL);
	sigprocmask(SIG_SETMASK, &observe->old_mask, NULL);
	execv(path, argv);
	message_say("exec: %s", strerror(errno));
	_exit(1);
}

static struct error *launch(struct session *session)
{
	char *const *argv = session->options->command;
	cleanup_free char *path = NULL;
	struct error *error = command_find(argv[0], &path);
	int go[2];

	if (error)
		return error;
	if (pipe2(go, O_CLOEXEC) != 0)
		return error_errno(errno, "create a pipe");
	session->command_pid = fork();
	if (session->command_pid == 0)
		run_child(session->observe, go, path, argv);
	close(go[0]);
	session->observe->go_fd = go[1];
	return session->command_pid < 0 ? error_errno(errno, "fork") : NULL;
}

static struct error *watch(struct session *session, int tid, int tgid)
{
	struct error *error = sampler_add(session->perf->sampler, tid, /* on_exec= */ false);

	if (!error)
		session_observed_met(session, session_observed_task(session, tid, tgid));
	return error;
}

// Threads that are created meanwhile are found by the next look, if not by their creator.
static struct error *watch_threads(struct session *session, int pid)
{
	cleanup_free char *path = xasprintf("/proc/%d/task", pid);
	bool some = true;

	while (some) {
		cleanup_closedir DIR *directory = opendir(path);
		struct dirent *entry;

		some = false;
		while (directory && (entry = readdir(directory))) {
			struct error *error;
			int tid;

			if (!parse_int(entry->d_name, &tid) ||
				hash_get(&session->perf->tasks, (uint64_t)tid))
				continue;
			error = watch(session, tid, pid);
			if (error)
				return error;
			some = true;
		}
	}
	return NULL;
}

static struct error *watch_process(struct session *session, int pid)
{
	if (kill(pid, 0) != 0 && errno == ESRCH)
		return error_errno(errno, "observe process %d", pid);
	return session->options->follow ? watch_threads(session, pid)
					: watch(session, pid, task_tgid(pid));
}

// "id == 1 || id == 2 ...": numbers of all ABIs together; false where most calls are wanted.
static bool call_filter(const struct syscall_set *set, struct buf *ret)
{
	size_t count = 0;

	if (set->unknown)
		return false;
	// A call that gives back a signal's registers has no number at its end.
	buf_string(ret, "id == -1");
	for (uint64_t number = 0; number < SYSCALL_SET_NUMBERS; number++) {
		bool wanted = false;

		for (enum abi_id abi = 0; abi < ABI_COUNT; abi++)
			wanted |= syscall_set_has(set, abi, number);
		if (wanted && ++count <= FILTER_MOST)
			buf_printf(ret, " || id == %llu", (unsigned long long)number);
	}
	return count <= FILTER_MOST;
}

static struct error *watch_all(struct session *session)
{
	const struct session_options *options = session->options;
	struct perf_events *events = session->perf;
	struct error *error = NULL;

	if (options->observe.everything)
		return sampler_add_everything(events->sampler);
	for (size_t i = 0; !error && i < options->pid_count; i++)
		error = watch_process(session, options->pids[i]);
	if (!error && session->command_pid)
		error = sampler_add(events->sampler, session->command_pid, /* on_exec= */ false);
	return error;
}

struct error *session_observe_start(struct session *session)
{
	struct error *error = NULL;
	struct buf filter = {0};

	session->observe = xcalloc(1, sizeof(*session->observe));
	session->observe->go_fd = -1;
	stop_set_init(&session->stops, session->options);
	block_signals(session);
	error = perf_events_create_observer(
		session, call_filter(&session->stops.calls, &filter) ? buf_text(&filter) : NULL);
	if (session->perf)
		source_perf_init(&session->perf->source, session);
	if (!error && session->options->command)
		error = launch(session);
	if (!error)
		error = perf_events_start(session);
	if (!error)
		error = watch_all(session);
	buf_deinit(&filter);
	// Without the byte the child leaves.
	if (!error && session->command_pid && write(session->observe->go_fd, "", 1) != 1)
		error = error_errno(errno, "write to a pipe");
	if (session->observe->go_fd >= 0)
		close(session->observe->go_fd);
	session->observe->go_fd = -1;
	return error;
}

static void drain(struct session *session)
{
	struct record *const *records;
	size_t count;

	records = sampler_take(session->perf->sampler, &count);
	for (size_t i = 0; i < count && !session_is_full(session); i++)
		session_observed(session, records[i]);
	sink_flush(session->options->sink);
}

// A task whose end was among what was lost.
static void sweep(struct session *session)
{
	struct hash *tasks = &session->perf->tasks;
	struct hash_entry *entry;
	struct timespec now;
	size_t position = 0;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	if (now.tv_sec == session->observe->swept)
		return;
	session->observe->swept = now.tv_sec;
	while ((entry = hash_next(tasks, &position))) {
		struct session_task *task = entry->value;

		if (kill(task->id.tid, 0) == 0 || errno != ESRCH)
			continue;
		session_call_abandon(session, task, CALL_NO_RESULT);
		session_observed_drop(session, task);
		position = 0;
	}
}

static bool is_over(const struct session *session)
{
	const struct session_observe *observe = session->observe;

	if (session->command_pid && !observe->reaped)
		return false;
	if (session->options->observe.everything)
		return session->command_pid;
	return !session->perf->tasks.count;
}

static void pass_on(struct session *session, int signal)
{
	session->result.interrupted = signal;
	if (!session->command_pid || session->observe->reaped)
		return;
	kill(session->command_pid, SIGCONT);
	kill(session->command_pid, signal);
}

void session_observe_run(struct session *session)
{
	static const struct timespec patience = {.tv_nsec = LOOK_EVERY * NS_PER_MS};
	struct session_observe *observe = session->observe;

	while (!session_is_full(session) && !sink_error(session->options->sink)) {
		int signal = sigtimedwait(&observe->signals, NULL, &patience);
		bool is_last;

		if (signal > 0 && signal != SIGCHLD) {
			drain(session);
			pass_on(session, signal);
			return;
		}
		session_observe_reap(session, /* wait= */ false);
		is_last = session->command_pid && observe->reaped;
		drain(session);
		session_flush_pending(session, /* wait= */ false);
		if (signal < 0 || is_last)
			sweep(session);
		if (is_over(session))
			return;
	}
}

void session_observe_end(struct session *session)
{
	struct hash_entry *entry;
	size_t position = 0;

	if (!session->observe || !session->perf)
		return;
	while ((entry = hash_next(&session->perf->tasks, &position))) {
		struct session_task *task = entry->value;
		const struct stop stop = {.kind = STOP_DETACHED};

		if (session->options->observe.everything)
			session_observed_drop(session, task);
		else
			session_on_lifecycle(session, task, &stop);
		position = 0;
	}
}

void session_observe_destroy(struct session *session)
{
	const struct timespec at_once = {0};
	struct session_observe *observe = session->observe;

	if (!observe)
		return;
	// What came too late must not end us now, on the way to our exit status.
	while (sigtimedwait(&observe->blocked, NULL, &at_once) > 0)
		;
	sigaction(SIGCHLD, &observe->old_sigchld, NULL);
	sigprocmask(SIG_SETMASK, &observe->old_mask, NULL);
	hash_deinit(&observe->ends);
	free(observe);
	session->observe = NULL;
}
