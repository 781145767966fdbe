// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/describe/download.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/alloc.h"
#include "unwind/debuginfo/debuginfod.h"
#include "unwind/debuginfo/search.h"
#include "unwind/elf/elf_file.h"
#include "unwind/module/context.h"
#include "unwind/module/module.h"
#include "unwind/unwind.h"

bool fetch_is_unsettled(const struct unwind_module *module)
{
	return module->context->options.debuginfod && module->fetch.state != FETCH_DONE;
}

static bool is_enough(struct unwind_module *module)
{
	if (!module->identity.build_id_size || !strcmp(module->path, "[vdso]"))
		return true;
	if (module->context->options.no_lines && module->file && !module->file_is_image &&
		elf_file_section(module->file, ".symtab"))
		return true;
	return search_dwarf_file(module);
}

/** A file from a server, which the worker has checked; NULL with a miss. */
static struct elf_file *open_answer(struct unwind_module *module,
	const struct debuginfod_answer *answer, enum miss_wanted wanted)
{
	struct elf_file *file = NULL;
	enum miss_reason reason;
	int fd;

	for (size_t i = 0; i < answer->miss_count; i++) {
		const struct miss *miss = &answer->misses[i];

		module_miss(module, (struct miss){.wanted = wanted,
					    .reason = miss->reason,
					    .path = xstrdup(miss->path),
					    .detail = miss->detail ? xstrdup(miss->detail) : NULL});
	}
	if (!answer->path)
		return NULL;
	fd = root_list_open(&module->context->roots, ROOT_OWN, answer->path);
	reason = fd < 0 ? miss_of_errno(errno) : MISS_NONE;
	if (fd >= 0)
		file = elf_file_open(fd, answer->path, &reason);
	if (!file)
		module_miss(module,
			(struct miss){
				.wanted = wanted, .reason = reason, .path = xstrdup(answer->path)});
	return file;
}

/** Asks for the alternate file if there should be one and is not. */
static void go_on_with_alternate(struct unwind_module *module)
{
	uint8_t id[ELF_BUILD_ID_MOST];
	size_t size;

	module->fetch.state = FETCH_DONE;
	if (search_alt_file(module) || !search_alt_id(module, id, &size))
		return;
	module->fetch.state = FETCH_ALTERNATE;
	module->fetch.request =
		debuginfod_request(module->context->options.debuginfod, id, size, module->path);
}

static void begin(struct unwind_module *module)
{
	if (is_enough(module)) {
		go_on_with_alternate(module);
		return;
	}
	module->fetch.state = FETCH_DEBUG_FILE;
	module->fetch.request = debuginfod_request(module->context->options.debuginfod,
		module->identity.build_id, module->identity.build_id_size, module->path);
}

static void take_in(struct unwind_module *module, const struct debuginfod_answer *answer)
{
	struct elf_file *file;

	if (module->fetch.state == FETCH_DEBUG_FILE) {
		file = open_answer(module, answer, MISS_OF_DEBUG_FILE);
		if (file)
			module_set_debug_file(module, file);
		go_on_with_alternate(module);
		return;
	}
	module->fetch.state = FETCH_DONE;
	file = open_answer(module, answer, MISS_OF_ALTERNATE);
	if (file)
		search_take_alt_file(module, file);
}

bool fetch_is_pending(struct unwind_module *module)
{
	struct debuginfod *debuginfod = module->context->options.debuginfod;
	struct debuginfod_answer answer;

	if (!fetch_is_unsettled(module) || module->is_closed)
		return false;
	if (module->fetch.state == FETCH_NEW)
		begin(module);
	while (module->fetch.state != FETCH_DONE) {
		if (!debuginfod_poll(debuginfod, module->fetch.request, &answer))
			return true;
		take_in(module, &answer);
	}
	return false;
}
