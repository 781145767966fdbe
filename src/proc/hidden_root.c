// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "proc/hidden_root.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "proc/file_id.h"
#include "proc/mounts.h"

void hidden_root_deinit(struct hidden_root *hidden)
{
	free(hidden->place);
	hidden->place = NULL;
}

// Whether @name, which leads from our root through no link and to no other mount, is @id.
static bool is_here(const char *name, const struct file_id *id)
{
	struct open_how how = {
		.flags = O_PATH | O_NOFOLLOW | O_CLOEXEC,
		.resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_XDEV,
	};
	cleanup_close int fd = (int)syscall(SYS_openat2, AT_FDCWD, name, &how, sizeof(how));
	struct file_id found;

	return fd >= 0 && file_id_get(fd, "", AT_EMPTY_PATH, &found) && file_id_equal(&found, id);
}

// Some file systems have other numbers for their files than mountinfo has for them, all of them
// without a device of their own.
static bool may_be_device(const struct mount *mount, const struct file_id *id)
{
	return mount->major == id->major && (mount->minor == id->minor || mount->major == 0);
}

/** A handle with room for the bytes of any. */
union handle {
	struct file_handle head;
	char room[sizeof(struct file_handle) + MAX_HANDLE_SZ];
};

// The name of directory @fd, as far as we see it.
static bool name_of(int fd, char name[PATH_MAX])
{
	char link[32];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = readlink(link, name, PATH_MAX - 1);
	name[length < 0 ? 0 : length] = '\0';
	return name[0] == '/';
}

// The name of our root @root below the directory @path, of a mount of the same file system: it
// begins with a slash. NULL if it is not there or we may not ask.
static char *root_below(const char *path, const struct file_id *root)
{
	union handle handle = {.head.handle_bytes = MAX_HANDLE_SZ};
	cleanup_close int top = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	cleanup_close int fd = -1, found = -1;
	char above[PATH_MAX], name[PATH_MAX];
	struct file_id id;
	const char *rest;
	int mount;

	if (top < 0 || name_to_handle_at(AT_FDCWD, "/", &handle.head, &mount, 0) != 0)
		return NULL;
	fd = open_by_handle_at(top, &handle.head, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || !name_of(top, above) || !name_of(fd, name))
		return NULL;
	rest = path_below(above, name);
	if (!rest || !*rest)
		return NULL;
	// The mount need not reach down to it: then the name is another's.
	found = openat(top, rest + 1, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return found >= 0 && file_id_get(found, "", AT_EMPTY_PATH, &id) && file_id_equal(&id, root)
		       ? xstrdup(rest)
		       : NULL;
}

static char *place_above(const struct mount *mount, const char *path, const struct file_id *root)
{
	cleanup_free char *rest = root_below(path, root);
	const char *top = strcmp(mount->root, "/") == 0 ? "" : mount->root;
	size_t length = strlen(top);
	char *place;

	if (!rest)
		return NULL;
	place = xmalloc(length + strlen(rest) + 1);
	memcpy(place, top, length);
	memcpy(place + length, rest, strlen(rest) + 1);
	return place;
}

// The place of our root @root as @mount tells it, whose root is called @path; NULL if it does not.
static char *place_by(const struct mount *mount, const char *path, const struct file_id *root)
{
	struct file_id id;

	if (!file_id_get(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, &id) || id.mount != mount->id ||
		id.major != root->major || id.minor != root->minor)
		return NULL;
	// A directory has one name in its file system, other files may have more.
	if (!S_ISDIR(id.mode) && id.links != 1)
		return NULL;
	if (file_id_equal(&id, root))
		return xstrdup(mount->root);
	for (const char *end = mount->root; end; end = strchr(end + 1, '/')) {
		if (is_here(end, &id))
			return end == mount->root
				       ? xstrdup("/")
				       : xstrndup(mount->root, (size_t)(end - mount->root));
	}
	return S_ISDIR(id.mode) ? place_above(mount, path, root) : NULL;
}

bool hidden_root_learn(struct hidden_root *hidden, const struct mounts *seen, int tid)
{
	char path[PATH_MAX], base[32] = "";
	struct file_id root;

	if (!hidden->mount || !file_id_get(AT_FDCWD, "/", 0, &root))
		return false;
	if (tid)
		snprintf(base, sizeof(base), "/proc/%d/root", tid);
	array_for_each (mount, &seen->list) {
		char *place;
		bool same;

		if (mount->root[0] != '/' || !may_be_device(mount, &root) ||
			snprintf(path, sizeof(path), "%s%s", base, mount->point) >=
				(int)sizeof(path))
			continue;
		place = place_by(mount, path, &root);
		if (!place)
			continue;
		same = hidden->place && strcmp(hidden->place, place) == 0 &&
		       hidden->major == mount->major && hidden->minor == mount->minor;
		free(hidden->place);
		hidden->place = place;
		hidden->major = mount->major;
		hidden->minor = mount->minor;
		return !same;
	}
	return false;
}

void hidden_root_add(struct hidden_root *hidden, struct mounts *own)
{
	struct file_id root;

	hidden->mount = 0;
	if (mounts_have_root(own) || !file_id_get(AT_FDCWD, "/", 0, &root) || !root.mount)
		return;
	hidden->mount = root.mount;
	hidden_root_learn(hidden, own, 0);
	if (hidden->place)
		mounts_add_root(own, root.mount, hidden->major, hidden->minor, hidden->place);
	else
		mounts_add_root(own, root.mount, root.major, root.minor, "//");
}
