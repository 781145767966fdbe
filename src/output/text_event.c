// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "abi/abi.h"
#include "base/buf.h"
#include "event/event.h"
#include "output/quote.h"
#include "output/text_event.h"
#include "output/text_value.h"

static void put_signal(struct buf *buf, int number)
{
	const char *name = signal_name(abi_native()->id, number);

	if (name)
		buf_string(buf, name);
	else
		buf_signed(buf, number);
}

void text_event(struct buf *buf, const struct event *event, const struct text_style *style)
{
	switch (event->kind) {
	case EVENT_SIGNAL:
		buf_string(buf, "--- ");
		put_signal(buf, event->signal.number);
		if (event->signal.info) {
			buf_char(buf, ' ');
			text_value(buf, event->signal.info, style);
		}
		buf_string(buf, " ---");
		break;
	case EVENT_STOPPED:
		buf_string(buf, "--- stopped by ");
		put_signal(buf, event->signal.number);
		buf_string(buf, " ---");
		break;
	case EVENT_EXITED:
		buf_printf(buf, "+++ exited with %d +++", event->exit.status);
		break;
	case EVENT_KILLED:
		buf_string(buf, "+++ killed by ");
		put_signal(buf, event->exit.status);
		if (event->exit.core_dumped)
			buf_string(buf, " (core dumped)");
		buf_string(buf, " +++");
		break;
	case EVENT_SUPERSEDED:
		buf_printf(buf, "+++ superseded by execve in pid %d +++", event->superseded.by);
		break;
	case EVENT_ABI:
		buf_printf(buf, "[ Process PID=%d runs in %s mode. ]", event->task.tid,
			abi_get(event->abi)->mode);
		break;
	case EVENT_RUNNING:
		buf_string(buf, "--- running ---");
		break;
	case EVENT_LOST:
		buf_printf(buf, "!!! %" PRIu64 " %s lost !!!", event->lost.count, event->lost.what);
		break;
	case EVENT_CALL:
	case EVENT_FAULT:
	case EVENT_ATTACHED:
	case EVENT_DETACHED:
	case EVENT_NOTE:
	case EVENT_CHILD:
	case EVENT_EXEC:
	case EVENT_NAMED:
	case EVENT_SCHEDULED:
	case EVENT_ACCOUNT:
	case EVENT_ASKED:
		break;
	}
}

void text_message(struct buf *buf, const struct event *event)
{
	buf_printf(buf, "%s: ", program_invocation_name);
	if (event->kind == EVENT_NOTE)
		quote_plain(buf, event->text, strlen(event->text));
	else
		buf_printf(buf, "Process %d %s", event->task.tid,
			event->kind == EVENT_ATTACHED ? "attached" : "detached");
	buf_char(buf, '\n');
}
