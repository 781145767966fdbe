// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/debuginfo/debug_files.h"

#include <string.h>

#include "base/alloc.h"
#include "unwind/elf/elf_file.h"
#include "unwind/unwind.h"

void debug_search_init(struct debug_search *search, const struct unwind_options *options)
{
	*search = (struct debug_search){.options = options};
	search->sysroot = root_list_add(&search->roots, options->sysroot);
}

void debug_search_deinit(struct debug_search *search)
{
	struct hash_entry *entry;
	size_t position = 0;

	while ((entry = hash_next(&search->alt_files, &position)))
		elf_file_destroy(entry->value);
	hash_deinit(&search->alt_files);
	root_list_deinit(&search->roots);
}

void debug_files_set_debug_file(struct debug_files *files, struct elf_file *file)
{
	elf_file_destroy(files->debug_file);
	files->debug_file = file;
	files->debug_file_tried = file;
	files->alt_file = NULL;
	files->alt_file_tried = false;
	files->alt_is_known = false;
}

void debug_files_close(struct debug_files *files)
{
	debug_files_note_cuts(files);
	debug_files_set_debug_file(files, NULL);
	elf_file_destroy(files->split_package);
	files->split_package = NULL;
	files->split_package_tried = false;
	elf_file_destroy(files->mini_file);
	files->mini_file = NULL;
	files->mini_file_tried = false;
	elf_file_destroy(files->file);
	files->file = NULL;
}

void debug_files_deinit(struct debug_files *files)
{
	debug_files_close(files);
	array_for_each (failure, &files->failures)
		lookup_failure_deinit(failure);
	array_deinit(&files->failures);
}

void debug_files_add_failure(struct debug_files *files, struct lookup_failure failure)
{
	bool is_known = false;

	// Files are looked for again after they were closed, and for each process.
	array_for_each (known, &files->failures)
		is_known |= known->wanted == failure.wanted && known->reason == failure.reason &&
			    !strcmp(known->path, failure.path);
	if (is_known || files->failures.count == DEBUG_FILES_FAILURES_MAX)
		lookup_failure_deinit(&failure);
	else
		*array_add(&files->failures) = failure;
}

void debug_files_note_cuts(struct debug_files *files)
{
	const struct elf_file *all[] = {
		files->file, files->debug_file, files->alt_file, files->split_package};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		if (all[i] && elf_file_is_cut(all[i]))
			debug_files_add_failure(
				files, (struct lookup_failure){.wanted = LOOKUP_OF_CONTENTS,
					       .reason = LOOKUP_CUT,
					       .path = xstrdup(all[i]->path)});
	}
}
