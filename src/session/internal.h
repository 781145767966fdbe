// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SESSION_INTERNAL_H
#define SRC_SESSION_INTERNAL_H

/** The session's state and the handlers its loop chooses from. */

#include "base/hash.h"
#include "decode/call.h"
#include "filter/match.h"
#include "output/outputs.h"
#include "proc/schedstat.h"
#include "proc/uring_forms.h"
#include "session/explain.h"
#include "session/long_calls.h"
#include "session/perf_events.h"
#include "session/session.h"
#include "session/source_ptrace.h"
#include "session/task.h"
#include "trace/stop.h"

struct kallsyms;
struct session_observe;
struct session_times;
struct summary;

struct session {
	const struct session_options *options;
	struct source_ptrace ptrace;
	struct outputs outputs;
	/** NULL without stacks. */
	struct unwind_context *unwind;
	/** NULL unless servers may be asked. */
	struct debuginfod *debuginfod;
	/** NULL unless page faults are asked for, or calls observed. */
	struct perf_events *perf;
	/** NULL unless calls are observed. */
	struct session_observe *observe;
	/** NULL without --sched. */
	struct session_times *times;
	/** Calls, faults and signals shown. */
	uint64_t event_count;
	/** NULL without -c. */
	struct summary *summary;
	/** For @summary and @times. */
	struct schedstat_pool schedstat;
	/** NULL until a kernel address needs a name. */
	struct kallsyms *kernel_symbols;
	/** The kernel's stacks cannot be read, and that was said. */
	bool kernel_stacks_hidden;
	/** tid to text of /proc/TID/stack from before it was attached to. */
	struct hash sleeping;
	/** Only used if the query has paths. */
	struct match_paths paths;
	/** Only known if the query has paths. */
	struct uring_forms uring_forms;
	/** CALL_BLIND_* that the user was told of. */
	unsigned told_blind;
	/** The user was told of a process, see session/access_check.h. */
	bool told_hidden;
	struct long_calls long_calls;
	/** What trace_options.woken was to be without @long_calls; may be NULL. */
	bool (*perf_woken)(void *context);
	/** tgid to struct session_process. */
	struct hash processes;
	/** Arena for events that are not calls. */
	struct call scratch;
	/** The launched command's process, or 0. */
	int command_pid;
	/** It runs the command's program: before that its code is our own. */
	bool command_runs;
	/** Of the call seen last: what new tasks are taken to use. */
	enum abi_id abi;
	/** How many tasks the output was told are traced. */
	size_t task_count;
	struct stop_set stops;
	/** Since when output waits to be flushed, in milliseconds of a coarse clock; or 0. */
	uint64_t held_since;
	/** Every process is watched, see session/fd_watch.h. */
	bool watches_all;
	/** Some process has a seccomp filter of its own. */
	bool refuses;
	/** How often something may have come to the place of what is asked for. */
	uint64_t moves;
	/** A task that is not followed shares root and directories with one that is. */
	bool shares_roots;
	struct session_result result;
};

/** on_syscall: entry and exit. True from entry if the exit need not be seen. */
bool session_on_entry(struct session *session, struct session_task *task, const struct stop *stop);
void session_on_exit(struct session *session, struct session_task *task, const struct stop *stop);

/** on_signal. */
void session_on_signal(struct session *session, struct session_task *task, const struct stop *stop);

/** on_lifecycle: children, exec, exits, detaching. */
void session_on_lifecycle(
	struct session *session, struct session_task *task, const struct stop *stop);
/** kernel_symbols: loaded when first needed; complains once if the kernel hides them. */
const struct kallsyms *session_kernel_symbols(struct session *session);
/** kernel_stacks: where a task sleeps or stopped in the kernel; false if nobody asked. */
bool session_kernel_stack_take(
	struct session *session, int tid, struct arena *arena, struct kernel_stack *ret);
/** The task @tid is about to be stopped: remembers where it sleeps. */
void session_kernel_stack_remember(struct session *session, int tid);
/** The task stopped: what was remembered, in @arena; false if nothing. */
bool session_kernel_stack_recall(
	struct session *session, int tid, struct arena *arena, struct kernel_stack *ret);
/** Forgets all that was not recalled. */
void session_kernel_stack_forget(struct session *session);

/** perf_events: a message to the user, in the output's place for these. */
void session_note(struct session *session, const char *text);

#endif
