// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/describe/download.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/alloc.h"
#include "unwind/debuginfo/search.h"
#include "unwind/debuginfod.h"
#include "unwind/elf/elf_file.h"
#include "unwind/module/context.h"
#include "unwind/module/module.h"
#include "unwind/unwind.h"

bool download_is_unsettled(const struct unwind_module *module)
{
	return module->context->options.debuginfod && module->files.download != DOWNLOAD_DONE;
}

static bool is_enough(struct unwind_module *module)
{
	if (!module->files.identity.build_id_size || !strcmp(module->files.path, "[vdso]"))
		return true;
	if (module->context->options.no_lines && module->files.file &&
		!module->files.file_is_image && elf_file_section(module->files.file, ".symtab"))
		return true;
	return search_dwarf_file(&module->files);
}

/** A file from a server, which the worker has checked; NULL with a failure. */
static struct elf_file *open_answer(struct unwind_module *module,
	const struct debuginfod_answer *answer, enum lookup_target wanted)
{
	struct elf_file *file = NULL;
	enum lookup_reason reason;
	int fd;

	for (size_t i = 0; i < answer->failure_count; i++) {
		const struct lookup_failure *failure = &answer->failures[i];

		debug_files_add_failure(&module->files,
			(struct lookup_failure){.wanted = wanted,
				.reason = failure->reason,
				.path = xstrdup(failure->path),
				.detail = failure->detail ? xstrdup(failure->detail) : NULL});
	}
	if (!answer->path)
		return NULL;
	fd = root_list_open(&module->context->search.roots, ROOT_OWN, answer->path);
	reason = fd < 0 ? lookup_failure_of_errno(errno) : LOOKUP_NONE;
	if (fd >= 0)
		file = elf_file_open(fd, answer->path, &reason);
	if (!file)
		debug_files_add_failure(&module->files,
			(struct lookup_failure){
				.wanted = wanted, .reason = reason, .path = xstrdup(answer->path)});
	return file;
}

/** Asks for the alternate file if there should be one and is not. */
static void go_on_with_alternate(struct unwind_module *module)
{
	uint8_t id[ELF_BUILD_ID_MAX];
	size_t size;

	module->files.download = DOWNLOAD_DONE;
	if (search_alt_file(&module->files) || !search_alt_id(&module->files, id, &size))
		return;
	module->files.download = DOWNLOAD_ALTERNATE;
	module->files.request = debuginfod_request(
		module->context->options.debuginfod, id, size, module->files.path);
}

static void begin(struct unwind_module *module)
{
	if (is_enough(module)) {
		go_on_with_alternate(module);
		return;
	}
	module->files.download = DOWNLOAD_DEBUG_FILE;
	module->files.request = debuginfod_request(module->context->options.debuginfod,
		module->files.identity.build_id, module->files.identity.build_id_size,
		module->files.path);
}

static void take_in(struct unwind_module *module, const struct debuginfod_answer *answer)
{
	struct elf_file *file;

	if (module->files.download == DOWNLOAD_DEBUG_FILE) {
		file = open_answer(module, answer, LOOKUP_OF_DEBUG_FILE);
		if (file)
			module_set_debug_file(module, file);
		go_on_with_alternate(module);
		return;
	}
	module->files.download = DOWNLOAD_DONE;
	file = open_answer(module, answer, LOOKUP_OF_ALTERNATE);
	if (file)
		search_take_alt_file(&module->files, file);
}

bool download_is_pending(struct unwind_module *module)
{
	struct debuginfod *debuginfod = module->context->options.debuginfod;
	struct debuginfod_answer answer;

	if (!download_is_unsettled(module) || module->is_closed)
		return false;
	if (module->files.download == DOWNLOAD_NEW)
		begin(module);
	while (module->files.download != DOWNLOAD_DONE) {
		if (!debuginfod_poll(debuginfod, module->files.request, &answer))
			return true;
		take_in(module, &answer);
	}
	return false;
}
