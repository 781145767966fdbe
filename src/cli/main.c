// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/complain.h"
#include "cli/option_table.h"
#include "cli/options.h"
#include "cli/version.h"
#include "output/sink.h"

// Ends as the command ended, so that a shell or make sees no difference.
static int leave_like(const struct session_result *result)
{
	const struct rlimit no_core = {0, 0};
	sigset_t set;

	if (!result->signal)
		return result->status;
	setrlimit(RLIMIT_CORE, &no_core);
	signal(result->signal, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, result->signal);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(result->signal);
	return 128 + result->signal;
}

static int run(struct options *options)
{
	struct session_result result = {0};
	struct sink *sink = NULL;
	struct error *error = sink_open(options->output_path, options->output_append, &sink);
	int write_error;

	if (error)
		return complain(error);
	options->session.sink = sink;
	error = session_run(&options->session, &result);
	write_error = sink_error(sink);
	sink_close(sink);
	if (error)
		return complain(error);
	if (write_error)
		return complain(error_errno(write_error, "cannot write to %s",
			options->output_path ? options->output_path : "standard error"));
	return leave_like(&result);
}

int main(int argc, char *argv[])
{
	struct options options;
	struct error *error;
	int code = 0;

	options_init(&options);
	error = options_parse(&options, argc, argv);
	if (error)
		code = complain_usage(error);
	else if (options.help)
		option_table_help();
	else if (options.version)
		version_print();
	else
		code = run(&options);
	options_deinit(&options);
	return code;
}
