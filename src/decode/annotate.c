// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "decode/annotate.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/time_units.h"
#include "decode/decoder.h"
#include "decode/value.h"
#include "decode/walk.h"
#include "proc/view.h"

static const char deleted_mark[] = " (deleted)";

static bool is_marked(const char *path)
{
	size_t length = strlen(path), mark = strlen(deleted_mark);

	return length > mark && strcmp(path + length - mark, deleted_mark) == 0;
}

static void note_path(struct walk *walk, struct value *value, const char *path, bool deleted)
{
	size_t length = strlen(path);

	if (deleted) {
		value_add_note(walk->arena, value, NOTE_DELETED, "", 0);
		length -= strlen(deleted_mark);
	}
	value_add_note(walk->arena, value, NOTE_PATH, path, length);
}

void annotate_fd(struct walk *walk, struct value *value)
{
	int fd = (int)value->number;
	const char *path;

	if (!walk->options->fd_paths)
		return;
	if (value->name && fd == AT_FDCWD) {
		path = view_cwd(walk->view, walk->arena);
		if (path)
			note_path(walk, value, path, false);
		return;
	}
	path = fd >= 0 ? view_fd_path(walk->view, walk->arena, fd) : NULL;
	if (!path)
		return;
	// The kernel marks the names of all deleted files; of others the file is not asked about,
	// which takes time, and for ever where its server has stopped to answer.
	note_path(walk, value, path,
		path[0] == '/' && is_marked(path) && view_fd_deleted(walk->view, fd));
}

void annotate_date(struct walk *walk, struct value *value, int64_t seconds, uint64_t nanoseconds,
	bool microseconds)
{
	time_t when = (time_t)seconds;
	struct tm parts;
	char text[64];
	size_t length;

	if (seconds == 0 && nanoseconds == 0)
		return;
	if (!localtime_r(&when, &parts))
		return;
	length = strftime(text, sizeof(text), "%FT%T", &parts);
	if (nanoseconds && microseconds)
		length += (size_t)snprintf(text + length, sizeof(text) - length, ".%06llu",
			(unsigned long long)(nanoseconds / 1000 % 1000000));
	else if (nanoseconds)
		length += (size_t)snprintf(text + length, sizeof(text) - length, ".%09llu",
			(unsigned long long)(nanoseconds % NS_PER_S));
	length += strftime(text + length, sizeof(text) - length, "%z", &parts);
	value_add_note(walk->arena, value, NOTE_COMMENT, text, length);
}
