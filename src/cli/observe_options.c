// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "cli/observe_options.h"

#include "base/error.h"
#include "cli/options.h"

struct error *observe_options_everything(struct options *options, const char *argument)
{
	(void)argument;
	options->session.observe.enabled = options->session.observe.everything = true;
	return NULL;
}

struct error *observe_options_finish(struct options *options)
{
	struct session_options *session = &options->session;

	if (!session->observe.enabled)
		return NULL;
	if (session->observe.everything && session->pid_count)
		return error_create("--all-cpus observes all processes, -p only some");
	if (session->kernel_stack)
		return error_create("--kernel-stack needs calls to be stopped at (not --observe)");
	if (session->stacks.after)
		return error_create("--stack-after needs calls to be stopped at (not --observe)");
	session->decode.late = true;
	if (session->observe.everything && !options->quiet_count)
		session->quiet |= SESSION_QUIET_EXIT | SESSION_QUIET_PERSONALITY;
	return NULL;
}
