// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_PROC_TASK_SYSCALL_H
#define SRC_PROC_TASK_SYSCALL_H

/**
 * /proc/TID/syscall (proc_pid_syscall(5)) as a struct: the call in which a task sleeps. It does
 * not say in which ABI the call was made.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum task_syscall_kind {
	/** It is gone, or we may not know. */
	TASK_SYSCALL_UNKNOWN,
	/** It computes, or is on a queue to. */
	TASK_SYSCALL_RUNNING,
	/** It sleeps, in no call: a page fault, a stop. */
	TASK_SYSCALL_NONE,
	TASK_SYSCALL_CALL,
};

struct task_syscall {
	enum task_syscall_kind kind;
	/** Only of a call. */
	uint64_t number, args[6];
	/** Of a task that sleeps. */
	uint64_t sp, pc;
};

/** Pure: parses the file's text. */
struct task_syscall task_syscall_parse(const char *text);
struct task_syscall task_syscall_read(int tid);
/**
 * Bytes of a word in the program that task @tid runs: 8 if @syscall has addresses that 32-bit
 * programs do not have, else as its auxiliary vector is written (task_auxv_word_size()). Code of a
 * program may still use calls of another ABI.
 */
unsigned task_syscall_word_size(int tid, const struct task_syscall *syscall);
/**
 * Pure: of a program with the auxiliary vector @bytes, /proc/PID/auxv; 8 if it is empty. This asks
 * no file system, as reading the program's file would.
 */
unsigned task_auxv_word_size(const void *bytes, size_t length);

#endif
