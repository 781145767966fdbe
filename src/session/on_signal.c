// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "decode/decoder.h"
#include "event/event.h"
#include "filter/query.h"
#include "session/internal.h"

// A group-stop repeats the signal that was shown when it arrived: only the fact is new.
static void stopped(struct session *session, struct session_task *task, const struct stop *stop)
{
	struct event event = {.kind = EVENT_STOPPED, .signal = {.number = stop->signal}};

	session_task_event(task, &event);
	outputs_event(&session->outputs, &event);
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

void session_on_signal(struct session *session, struct session_task *task, const struct stop *stop)
{
	struct event event = {.kind = EVENT_SIGNAL, .signal = {.number = stop->signal}};
	struct unwind_stack stack;

	if (!session_shows_signal(session, stop->signal) || !session_is_told(session, task))
		return;
	if (stop->kind == STOP_GROUP) {
		stopped(session, task, stop);
		return;
	}
	call_reset(&session->scratch);
	session_count_event(session);
	session_task_event(task, &event);
	if (stop->has_siginfo)
		event.signal.info = decode_siginfo(&session->scratch, ABI_X86_64, &stop->siginfo);
	if (session->options->stacks.every && session_stack_take(session, task, FRAME_ADDRESS_EXACT,
						      &session->scratch.arena, &stack))
		event.stack = &stack;
	outputs_event(&session->outputs, &event);
}
