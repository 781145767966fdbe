// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "filter/path_filter.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/parse.h"
#include "filter/path_verdict.h"

enum {
	/** Interpreters of interpreters, as many as the kernel takes. */
	INTERPRETERS_MAX = 5,
	/** As much as the kernel reads of a program's start. */
	PROGRAM_HEAD = 256,
	/** Milliseconds for which mounts of people we do not trace may be missed. */
	MOUNTS_STALE = 10,
};

void path_filter_init(struct path_filter *filter, struct path_set *set, bool keeps)
{
	*filter = (struct path_filter){.set = set, .keeps = keeps, .age = 1};
	resolver_init(&filter->resolver);
	path_verdict_read_mounts(filter);
}

void path_filter_deinit(struct path_filter *filter)
{
	size_t position = 0;
	struct hash_entry *entry;

	while ((entry = hash_next(&filter->seen, &position)))
		free(entry->value);
	hash_deinit(&filter->seen);
	resolver_deinit(&filter->resolver);
	mounts_deinit(&filter->own);
	hidden_root_deinit(&filter->hidden);
	mounts_deinit(&filter->foreign);
	buf_deinit(&filter->foreign_base);
	buf_deinit(&filter->inner);
	buf_deinit(&filter->outer);
	buf_deinit(&filter->spelled);
	buf_deinit(&filter->answer);
}

void path_task_init(struct path_task *task, int tid)
{
	task_fs_init(&task->fs, tid);
	regions_init(&task->regions, tid);
}

void path_task_deinit(struct path_task *task)
{
	task_fs_deinit(&task->fs);
	regions_deinit(&task->regions);
}

void path_task_exec(struct path_task *task, int tid)
{
	path_task_deinit(task);
	path_task_init(task, tid);
}

static void look_at_mounts(struct path_filter *filter)
{
	struct timespec now;
	uint64_t time;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	time = (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
	if (time < filter->looked + MOUNTS_STALE)
		return;
	filter->looked = time;
	if (!mounts_changed(&filter->own))
		return;
	filter->age++;
	path_verdict_read_mounts(filter);
}

// In the target's view it is the target's links that patterns go through.
static void resolve_patterns(struct path_filter *filter, struct path_task *task)
{
	struct path_set *set = filter->set;

	if (!task_fs_root_id(&task->fs) ||
		(file_id_equal(&filter->target_root, &task->fs.root_id) &&
			filter->target_root.mount == task->fs.root_id.mount))
		return;
	filter->target_root = task->fs.root_id;
	for (size_t i = 0; i < set->patterns.count; i++) {
		const struct path_pattern *pattern = &set->patterns.data[i];
		struct resolved resolved;
		const char *name;

		if (pattern->is_glob || !resolve_path(&filter->resolver, &task->fs, AT_FDCWD,
						pattern->text, 0, &resolved))
			continue;
		name = path_verdict_target_name(task, resolved.name);
		if (name)
			path_set_add_name(set, i, name);
	}
	resolver_release(&filter->resolver);
}

void path_filter_begin(struct path_filter *filter, struct path_task *task)
{
	if (!filter->set->target_view)
		look_at_mounts(filter);
	if (!filter->keeps)
		filter->age++;
	filter->brings = filter->unknown = false;
	task_fs_keep(&filter->pool, &task->fs);
	task_fs_check(&task->fs, filter->age);
	if (filter->set->target_view)
		resolve_patterns(filter, task);
}

void path_filter_roots_changed(struct path_filter *filter)
{
	path_verdict_forget_roots(filter);
}

void path_filter_files_changed(struct path_filter *filter)
{
	if (!filter->set->target_view)
		path_set_find_names(filter->set, &filter->own);
}

// The spelling itself, for patterns whose own links lead elsewhere by now.
static enum path_verdict verdict_of_spelling(
	struct path_filter *filter, struct path_task *task, const struct path_use *use)
{
	struct resolved base;

	if (strstr(use->path, "..") || (use->flags & RESOLVE_ROOTED))
		return PATH_OTHER;
	buf_reset(&filter->spelled);
	if (use->path[0] != '/' &&
		(!resolve_fd(&filter->resolver, task->fs.tid, use->dirfd, &base) ||
			base.name[0] != '/'))
		return PATH_OTHER;
	path_clean(&filter->spelled, use->path[0] == '/' ? "/" : base.name, use->path);
	return path_verdict_of_name(filter, task, buf_text(&filter->spelled)) == PATH_WANTED
		       ? PATH_WANTED
		       : PATH_OTHER;
}

// `#!interpreter`, as the kernel reads it; false if there is none.
static bool interpreter(const struct resolved *program, char ret[PROGRAM_HEAD + 1])
{
	char link[sizeof(program->link)], head[PROGRAM_HEAD + 1];
	cleanup_close int fd = -1;
	struct file_id id;
	ssize_t got;
	char *start;

	if (!program->exists || !resolved_id(program, &id) || !S_ISREG(id.mode))
		return false;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", program->fd);
	fd = open(program->fd >= 0 ? link : program->link, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	got = fd < 0 ? -1 : read(fd, head, PROGRAM_HEAD);
	if (got < 3 || memcmp(head, "#!", 2) != 0)
		return false;
	head[got] = '\0';
	head[strcspn(head, "\n")] = '\0';
	start = head + 2 + strspn(head + 2, " \t");
	start[strcspn(start, " \t")] = '\0';
	memcpy(ret, start, strlen(start) + 1);
	return start[0] != '\0';
}

static bool resolve_use(struct path_filter *filter, struct path_task *task,
	const struct path_use *use, struct resolved *ret)
{
	char *parent;
	size_t length;
	bool known;
	int base = -1;

	if (!use->beside || use->path[0] == '/')
		return resolve_path(
			&filter->resolver, &task->fs, use->dirfd, use->path, use->flags, ret);
	length = strlen(use->beside->path);
	while (length && use->beside->path[length - 1] != '/')
		length--;
	parent = length ? xstrndup(use->beside->path, length) : xstrdup(".");
	known = resolve_path(
		&filter->resolver, &task->fs, use->beside->dirfd, parent, use->beside->flags, ret);
	free(parent);
	if (known)
		base = fcntl(ret->fd, F_DUPFD_CLOEXEC, 0);
	known = resolve_from(&filter->resolver, &task->fs, base, use->path, use->flags, ret);
	if (base >= 0)
		close(base);
	return known;
}

static enum path_verdict verdict_of_use(struct path_filter *filter, struct path_task *task,
	const struct path_use *use, struct resolved *resolved)
{
	enum path_verdict verdict;
	size_t links;

	if (!resolve_use(filter, task, use, resolved)) {
		filter->unknown = true;
		return PATH_OTHER;
	}
	verdict = path_verdict_of(filter, task, resolved, /* is_fd= */ false);
	links = resolved->link_count;
	for (size_t i = 0; i < links && verdict == PATH_OTHER && filter->set->includes; i++) {
		const char *link = resolved_link(&filter->resolver, resolved, i);

		if (path_verdict_of_name(filter, task, link) == PATH_WANTED)
			verdict = PATH_WANTED;
	}
	return verdict;
}

// Of the interpreters that @program names, each perhaps in the one before; *@program is the last.
static enum path_verdict verdict_of_interpreters(
	struct path_filter *filter, struct path_task *task, struct resolved *program)
{
	struct path_use use = {.dirfd = AT_FDCWD};
	enum path_verdict verdict = PATH_OTHER;
	char text[PROGRAM_HEAD + 1];

	for (unsigned i = 0; verdict == PATH_OTHER && i < INTERPRETERS_MAX; i++) {
		if (!interpreter(program, text))
			break;
		use.path = text;
		verdict = verdict_of_use(filter, task, &use, program);
	}
	return verdict;
}

enum path_verdict path_filter_path(struct path_filter *filter, struct path_task *task,
	const struct path_use *use, const char **name_ret)
{
	struct resolved resolved;
	enum path_verdict verdict = verdict_of_use(filter, task, use, &resolved);

	// The name does not outlive other questions.
	buf_reset(&filter->answer);
	buf_string(&filter->answer, resolved.name);
	*name_ret = buf_text(&filter->answer);
	filter->direct = !resolved.link_count && !use->beside && !strstr(use->path, "..");
	if (use->program && verdict == PATH_OTHER)
		verdict = verdict_of_interpreters(filter, task, &resolved);
	if (verdict == PATH_OTHER && resolved.link_count && filter->set->includes)
		verdict = verdict_of_spelling(filter, task, use);
	if (verdict == PATH_OTHER && path_set_is_typed(filter->set, use->path))
		verdict = PATH_WANTED;
	resolver_release(&filter->resolver);
	return verdict;
}

enum path_verdict path_filter_fd(struct path_filter *filter, struct path_task *task, int fd)
{
	struct resolved resolved;

	if (!resolve_fd(&filter->resolver, task->fs.tid, fd, &resolved)) {
		filter->unknown = true;
		return PATH_OTHER;
	}
	filter->brings |= strcmp(resolved.name, "anon_inode:[fanotify]") == 0;
	return path_verdict_of(filter, task, &resolved, /* is_fd= */ true);
}

enum path_verdict path_filter_program(struct path_filter *filter, struct path_task *task, int fd)
{
	struct resolved resolved;
	enum path_verdict verdict = path_filter_fd(filter, task, fd);

	if (verdict == PATH_OTHER && resolve_fd(&filter->resolver, task->fs.tid, fd, &resolved))
		verdict = verdict_of_interpreters(filter, task, &resolved);
	resolver_release(&filter->resolver);
	return verdict;
}

// The object that the kernel calls @name; its name may be all that is left of it. *@fd is what
// was opened for it.
static bool find_named(struct path_filter *filter, struct path_task *task, const char *name,
	struct resolved *ret, int *fd)
{
	const char *seen;

	*ret = (struct resolved){.fd = -1, .exists = true, .name = name};
	if (filter->set->target_view)
		return false;
	if (path_verdict_by_name(filter, task)) {
		ret->fd = *fd = open(name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
		return *fd >= 0;
	}
	seen = path_verdict_target_name(task, name);
	return seen &&
	       resolve_path(&filter->resolver, &task->fs, AT_FDCWD, seen, RESOLVE_NOFOLLOW, ret) &&
	       ret->exists;
}

enum path_verdict path_filter_open_file(
	struct path_filter *filter, struct path_task *task, const char *name)
{
	static const char mark[] = " (deleted)";
	size_t length = strlen(name), marked = strlen(mark);
	cleanup_close int fd = -1;
	struct resolved resolved;
	enum path_verdict verdict;

	if (name[0] != '/')
		return PATH_OTHER;
	if (!find_named(filter, task, name, &resolved, &fd) && length > marked &&
		strcmp(name + length - marked, mark) == 0) {
		buf_reset(&filter->spelled);
		buf_bytes(&filter->spelled, name, length - marked);
		resolved.name = buf_text(&filter->spelled);
	}
	verdict = path_verdict_of(filter, task, &resolved, /* is_fd= */ true);
	resolver_release(&filter->resolver);
	return verdict;
}

// Several objects at once: one that is wanted is enough, all must be excluded.
static void add_verdict(enum path_verdict *sum, bool *first, enum path_verdict verdict)
{
	if (*first || verdict == PATH_WANTED || (*sum == PATH_EXCLUDED && verdict == PATH_OTHER))
		*sum = verdict;
	*first = false;
}

enum path_verdict path_filter_fds(
	struct path_filter *filter, struct path_task *task, unsigned first, unsigned last)
{
	char path[32];
	cleanup_closedir DIR *directory = NULL;
	struct dirent *entry;
	enum path_verdict sum = PATH_OTHER;
	bool none = true;

	snprintf(path, sizeof(path), "/proc/%d/fd", task->fs.tid);
	directory = opendir(path);
	filter->unknown |= !directory;
	while (directory && sum != PATH_WANTED && (entry = readdir(directory))) {
		int fd;

		if (parse_int(entry->d_name, &fd) && (unsigned)fd >= first && (unsigned)fd <= last)
			add_verdict(&sum, &none, path_filter_fd(filter, task, fd));
	}
	return sum;
}

enum path_verdict path_filter_region(
	struct path_filter *filter, struct path_task *task, uint64_t address, uint64_t length)
{
	uint64_t end = length > UINT64_MAX - address ? UINT64_MAX : address + length;
	enum path_verdict sum = PATH_OTHER;
	struct region region;
	bool none = true;

	while (sum != PATH_WANTED && address < end &&
		regions_next(&task->regions, address, end, &region)) {
		struct resolved resolved = {.fd = -1, .exists = true, .name = region.name};

		snprintf(resolved.link, sizeof(resolved.link), "/proc/%d/map_files/%llx-%llx",
			task->fs.tid, (unsigned long long)region.start,
			(unsigned long long)region.end);
		add_verdict(
			&sum, &none, path_verdict_of(filter, task, &resolved, /* is_fd= */ true));
		if (region.end <= address)
			break;
		address = region.end;
	}
	filter->unknown |= !regions_told(&task->regions);
	return sum;
}
