// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "proc/task_syscall.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "proc/task.h"

// NUMBER ARGUMENT... SP PC, or "-1 SP PC", or "running": proc_pid_syscall() of fs/proc/base.c.
struct task_syscall task_syscall_parse(const char *text)
{
	struct task_syscall ret = {.kind = TASK_SYSCALL_UNKNOWN};
	uint64_t *args = ret.args;
	int64_t number;

	if (strncmp(text, "running", strlen("running")) == 0) {
		ret.kind = TASK_SYSCALL_RUNNING;
		return ret;
	}
	if (sscanf(text, "-1 0x%" SCNx64 " 0x%" SCNx64, &ret.sp, &ret.pc) == 2) {
		ret.kind = TASK_SYSCALL_NONE;
		return ret;
	}
	if (sscanf(text,
		    "%" SCNd64 " 0x%" SCNx64 " 0x%" SCNx64 " 0x%" SCNx64 " 0x%" SCNx64 " 0x%" SCNx64
		    " 0x%" SCNx64 " 0x%" SCNx64 " 0x%" SCNx64,
		    &number, &args[0], &args[1], &args[2], &args[3], &args[4], &args[5], &ret.sp,
		    &ret.pc) != 9 ||
		number < 0)
		return (struct task_syscall){.kind = TASK_SYSCALL_UNKNOWN};
	ret.kind = TASK_SYSCALL_CALL;
	ret.number = (uint64_t)number;
	return ret;
}

struct task_syscall task_syscall_read(int tid)
{
	size_t length;
	cleanup_free char *text = task_file(tid, "syscall", &length);

	return text ? task_syscall_parse(text)
		    : (struct task_syscall){.kind = TASK_SYSCALL_UNKNOWN};
}

unsigned task_auxv_word_size(const void *bytes, size_t length)
{
	const char *at = bytes;

	// Pairs of a small number and a value. Read as pairs of 64 bits, the upper halves of all
	// numbers are 0; in a vector of 32 bits they are values, which are not all 0.
	for (size_t i = 0; i + 16 <= length; i += 16) {
		uint32_t upper;

		memcpy(&upper, at + i + 4, sizeof(upper));
		if (upper)
			return 4;
	}
	return 8;
}

unsigned task_syscall_word_size(int tid, const struct task_syscall *syscall)
{
	size_t length;
	cleanup_free char *auxv = NULL;

	if (syscall->sp > UINT32_MAX || syscall->pc > UINT32_MAX)
		return 8;
	auxv = task_file(tid, "auxv", &length);
	return auxv ? task_auxv_word_size(auxv, length) : 8;
}
