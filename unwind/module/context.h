// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_MODULE_CONTEXT_H
#define UNWIND_MODULE_CONTEXT_H

/** What lives for the whole run and is shared by all address spaces. Internal. */

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/hash.h"
#include "unwind/cache/string_pool.h"
#include "unwind/cache/symbol_cache.h"
#include "unwind/debuginfo/debug_files.h"
#include "unwind/frame/frame_ring.h"
#include "unwind/frame/rule_cache.h"
#include "unwind/frame/rule_store.h"
#include "unwind/frame/stack_memory.h"
#include "unwind/unwind.h"

enum {
	/** Places that remember what a walk from there needed. */
	CONTEXT_PREDICTIONS = 256,
};

struct stack_prediction {
	taddr pc;
	/** Bytes of stack. */
	uint32_t size;
	/** More registers than the program counter and the stack pointer. */
	bool needs_registers;
};

struct unwind_context {
	struct unwind_options options;
	/** Descriptions. */
	struct arena arena;
	struct string_pool strings;
	/** By identity; modules of equal key are chained by next_same_key. */
	struct hash modules;
	struct unwind_module *first_module;
	/** Modules whose files are open, and how many may be. */
	size_t open_count, open_most;
	/** Counts uses of modules, to find the one unused for longest. */
	uint64_t clock;
	/** What searches of debug files share. */
	struct debug_search search;
	/** Where descriptions are kept from run to run. */
	struct symbol_store symbol_store;
	struct rule_store rules;
	struct rule_cache rule_cache;
	/** Buffers of the walk. */
	struct stack_memory memory;
	struct frame_ring ring;
	struct stack_prediction predictions[CONTEXT_PREDICTIONS];
	/** Of frames of no module, and of those of them in generated code with a name. */
	struct unwind_description no_module;
	/** Of frames whose module's files were closed before anybody asked. */
	struct unwind_description no_file;
	struct hash generated;
	/** How often maps were read, for tests and statistics. */
	uint64_t maps_reads;
};

/** The one copy of @text that lives as long as the context. */
static inline const char *context_string(struct unwind_context *context, const char *text)
{
	return string_pool_add(&context->strings, text);
}

#endif
