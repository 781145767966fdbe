// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_DECODE_DECODER_H
#define SRC_DECODE_DECODER_H

/**
 * Walks a call's description at entry and at exit and fills the call with values.
 * It sees the task only through a view, so a recording serves as well as a live
 * process, and prints nothing.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/number_set.h"
#include "schema/abi_id.h"
#include "schema/syscall_set.h"

struct call;
struct value;
struct view;

struct decode_options {
	/** Most bytes kept of a string or buffer (-s); paths are always whole. */
	size_t string_limit;
	/** Decode verbose-only members and whole arrays (-v); of these calls (-e abbrev=). */
	bool verbose;
	struct syscall_set whole;
	/** Keep all bytes that are read from, written to these descriptors: see call->data. */
	struct number_set reads, writes;
	/** Note the paths of descriptors (-y); what else is behind them: enum fd_detail_kind. */
	bool fd_paths;
	unsigned fd_details;
	/** Note the command names of processes and threads (-Y). */
	bool comms;
	/** The task runs while its memory is read: values that depend on it are value->late. */
	bool late;
	/** Nobody asks for arguments: there are none, and memory is not read for them. */
	bool outcome_only;
	/** Look into the rings of io_uring for what is submitted. */
	bool submissions;
};

/** Starts @call (zeroed, or one that was call_reset()): values known at entry. */
void decode_entry(struct call *call, const struct decode_options *options, struct view *view,
	enum abi_id abi, uint64_t number, const uint64_t regs[6]);

/**
 * Completes the call at exit. @is_error as PTRACE_GET_SYSCALL_INFO says; @retval
 * is then minus the errno.
 */
void decode_exit(struct call *call, const struct decode_options *options, struct view *view,
	int64_t retval, bool is_error);

/** The call will never be seen to end: its result becomes `?`, pending arguments addresses. */
void decode_no_result(struct call *call);

/** Makes @call ready for the next decode_entry(), keeping memory. */
void call_reset(struct call *call);
void call_deinit(struct call *call);

/** A siginfo_t of 128 bytes in the layout of @abi's kernel (64-bit as ptrace gives it). */
struct value *decode_siginfo(struct call *scratch, enum abi_id abi, const void *siginfo);

#endif
