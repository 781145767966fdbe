// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "session/supervise.h"

#include <signal.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"
#include "session/messages.h"
#include "session/session.h"
#include "trace/residual_tracer.h"

enum {
	// A command that was sent a signal ends soon; then nobody is left behind.
	GRACE_MS = 200,
};

struct error *session_supervise_split(struct session_supervise *leave,
	struct session_options *options, struct session_result *ret)
{
	// Asks for a report of names that are missing, see session/explain.h.
	int asking = options->output.stack != OUTPUT_STACK_NONE ? SIGUSR1 : 0;
	const char *absence = session_filter_absence(options, &options->no_new_privs);
	struct supervisor_end end = {0};
	struct error *error;

	if (options->debug)
		message_say(
			"seccomp filter: %s%s", absence ? "none: " : "yes", absence ? absence : "");
	if (absence)
		return NULL;
	error = supervisor_split(asking, &leave->supervisor, &leave->is_supervisor, &end);
	if (error)
		return error;
	options->supervisor_pid = leave->supervisor.pid;
	options->supervisor_pipe = leave->supervisor.pipe;
	*ret = (struct session_result){.status = end.status, .signal = end.signal};
	return NULL;
}

static void leave(const struct session_supervise *leave, const struct session_options *options,
	const struct session_result *result, int code)
{
	const struct supervisor_end end = {.status = code, .signal = code ? 0 : result->signal};
	sigset_t all;

	residual_serve(result->residual, supervisor_is_gone(leave->supervisor.pid) ? 0 : GRACE_MS);
	if (!residual_any())
		return;
	if (!supervisor_is_gone(leave->supervisor.pid) && !(options->quiet & SESSION_QUIET_ATTACH))
		message_say("what still runs cannot be rid of its seccomp filter, so process "
			    "%d stays to pass its system calls on until it ends",
			getpid());
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	supervisor_dismiss(&leave->supervisor, &end);
	supervisor_let_go_of_files();
	residual_serve(result->residual, -1);
}

void session_supervise_begin(const struct session_result *result)
{
	static const int survived[] = {SIGPIPE, SIGXFSZ, SIGXCPU, SIGTTOU};

	for (size_t i = 0; result->residual && i < ARRAY_SIZE(survived); i++)
		signal(survived[i], SIG_IGN);
}

void session_supervise_end(const struct session_supervise *leave_by,
	const struct session_options *options, const struct session_result *result, int code)
{
	if (!result->residual)
		return;
	leave(leave_by, options, result, code);
	residual_destroy(result->residual);
}
