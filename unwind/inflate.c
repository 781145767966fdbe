// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/inflate.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/alloc.h"
#include "unwind/elf_writer.h"

enum {
	/** The value that the ELF specification gives to ELFCOMPRESS_ZSTD. */
	TYPE_ZSTD = 2,
	/** More is no debug section but an attack. */
	INFLATED_MOST = 0x7fffffff,
};

/** An inflated file under construction. */
struct inflater {
	Elf *elf;
	size_t names;
	struct elf_writer writer;
	ARRAY(void *) buffers;
};

static bool is_zstd(Elf_Scn *section)
{
	GElf_Shdr header;
	GElf_Chdr chdr;

	return gelf_getshdr(section, &header) && header.sh_flags & SHF_COMPRESSED &&
	       gelf_getchdr(section, &chdr) && chdr.ch_type == TYPE_ZSTD;
}

bool inflate_is_needed(Elf *elf)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(elf, section))) {
		if (is_zstd(section))
			return true;
	}
	return false;
}

static bool add_zstd(struct inflater *inflater, Elf_Scn *section, const char *name)
{
	size_t header_size = gelf_getclass(inflater->elf) == ELFCLASS64 ? sizeof(Elf64_Chdr)
									: sizeof(Elf32_Chdr);
	const Elf_Data *data = elf_rawdata(section, NULL);
	GElf_Chdr header;
	void *inflated;

	if (!data || !data->d_buf || data->d_size < header_size ||
		!gelf_getchdr(section, &header) || header.ch_size > INFLATED_MOST)
		return false;
	inflated = xmalloc(header.ch_size ? header.ch_size : 1);
	*array_add(&inflater->buffers) = inflated;
	elf_writer_add(&inflater->writer, name, inflated, header.ch_size, 0);
	return ZSTD_decompress(inflated, header.ch_size, (const char *)data->d_buf + header_size,
		       data->d_size - header_size) == header.ch_size;
}

static bool add_section(struct inflater *inflater, Elf_Scn *section)
{
	const Elf_Data *data;
	const char *name;
	GElf_Shdr header;

	if (!gelf_getshdr(section, &header) || header.sh_type == SHT_NOBITS)
		return true;
	name = elf_strptr(inflater->elf, inflater->names, header.sh_name);
	if (!name ||
		(strncmp(name, ".debug_", 7) != 0 && strncmp(name, ".gnu_debugaltlink", 17) != 0))
		return true;
	if (is_zstd(section))
		return add_zstd(inflater, section, name);
	data = elf_rawdata(section, NULL);
	if (data && data->d_buf)
		elf_writer_add(&inflater->writer, name, data->d_buf, data->d_size,
			header.sh_flags & SHF_COMPRESSED);
	return true;
}

int inflate_debug_sections(Elf *elf, const char **detail_ret)
{
	struct inflater inflater = {.elf = elf};
	Elf_Scn *section = NULL;
	bool ok = !elf_getshdrstrndx(elf, &inflater.names);
	int fd = -1;

	while (ok && (section = elf_nextscn(elf, section)))
		ok = add_section(&inflater, section);
	if (ok)
		fd = elf_writer_finish(&inflater.writer, elf);
	if (fd < 0)
		*detail_ret = ok ? "zstd, no memory for the contents" : "zstd, damaged";
	array_for_each (buffer, &inflater.buffers)
		free(*buffer);
	array_deinit(&inflater.buffers);
	elf_writer_deinit(&inflater.writer);
	return fd;
}
