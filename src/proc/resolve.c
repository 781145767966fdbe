// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "proc/resolve.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "proc/internal.h"
#include "proc/task_fs.h"

static int open_from(int base, const char *path, unsigned flags, uint64_t scope)
{
	struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_NO_SYMLINKS | scope};

	if (flags & RESOLVE_NOFOLLOW)
		how.flags |= O_NOFOLLOW;
	return (int)syscall(SYS_openat2, base, path, &how, sizeof(how));
}

static bool found(struct resolver *resolver, int fd, struct resolved *ret)
{
	size_t start = resolver->text.length;

	ret->fd = fd;
	ret->exists = true;
	resolver_close(resolver, fd);
	resolver_add_name(resolver, fd);
	resolver_finish(resolver, start, ret);
	return true;
}

// A file that does not exist in a directory that does, with no link on the way. @path is
// what could not be opened for ENOENT.
static bool missing_in_directory(
	struct resolver *resolver, int base, const char *path, uint64_t scope, struct resolved *ret)
{
	const char *slash = strrchr(path, '/');
	const char *last = slash ? slash + 1 : path;
	size_t length = slash ? (size_t)(slash + 1 - path) : 0;
	size_t start = resolver->text.length;
	int fd;

	if (!*last || strcmp(last, ".") == 0 || strcmp(last, "..") == 0 || length >= PATH_MAX)
		return false;
	if (length) {
		memcpy(resolver->rest, path, length);
		resolver->rest[length] = '\0';
	} else {
		strcpy(resolver->rest, ".");
	}
	fd = open_from(base, resolver->rest, 0, scope);
	if (fd < 0)
		return false;
	ret->fd = fd;
	ret->exists = false;
	resolver_close(resolver, fd);
	if (!resolver_add_name(resolver, fd))
		return false;
	resolver_add_part(resolver, start, last, strlen(last));
	resolver_finish(resolver, start, ret);
	return true;
}

static bool resolve_at(struct resolver *resolver, struct task_fs *fs, int base, const char *path,
	unsigned flags, struct resolved *ret)
{
	const struct file_id *root = task_fs_root_id(fs);
	bool absolute = path[0] == '/' && !(flags & RESOLVE_ROOTED);
	uint64_t scope = 0;
	int fd;

	*ret = (struct resolved){.fd = -1, .name = ""};
	if (!root || (base < 0 && !absolute) || strlen(path) >= PATH_MAX)
		return false;
	if (flags & RESOLVE_ROOTED)
		scope = RESOLVE_IN_ROOT;
	else if (absolute && !resolver_is_root(resolver, root))
		scope = RESOLVE_IN_ROOT;
	else if (!resolver_is_root(resolver, root))
		// Fails where `..` leads out: then it has to be walked.
		scope = RESOLVE_BENEATH;
	if (absolute && scope)
		base = task_fs_root(fs);
	fd = open_from(base, path, flags, scope);
	if (fd >= 0)
		return found(resolver, fd, ret);
	if (errno == ENOENT && missing_in_directory(resolver, base, path, scope, ret))
		return true;
	buf_reset(&resolver->text);
	return path_walk(resolver, fs, base, path, flags, ret);
}

bool resolve_from(struct resolver *resolver, struct task_fs *fs, int base, const char *path,
	unsigned flags, struct resolved *ret)
{
	resolver_begin(resolver);
	return resolve_at(resolver, fs, base, path, flags, ret);
}

// A name in a directory that is not followed, whatever it is: no need to open the directory.
static bool resolve_entry(
	struct resolver *resolver, int tid, int dirfd, const char *name, struct resolved *ret)
{
	char path[NAME_MAX + 64];
	int fd;

	if (strlen(name) > NAME_MAX || strchr(name, '/') || strcmp(name, ".") == 0 ||
		strcmp(name, "..") == 0)
		return false;
	snprintf(path, sizeof(path), "/proc/%d/fd/%d/%s", tid, dirfd, name);
	fd = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	return fd >= 0 && found(resolver, fd, ret);
}

bool resolve_path(struct resolver *resolver, struct task_fs *fs, int dirfd, const char *path,
	unsigned flags, struct resolved *ret)
{
	char link[48];
	int base;

	resolver_begin(resolver);
	if (path[0] == '/' && !(flags & RESOLVE_ROOTED))
		return resolve_at(resolver, fs, -1, path, flags, ret);
	if (dirfd == AT_FDCWD)
		return resolve_at(resolver, fs, task_fs_cwd(fs), path, flags, ret);
	*ret = (struct resolved){.fd = -1, .name = ""};
	if (flags == RESOLVE_NOFOLLOW && resolve_entry(resolver, fs->tid, dirfd, path, ret))
		return true;
	snprintf(link, sizeof(link), "/proc/%d/fd/%d", fs->tid, dirfd);
	base = dirfd < 0 ? -1 : open(link, O_PATH | O_CLOEXEC);
	if (base < 0)
		return false;
	resolver_close(resolver, base);
	return resolve_at(resolver, fs, base, path, flags, ret);
}

bool resolve_fd(struct resolver *resolver, int tid, int fd, struct resolved *ret)
{
	char *room;
	ssize_t length;

	*ret = (struct resolved){.fd = -1, .exists = true, .name = ""};
	resolver_begin(resolver);
	if (fd < 0 && fd != AT_FDCWD)
		return false;
	if (fd == AT_FDCWD)
		snprintf(ret->link, sizeof(ret->link), "/proc/%d/cwd", tid);
	else
		snprintf(ret->link, sizeof(ret->link), "/proc/%d/fd/%d", tid, fd);
	room = buf_reserve(&resolver->text, PATH_MAX);
	length = readlink(ret->link, room, PATH_MAX);
	if (length <= 0)
		return false;
	resolver->text.length = (size_t)length;
	resolver_finish(resolver, 0, ret);
	return true;
}
