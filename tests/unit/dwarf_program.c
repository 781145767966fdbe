// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "dwarf_program.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "unit.h"

void dwarf_program_each(void (*fn)(const char *path))
{
	const char *list = getenv("DWARF_OF");
	cleanup_free char *paths = xstrdup(list ? list : "");
	char *rest = paths;
	const char *path;

	if (!*paths) {
		print_message("DWARF_OF names no programs\n");
		skip();
	}
	while ((path = strsep(&rest, ":")))
		fn(path);
}

struct elf_file *dwarf_program_open(const char *path)
{
	enum lookup_reason reason = LOOKUP_NONE;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct elf_file *file = fd < 0 ? NULL : elf_file_open(fd, path, &reason);

	assert_non_null(file);
	assert_non_null(elf_file_dwarf(file, /* with_locations= */ false));
	return file;
}

struct dwarf_bytes dwarf_program_section(const struct elf_file *file, const char *name)
{
	const Elf_Data *data = elf_file_dwarf_data(file, name);
	const uint8_t *start = data ? data->d_buf : NULL;

	return (struct dwarf_bytes){.at = start, .end = start ? start + data->d_size : NULL};
}
