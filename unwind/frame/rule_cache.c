// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/frame/rule_cache.h"

#include "base/hash.h"

struct rule_cache_entry *rule_cache_get(
	struct rule_cache *cache, const struct unwind_module *module, uint64_t pc, bool *is_hit_ret)
{
	uint64_t slot = hash_u64(pc ^ (uint64_t)(uintptr_t)module) % RULE_CACHE_SIZE;
	struct rule_cache_entry *entry = &cache->entries[slot];

	*is_hit_ret = entry->module == module && entry->pc == pc;
	if (*is_hit_ret) {
		cache->hits++;
		return entry;
	}
	if (entry->module)
		cache->misses_replaced++;
	else
		cache->misses_empty++;
	*entry = (struct rule_cache_entry){.module = module, .pc = pc};
	return entry;
}
