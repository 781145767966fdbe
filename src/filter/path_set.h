// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_FILTER_PATH_SET_H
#define SRC_FILTER_PATH_SET_H

/**
 * The patterns of -P, and which names and objects they stand for. Each has several
 * names: as it was typed, what that resolves to, and what bind mounts make of it.
 * Finding the name of what a task uses is not done here.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/array.h"
#include "base/buf.h"
#include "proc/file_id.h"

struct error;
struct glob;
struct mounts;

struct path_pattern {
	/** Absolute and clean. Owned. */
	char *text;
	/** A relative path as it was typed, which an argument may be spelled as; or NULL. */
	char *typed;
	bool is_glob;
	/** !PATTERN: what it stands for is left out. */
	bool exclude;
	/** =PATTERN: not what lies below. */
	bool exact;
	/** The object, where a pattern that is not a glob names one. */
	bool has_id;
	struct file_id id;
};

/** A name of a pattern. */
struct path_name {
	char *text;
	struct glob *glob;
	/** Index of the pattern. */
	size_t pattern;
};

/** Zero-initialised is empty. */
struct path_set {
	ARRAY(struct path_pattern) patterns;
	ARRAY(struct path_name) names;
	/** --path-view=target: paths are those of the traced tasks. */
	bool target_view;
	/** Some pattern includes; names a file that is no directory; has a glob; has a `=`. */
	bool includes, has_files, has_globs, has_exact;
};

enum path_verdict {
	/** Not asked for. */
	PATH_OTHER,
	PATH_WANTED,
	/** Asked not to be shown. */
	PATH_EXCLUDED,
};

void path_set_deinit(struct path_set *set);
/**
 * Adds what follows -P: [!][=]PATTERN, relative to our working directory. If it goes
 * through symbolic links, *@resolved_ret is what it resolves to, owned by the set, else
 * NULL.
 */
struct error *path_set_add(struct path_set *set, const char *text, const char **resolved_ret);
/**
 * Finds the names of all patterns again: links, mounts and files may have changed.
 * @mounts are ours, or NULL.
 */
void path_set_find_names(struct path_set *set, const struct mounts *mounts);
/** Gives pattern @index one more name. */
void path_set_add_name(struct path_set *set, size_t index, const char *name);

/** What the set says of the object called @name, which is absolute and clean. */
enum path_verdict path_set_verdict(const struct path_set *set, const char *name);
/** Whether what is called @name is shown, judged by that alone. */
bool path_set_has(const struct path_set *set, const char *name);
/** Whether a pattern that includes was typed as the relative path @spelling. */
bool path_set_is_typed(const struct path_set *set, const char *spelling);
/** Whether what some pattern names lies, or may lie, below @name. */
bool path_set_lies_below(const struct path_set *set, const char *name);
/** What it says of an object, by identity alone; PATH_OTHER if nothing. */
enum path_verdict path_set_verdict_id(const struct path_set *set, const struct file_id *id);
/**
 * What it says of a tree that is mounted at @name, whatever it has in it: it lies below
 * the patterns that @name lies below. What it hides is another thing.
 */
enum path_verdict path_set_verdict_below(const struct path_set *set, const char *name);

/**
 * Appends to @buf the clean form of @path, which is relative to the absolute
 * @base unless it starts with a slash: single slashes, no `.` or `..`, no slash
 * at the end.
 */
void path_clean(struct buf *buf, const char *base, const char *path);

#endif
