// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <errno.h>
#include <string.h>

#include "abi/abi.h"
#include "base/bits.h"
#include "trace/internal.h"
#include "trace/ptrace.h"

// To attach to a task is to interrupt it. In a system call that looks like a signal without a
// handler: the call gives up with a code that makes the kernel start it again once the task
// goes on, or, for the few that cannot be repeated, with EINTR. No stop tells of its entry, nor
// of this kind of end; but the registers still hold number and arguments. So an entry is made
// up for the call, and the true one that follows it is not handed out; if it does not follow,
// an exit is made up too.

static uint64_t read_register(const struct abi *abi, const unsigned char *registers, size_t offset)
{
	uint64_t word = 0;

	memcpy(&word, registers + offset, abi->word_size);
	return word;
}

static int64_t read_signed(const struct abi *abi, const unsigned char *registers, size_t offset)
{
	return (int64_t)sign_extend(read_register(abi, registers, offset), abi->word_size);
}

static bool is_interrupted(int64_t result)
{
	return result == -EINTR || (result < 0 && result >= -4095 && restart_name((int)-result));
}

// The one whose register set has @size bytes. For a task that computes the kernel cannot say
// which ABI it uses.
static const struct abi *abi_by_size(size_t size)
{
	for (enum abi_id id = 0; id < ABI_COUNT; id++) {
		if (abi_get(id)->prstatus_size == size)
			return abi_get(id);
	}
	return NULL;
}

bool met_look(struct tracee_state *state)
{
	struct ptrace_place *place = &state->met_place;
	unsigned char registers[1024];
	const struct abi *abi;
	int64_t number;

	if (state->kind != WAIT_TRAP && state->kind != WAIT_GROUP && state->kind != WAIT_SIGNAL)
		return false;
	if (!ptrace_place(state->tracee.id.tid, place))
		return false;
	abi = abi_by_size(ptrace_registers(state->tracee.id.tid, registers, sizeof(registers)));
	if (!abi)
		return false;
	number = read_signed(abi, registers, abi->prstatus_number);
	place->retval = read_signed(abi, registers, abi->prstatus_result);
	// The number is -1 in a task that did not come into the kernel by a call. A result means
	// that the call was over when we came.
	if (number < 0 || !is_interrupted(place->retval))
		return true;
	// Such as a call by int $0x80 in 64-bit code.
	if (place->audit_arch != abi->audit_arch)
		return false;
	place->kind = PTRACE_PLACE_ENTRY;
	place->number = (uint64_t)number;
	place->is_error = true;
	for (unsigned i = 0; i < 6; i++)
		place->args[i] = read_register(abi, registers, abi->prstatus_arguments[i]);
	state->met = MET_ENTRY_DUE;
	return false;
}

bool met_abandon(struct trace *trace, struct tracee_state *state, struct stop *ret)
{
	if (state->met != MET_RESTARTS && state->met != MET_EXIT_DUE)
		return false;
	state->met = MET_NOTHING;
	if (!syscall_stop_leave(trace, state, &state->met_place, ret))
		return false;
	ret->syscall.met = true;
	state->again = true;
	return true;
}

bool met_fill(struct trace *trace, struct tracee_state *state, struct stop *ret)
{
	switch (state->met) {
	case MET_NOTHING:
	case MET_RESTARTS:
		return false;
	case MET_EXIT_DUE:
		return met_abandon(trace, state, ret);
	case MET_ENTRY_DUE:
		break;
	}
	state->met = state->met_place.retval == -EINTR ? MET_EXIT_DUE : MET_RESTARTS;
	if (!syscall_stop_enter(trace, state, &state->met_place, ret))
		return met_fill(trace, state, ret);
	ret->syscall.met = true;
	state->again = true;
	return true;
}

bool met_goes_on(struct tracee_state *state, const struct ptrace_place *place)
{
	const struct ptrace_place *met = &state->met_place;
	const struct abi *abi = abi_by_audit_arch(place->audit_arch, place->number);

	if (state->met != MET_RESTARTS || !abi || place->audit_arch != met->audit_arch)
		return false;
	if (place->number != met->number && place->number != abi->numbers.restart_syscall)
		return false;
	if (place->ip != met->ip || place->sp != met->sp)
		return false;
	state->met = MET_NOTHING;
	return true;
}
