// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_CLI_OPTIONS_H
#define SRC_CLI_OPTIONS_H

/** The command line as the option structs of the layers it is for. */

#include <stdbool.h>
#include <stddef.h>

#include "base/array.h"
#include "filter/inject.h"
#include "filter/query.h"
#include "output/separate.h"
#include "session/session.h"

struct error;

struct options {
	struct session_options session;
	struct query query;
	/** --inject and --fault. */
	struct inject_rules inject;
	/** -o; NULL is standard error. */
	const char *output_path;
	bool output_append;
	ARRAY(int) pids;
	/** --filter-pids */
	ARRAY(int) hidden;
	ARRAY(const char *) trace_paths;
	/** --debug-dir, ended by NULL. */
	ARRAY(const char *) debug_dirs;
	char *debuginfod_cache, *debuginfod_urls;
	bool debuginfod;
	/** -e raw=, and all but -e verbose=: what session.output.style points to. */
	struct syscall_set raw, opaque;
	/** -E; -u; -I, or 0. */
	ARRAY(char *) environment;
	bool has_identity;
	struct startup_identity identity;
	int interruptible;
	/** -ff, --output-separately: a file for each process. */
	bool output_separately;
	struct separate_options separate;
	/** How often -t, -q and -y were given. */
	unsigned clock_count, quiet_count, decode_fds_count;
	/** --decode-fds=SET was given. */
	bool has_fd_set;
	/** --tid was given. */
	bool has_tids;
	/** --format and what stands for it. */
	const struct output_format *format;
	/** What session.requests points to. */
	ARRAY(struct output_request) requests;
	/** -c: no lines, only the table. */
	bool summary_only;
	bool help, version;
	bool no_cache;
	/** Owned; what session.unwind.cache_dir points to. */
	char *cache_dir;
};

void options_init(struct options *options);
void options_deinit(struct options *options);
/** Fills @options from the command line; @options->session borrows from it and from @argv. */
struct error *options_parse(struct options *options, int argc, char *argv[]);
/** Nothing is traced: --explain-symbols of processes or files. */
bool options_only_explain(const struct options *options);

#endif
