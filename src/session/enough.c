// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "session/enough.h"

#include <errno.h>
#include <sys/wait.h>

#include "session/internal.h"
#include "trace/trace.h"
#include "trace/tracee.h"

enum {
	NS_PER_S = 1000000000,
};

bool session_decides_late(const struct session *session)
{
	const struct enough_options *options = &session->options->enough;

	return options->duration || options->frames;
}

bool session_is_deep_enough(const struct session *session, const struct unwind_stack *stack)
{
	size_t frames = stack ? stack->count + stack->folded : 0;

	return frames >= session->options->enough.frames;
}

bool session_is_enough(
	const struct session *session, struct timespec duration, const struct unwind_stack *stack)
{
	uint64_t took = (uint64_t)duration.tv_sec * NS_PER_S + (uint64_t)duration.tv_nsec;

	return took >= session->options->enough.duration && session_is_deep_enough(session, stack);
}

bool session_hides(const struct session *session, const struct session_task *task)
{
	const struct enough_options *options = &session->options->enough;

	for (size_t i = 0; i < options->hidden_count; i++) {
		if (options->hidden[i] == task->tracee->id.tid ||
			options->hidden[i] == task->tracee->tgid)
			return true;
	}
	return false;
}

void session_count_event(struct session *session)
{
	session->event_count++;
}

bool session_is_full(const struct session *session)
{
	uint64_t most = session->options->enough.events;

	return most && session->event_count >= most;
}

void session_wait_for_command(struct session *session)
{
	int status;

	if (!session->command_pid || session->options->supervisor_pid ||
		(session->trace && trace_filters(session->trace)))
		return;
	while (waitpid(session->command_pid, &status, 0) < 0) {
		if (errno != EINTR)
			return;
	}
	session->result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
	session->result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}
