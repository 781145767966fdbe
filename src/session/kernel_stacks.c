// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "session/kernel_stacks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "proc/task.h"
#include "session/messages.h"
#include "session/state.h"

// NULL if nobody asked or if there is nothing to be had.
static char *read_stack(struct session *session, int tid, size_t *length_ret)
{
	char *text;

	if (!session->options->kernel_stack ||
		session->messages.said & MESSAGE_KERNEL_STACKS_HIDDEN)
		return NULL;
	text = task_file(tid, "stack", length_ret);
	if (!text && (errno == EPERM || errno == EACCES) &&
		message_is_new(&session->messages, MESSAGE_KERNEL_STACKS_HIDDEN))
		message_note(session,
			"the kernel's stacks cannot be read: /proc/PID/stack needs CAP_SYS_ADMIN");
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
