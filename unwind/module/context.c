// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/module/context.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "unwind/cache/symbol_cache.h"
#include "unwind/elf/elf_file.h"
#include "unwind/module/module.h"

enum {
	DEFAULT_FRAME_LIMIT = 256,
	/**
	 * A configure script runs thousands of programs that all differ; each open one costs up
	 * to two descriptors of the usual 1024.
	 */
	OPEN_MODULES_MAX = 256,
};

struct interned {
	struct interned *next;
	char text[];
};

struct unwind_context *unwind_context_create(const struct unwind_options *options)
{
	struct unwind_context *context = xcalloc(1, sizeof(*context));
	struct unwind_location *location = arena_zalloc(&context->arena, sizeof(*location));

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
	context->sysroot = root_list_add(&context->roots, context->options.sysroot);
	return context;
}

void unwind_context_destroy(struct unwind_context *context)
{
	struct hash_entry *entry;
	size_t position = 0;

	if (!context)
		return;
	symbol_cache_save_all(context);
	while (context->first_module) {
		struct unwind_module *module = context->first_module;

		context->first_module = module->next;
		module_destroy(module);
	}
	while ((entry = hash_next(&context->alt_files, &position)))
		elf_file_destroy(entry->value);
	hash_deinit(&context->alt_files);
	hash_deinit(&context->modules);
	hash_deinit(&context->strings);
	hash_deinit(&context->generated);
	rule_store_deinit(&context->rules);
	stack_memory_deinit(&context->memory);
	root_list_deinit(&context->roots);
	arena_deinit(&context->arena);
	frame_ring_deinit(&context->ring);
	free(context);
}

const char *context_string(struct unwind_context *context, const char *text)
{
	size_t size = strlen(text) + 1;
	uint64_t key = hash_bytes(text, size);
	struct interned *first = hash_get(&context->strings, key), *string;

	for (string = first; string; string = string->next) {
		if (!strcmp(string->text, text))
			return string->text;
	}
	string = arena_alloc(&context->arena, sizeof(*string) + size);
	string->next = first;
	memcpy(string->text, text, size);
	hash_set(&context->strings, key, string);
	return string->text;
}
