// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_BASE_CLEANUP_H
#define SRC_BASE_CLEANUP_H

/**
 * Scope guards: `cleanup_free char *name = xstrdup("x");` frees when the scope
 * is left. Return a guarded value with take_ptr().
 */

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline void cleanup_free_fn(void *ptr)
{
	free(*(void **)ptr);
}

static inline void cleanup_close_fn(const int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

static inline void cleanup_fclose_fn(FILE **file)
{
	if (*file)
		fclose(*file);
}

static inline void cleanup_closedir_fn(DIR **dir)
{
	if (*dir)
		closedir(*dir);
}

#define cleanup_free __attribute__((cleanup(cleanup_free_fn)))
#define cleanup_close __attribute__((cleanup(cleanup_close_fn)))
#define cleanup_fclose __attribute__((cleanup(cleanup_fclose_fn)))
#define cleanup_closedir __attribute__((cleanup(cleanup_closedir_fn)))

/** The pointer in @ptr, which becomes NULL: its guard then does nothing. */
#define take_ptr(ptr)                                                                              \
	({                                                                                         \
		__typeof__(ptr) taken = (ptr);                                                     \
		(ptr) = NULL;                                                                      \
		taken;                                                                             \
	})

/** The descriptor in @fd, which becomes -1: its guard then does nothing. */
#define take_fd(fd)                                                                                \
	({                                                                                         \
		int taken = (fd);                                                                  \
		(fd) = -1;                                                                         \
		taken;                                                                             \
	})

#endif
