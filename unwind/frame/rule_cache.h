// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_FRAME_RULE_CACHE_H
#define UNWIND_FRAME_RULE_CACHE_H

/**
 * From (module, address) to rule, direct-mapped: a collision replaces. Modules
 * outlive the cache's use, so nothing is ever invalidated; a changed memory map
 * leads to other modules, not to other rules of the same one.
 */

#include <stdbool.h>
#include <stdint.h>

struct rule;
struct unwind_module;

enum { RULE_CACHE_SIZE = 8192 };

struct rule_cache_entry {
	const struct unwind_module *module;
	uint64_t pc;
	/** NULL: the module has no rule for @pc. */
	const struct rule *rule;
	/** The range of the rule ends right behind @pc: what follows may be another function. */
	bool is_last;
};

struct rule_cache {
	struct rule_cache_entry entries[RULE_CACHE_SIZE];
	uint64_t hits;
	/** Misses into an empty place, and misses that pushed out another address. */
	uint64_t misses_empty, misses_replaced;
};

/**
 * The place of (@module, @pc). *@is_hit_ret says whether it is filled for them;
 * if not, it was emptied and the caller fills in the rule.
 */
struct rule_cache_entry *rule_cache_get(struct rule_cache *cache,
	const struct unwind_module *module, uint64_t pc, bool *is_hit_ret);

#endif
