// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "proc/mounts.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"

static void mounts_clear(struct mounts *mounts)
{
	array_for_each (mount, &mounts->list) {
		free(mount->root);
		free(mount->point);
	}
	mounts->list.count = 0;
}

void mounts_deinit(struct mounts *mounts)
{
	mounts_clear(mounts);
	array_deinit(&mounts->list);
	if (mounts->watch > 0)
		close(mounts->watch);
	mounts->watch = 0;
}

// Blanks and the like are written as \040.
static char *unescape(const char *text, size_t length)
{
	char *made = xstrndup(text, length);
	char *to = made;

	for (const char *from = made; *from; to++) {
		unsigned code;

		if (from[0] == '\\' && sscanf(from + 1, "%3o", &code) == 1 && code < 256) {
			*to = (char)code;
			from += strnlen(from, 4);
		} else {
			*to = *from++;
		}
	}
	*to = '\0';
	return made;
}

static void parse_line(struct mounts *mounts, const char *line)
{
	struct mount mount = {0};
	unsigned long long id, parent;
	int root, root_end, point, point_end = 0;

	sscanf(line, "%llu %llu %u:%u %n%*s%n %n%*s%n", &id, &parent, &mount.major, &mount.minor,
		&root, &root_end, &point, &point_end);
	if (!point_end)
		return;
	mount.id = id;
	mount.parent = parent;
	mount.root = unescape(line + root, (size_t)(root_end - root));
	mount.point = unescape(line + point, (size_t)(point_end - point));
	*array_add(&mounts->list) = mount;
}

void mounts_parse(struct mounts *mounts, const char *text)
{
	mounts_clear(mounts);
	for (const char *line = text; line; line = strchr(line, '\n')) {
		if (*line == '\n')
			line++;
		if (*line)
			parse_line(mounts, line);
	}
}

void mounts_add_root(
	struct mounts *mounts, uint64_t id, uint32_t major, uint32_t minor, const char *place)
{
	*array_add(&mounts->list) = (struct mount){
		.id = id,
		.major = major,
		.minor = minor,
		.root = xstrdup(place),
		.point = xstrdup("/"),
	};
}

bool mounts_have_root(const struct mounts *mounts)
{
	array_for_each (mount, &mounts->list) {
		if (strcmp(mount->point, "/") == 0)
			return true;
	}
	return false;
}

bool mounts_read(struct mounts *mounts, int tid)
{
	char path[48] = "/proc/self/mountinfo";
	struct buf text = {0};
	ssize_t got;
	int fd;

	if (tid)
		snprintf(path, sizeof(path), "/proc/%d/mountinfo", tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	// A read in pieces would count mounts twice or not at all if they change meanwhile.
	while ((got = read(fd, buf_reserve(&text, 65536), 65536)) > 0)
		text.length += (size_t)got;
	mounts_parse(mounts, buf_text(&text));
	buf_deinit(&text);
	if (mounts->watch > 0)
		close(mounts->watch);
	mounts->watch = fd;
	return true;
}

bool mounts_changed(const struct mounts *mounts)
{
	struct pollfd poll_fd = {.fd = mounts->watch, .events = POLLPRI};

	return mounts->watch > 0 && poll(&poll_fd, 1, 0) == 1 && (poll_fd.revents & POLLPRI);
}

const struct mount *mounts_find(const struct mounts *mounts, uint64_t id)
{
	array_for_each (mount, &mounts->list) {
		if (mount->id == id)
			return mount;
	}
	return NULL;
}

const char *path_below(const char *above, const char *name)
{
	size_t length = strlen(above);

	if (length == 1 && above[0] == '/')
		return name[0] == '/' ? (name[1] ? name : "") : NULL;
	if (strncmp(above, name, length) != 0)
		return NULL;
	return name[length] == '\0' || name[length] == '/' ? name + length : NULL;
}

const struct mount *mounts_of_name(const struct mounts *mounts, const char *name)
{
	const struct mount *best = NULL;
	size_t longest = 0;

	// What is mounted later at one place lies over the rest.
	array_for_each (mount, &mounts->list) {
		size_t length = strlen(mount->point);

		if (length >= longest && path_below(mount->point, name)) {
			best = mount;
			longest = length;
		}
	}
	return best;
}

bool mount_same_device(const struct mount *a, const struct mount *b)
{
	return a->major == b->major && a->minor == b->minor;
}

bool mounts_overlap(const struct mounts *mounts)
{
	for (size_t i = 0; i < mounts->list.count; i++) {
		for (size_t j = 0; j < i; j++) {
			if (mount_same_device(&mounts->list.data[i], &mounts->list.data[j]))
				return true;
		}
	}
	return false;
}

static bool join(struct buf *buf, const char *above, const char *rest)
{
	size_t start = buf->length;

	if (!rest)
		return false;
	if (strcmp(above, "/") != 0)
		buf_string(buf, above);
	buf_string(buf, rest);
	if (buf->length == start)
		buf_char(buf, '/');
	return true;
}

bool mount_inner(struct buf *buf, const struct mount *mount, const char *name)
{
	return join(buf, mount->root, path_below(mount->point, name));
}

bool mount_outer(struct buf *buf, const struct mount *mount, const char *inner)
{
	return join(buf, mount->point, path_below(mount->root, inner));
}
