// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <string.h>
#include <sys/syscall.h>

#include "abi/abi.h"
#include "abi/regs.h"
#include "schema/syscall_set.h"
#include "trace/internal.h"
#include "trace/ptrace.h"

uint64_t syscall_report_number(int tid, const struct abi *abi)
{
	struct regs regs;

	if (!abi || !ptrace_regs(tid, &regs) || !regs_fit(&regs, abi))
		return UINT64_MAX;
	return regs_get(&regs, abi, REG_NUMBER);
}

static void remember_call(
	struct tracee_state *state, const struct abi *abi, uint64_t number, const uint64_t *args)
{
	state->abi = abi ? abi->id : abi_native()->id;
	state->abi_unknown = !abi;
	state->number = abi ? abi_number(abi, number) : number;
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
	state->is_changed = false;
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

static bool show_exit(
	struct trace *trace, struct tracee_state *state, const struct ptrace_place *place)
{
	if (!state->entered) {
		const struct abi *abi = abi_by_audit_arch(place->audit_arch, 0);
		uint64_t number = syscall_report_number(state->tracee.id.tid, abi);

		abi = abi_by_audit_arch(place->audit_arch, number);
		remember_call(state, abi, number, NULL);
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

bool syscall_report_entry(struct trace *trace, struct tracee_state *state,
	const struct ptrace_place *place, struct stop *ret)
{
	bool show = show_entry(trace, state, place);

	ret->kind = STOP_SYSCALL_ENTRY;
	fill_syscall(state, place, ret);
	return show;
}

bool syscall_report_exit(struct trace *trace, struct tracee_state *state,
	const struct ptrace_place *place, struct stop *ret)
{
	bool show = show_exit(trace, state, place);
	struct ptrace_place now = *place;
	bool is_changed = change_finish(state, &now);

	ret->kind = STOP_SYSCALL_EXIT;
	fill_syscall(state, &now, ret);
	ret->syscall.is_changed = is_changed;
	return show;
}
