// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_ELF_ELF_FILE_H
#define UNWIND_ELF_ELF_FILE_H

/**
 * One open ELF file (program, library, debug file, or an image copied from
 * memory) and the libelf and libdw handles on it. It stays open, so the file may
 * be deleted or replaced meanwhile. Larger files are mapped: what somebody cuts off of
 * them reads as zeroes then (base/file_fault.h).
 */

#include <elfutils/libdw.h>
#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "unwind/elf/elf_headers.h"
#include "unwind/lookup_failure.h"

struct elf_file {
	/** -1 for an image. */
	int fd;
	Elf *elf;
	/** Of an image; owned. */
	void *image;
	size_t image_size;
	/** What was opened, for reports. */
	char *path;
	struct elf_headers headers;
	uint8_t build_id[ELF_BUILD_ID_MAX];
	size_t build_id_size;
	/** Of the file; 0 for an image. */
	dev_t device;
	ino_t inode;
	/** When it was opened. */
	off_t size;
	/** Opened by elf_file_dwarf(); owned. */
	Dwarf *dwarf;
	bool dwarf_tried;
	/** Why there is no DWARF handle: LOOKUP_NONE before it was tried; and a constant text. */
	enum lookup_reason dwarf_reason;
	const char *dwarf_detail;
	/** What @dwarf reads instead of @elf if sections are packed, see dwarf_image.h; owned. */
	Elf *unpacked;
	void *unpacked_image;
	/** Of elf_file_string(); owned. */
	char *strings;
	size_t strings_size;
	bool strings_tried;
};

/**
 * The most bytes that all packed parts of one kind in @file may become. Real ones are packed
 * to a third; who claims much more is after our memory.
 */
static inline uint64_t elf_file_unpacked_max(const struct elf_file *file)
{
	enum { RATIO = 12, SLACK = 1024 * 1024 };

	return (uint64_t)file->size * RATIO + SLACK;
}

/**
 * Takes over @fd, copies @path. NULL if it is not a regular file or not an ELF
 * file for this kind of machine; *@reason_ret then says so.
 */
struct elf_file *elf_file_open(int fd, const char *path, enum lookup_reason *reason_ret);
/** Takes over @image, malloc'ed, with the contents of an ELF file. */
struct elf_file *elf_file_from_image(
	void *image, size_t size, const char *path, enum lookup_reason *reason_ret);
/** NULL is allowed. */
void elf_file_destroy(struct elf_file *file);

/**
 * Copies what a segment of the file has at @address, its own; returns how many of the @size
 * bytes there are.
 */
size_t elf_file_read(const struct elf_file *file, uint64_t address, void *data, size_t size);
/** The section called @name; NULL if there is none or it has no contents in this file. */
Elf_Scn *elf_file_section(const struct elf_file *file, const char *name);
/** The contents of section @name, decompressed, owned by the file; NULL if there are none. */
const Elf_Data *elf_file_section_data(const struct elf_file *file, const char *name);
/** Section @name as its DWARF handle, which was opened, reads it; NULL if there is none. */
const Elf_Data *elf_file_dwarf_data(const struct elf_file *file, const char *name);
/** Whether it has source lines or functions in DWARF. */
bool elf_file_has_dwarf(const struct elf_file *file);
/**
 * The DWARF handle, opened by the first call (which may inflate sections); NULL if none.
 * It may lack the locations of variables if the first call did not ask for them.
 */
Dwarf *elf_file_dwarf(struct elf_file *file, bool with_locations);
/**
 * The string at @offset of .debug_str, of which nothing else is needed: false if that cannot be
 * told without its DWARF handle, else *@ret is the string, which belongs to the file, or NULL.
 */
bool elf_file_string(struct elf_file *file, uint64_t offset, const char **ret);
/** Whether the file was truncated since it was opened: what was read of it may be wrong. */
bool elf_file_is_cut(const struct elf_file *file);
/** Whether @id is its build-id. */
bool elf_file_has_build_id(const struct elf_file *file, const uint8_t *id, size_t size);

#endif
