// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/module/module.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "unwind/debuginfo/search.h"
#include "unwind/dwarf/unit.h"
#include "unwind/elf/elf_file.h"
#include "unwind/elf/symbol.h"
#include "unwind/frame/cfi.h"
#include "unwind/frame/cfi_bounds.h"
#include "unwind/frame/rule.h"
#include "unwind/module/context.h"

/** Bytes of entry code: of ld.so 60, of a C library's _start about 40. */
enum { ENTRY_SIZE = 64 };

static uint64_t identity_key(const struct file_identity *identity)
{
	if (identity->build_id_size)
		return hash_bytes(identity->build_id, identity->build_id_size);
	return hash_u64(identity->inode) ^ hash_u64(identity->fingerprint);
}

static bool identity_equal(const struct file_identity *a, const struct file_identity *b)
{
	if (a->build_id_size != b->build_id_size)
		return false;
	if (a->build_id_size)
		return !memcmp(a->build_id, b->build_id, a->build_id_size);
	return a->device == b->device && a->inode == b->inode && a->fingerprint == b->fingerprint;
}

struct unwind_module *module_find(
	const struct unwind_context *context, const struct file_identity *identity)
{
	struct unwind_module *module = hash_get(&context->modules, identity_key(identity));

	while (module && !identity_equal(&module->files.identity, identity))
		module = module->next_same_key;
	return module;
}

struct unwind_module *module_create(
	struct unwind_context *context, const struct file_identity *identity, const char *path)
{
	struct unwind_module *module = xcalloc(1, sizeof(*module));
	uint64_t key = identity_key(identity);

	module->context = context;
	module->files.search = &context->search;
	module->files.identity = *identity;
	module->files.path = context_string(context, path);
	module->files.root = ROOT_OWN;
	module->files.inside = module->files.path;
	module->next = context->first_module;
	context->first_module = module;
	module->next_same_key = hash_get(&context->modules, key);
	hash_set(&context->modules, key, module);
	return module;
}

static void drop_eh_frame(struct unwind_module *module)
{
	if (module->eh_frame)
		dwarf_cfi_end(module->eh_frame);
	module->eh_frame = NULL;
	module->eh_frame_tried = false;
}

/** Closes all files and forgets what depends on them; descriptions and rules do not. */
static void close_files(struct unwind_module *module)
{
	symbol_cache_files_close(
		&module->symbol_cache, &module->context->symbol_store, &module->files);
	symbol_table_destroy(module->symbols);
	module->symbols = NULL;
	hash_deinit(&module->arg_plans);
	arena_deinit(&module->arg_arena);
	unit_table_destroy(module->units);
	module->units = NULL;
	module->units_tried = false;
	drop_eh_frame(module);
	module->debug_frame = NULL;
	module->debug_frame_tried = false;
	if (module->files.file)
		module->context->open_count--;
	debug_files_close(&module->files);
}

void module_destroy(struct unwind_module *module)
{
	close_files(module);
	symbol_cache_deinit(&module->symbol_cache);
	debug_files_deinit(&module->files);
	free(module);
}

void module_set_file(struct unwind_module *module, struct elf_file *file, bool is_image)
{
	drop_eh_frame(module);
	if (!module->files.file)
		module->context->open_count++;
	elf_file_destroy(module->files.file);
	module->files.file = file;
	module->files.file_is_image = is_image;
	module->is_closed = false;
	module_use(module);
}

void module_set_debug_file(struct unwind_module *module, struct elf_file *file)
{
	symbol_table_destroy(module->symbols);
	module->symbols = NULL;
	unit_table_destroy(module->units);
	module->units = NULL;
	module->units_tried = false;
	module->debug_frame = NULL;
	module->debug_frame_tried = false;
	debug_files_set_debug_file(&module->files, file);
}

void module_use(struct unwind_module *module)
{
	module->last_used = ++module->context->clock;
}

void module_make_room(struct unwind_context *context)
{
	struct unwind_module *oldest = NULL;

	if (context->open_count < context->open_most)
		return;
	for (struct unwind_module *module = context->first_module; module; module = module->next) {
		if (module->files.file && (!oldest || module->last_used < oldest->last_used))
			oldest = module;
	}
	if (!oldest)
		return;
	close_files(oldest);
	oldest->is_closed = true;
	oldest->open_attempts = 0;
}

struct unit_table *module_units(struct unwind_module *module)
{
	if (!module->units_tried) {
		struct elf_file *file = search_dwarf_file(&module->files);
		Dwarf *dwarf = file ? elf_file_dwarf(file, module->context->options.args) : NULL;

		module->units_tried = true;
		if (dwarf)
			module->units = unit_table_create(&module->files, file, dwarf);
		else if (file)
			debug_files_add_failure(&module->files,
				(struct lookup_failure){.wanted = LOOKUP_OF_CONTENTS,
					.reason = file->dwarf_reason,
					.path = xstrdup(file->path),
					.detail = xstrdup(file->dwarf_detail)});
	}
	return module->units;
}

/** Whether the descriptors in section @name of @file may be run; else it is noted. */
static bool may_run(struct unwind_module *module, const struct elf_file *file, const char *name)
{
	bool is_eh_frame = !strcmp(name, ".eh_frame");
	const Elf_Data *data =
		is_eh_frame ? elf_file_section_data(file, name) : elf_file_dwarf_data(file, name);

	if (cfi_is_bounded(file->elf, data, is_eh_frame))
		return true;
	debug_files_add_failure(&module->files,
		(struct lookup_failure){.wanted = LOOKUP_OF_CONTENTS,
			.reason = LOOKUP_UNPACKS_TO_TOO_MUCH,
			.path = xstrdup(file->path),
			.detail = xasprintf("the registers and states in %s", name)});
	return false;
}

static Dwarf_CFI *debug_frame(struct unwind_module *module)
{
	struct elf_file *file = module->files.file;
	Dwarf *dwarf;

	if (module->debug_frame_tried)
		return module->debug_frame;
	module->debug_frame_tried = true;
	// Opening DWARF may inflate all of it: only if the section is there.
	if (!elf_file_section(file, ".debug_frame"))
		file = search_debug_file(&module->files);
	if (!file || !elf_file_section(file, ".debug_frame"))
		return NULL;
	dwarf = elf_file_dwarf(file, module->context->options.args);
	if (dwarf && may_run(module, file, ".debug_frame"))
		module->debug_frame = dwarf_getcfi(dwarf);
	return module->debug_frame;
}

/** The code that returns from a signal handler has often no rule, or that of a function. */
static const struct rule *trampoline_rule(
	const struct unwind_module *module, const struct arch *arch, uint64_t pc)
{
	uint8_t code[2 * ARCH_SIGNAL_BYTES];
	const struct elf_file *file = module->files.file;
	size_t before = elf_file_read(file, pc - ARCH_SIGNAL_BYTES, code, sizeof(code));

	if (before >= ARCH_SIGNAL_BYTES)
		return arch->signal_rule(
			code + ARCH_SIGNAL_BYTES, ARCH_SIGNAL_BYTES, before - ARCH_SIGNAL_BYTES);
	return arch->signal_rule(code, 0, elf_file_read(file, pc, code, sizeof(code)));
}

static const struct rule *read_rule(
	struct unwind_module *module, const struct arch *arch, uint64_t pc, bool *is_last_ret)
{
	struct rule_store *store = &module->context->rules;
	const struct rule *rule = NULL, *trampoline = NULL;
	Dwarf_CFI *cfi;

	*is_last_ret = false;
	if (!module->files.file || module->files.file->headers.machine != arch->elf_machine)
		return NULL;
	if (!module->eh_frame_tried) {
		module->eh_frame_tried = true;
		if (may_run(module, module->files.file, ".eh_frame"))
			module->eh_frame = dwarf_getcfi_elf(module->files.file->elf);
	}
	if (module->eh_frame)
		rule = cfi_rule(
			module->eh_frame, arch, FRAME_ORIGIN_EH_FRAME, pc, store, is_last_ret);
	cfi = rule ? NULL : debug_frame(module);
	if (cfi)
		rule = cfi_rule(cfi, arch, FRAME_ORIGIN_DEBUG_FRAME, pc, store, is_last_ret);
	if (!rule || !rule->is_signal_frame)
		trampoline = trampoline_rule(module, arch, pc);
	return trampoline ? trampoline : rule;
}

const struct rule *module_rule(
	struct unwind_module *module, const struct arch *arch, uint64_t pc, bool *is_last_ret)
{
	bool is_hit;
	struct rule_cache_entry *entry =
		rule_cache_get(&module->context->rule_cache, module, pc, &is_hit);

	if (!is_hit) {
		module_use(module);
		entry->rule = read_rule(module, arch, pc, &entry->is_last);
	}
	*is_last_ret = entry->is_last;
	return entry->rule;
}

bool module_is_entry(const struct unwind_module *module, uint64_t pc)
{
	return module->files.file && pc - module->files.file->headers.entry < ENTRY_SIZE;
}

uint64_t module_entry(const struct unwind_module *module)
{
	return module->files.file->headers.entry;
}

bool module_is_program(const struct unwind_module *module)
{
	const struct elf_headers *headers = &module->files.file->headers;

	for (size_t i = 0; i < headers->count; i++) {
		if (headers->segments[i].type == PT_INTERP)
			return true;
	}
	return headers->type == ET_EXEC;
}

const char *unwind_module_path(const struct unwind_module *module)
{
	return module->files.path;
}

const uint8_t *unwind_module_build_id(const struct unwind_module *module, size_t *size_ret)
{
	*size_ret = module->files.identity.build_id_size;
	return *size_ret ? module->files.identity.build_id : NULL;
}
