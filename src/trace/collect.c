// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <errno.h>
#include <sched.h>
#include <sys/wait.h>

#include "base/monotonic.h"
#include "proc/task_status.h"
#include "trace/internal.h"
#include "trace/interruptible_wait.h"
#include "trace/ptrace.h"
#include "trace/supervisor.h"

enum {
	/** Stops of several tasks after which all are asked who has something to tell. */
	ASK_EVERY = 4,
};

// The task that now is @tid was @former when it called exec: it takes over the identity of the
// thread group leader, whose own thread is gone without an exit status.
static void take_over(struct trace *trace, int tid, int former)
{
	struct tracee_state *mover = tracee_by_tid(trace, former);
	struct tracee_state *old = tracee_by_tid(trace, tid);

	if (!mover)
		return;
	hash_remove(&trace->tracees, (uint64_t)former);
	hash_set(&trace->tracees, (uint64_t)tid, mover);
	mover->tracee.id.tid = tid;
	if (!old)
		return;
	// What it was queued with is void: a request would now reach the other thread.
	old->superseded_by = former;
	tracee_enqueue(trace, old);
}

static int exec_former_tid(int tid)
{
	unsigned long message;

	return ptrace_event_message(tid, &message) && message ? (int)message : tid;
}

// Something that creates tasks with CLONE_PTRACE can give us one that nobody asked for.
static void let_go(int tid, int status)
{
	if (WIFSTOPPED(status))
		ptrace_detach(tid, wait_kind_of(status) == WAIT_SIGNAL ? WSTOPSIG(status) : 0);
}

void collect_status(struct trace *trace, int tid, int status)
{
	enum wait_kind kind = wait_kind_of(status);
	int former = kind == WAIT_EXEC ? exec_former_tid(tid) : tid;
	struct tracee_state *state;

	if (former != tid)
		take_over(trace, tid, former);
	state = tracee_by_tid(trace, tid);
	if (!state) {
		if (!trace->options.follow && !trace->filters) {
			let_go(tid, status);
			return;
		}
		state = tracee_create(trace, tid, task_tgid(tid));
		state->hidden = !trace->options.follow;
		trace->unseen--;
	}
	if (kind == WAIT_CLONE || kind == WAIT_FORK || kind == WAIT_VFORK)
		trace->unseen++;
	if (kind == WAIT_EXITED || kind == WAIT_KILLED)
		hash_remove(&trace->tracees, (uint64_t)tid);
	// If it was in the queue already, it was killed at that stop, which thereby is void.
	state->status = status;
	state->kind = kind;
	state->former_tid = former;
	state->again = false;
	state->peeked = false;
	if (kind == WAIT_SYSCALL || kind == WAIT_SECCOMP)
		schedule_stop(&trace->schedule, tid);
	tracee_enqueue(trace, state);
}

// With one task at a plain system call nobody else can have something to tell: this saves the
// most common kind of run one wait per stop.
static bool all_collected(const struct trace *trace)
{
	return trace->tracees.count == 1 && trace->queued == 1 && !trace->unseen &&
	       (trace->queue_first->kind == WAIT_SYSCALL ||
		       trace->queue_first->kind == WAIT_SECCOMP);
}

enum collect_result collect_waiting(struct trace *trace)
{
	bool some = false;

	trace->drained = true;
	trace->unasked = 0;
	for (;;) {
		int status;
		// Traced tasks match both kinds of wait. Children of ours that are not traced
		// (the reader of a pipe we write to) only match without __WCLONE, and stay
		// with whoever started them.
		int tid = wait4(-1, &status, WNOHANG | __WCLONE, NULL);

		if (tid < 0 && errno == EINTR)
			continue;
		if (tid < 0)
			return some ? COLLECT_SOME : COLLECT_NO_TASK;
		if (tid == 0)
			return some ? COLLECT_SOME : COLLECT_NONE;
		collect_status(trace, tid, status);
		some = true;
		if (all_collected(trace))
			return COLLECT_SOME;
	}
}

// False if no tracee came soon enough to be waited for awake.
static bool wait_awake(struct trace *trace)
{
	uint64_t start = monotonic_ns();

	// Tasks that always have something to tell must not keep us from what ends us.
	while (!interruptible_is_interrupted() && monotonic_ns() - start < SCHEDULE_AWAKE_NS) {
		if (collect_waiting(trace) == COLLECT_SOME)
			return true;
	}
	return false;
}

// Takes one tracee from the kernel, for whom it waits. What ends us is looked for with each
// beat: a hundredth of a second is soon enough for that.
static int wait_busily(struct trace *trace, bool *beat_ret)
{
	static const struct timespec at_once;
	siginfo_t info;
	int tid, status, signal;

	interruptible_begin();
	if (schedule_is_awake(&trace->schedule) && wait_awake(trace))
		return SIGCHLD;
	tid = interruptible_wait(&status);
	if (tid > 0) {
		collect_status(trace, tid, status);
		// The kernel answers with the first of its list that has something to tell. So that
		// nobody is overtaken for long, the others are asked now and then.
		trace->drained = !trace->unseen &&
				 (trace->tracees.count == 1 || ++trace->unasked < ASK_EVERY);
		return SIGCHLD;
	}
	*beat_ret = interruptible_take() == INTERRUPTIBLE_TIMER;
	trace->drained = false;
	signal = sigtimedwait(&trace->signals, &info, &at_once);
	if (signal < 0)
		return SIGCHLD;
	trace->sender = supervisor_sender(&info, trace->options.supervisor_pid);
	return signal;
}

static int wait_idly(struct trace *trace, bool *beat_ret)
{
	const struct timespec limit = beat_period(trace->idle);
	siginfo_t info;
	int signal;

	// What came while stops sent no signal is still to be asked for.
	if (interruptible_end()) {
		trace->drained = false;
		return SIGCHLD;
	}
	signal = sigtimedwait(&trace->signals, &info, trace->has_timer ? NULL : &limit);
	if (signal > 0 && signal != SIGCHLD) {
		trace->sender = supervisor_sender(&info, trace->options.supervisor_pid);
		return signal;
	}
	if (trace->options.leave_signals)
		beat_forget_signals(trace);
	*beat_ret = signal < 0 ? errno == EAGAIN : info.si_code == SI_TIMER;
	trace->drained = false;
	return SIGCHLD;
}

int collect_wait(struct trace *trace, bool *beat_ret)
{
	*beat_ret = false;
	// Without a timer nothing would end the busy kind of wait.
	return trace->idle || !trace->has_timer ? wait_idly(trace, beat_ret)
						: wait_busily(trace, beat_ret);
}
