// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SESSION_URING_TRACKING_H
#define SRC_SESSION_URING_TRACKING_H

/**
 * How rings of io_uring are made, and which numbers threads give to theirs: from the calls that
 * do it.
 */

struct session;
struct session_task;

/** A call with FACT_MAKES_RING or FACT_NUMBERS_RINGS has succeeded with @result. */
void uring_tracking_call(struct session *session, struct session_task *task, long long result);
/** A call was decoded with CALL_BLIND_* @blind: with -P, the user is told once what is missed. */
void uring_tracking_blind(struct session *session, unsigned blind);

#endif
