// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "event/event.h"
#include "proc/task.h"
#include "session/internal.h"

static void complain(struct session *session)
{
	struct event event = {
		.kind = EVENT_NOTE,
		.text = "the kernel's stacks cannot be read: /proc/PID/stack needs CAP_SYS_ADMIN",
	};

	session->kernel_stacks_hidden = true;
	clock_gettime(CLOCK_REALTIME, &event.wall);
	clock_gettime(CLOCK_MONOTONIC, &event.monotonic);
	outputs_event(&session->outputs, &event);
}

// NULL if nobody asked or if there is nothing to be had.
static char *read_stack(struct session *session, int tid, size_t *length_ret)
{
	char *text;

	if (!session->options->kernel_stack || session->kernel_stacks_hidden)
		return NULL;
	text = task_file(tid, "stack", length_ret);
	if (!text && (errno == EPERM || errno == EACCES))
		complain(session);
	return text;
}

bool session_kernel_stack_take(
	struct session *session, int tid, struct arena *arena, struct kernel_stack *ret)
{
	size_t length;
	cleanup_free char *text = read_stack(session, tid, &length);

	if (!text)
		return false;
	*ret = kernel_stack_parse(text, length, arena);
	return ret->count;
}

void session_kernel_stack_remember(struct session *session, int tid)
{
	size_t length;
	char *text = read_stack(session, tid, &length);

	if (text)
		free(hash_set(&session->sleeping, (uint64_t)tid, text));
}

bool session_kernel_stack_recall(
	struct session *session, int tid, struct arena *arena, struct kernel_stack *ret)
{
	cleanup_free char *text = hash_remove(&session->sleeping, (uint64_t)tid);

	if (!text)
		return false;
	*ret = kernel_stack_parse(text, strlen(text), arena);
	return ret->count;
}

void session_kernel_stack_forget(struct session *session)
{
	struct hash_entry *entry;
	size_t position = 0;

	while ((entry = hash_next(&session->sleeping, &position)))
		free(entry->value);
	hash_deinit(&session->sleeping);
}
