// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SESSION_ON_SYSCALL_H
#define SRC_SESSION_ON_SYSCALL_H

/** Handlers of a call's entry and exit, whoever saw them. */

#include <stdbool.h>

struct session;
struct session_task;
struct stop;

/** STOP_SYSCALL_ENTRY; true if the exit need not be seen. */
bool session_on_entry(struct session *session, struct session_task *task, const struct stop *stop);
/** STOP_SYSCALL_EXIT; nothing if no entry was seen. */
void session_on_exit(struct session *session, struct session_task *task, const struct stop *stop);

#endif
