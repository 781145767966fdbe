// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_PACKAGE_H
#define UNWIND_PACKAGE_H

/**
 * Which package a file is from and which one brings its debug file, as far as the
 * files below a root directory tell: the database of dpkg, os-release. Starts no
 * program and asks no network.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

enum package_system {
	PACKAGE_SYSTEM_UNKNOWN,
	PACKAGE_SYSTEM_DEBIAN,
	PACKAGE_SYSTEM_UBUNTU,
	/** Those whose debuginfo packages provide the paths below .build-id. */
	PACKAGE_SYSTEM_FEDORA,
};

/** A question about one file, and the answer. */
struct package_query {
	/** As a process in the root spells it, links resolved. */
	const char *path;
	/** In hex digits; NULL if there is none. */
	const char *build_id;

	/** NULL: no package has it. In the arena. */
	const char *package;
	const char *version;
	/** The package with the debug file; NULL if not known. */
	const char *debug_package;
	/** The version of @debug_package that is installed; NULL: none. */
	const char *debug_version;
	/** @debug_package is said to hold this build-id, not only named so. */
	bool is_certain;
};

/**
 * Answers all @count queries at once. @root is the directory before all paths, ""
 * for ours. Returns what kind of system it is.
 */
enum package_system package_find(
	const char *root, struct package_query *queries, size_t count, struct arena *arena);

#endif
