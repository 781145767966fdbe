// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_TRACE_INTERNAL_H
#define SRC_TRACE_INTERNAL_H

/**
 * What the files of src/trace share and nobody else sees.
 *
 * A tracee is in one of four phases: it runs; it stopped and waits in the queue;
 * its stop is handed out; it was given back and goes on after a delay. There is at most
 * one stop per tracee, so the queue is a list through the tracees and a round over it
 * serves every task once.
 */

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "base/hash.h"
#include "trace/ptrace.h"
#include "trace/schedule.h"
#include "trace/seccomp.h"
#include "trace/stop.h"
#include "trace/trace.h"
#include "trace/tracee.h"

struct abi;
struct error;
struct residual_tracer;

enum {
	ENDED_KEPT = 16,
};

enum tracee_phase {
	TRACEE_RUNS,
	TRACEE_QUEUED,
	TRACEE_HANDED_OUT,
	/** It was given back, and goes on later (delay.c). */
	TRACEE_DELAYED,
};

/** A command of ours is hidden until its execve, and after a failed one. */
enum launch_phase {
	LAUNCH_NONE,
	LAUNCH_BEFORE_EXEC,
	LAUNCH_IN_EXEC,
	LAUNCH_FAILED,
};

/** A task that ran free and was interrupted to stop at calls from now on (interrupt_restart.c). */
enum restart_phase {
	RESTART_NONE,
	/** PTRACE_INTERRUPT was sent; its stop may still be to come. */
	RESTART_INTERRUPTED,
	/** The call it had entered was rewound: it begins again. */
	RESTART_REWOUND,
};

/** The rest of a call that was cut short: it runs again with what is left to move. */
struct restart_rest {
	enum abi_id abi;
	/** Bytes moved before; 0 if there is no such call. */
	uint64_t done;
	/** The arguments as they were. */
	uint64_t address, length;
};

/** What is still to be shown of a call in flight when we attached, see call_in_flight.c. */
enum in_flight_phase {
	IN_FLIGHT_NONE,
	/** Its entry is to be handed out. */
	IN_FLIGHT_ENTRY_DUE,
	/** Its exit is: the stop ended it. */
	IN_FLIGHT_EXIT_DUE,
	/** The kernel will restart it, unless a signal handler comes first. */
	IN_FLIGHT_RESTARTS,
	/** Its entry was handed out, but the task does not stop yet. */
	IN_FLIGHT_PEEKED,
};

struct tracee_state {
	struct tracee tracee;
	/** The next one in the queue; only valid while queued. */
	struct tracee_state *next;
	enum tracee_phase phase;
	/** The status of its stop; only valid unless it runs. */
	int status;
	enum wait_kind kind;
	/** Its first stop was handed out. */
	bool started;
	/** It is in trace_count(). */
	bool counted;
	/** The stop handed out was invented: the true one is to follow it. */
	bool again;
	/** The exit of the present call need not be seen. */
	bool skip_exit;
	enum launch_phase launch;
	/** It carries our filter, but is not to be seen. */
	bool hidden;
	/** It stops at all calls, not only where its filter says so. */
	bool watched;
	/** It was resumed to run past calls; only valid while it runs. */
	bool free;
	enum restart_phase restart;
	struct restart_rest rest;
	/** The thread that called exec, if that ended this one; else 0. */
	int superseded_by;
	/** WAIT_EXEC: the tid before it. */
	int former_tid;
	/** It was attached to, and its first stop is still to come. */
	bool attached;
	/** What is handed out of it was seen from afar: it is not stopped. */
	bool peeked;
	/** It is in a call without a stop at its exit (syscall_stop.c); only valid if @entered. */
	bool emulated;
	/** The watchdog let it run on. */
	bool let_go;
	enum in_flight_phase in_flight;
	/** As at an entry, with the call's result so far; only valid unless IN_FLIGHT_NONE. */
	struct ptrace_place in_flight_place;
	/** The last entry: only valid if @entered. */
	bool entered;
	enum abi_id abi;
	bool abi_unknown;
	uint64_t number, args[6];
	/** What was asked of the call it is in, see call_change.c; only valid if @is_changed. */
	bool is_changed;
	struct call_change change;
	/** Goes with it when it is resumed; or 0. */
	int injected_signal;
	/** How long it is to wait before that, in ns; and TRACEE_DELAYED: until when. */
	uint64_t delay, goes_on_at;
};

struct trace {
	struct trace_options options;
	/** tid to struct tracee_state. Those that ended are only in the queue. */
	struct hash tracees;
	struct tracee_state *queue_first, *queue_last;
	size_t queued;
	size_t count;
	uint32_t next_serial;
	/** Tracees that are attached to but were not handed out yet. */
	size_t unmet;
	/** Children announced by their parents less children seen. */
	int unseen;
	/** The command of ours, or 0; and its wait status, if it ended after we let it go. */
	int launched_tid;
	bool launched_ended;
	int launched_status;
	/** The filter for the command: empty if it is to get none. */
	struct seccomp_program program;
	/** The command may have it; before its execve. */
	bool may_filter;
	/** The command has it. */
	bool filters;
	/** Nobody has something to tell who would not end the next wait. */
	bool drained;
	/** Stops taken since all were asked. */
	unsigned unasked;

	/** Signals that end us, and SIGCHLD. */
	sigset_t signals;
	/** These and those that are left to the command; blocked from create to destroy. */
	sigset_t blocked;
	/** Signals that end us, even those that are left to the command. */
	sigset_t ending;
	sigset_t old_mask;
	/** Made by trace_detach_all(), see residual_tracer.h. */
	struct residual_tracer *residual;
	bool residual_taken;
	/** trace_detach_all() was here. */
	bool released;
	/** The watchdog let all tasks go. */
	bool let_go;
	/** Our caller is elsewhere, since so many beats (watchdog.h). */
	volatile sig_atomic_t away, away_beats;
	struct sigaction old_sigchld;
	/** The last one that asked us to end, or 0; and who sent it, 0: the kernel. */
	int signal;
	int sender;
	/** The last one that the command got, when, and from whom. */
	struct {
		int signal, sender;
		uint64_t time;
	} command_got;
	/** Processes of tasks that ended lately: who sends a signal may be gone. */
	int ended_tgids[ENDED_KEPT];
	unsigned ended_count;

	struct schedule schedule;
	/** Beats while we wait, see collect.c. */
	timer_t timer;
	bool has_timer;
	bool active;
	bool idle;
	/** When the first TRACEE_DELAYED goes on, see delay.c; 0: there is none. */
	uint64_t delay_due;
	timer_t delay_timer;
	bool has_delay_timer;
	/** The beat is as fast as if we were not idle. */
	bool keeps_beating;
};

/* tracee.c */

/** A new tracee that runs, in the table under @tid. */
struct tracee_state *tracee_create(struct trace *trace, int tid, int tgid);
/** Frees it; it must be in neither table nor queue. */
void tracee_destroy(struct trace *trace, struct tracee_state *state);
struct tracee_state *tracee_by_tid(const struct trace *trace, int tid);
/** From now on trace_count() counts it. */
void tracee_count(struct trace *trace, struct tracee_state *state);
void tracee_uncount(struct trace *trace, struct tracee_state *state);
/** Whether @state ended: it is not in the table any more. */
bool tracee_ended(const struct tracee_state *state);
/** Puts it at the end of the queue unless it is in it. */
void tracee_enqueue(struct trace *trace, struct tracee_state *state);
/** Takes the first of the queue, NULL if it is empty. */
struct tracee_state *tracee_dequeue(struct trace *trace);

/* collect.c */

enum collect_result {
	COLLECT_SOME,
	/** Nothing to collect now. */
	COLLECT_NONE,
	/** There is no task that we trace. */
	COLLECT_NO_TASK,
};

/** Puts the tracees that stopped or ended into the queue. */
enum collect_result collect_waiting(struct trace *trace);
/** The same for one status that was already taken from the kernel. */
void collect_status(struct trace *trace, int tid, int status);

/**
 * Blocks until a tracee stops, which may put it into the queue, or a signal comes: SIGCHLD
 * (then *@beat_ret says if only time passed) or another, which is returned.
 */
int collect_wait(struct trace *trace, bool *beat_ret);

/* beat.c */

/** Starts and stops the beat: a SIGCHLD from a timer. */
void beat_start(struct trace *trace);
void beat_stop(struct trace *trace);
/** Its period. */
struct timespec beat_period(bool idle);
/** The beat slows down while nothing happens. */
void beat_set_idle(struct trace *trace, bool idle);
/** The functions of trace.h are left: the table stands still, and the watchdog may act. */
void beat_leave(struct trace *trace);
/** They are entered: beats do nothing. Returns whether they did before, see beat_again(). */
bool beat_enter(struct trace *trace);
/** To how it was before beat_enter(). */
void beat_again(struct trace *trace, bool was_away);
/**
 * Signals that have come so far ask nobody to end: they are left to the command, or are the same
 * one, sent to a process group and to its leader.
 */
void beat_forget_signals(const struct trace *trace);

/* syscall_report.c */

/** Remembers the call that @state enters at @place; fills *@ret if it is to be handed out. */
bool syscall_report_entry(struct trace *trace, struct tracee_state *state,
	const struct ptrace_place *place, struct stop *ret);
/** The same for the end of that call. */
bool syscall_report_exit(struct trace *trace, struct tracee_state *state,
	const struct ptrace_place *place, struct stop *ret);
/** The number in the registers, for a call in flight; UINT64_MAX if it cannot be read. */
uint64_t syscall_report_number(int tid, const struct abi *abi);

/* syscall_stop.c */

/**
 * Fills kind, syscall and the state from a task at a system call. If there is nothing to
 * hand out the answer is false and the task runs: the call is hidden or not wanted, or the
 * task was killed.
 */
bool syscall_stop_fill(struct trace *trace, struct tracee_state *state, struct stop *ret);
/** The same at the stop after a call that the kernel emulated, see syscall_stop.c. */
bool syscall_stop_emulated(struct trace *trace, struct tracee_state *state, struct stop *ret);
/** CLONE_* flags of the call in which @state created a task. */
uint64_t syscall_stop_clone_flags(const struct tracee_state *state);

/* call_in_flight.c */

/** At the first stop of a task that was attached to: whether it computes, or what it is in. */
bool in_flight_look(struct tracee_state *state);
/**
 * For tasks that were attached to and do not stop, in an uninterruptible sleep or in vfork():
 * enqueues those that are in a call, to be handed out as they are.
 */
void in_flight_peek(struct trace *trace);
/** At the first true stop of such a task: what became of the call. */
void in_flight_settle(struct tracee_state *state);
/**
 * Fills *@ret if something is to be told of the call before the true stop, which then is to
 * follow (state->again).
 */
bool in_flight_fill(struct trace *trace, struct tracee_state *state, struct stop *ret);
/** The same once it is clear that the call does not go on. */
bool in_flight_abandon(struct trace *trace, struct tracee_state *state, struct stop *ret);
/** Whether the entry at @place is the call in flight, restarted; then nothing is to be told. */
bool in_flight_goes_on(struct tracee_state *state, const struct ptrace_place *place);

/**
 * What the registers of a stopped task say of the call that it is in (ENTRY, with the result
 * so far) or not (NONE); false if nothing.
 */
bool in_flight_registers(int tid, struct ptrace_place *ret);

/* interrupt_restart.c */

/**
 * At a stop: puts right what the interruption did to a call. True if that is all there is to
 * this stop, and the task runs on.
 */
bool restart_settle(struct trace *trace, struct tracee_state *state);
/** Whether there may be something to put right at a later stop. */
bool restart_is_pending(const struct tracee_state *state);

/* call_change.c */

/** At the exit: the result of a changed call becomes what it is to be. Whether it was changed. */
bool change_finish(struct tracee_state *state, struct ptrace_place *place);
/** At any stop, before @state runs on without us: it makes its call, if it did not yet. */
void change_undo(struct tracee_state *state);

/* delay.c */

void delay_deinit(struct trace *trace);
/** Whether @state, which was given back, goes on only later. */
bool delay_begin(struct trace *trace, struct tracee_state *state);
/** One that has waited long enough, to be resumed; NULL if there is none. */
struct tracee_state *delay_take_due(struct trace *trace);

/* residual_tracer.c */

/** For what is left of @trace. */
struct residual_tracer *residual_create(const struct trace *trace);
/** Takes over @state, which runs, is in no table, and has a call to repair (see above). */
void residual_add(struct residual_tracer *residual, struct tracee_state *state);
/** Remembers that the command ended, if @tid is that. Async-signal-safe. */
void residual_note_end(struct trace *trace, int tid, int status);
/** One that was added, or NULL. */
struct tracee_state *residual_find(const struct residual_tracer *residual, int tid);
/** What it needs of a trace. */
struct trace *residual_trace(struct residual_tracer *residual);
/**
 * Repairs the interrupted call of @state, which stopped or ended with @status. Whether it runs
 * on already. Async-signal-safe.
 */
bool residual_settle(struct trace *trace, struct tracee_state *state, int status);

/* resume.c */

/** Lets a stopped task run on with @signal, or stay in its group-stop. It then is TRACEE_RUNS. */
void resume_stopped(const struct trace *trace, struct tracee_state *state, int signal);

/** Whether the signal that stopped @state is to be taken away. */
bool resume_swallows(const struct trace_options *options, const siginfo_t *info);

/* attach.c */

/** PTRACE_O_* for all tracees. */
unsigned long attach_options(const struct trace *trace);

/* refusal.c */

/** Why attaching to @tid failed with @code, for a person. */
struct error *refusal_explain(int tid, int code);
/** An error if tracing @pid must not even be tried: it is us, or it traces us. */
struct error *refusal_before(int pid);

#endif
