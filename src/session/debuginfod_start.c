// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "session/debuginfod_start.h"

#include "output/sink.h"
#include "session/messages.h"
#include "session/session.h"
#include "session/state.h"
#include "unwind/unwind.h"

static void show_progress(void *context, const char *line)
{
	const struct session_options *options = context;

	bool is_shared = options->sink && sink_is_stderr(options->sink);

	// Among objects a bare line would be a surprise.
	if (options->quiet & SESSION_QUIET_SYMBOLS || (is_shared && options->is_structured))
		return;
	// The rest of the line that is open waits for what is waited for here.
	if (is_shared && sink_in_line(options->sink)) {
		sink_write(options->sink, "\n", 1);
		sink_flush(options->sink);
	}
	message_say("%s", line);
}

struct error *debuginfod_start_asking(
	const struct session_options *options, struct debuginfod **ret)
{
	const struct debuginfod_options servers = {
		.urls = options->servers.urls,
		.cache = options->unwind.debuginfod_cache,
		.silence_most = options->servers.silence_most,
		.time_most = options->servers.time_most,
		.progress = show_progress,
		.context = (void *)options,
	};

	*ret = NULL;
	return servers.urls ? debuginfod_start(&servers, ret) : NULL;
}

// Whoever asks us to end does not want to wait.
void session_flush_pending(struct session *session, bool wait)
{
	if (!session->debuginfod)
		return;
	if (wait && session->result.interrupted)
		debuginfod_cancel(session->debuginfod);
	outputs_flush_pending(&session->outputs, wait);
}
