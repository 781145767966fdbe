// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "session/explain.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "output/explain_symbols.h"
#include "output/quote.h"
#include "output/sink.h"
#include "proc/mem.h"
#include "proc/task.h"
#include "session/messages.h"
#include "session/stack_source.h"
#include "session/state.h"
#include "unwind/report.h"
#include "unwind/unwind.h"

static void append_modules(struct buf *line, const struct diagnosis_summary *summary)
{
	size_t count = summary->module_count, named = 0;

	for (; named < count && named < ARRAY_SIZE(summary->modules); named++) {
		const char *path = summary->modules[named];

		buf_string(line, !named ? " (in " : named + 1 == count ? " and " : ", ");
		quote_plain(line, path, strlen(path));
	}
	if (named < count)
		buf_printf(line, " and %zu more", count - named);
	buf_char(line, ')');
}

static void put_line(struct session *session, struct buf *line)
{
	sink_flush(session->options->sink);
	if (!session->options->is_structured || !sink_is_stderr(session->options->sink)) {
		message_say("%s", buf_text(line));
		return;
	}
	// Among objects a bare line would be a surprise.
	message_note(session, buf_text(line));
}

static void put_summary(struct session *session)
{
	struct diagnosis_summary summary;
	struct buf line = {0};

	diagnosis_summarize(session->unwind, &summary);
	if (!summary.unnamed && !summary.lineless)
		return;
	buf_printf(&line, "of %" PRIu64 " frames %" PRIu64 " lack a name, %" PRIu64 " a line",
		summary.shown, summary.unnamed, summary.lineless);
	append_modules(&line, &summary);
	buf_string(&line, "; --explain-symbols tells why");
	put_line(session, &line);
	buf_deinit(&line);
}

void session_explain_end(struct session *session)
{
	const struct session_options *options = session->options;

	// For a person; a script would compare it.
	if (session->unwind && !options->explain.enabled && isatty(STDERR_FILENO) &&
		!(options->quiet & SESSION_QUIET_SYMBOLS))
		put_summary(session);
}

// Each module keeps its file and debug file open while the report is made.
static void allow_many_files(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

static struct error *explain_process(struct unwind_context *unwind, int pid)
{
	struct unwind_space *space = unwind_space_create(unwind, unwind_arch_native());
	struct arena arena = {0};
	struct mem mem;
	struct stack_source context = {.mem = &mem, .arena = &arena};
	struct unwind_source source = {.ops = &stack_source_ops, .context = &context};
	struct error *error = NULL;
	cleanup_free char *path = xasprintf("/proc/%d/maps", pid);
	cleanup_fclose FILE *maps = fopen(path, "r");

	mem_init(&mem, pid);
	// The kernel opens it for everybody and then lets nobody read.
	if (!maps || (fgetc(maps) == EOF && ferror(maps)))
		error = errno == EACCES || errno == EPERM
				? error_create(
					  "%s cannot be read: that needs CAP_SYS_PTRACE, or to "
					  "be the user of process %d",
					  path, pid)
				: error_errno(errno, "%s", path);
	else if (!diagnose_space(space, &source))
		error = error_create("process %d has no memory", pid);
	unwind_space_destroy(space);
	mem_deinit(&mem);
	arena_deinit(&arena);
	return error;
}

// The report is on all others; the caller says the first one.
static struct error *keep_first(struct error *first, struct error *error)
{
	if (!first)
		return error;
	if (error)
		message_say("%s", error->message);
	error_destroy(error);
	return first;
}

struct error *explain_alone(const struct session_options *options, char *const *files)
{
	struct unwind_options unwind_options = options->unwind;
	struct error *error = debuginfod_start_asking(options, &unwind_options.debuginfod);
	struct unwind_context *unwind;
	struct buf text = {0};

	if (error)
		return error;
	allow_many_files();
	unwind = unwind_context_create(&unwind_options);
	unwind_context_keep_open(unwind);
	for (size_t i = 0; i < options->pid_count; i++)
		error = keep_first(error, explain_process(unwind, options->pids[i]));
	for (; files && *files; files++)
		error = keep_first(error, diagnose_file(unwind, *files));
	explain_symbols_report(&text, unwind, &options->explain);
	if (text.length)
		fwrite(text.data, 1, text.length, stdout);
	buf_deinit(&text);
	unwind_context_destroy(unwind);
	debuginfod_stop(unwind_options.debuginfod);
	return error;
}
