// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_BASE_ALLOC_H
#define SRC_BASE_ALLOC_H

/**
 * Allocation that cannot fail: out of memory ends the program with a message.
 * The results are freed with free().
 */

#include <stddef.h>

/** @size bytes, contents undefined. */
void *xmalloc(size_t size);
/** @count zeroed elements of @size bytes; dies when the product overflows. */
void *xcalloc(size_t count, size_t size);
/** Resizes @ptr (may be NULL) to @count elements of @size bytes. */
void *xreallocarray(void *ptr, size_t count, size_t size);
/** Named for libiberty as well, which allocates by it and xmalloc(). */
void *xrealloc(void *ptr, size_t size);
/** A copy of the C string @text. */
char *xstrdup(const char *text);
/** A NUL-terminated copy of the first @length bytes of @text. */
char *xstrndup(const char *text, size_t length);
/** A formatted string. */
char *xasprintf(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
