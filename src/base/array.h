// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_BASE_ARRAY_H
#define SRC_BASE_ARRAY_H

/**
 * Typed growing arrays. `ARRAY(struct foo) foos = {0};` declares one;
 * `*array_add(&foos) = foo;` appends. Elements may move when it grows.
 */

#include <stddef.h>
#include <stdlib.h>

#include "base/alloc.h"

#define ARRAY(type)                                                                                \
	struct {                                                                                   \
		type *data;                                                                        \
		size_t count;                                                                      \
		size_t capacity;                                                                   \
	}

/** Makes room for one more element and returns a pointer to it, uninitialised. */
#define array_add(array)                                                                           \
	((array)->count == (array)->capacity                                                       \
			? (void)((array)->capacity =                                               \
					  (array)->capacity ? 2 * (array)->capacity : 8,           \
				  (array)->data = xreallocarray((array)->data, (array)->capacity,  \
					  sizeof(*(array)->data)))                                 \
			: (void)0,                                                                 \
		&(array)->data[(array)->count++])

/** Frees the memory; the array is empty and usable again. */
#define array_deinit(array)                                                                        \
	do {                                                                                       \
		free((array)->data);                                                               \
		(array)->data = NULL;                                                              \
		(array)->count = (array)->capacity = 0;                                            \
	} while (0)

/** Walks all elements with a pointer named @item. */
#define array_for_each(item, array)                                                                \
	for (__typeof__((array)->data + 0) item = (array)->data;                                   \
		item < (array)->data + (array)->count; item++)

/** Elements of a fixed array. */
#define ARRAY_SIZE(fixed) (sizeof(fixed) / sizeof((fixed)[0]))

#endif
