// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <errno.h>
#include <string.h>

#include "abi/abi.h"
#include "abi/regs.h"
#include "trace/internal.h"
#include "trace/ptrace.h"

static bool set_register(int tid, const struct abi *abi, enum reg_role role, uint64_t value)
{
	struct regs regs;

	if (!ptrace_regs(tid, &regs) || !regs_fit(&regs, abi))
		return false;
	regs_set(&regs, abi, role, value);
	return ptrace_set_regs(tid, &regs);
}

// Kernels before 6.16 do not have the request: then it is the registers.
static bool set_number(const struct tracee_state *state, uint64_t number)
{
	int tid = state->tracee.id.tid;

	if (ptrace_set_number(tid, number))
		return true;
	return errno != ESRCH && set_register(tid, abi_get(state->abi), REG_NUMBER, number);
}

static bool set_result(const struct tracee_state *state)
{
	int tid = state->tracee.id.tid;
	const struct call_change *change = &state->change;

	if (ptrace_set_result(tid, change->result, change->is_error))
		return true;
	return errno != ESRCH &&
	       set_register(tid, abi_get(state->abi), REG_RESULT, (uint64_t)change->result);
}

void trace_change_call(struct trace *trace, struct tracee *tracee, const struct call_change *change)
{
	struct tracee_state *state = tracee->state;

	(void)trace;
	if (!state->entered || state->abi_unknown || !set_number(state, change->number))
		return;
	state->is_changed = true;
	state->change = *change;
}

void trace_send(struct trace *trace, struct tracee *tracee, int signal)
{
	(void)trace;
	tracee->state->injected_signal = signal;
}

bool change_finish(struct tracee_state *state, struct ptrace_place *place)
{
	if (!state->is_changed)
		return false;
	state->is_changed = false;
	if (!set_result(state))
		return false;
	place->retval = state->change.result;
	place->is_error = state->change.is_error;
	return true;
}

void change_undo(struct tracee_state *state)
{
	struct ptrace_place place;

	if (!state->is_changed || !ptrace_place(state->tracee.id.tid, &place))
		return;
	state->is_changed = false;
	switch (place.kind) {
	case PTRACE_PLACE_ENTRY:
	case PTRACE_PLACE_SECCOMP:
		set_number(state, state->number | abi_get(state->abi)->number_mark);
		break;
	case PTRACE_PLACE_EXIT:
		set_result(state);
		break;
	case PTRACE_PLACE_NONE:
		break;
	}
}
