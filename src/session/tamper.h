// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SESSION_TAMPER_H
#define SRC_SESSION_TAMPER_H

/**
 * Carries out what --inject asks for (filter/inject.h). Only calls that are shown as far as -e
 * trace and -P go are tampered with, and only they are counted; so the task stops at them anyway.
 */

#include <stdbool.h>

struct session;
struct session_task;
struct stop;

/**
 * At an entry that is to be shown, before it is. True if memory behind its arguments was
 * written to: they have to be decoded again.
 */
bool session_tamper_entry(
	struct session *session, struct session_task *task, const struct stop *stop);
/** At the exit of that call, before it is decoded. */
void session_tamper_exit(
	struct session *session, struct session_task *task, const struct stop *stop);

#endif
