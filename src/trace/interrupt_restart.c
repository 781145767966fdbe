// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <errno.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "abi/abi.h"
#include "base/cleanup.h"
#include "schema/lookup.h"
#include "schema/syscall.h"
#include "schema/type.h"
#include "trace/internal.h"
#include "trace/ptrace.h"
#include "trace/task_status.h"

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

enum {
	/** ERESTARTNOHAND and ERESTART_RESTARTBLOCK of the kernel's include/linux/errno.h. */
	RESTART_WITHOUT_HANDLER = 514,
	RESTART_BY_CALL = 516,
	/**
	 * Of the instruction that makes a call: syscall, int $0x80. After sysenter there is one of
	 * these for the kernel to go back to.
	 */
	CALL_LENGTH = 2,
};

static const struct syscall_desc *desc_of(const struct ptrace_place *place)
{
	const struct abi *abi = abi_by_audit_arch(place->audit_arch, place->number);
	const struct syscall *call = abi ? syscall_by_number(abi->id, place->number) : NULL;

	return call ? call->desc : NULL;
}

// The same in our layout whatever the task's is.
static void set_result(int tid, int64_t result)
{
	ptrace_poke_user(tid, abi_get(ABI_X86_64)->user_result, (uint64_t)result);
}

static void skip_call(int tid)
{
	ptrace_poke_user(tid, abi_get(ABI_X86_64)->user_number, UINT64_MAX);
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

static void set_buffer(int tid, enum abi_id id, uint64_t address, uint64_t length)
{
	const struct abi *abi = abi_get(id);

	ptrace_poke_user(tid, abi->user_arguments[1], address);
	ptrace_poke_user(tid, abi->user_arguments[2], length);
}

static void restart_rest_of_transfer(struct tracee_state *state, const struct ptrace_place *place)
{
	uint64_t done = (uint64_t)place->retval;

	state->rest = (struct restart_rest){
		.abi = abi_by_audit_arch(place->audit_arch, place->number)->id,
		.done = done,
		.address = place->args[1],
		.length = place->args[2],
	};
	set_buffer(state->tracee.id.tid, state->rest.abi, place->args[1] + done,
		place->args[2] - done);
	set_result(state->tracee.id.tid, -RESTART_WITHOUT_HANDLER);
}

// @more bytes were moved after the first ones, or it is an error that the first ones hide.
static void report_whole_transfer(struct tracee_state *state, int64_t more)
{
	const struct restart_rest rest = state->rest;
	int tid = state->tracee.id.tid;

	state->rest = (struct restart_rest){0};
	set_buffer(tid, rest.abi, rest.address, rest.length);
	set_result(tid, (int64_t)rest.done + (more > 0 ? more : 0));
}

static bool is_in_call(int tid, struct ptrace_place *ret)
{
	return in_flight_registers(tid, ret) && ret->kind == PTRACE_PLACE_ENTRY;
}

static bool may_restart(int tid, const struct ptrace_place *place)
{
	const struct syscall_desc *desc = desc_of(place);

	if (place->retval == -RESTART_BY_CALL)
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
		set_result(tid, -RESTART_WITHOUT_HANDLER);
	else if (desc && is_cut_short(&state->tracee, &place, desc))
		restart_rest_of_transfer(state, &place);
}

// False if the task was killed.
static bool rewind_entry(struct tracee_state *state)
{
	const struct abi *abi = abi_get(ABI_X86_64);
	int tid = state->tracee.id.tid;
	struct ptrace_place place;

	if (!ptrace_place(tid, &place) || place.kind != PTRACE_PLACE_SECCOMP)
		return false;
	ptrace_poke_user(tid, abi->user_ip, place.ip - CALL_LENGTH);
	set_result(tid, (int64_t)place.number);
	skip_call(tid);
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

	while ((entry = hash_next(&trace->tracees, &position))) {
		struct tracee_state *state = entry->value;

		if (state->tracee.tgid != tgid)
			continue;
		state->watched = watch;
		// Others stop before they make another call, or sleep in a group-stop.
		if (watch && state->phase == TRACEE_RUNS && state->free &&
			ptrace_interrupt(state->tracee.id.tid))
			state->restart = RESTART_INTERRUPTED;
	}
}
