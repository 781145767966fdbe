// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_FILTER_PATH_FILTER_H
#define SRC_FILTER_PATH_FILTER_H

/**
 * Whether one path, descriptor or mapping of a task is what -P asks for. The task's
 * word is resolved to an object; then every name that object has in our own mount
 * namespace is held against the patterns, and its identity too. So a task in a
 * container or chroot is asked about the objects that the user's paths name.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/hash.h"
#include "filter/path_set.h"
#include "proc/hidden_root.h"
#include "proc/mounts.h"
#include "proc/regions.h"
#include "proc/resolve.h"
#include "proc/task_fs.h"

/** What is kept of a task between its calls. */
struct path_task {
	struct task_fs fs;
	struct regions regions;
	/** Its root is on none of our mounts; found at age @foreign_age of the filter. */
	bool foreign;
	uint64_t foreign_age;
};

/** One run's filter. */
struct path_filter {
	struct path_set *set;
	struct resolver resolver;
	struct task_fs_pool pool;
	struct mounts own;
	/** In a chroot: of the mount that our root lies in. */
	struct hidden_root hidden;
	/** One file system shows in several places of ours. */
	bool overlap;
	/**
	 * Mounts of another namespace, as seen from a root called @foreign_base that lies on
	 * mount @foreign_root.
	 */
	struct mounts foreign;
	struct buf foreign_base;
	uint64_t foreign_root;
	/** Rises when some task may have another root, working directory or mount. */
	uint64_t age;
	/** Our tracer sees all who could change these: what is known of a task stays true. */
	bool keeps;
	/** When our mounts were last looked at, in milliseconds. */
	uint64_t looked;
	/** Files that were reached by a wanted name: struct file_id by device and inode. */
	struct hash seen;
	/** Scratch. */
	struct buf inner, outer, spelled;
	/** What the last path resolved to. */
	struct buf answer;
	/** It led only down from where it began. */
	bool direct;
	/**
	 * A descriptor asked about since path_filter_begin() brings others to who reads it, and no
	 * call says so: the events of fanotify.
	 */
	bool brings;
	/** Something asked about since path_filter_begin() could not be told. */
	bool unknown;
	/** Target view: root from which the patterns were last resolved. */
	struct file_id target_root;
};

/** @set is the user's and gets more names in time. @keeps: see above. */
void path_filter_init(struct path_filter *filter, struct path_set *set, bool keeps);
void path_filter_deinit(struct path_filter *filter);

void path_task_init(struct path_task *task, int tid);
void path_task_deinit(struct path_task *task);
/** It runs a new program, perhaps under another id: nothing known of it is true. */
void path_task_exec(struct path_task *task, int tid);

/** A new stop is at hand: notices what has changed since the last. */
void path_filter_begin(struct path_filter *filter, struct path_task *task);
/** A task changed its root or directory, or something was mounted. */
void path_filter_roots_changed(struct path_filter *filter);
/** A wanted call has succeeded: what patterns name may be another object now. */
void path_filter_files_changed(struct path_filter *filter);

/** How a path is meant: what its description says. */
struct path_use {
	const char *path;
	/** The descriptor it is relative to, or AT_FDCWD. */
	int dirfd;
	/** Or the path in whose directory it begins (of use @beside), or NULL. */
	const struct path_use *beside;
	/** RESOLVE_* */
	unsigned flags;
	/** The interpreter it names counts too. */
	bool program;
};

/**
 * The verdict on a path. *@name_ret is what it resolves to ("" if unknown), good until the
 * next question.
 */
enum path_verdict path_filter_path(struct path_filter *filter, struct path_task *task,
	const struct path_use *use, const char **name_ret);
/** The verdict on descriptor @fd, or AT_FDCWD for the working directory. */
enum path_verdict path_filter_fd(struct path_filter *filter, struct path_task *task, int fd);
/** The same for descriptor @fd that is executed: the interpreter that its file names counts too. */
enum path_verdict path_filter_program(struct path_filter *filter, struct path_task *task, int fd);
/**
 * The verdict on a file that the task has open by other means than a descriptor; @name is what
 * the kernel says of it, as /proc/PID/fd would.
 */
enum path_verdict path_filter_open_file(
	struct path_filter *filter, struct path_task *task, const char *name);
/** The verdict on descriptors from @first to @last: wanted if one is. */
enum path_verdict path_filter_fds(
	struct path_filter *filter, struct path_task *task, unsigned first, unsigned last);
/** The verdict on the files mapped at @address: wanted if one is. */
enum path_verdict path_filter_region(
	struct path_filter *filter, struct path_task *task, uint64_t address, uint64_t length);

#endif
