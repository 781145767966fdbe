// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "cli/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/nearest.h"
#include "cli/cache_dir.h"
#include "cli/inject_options.h"
#include "cli/observe_options.h"
#include "cli/option_table.h"
#include "cli/output_options.h"
#include "cli/stack_options.h"
#include "cli/startup_options.h"
#include "cli/symbol_options.h"

enum {
	/** getopt_long's value for row n is this plus n, so that long-only rows have one. */
	ROW_BASE = 0x1000,
};

void options_init(struct options *options)
{
	*options = (struct options){
		.session = {.decode = {.string_limit = 32}, .output = {.align = 40}},
		.format = output_format_by_name("text"),
	};
	query_init(&options->query);
	summary_columns_default(&options->session.summary.columns);
}

void options_deinit(struct options *options)
{
	symbol_options_deinit(options);
	query_deinit(&options->query);
	inject_deinit(&options->inject);
	array_deinit(&options->pids);
	array_deinit(&options->hidden);
	array_deinit(&options->environment);
	array_deinit(&options->requests);
	array_deinit(&options->trace_paths);
	number_set_deinit(&options->session.decode.reads);
	number_set_deinit(&options->session.decode.writes);
	free(options->cache_dir);
}

static void short_options(struct buf *text, const struct option_row *rows, size_t count)
{
	// + stops at the command, : tells a missing argument from an unknown option.
	buf_string(text, "+:");
	for (size_t i = 0; i < count; i++) {
		if (!rows[i].short_name)
			continue;
		buf_char(text, rows[i].short_name);
		if (rows[i].argument_kind == OPTION_NEEDS_ARGUMENT)
			buf_char(text, ':');
	}
}

static struct option *long_options(const struct option_row *rows, size_t count)
{
	static const int kinds[] = {
		[OPTION_NO_ARGUMENT] = no_argument,
		[OPTION_NEEDS_ARGUMENT] = required_argument,
		[OPTION_MAY_HAVE_ARGUMENT] = optional_argument,
	};
	struct option *list = xcalloc(count + 1, sizeof(*list));
	size_t used = 0;

	for (size_t i = 0; i < count; i++) {
		if (!rows[i].long_name)
			continue;
		list[used++] = (struct option){
			.name = rows[i].long_name,
			.has_arg = kinds[rows[i].argument_kind],
			.val = ROW_BASE + (int)i,
		};
	}
	return list;
}

// "--NAME" or "--NAME=VALUE", that getopt_long knows no option for, or more than one.
static struct error *unknown_option(const char *word)
{
	size_t count;
	const struct option_row *rows = option_table(&count);
	cleanup_free char *name = xstrndup(word + 2, strcspn(word + 2, "="));
	cleanup_free char *question = NULL;
	struct nearest nearest = nearest_begin(name);
	bool is_ambiguous = false;

	for (size_t i = 0; i < count; i++) {
		if (!rows[i].long_name)
			continue;
		is_ambiguous |= strncmp(rows[i].long_name, name, strlen(name)) == 0;
		nearest_try(&nearest, rows[i].long_name);
	}
	question = nearest_question(&nearest);
	return error_create(
		"%s option '%s'%s", is_ambiguous ? "ambiguous" : "unrecognized", word, question);
}

static struct error *bad_option(int code, char *argv[])
{
	const char *word = argv[optind - 1];

	if (code == ':')
		return optopt >= ROW_BASE || !optopt
			       ? error_create("option '%s' requires an argument", word)
			       : error_create("option requires an argument -- '%c'", optopt);
	if (optopt >= ROW_BASE)
		return error_create("option '%s' doesn't allow an argument", word);
	if (optopt)
		return error_create("invalid option -- '%c'", optopt);
	return unknown_option(word);
}

static const struct option_row *row_of(const struct option_row *rows, size_t count, int code)
{
	if (code >= ROW_BASE)
		return &rows[code - ROW_BASE];
	for (size_t i = 0; i < count; i++) {
		if (rows[i].short_name == code)
			return &rows[i];
	}
	return NULL;
}

static struct error *parse_words(struct options *options, int argc, char *argv[])
{
	size_t count;
	const struct option_row *rows = option_table(&count);
	cleanup_free struct option *longs = long_options(rows, count);
	struct buf shorts = {0};
	struct error *error = NULL;
	int code;

	short_options(&shorts, rows, count);
	opterr = 0;
	optind = 0;
	while (!error && (code = getopt_long(argc, argv, buf_text(&shorts), longs, NULL)) != -1) {
		const struct option_row *row = row_of(rows, count, code);

		error = row ? option_row_set(row, options, optarg) : bad_option(code, argv);
	}
	buf_deinit(&shorts);
	return error;
}

static struct error *add_paths(struct options *options)
{
	array_for_each (path, &options->trace_paths) {
		const char *resolved;
		struct error *error = path_set_add(&options->query.paths, *path, &resolved);

		if (error)
			return error;
		if (resolved && !(options->session.quiet & SESSION_QUIET_PATH_RESOLUTION))
			fprintf(stderr, "%s: Requested path '%s' resolved into '%s'\n",
				program_invocation_name, *path, resolved);
	}
	return NULL;
}

struct error *options_parse(struct options *options, int argc, char *argv[])
{
	struct error *error = parse_words(options, argc, argv);
	struct session_options *session = &options->session;

	if (error || options->help || options->version)
		return error;
	session->command = optind < argc ? argv + optind : NULL;
	session->pids = options->pids.data;
	session->pid_count = options->pids.count;
	session->thresholds.hidden = options->hidden.data;
	session->thresholds.hidden_count = options->hidden.count;
	if (options->has_tids && session->follow)
		return error_create("--tid is about single threads, and -f about all: use -p");
	session->query = &options->query;
	if (!options->no_cache)
		options->cache_dir = cache_dir_path();
	session->unwind.cache_dir = options->cache_dir;
	error = output_options_finish(options);
	if (error)
		return error;
	if (!session->command && !session->pid_count && !session->observe.everything)
		return error_create("must have COMMAND [ARGUMENT]... or -p PID");
	if (options->output_append && !options->output_path)
		return error_create("-A needs -o FILE to append to");
	if (session->unwind.args && session->unwind.engine != UNWIND_ENGINE_DWARF)
		return error_create("--stack-args needs the registers of all frames, which only "
				    "--call-graph=dwarf finds");
	error = add_paths(options);
	if (!error)
		error = symbol_options_finish(options);
	if (!error)
		error = observe_options_finish(options);
	if (!error)
		error = inject_options_finish(options);
	if (error)
		return error;
	stack_options_finish(options);
	session->unwind.arg_string_limit = session->decode.string_limit;
	session->decode.submissions = options->query.paths.patterns.count;
	session->decode.outcome_only =
		options->summary_only && !options->query.paths.patterns.count;
	// Lines of several tasks in one file carry the pid from the first line on.
	session->output.pid_always |=
		session->observe.everything ||
		(options->output_path && (session->follow || session->pid_count > 1));
	// As strace does: the terminal belongs to a command whose trace goes elsewhere.
	if (options->output_path && session->command) {
		session->leave_signals = true;
		if (!options->quiet_count)
			session->quiet |= SESSION_QUIET_ATTACH | SESSION_QUIET_PERSONALITY;
	}
	return startup_options_finish(options);
}

bool options_only_explain(const struct options *options)
{
	const struct session_options *session = &options->session;

	return session->explain.enabled && session->output.stack == OUTPUT_STACK_NONE &&
	       !session->faults.minor && !session->faults.major;
}
