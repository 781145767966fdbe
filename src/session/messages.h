// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SESSION_MESSAGES_H
#define SRC_SESSION_MESSAGES_H

/**
 * What is said to the user beside the trace, on standard error or among the events. No other file
 * of src/session writes there. Bytes that cannot be shown are escaped.
 */

#include <stdbool.h>
#include <stddef.h>

struct session;

/** What is said only once in a run. */
enum message {
	/** What -P misses: CALL_BLIND_* of decode/call.h. */
	MESSAGE_RING_POLLED = 1 << 0,
	MESSAGE_RING_UNREADABLE = 1 << 1,
	MESSAGE_RING_SLOT = 1 << 2,
	/** See session/access_check.h. */
	MESSAGE_NO_ACCESS = 1 << 3,
	MESSAGE_KERNEL_STACKS_HIDDEN = 1 << 4,
};

struct messages {
	/** MESSAGE_* */
	unsigned said;
};

/** True the first time that it is asked of @message: now it is said. */
bool message_is_new(struct messages *messages, enum message message);
/** A line on standard error, behind the name by which we were called. */
void message_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/** Whole lines that are no single message, on standard error as they are. */
void message_report(const char *text, size_t length);
/** An event for the outputs, at the present time. */
void message_note(struct session *session, const char *text);

#endif
