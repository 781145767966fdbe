// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "trace/keep.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/monotonic.h"
#include "trace/internal.h"
#include "trace/ptrace.h"
#include "trace/seccomp.h"
#include "trace/stop.h"

struct keep {
	/** tid to struct tracee_state. */
	struct hash tracees;
	/** What rouse.c asks. */
	struct trace trace;
};

struct keep *keep_create(void)
{
	struct keep *keep = xcalloc(1, sizeof(*keep));

	keep->trace.filters = true;
	return keep;
}

void keep_destroy(struct keep *keep)
{
	size_t position = 0;
	struct hash_entry *entry;

	if (!keep)
		return;
	while ((entry = hash_next(&keep->tracees, &position)))
		free(entry->value);
	hash_deinit(&keep->tracees);
	free(keep);
}

void keep_add(struct keep *keep, struct tracee_state *state)
{
	state->watched = state->entered = false;
	state->launch = LAUNCH_NONE;
	hash_set(&keep->tracees, (uint64_t)state->tracee.id.tid, state);
}

static void drop(struct keep *keep, struct tracee_state *state)
{
	hash_remove(&keep->tracees, (uint64_t)state->tracee.id.tid);
	free(state);
}

void keep_resume(int tid, int status)
{
	enum wait_kind kind = wait_kind_of(status);
	struct ptrace_place place;

	if (kind == WAIT_GROUP) {
		ptrace_listen(tid);
		return;
	}
	if (kind == WAIT_SECCOMP && ptrace_place(tid, &place))
		seccomp_settle(tid, &place);
	ptrace_continue(tid, kind == WAIT_SIGNAL ? WSTOPSIG(status) : 0);
}

// Traced tasks match __WCLONE too, other children do not (see collect.c).
bool keep_any(void)
{
	siginfo_t info;

	return waitid(P_ALL, 0, &info, WEXITED | WSTOPPED | WNOHANG | WNOWAIT | __WCLONE) == 0;
}

// Whether it runs on already.
static bool settle(struct keep *keep, int tid, int status)
{
	struct tracee_state *state = hash_get(&keep->tracees, (uint64_t)tid);
	enum wait_kind kind = wait_kind_of(status);
	bool settled;

	if (!state)
		return false;
	// After an exec its tid may be another thread's.
	if (!WIFSTOPPED(status) || kind == WAIT_EXEC) {
		drop(keep, state);
		return false;
	}
	state->status = status;
	state->kind = kind;
	state->phase = TRACEE_HANDED_OUT;
	settled = rouse_settle(&keep->trace, state);
	if (!rouse_is_pending(state))
		drop(keep, state);
	return settled;
}

static bool serve_one(struct keep *keep, int flags)
{
	int status;
	int tid = wait4(-1, &status, __WCLONE | flags, NULL);

	if (tid > 0 && !settle(keep, tid, status) && WIFSTOPPED(status))
		keep_resume(tid, status);
	return tid > 0;
}

static void serve_for(struct keep *keep, int milliseconds)
{
	const struct timespec step = {.tv_nsec = 5 * 1000 * 1000};
	uint64_t end = monotonic_ns() + (uint64_t)milliseconds * 1000000;

	// Some have something to tell all the time.
	while (monotonic_ns() < end && keep_any())
		if (!serve_one(keep, WNOHANG))
			nanosleep(&step, NULL);
}

void keep_serve(struct keep *keep, int milliseconds)
{
	if (milliseconds >= 0) {
		serve_for(keep, milliseconds);
		return;
	}
	while (serve_one(keep, 0) || errno == EINTR)
		;
}
