// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "abi/abi.h"
#include "schema/syscall_set.h"
#include "trace/internal.h"
#include "trace/ptrace.h"

// The number in the registers, for a task that we met inside its call.
static uint64_t number_from_registers(int tid, const struct abi *abi)
{
	unsigned char registers[1024];
	uint64_t number = 0;

	if (!abi)
		return UINT64_MAX;
	if (ptrace_registers(tid, registers, sizeof(registers)) != abi->prstatus_size)
		return UINT64_MAX;
	memcpy(&number, registers + abi->prstatus_number, abi->word_size);
	return number;
}

static void remember_call(
	struct tracee_state *state, const struct abi *abi, uint64_t number, const uint64_t *args)
{
	state->abi = abi ? abi->id : ABI_X86_64;
	state->abi_unknown = !abi;
	state->number = number;
	memset(state->args, 0, sizeof(state->args));
	if (args)
		memcpy(state->args, args, sizeof(state->args));
}

static void fill_syscall(
	const struct tracee_state *state, const struct ptrace_place *place, struct stop *ret)
{
	struct stop_syscall *call = &ret->syscall;

	*call = (struct stop_syscall){
		.abi = state->abi,
		.abi_unknown = state->abi_unknown,
		.number = state->number,
		.retval = place->retval,
		.is_error = place->is_error,
		.ip = place->ip,
		.sp = place->sp,
	};
	memcpy(call->args, state->args, sizeof(call->args));
}

static bool is_wanted(const struct trace_options *options, const struct tracee_state *state)
{
	return !options->wanted || state->abi_unknown ||
	       syscall_set_has(options->wanted, state->abi, state->number);
}

// The child has its filter now, or never will: then it is traced without.
static void before_exec(struct trace *trace, int tid)
{
	if (!trace->may_filter)
		return;
	trace->may_filter = false;
	if (!trace->filters)
		ptrace_set_options(tid, attach_options(trace));
}

static bool show_entry(
	struct trace *trace, struct tracee_state *state, const struct ptrace_place *place)
{
	const struct abi *abi = abi_by_audit_arch(place->audit_arch, place->number);

	remember_call(state, abi, place->number, place->args);
	state->entered = true;
	state->skip_exit = false;
	switch (state->launch) {
	case LAUNCH_BEFORE_EXEC:
		if (place->number != SYS_execve)
			return false;
		state->launch = LAUNCH_IN_EXEC;
		before_exec(trace, state->tracee.id.tid);
		break;
	case LAUNCH_FAILED:
		return false;
	case LAUNCH_NONE:
	case LAUNCH_IN_EXEC:
		break;
	}
	if (!is_wanted(&trace->options, state)) {
		state->skip_exit = true;
		return false;
	}
	state->tracee.in_syscall = true;
	return true;
}

// The first of the two stops at the entry of a call was handed out already, if there are two.
static bool show_seccomp(
	struct trace *trace, struct tracee_state *state, const struct ptrace_place *place)
{
	seccomp_settle(state->tracee.id.tid, place);
	return !state->entered && show_entry(trace, state, place);
}

static bool show_exit(
	struct trace *trace, struct tracee_state *state, const struct ptrace_place *place)
{
	if (!state->entered) {
		const struct abi *abi = abi_by_audit_arch(place->audit_arch, 0);

		remember_call(state, abi, number_from_registers(state->tracee.id.tid, abi), NULL);
	}
	state->entered = false;
	switch (state->launch) {
	case LAUNCH_BEFORE_EXEC:
		if (state->number == SYS_seccomp && !place->is_error)
			trace->filters = true;
		return false;
	case LAUNCH_FAILED:
		return false;
	case LAUNCH_IN_EXEC:
		state->launch = place->is_error ? LAUNCH_FAILED : LAUNCH_NONE;
		break;
	case LAUNCH_NONE:
		break;
	}
	if (state->skip_exit)
		state->tracee.in_syscall = false;
	return !state->skip_exit;
}

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

bool syscall_stop_enter(struct trace *trace, struct tracee_state *state,
	const struct ptrace_place *place, struct stop *ret)
{
	bool show = show_entry(trace, state, place);

	ret->kind = STOP_SYSCALL_ENTRY;
	fill_syscall(state, place, ret);
	return show;
}

bool syscall_stop_leave(struct trace *trace, struct tracee_state *state,
	const struct ptrace_place *place, struct stop *ret)
{
	bool show = show_exit(trace, state, place);

	ret->kind = STOP_SYSCALL_EXIT;
	fill_syscall(state, place, ret);
	return show;
}

static bool fill_place(struct trace *trace, struct tracee_state *state,
	const struct ptrace_place *place, struct stop *ret)
{
	switch (place->kind) {
	case PTRACE_PLACE_ENTRY:
		if (met_goes_on(state, place))
			return false;
		return met_abandon(trace, state, ret) ||
		       syscall_stop_enter(trace, state, place, ret);
	case PTRACE_PLACE_SECCOMP:
		ret->kind = STOP_SYSCALL_ENTRY;
		if (!show_seccomp(trace, state, place))
			return false;
		fill_syscall(state, place, ret);
		return true;
	case PTRACE_PLACE_EXIT:
		state->met = MET_NOTHING;
		return syscall_stop_leave(trace, state, place, ret);
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
	unsigned char registers[1024];
	int tid = state->tracee.id.tid;
	size_t size = ptrace_registers(tid, registers, sizeof(registers));

	for (enum abi_id id = 0; id < ABI_COUNT; id++) {
		const struct abi *abi = abi_get(id);

		if (size != abi->prstatus_size)
			continue;
		*abi_ret = abi;
		*number_ret = number_from_registers(tid, abi);
		return ptrace_peek_user(tid, abi->user_arguments[0], argument_ret);
	}
	return false;
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
