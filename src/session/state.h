// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SESSION_STATE_H
#define SRC_SESSION_STATE_H

/** The state of one run, made of the objects of its rooms. */

#include "base/hash.h"
#include "decode/call.h"
#include "filter/match.h"
#include "output/outputs.h"
#include "proc/schedstat.h"
#include "proc/uring_forms.h"
#include "session/explain.h"
#include "session/long_calls.h"
#include "session/messages.h"
#include "session/perf_events.h"
#include "session/session.h"
#include "session/source_ptrace.h"
#include "session/task.h"
#include "trace/stop.h"

struct kallsyms;
struct session_observe;

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
	/** Calls, faults and signals shown. */
	uint64_t event_count;
	/** Calls shown to their end. */
	uint64_t call_count;
	/** For times on processors. */
	struct schedstat_pool schedstat;
	/** NULL until a kernel address needs a name. */
	struct kallsyms *kernel_symbols;
	/** tid to text of /proc/TID/stack from before it was attached to. */
	struct hash sleeping;
	/** Only used if the query has paths. */
	struct match_paths paths;
	/** Only known if the query has paths. */
	struct uring_forms uring_forms;
	struct messages messages;
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
	struct fd_watch watch;
	/** No write had failed when the loop ended. */
	bool wrote_all;
	struct session_result result;
};

#endif
