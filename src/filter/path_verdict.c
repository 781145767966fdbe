// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "filter/path_verdict.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "filter/path_filter.h"

enum {
	/** Files remembered at most: then all are forgotten. */
	SEEN_MAX = 65536,
};

static uint64_t seen_key(const struct file_id *id)
{
	return hash_u64(id->inode ^ ((uint64_t)id->major << 52 | (uint64_t)id->minor << 32));
}

static bool was_seen(const struct path_filter *filter, const struct file_id *id)
{
	const struct file_id *seen = hash_get(&filter->seen, seen_key(id));

	return seen && file_id_equal(seen, id);
}

static void forget_seen(struct path_filter *filter)
{
	size_t position = 0;
	struct hash_entry *entry;

	while ((entry = hash_next(&filter->seen, &position)))
		free(entry->value);
	hash_deinit(&filter->seen);
}

// Keeps what a wanted descriptor refers to: it stays wanted when the file is moved away.
static void keep_seen(struct path_filter *filter, const struct file_id *id)
{
	struct file_id *copy;

	if (S_ISDIR(id->mode) || was_seen(filter, id))
		return;
	if (filter->seen.count >= SEEN_MAX)
		forget_seen(filter);
	copy = xmalloc(sizeof(*copy));
	*copy = *id;
	free(hash_set(&filter->seen, seen_key(id), copy));
}

// The root of a task, as names of its objects show it.
static bool read_root(const struct path_task *task, char root[PATH_MAX])
{
	char link[32];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/%d/root", task->fs.tid);
	length = readlink(link, root, PATH_MAX - 1);
	root[length < 0 ? 0 : length] = '\0';
	return length > 0;
}

void path_verdict_read_mounts(struct path_filter *filter)
{
	struct mounts *own = &filter->own;

	mounts_read(own, 0);
	hidden_root_add(&filter->hidden, own);
	filter->overlap = mounts_overlap(own);
	path_set_find_names(filter->set, own);
	// What is kept of others may be told in terms of the place that our root had.
	filter->foreign_root = 0;
}

void path_verdict_forget_roots(struct path_filter *filter)
{
	filter->age++;
	filter->looked = 0;
	task_fs_release(&filter->pool);
}

const char *path_verdict_target_name(struct path_task *task, const char *name)
{
	char root[PATH_MAX];
	const char *rest = read_root(task, root) ? path_below(root, name) : NULL;

	return rest && !*rest ? "/" : rest;
}

static enum path_verdict combine(enum path_verdict a, enum path_verdict b)
{
	return a > b ? a : b;
}

_Static_assert(PATH_EXCLUDED > PATH_WANTED && PATH_WANTED > PATH_OTHER, "the strongest wins");

// What the patterns say of the names that our mounts, but for @skip, give to the path
// filter->inner of the file system of @mount.
static enum path_verdict verdict_on_outer_names(struct path_filter *filter,
	const struct mount *mount, const struct mount *skip,
	enum path_verdict (*verdict)(const struct path_set *, const char *))
{
	enum path_verdict sum = PATH_OTHER;

	array_for_each (own, &filter->own.list) {
		if (own == skip || !mount_same_device(own, mount))
			continue;
		buf_reset(&filter->outer);
		if (mount_outer(&filter->outer, own, buf_text(&filter->inner)))
			sum = combine(sum, verdict(filter->set, buf_text(&filter->outer)));
	}
	return sum;
}

static bool set_inner(struct path_filter *filter, const struct mount *mount, const char *name)
{
	buf_reset(&filter->inner);
	return mount && mount_inner(&filter->inner, mount, name);
}

// Of a name in our own view. The set knows the other names of all patterns but globs.
static enum path_verdict verdict_on_own(struct path_filter *filter, const char *name)
{
	enum path_verdict verdict = path_set_verdict(filter->set, name);
	const struct mount *mount;

	if (!filter->overlap || !filter->set->has_globs || verdict == PATH_EXCLUDED)
		return verdict;
	mount = mounts_of_name(&filter->own, name);
	if (!set_inner(filter, mount, name))
		return verdict;
	return combine(verdict, verdict_on_outer_names(filter, mount, mount, path_set_verdict));
}

// An object in another mount namespace has the names that our mounts give to its place in
// the file system, and lies below all that its mount lies below.
static enum path_verdict verdict_on_foreign(
	struct path_filter *filter, const struct mount *mount, const char *name)
{
	enum path_verdict sum = PATH_OTHER;
	const char *seen = path_below(buf_text(&filter->foreign_base), name);

	if (seen && !*seen)
		seen = "/";
	if (!seen)
		return PATH_OTHER;
	if (set_inner(filter, mount, seen))
		sum = verdict_on_outer_names(filter, mount, NULL, path_set_verdict);
	for (size_t depth = 0; depth < filter->foreign.list.count; depth++) {
		const struct mount *parent = mounts_find(&filter->foreign, mount->parent);

		if (!parent || parent == mount)
			break;
		if (set_inner(filter, parent, mount->point))
			sum = combine(sum, verdict_on_outer_names(
						   filter, parent, NULL, path_set_verdict_below));
		mount = parent;
	}
	return sum;
}

// Whether @name in our view is the object @id.
static bool is_named(const char *name, const struct file_id *id)
{
	struct file_id found;

	return file_id_get(AT_FDCWD, name, AT_SYMLINK_NOFOLLOW, &found) &&
	       file_id_equal(&found, id);
}

// Finds a name in our view for the object @id, or one missing in it, that is called @name
// somewhere else: some end of that is what it is called below a mount of ours. It is left in
// filter->outer.
static bool find_own_name(
	struct path_filter *filter, const struct file_id *id, const char *name, bool exists)
{
	const char *slash = strrchr(name, '/');
	size_t tail = exists || !slash ? 0 : strlen(slash);

	array_for_each (own, &filter->own.list) {
		const char *above = strcmp(own->point, "/") == 0 ? "" : own->point;

		for (const char *end = name; end; end = *end ? strchrnul(end + 1, '/') : NULL) {
			size_t length = strlen(end);

			if (length < tail)
				break;
			if (length == 1 && !tail)
				continue;
			buf_reset(&filter->outer);
			buf_string(&filter->outer, above);
			buf_bytes(&filter->outer, end, length - tail);
			if (!filter->outer.length)
				buf_char(&filter->outer, '/');
			if (!is_named(buf_text(&filter->outer), id))
				continue;
			if (tail && filter->outer.length == 1)
				buf_reset(&filter->outer);
			buf_string(&filter->outer, tail ? slash : "");
			return true;
		}
	}
	return false;
}

// The root of a task in a chroot: the mount it lies in is not in its list, but its directory
// may be one that we see.
static void add_foreign_root(struct path_filter *filter, const struct file_id *root)
{
	const char *base = buf_text(&filter->foreign_base);
	const struct mount *own;

	if (!find_own_name(filter, root, base, /* exists= */ true))
		return;
	own = mounts_of_name(&filter->own, buf_text(&filter->outer));
	if (!set_inner(filter, own, buf_text(&filter->outer)))
		return;
	mounts_add_root(
		&filter->foreign, root->mount, own->major, own->minor, buf_text(&filter->inner));
}

static bool read_foreign(struct path_filter *filter, struct path_task *task)
{
	char base[PATH_MAX];

	filter->foreign_root = 0;
	if (!read_root(task, base) || !mounts_read(&filter->foreign, task->fs.tid))
		return false;
	if (hidden_root_learn(&filter->hidden, &filter->foreign, task->fs.tid))
		path_verdict_read_mounts(filter);
	buf_reset(&filter->foreign_base);
	buf_string(&filter->foreign_base, base);
	if (!mounts_have_root(&filter->foreign))
		add_foreign_root(filter, &task->fs.root_id);
	filter->foreign_root = task->fs.root_id.mount;
	return true;
}

// The mount @id, of those that the task sees, on which something is called @name.
static const struct mount *foreign_mount(
	struct path_filter *filter, struct path_task *task, uint64_t id, const char *name)
{
	const struct mount *mount = NULL;

	// The list of another task in that namespace does as well, if it sees as much.
	if (filter->foreign_root == task->fs.root_id.mount && !mounts_changed(&filter->foreign) &&
		path_below(buf_text(&filter->foreign_base), name))
		mount = mounts_find(&filter->foreign, id);
	if (mount)
		return mount;
	return read_foreign(filter, task) ? mounts_find(&filter->foreign, id) : NULL;
}

// What lies outside of the root of a task in another namespace is on none of its mounts.
static enum path_verdict verdict_on_guess(
	struct path_filter *filter, const struct file_id *id, const char *name, bool exists)
{
	return find_own_name(filter, id, name, exists)
		       ? path_set_verdict(filter->set, buf_text(&filter->outer))
		       : PATH_OTHER;
}

static bool is_own_mount(struct path_filter *filter, uint64_t id)
{
	if (!id || mounts_find(&filter->own, id))
		return true;
	if (!mounts_changed(&filter->own))
		return false;
	path_verdict_forget_roots(filter);
	path_verdict_read_mounts(filter);
	return mounts_find(&filter->own, id);
}

static bool is_foreign(struct path_filter *filter, struct path_task *task)
{
	if (task->foreign_age != filter->age) {
		const struct file_id *root = task_fs_root_id(&task->fs);

		task->foreign = root && !is_own_mount(filter, root->mount);
		task->foreign_age = filter->age;
	}
	return task->foreign;
}

static enum path_verdict verdict_on_mount(struct path_filter *filter, struct path_task *task,
	const struct file_id *id, const char *name, bool exists)
{
	const struct mount *mount;

	if (is_own_mount(filter, id->mount))
		return verdict_on_own(filter, name);
	mount = foreign_mount(filter, task, id->mount, name);
	return mount ? verdict_on_foreign(filter, mount, name)
		     : verdict_on_guess(filter, id, name, exists);
}

static enum path_verdict verdict_on_id(
	struct path_filter *filter, const struct file_id *id, bool is_fd)
{
	enum path_verdict verdict = path_set_verdict_id(filter->set, id);

	return verdict == PATH_OTHER && is_fd && was_seen(filter, id) ? PATH_WANTED : verdict;
}

// Of what has no name where the kernel tells it: a namespace may be mounted on a file that is
// asked for.
static enum path_verdict verdict_on_nameless(
	struct path_filter *filter, const struct resolved *resolved)
{
	static const char *const never[] = {"pipe:", "socket:", "anon_inode:"};
	const struct path_set *set = filter->set;
	struct file_id id;

	if (!set->has_files || set->target_view || !resolved->name[0])
		return PATH_OTHER;
	for (size_t i = 0; i < ARRAY_SIZE(never); i++) {
		if (strncmp(resolved->name, never[i], strlen(never[i])) == 0)
			return PATH_OTHER;
	}
	return resolved_id(resolved, &id) ? path_set_verdict_id(set, &id) : PATH_OTHER;
}

enum path_verdict path_verdict_of(struct path_filter *filter, struct path_task *task,
	const struct resolved *resolved, bool is_fd)
{
	const struct path_set *set = filter->set;
	const char *name = resolved->name;
	enum path_verdict verdict = PATH_OTHER;
	bool foreign;
	struct file_id id;

	if (name[0] != '/')
		return is_fd ? verdict_on_nameless(filter, resolved) : PATH_OTHER;
	if (set->target_view) {
		name = path_verdict_target_name(task, name);
		return name ? path_set_verdict(set, name) : PATH_OTHER;
	}
	foreign = is_foreign(filter, task);
	if (!foreign) {
		verdict = verdict_on_own(filter, name);
		if (verdict == PATH_OTHER && !set->has_files && !(is_fd && filter->seen.count))
			return PATH_OTHER;
	}
	if (!resolved_id(resolved, &id))
		return verdict;
	// The name may be one of another mount namespace, where it means another file.
	if (foreign || verdict != PATH_OTHER)
		verdict = verdict_on_mount(filter, task, &id, name, resolved->exists);
	if (resolved->exists)
		verdict = combine(verdict, verdict_on_id(filter, &id, is_fd));
	if (verdict == PATH_WANTED && resolved->exists && is_fd)
		keep_seen(filter, &id);
	return verdict;
}

enum path_verdict path_verdict_of_name(
	struct path_filter *filter, struct path_task *task, const char *name)
{
	if (name[0] != '/')
		return PATH_OTHER;
	if (filter->set->target_view) {
		name = path_verdict_target_name(task, name);
		return name ? path_set_verdict(filter->set, name) : PATH_OTHER;
	}
	return is_foreign(filter, task) ? PATH_OTHER : verdict_on_own(filter, name);
}

bool path_verdict_by_name(struct path_filter *filter, struct path_task *task)
{
	return !filter->set->target_view && !is_foreign(filter, task);
}
