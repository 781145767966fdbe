// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"
#include "proc/internal.h"
#include "proc/resolve.h"

// What an answer is made of: its text, the links on the way, and what it keeps open.

enum {
	/** Descriptors that wait to be closed, before the next question. */
	PENDING_MAX = 24,
};

static const char deleted_mark[] = " (deleted)";

void resolver_init(struct resolver *resolver)
{
	*resolver = (struct resolver){
		.own_fds = open("/proc/self/fd", O_PATH | O_DIRECTORY | O_CLOEXEC),
		.rest = xmalloc(WALK_REST_SIZE),
	};
	file_id_get(AT_FDCWD, "/", 0, &resolver->root);
}

static int compare_fds(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

// They are numbers in a row as a rule, so that one call closes them all.
void resolver_release(struct resolver *resolver)
{
	size_t count = resolver->pending.count;
	int *fds = resolver->pending.data;

	resolver->pending.count = 0;
	if (count == 1)
		close(fds[0]);
	if (count <= 1)
		return;
	qsort(fds, count, sizeof(*fds), compare_fds);
	if (fds[count - 1] - fds[0] == (int)count - 1 &&
		syscall(SYS_close_range, fds[0], fds[count - 1], 0) == 0)
		return;
	for (size_t i = 0; i < count; i++)
		close(fds[i]);
}

void resolver_deinit(struct resolver *resolver)
{
	resolver_release(resolver);
	array_deinit(&resolver->pending);
	if (resolver->own_fds >= 0)
		close(resolver->own_fds);
	buf_deinit(&resolver->text);
	array_deinit(&resolver->links);
	free(resolver->rest);
}

void resolver_close(struct resolver *resolver, int fd)
{
	*array_add(&resolver->pending) = fd;
}

void resolver_begin(struct resolver *resolver)
{
	buf_reset(&resolver->text);
	resolver->links.count = 0;
	if (resolver->pending.count >= PENDING_MAX)
		resolver_release(resolver);
}

bool resolver_add_name(struct resolver *resolver, int fd)
{
	char number[16];
	char *room = buf_reserve(&resolver->text, PATH_MAX);
	ssize_t length;

	snprintf(number, sizeof(number), "%d", fd);
	length = readlinkat(resolver->own_fds, number, room, PATH_MAX);
	if (length > 0)
		resolver->text.length += (size_t)length;
	return length > 0;
}

// The kernel marks the name of a file that has none any more; others may be named so.
static void take_mark(struct resolver *resolver, size_t start, struct resolved *resolved)
{
	struct buf *text = &resolver->text;
	size_t length = text->length - start, mark = strlen(deleted_mark);
	struct file_id id;

	if (length <= mark || memcmp(text->data + text->length - mark, deleted_mark, mark) != 0)
		return;
	if (!resolved_id(resolved, &id) || id.links)
		return;
	text->length -= mark;
	resolved->deleted = true;
}

void resolver_finish(struct resolver *resolver, size_t start, struct resolved *resolved)
{
	if (resolved->exists)
		take_mark(resolver, start, resolved);
	resolved->link_count = resolver->links.count;
	resolved->name = buf_text(&resolver->text) + start;
}

void resolver_add_part(struct resolver *resolver, size_t start, const char *part, size_t length)
{
	struct buf *text = &resolver->text;

	if (text->length == start || text->data[text->length - 1] != '/')
		buf_char(text, '/');
	buf_bytes(text, part, length);
}

bool resolver_is_root(const struct resolver *resolver, const struct file_id *root)
{
	return root->mount == resolver->root.mount && file_id_equal(root, &resolver->root);
}

const char *resolved_link(
	const struct resolver *resolver, const struct resolved *resolved, size_t index)
{
	return index < resolved->link_count ? resolver->text.data + resolver->links.data[index]
					    : "";
}

bool resolved_id(const struct resolved *resolved, struct file_id *ret)
{
	if (resolved->fd >= 0)
		return file_id_get(resolved->fd, "", AT_EMPTY_PATH, ret);
	return resolved->link[0] && file_id_get(AT_FDCWD, resolved->link, 0, ret);
}
