// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "output/lookup_report.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "output/quote.h"
#include "unwind/report.h"

/** What became clear about one wanted file. */
struct finding {
	struct lookup *lookup;
	/** NULL: no ELF file that was opened asks for it. */
	const struct debug_need *need;
	/** The build-id it must have; NULL if unknown. */
	const char *build_id;
	/** What the program found, if it is the right one or nobody knows better. */
	const char *found;
	/** What it found instead. */
	const char *wrong;
	const char *wrong_id;
	/** Where the right file is; NULL if it is nowhere. */
	const char *right;
	const struct package_query *package;
};

struct reporter {
	struct buf *buf;
	struct lookup_log *log;
	struct unwind_context *unwind;
	enum package_system system;
	ARRAY(struct debug_need) needs;
	ARRAY(struct finding) findings;
	/** One for each finding. */
	struct package_query *queries;
};

static void put_plain(struct buf *buf, const char *text)
{
	quote_plain(buf, text, strlen(text));
}

static void collect_wants(struct reporter *reporter)
{
	array_for_each (path, &reporter->log->opened) {
		struct debug_need needs[DEBUG_NEEDS_MAX];
		size_t count = debug_needs_read(*path, &reporter->log->arena, needs);

		for (size_t i = 0; i < count; i++)
			*array_add(&reporter->needs) = needs[i];
	}
}

// Debug files have the build-id of their program: the program comes first in the list.
static const struct debug_need *need_of(const struct reporter *reporter, const char *name)
{
	array_for_each (need, &reporter->needs) {
		if (!strcmp(need->name, name))
			return need;
	}
	return NULL;
}

// The build-id that a path of .build-id spells.
static const char *id_in_path(struct arena *arena, const char *path)
{
	const char *folder = strstr(path, "/.build-id/");
	const char *name = folder ? folder + strlen("/.build-id/") : NULL;
	size_t length = name ? strcspn(name, ".") : 0;

	if (length < 4 || name[2] != '/' || strspn(name, "0123456789abcdef/") < length)
		return NULL;
	return arena_printf(arena, "%.2s%.*s", name, (int)length - 3, name + 3);
}

static bool is_folder(const char *path)
{
	struct stat status;

	return !stat(path, &status) && S_ISDIR(status.st_mode);
}

static void judge_found(struct reporter *reporter, struct finding *finding)
{
	array_for_each (try, &finding->lookup->tries) {
		const char *id;

		if (!try->is_found)
			continue;
		id = debug_needs_build_id(try->path, &reporter->log->arena);
		if (finding->build_id && id && strcmp(id, finding->build_id) != 0) {
			finding->wrong = try->path;
			finding->wrong_id = id;
		} else if (!finding->found) {
			finding->found = try->path;
		}
	}
}

static void judge(struct reporter *reporter, struct lookup *lookup)
{
	struct arena *arena = &reporter->log->arena;
	struct finding finding = {.lookup = lookup};
	struct debug_need by_path = {.by = "", .name = lookup->name};

	finding.need = need_of(reporter, lookup->name);
	if (finding.need)
		finding.build_id = finding.need->build_id;
	for (size_t i = 0; !finding.build_id && i < lookup->tries.count; i++)
		finding.build_id = id_in_path(arena, lookup->tries.data[i].path);
	judge_found(reporter, &finding);
	by_path.build_id = finding.build_id;
	if (!finding.found && (finding.need || finding.build_id))
		finding.right = debug_needs_find(
			reporter->unwind, finding.need ? finding.need : &by_path, arena);
	*array_add(&reporter->findings) = finding;
}

static bool ends_in(const char *text, const char *end)
{
	size_t length = strlen(text), end_length = strlen(end);

	return length > end_length && !strcmp(text + length - end_length, end);
}

// Folders for debug files are also searched for other things: by valgrind's dynamic linker for
// libraries, by gdb for scripts. What is no debug file by name has the path of a real file there.
static bool is_about_debugging(const struct reporter *reporter, const struct lookup *lookup)
{
	const char *name = lookup->name;

	// A look at a folder is no look for a file.
	if (is_folder(lookup->tries.data[0].path))
		return false;
	if (ends_in(name, ".debug") || ends_in(name, ".dwp") || ends_in(name, ".dwo") ||
		need_of(reporter, name))
		return true;
	array_for_each (try, &lookup->tries) {
		const char *rest = debug_needs_below(reporter->unwind, try->path);
		struct stat status;

		if (rest && !stat(rest, &status) && S_ISREG(status.st_mode))
			return true;
	}
	return false;
}

static void judge_all(struct reporter *reporter)
{
	array_for_each (lookup, &reporter->log->lookups) {
		if (is_about_debugging(reporter, lookup))
			judge(reporter, lookup);
	}
}

static void find_packages(struct reporter *reporter)
{
	size_t count = reporter->findings.count;

	reporter->queries =
		arena_zalloc(&reporter->log->arena, (count + 1) * sizeof(*reporter->queries));
	for (size_t i = 0; i < count; i++) {
		const struct finding *finding = &reporter->findings.data[i];

		reporter->queries[i].path = finding->need ? finding->need->by : "";
		reporter->queries[i].build_id = finding->build_id;
	}
	reporter->system = package_find("", reporter->queries, count, &reporter->log->arena);
	for (size_t i = 0; i < count; i++)
		reporter->findings.data[i].package = &reporter->queries[i];
}

static bool is_same(const struct lookup_try *a, const struct lookup_try *b)
{
	return !strcmp(a->path, b->path) && !strcmp(a->result, b->result);
}

// It was told already, when other code tried it.
static bool is_repeated(const struct lookup *lookup, const struct lookup_try *try)
{
	for (const struct lookup_try *each = lookup->tries.data; each < try; each++) {
		if (is_same(each, try))
			return true;
	}
	return false;
}

static void put_tries(struct reporter *reporter, const struct finding *finding)
{
	array_for_each (try, &finding->lookup->tries) {
		if (is_repeated(finding->lookup, try))
			continue;
		buf_string(reporter->buf, "  ");
		put_plain(reporter->buf, try->path);
		buf_printf(reporter->buf, ": %s", try->result);
		for (struct lookup_try *each = try;
			each < finding->lookup->tries.data + finding->lookup->tries.count; each++) {
			if (is_same(each, try))
				buf_printf(reporter->buf, " [%zu]", each->code + 1);
		}
		buf_char(reporter->buf, '\n');
	}
}

static void put_said(struct buf *buf, const char *words, const char *name)
{
	buf_string(buf, words);
	put_plain(buf, name);
}

// The file that asks for it has everything in itself.
static bool is_whole(const struct finding *finding)
{
	return finding->need && finding->need->is_whole;
}

static void put_verdict(struct reporter *reporter, const struct finding *finding)
{
	struct buf *buf = reporter->buf;

	if (finding->wrong) {
		put_said(buf, "  wrong: the build-id of ", finding->wrong);
		buf_printf(buf, " is %s and should be %s\n", finding->wrong_id, finding->build_id);
	}
	if (finding->found) {
		put_said(buf, "  found: ", finding->found);
		buf_char(buf, '\n');
	} else if (finding->right) {
		put_said(buf, "  the right file is ", finding->right);
		buf_char(buf, '\n');
	} else if (is_whole(finding)) {
		put_said(buf, "  not needed: its debug information is in ", finding->need->by);
		buf_char(buf, '\n');
	} else if (finding->package->debug_package) {
		buf_printf(buf, "  not on this system: package %s%s\n",
			finding->package->debug_package,
			finding->package->is_certain ? " holds it" : " should hold it");
	} else {
		buf_string(buf, "  not on this system, and no package is known to hold it\n");
	}
}

static void put_finding(struct reporter *reporter, const struct finding *finding)
{
	struct buf *buf = reporter->buf;

	put_plain(buf, finding->lookup->name);
	if (finding->need) {
		buf_string(buf, finding->need->path ? ", shared debug information of "
						    : ", debug file of ");
		put_plain(buf, finding->need->by);
	}
	if (finding->build_id)
		buf_printf(buf, ", build-id %s", finding->build_id);
	buf_char(buf, '\n');
	put_tries(reporter, finding);
	put_verdict(reporter, finding);
}

static void put_codes(struct reporter *reporter)
{
	buf_string(reporter->buf, "\nThe code that tried:\n");
	for (size_t i = 0; i < reporter->log->codes.count; i++) {
		const struct lookup_code *code = &reporter->log->codes.data[i];

		buf_printf(reporter->buf, "  [%zu] ", i + 1);
		put_plain(reporter->buf, code->comm);
		buf_char(reporter->buf, '\n');
		buf_string(reporter->buf, code->text);
	}
}

// The path without "//", which a shell takes as well but people do not.
static const char *tidy(struct arena *arena, const char *path)
{
	char *text = arena_strndup(arena, path, strlen(path)), *to = text;

	for (const char *from = text; *from; from++) {
		if (*from != '/' || to == text || to[-1] != '/')
			*to++ = *from;
	}
	*to = '\0';
	return text;
}

static bool is_printable(const char *word)
{
	for (; *word; word++) {
		if (*word < ' ' || *word > '~')
			return false;
	}
	return true;
}

// One word for a shell: what a terminal may not see goes in the form $'\NNN' of bash, zsh, ksh.
static void put_word(struct buf *buf, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789/._-+:@%,=";
	bool is_quotable = is_printable(word);

	if (word[strspn(word, plain)] == '\0') {
		buf_string(buf, word);
		return;
	}
	buf_string(buf, is_quotable ? "'" : "$'");
	for (; *word; word++) {
		if (*word < ' ' || *word > '~')
			buf_printf(buf, "\\%03o", (unsigned char)*word);
		else if (*word == '\'')
			buf_string(buf, is_quotable ? "'\\''" : "\\'");
		else if (*word == '\\' && !is_quotable)
			buf_string(buf, "\\\\");
		else
			buf_char(buf, *word);
	}
	buf_char(buf, '\'');
}

// Where a link would be found: below a debug folder rather than among programs.
static const char *best_place(struct reporter *reporter, const struct finding *finding)
{
	const char *best = NULL;

	array_for_each (try, &finding->lookup->tries) {
		bool is_better = debug_needs_below(reporter->unwind, try->path);

		if (!try->is_found && try->path[0] == '/' && (!best || is_better)) {
			best = try->path;
			if (is_better)
				break;
		}
	}
	return best ? tidy(&reporter->log->arena, best) : NULL;
}

static void put_link(struct reporter *reporter, const struct finding *finding)
{
	const char *place = best_place(reporter, finding), *slash;
	struct buf *buf = reporter->buf;

	if (!place)
		return;
	slash = strrchr(place, '/');
	buf_string(buf, "  mkdir -p ");
	put_word(buf, arena_strndup(&reporter->log->arena, place, (size_t)(slash - place)));
	buf_string(buf, " && ln -s ");
	put_word(buf, finding->right);
	buf_char(buf, ' ');
	put_word(buf, place);
	buf_char(buf, '\n');
}

// Each package once, if it is not there already.
static bool is_first_of_package(const struct reporter *reporter, const struct finding *finding)
{
	const char *package = finding->package->debug_package;

	if (finding->found || finding->right || is_whole(finding) || !package ||
		finding->package->debug_version)
		return false;
	array_for_each (other, &reporter->findings) {
		if (other == finding)
			return true;
		if (!other->found && !other->right && other->package->debug_package &&
			!strcmp(other->package->debug_package, package))
			return false;
	}
	return true;
}

static void put_commands(struct reporter *reporter)
{
	size_t start = reporter->buf->length, heading;

	buf_string(reporter->buf, "\nCommands that would make them be found (none was run):\n");
	heading = reporter->buf->length;
	array_for_each (finding, &reporter->findings) {
		if (is_first_of_package(reporter, finding))
			buf_printf(reporter->buf, "  apt-get install %s\n",
				finding->package->debug_package);
	}
	array_for_each (finding, &reporter->findings) {
		if (finding->right && !finding->found)
			put_link(reporter, finding);
	}
	if (reporter->buf->length == heading)
		reporter->buf->length = start;
}

void lookup_report(struct buf *buf, struct lookup_log *log, struct unwind_context *unwind)
{
	struct reporter reporter = {.buf = buf, .log = log, .unwind = unwind};

	collect_wants(&reporter);
	judge_all(&reporter);
	if (!reporter.findings.count) {
		buf_string(buf, "No debug file was looked for.\n");
	} else {
		find_packages(&reporter);
		array_for_each (finding, &reporter.findings)
			put_finding(&reporter, finding);
		put_codes(&reporter);
		put_commands(&reporter);
	}
	array_deinit(&reporter.needs);
	array_deinit(&reporter.findings);
}
