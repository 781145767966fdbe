// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "filter/path_set.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/parse.h"
#include "filter/glob.h"
#include "proc/mounts.h"

static void clear_names(struct path_set *set)
{
	array_for_each (name, &set->names) {
		free(name->text);
		glob_destroy(name->glob);
	}
	set->names.count = 0;
}

void path_set_deinit(struct path_set *set)
{
	array_for_each (pattern, &set->patterns) {
		free(pattern->text);
		free(pattern->typed);
	}
	array_deinit(&set->patterns);
	clear_names(set);
	array_deinit(&set->names);
}

static void append_parts(struct buf *buf, size_t start, const char *path)
{
	const char *part;
	size_t length;

	while (parse_list(&path, '/', &part, &length)) {
		if (length == 0 || (length == 1 && part[0] == '.'))
			continue;
		if (length == 2 && part[0] == '.' && part[1] == '.') {
			while (buf->length > start && buf->data[--buf->length] != '/')
				;
			continue;
		}
		buf_char(buf, '/');
		buf_bytes(buf, part, length);
	}
}

void path_clean(struct buf *buf, const char *base, const char *path)
{
	size_t start = buf->length;

	if (path[0] != '/')
		append_parts(buf, start, base);
	append_parts(buf, start, path);
	if (buf->length == start)
		buf_char(buf, '/');
}

// The first part with a special character and all after it; @text itself has a slash first.
static const char *glob_part(const char *text)
{
	const char *at = text, *part = text;

	for (; *at && !strchr("*?[", *at); at++) {
		if (*at == '/')
			part = at;
		if (*at == '\\' && at[1])
			at++;
	}
	return *at ? part : at;
}

static void append_quoted(struct buf *buf, const char *text)
{
	for (; *text; text++) {
		if (strchr("*?[\\", *text))
			buf_char(buf, '\\');
		buf_char(buf, *text);
	}
}

void path_set_add_name(struct path_set *set, size_t index, const char *text)
{
	const struct path_pattern *pattern = &set->patterns.data[index];

	array_for_each (name, &set->names) {
		if (name->pattern == index && strcmp(name->text, text) == 0)
			return;
	}
	*array_add(&set->names) = (struct path_name){
		.text = xstrdup(text),
		.glob = pattern->is_glob ? glob_create(text) : NULL,
		.pattern = index,
	};
}

// What @path resolves to, but for a link as its last part: that is something itself.
static char *real_parent(const char *path)
{
	const char *slash = strrchr(path, '/');
	cleanup_free char *parent = xstrndup(path, slash > path ? (size_t)(slash - path) : 1);
	cleanup_free char *real = realpath(parent, NULL);

	if (!real)
		return NULL;
	return xasprintf("%s%s", strcmp(real, "/") == 0 ? "" : real, slash);
}

// Resolved as far as it exists.
static char *real_as_far(const char *path)
{
	char *real = realpath(path, NULL);
	cleanup_free char *parent = NULL;
	cleanup_free char *real_parent_path = NULL;
	const char *slash = strrchr(path, '/');

	if (real || strcmp(path, "/") == 0)
		return real;
	parent = xstrndup(path, slash > path ? (size_t)(slash - path) : 1);
	real_parent_path = real_as_far(parent);
	if (!real_parent_path)
		return NULL;
	return xasprintf("%s%s", strcmp(real_parent_path, "/") == 0 ? "" : real_parent_path, slash);
}

static void find_glob_names(struct path_set *set, size_t index)
{
	const char *text = set->patterns.data[index].text;
	const char *part = glob_part(text);
	cleanup_free char *parent = xstrndup(text, part > text ? (size_t)(part - text) : 1);
	cleanup_free char *real = real_as_far(parent);
	struct buf name = {0};

	path_set_add_name(set, index, text);
	if (!real)
		return;
	if (strcmp(real, "/") != 0)
		append_quoted(&name, real);
	buf_string(&name, part);
	path_set_add_name(set, index, buf_text(&name));
	buf_deinit(&name);
}

static void find_names(struct path_set *set, size_t index)
{
	struct path_pattern *pattern = &set->patterns.data[index];
	cleanup_free char *beside = NULL;
	cleanup_free char *real = NULL;

	if (set->target_view) {
		path_set_add_name(set, index, pattern->text);
		return;
	}
	if (pattern->is_glob) {
		find_glob_names(set, index);
		return;
	}
	path_set_add_name(set, index, pattern->text);
	beside = real_parent(pattern->text);
	real = real_as_far(pattern->text);
	if (beside)
		path_set_add_name(set, index, beside);
	if (real)
		path_set_add_name(set, index, real);
	pattern->has_id = file_id_get(AT_FDCWD, pattern->text, 0, &pattern->id);
	if (pattern->has_id && !S_ISDIR(pattern->id.mode))
		set->has_files = true;
}

// Other places of the file system where what @name names is to be seen as well.
static void add_aliases(struct path_set *set, const struct mounts *mounts, size_t index)
{
	struct path_name name = set->names.data[index];
	const struct mount *mount = mounts_of_name(mounts, name.text);
	bool exact = set->patterns.data[name.pattern].exact;
	struct buf inner = {0}, outer = {0};

	if (name.glob || !mount || !mount_inner(&inner, mount, name.text))
		return;
	array_for_each (other, &mounts->list) {
		if (other == mount || !mount_same_device(other, mount))
			continue;
		buf_reset(&outer);
		if (mount_outer(&outer, other, buf_text(&inner)))
			path_set_add_name(set, name.pattern, buf_text(&outer));
		else if (!exact && path_below(buf_text(&inner), other->root))
			path_set_add_name(set, name.pattern, other->point);
	}
	buf_deinit(&inner);
	buf_deinit(&outer);
}

void path_set_find_names(struct path_set *set, const struct mounts *mounts)
{
	size_t count;

	clear_names(set);
	set->has_files = false;
	for (size_t i = 0; i < set->patterns.count; i++)
		find_names(set, i);
	count = set->names.count;
	for (size_t i = 0; mounts && i < count; i++)
		add_aliases(set, mounts, i);
}

struct error *path_set_add(struct path_set *set, const char *text, const char **resolved_ret)
{
	cleanup_free char *base = getcwd(NULL, 0);
	struct path_pattern pattern = {0};
	const char *path = text;
	struct buf clean = {0};
	struct stat st;

	*resolved_ret = NULL;
	for (; *path == '!' || *path == '='; path++) {
		bool *flag = *path == '!' ? &pattern.exclude : &pattern.exact;

		if (*flag)
			break;
		*flag = true;
	}
	if (!*path)
		return error_create("-P needs a path: '%s'", text);
	if (set->target_view && path[0] != '/')
		return error_create(
			"-P '%s': with --path-view=target the path starts with /", text);
	// A file that is really called so is meant itself.
	pattern.is_glob = glob_is(path) && (set->target_view || lstat(path, &st) != 0);
	path_clean(&clean, base ? base : "/", path);
	pattern.text = xstrdup(buf_text(&clean));
	if (path[0] != '/' && !pattern.is_glob && !pattern.exclude)
		pattern.typed = xstrdup(path);
	buf_deinit(&clean);
	set->includes |= !pattern.exclude;
	set->has_globs |= pattern.is_glob;
	set->has_exact |= pattern.exact || pattern.is_glob;
	*array_add(&set->patterns) = pattern;
	find_names(set, set->patterns.count - 1);
	if (!pattern.is_glob && !set->target_view) {
		cleanup_free char *real = realpath(pattern.text, NULL);
		const struct path_name *last = &set->names.data[set->names.count - 1];

		if (real && strcmp(real, pattern.text) != 0 && strcmp(real, last->text) == 0)
			*resolved_ret = last->text;
	}
	return NULL;
}

bool path_set_is_typed(const struct path_set *set, const char *spelling)
{
	array_for_each (pattern, &set->patterns) {
		if (pattern->typed && strcmp(pattern->typed, spelling) == 0)
			return true;
	}
	return false;
}

static bool name_has(const struct path_set *set, const struct path_name *name, const char *path)
{
	bool exact = set->patterns.data[name->pattern].exact;
	const char *rest;

	if (name->glob)
		return glob_match(name->glob, path, !exact);
	rest = path_below(name->text, path);
	return rest && (!exact || !*rest);
}

enum path_verdict path_set_verdict(const struct path_set *set, const char *path)
{
	bool wanted = false;

	array_for_each (name, &set->names) {
		bool exclude = set->patterns.data[name->pattern].exclude;

		if ((wanted && !exclude) || !name_has(set, name, path))
			continue;
		if (exclude)
			return PATH_EXCLUDED;
		wanted = true;
	}
	return wanted ? PATH_WANTED : PATH_OTHER;
}

bool path_set_has(const struct path_set *set, const char *path)
{
	enum path_verdict verdict = path_set_verdict(set, path);

	return verdict == PATH_WANTED || (verdict == PATH_OTHER && !set->includes);
}

enum path_verdict path_set_verdict_below(const struct path_set *set, const char *path)
{
	bool wanted = false;

	array_for_each (name, &set->names) {
		const struct path_pattern *pattern = &set->patterns.data[name->pattern];

		if (pattern->exact || !name_has(set, name, path) || strcmp(name->text, path) == 0)
			continue;
		if (pattern->exclude)
			return PATH_EXCLUDED;
		wanted = true;
	}
	return wanted ? PATH_WANTED : PATH_OTHER;
}

bool path_set_lies_below(const struct path_set *set, const char *path)
{
	// Nobody knows where a shell pattern leads, nor how a task calls what is in its view.
	if (set->has_globs || set->target_view)
		return true;
	array_for_each (name, &set->names) {
		if (path_below(path, name->text))
			return true;
	}
	return false;
}

enum path_verdict path_set_verdict_id(const struct path_set *set, const struct file_id *id)
{
	bool wanted = false;

	array_for_each (pattern, &set->patterns) {
		if (!pattern->has_id || !file_id_equal(&pattern->id, id))
			continue;
		if (pattern->exclude)
			return PATH_EXCLUDED;
		wanted = true;
	}
	return wanted ? PATH_WANTED : PATH_OTHER;
}
