// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <errno.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "abi/abi.h"
#include "abi/errors.h"
#include "abi/regs.h"
#include "base/cleanup.h"
#include "proc/task_status.h"
#include "schema/lookup.h"
#include "schema/syscall.h"
#include "schema/type.h"
#include "trace/internal.h"
#include "trace/ptrace.h"

// Interrupt and restart. A task that runs free of stops is made to stop at its calls by
// PTRACE_INTERRUPT: the kernel traps it before its next instruction. If it sleeps in a call, that
// gives up, in one of four ways:
//
// - With a code by which the kernel begins the call again, or goes on with it: most calls. It goes
//   on by restart_syscall, which a filter of the program's own may refuse: then we make it begin
//   again.
// - With EINTR: epoll_wait, semop, sigtimedwait, a socket with a timeout. We replace that by
//   ERESTARTNOHAND, and the kernel does the rest: a signal that has come, or comes before the
//   task is back in its program, ends the call with EINTR if it has a handler, as it would have;
//   without one, the call begins again. So does its timeout.
// - With a part of the bytes moved: a write to a full pipe. It runs again with what is left,
//   and at its end, or when a signal prevents that, registers and result are made what they
//   would have been.
// - With some of the things done that it was asked for, where only a list in memory or the
//   kernel knows which (writev, sendmsg, recvmmsg, io_getevents): that is left alone.
//
// The interruption may also meet a task that just stops for its filter at the entry of a call;
// it would then break that call before it has begun. Nobody can see whether it is still to
// come, so the entry is rewound: the task goes back to the instruction that makes the call.

static const struct syscall_desc *desc_of(const struct ptrace_place *place)
{
	const struct abi *abi = abi_by_audit_arch(place->audit_arch, place->number);
	const struct syscall *call =
		abi ? syscall_by_number(abi->id, abi_number(abi, place->number)) : NULL;

	return call ? call->desc : NULL;
}

static bool is_stream_socket(int tgid, int fd)
{
	int type = 0;
	socklen_t size = sizeof(type);
	cleanup_close int process = (int)syscall(SYS_pidfd_open, tgid, 0);
	cleanup_close int copy = process < 0 ? -1 : (int)syscall(SYS_pidfd_getfd, process, fd, 0);

	return copy >= 0 && getsockopt(copy, SOL_SOCKET, SO_TYPE, &type, &size) == 0 &&
	       type == SOCK_STREAM;
}

// Regular files are not cut short, and what moves messages is not to move another.
static bool is_stream(const struct tracee *tracee, int fd)
{
	char path[64];
	struct stat status;

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", tracee->id.tid, fd);
	if (stat(path, &status) != 0)
		return false;
	if (S_ISSOCK(status.st_mode))
		return is_stream_socket(tracee->tgid, fd);
	return S_ISFIFO(status.st_mode) || S_ISCHR(status.st_mode);
}

// Who reads has what he wants with the first byte, unless he says that he wants all.
static bool is_cut_short(const struct tracee *tracee, const struct ptrace_place *place,
	const struct syscall_desc *desc)
{
	if (!(desc->facts & FACT_MOVES_BYTES) || place->retval <= 0 ||
		(uint64_t)place->retval >= place->args[2])
		return false;
	if (desc->signature.args[1].type->direction == DIRECTION_OUT &&
		(place->args[3] & (MSG_WAITALL | MSG_PEEK)) != MSG_WAITALL)
		return false;
	return is_stream(tracee, (int)place->args[0]);
}

static void set_buffer(struct regs *regs, const struct abi *abi, uint64_t address, uint64_t length)
{
	regs_set(regs, abi, REG_ARGUMENT + 1, address);
	regs_set(regs, abi, REG_ARGUMENT + 2, length);
}

static void set_result(int tid, int64_t result)
{
	const struct abi *abi;
	struct regs regs;

	if (!ptrace_regs(tid, &regs))
		return;
	abi = abi_by_regs(&regs);
	if (!abi)
		return;
	regs_set(&regs, abi, REG_RESULT, (uint64_t)result);
	ptrace_set_regs(tid, &regs);
}

static void restart_rest_of_transfer(struct tracee_state *state, const struct ptrace_place *place)
{
	const struct abi *abi = abi_by_audit_arch(place->audit_arch, place->number);
	uint64_t done = (uint64_t)place->retval;
	struct regs regs;

	if (!ptrace_regs(state->tracee.id.tid, &regs))
		return;
	state->rest = (struct restart_rest){
		.abi = abi->id,
		.done = done,
		.address = place->args[1],
		.length = place->args[2],
	};
	set_buffer(&regs, abi, place->args[1] + done, place->args[2] - done);
	regs_set(&regs, abi, REG_RESULT, (uint64_t)-ERESTARTNOHAND);
	ptrace_set_regs(state->tracee.id.tid, &regs);
}

// @more bytes were moved after the first ones, or it is an error that the first ones hide.
static void report_whole_transfer(struct tracee_state *state, int64_t more)
{
	const struct restart_rest rest = state->rest;
	const struct abi *abi = abi_get(rest.abi);
	struct regs regs;

	state->rest = (struct restart_rest){0};
	if (!ptrace_regs(state->tracee.id.tid, &regs))
		return;
	set_buffer(&regs, abi, rest.address, rest.length);
	regs_set(&regs, abi, REG_RESULT, rest.done + (more > 0 ? (uint64_t)more : 0));
	ptrace_set_regs(state->tracee.id.tid, &regs);
}

static bool is_in_call(int tid, struct ptrace_place *ret)
{
	return in_flight_registers(tid, ret) && ret->kind == PTRACE_PLACE_ENTRY;
}

static bool may_restart(int tid, const struct ptrace_place *place)
{
	const struct syscall_desc *desc = desc_of(place);

	if (place->retval == -ERESTART_RESTARTBLOCK)
		return task_status_filters(tid);

	return place->retval == -EINTR && !(desc && (desc->facts & FACT_DONE_ANYWAY));
}

static void repair_result(struct tracee_state *state)
{
	int tid = state->tracee.id.tid;
	const struct syscall_desc *desc;
	struct ptrace_place place;

	if (!is_in_call(tid, &place))
		return;
	desc = desc_of(&place);
	if (may_restart(tid, &place))
		set_result(tid, -ERESTARTNOHAND);
	else if (desc && is_cut_short(&state->tracee, &place, desc))
		restart_rest_of_transfer(state, &place);
}

// False if the task was killed.
static bool rewind_entry(struct tracee_state *state)
{
	int tid = state->tracee.id.tid;
	struct ptrace_place place;
	struct regs regs;
	const struct abi *abi;

	if (!ptrace_place(tid, &place) || place.kind != PTRACE_PLACE_SECCOMP)
		return false;
	if (!ptrace_regs(tid, &regs))
		return false;
	abi = abi_by_regs(&regs);
	if (!abi)
		return false;
	// By its own registers, whichever ABI the call is of: it goes into the same register.
	regs_set(&regs, abi, REG_PC, place.ip - abi->call_length);
	regs_set(&regs, abi, REG_RESULT, place.number);
	regs_set(&regs, abi, REG_NUMBER, UINT64_MAX);
	if (!ptrace_set_regs(tid, &regs))
		return false;
	state->restart = RESTART_REWOUND;
	state->phase = TRACEE_RUNS;
	state->free = true;
	ptrace_continue(tid, 0);
	return true;
}

static bool settle_rest(struct trace *trace, struct tracee_state *state)
{
	int tid = state->tracee.id.tid;
	struct ptrace_place place = {.kind = PTRACE_PLACE_NONE};

	if (state->kind == WAIT_SYSCALL || state->kind == WAIT_SECCOMP)
		ptrace_place(tid, &place);
	switch (place.kind) {
	case PTRACE_PLACE_SECCOMP:
		seccomp_settle(tid, &place);
		break;
	case PTRACE_PLACE_ENTRY:
		break;
	case PTRACE_PLACE_EXIT:
		report_whole_transfer(state, place.retval);
		break;
	case PTRACE_PLACE_NONE:
		// Interrupted once more, before we knew that it had stopped.
		if (state->kind == WAIT_TRAP)
			break;
		report_whole_transfer(state, 0);
		return false;
	}
	resume_stopped(trace, state, 0);
	return true;
}

bool restart_is_pending(const struct tracee_state *state)
{
	return state->restart != RESTART_NONE || state->rest.done;
}

bool restart_settle(struct trace *trace, struct tracee_state *state)
{
	if (tracee_ended(state))
		return false;
	if (state->rest.done)
		return settle_rest(trace, state);
	if (state->restart == RESTART_NONE)
		return false;
	switch (state->kind) {
	case WAIT_TRAP:
		state->restart = RESTART_NONE;
		repair_result(state);
		resume_stopped(trace, state, 0);
		return true;
	case WAIT_SECCOMP:
		if (state->restart == RESTART_INTERRUPTED)
			return rewind_entry(state);
		state->restart = RESTART_NONE;
		return false;
	case WAIT_SYSCALL:
		// Before another call it would have come.
		state->restart = RESTART_NONE;
		return false;
	case WAIT_CLONE:
	case WAIT_FORK:
	case WAIT_VFORK:
	case WAIT_VFORK_DONE:
	case WAIT_EXEC:
	case WAIT_EXIT_EVENT:
	case WAIT_GROUP:
	case WAIT_SIGNAL:
	case WAIT_UNKNOWN:
	case WAIT_EXITED:
	case WAIT_KILLED:
		break;
	}
	return false;
}

void trace_watch_process(struct trace *trace, int tgid, bool watch)
{
	size_t position = 0;
	struct hash_entry *entry;
	bool was_away = beat_enter(trace);

	while (!trace->let_go && (entry = hash_next(&trace->tracees, &position))) {
		struct tracee_state *state = entry->value;

		if (state->tracee.tgid != tgid)
			continue;
		state->watched = watch;
		// Others stop before they make another call, or sleep in a group-stop.
		if (watch && state->phase == TRACEE_RUNS && state->free &&
			ptrace_interrupt(state->tracee.id.tid))
			state->restart = RESTART_INTERRUPTED;
	}
	beat_again(trace, was_away);
}
