// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/module/context.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/file_fault.h"
#include "unwind/cache/symbol_cache.h"
#include "unwind/module/module.h"

enum {
	DEFAULT_FRAME_LIMIT = 256,
	/**
	 * A configure script runs thousands of programs that all differ; each open one costs up
	 * to two descriptors of the usual 1024.
	 */
	OPEN_MODULES_MAX = 256,
};

struct unwind_context *unwind_context_create(const struct unwind_options *options)
{
	struct unwind_context *context = xcalloc(1, sizeof(*context));
	struct unwind_location *location = arena_zalloc(&context->arena, sizeof(*location));

	// Files that are mapped, by us or libdw, may be truncated while they are read.
	file_fault_survive();
	if (options)
		context->options = *options;
	frame_ring_init(&context->ring,
		context->options.frame_limit ? context->options.frame_limit : DEFAULT_FRAME_LIMIT,
		context->options.args);
	context->open_most = OPEN_MODULES_MAX;
	context->no_module = (struct unwind_description){
		.locations = location,
		.count = 1,
		.no_function = UNWIND_REASON_NO_MODULE,
		.no_line = UNWIND_REASON_NO_MODULE,
	};
	context->no_file = context->no_module;
	context->no_file.no_function = context->no_file.no_line = UNWIND_REASON_NO_FILE;
	debug_search_init(&context->search, &context->options);
	symbol_store_init(
		&context->symbol_store, &context->options, &context->arena, &context->strings);
	return context;
}

/** What was learned of modules, for the next run. */
static void save_symbols(struct unwind_context *context)
{
	struct symbol_store *store = &context->symbol_store;

	for (struct unwind_module *module = context->first_module; module; module = module->next)
		symbol_cache_save(&module->symbol_cache, store, &module->files);
	symbol_store_close(store);
}

void unwind_context_destroy(struct unwind_context *context)
{
	if (!context)
		return;
	save_symbols(context);
	while (context->first_module) {
		struct unwind_module *module = context->first_module;

		context->first_module = module->next;
		module_destroy(module);
	}
	hash_deinit(&context->modules);
	hash_deinit(&context->generated);
	rule_store_deinit(&context->rules);
	stack_memory_deinit(&context->memory);
	debug_search_deinit(&context->search);
	string_pool_deinit(&context->strings);
	arena_deinit(&context->arena);
	frame_ring_deinit(&context->ring);
	free(context);
}
