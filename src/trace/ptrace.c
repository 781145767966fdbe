// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "trace/ptrace.h"

#include <elf.h>
#include <errno.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

#include "abi/regs.h"

bool ptrace_seize(int tid, unsigned long options)
{
	return ptrace(PTRACE_SEIZE, tid, NULL, options) == 0;
}

bool ptrace_interrupt(int tid)
{
	return ptrace(PTRACE_INTERRUPT, tid, NULL, NULL) == 0;
}

bool ptrace_listen(int tid)
{
	return ptrace(PTRACE_LISTEN, tid, NULL, NULL) == 0;
}

bool ptrace_syscall(int tid, int signal)
{
	return ptrace(PTRACE_SYSCALL, tid, NULL, (long)signal) == 0;
}

bool ptrace_continue(int tid, int signal)
{
	return ptrace(PTRACE_CONT, tid, NULL, (long)signal) == 0;
}

bool ptrace_set_options(int tid, unsigned long options)
{
	return ptrace(PTRACE_SETOPTIONS, tid, NULL, options) == 0;
}

bool ptrace_detach(int tid, int signal)
{
	return ptrace(PTRACE_DETACH, tid, NULL, (long)signal) == 0;
}

bool ptrace_event_message(int tid, unsigned long *ret)
{
	return ptrace(PTRACE_GETEVENTMSG, tid, NULL, ret) == 0;
}

bool ptrace_siginfo(int tid, siginfo_t *ret)
{
	return ptrace(PTRACE_GETSIGINFO, tid, NULL, ret) == 0;
}

bool ptrace_place(int tid, struct ptrace_place *ret)
{
	struct __ptrace_syscall_info info;
	long size = ptrace(PTRACE_GET_SYSCALL_INFO, tid, sizeof(info), &info);

	if (size < 0)
		return false;
	*ret = (struct ptrace_place){
		.audit_arch = info.arch,
		.ip = info.instruction_pointer,
		.sp = info.stack_pointer,
	};
	switch (info.op) {
	case PTRACE_SYSCALL_INFO_ENTRY:
		ret->kind = PTRACE_PLACE_ENTRY;
		ret->number = info.entry.nr;
		memcpy(ret->args, info.entry.args, sizeof(ret->args));
		break;
	case PTRACE_SYSCALL_INFO_EXIT:
		ret->kind = PTRACE_PLACE_EXIT;
		ret->retval = info.exit.rval;
		ret->is_error = info.exit.is_error;
		break;
	case PTRACE_SYSCALL_INFO_SECCOMP:
		ret->kind = PTRACE_PLACE_SECCOMP;
		ret->number = info.seccomp.nr;
		memcpy(ret->args, info.seccomp.args, sizeof(ret->args));
		ret->mark = info.seccomp.ret_data;
		break;
	default:
		ret->kind = PTRACE_PLACE_NONE;
	}
	return true;
}

// Not in the headers of older C libraries: linux/ptrace.h.
enum {
	SET_SYSCALL_INFO = 0x4212,
};

static bool set_syscall_info(int tid, struct __ptrace_syscall_info *info)
{
	return ptrace((enum __ptrace_request)SET_SYSCALL_INFO, tid, sizeof(*info), info) == 0;
}

bool ptrace_set_number(int tid, uint64_t number)
{
	struct __ptrace_syscall_info info = {0};

	if (ptrace(PTRACE_GET_SYSCALL_INFO, tid, sizeof(info), &info) < 0)
		return false;
	if (info.op == PTRACE_SYSCALL_INFO_SECCOMP)
		info.seccomp.nr = number;
	else
		info.entry.nr = number;
	return set_syscall_info(tid, &info);
}

bool ptrace_set_result(int tid, int64_t result, bool is_error)
{
	struct __ptrace_syscall_info info = {0};

	if (ptrace(PTRACE_GET_SYSCALL_INFO, tid, sizeof(info), &info) < 0)
		return false;
	info.exit.rval = result;
	info.exit.is_error = is_error;
	return set_syscall_info(tid, &info);
}

bool ptrace_regs(int tid, struct regs *ret)
{
	struct iovec vec = {.iov_base = ret->bytes, .iov_len = sizeof(ret->bytes)};

	if (ptrace(PTRACE_GETREGSET, tid, (long)NT_PRSTATUS, &vec) != 0)
		return false;
	ret->size = vec.iov_len;
	ret->changed = 0;
	return true;
}

bool ptrace_set_regs(int tid, struct regs *regs)
{
	struct iovec vec = {.iov_base = regs->bytes, .iov_len = regs->changed};

	regs->changed = 0;
	return ptrace(PTRACE_SETREGSET, tid, (long)NT_PRSTATUS, &vec) == 0;
}
