// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "session/fd_watch.h"

#include <limits.h>
#include <sched.h>
#include <stddef.h>

#include "base/array.h"
#include "filter/query.h"
#include "proc/task_status.h"
#include "schema/lookup.h"
#include "schema/syscall.h"
#include "session/access_check.h"
#include "session/memory.h"
#include "session/state.h"
#include "trace/stop.h"

enum {
	/** So often all threads of a process are interrupted because something has come. */
	ARRIVALS_MOST = 8,
};

static bool is_filtered(const struct session *session)
{
	return session->watch.source && source_is_filtered(session->watch.source);
}

// Whether watching makes a difference.
static bool is_active(const struct session *session)
{
	return session->stops.watches && is_filtered(session);
}

// Whether the process has anything of what is asked for, or by which that comes unseen.
static bool holds(struct session *session, struct session_task *task)
{
	struct path_filter *filter = &session->paths.filter;

	path_filter_begin(filter, &task->path);
	return path_filter_fds(filter, &task->path, 0, UINT_MAX) == PATH_WANTED ||
	       path_filter_region(filter, &task->path, 0, UINT64_MAX) == PATH_WANTED ||
	       filter->brings;
}

static void watch_process(
	struct session *session, const struct session_process *process, bool watch)
{
	struct session_source *source = session->watch.source;

	source->ops->watch_process(source, process->tgid, watch);
}

static void set_watched(struct session *session, struct session_process *process, bool watched)
{
	if (process->watch.is_on == watched)
		return;
	process->watch.is_on = watched;
	if (watched && process->watch.threaded && ++process->watch.arrivals == ARRIVALS_MOST)
		process->watch.for_good = true;
	watch_process(session, process, watched || process->watch.refuses);
}

// What another filter refuses never comes to a stop by ours.
static void look_for_filters(struct session *session, struct session_task *task)
{
	if (task->process->watch.refuses || !task_status_filters(task->id.tid))
		return;
	session->watch.refuses = task->process->watch.refuses = true;
	watch_process(session, task->process, true);
}

static void watch_for_good(struct session *session, struct session_process *process)
{
	process->watch.for_good = true;
	set_watched(session, process, true);
}

static void look(struct session *session, struct session_task *task)
{
	struct session_process *process = task->process;
	bool found = holds(session, task);

	process->watch.moves = session->watch.moves;
	if (!found && process->watch.is_on)
		session_access_check(session, task);
	set_watched(session, process, process->watch.for_good || found);
}

static void on_child(struct session *session, struct session_task *task, const struct stop *stop)
{
	uint64_t flags = stop->clone_flags;
	bool is_thread = flags & CLONE_THREAD;
	bool shares_memory = flags & CLONE_VM && (is_thread || !(flags & CLONE_VFORK));

	if (flags & CLONE_FS && !session->options->follow)
		session->watch.shares_roots = true;
	task->process->watch.threaded |= is_thread;
	if ((is_thread && flags & CLONE_FILES && session->options->follow) ||
		(!shares_memory && !(flags & CLONE_FILES)))
		return;
	watch_for_good(session, task->process);
	// Which process it is will be seen later.
	if (!is_thread)
		session->watch.everything = true;
}

static void on_exec(struct session_process *process)
{
	process->watch.for_good = process->watch.threaded = false;
	process->watch.arrivals = 0;
}

static void follow(struct session *session, struct session_task *task, const struct stop *stop)
{
	struct session_process *process = task->process;

	if (stop->kind == STOP_CHILD)
		on_child(session, task, stop);
	if (stop->kind == STOP_EXEC)
		on_exec(process);
	// A thread may be ahead of the news.
	if (stop->kind == STOP_STARTED && process->task_count > 1)
		process->watch.threaded = true;
	if (session->watch.everything)
		watch_for_good(session, process);
	// What a new thread has the others have too.
	if (stop->kind == STOP_EXEC || (stop->kind == STOP_STARTED && process->task_count == 1))
		look(session, task);
	if (stop->kind == STOP_SYSCALL_ENTRY)
		task->call.was_watched = process->watch.is_on;
	// With a filter, every new task is seen, also one that is not followed.
	session->paths.filter.keeps = !session->watch.shares_roots;
}

void fd_watch_stop(struct session *session, struct session_task *task, const struct stop *stop)
{
	if (!is_filtered(session))
		return;
	// Who created it may have got one since.
	if (stop->kind == STOP_STARTED && session->watch.refuses)
		look_for_filters(session, task);
	if (session->stops.watches)
		follow(session, task, stop);
	task->source->ops->watch(
		task->source, task, task->process->watch.is_on || task->process->watch.refuses);
}

// Whether the call may move what is asked for, or something to its place: it does so by a path
// above it or in it. Which paths a call has that is not to be shown nobody has looked at.
static bool may_move(const struct session *session, const struct session_task *task)
{
	return (task->call.facts & FACT_MOVES_NAMES) &&
	       (session->paths.above || !syscall_set_has(&session->options->query->calls, task->abi,
						task->call.syscall->number));
}

enum prefilter_verdict fd_watch_prefilter(
	struct session *session, struct session_task *task, const struct stop_syscall *entry)
{
	const struct session_process *process = task->process;
	bool active = is_active(session);
	struct prefilter_call entry_call = {
		.abi = entry->abi,
		.syscall = task->call.syscall,
		.args = entry->args,
		.view = task->view,
	};

	if (!session->options->query->paths.patterns.count || session->options->query->has_fds ||
		entry->in_flight)
		return PREFILTER_UNSURE;
	// Others may have moved what this process holds.
	if (active && process->watch.moves != session->watch.moves)
		look(session, task);
	entry_call.holds_nothing = active && !process->watch.is_on;
	entry_call.alone = active && !process->watch.for_good && !process->watch.threaded;
	if (active && (task->call.facts & FACT_MOVES_NAMES))
		return PREFILTER_UNSURE;
	return prefilter_check(&session->paths, &task->path, &entry_call);
}

bool fd_watch_entry(struct session *session, struct session_task *task)
{
	const unsigned exit_matters =
		FACT_BRINGS_FD | FACT_HIDES_FDS | FACT_SPLITS_FDS | FACT_INVITES_FDS;
	const struct session_process *process = task->process;

	if (!is_active(session))
		return false;
	if (may_move(session, task) || task->call.facts & exit_matters)
		return true;
	// While it runs, another thread may close the last of what is held, and this one a copy.
	if (process->watch.is_on && process->watch.threaded && !process->watch.for_good)
		return true;
	// Of a process that is not watched only the variants that matter stop.
	return task->call.facts & (process->watch.is_on ? FACT_DROPS_FD : FACT_VARIANTS_BRING_FD);
}

static bool returns_fd(const struct session_task *task, const struct stop *stop)
{
	return prefilter_returns_fd(&(struct prefilter_call){
		.abi = stop->syscall.abi,
		.syscall = task->call.syscall,
		.args = stop->syscall.args,
	});
}

// Of an unwatched process: whether the call may have given it something.
static bool may_have_come(
	struct session *session, struct session_task *task, const struct stop *stop, bool matched)
{
	struct path_filter *filter = &session->paths.filter;

	if (matched || task->call.was_watched)
		return true;
	if (!(task->call.facts & (FACT_BRINGS_FD | FACT_VARIANTS_BRING_FD)))
		return false;
	// What it brought was asked about already.
	if (!task->call.ignored)
		return filter->brings;
	if (!returns_fd(task, stop))
		return true;
	path_filter_begin(filter, &task->path);
	return path_filter_fd(filter, &task->path, (int)stop->syscall.retval) == PATH_WANTED ||
	       filter->brings;
}

// Of a watched one: whether something may have gone.
static bool may_have_gone(const struct session_task *task, bool matched)
{
	return (matched || task->call.ignored) && (task->call.facts & FACT_DROPS_FD);
}

// What a child of vfork() maps, before it executes a program, is mapped in its parent too.
static void tell_sharers(struct session *session, const struct session_task *task)
{
	const struct session_process *process = task->process;
	size_t position = 0;
	struct hash_entry *entry;

	if (!(task->call.facts & (FACT_CHANGES_MAPS | FACT_PROTECTS_MAPS)) ||
		process->memory->references == 1)
		return;
	while ((entry = hash_next(&session->processes, &position))) {
		struct session_process *other = entry->value;

		if (other != process && other->memory == process->memory)
			watch_for_good(session, other);
	}
}

void fd_watch_exit(
	struct session *session, struct session_task *task, const struct stop *stop, bool matched)
{
	struct session_process *process = task->process;

	if (is_filtered(session) && task->call.facts & FACT_FILTERS_CALLS &&
		!stop->syscall.is_error)
		look_for_filters(session, task);
	if (!is_active(session) || stop->syscall.is_error)
		return;
	if (task->call.facts & FACT_MOVES_NAMES) {
		session->watch.moves++;
		path_filter_files_changed(&session->paths.filter);
	}
	// By what it executes this one stays open to others, and so does what it creates.
	if ((task->call.facts & FACT_INVITES_FDS) && returns_fd(task, stop))
		session->watch.everything = true;
	if (matched || (task->call.ignored && process->watch.is_on))
		tell_sharers(session, task);
	if (process->watch.for_good)
		return;
	if (task->call.facts & FACT_HIDES_FDS ||
		(task->call.facts & FACT_SPLITS_FDS && process->watch.threaded))
		watch_for_good(session, process);
	else if (process->watch.is_on ? may_have_gone(task, matched)
				      : may_have_come(session, task, stop, matched))
		look(session, task);
}
