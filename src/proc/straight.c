// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "proc/straight.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/parse.h"
#include "proc/internal.h"
#include "proc/task_fs.h"

static const char deleted_mark[] = " (deleted)";

static bool is_dots(const char *part, size_t length)
{
	return length == 2 && part[0] == '.' && part[1] == '.';
}

static bool is_empty(const char *part, size_t length)
{
	return length == 0 || (length == 1 && part[0] == '.');
}

// A name in a directory.
static bool is_one_part(const char *path)
{
	size_t length = strlen(path);

	return !is_empty(path, length) && !is_dots(path, length) && length <= NAME_MAX &&
	       !memchr(path, '/', length);
}

// Appends the parts of @path to the name; false if one leads up.
static bool add_parts(struct resolver *resolver, const char *path)
{
	const char *part;
	size_t length;

	while (parse_list(&path, '/', &part, &length)) {
		if (is_dots(part, length))
			return false;
		if (!is_empty(part, length))
			resolver_add_part(resolver, 0, part, length);
	}
	if (!resolver->text.length)
		buf_char(&resolver->text, '/');
	return true;
}

// What the kernel calls @link of the task's folder in /proc. No name is one that marks a file
// as deleted, which some file may really have: whoever is asked then looks closer.
static bool add_base(struct resolver *resolver, struct task_fs *fs, const char *link)
{
	struct buf *text = &resolver->text;
	size_t mark = strlen(deleted_mark);
	char *room = buf_reserve(text, PATH_MAX);
	ssize_t length = readlinkat(task_fs_proc(fs), link, room, PATH_MAX);

	if (length <= 0 || length == PATH_MAX || room[0] != '/')
		return false;
	text->length = (size_t)length;
	return text->length < mark ||
	       memcmp(text->data + text->length - mark, deleted_mark, mark) != 0;
}

// An object of the task below @link, not followed. False if that has to be looked at closer.
static bool look_at_entry(struct task_fs *fs, const char *link, const char *name, unsigned flags,
	bool identify, struct straight *ret)
{
	char path[NAME_MAX + 32];

	if (flags & RESOLVE_NOFOLLOW && !identify)
		return true;
	snprintf(path, sizeof(path), "%s/%s", link, name);
	if (!file_id_get(task_fs_proc(fs), path, AT_SYMLINK_NOFOLLOW, &ret->id))
		return errno == ENOENT;
	if (!(flags & RESOLVE_NOFOLLOW) && S_ISLNK(ret->id.mode))
		return false;
	ret->has_id = identify;
	return true;
}

static bool find_entry(struct resolver *resolver, struct task_fs *fs, int dirfd, const char *name,
	unsigned flags, bool identify, struct straight *ret)
{
	char link[16];

	if (dirfd < 0 && dirfd != AT_FDCWD)
		return false;
	if (dirfd == AT_FDCWD)
		strcpy(link, "cwd");
	else
		snprintf(link, sizeof(link), "fd/%d", dirfd);
	ret->fixed = flags & RESOLVE_NOFOLLOW;
	return look_at_entry(fs, link, name, flags, identify, ret) && add_base(resolver, fs, link);
}

// Whether @path meets no link. What is missing, or below a file, is called what it would be.
static bool meets_no_link(
	int base, const char *path, unsigned flags, bool identify, struct straight *ret)
{
	struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_NO_SYMLINKS};
	int fd;

	if (flags & RESOLVE_NOFOLLOW)
		how.flags |= O_NOFOLLOW;
	fd = (int)syscall(SYS_openat2, base, path, &how, sizeof(how));
	if (fd < 0)
		return errno == ENOENT || errno == ENOTDIR;
	if (identify)
		ret->has_id = file_id_get(fd, "", AT_EMPTY_PATH, &ret->id);
	close(fd);
	return ret->has_id || !identify;
}

// Several parts, of which each could be a link.
static bool find_below(struct resolver *resolver, struct task_fs *fs, const char *path,
	unsigned flags, bool identify, struct straight *ret)
{
	const struct file_id *root = task_fs_root_id(fs);
	int base = path[0] == '/' ? AT_FDCWD : task_fs_cwd(fs);

	if (path[0] != '/')
		return base >= 0 && add_base(resolver, fs, "cwd") &&
		       meets_no_link(base, path, flags, identify, ret);
	// It begins at the task's root, which is ours.
	return root && resolver_is_root(resolver, root) &&
	       meets_no_link(base, path, flags, identify, ret);
}

bool straight_find(struct resolver *resolver, struct task_fs *fs, int dirfd, const char *path,
	unsigned flags, bool identify, struct straight *ret)
{
	bool found;

	*ret = (struct straight){.name = ""};
	resolver_begin(resolver);
	if (flags & RESOLVE_ROOTED || task_fs_proc(fs) < 0 || strlen(path) >= PATH_MAX)
		return false;
	if (is_one_part(path))
		found = find_entry(resolver, fs, dirfd, path, flags, identify, ret);
	else
		found = (path[0] == '/' || dirfd == AT_FDCWD) &&
			find_below(resolver, fs, path, flags, identify, ret);
	if (!found)
		return false;
	ret->base_length = resolver->text.length;
	if (!add_parts(resolver, path))
		return false;
	ret->name = buf_text(&resolver->text);
	return true;
}
