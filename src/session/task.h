// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SESSION_TASK_H
#define SRC_SESSION_TASK_H

/**
 * What the session knows about a traced task, and about the process (address
 * space) it shares with its threads.
 */

#include <stdbool.h>

#include "base/hash.h"
#include "base/taddr.h"
#include "event/event.h"
#include "filter/match.h"
#include "proc/task.h"
#include "proc/view_live.h"
#include "session/call.h"
#include "session/fd_watch.h"
#include "session/source.h"

struct session;
struct session_memory;

struct session_process {
	int tgid;
	unsigned task_count;
	/** It has executed a program since it was created. */
	bool executed;
	/** Its address space, perhaps shared with other processes; never NULL. */
	struct session_memory *memory;
	struct fd_watch_process watch;
	/** Opened if threads may come and go unseen: /proc/TGID/task, see stacks.c; else -1. */
	int threads_fd;
};

struct session_task {
	struct task_id id;
	/** Thread group (process) id. */
	int tgid;
	/** Who sees what it does. */
	struct session_source *source;
	/** The source's own part of it; nobody else looks at it. */
	void *origin;
	struct session_process *process;
	/** What may be asked about it; a source that is no living task replaces it. */
	struct view *view;
	struct view_live live;
	char comm[TASK_COMM_SIZE];
	struct path_task path;
	/** A call of it was shown. */
	bool shown;
	/** By which it made its last call, and the number of that, or -1. */
	enum abi_id abi;
	int64_t call_number;
	/** The call that the kernel will go on with by restart_syscall, or NULL. */
	const char *interrupted;
	/** How often a call that is tampered with was made: ABI and number to the count. */
	struct hash tampered;
	/** The call under way, and its values. */
	struct session_call call;
	struct call decoded;
};

/** A task that @source has begun to see. Its origin is filled by the source. */
struct session_task *session_task_create(
	struct session *session, struct session_source *source, struct task_id id, int tgid);
/** Forgets the task; its process goes with its last task. */
void session_task_drop(struct session *session, struct session_task *task);
/** The process @tgid, or NULL. */
struct session_process *session_process_find(struct session *session, int tgid);
/** Process @tgid was created by @parent. It will be seen, or is already. */
void session_process_born(struct session *session, const struct session_process *parent, int tgid,
	bool shares_memory);
/** Frees processes that were born but never seen. */
void session_process_forget_unseen(struct session *session);
/** The process was replaced by exec: a new address space. */
void session_process_exec(struct session_process *process);
/** The parts of an event of @source that come from its task. */
void session_task_event(
	const struct session_task *task, const struct session_source *source, struct event *event);
/** The task may be called something else now: @name, or NULL: what its source says. */
void session_task_rename(struct session *session, struct session_task *task, const char *name);
/** Tells the outputs that @parent created the task @tid. */
void session_report_child(
	struct session *session, struct session_task *parent, int tid, enum event_child kind);
/** Gives the output an event that is neither a call nor a fault; fills in task and time. */
void session_report(struct session *session, struct session_task *task, struct event event);

#endif
