// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_DECODE_CALL_H
#define SRC_DECODE_CALL_H

/**
 * One system call of one task, from entry to exit: what went in, what came out,
 * as values. It owns the arena everything about it lives in, its stack included.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "schema/abi_id.h"

struct signature;
struct syscall;
struct value;

enum {
	/** Arguments shown at most; variants may have more parts than registers. */
	CALL_ARGS_MAX = 8,
	CALL_REGS = 6,
};

enum call_result {
	/** Still running, or never seen to end. */
	CALL_UNFINISHED,
	CALL_SUCCESS,
	/** @error holds the errno. */
	CALL_ERROR,
	/** The kernel will restart it; @error holds the ERESTART code (512 and up). */
	CALL_RESTART,
	/** No result was had: the task died or left the call by other ways (`?`). */
	CALL_NO_RESULT,
};

/** Bytes that a call read or wrote (-e read=, -e write=), all of them. In the call's arena. */
struct call_data {
	const uint8_t *bytes;
	size_t length;
	/** Of several lists of buffers (recvmmsg), which one; else -1. */
	int list;
	/** Which buffer of its list, and of how many; -1: there is no list. */
	int buffer;
	unsigned buffer_count;
	struct call_data *next;
};

/** What of a ring of io_uring cannot be seen. */
enum call_blind {
	/** The kernel polls it. */
	CALL_BLIND_POLLED = 1 << 0,
	/** What is submitted to it. */
	CALL_BLIND_RING = 1 << 1,
	/** Which file a slot of it stands for. */
	CALL_BLIND_SLOT = 1 << 2,
};

/** What was done to a call on purpose. */
enum call_tampered {
	/** It was not made, or another was, and its result was made up. */
	CALL_TAMPERED_RESULT = 1 << 0,
	/** Memory behind its arguments was written to. */
	CALL_TAMPERED_ARGUMENTS = 1 << 1,
	/** The task was held at its entry, or its exit. */
	CALL_DELAYED = 1 << 2,
};

struct call {
	enum abi_id abi;
	/** As the kernel was given it. */
	uint64_t number;
	/** NULL for numbers outside the table; the inner one of calls that make others. */
	const struct syscall *syscall;
	/** Raw argument registers at entry, or what stands for them. */
	uint64_t regs[CALL_REGS];
	/** Where the result is left in memory, see struct syscall_inner; 0: nowhere. */
	uint64_t result_at;
	/** Stack pointer at entry: set between call_reset() and decode_entry(); 0: unknown. */
	uint64_t sp;
	/** The call that this one goes on with (restart_syscall); else NULL. Not owned. */
	const char *resumes;

	/** The variant in force; NULL when the call is not described. */
	const struct signature *signature;
	/** One value per shown argument; the first @known are final since entry. */
	struct value *args[CALL_ARGS_MAX];
	/** Text shows verbose-only members, too. */
	bool is_whole;
	/** What was read or written, if that is asked for. */
	struct call_data *data;
	unsigned arg_count;
	unsigned known;
	/**
	 * The decoder's notes from entry to exit, a bit per argument of the signature:
	 * shown at all, to be decoded at exit, at exit even if the call failed.
	 */
	uint8_t shown, pending, pending_failed;

	enum call_result result;
	/** Raw result; for CALL_ERROR the errno is in @error. */
	int64_t retval;
	int error;
	/** It failed only because the task was stopped to be attached to. */
	bool is_disturbed;
	/** The result as a value (fd with its path …); NULL where the plain number says all. */
	struct value *ret;
	/**
	 * Shown in parentheses after the result; may be NULL. Members of a STRUCT are written
	 * `label value, …` there, without braces: `(in [3], left {…})`.
	 */
	struct value *note;

	/** CALL_TAMPERED_* and CALL_DELAYED; set at the exit, before decode_exit(). */
	unsigned tampered;
	/** CALL_BLIND_* of what it does or has set up and nobody sees. */
	unsigned blind;

	struct arena arena;
};

#endif
