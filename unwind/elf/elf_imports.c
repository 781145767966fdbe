// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/elf_imports.h"

#include <gelf.h>
#include <libelf.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/regular_file.h"

static bool section_imports(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, const char *name)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t count = data && header->sh_entsize ? data->d_size / header->sh_entsize : 0;
	GElf_Sym symbol;

	for (size_t i = 0; i < count && gelf_getsym(data, (int)i, &symbol); i++) {
		const char *found = elf_strptr(elf, header->sh_link, symbol.st_name);

		if (symbol.st_shndx == SHN_UNDEF && found && strcmp(found, name) == 0)
			return true;
	}
	return false;
}

bool elf_imports(const char *path, const char *name)
{
	cleanup_close int fd = regular_file_open(path);
	Elf *elf;
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	bool ret = false;

	if (fd < 0 || elf_version(EV_CURRENT) == EV_NONE)
		return false;
	elf = elf_begin(fd, ELF_C_READ, NULL);
	while (elf && !ret && (section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_DYNSYM)
			ret = section_imports(elf, section, &header, name);
	elf_end(elf);
	return ret;
}
