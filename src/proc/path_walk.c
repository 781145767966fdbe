// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "proc/internal.h"
#include "proc/task_fs.h"
#include "proc/task_status.h"

enum {
	/** As many links as the kernel follows. */
	LINKS_MAX = 40,
	/** Inode of the root of any procfs. */
	PROC_ROOT_INODE = 1,
};

/** A walk under way. */
struct steps {
	struct resolver *resolver;
	int tid;
	/** Where `/` leads and `..` ends. */
	int root;
	/** The directory reached. */
	int current;
	/** What is still to go, in the resolver's @rest. */
	char *rest;
	unsigned links;
	bool nofollow;
};

/** How a step ended. */
enum step {
	STEP_ON,
	/** Nothing there: the rest is a name only. */
	STEP_MISSING,
	/** The last part is a link that is not followed: it is the object. */
	STEP_LINK,
};

static void go_to(struct steps *steps, int fd)
{
	steps->current = fd;
	resolver_close(steps->resolver, fd);
}

static bool same_place(int a, int b)
{
	struct file_id left, right;

	return file_id_get(a, "", AT_EMPTY_PATH, &left) &&
	       file_id_get(b, "", AT_EMPTY_PATH, &right) && left.mount == right.mount &&
	       file_id_equal(&left, &right);
}

static enum step step_up(struct steps *steps)
{
	int fd;

	if (same_place(steps->current, steps->root))
		return STEP_ON;
	fd = openat(steps->current, "..", O_PATH | O_CLOEXEC | O_DIRECTORY);
	if (fd < 0)
		return STEP_MISSING;
	go_to(steps, fd);
	return STEP_ON;
}

// What a link at the top of /proc says depends on who reads it.
static void own_link(struct steps *steps, const char *part, char *text, size_t size)
{
	bool thread = strcmp(part, "thread-self") == 0;
	char own[16], tgid[16], tid[16];
	struct task_status status;
	bool ours;

	if (!thread && strcmp(part, "self") != 0)
		return;
	snprintf(own, sizeof(own), "%d", getpid());
	ours = strncmp(text, own, strlen(own)) == 0 && strspn(text, "0123456789") == strlen(own);
	if (ours) {
		snprintf(tgid, sizeof(tgid), "%d", task_tgid(steps->tid));
		snprintf(tid, sizeof(tid), "%d", steps->tid);
	} else if (task_status_read(steps->tid, &status) && status.inner_tgid && status.inner_tid) {
		snprintf(tgid, sizeof(tgid), "%d", status.inner_tgid);
		snprintf(tid, sizeof(tid), "%d", status.inner_tid);
	} else {
		return;
	}
	if (thread)
		snprintf(text, size, "%s/task/%s", tgid, tid);
	else
		snprintf(text, size, "%s", tgid);
}

static bool in_proc(int fd)
{
	struct statfs fs;

	return fstatfs(fd, &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC;
}

// A link of /proc that leads to an object, not to a name.
static bool is_magic(int directory, const char *part)
{
	struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_NO_MAGICLINKS};
	int fd = (int)syscall(SYS_openat2, directory, part, &how, sizeof(how));

	if (fd < 0)
		return errno == ELOOP;
	close(fd);
	return false;
}

static bool at_top_of_proc(int directory)
{
	struct stat st;

	return fstat(directory, &st) == 0 && st.st_ino == PROC_ROOT_INODE;
}

// Puts the text of a link before what is left.
static bool prepend(struct steps *steps, const char *text, size_t length)
{
	size_t left = strlen(steps->rest);
	char *start = steps->resolver->rest;

	if (length + 1 + left >= WALK_REST_SIZE)
		return false;
	memmove(start + length + 1, steps->rest, left + 1);
	memcpy(start, text, length);
	start[length] = '/';
	// A link as the last part is followed even if a slash ends the path: none must come of it.
	if (!left)
		start[length] = '\0';
	steps->rest = start;
	return true;
}

static void add_link(struct steps *steps, int fd)
{
	struct resolver *resolver = steps->resolver;
	size_t start = resolver->text.length;

	if (!resolver_add_name(resolver, fd))
		return;
	*array_add(&resolver->links) = start;
	buf_char(&resolver->text, '\0');
}

static enum step step_link(struct steps *steps, int link, const char *part)
{
	char text[PATH_MAX];
	bool proc = in_proc(link);
	ssize_t length;
	int fd;

	if (++steps->links > LINKS_MAX)
		return STEP_MISSING;
	add_link(steps, link);
	if (proc && !at_top_of_proc(steps->current) && is_magic(steps->current, part)) {
		fd = openat(steps->current, part, O_PATH | O_CLOEXEC);
		if (fd < 0)
			return STEP_MISSING;
		go_to(steps, fd);
		return STEP_ON;
	}
	length = readlinkat(link, "", text, sizeof(text) - 1);
	if (length < 0 && !proc)
		return STEP_MISSING;
	text[length < 0 ? 0 : length] = '\0';
	if (proc)
		own_link(steps, part, text, sizeof(text));
	if (!text[0] || !prepend(steps, text, strlen(text)))
		return STEP_MISSING;
	if (text[0] == '/')
		steps->current = steps->root;
	return STEP_ON;
}

static enum step step_into(struct steps *steps, const char *part)
{
	bool last = steps->rest[0] == '\0';
	struct stat st;
	int fd = openat(steps->current, part, O_PATH | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return STEP_MISSING;
	resolver_close(steps->resolver, fd);
	if (fstat(fd, &st) != 0)
		return STEP_MISSING;
	if (!S_ISLNK(st.st_mode)) {
		steps->current = fd;
		return STEP_ON;
	}
	if (last && steps->nofollow) {
		steps->current = fd;
		return STEP_LINK;
	}
	return step_link(steps, fd, part);
}

// The next part of the path, cut off the rest; false at the end.
static bool next_part(struct steps *steps, char part[NAME_MAX + 1])
{
	char *start = steps->rest + strspn(steps->rest, "/");
	size_t length = strcspn(start, "/");

	steps->rest = start + length;
	if (!length)
		return false;
	// A longer one does not exist: it is cut, not followed.
	snprintf(part, NAME_MAX + 1, "%.*s", (int)length, start);
	return true;
}

// The name of the directory reached and of all that is not there.
static bool missing(struct steps *steps, size_t start, const char *part, struct resolved *ret)
{
	struct resolver *resolver = steps->resolver;
	char name[NAME_MAX + 1];

	ret->fd = steps->current;
	ret->exists = false;
	if (!resolver_add_name(resolver, steps->current))
		return false;
	snprintf(name, sizeof(name), "%s", part);
	do {
		struct buf *text = &resolver->text;

		if (strcmp(name, ".") == 0)
			continue;
		if (strcmp(name, "..") == 0) {
			while (text->length > start + 1 && text->data[text->length - 1] != '/')
				text->length--;
			if (text->length > start + 1)
				text->length--;
			continue;
		}
		resolver_add_part(resolver, start, name, strlen(name));
	} while (next_part(steps, name));
	resolver_finish(resolver, start, ret);
	return true;
}

bool path_walk(struct resolver *resolver, struct task_fs *fs, int base, const char *path,
	unsigned flags, struct resolved *ret)
{
	bool rooted = flags & RESOLVE_ROOTED;
	struct steps steps = {
		.resolver = resolver,
		.tid = fs->tid,
		.root = rooted ? base : task_fs_root(fs),
		.current = base,
		.rest = resolver->rest,
		.nofollow = flags & RESOLVE_NOFOLLOW,
	};
	char part[NAME_MAX + 1];
	size_t start;

	snprintf(resolver->rest, WALK_REST_SIZE, "%s", path);
	if (path[0] == '/')
		steps.current = steps.root;
	if (steps.root < 0 || steps.current < 0)
		return false;
	while (next_part(&steps, part)) {
		enum step step = STEP_ON;

		if (strcmp(part, "..") == 0)
			step = step_up(&steps);
		else if (strcmp(part, ".") != 0)
			step = step_into(&steps, part);
		if (step == STEP_LINK)
			break;
		if (step == STEP_MISSING)
			return missing(&steps, resolver->text.length, part, ret);
	}
	start = resolver->text.length;
	ret->fd = steps.current;
	ret->exists = true;
	if (!resolver_add_name(resolver, steps.current))
		return false;
	resolver_finish(resolver, start, ret);
	return true;
}
