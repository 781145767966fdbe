// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "filter/path_set.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/parse.h"

void path_set_deinit(struct path_set *set)
{
	array_for_each (pattern, &set->patterns)
		free(pattern->path);
	array_deinit(&set->patterns);
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

static bool add_pattern(struct path_set *set, const char *path)
{
	struct stat st;

	array_for_each (pattern, &set->patterns) {
		if (strcmp(pattern->path, path) == 0)
			return false;
	}
	*array_add(&set->patterns) = (struct path_pattern){
		.path = xstrdup(path),
		.length = strlen(path),
		.subtree = stat(path, &st) != 0 || S_ISDIR(st.st_mode),
	};
	return true;
}

const char *path_set_add(struct path_set *set, const char *path)
{
	cleanup_free char *base = getcwd(NULL, 0);
	cleanup_free char *real = realpath(path, NULL);
	struct buf clean = {0};

	path_clean(&clean, base ? base : "/", path);
	add_pattern(set, buf_text(&clean));
	buf_deinit(&clean);
	if (!real || !add_pattern(set, real))
		return NULL;
	return set->patterns.data[set->patterns.count - 1].path;
}

static bool pattern_has(const struct path_pattern *pattern, const char *path)
{
	size_t length = pattern->length;

	if (strcmp(pattern->path, "/") == 0)
		return pattern->subtree;
	if (strncmp(path, pattern->path, length) != 0)
		return false;
	return path[length] == '\0' || (pattern->subtree && path[length] == '/');
}

bool path_set_has(const struct path_set *set, const char *path)
{
	array_for_each (pattern, &set->patterns) {
		if (pattern_has(pattern, path))
			return true;
	}
	return false;
}
