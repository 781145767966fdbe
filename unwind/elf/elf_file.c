// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/elf/elf_file.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/cleanup.h"
#include "unwind/elf/dwarf_image.h"

/** Larger files are mapped instead of read. */
enum { READ_MAX = 64 * 1024 * 1024 };

static size_t read_file(void *context, uint64_t position, void *data, size_t size)
{
	const int *fd = context;
	size_t done = 0;

	if (position > INT64_MAX - size)
		return 0;
	while (done < size) {
		ssize_t got =
			pread(*fd, (char *)data + done, size - done, (off_t)(position + done));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		done += (size_t)got;
	}
	return done;
}

struct image {
	const uint8_t *data;
	size_t size;
};

static size_t read_image(void *context, uint64_t position, void *data, size_t size)
{
	const struct image *image = context;

	if (position >= image->size)
		return 0;
	if (size > image->size - position)
		size = image->size - (size_t)position;
	memcpy(data, image->data + position, size);
	return size;
}

static void find_build_id(struct elf_file *file)
{
	const void *id;
	ssize_t size = dwelf_elf_gnu_build_id(file->elf, &id);

	if (size > 0 && size <= ELF_BUILD_ID_MAX) {
		memcpy(file->build_id, id, (size_t)size);
		file->build_id_size = (size_t)size;
	}
}

/** Everything but the Elf handle is set; destroys @file if it cannot be used. */
static struct elf_file *check(struct elf_file *file, enum lookup_reason *reason_ret)
{
	if (file->elf && elf_kind(file->elf) == ELF_K_ELF) {
		find_build_id(file);
		return file;
	}
	*reason_ret = LOOKUP_DAMAGED;
	elf_file_destroy(file);
	return NULL;
}

struct elf_file *elf_file_open(int fd, const char *path, enum lookup_reason *reason_ret)
{
	cleanup_close int owned = fd;
	struct elf_headers headers;
	struct elf_file *file;
	struct stat stat;

	if (fstat(fd, &stat)) {
		*reason_ret = LOOKUP_SYSTEM;
		return NULL;
	}
	if (!S_ISREG(stat.st_mode)) {
		*reason_ret = LOOKUP_NOT_REGULAR;
		return NULL;
	}
	if (!elf_headers_read(&headers, read_file, &fd)) {
		*reason_ret = LOOKUP_NOT_ELF;
		return NULL;
	}
	elf_version(EV_CURRENT);
	file = xcalloc(1, sizeof(*file));
	file->fd = take_fd(owned);
	file->path = xstrdup(path);
	file->headers = headers;
	file->device = stat.st_dev;
	file->inode = stat.st_ino;
	file->size = stat.st_size;
	file->elf =
		elf_begin(fd, stat.st_size > READ_MAX ? ELF_C_READ_MMAP_PRIVATE : ELF_C_READ, NULL);
	return check(file, reason_ret);
}

struct elf_file *elf_file_from_image(
	void *image, size_t size, const char *path, enum lookup_reason *reason_ret)
{
	struct image reader = {image, size};
	struct elf_headers headers;
	struct elf_file *file;

	if (!elf_headers_read(&headers, read_image, &reader)) {
		*reason_ret = LOOKUP_NOT_ELF;
		free(image);
		return NULL;
	}
	elf_version(EV_CURRENT);
	file = xcalloc(1, sizeof(*file));
	file->fd = -1;
	file->path = xstrdup(path);
	file->image = image;
	file->size = (off_t)size;
	file->image_size = size;
	file->headers = headers;
	file->elf = elf_memory(image, size);
	return check(file, reason_ret);
}

void elf_file_destroy(struct elf_file *file)
{
	if (!file)
		return;
	if (file->dwarf)
		dwarf_end(file->dwarf);
	if (file->unpacked)
		elf_end(file->unpacked);
	free(file->unpacked_image);
	free(file->strings);
	if (file->elf)
		elf_end(file->elf);
	if (file->fd >= 0)
		close(file->fd);
	elf_headers_deinit(&file->headers);
	free(file->image);
	free(file->path);
	free(file);
}

size_t elf_file_read(const struct elf_file *file, uint64_t address, void *data, size_t size)
{
	struct image image = {file->image, file->image_size};

	for (size_t i = 0; i < file->headers.count; i++) {
		const struct elf_segment *segment = &file->headers.segments[i];
		uint64_t into = address - segment->vaddr;
		int fd = file->fd;

		if (segment->type != PT_LOAD || into >= segment->file_size)
			continue;
		if (size > segment->file_size - into)
			size = (size_t)(segment->file_size - into);
		return file->image ? read_image(&image, segment->offset + into, data, size)
				   : read_file(&fd, segment->offset + into, data, size);
	}
	return 0;
}

static Elf_Scn *find_section(Elf *elf, const char *name)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return NULL;
	while ((section = elf_nextscn(elf, section))) {
		const char *section_name;
		GElf_Shdr header;

		if (!gelf_getshdr(section, &header) || header.sh_type == SHT_NOBITS)
			continue;
		section_name = elf_strptr(elf, names, header.sh_name);
		if (section_name && !strcmp(section_name, name))
			return section;
	}
	return NULL;
}

/** @section may be NULL; of one that unpacks to more than @most there is no data. */
static const Elf_Data *section_data(Elf_Scn *section, uint64_t most)
{
	const Elf_Data *data;
	GElf_Shdr header;
	GElf_Chdr packed;

	if (!section || !gelf_getshdr(section, &header))
		return NULL;
	if (header.sh_flags & SHF_COMPRESSED &&
		(!gelf_getchdr(section, &packed) || packed.ch_size > most ||
			elf_compress(section, 0, 0) < 0))
		return NULL;
	data = elf_getdata(section, NULL);
	return data && data->d_buf ? data : NULL;
}

Elf_Scn *elf_file_section(const struct elf_file *file, const char *name)
{
	return find_section(file->elf, name);
}

const Elf_Data *elf_file_section_data(const struct elf_file *file, const char *name)
{
	return section_data(find_section(file->elf, name), elf_file_unpacked_max(file));
}

bool elf_file_has_dwarf(const struct elf_file *file)
{
	return elf_file_section(file, ".debug_info") || elf_file_section(file, ".zdebug_info") ||
	       elf_file_section(file, ".debug_line");
}

/** libdw 0.188 looks for the end of a string beyond the end of its section. */
static bool has_sound_strings(Elf *elf, uint64_t most)
{
	static const char *const names[] = {".debug_str", ".debug_line_str"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const Elf_Data *data = section_data(find_section(elf, names[i]), most);

		if (data && data->d_size && ((const char *)data->d_buf)[data->d_size - 1])
			return false;
	}
	return true;
}

/** The handle to read debug sections from: the file's own, or a copy that can be read. */
static Elf *debug_elf(struct elf_file *file, bool with_locations)
{
	size_t size;

	switch (dwarf_image_create(
		file, with_locations, &file->unpacked_image, &size, &file->dwarf_detail)) {
	case DWARF_IMAGE_NOT_NEEDED:
		return file->elf;
	case DWARF_IMAGE_IMPOSSIBLE:
		file->dwarf_reason = LOOKUP_COMPRESSION;
		return NULL;
	case DWARF_IMAGE_TOO_MUCH:
		file->dwarf_reason = LOOKUP_UNPACKS_TO_TOO_MUCH;
		return NULL;
	case DWARF_IMAGE_MADE:
		file->unpacked = elf_memory(file->unpacked_image, size);
		return file->unpacked;
	}
	return NULL;
}

Dwarf *elf_file_dwarf(struct elf_file *file, bool with_locations)
{
	Elf *elf;

	if (file->dwarf_tried)
		return file->dwarf;
	file->dwarf_tried = true;
	elf = debug_elf(file, with_locations);
	if (!elf)
		return NULL;
	file->dwarf_reason = LOOKUP_DAMAGED;
	file->dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	if (!file->dwarf)
		file->dwarf_detail = dwarf_errmsg(-1);
	if (file->dwarf && !has_sound_strings(elf, elf_file_unpacked_max(file))) {
		file->dwarf_detail = "its strings have no end";
		dwarf_end(file->dwarf);
		file->dwarf = NULL;
	}
	return file->dwarf;
}

const Elf_Data *elf_file_dwarf_data(const struct elf_file *file, const char *name)
{
	return section_data(find_section(file->unpacked ? file->unpacked : file->elf, name),
		elf_file_unpacked_max(file));
}

bool elf_file_string(struct elf_file *file, uint64_t offset, const char **ret)
{
	// What is unpacked already need not be unpacked twice.
	if (file->dwarf_tried)
		return false;
	if (!file->strings_tried) {
		file->strings_tried = true;
		file->strings = dwarf_image_strings(file, &file->strings_size);
	}
	*ret = offset < file->strings_size ? file->strings + offset : NULL;
	return file->strings;
}

bool elf_file_is_cut(const struct elf_file *file)
{
	struct stat stat;

	return file->fd >= 0 && !fstat(file->fd, &stat) && stat.st_size < file->size;
}

bool elf_file_has_build_id(const struct elf_file *file, const uint8_t *id, size_t size)
{
	return size && file->build_id_size == size && !memcmp(file->build_id, id, size);
}
