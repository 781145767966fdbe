// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <errno.h>
#include <string.h>

#include "abi/abi.h"
#include "abi/errors.h"
#include "abi/regs.h"
#include "base/cleanup.h"
#include "proc/task_syscall.h"
#include "trace/internal.h"
#include "trace/ptrace.h"

// A call in flight when we attach. To attach to a task is to interrupt it. In a system call that
// looks like a signal without a handler: the call gives up with a code that makes the kernel
// restart it once the task goes on, or, for the few that cannot be repeated, with EINTR. No
// stop tells of its entry, nor of this kind of end; but the registers still hold number and
// arguments. So an entry is made up for the call, and the true one that follows it is not
// handed out; if it does not follow, an exit is made up too.

static bool is_interrupted(int64_t result)
{
	return result == -EINTR || (result_is_error(result) && restart_name((int)-result));
}

bool in_flight_registers(int tid, struct ptrace_place *ret)
{
	const struct abi *abi;
	struct regs regs;
	int64_t number;

	if (!ptrace_place(tid, ret) || !ptrace_regs(tid, &regs))
		return false;
	// For a task that computes the kernel cannot say which ABI it uses.
	abi = abi_by_regs(&regs);
	if (!abi)
		return false;
	number = regs_get_signed(&regs, abi, REG_NUMBER);
	ret->kind = PTRACE_PLACE_NONE;
	// The number is -1 in a task that did not come into the kernel by a call.
	if (number < 0)
		return true;
	// Such as a call by int $0x80 in 64-bit code.
	if (ret->audit_arch != abi->audit_arch)
		return false;
	ret->kind = PTRACE_PLACE_ENTRY;
	ret->number = (uint64_t)number;
	ret->retval = regs_get_signed(&regs, abi, REG_RESULT);
	ret->is_error = result_is_error(ret->retval);
	for (unsigned i = 0; i < 6; i++)
		ret->args[i] = regs_get(&regs, abi, REG_ARGUMENT + i);
	return true;
}

static bool may_interrupt_call(enum wait_kind kind)
{
	return kind == WAIT_TRAP || kind == WAIT_GROUP || kind == WAIT_SIGNAL;
}

bool in_flight_look(struct tracee_state *state)
{
	if (!may_interrupt_call(state->kind) ||
		!in_flight_registers(state->tracee.id.tid, &state->in_flight_place))
		return false;
	// A result means that the call was over when we came.
	if (state->in_flight_place.kind != PTRACE_PLACE_ENTRY ||
		!is_interrupted(state->in_flight_place.retval))
		return true;
	state->in_flight = IN_FLIGHT_ENTRY_DUE;
	return false;
}

static bool read_place(int tid, struct ptrace_place *ret)
{
	struct task_syscall call = task_syscall_read(tid);

	if (call.kind != TASK_SYSCALL_CALL)
		return false;
	ret->kind = PTRACE_PLACE_ENTRY;
	ret->audit_arch = abi_by_word_size(task_syscall_word_size(tid, &call))->audit_arch;
	ret->number = call.number;
	memcpy(ret->args, call.args, sizeof(ret->args));
	ret->sp = call.sp;
	ret->ip = call.pc;
	return true;
}

void in_flight_peek(struct trace *trace)
{
	size_t position = 0;
	struct hash_entry *entry;

	while (trace->unmet && (entry = hash_next(&trace->tracees, &position))) {
		struct tracee_state *state = entry->value;

		if (!state->attached || state->phase != TRACEE_RUNS ||
			!read_place(state->tracee.id.tid, &state->in_flight_place))
			continue;
		state->peeked = true;
		state->kind = WAIT_UNKNOWN;
		state->in_flight = IN_FLIGHT_ENTRY_DUE;
		tracee_enqueue(trace, state);
	}
}

void in_flight_settle(struct tracee_state *state)
{
	const struct ptrace_place before = state->in_flight_place;
	struct ptrace_place *now = &state->in_flight_place;

	if (state->in_flight != IN_FLIGHT_PEEKED || !may_interrupt_call(state->kind))
		return;
	if (!in_flight_registers(state->tracee.id.tid, now) || now->kind != PTRACE_PLACE_ENTRY ||
		now->number != before.number || now->sp != before.sp) {
		*now = before;
		now->retval = -ERESTARTSYS;
		now->is_error = true;
	}
	state->in_flight = is_interrupted(now->retval) && now->retval != -EINTR
				   ? IN_FLIGHT_RESTARTS
				   : IN_FLIGHT_EXIT_DUE;
}

bool in_flight_abandon(struct trace *trace, struct tracee_state *state, struct stop *ret)
{
	if (state->in_flight != IN_FLIGHT_RESTARTS && state->in_flight != IN_FLIGHT_EXIT_DUE)
		return false;
	state->in_flight = IN_FLIGHT_NONE;
	if (!syscall_report_exit(trace, state, &state->in_flight_place, ret))
		return false;
	ret->syscall.in_flight = true;
	state->again = true;
	return true;
}

bool in_flight_fill(struct trace *trace, struct tracee_state *state, struct stop *ret)
{
	switch (state->in_flight) {
	case IN_FLIGHT_NONE:
	case IN_FLIGHT_RESTARTS:
	case IN_FLIGHT_PEEKED:
		return false;
	case IN_FLIGHT_EXIT_DUE:
		return in_flight_abandon(trace, state, ret);
	case IN_FLIGHT_ENTRY_DUE:
		break;
	}
	if (state->peeked)
		state->in_flight = IN_FLIGHT_PEEKED;
	else
		state->in_flight = state->in_flight_place.retval == -EINTR ? IN_FLIGHT_EXIT_DUE
									   : IN_FLIGHT_RESTARTS;
	if (!syscall_report_entry(trace, state, &state->in_flight_place, ret))
		return in_flight_fill(trace, state, ret);
	ret->syscall.in_flight = true;
	state->again = !state->peeked;
	return true;
}

bool in_flight_goes_on(struct tracee_state *state, const struct ptrace_place *place)
{
	const struct ptrace_place *seen = &state->in_flight_place;
	const struct abi *abi = abi_by_audit_arch(place->audit_arch, place->number);

	if (state->in_flight != IN_FLIGHT_RESTARTS || !abi || place->audit_arch != seen->audit_arch)
		return false;
	if (place->number != seen->number &&
		abi_number(abi, place->number) != abi->numbers.restart_syscall)
		return false;
	if (place->ip != seen->ip || place->sp != seen->sp)
		return false;
	state->in_flight = IN_FLIGHT_NONE;
	return true;
}
