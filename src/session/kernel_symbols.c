// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <time.h>

#include "event/event.h"
#include "perf/kallsyms.h"
#include "session/internal.h"

static void complain(struct session *session)
{
	struct event event = {
		.kind = EVENT_NOTE,
		.text = "the kernel's functions have no names: /proc/kallsyms hides their "
			"addresses "
			"(sysctl kernel.kptr_restrict=0 or CAP_SYSLOG shows them)",
	};

	clock_gettime(CLOCK_REALTIME, &event.wall);
	clock_gettime(CLOCK_MONOTONIC, &event.monotonic);
	outputs_event(&session->outputs, &event);
}

const struct kallsyms *session_kernel_symbols(struct session *session)
{
	if (session->kernel_symbols)
		return session->kernel_symbols;
	session->kernel_symbols = kallsyms_load();
	if (!kallsyms_count(session->kernel_symbols))
		complain(session);
	return session->kernel_symbols;
}
