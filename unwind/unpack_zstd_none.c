// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/inflate.h"

#include <gelf.h>

/** The value that the ELF specification gives to ELFCOMPRESS_ZSTD. */
enum { TYPE_ZSTD = 2 };

/** Instead of inflate.c where libzstd is missing; libelf may be able to do it. */
bool inflate_is_needed(Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	GElf_Chdr chdr;

	while ((section = elf_nextscn(elf, section))) {
		if (gelf_getshdr(section, &header) && header.sh_flags & SHF_COMPRESSED &&
			gelf_getchdr(section, &chdr) && chdr.ch_type == TYPE_ZSTD)
			return elf_compress(section, 0, 0) < 0;
	}
	return false;
}

int inflate_debug_sections(Elf *elf, const char **detail_ret)
{
	(void)elf;
	*detail_ret = "zstd, which this build and its libelf cannot inflate";
	return -1;
}
