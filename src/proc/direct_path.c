// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "proc/direct_path.h"

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

// Whether the text is a name to put parts behind. One that marks a file as deleted, which some
// file may really have, is not: whoever is asked then looks closer.
static bool is_base(struct resolver *resolver)
{
	const struct buf *text = &resolver->text;
	size_t mark = strlen(deleted_mark);

	if (!text->length || text->length == PATH_MAX || text->data[0] != '/')
		return false;
	return text->length < mark ||
	       memcmp(text->data + text->length - mark, deleted_mark, mark) != 0;
}

static bool add_cwd(struct resolver *resolver, struct task_fs *fs)
{
	int cwd = task_fs_cwd(fs);

	return cwd >= 0 && resolver_add_name(resolver, cwd) && is_base(resolver);
}

static bool add_fd(struct resolver *resolver, struct task_fs *fs, const char *fd)
{
	char *room = buf_reserve(&resolver->text, PATH_MAX);
	ssize_t length = readlinkat(task_fs_fds(fs), fd, room, PATH_MAX);

	resolver->text.length = length < 0 ? 0 : (size_t)length;
	return is_base(resolver);
}

// What is called @path from @base on. False if that has to be looked at closer.
static bool look_at_entry(
	int base, const char *path, unsigned flags, bool identify, struct direct_path *ret)
{
	if (!file_id_get(base, path, AT_SYMLINK_NOFOLLOW, &ret->id))
		return errno == ENOENT;
	if (!(flags & RESOLVE_NOFOLLOW) && S_ISLNK(ret->id.mode))
		return false;
	ret->has_id = identify;
	return true;
}

static bool find_entry(struct resolver *resolver, struct task_fs *fs, int dirfd, const char *name,
	unsigned flags, bool identify, struct direct_path *ret)
{
	bool look = identify || !(flags & RESOLVE_NOFOLLOW);
	char path[NAME_MAX + 16];
	int length;

	ret->fixed = flags & RESOLVE_NOFOLLOW;
	if (dirfd == AT_FDCWD)
		return add_cwd(resolver, fs) &&
		       (!look || look_at_entry(fs->cwd, name, flags, identify, ret));
	if (dirfd < 0)
		return false;
	length = snprintf(path, sizeof(path), "%d", dirfd);
	if (!add_fd(resolver, fs, path))
		return false;
	path[length] = '/';
	strcpy(path + length + 1, name);
	return !look || look_at_entry(fs->fds, path, flags, identify, ret);
}

// Whether @path meets no link. What is missing, or below a file, is called what it would be.
static bool meets_no_link(
	int base, const char *path, unsigned flags, bool identify, struct direct_path *ret)
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
	unsigned flags, bool identify, struct direct_path *ret)
{
	const struct file_id *root = task_fs_root_id(fs);

	if (path[0] != '/')
		return add_cwd(resolver, fs) && meets_no_link(fs->cwd, path, flags, identify, ret);
	// It begins at the task's root, which is ours.
	return root && resolver_is_root(resolver, root) &&
	       meets_no_link(AT_FDCWD, path, flags, identify, ret);
}

bool direct_path_find(struct resolver *resolver, struct task_fs *fs, int dirfd, const char *path,
	unsigned flags, bool identify, struct direct_path *ret)
{
	bool found;

	*ret = (struct direct_path){.name = ""};
	resolver_begin(resolver);
	if (flags & RESOLVE_ROOTED || strlen(path) >= PATH_MAX)
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
