// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "abi/abi.h"
#include "abi/errors.h"
#include "abi/regs.h"
#include "schema/syscall_set.h"
#include "trace/internal.h"
#include "trace/ptrace.h"

// False if the task runs on already.
static bool find_place(
	const struct trace *trace, struct tracee_state *state, struct ptrace_place *ret)
{
	if (ptrace_place(state->tracee.id.tid, ret))
		return true;
	if (errno == ESRCH)
		state->phase = TRACEE_RUNS;
	else
		resume_stopped(trace, state, 0);
	return false;
}

// Calls through the vsyscall page are emulated by the kernel: only a
// filter can stop at them, and there is no stop at the exit. The one that PTRACE_INTERRUPT asks
// for comes right after the call, before the next instruction.
static bool is_emulated(const struct ptrace_place *place)
{
	const uint64_t page = 0xffffffffff600000, size = 4096;

	return place->ip - page < size;
}

static bool fill_emulated(struct trace *trace, struct tracee_state *state,
	const struct ptrace_place *place, struct stop *ret)
{
	state->emulated = syscall_report_entry(trace, state, place, ret);
	state->entered = state->emulated;
	return state->emulated;
}

bool syscall_stop_emulated(struct trace *trace, struct tracee_state *state, struct stop *ret)
{
	const struct abi *abi = abi_get(state->abi);
	struct ptrace_place place = {.kind = PTRACE_PLACE_EXIT};
	struct regs regs;

	state->emulated = false;
	if (ptrace_regs(state->tracee.id.tid, &regs)) {
		place.ip = regs_get(&regs, abi, REG_PC);
		place.sp = regs_get(&regs, abi, REG_SP);
		place.retval = (int64_t)regs_get(&regs, abi, REG_RESULT);
		place.is_error = place.retval < 0 && place.retval >= -ERROR_CODE_MAX;
		if (syscall_report_exit(trace, state, &place, ret))
			return true;
	}
	resume_stopped(trace, state, 0);
	return false;
}

// The first of the two stops at the entry of a call was handed out already, if there are two.
static bool fill_seccomp(struct trace *trace, struct tracee_state *state,
	const struct ptrace_place *place, struct stop *ret)
{
	seccomp_settle(state->tracee.id.tid, place);
	if (is_emulated(place))
		return fill_emulated(trace, state, place, ret);
	return !state->entered && syscall_report_entry(trace, state, place, ret);
}

static bool fill_place(struct trace *trace, struct tracee_state *state,
	const struct ptrace_place *place, struct stop *ret)
{
	switch (place->kind) {
	case PTRACE_PLACE_ENTRY:
		if (in_flight_goes_on(state, place))
			return false;
		return in_flight_abandon(trace, state, ret) ||
		       syscall_report_entry(trace, state, place, ret);
	case PTRACE_PLACE_SECCOMP:
		return fill_seccomp(trace, state, place, ret);
	case PTRACE_PLACE_EXIT:
		state->in_flight = IN_FLIGHT_NONE;
		return syscall_report_exit(trace, state, place, ret);
	case PTRACE_PLACE_NONE:
		break;
	}
	return false;
}

bool syscall_stop_fill(struct trace *trace, struct tracee_state *state, struct stop *ret)
{
	struct ptrace_place place;

	if (!find_place(trace, state, &place))
		return false;
	if (fill_place(trace, state, &place, ret))
		return true;
	resume_stopped(trace, state, 0);
	return false;
}

static uint64_t read_flags(int tid, taddr address)
{
	uint64_t flags = 0;
	struct iovec local = {.iov_base = &flags, .iov_len = sizeof(flags)};
	struct iovec remote = {.iov_base = (void *)address, .iov_len = sizeof(flags)};

	return process_vm_readv(tid, &local, 1, &remote, 1, 0) == sizeof(flags) ? flags : 0;
}

// Of a call whose entry was not seen: number and first argument are still in the registers.
static bool look_at_call(const struct tracee_state *state, const struct abi **abi_ret,
	uint64_t *number_ret, uint64_t *argument_ret)
{
	struct regs regs;

	if (!ptrace_regs(state->tracee.id.tid, &regs) || !abi_by_regs(&regs))
		return false;
	*abi_ret = abi_by_regs(&regs);
	*number_ret = regs_get(&regs, *abi_ret, REG_NUMBER);
	*argument_ret = regs_get(&regs, *abi_ret, REG_ARGUMENT);
	return true;
}

uint64_t syscall_stop_clone_flags(const struct tracee_state *state)
{
	const struct abi *abi = abi_get(state->abi);
	const uint64_t vfork_flags = CLONE_VM | CLONE_VFORK;
	uint64_t number = state->number, argument = state->args[0];

	if ((state->entered && !state->abi_unknown) ||
		(!state->entered && look_at_call(state, &abi, &number, &argument))) {
		if (number == abi->numbers.clone)
			return argument;
		// Starts with the flags (struct clone_args of linux/sched.h).
		if (number == abi->numbers.clone3)
			return read_flags(state->tracee.id.tid, argument);
		if (number == abi->numbers.fork)
			return 0;
		if (number == abi->numbers.vfork)
			return vfork_flags;
	}
	switch (state->kind) {
	case WAIT_VFORK:
		return vfork_flags;
	case WAIT_CLONE:
		return CLONE_VM;
	default:
		return 0;
	}
}
