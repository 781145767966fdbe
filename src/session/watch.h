// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SESSION_WATCH_H
#define SRC_SESSION_WATCH_H

/**
 * With -P and a seccomp filter: in which processes calls with descriptors and mapped memory
 * have to stop. As long as a process has no descriptor and no mapping of what is asked for,
 * only calls that carry a path, or by which a descriptor may arrive, can matter, and only
 * they stop. Threads share descriptors and cannot be stopped all at once without disturbing
 * them, so a process that has several is always watched.
 */

#include <stdbool.h>

#include "filter/glance.h"

struct seccomp_traps;
struct session;
struct session_task;
struct stop;
struct stop_syscall;

/** At every stop, after it was handled. */
void session_watch_stop(
	struct session *session, struct session_task *task, const struct stop *stop);
/** What can be said of a call before it is decoded. */
enum glance_verdict session_watch_glance(
	struct session *session, struct session_task *task, const struct stop_syscall *entry);
/** Before a call is handled; true if its exit has to be seen. */
bool session_watch_entry(struct session *session, struct session_task *task);
/** After a call was handled: @matched says that it has to do with what is asked for. */
void session_watch_exit(
	struct session *session, struct session_task *task, const struct stop *stop, bool matched);

#endif
