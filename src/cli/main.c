// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <errno.h>
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
#include "session/explain.h"
#include "session/supervise.h"

// As the command ended, so that a shell or make sees no difference.
static int die_by(int number)
{
	const struct rlimit no_core = {0, 0};
	sigset_t set;

	setrlimit(RLIMIT_CORE, &no_core);
	signal(number, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, number);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(number);
	return 128 + number;
}

static int trace(struct options *options, struct session_result *result)
{
	struct sink *sink = NULL;
	const char *path = options->output_separately ? NULL : options->output_path;
	struct error *error = sink_open(path, options->output_append, &sink);
	int write_error;
	bool to_nobody;

	if (error)
		return complain(error);
	options->session.sink = sink;
	error = session_run(&options->session, result);
	session_supervise_begin(result);
	write_error = sink_error(sink);
	to_nobody = write_error == EPIPE && sink_is_stderr(sink);
	sink_close(sink);
	if (error)
		return complain(error);
	// There is nobody to complain to, either.
	if (to_nobody) {
		result->signal = SIGPIPE;
		return 0;
	}
	// It was said; the command ended as it would have.
	if (write_error && !options->session.command)
		return 1;
	if (result->interrupted)
		result->signal = result->interrupted;
	return result->signal ? 0 : result->status;
}

static int run(struct options *options)
{
	struct session_result result = {0};
	struct session_supervise leave = {0};
	struct error *error = session_supervise_split(&leave, &options->session, &result);
	int code;

	if (error)
		return complain(error);
	if (options->session.filter == SESSION_FILTER_ON && !leave.supervisor.pid)
		fprintf(stderr, "%s: without --seccomp-bpf: %s\n", program_invocation_name,
			session_filter_refusal(&options->session));
	if (leave.is_supervisor)
		return result.signal ? die_by(result.signal) : result.status;
	code = trace(options, &result);
	session_supervise_end(&leave, &options->session, &result, code);
	return code || !result.signal ? code : die_by(result.signal);
}

static int explain(struct options *options)
{
	struct error *error = explain_alone(&options->session, options->session.command);

	return error ? complain(error) : 0;
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
	else if (options_only_explain(&options))
		code = explain(&options);
	else
		code = run(&options);
	options_deinit(&options);
	return code;
}
