// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/elf/dwarf_image.h"

#include <elf.h>
#include <endian.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/bits.h"
#include "base/cleanup.h"
#include "unwind/elf/elf_file.h"
#include "unwind/elf/unpack.h"

enum {
	/** Of ELF headers and of section contents. */
	ALIGNMENT = 16,
	/** Behind the ELF header. */
	FIRST_PLACE = 64,
	/** Real sections are packed to a tenth; who claims much more is after our memory. */
	RATIO_MAX = 128,
	RATIO_SLACK = 4096,
	/** Larger files, if they are not packed, are not copied. */
	COPIED_MAX = 64 * 1024 * 1024,
	/** ".zdebug" sections: "ZLIB" and the size in big-endian. */
	OLD_HEADER = 12,
	/** Free bytes behind each section, so that strings end. */
	TAIL = 8,
	SECTIONS_MAX = 65536,
	/** ELFCOMPRESS_ZSTD, which elf.h of glibc 2.36 does not have. */
	TYPE_ZSTD = 2,
	HUGE_PAGE = 2 * 1024 * 1024,
};

/** All sections of an image. */
static const uint64_t image_most = UINT64_C(4) << 30;

/** Macros and the indexes of split files are left out. */
static const char *const wanted[] = {
	".debug_abbrev",
	".debug_addr",
	".debug_aranges",
	".debug_frame",
	".debug_info",
	".debug_line",
	".debug_line_str",
	".debug_loc",
	".debug_loclists",
	".debug_ranges",
	".debug_rnglists",
	".debug_str",
	".debug_str_offsets",
	".debug_types",
	".gnu_debugaltlink",
};

enum packing {
	PACKING_NONE,
	PACKING_ZLIB,
	PACKING_ZSTD,
};

struct part {
	/** As in the image. */
	const char *name;
	GElf_Shdr header;
	enum packing packing;
	/** Of the packed bytes in the file. */
	uint64_t offset, size;
	uint64_t unpacked_size;
	/** Place in the image. */
	uint64_t place;
};

struct maker {
	const struct elf_file *file;
	/** Of a file that is in memory only; else NULL. */
	const char *bytes;
	uint64_t file_size;
	GElf_Ehdr header;
	ARRAY(struct part) parts;
	bool has_packed, with_locations;
	/** The one section to take; NULL: all that are wanted. */
	const char *only;
	/** A section packed with zstd, or NULL. */
	Elf_Scn *zstd;
	/** What is wrong with a section that nothing can be read without, or NULL. */
	const char *damage;
	uint64_t size;
	/** What it may be at most, and that it would be more. */
	uint64_t most;
	bool is_too_much;
};

static const char *wanted_name(const char *name)
{
	// .zdebug_info is the old spelling of a packed .debug_info.
	bool is_old = !strncmp(name, ".zdebug_", strlen(".zdebug_"));

	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		if (!strcmp(is_old ? name + 2 : name + 1, wanted[i] + 1))
			return wanted[i];
	}
	return NULL;
}

/** Of the file's bytes, all of which must be there. */
static bool read_at(const struct maker *maker, uint64_t offset, void *data, size_t size)
{
	size_t done = 0;

	if (maker->bytes) {
		memcpy(data, maker->bytes + offset, size);
		return true;
	}
	while (done < size) {
		ssize_t got = pread(
			maker->file->fd, (char *)data + done, size - done, (off_t)(offset + done));

		if (got <= 0)
			return false;
		done += (size_t)got;
	}
	return true;
}

static bool read_old_header(const struct maker *maker, struct part *part)
{
	unsigned char header[OLD_HEADER];
	uint64_t size;

	if (part->size < sizeof(header) || !read_at(maker, part->offset, header, sizeof(header)) ||
		memcmp(header, "ZLIB", 4))
		return false;
	memcpy(&size, header + 4, sizeof(size));
	part->packing = PACKING_ZLIB;
	part->unpacked_size = be64toh(size);
	part->offset += sizeof(header);
	part->size -= sizeof(header);
	return true;
}

/** gelf_getchdr() would read the whole section. */
static bool read_header(struct maker *maker, Elf_Scn *section, struct part *part)
{
	bool is_64 = maker->header.e_ident[EI_CLASS] == ELFCLASS64;
	size_t size = is_64 ? sizeof(Elf64_Chdr) : sizeof(Elf32_Chdr);
	union {
		Elf64_Chdr large;
		Elf32_Chdr small;
	} header;
	uint32_t type;

	if (part->size < size || !read_at(maker, part->offset, &header, size))
		return false;
	type = is_64 ? header.large.ch_type : header.small.ch_type;
	part->packing = type == ELFCOMPRESS_ZLIB ? PACKING_ZLIB : PACKING_ZSTD;
	part->unpacked_size = is_64 ? header.large.ch_size : header.small.ch_size;
	part->offset += size;
	part->size -= size;
	if (type == TYPE_ZSTD)
		maker->zstd = section;
	return type == ELFCOMPRESS_ZLIB || (type == TYPE_ZSTD && unpack_has_zstd());
}

/** Whether the size that a section claims to have can be true. */
static bool is_plausible(const struct maker *maker, const struct part *part)
{
	if (part->unpacked_size > image_most - maker->size)
		return false;
	if (part->packing == PACKING_NONE)
		return part->unpacked_size == part->size;
	return part->unpacked_size / RATIO_MAX <= part->size + RATIO_SLACK;
}

static bool find_packing(struct maker *maker, Elf_Scn *section, const char *name, struct part *part)
{
	if (part->header.sh_flags & SHF_COMPRESSED)
		return read_header(maker, section, part);
	return name[1] != 'z' || read_old_header(maker, part);
}

/** Only the first section of a name counts: thousands may share one range of the file. */
static bool is_known(const struct maker *maker, const char *name)
{
	array_for_each (part, &maker->parts) {
		if (!strcmp(part->name, name))
			return true;
	}
	return false;
}

/** A section that makes no sense is left out. */
static void add_part(struct maker *maker, Elf_Scn *section, const char *name)
{
	struct part part = {.name = wanted_name(name)};

	if (!part.name || (!maker->with_locations && !strncmp(part.name, ".debug_loc", 10)) ||
		(maker->only && strcmp(part.name, maker->only)) || is_known(maker, part.name))
		return;
	if (!gelf_getshdr(section, &part.header) || part.header.sh_type == SHT_NOBITS)
		return;
	part.offset = part.header.sh_offset;
	part.size = part.unpacked_size = part.header.sh_size;
	if (part.offset > maker->file_size || part.size > maker->file_size - part.offset ||
		!find_packing(maker, section, name, &part))
		return;
	maker->is_too_much |= part.unpacked_size > maker->most || maker->size > maker->most;
	if (maker->is_too_much || !is_plausible(maker, &part))
		return;
	maker->has_packed |= part.packing != PACKING_NONE;
	part.place = maker->size;
	maker->size = align_up(maker->size + part.unpacked_size + TAIL, ALIGNMENT);
	*array_add(&maker->parts) = part;
}

static bool find_size(struct maker *maker)
{
	struct stat stat;
	size_t size;

	if (maker->file->fd < 0) {
		maker->bytes = elf_rawfile(maker->file->elf, &size);
		maker->file_size = size;
		return maker->bytes;
	}
	if (fstat(maker->file->fd, &stat))
		return false;
	maker->file_size = (uint64_t)stat.st_size;
	return true;
}

/** False: the file is as good as an image. */
static bool collect(struct maker *maker)
{
	Elf *elf = maker->file->elf;
	Elf_Scn *section = NULL;
	size_t names, count = 0;

	if (!gelf_getehdr(elf, &maker->header) || elf_getshdrstrndx(elf, &names) ||
		!find_size(maker))
		return false;
	maker->size = FIRST_PLACE;
	maker->most = elf_file_unpacked_max(maker->file);
	while ((section = elf_nextscn(elf, section)) && count++ < SECTIONS_MAX) {
		GElf_Shdr header;
		const char *name;

		if (!gelf_getshdr(section, &header))
			continue;
		name = elf_strptr(elf, names, header.sh_name);
		if (name && name[0] == '.')
			add_part(maker, section, name);
	}
	return maker->has_packed || maker->file_size <= COPIED_MAX;
}

/** @packed has room for the packed bytes. */
static bool unpack(const struct maker *maker, const struct part *part, void *packed, uint8_t *image)
{
	uint8_t *to = image + part->place;

	if (part->packing == PACKING_NONE)
		return read_at(maker, part->offset, to, part->size);
	if (!read_at(maker, part->offset, packed, part->size))
		return false;
	return part->packing == PACKING_ZLIB
		       ? unpack_zlib(packed, part->size, to, part->unpacked_size)
		       : unpack_zstd(packed, part->size, to, part->unpacked_size);
}

/** Section header number @index of the image. */
static void put_header(struct maker *maker, uint8_t *table, size_t index, const GElf_Shdr *header)
{
	if (maker->header.e_ident[EI_CLASS] == ELFCLASS64) {
		memcpy(table + index * sizeof(Elf64_Shdr), header, sizeof(Elf64_Shdr));
	} else {
		Elf32_Shdr small = {
			.sh_name = header->sh_name,
			.sh_type = header->sh_type,
			.sh_flags = (Elf32_Word)header->sh_flags,
			.sh_offset = (Elf32_Off)header->sh_offset,
			.sh_size = (Elf32_Word)header->sh_size,
			.sh_addralign = (Elf32_Word)header->sh_addralign,
		};

		memcpy(table + index * sizeof(small), &small, sizeof(small));
	}
}

static void put_elf_header(struct maker *maker, uint8_t *image, uint64_t table, size_t count)
{
	const GElf_Ehdr *from = &maker->header;

	if (from->e_ident[EI_CLASS] == ELFCLASS64) {
		Elf64_Ehdr header = {.e_type = from->e_type,
			.e_machine = from->e_machine,
			.e_version = EV_CURRENT,
			.e_shoff = table,
			.e_ehsize = sizeof(header),
			.e_shentsize = sizeof(Elf64_Shdr),
			.e_shnum = (Elf64_Half)count,
			.e_shstrndx = (Elf64_Half)(count - 1)};

		memcpy(header.e_ident, from->e_ident, EI_NIDENT);
		memcpy(image, &header, sizeof(header));
	} else {
		Elf32_Ehdr header = {.e_type = from->e_type,
			.e_machine = from->e_machine,
			.e_version = EV_CURRENT,
			.e_shoff = (Elf32_Off)table,
			.e_ehsize = sizeof(header),
			.e_shentsize = sizeof(Elf32_Shdr),
			.e_shnum = (Elf32_Half)count,
			.e_shstrndx = (Elf32_Half)(count - 1)};

		memcpy(header.e_ident, from->e_ident, EI_NIDENT);
		memcpy(image, &header, sizeof(header));
	}
}

/** All but the sections' contents; the names and the table of sections come last. */
static void put_headers(struct maker *maker, uint8_t *image, uint64_t names_place)
{
	size_t count = maker->parts.count + 2;
	uint64_t names_size = 1, table;
	GElf_Shdr header;

	array_for_each (part, &maker->parts)
		names_size += strlen(part->name) + 1;
	table = align_up(names_place + names_size, ALIGNMENT);
	put_elf_header(maker, image, table, count);
	names_size = 1;
	for (size_t i = 0; i < maker->parts.count; i++) {
		const struct part *part = &maker->parts.data[i];

		header = (GElf_Shdr){
			.sh_name = (Elf64_Word)names_size,
			.sh_type = part->header.sh_type,
			.sh_offset = part->place,
			// Strings at the end of a damaged section end there.
			.sh_size = part->unpacked_size + !!strstr(part->name, "_str"),
			.sh_addralign = 1,
		};
		put_header(maker, image + table, i + 1, &header);
		strcpy((char *)image + names_place + names_size, part->name);
		names_size += strlen(part->name) + 1;
	}
	header = (GElf_Shdr){
		.sh_type = SHT_STRTAB,
		.sh_offset = names_place,
		.sh_size = names_size,
		.sh_addralign = 1,
	};
	put_header(maker, image + table, count - 1, &header);
}

/** Uninitialised; most of it is written once and read once, so page faults are a cost. */
static uint8_t *allocate(uint64_t size)
{
	uint8_t *image;

	if (size < HUGE_PAGE)
		return xmalloc(size);
	size = align_up(size, HUGE_PAGE);
	image = aligned_alloc(HUGE_PAGE, size);
	if (!image)
		return NULL;
	madvise(image, size, MADV_HUGEPAGE);
	return image;
}

/** Room for the packed bytes of any section. */
static void *allocate_packed(const struct maker *maker)
{
	size_t most = 1;

	array_for_each (part, &maker->parts) {
		if (part->size > most && part->packing != PACKING_NONE)
			most = part->size;
	}
	return xmalloc(most);
}

/** Without these nothing is found; without others only some of it is lost. */
static void note_damage(struct maker *maker, const struct part *part)
{
	if (strcmp(part->name, ".debug_info") && strcmp(part->name, ".debug_abbrev"))
		return;
	maker->damage = part->packing == PACKING_ZSTD ? "zstd, and the packed data is damaged"
						      : "zlib, and the packed data is damaged";
}

static void *make(struct maker *maker, size_t *size_ret)
{
	uint64_t names_place = maker->size, names_most = 64 * maker->parts.count;
	uint64_t size = names_place + names_most + (maker->parts.count + 3) * sizeof(Elf64_Shdr);
	cleanup_free uint8_t *image = NULL;
	cleanup_free void *packed = NULL;

	// Section headers of small files cannot say where it would be.
	if (maker->header.e_ident[EI_CLASS] != ELFCLASS64 && size > UINT32_MAX)
		return NULL;
	image = allocate(size);
	if (!image)
		return NULL;
	packed = allocate_packed(maker);
	memset(image, 0, FIRST_PLACE);
	array_for_each (part, &maker->parts) {
		uint64_t end = part->place + part->unpacked_size;

		if (!unpack(maker, part, packed, image)) {
			note_damage(maker, part);
			part->unpacked_size = 0;
			end = part->place;
		}
		memset(image + end, 0, TAIL);
	}
	memset(image + names_place, 0, size - names_place);
	put_headers(maker, image, names_place);
	*size_ret = (size_t)size;
	return take_ptr(image);
}

enum dwarf_image_result dwarf_image_create(const struct elf_file *file, bool with_locations,
	void **image_ret, size_t *size_ret, const char **detail_ret)
{
	struct maker maker = {.file = file, .with_locations = with_locations};
	void *image = NULL;

	if (collect(&maker) && !maker.is_too_much)
		image = make(&maker, size_ret);
	array_deinit(&maker.parts);
	if (maker.is_too_much) {
		*detail_ret = "more than 12 times the file's size";
		return DWARF_IMAGE_TOO_MUCH;
	}
	if (maker.damage) {
		free(image);
		*detail_ret = maker.damage;
		return DWARF_IMAGE_IMPOSSIBLE;
	}
	if (maker.zstd && !unpack_has_zstd() && elf_compress(maker.zstd, 0, 0) < 0) {
		free(image);
		*detail_ret = "zstd, which this build and its libelf cannot inflate";
		return DWARF_IMAGE_IMPOSSIBLE;
	}
	if (maker.zstd && !unpack_has_zstd()) {
		free(image);
		return DWARF_IMAGE_NOT_NEEDED;
	}
	if (image) {
		*image_ret = image;
		return DWARF_IMAGE_MADE;
	}
	return DWARF_IMAGE_NOT_NEEDED;
}

char *dwarf_image_strings(const struct elf_file *file, size_t *size_ret)
{
	struct maker maker = {.file = file, .only = ".debug_str"};
	cleanup_free uint8_t *strings = NULL;
	bool is_done = false;

	// Of several sections libdw decides.
	if (collect(&maker) && maker.parts.count == 1 && !maker.is_too_much) {
		struct part *part = maker.parts.data;
		cleanup_free void *packed = allocate_packed(&maker);

		part->place = 0;
		*size_ret = part->unpacked_size;
		strings = allocate(part->unpacked_size + TAIL);
		is_done = strings && unpack(&maker, part, packed, strings);
		if (is_done)
			memset(strings + *size_ret, 0, TAIL);
	}
	array_deinit(&maker.parts);
	return is_done ? (char *)take_ptr(strings) : NULL;
}
