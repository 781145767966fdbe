// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_CACHE_STRING_POOL_H
#define UNWIND_CACHE_STRING_POOL_H

/** Interned strings: equal texts are one object, which lives as long as the pool. */

#include "base/arena.h"
#include "base/hash.h"

/** Zero-initialised is empty and valid. */
struct string_pool {
	struct arena arena;
	/** First of a chain, by hash of the text. */
	struct hash strings;
};

void string_pool_deinit(struct string_pool *pool);
/** The one copy of @text. */
const char *string_pool_add(struct string_pool *pool, const char *text);

#endif
