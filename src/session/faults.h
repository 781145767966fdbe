// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SESSION_FAULTS_H
#define SRC_SESSION_FAULTS_H

/**
 * Page faults as a second source of events beside stops: watched by perf events,
 * shown in order of time with the calls. All that was recorded is shown before a stop
 * is handled, so what is mapped is still what it was. All functions do nothing when
 * no faults are asked for.
 */

#include <stdbool.h>
#include <stddef.h>

struct error;
struct record;
struct session;
struct session_faults;
struct session_task;
struct trace_options;

enum fault_stack {
	/** By our unwinder, from registers and stack bytes of the moment. */
	FAULT_STACK_DWARF,
	/** By frame pointers, found by the kernel. */
	FAULT_STACK_FRAME_POINTER,
};

struct fault_options {
	/** Which faults are shown. */
	bool minor, major;
	enum fault_stack stack;
	/** Bytes of stack to record with each; 0 means 16 KiB. */
	unsigned stack_size;
	/** Most bytes of a processor's ring; 0 means the default. */
	size_t ring_most;
};

/** Before the trace is created: fills in what it must call. */
struct error *session_faults_create(struct session *session, struct trace_options *trace);
/** The same where calls are observed: those that fulfil @call_filter, see sampler.h. */
struct error *session_faults_create_observer(struct session *session, const char *call_filter);
/** The running task @tid is about to be attached to. */
void session_faults_attaching(struct session *session, int tid);
/** The command @tid is stopped before its program. */
struct error *session_faults_launched(struct session *session, int tid);
/** All tasks are there: the rings are emptied from now on. */
struct error *session_faults_start(struct session *session);
/** Shows what happened up to now. */
void session_faults_drain(struct session *session);
/** A task appears; goes; changed its tid by exec. */
void session_faults_task(struct session *session, struct session_task *task);
void session_faults_forget(struct session *session, struct session_task *task);
void session_faults_renamed(struct session *session, struct session_task *task, int former_tid);
/** The task executed a program: it is watched again if that ended it. */
void session_faults_executed(struct session *session, struct session_task *task);
/** Before the tasks are let go: none waits for us any more. */
void session_faults_release(struct session *session);
/** Says what was lost, and frees everything. */
void session_faults_finish(struct session *session);

/** on_fault: shows one fault of @task. */
void session_on_fault(
	struct session *session, struct session_task *task, const struct record *record);

#endif
