// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/diagnose.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "unwind/debuginfo/search.h"
#include "unwind/debuginfod.h"
#include "unwind/describe/download.h"
#include "unwind/dwarf/unit.h"
#include "unwind/elf/elf_file.h"
#include "unwind/module/context.h"
#include "unwind/module/module.h"
#include "unwind/module/space.h"
#include "unwind/report/hints.h"

/** With more modules, DWARF is not opened only to see whether it can be. */
enum { MODULES_OPENED_MAX = 32 };

void diagnosis_list_deinit(struct diagnosis_list *list)
{
	arena_deinit(&list->arena);
	array_deinit(&list->items);
}

static bool has_section(const struct elf_file *file, const char *name)
{
	return file && elf_file_section(file, name);
}

static bool has_segment(const struct elf_file *file, uint32_t type)
{
	for (size_t i = 0; i < file->headers.count; i++) {
		if (file->headers.segments[i].type == type)
			return true;
	}
	return false;
}

static void find_unwinding(struct unwind_module *module, struct diagnosis_part *part)
{
	struct elf_file *file = module->files.file;

	if (!file)
		return;
	if (has_section(file, ".eh_frame") || has_segment(file, PT_GNU_EH_FRAME)) {
		*part = (struct diagnosis_part){".eh_frame", file->path, NULL};
		return;
	}
	if (!has_section(file, ".debug_frame"))
		file = search_debug_file(&module->files);
	if (has_section(file, ".debug_frame"))
		*part = (struct diagnosis_part){".debug_frame", file->path, NULL};
}

static void find_names(struct unwind_module *module, struct diagnosis_part *part)
{
	static const char exported[] = "only functions that other modules may call";
	struct elf_file *own = module->files.file_is_image ? NULL : module->files.file;
	struct elf_file *debug, *dwarf;

	if (has_section(own, ".symtab")) {
		*part = (struct diagnosis_part){".symtab", own->path, NULL};
		return;
	}
	debug = search_debug_file(&module->files);
	if (has_section(debug, ".symtab")) {
		*part = (struct diagnosis_part){".symtab", debug->path, NULL};
		return;
	}
	dwarf = search_dwarf_file(&module->files);
	if (search_mini_file(&module->files))
		*part = (struct diagnosis_part){".gnu_debugdata and .dynsym", own->path, NULL};
	else if (has_section(dwarf, ".debug_info"))
		*part = (struct diagnosis_part){".debug_info", dwarf->path, NULL};
	else if (has_section(module->files.file, ".dynsym"))
		*part = (struct diagnosis_part){".dynsym", module->files.file->path, exported};
}

static bool has_lines(const struct elf_file *file)
{
	return has_section(file, ".debug_line") || has_section(file, ".zdebug_line");
}

static void find_lines(struct unwind_module *module, bool is_thorough, struct diagnosis_part *part)
{
	struct elf_file *file = search_dwarf_file(&module->files);

	if (!has_lines(file)) {
		struct elf_file *debug = search_debug_file(&module->files);

		if (debug)
			debug_files_add_failure(&module->files,
				(struct lookup_failure){.wanted = LOOKUP_OF_CONTENTS,
					.reason = LOOKUP_NO_DEBUG_SECTIONS,
					.path = xstrdup(debug->path)});
		return;
	}
	// What cannot be read is noted by this.
	if (is_thorough && !module_units(module))
		return;
	*part = (struct diagnosis_part){".debug_line", file->path, NULL};
}

static void limit_names(struct unwind_module *module, struct diagnosis *diagnosis)
{
	struct elf_file *file = search_dwarf_file(&module->files);

	if (has_section(file, ".gnu_debugaltlink") && !search_alt_file(&module->files))
		diagnosis->names.limit = "names that are in the alternate file are missing";
	if (module->units && unit_table_lacks_split(module->units))
		diagnosis->names.limit = "inlined calls are in files that are missing";
}

static void count_frames(const struct unwind_module *module, struct diagnosis *diagnosis)
{
	for (size_t i = 0; i < ARRAY_SIZE(module->symbol_cache.descriptions); i++) {
		const struct hash_entry *entry;
		size_t position = 0;

		while ((entry = hash_next(&module->symbol_cache.descriptions[i], &position))) {
			const struct unwind_description *description = entry->value;

			diagnosis->shown += description->shown;
			if (description->no_function != UNWIND_REASON_NONE)
				diagnosis->unnamed += description->shown;
			if (description->no_line != UNWIND_REASON_NONE &&
				!module->context->options.no_lines)
				diagnosis->lineless += description->shown;
		}
	}
}

/** Whether it says why something is missing that would not be there otherwise. */
static bool matters(const struct diagnosis *diagnosis, const struct lookup_failure *failure)
{
	bool is_complete =
		diagnosis->names.section && !diagnosis->names.limit && diagnosis->lines.section;

	switch (failure->wanted) {
	case LOOKUP_OF_FILE:
		return diagnosis->from_memory || !diagnosis->opened;
	case LOOKUP_OF_DEBUG_FILE:
		return !is_complete && !diagnosis->module->files.debug_file;
	case LOOKUP_OF_ALTERNATE:
		return !diagnosis->module->files.alt_file;
	case LOOKUP_OF_SPLIT:
		return diagnosis->names.limit;
	case LOOKUP_OF_MINI_SYMBOLS:
	case LOOKUP_OF_CONTENTS:
		break;
	}
	return true;
}

static void list_failures(struct diagnosis_list *list, struct diagnosis *diagnosis)
{
	const struct unwind_module *module = diagnosis->module;
	const struct lookup_failure **failures = arena_alloc(&list->arena,
		(module->files.failures.count + 1) * sizeof(const struct lookup_failure *));

	array_for_each (failure, &module->files.failures) {
		if (matters(diagnosis, failure))
			failures[diagnosis->failure_count++] = failure;
	}
	diagnosis->failures = failures;
}

/** Of a module whose files were closed to make room. */
static void reopen(struct unwind_module *module)
{
	enum lookup_reason reason;
	struct elf_file *file;
	int fd;

	if (module->files.file || !module->is_closed)
		return;
	fd = root_list_open(
		&module->context->search.roots, module->files.root, module->files.inside);
	file = fd < 0 ? NULL : elf_file_open(fd, module->files.path, &reason);
	if (file && elf_file_has_build_id(file, module->files.identity.build_id,
			    module->files.identity.build_id_size))
		module_set_file(module, file, /* is_image= */ false);
	else
		elf_file_destroy(file);
}

static void add(struct diagnosis_list *list, struct unwind_module *module, bool is_thorough)
{
	struct diagnosis *diagnosis = array_add(&list->items);

	reopen(module);
	while (download_is_pending(module))
		debuginfod_wait(module->context->options.debuginfod);
	*diagnosis = (struct diagnosis){
		.module = module,
		.path = module->files.path,
		.build_id = module->files.identity.build_id,
		.build_id_size = module->files.identity.build_id_size,
		.opened = module->files.file ? module->files.file->path : NULL,
		.from_memory = module->files.file && module->files.file_is_image,
	};
	count_frames(module, diagnosis);
	find_unwinding(module, &diagnosis->unwinding);
	find_names(module, &diagnosis->names);
	find_lines(module, is_thorough || diagnosis->shown, &diagnosis->lines);
	limit_names(module, diagnosis);
	debug_files_note_cuts(&module->files);
	list_failures(list, diagnosis);
}

static bool is_called(const struct unwind_module *module, const char *name)
{
	const char *slash = strrchr(module->files.path, '/');

	return !name || !strcmp(module->files.path, name) || (slash && !strcmp(slash + 1, name));
}

/** Those that cost most first, then by path. */
static int compare(const void *left, const void *right)
{
	const struct diagnosis *a = left, *b = right;
	uint64_t cost_a = a->unnamed + a->lineless, cost_b = b->unnamed + b->lineless;

	if (cost_a != cost_b)
		return cost_a > cost_b ? -1 : 1;
	return strcmp(a->path, b->path);
}

void diagnose(struct unwind_context *context, const char *name, struct diagnosis_list *list)
{
	size_t count = 0;

	for (struct unwind_module *module = context->first_module; module; module = module->next)
		count += is_called(module, name);
	for (struct unwind_module *module = context->first_module; module; module = module->next) {
		if (is_called(module, name))
			add(list, module, count <= MODULES_OPENED_MAX);
	}
	if (list->items.count)
		qsort(list->items.data, list->items.count, sizeof(list->items.data[0]), compare);
	hints_add(list);
}

void diagnosis_summarize(struct unwind_context *context, struct diagnosis_summary *ret)
{
	uint64_t costs[ARRAY_SIZE(ret->modules)] = {0};

	*ret = (struct diagnosis_summary){0};
	for (struct unwind_module *module = context->first_module; module; module = module->next) {
		struct diagnosis counts = {.path = module->files.path};
		uint64_t cost;

		count_frames(module, &counts);
		// Where there are lines, code without (such as _start) was written without.
		if (counts.lineless) {
			reopen(module);
			if (has_lines(search_dwarf_file(&module->files)))
				counts.lineless = 0;
		}
		ret->shown += counts.shown;
		ret->unnamed += counts.unnamed;
		ret->lineless += counts.lineless;
		cost = counts.unnamed + counts.lineless;
		ret->module_count += cost != 0;
		for (size_t i = 0; i < ARRAY_SIZE(costs); i++) {
			uint64_t lower = costs[i];
			const char *path = ret->modules[i];

			if (cost <= costs[i])
				continue;
			costs[i] = cost;
			ret->modules[i] = counts.path;
			cost = lower;
			counts.path = path;
		}
	}
}

void unwind_context_keep_open(struct unwind_context *context)
{
	context->open_most = SIZE_MAX;
}

bool diagnose_space(struct unwind_space *space, const struct unwind_source *source)
{
	if (!space_update(space, source))
		return false;
	for (size_t i = 0; i < space->count; i++) {
		bool may_reread = false;

		space_find(space, source, space->ranges[i].start, &may_reread);
	}
	return true;
}

struct error *diagnose_file(struct unwind_context *context, const char *path)
{
	cleanup_free char *real = realpath(path, NULL);
	struct file_identity identity = {0};
	enum lookup_reason reason = LOOKUP_NONE;
	struct unwind_module *module;
	struct elf_file *file;
	int fd = real ? root_list_open(&context->search.roots, ROOT_OWN, real) : -1;

	if (fd < 0)
		return error_errno(errno, "%s", path);
	file = elf_file_open(fd, real, &reason);
	if (!file)
		return error_create("%s: %s", path, lookup_failure_sentence(reason));
	memcpy(identity.build_id, file->build_id, file->build_id_size);
	identity.build_id_size = file->build_id_size;
	if (!identity.build_id_size) {
		identity.device = file->device;
		identity.inode = file->inode;
	}
	module = module_find(context, &identity);
	if (!module)
		module = module_create(context, &identity, real);
	if (module->files.file)
		elf_file_destroy(file);
	else
		module_set_file(module, file, /* is_image= */ false);
	return NULL;
}
