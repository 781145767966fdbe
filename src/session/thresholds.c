// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "session/thresholds.h"

#include "base/time_units.h"
#include "filter/query.h"
#include "session/state.h"

bool session_decides_late(const struct session *session)
{
	const struct threshold_options *options = &session->options->thresholds;

	return options->duration || options->frames;
}

bool session_is_deep_enough(const struct session *session, const struct unwind_stack *stack)
{
	size_t frames = stack ? stack->count + stack->folded : 0;

	return frames >= session->options->thresholds.frames;
}

bool session_passes_thresholds(
	const struct session *session, struct timespec duration, const struct unwind_stack *stack)
{
	uint64_t took = (uint64_t)duration.tv_sec * NS_PER_S + (uint64_t)duration.tv_nsec;

	return took >= session->options->thresholds.duration &&
	       session_is_deep_enough(session, stack);
}

bool session_hides(const struct session *session, const struct session_task *task)
{
	const struct threshold_options *options = &session->options->thresholds;

	for (size_t i = 0; i < options->hidden_count; i++) {
		if (options->hidden[i] == task->id.tid || options->hidden[i] == task->tgid)
			return true;
	}
	return false;
}

bool session_shows_signal(const struct session *session, int signal)
{
	return signal < 1 || signal > 64 || session->options->query->signals >> (signal - 1) & 1;
}

bool session_is_told(const struct session *session, const struct session_task *task)
{
	const struct query *query = session->options->query;

	if (session_hides(session, task))
		return false;
	return task->shown || !query->paths.patterns.count || query->signals_asked;
}

void session_count_event(struct session *session)
{
	session->event_count++;
}

void session_count_call(struct session *session)
{
	uint64_t most = session->options->thresholds.calls;

	session_count_event(session);
	if (++session->call_count == most && !(session->options->quiet & SESSION_QUIET_ATTACH))
		message_note(session, "System call limit has been reached, detaching tracees");
}

bool session_is_full(const struct session *session)
{
	const struct threshold_options *options = &session->options->thresholds;

	return (options->events && session->event_count >= options->events) ||
	       (options->calls && session->call_count >= options->calls);
}
