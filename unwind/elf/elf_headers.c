// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/elf/elf_headers.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bits.h"
#include "base/cleanup.h"

enum {
	PAGE = 4096,
	NOTES_MAX = 64 * 1024,
};

bool elf_headers_match(const uint8_t *data, size_t size)
{
	return size >= EI_NIDENT && !memcmp(data, ELFMAG, SELFMAG) &&
	       data[EI_DATA] == ELFDATA2LSB &&
	       (data[EI_CLASS] == ELFCLASS64 || data[EI_CLASS] == ELFCLASS32);
}

/** The fields of both classes that we use. */
struct header {
	uint64_t phoff;
	uint16_t phnum;
	uint16_t phentsize;
};

static bool read_header(
	struct elf_headers *ret, struct header *header, elf_read_fn *read, void *context)
{
	union {
		uint8_t bytes[sizeof(Elf64_Ehdr)];
		Elf64_Ehdr elf64;
		Elf32_Ehdr elf32;
	} raw;
	size_t size = read(context, 0, &raw, sizeof(raw));

	if (size < sizeof(Elf32_Ehdr) || !elf_headers_match(raw.bytes, size))
		return false;
	ret->is_64 = raw.bytes[EI_CLASS] == ELFCLASS64;
	if (!ret->is_64) {
		ret->machine = raw.elf32.e_machine;
		ret->type = raw.elf32.e_type;
		ret->entry = raw.elf32.e_entry;
		*header = (struct header){
			raw.elf32.e_phoff, raw.elf32.e_phnum, raw.elf32.e_phentsize};
		return !header->phnum || header->phentsize == sizeof(Elf32_Phdr);
	}
	if (size < sizeof(Elf64_Ehdr))
		return false;
	ret->machine = raw.elf64.e_machine;
	ret->type = raw.elf64.e_type;
	ret->entry = raw.elf64.e_entry;
	*header = (struct header){raw.elf64.e_phoff, raw.elf64.e_phnum, raw.elf64.e_phentsize};
	return !header->phnum || header->phentsize == sizeof(Elf64_Phdr);
}

static void decode_segment(struct elf_segment *segment, const uint8_t *raw, bool is_64)
{
	if (is_64) {
		Elf64_Phdr phdr;

		memcpy(&phdr, raw, sizeof(phdr));
		*segment = (struct elf_segment){phdr.p_type, phdr.p_flags, phdr.p_offset,
			phdr.p_vaddr, phdr.p_filesz, phdr.p_memsz};
	} else {
		Elf32_Phdr phdr;

		memcpy(&phdr, raw, sizeof(phdr));
		*segment = (struct elf_segment){phdr.p_type, phdr.p_flags, phdr.p_offset,
			phdr.p_vaddr, phdr.p_filesz, phdr.p_memsz};
	}
}

bool elf_headers_read(struct elf_headers *ret, elf_read_fn *read, void *context)
{
	struct elf_headers headers = {0};
	cleanup_free uint8_t *raw = NULL;
	struct header header;
	size_t size;

	// Files of debug information alone have no program headers.
	if (!read_header(&headers, &header, read, context))
		return false;
	headers.count = header.phnum;
	if (headers.count > ELF_HEADERS_SEGMENTS_MAX)
		headers.count = ELF_HEADERS_SEGMENTS_MAX;
	size = headers.count * header.phentsize;
	raw = xmalloc(size ? size : 1);
	if (size && read(context, header.phoff, raw, size) != size)
		return false;
	headers.extent = header.phoff + size;
	headers.segments = xcalloc(headers.count, sizeof(*headers.segments));
	for (size_t i = 0; i < headers.count; i++)
		decode_segment(&headers.segments[i], raw + i * header.phentsize, headers.is_64);
	*ret = headers;
	return true;
}

void elf_headers_deinit(struct elf_headers *headers)
{
	free(headers->segments);
	*headers = (struct elf_headers){0};
}

bool elf_headers_bias(const struct elf_headers *headers, uint64_t offset, taddr address,
	uint32_t flags, uint64_t *bias_ret)
{
	bool is_found = false;

	for (size_t i = 0; i < headers->count; i++) {
		const struct elf_segment *segment = &headers->segments[i];
		// The kernel maps whole pages.
		uint64_t start = segment->offset & ~(uint64_t)(PAGE - 1);

		if (segment->type != PT_LOAD || offset < start ||
			offset - start >= segment->file_size + (segment->offset - start))
			continue;
		if (is_found && (segment->flags & flags) != flags)
			continue;
		*bias_ret = address - offset + segment->offset - segment->vaddr;
		is_found = true;
		if ((segment->flags & flags) == flags)
			break;
	}
	return is_found;
}

size_t elf_notes_build_id(
	const uint8_t *notes, size_t size, size_t alignment, uint8_t ret[ELF_BUILD_ID_MAX])
{
	size_t position = 0;

	// Both classes have the same note header.
	while (size - position >= sizeof(Elf64_Nhdr)) {
		uint64_t name, description, next;
		Elf64_Nhdr note;

		memcpy(&note, notes + position, sizeof(note));
		name = position + sizeof(note);
		description = align_up(name + note.n_namesz, alignment);
		next = align_up(description + note.n_descsz, alignment);
		if (description + note.n_descsz > size)
			return 0;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof(ELF_NOTE_GNU) &&
			!memcmp(notes + name, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) &&
			note.n_descsz && note.n_descsz <= ELF_BUILD_ID_MAX) {
			memcpy(ret, notes + description, note.n_descsz);
			return note.n_descsz;
		}
		if (next > size)
			return 0;
		position = (size_t)next;
	}
	return 0;
}

size_t elf_headers_build_id(const struct elf_headers *headers, uint64_t bias, elf_read_fn *read,
	void *context, uint8_t ret[ELF_BUILD_ID_MAX])
{
	for (size_t i = 0; i < headers->count; i++) {
		const struct elf_segment *segment = &headers->segments[i];
		cleanup_free uint8_t *notes = NULL;
		size_t size, id_size;

		if (segment->type != PT_NOTE || !segment->file_size)
			continue;
		size = segment->file_size < NOTES_MAX ? (size_t)segment->file_size : NOTES_MAX;
		notes = xmalloc(size);
		size = read(context, segment->vaddr + bias, notes, size);
		// p_align does not tell: linkers put 4-aligned notes into 8-aligned segments.
		id_size = elf_notes_build_id(notes, size, 4, ret);
		if (!id_size)
			id_size = elf_notes_build_id(notes, size, 8, ret);
		if (id_size)
			return id_size;
	}
	return 0;
}
