// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_ABI_ERRORS_H
#define SRC_ABI_ERRORS_H

/** Error codes of system calls: their names, and those that only a tracer sees. */

#include <stdbool.h>
#include <stdint.h>

enum {
	/** Results from -ERROR_CODE_MAX to -1 are errors (MAX_ERRNO of include/linux/err.h). */
	ERROR_CODE_MAX = 4095,
};

/**
 * The kernel's own codes (its include/linux/errno.h) for a call that a signal interrupts: whether
 * and how it is restarted is decided after the stop at its exit.
 */
enum restart_code {
	/** With EINTR if a handler without SA_RESTART runs. */
	ERESTARTSYS = 512,
	ERESTARTNOINTR = 513,
	/** With EINTR if any handler runs. */
	ERESTARTNOHAND = 514,
	/** By a call of restart_syscall, which knows what is left to wait. */
	ERESTART_RESTARTBLOCK = 516,
};

/** Whether @result, as a register holds it, is an error. */
static inline bool result_is_error(int64_t result)
{
	return result < 0 && result >= -ERROR_CODE_MAX;
}

/**
 * "ENOENT"; the names linux/errno.h keeps for the kernel's own use (515 and above) are
 * included, those of restart_name() are not. NULL if there is none.
 */
const char *errno_name(int code);
/** "ERESTARTSYS" (512) and its like, which only a tracer sees; NULL if it is none. */
const char *restart_name(int code);
/** "To be restarted if SA_RESTART is set" and its like; NULL if it is none. */
const char *restart_text(int code);

#endif
