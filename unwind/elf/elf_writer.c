// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/elf/elf_writer.h"

#include <gelf.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"

void elf_writer_deinit(struct elf_writer *writer)
{
	array_deinit(&writer->sections);
}

void elf_writer_add(
	struct elf_writer *writer, const char *name, const void *data, size_t size, uint64_t flags)
{
	*array_add(&writer->sections) = (struct elf_writer_section){name, data, size, flags};
}

static bool add_section(Elf *elf, const struct elf_writer_section *section, GElf_Shdr *header)
{
	Elf_Scn *scn = elf_newscn(elf);
	Elf_Data *data = scn ? elf_newdata(scn) : NULL;
	GElf_Shdr created;

	if (!data || !gelf_getshdr(scn, &created))
		return false;
	data->d_buf = (void *)(uintptr_t)section->data;
	data->d_size = section->size;
	data->d_type = ELF_T_BYTE;
	data->d_align = 1;
	created.sh_name = header->sh_name;
	created.sh_type = header->sh_type;
	created.sh_flags = section->flags;
	created.sh_addralign = section->flags & SHF_COMPRESSED ? 8 : 1;
	return gelf_update_shdr(scn, &created);
}

static bool add_all(struct elf_writer *writer, Elf *elf, struct buf *names)
{
	GElf_Shdr header = {.sh_type = SHT_PROGBITS};
	struct elf_writer_section strings = {.name = ".shstrtab"};

	buf_char(names, '\0');
	array_for_each (section, &writer->sections) {
		header.sh_name = (GElf_Word)names->length;
		buf_bytes(names, section->name, strlen(section->name) + 1);
		if (!add_section(elf, section, &header))
			return false;
	}
	header.sh_name = (GElf_Word)names->length;
	header.sh_type = SHT_STRTAB;
	buf_bytes(names, strings.name, strlen(strings.name) + 1);
	strings.data = names->data;
	strings.size = names->length;
	return add_section(elf, &strings, &header);
}

static bool write_file(struct elf_writer *writer, int fd, Elf *like)
{
	Elf *elf = elf_begin(fd, ELF_C_WRITE, NULL);
	GElf_Ehdr header, from;
	struct buf names = {0};
	bool ok = elf && gelf_getehdr(like, &from) && gelf_newehdr(elf, gelf_getclass(like)) &&
		  gelf_getehdr(elf, &header);

	if (ok) {
		header.e_ident[EI_DATA] = from.e_ident[EI_DATA];
		header.e_machine = from.e_machine;
		header.e_type = ET_EXEC;
		header.e_version = EV_CURRENT;
		header.e_shstrndx = (GElf_Half)(writer->sections.count + 1);
		ok = gelf_update_ehdr(elf, &header) && add_all(writer, elf, &names) &&
		     elf_update(elf, ELF_C_WRITE) >= 0;
	}
	if (elf)
		elf_end(elf);
	buf_deinit(&names);
	return ok;
}

int elf_writer_finish(struct elf_writer *writer, Elf *like)
{
	cleanup_close int fd = memfd_create("tracer-debug", MFD_CLOEXEC);

	if (fd < 0 || !write_file(writer, fd, like))
		return -1;
	return take_fd(fd);
}
