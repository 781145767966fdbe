// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SESSION_ACCESS_CHECK_H
#define SRC_SESSION_ACCESS_CHECK_H

/**
 * Processes that the kernel lets us trace but not look into: it then tells neither what their
 * paths say nor what their descriptors are, and -P would miss them without a word.
 */

struct session;
struct session_task;

/**
 * @task was just asked about, by match_entry() or the path filter, and nothing of what is
 * wanted was found. If that is because it may not be looked into, the user is told, once.
 */
void session_access_check(struct session *session, const struct session_task *task);

#endif
