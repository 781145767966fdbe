// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SESSION_SESSION_H
#define SRC_SESSION_SESSION_H

/**
 * One run of the tracer: wires the layers together and turns stops into events.
 * The loop is in session.c, one file per kind of event beside it.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decode/decoder.h"
#include "output/explain_symbols.h"
#include "output/output.h"
#include "session/debuginfod_start.h"
#include "session/observe.h"
#include "session/on_fault.h"
#include "session/stop_set.h"
#include "session/thresholds.h"
#include "summary/count.h"
#include "trace/schedule.h"
#include "trace/startup.h"
#include "unwind/unwind.h"

struct error;
struct inject_rules;
struct residual_tracer;
struct query;
struct sink;

enum session_quiet {
	SESSION_QUIET_ATTACH = 1 << 0,
	SESSION_QUIET_EXIT = 1 << 1,
	SESSION_QUIET_PATH_RESOLUTION = 1 << 2,
	SESSION_QUIET_PERSONALITY = 1 << 3,
	SESSION_QUIET_THREAD_EXECVE = 1 << 4,
	SESSION_QUIET_SYMBOLS = 1 << 5,
	SESSION_QUIET_ALL = (1 << 6) - 1,
};

/** Which calls get a stack; only counts if output.stack asks for them. Times in ns, 0: none. */
struct session_stacks {
	/** Each call, signal and page fault. */
	bool every;
	/** Calls that failed; that took so long. */
	bool failed;
	uint64_t slow;
	/** Calls that still run after this time, then. */
	uint64_t after;
};

/** Everything is borrowed for the run. */
struct session_options {
	struct decode_options decode;
	/** @describer and @unwind in it are filled by the session. */
	struct output_options output;
	struct session_stacks stacks;
	/** Used when output.stack asks for stacks. */
	struct unwind_options unwind;
	/** Its paths get more names in time. */
	struct query *query;
	/** --inject and --fault; NULL for none. */
	const struct inject_rules *inject;
	/** The outputs, in the order in which they are told of each event. */
	const struct output_request *requests;
	size_t request_count;
	/** Only programs read what goes to @sink: no line of ours may stand in it. */
	bool is_structured;
	/** Where they write. */
	struct sink *sink;
	/** --kernel-stack: where calls are in the kernel. */
	bool kernel_stack;
	/** --duration and its like. */
	struct threshold_options thresholds;
	struct explain_options explain;
	/** --debuginfod */
	struct debuginfod_start_options servers;
	/** -c and what belongs to it. */
	struct summary_options summary;
	/** --pf and what belongs to it. */
	struct fault_options faults;
	/** --scheduling */
	enum schedule_choice scheduling;
	/** --observe and what belongs to it. */
	struct observe_options observe;
	/** --sched */
	bool sched;
	/** -d: tell on standard error how we chose to work. */
	bool debug;
	/** --seccomp-bpf */
	enum session_filter filter;
	/** The process that the user sees (trace/supervisor.h), or 0 if that is us: no filter. */
	int supervisor_pid;
	/** Where it is told how to end. */
	int supervisor_pipe;
	/** How the command starts. */
	struct startup startup;
	/** --kill-on-exit */
	bool kill_on_exit;
	/** -I never_tstp */
	bool never_stops;
	/** -b execve: a task that executes a program, but for the command itself, is let go. */
	bool detach_on_exec;
	/** The filter needs it. */
	bool no_new_privs;
	/** -f */
	bool follow;
	/** Signals that would end us are left to the command: it decides whether to end. */
	bool leave_signals;
	/** SESSION_QUIET_* */
	unsigned quiet;
	/** The command, NULL-terminated; or NULL when only attaching. */
	char *const *command;
	const int *pids;
	size_t pid_count;
};

struct session_result {
	/** How the command ended: its exit status, or the signal that killed it (else 0). */
	int status;
	int signal;
	/** The signal that ended us before the tasks had ended, or 0. */
	int interrupted;
	/** NULL unless tasks may be left for residual_serve(); session_supervise_end() frees it. */
	struct residual_tracer *residual;
};

/** Runs until no task is left or a signal ends us. An error means nothing could be traced. */
struct error *session_run(const struct session_options *options, struct session_result *ret);

#endif
