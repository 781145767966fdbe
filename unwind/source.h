// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_SOURCE_H
#define UNWIND_SOURCE_H

/**
 * The seam between the unwinder and the process it looks at: whoever calls the
 * unwinder brings these callbacks, from a stopped task or from a recording. The
 * unwinder itself never knows a pid.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/taddr.h"

struct frame_regs;
struct unwind_map;

/** A file that may be the mapped one. */
struct unwind_candidate {
	/** The caller closes it; -1 if it cannot be opened. */
	int fd;
	/** errno of that. */
	int error;
	/** What was opened, for the report; the caller frees it. */
	char *tried;
	/** What would have allowed to open it; a constant text or NULL. */
	const char *needs;
	/** The kernel vouches that this is the file behind the mapping. */
	bool is_mapped_file;
};

/** How the kernel began a program: AT_ENTRY and AT_BASE of getauxval(3). */
struct unwind_start {
	/** Where it begins; and where its interpreter (ld.so) is loaded, 0 if it has none. */
	taddr entry, interpreter;
};

struct unwind_source_ops {
	/**
	 * Copies up to @size bytes at @address to @data; returns how many could be
	 * read (a shorter count means the next byte is unreadable).
	 */
	size_t (*read)(void *context, taddr address, void *data, size_t size);
	/**
	 * The text of /proc/PID/maps, allocated, the caller frees it; *@length_ret
	 * is its length. NULL when it cannot be had.
	 */
	char *(*maps)(void *context, size_t *length_ret);
	/**
	 * Whether exactly this is still mapped; false if that cannot be told. May be NULL, for
	 * spaces that are never set unwatched.
	 */
	bool (*is_mapped)(void *context, const struct unwind_map *map);
	/** Whether nothing is mapped at @address; false if that cannot be told. May be NULL. */
	bool (*is_free)(void *context, taddr address);
	/**
	 * Opens candidate number @attempt (from 0) for the file behind @map: the
	 * best evidence first (/proc/PID/map_files/RANGE, then /proc/PID/root/PATH,
	 * /proc/PID/exe, PATH). False when there are no more.
	 */
	bool (*open_file)(void *context, const struct unwind_map *map, unsigned attempt,
		struct unwind_candidate *ret);
	/**
	 * The target's root as a path usable from here ("/proc/PID/root"), to look
	 * for debug files inside it first; NULL when it is our own root. Owned by
	 * the context.
	 */
	const char *(*root)(void *context);
	/**
	 * Opens the file in which the process names the code it generates
	 * (/tmp/perf-PID.map in its root, with the PID that it has itself). Returns a
	 * descriptor the caller closes; -1 if there is none that can be trusted.
	 * May be NULL: there is none.
	 */
	int (*open_perf_map)(void *context);
	/**
	 * All registers of the task, for a walk that began with only some of them; false if
	 * they cannot be had. NULL: what a walk begins with is all there is.
	 */
	bool (*registers)(void *context, struct frame_regs *ret);
	/** Fills in @ret; false if it cannot be told. NULL: it cannot. */
	bool (*start)(void *context, struct unwind_start *ret);
};

/** A source is only used during the call it is passed to. */
struct unwind_source {
	const struct unwind_source_ops *ops;
	void *context;
};

#endif
