// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "cli/symbol_options.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/parse.h"
#include "cli/options.h"
#include "output/explain_lookups.h"

struct error *symbol_options_debug_dir(struct options *options, const char *argument)
{
	if (argument[0] != '/')
		return error_create("--debug-dir needs an absolute path: '%s'", argument);
	*array_add(&options->debug_dirs) = argument;
	return NULL;
}

static bool is_folder(const char *path)
{
	struct stat status;

	return !stat(path, &status) && S_ISDIR(status.st_mode);
}

struct error *symbol_options_sysroot(struct options *options, const char *argument)
{
	if (!is_folder(argument))
		return error_create("--sysroot needs a folder: '%s'", argument);
	options->session.unwind.sysroot = argument;
	return NULL;
}

struct error *symbol_options_explain(struct options *options, const char *argument)
{
	options->session.explain.enabled = true;
	options->session.explain.module = argument;
	return NULL;
}

struct error *symbol_options_lookups(struct options *options, const char *argument)
{
	struct session_options *session = &options->session;

	(void)argument;
	options->format = &explain_lookups_format;
	session->follow = true;
	session->decode.fd_paths = true;
	session->output.stack = OUTPUT_STACK_SOURCE;
	session->stacks.every = true;
	session->quiet |= SESSION_QUIET_ALL;
	return query_set_calls(&options->query, "%file");
}

/** Where debuginfod_find_debuginfo(3) says that its files are kept. */
static char *find_cache(void)
{
	const char *path = getenv("DEBUGINFOD_CACHE_PATH");
	const char *home = getenv("HOME");
	char *cache;

	if (path && *path)
		return xstrdup(path);
	path = getenv("XDG_CACHE_HOME");
	if (path && *path)
		return xasprintf("%s/debuginfod_client", path);
	if (!home || !*home)
		return NULL;
	cache = xasprintf("%s/.debuginfod_client_cache", home);
	if (is_folder(cache))
		return cache;
	free(cache);
	return xasprintf("%s/.cache/debuginfod_client", home);
}

struct error *symbol_options_debuginfod(struct options *options, const char *argument)
{
	options->debuginfod = true;
	free(options->debuginfod_urls);
	options->debuginfod_urls = argument ? xstrdup(argument) : NULL;
	// A list as elsewhere on the command line, or as in $DEBUGINFOD_URLS.
	for (char *at = options->debuginfod_urls; at && *at; at++) {
		if (*at == ',')
			*at = ' ';
	}
	return NULL;
}

/** What debuginfod(8) calls the system's servers: lines of /etc/debuginfod. */
static char *system_urls(void)
{
	struct buf urls = {0};
	char *text = NULL;
	glob_t found = {0};

	if (!glob("/etc/debuginfod/*.urls", 0, NULL, &found)) {
		for (size_t i = 0; i < found.gl_pathc; i++) {
			cleanup_fclose FILE *file = fopen(found.gl_pathv[i], "r");
			char line[1024];

			while (file && fgets(line, sizeof(line), file)) {
				buf_string(&urls, line);
				buf_char(&urls, ' ');
			}
		}
	}
	globfree(&found);
	if (strstr(buf_text(&urls), "://"))
		text = xstrdup(buf_text(&urls));
	buf_deinit(&urls);
	return text;
}

static unsigned seconds_of(const char *variable)
{
	const char *text = getenv(variable);
	int seconds;

	return text && parse_int(text, &seconds) && seconds > 0 ? (unsigned)seconds : 0;
}

static struct error *finish_servers(struct options *options)
{
	struct debuginfod_start_options *servers = &options->session.servers;
	const char *urls = getenv("DEBUGINFOD_URLS");

	if (!options->debuginfod)
		return NULL;
	if (!options->debuginfod_urls)
		options->debuginfod_urls = urls && *urls ? xstrdup(urls) : system_urls();
	if (!options->debuginfod_urls)
		return error_create("--debuginfod: no server is known, name some: "
				    "--debuginfod=URL[,URL]...");
	servers->urls = options->debuginfod_urls;
	servers->silence_most = seconds_of("DEBUGINFOD_TIMEOUT");
	servers->time_most = seconds_of("DEBUGINFOD_MAXTIME");
	options->session.unwind.debuginfod_cache = options->debuginfod_cache;
	return NULL;
}

struct error *symbol_options_finish(struct options *options)
{
	*array_add(&options->debug_dirs) = NULL;
	options->session.unwind.debug_dirs = options->debug_dirs.data;
	options->debuginfod_cache = find_cache();
	if (options->debuginfod_cache && is_folder(options->debuginfod_cache))
		options->session.unwind.debuginfod_cache = options->debuginfod_cache;
	return finish_servers(options);
}

void symbol_options_deinit(struct options *options)
{
	array_deinit(&options->debug_dirs);
	free(options->debuginfod_cache);
	free(options->debuginfod_urls);
}
