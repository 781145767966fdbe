// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "session/on_signal.h"

#include "abi/abi.h"
#include "decode/decoder.h"
#include "event/event.h"
#include "filter/query.h"
#include "session/state.h"

static uint64_t place(const struct session *session, struct session_task *task)
{
	const struct session_source_ops *ops = task->source->ops;

	if (!session->options->output.instruction_pointer || !ops->place)
		return 0;
	return ops->place(task->source, task);
}

// A group-stop repeats the signal that was shown when it arrived: only the fact is new.
static void stopped(struct session *session, struct session_task *task, const struct stop *stop)
{
	session_report(session, task,
		(struct event){.kind = EVENT_STOPPED,
			.ip = place(session, task),
			.signal = {.number = stop->signal}});
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
	session_task_event(task, task->source, &event);
	event.ip = place(session, task);
	if (stop->has_siginfo)
		event.signal.info =
			decode_siginfo(&session->scratch, abi_native()->id, &stop->siginfo);
	if (session->options->stacks.every &&
		source_stack(task->source, task, NULL, &session->scratch.arena, &stack))
		event.stack = &stack;
	outputs_event(&session->outputs, &event);
}
