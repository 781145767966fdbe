// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_DEBUGINFO_DEBUG_FILES_H
#define UNWIND_DEBUGINFO_DEBUG_FILES_H

/**
 * The files that are about one program or library: itself, its separate debug file, what that
 * shares with others (dwz), split DWARF, packed symbols; and what was tried in vain. search.h
 * fills them in when they are needed. Internal.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "base/hash.h"
#include "unwind/debuginfo/root.h"
#include "unwind/elf/elf_headers.h"
#include "unwind/lookup_failure.h"

struct elf_file;
struct unwind_options;

enum {
	/** Failures that are kept of one program or library. */
	DEBUG_FILES_FAILURES_MAX = 256,
};

/** What all searches of the run share. */
struct debug_search {
	/** Of the context. */
	const struct unwind_options *options;
	struct root_list roots;
	/** The root of --sysroot, or ROOT_OWN. */
	int sysroot;
	/** Files shared by debug files (dwz), by hash of their build-id; owned. */
	struct hash alt_files;
};

/** By what a program or library is recognised. */
struct file_identity {
	uint8_t build_id[ELF_BUILD_ID_MAX];
	/** 0: the other fields count. */
	size_t build_id_size;
	uint64_t device;
	uint64_t inode;
	/** Hash of the first page in memory. */
	uint64_t fingerprint;
};

enum download_state {
	DOWNLOAD_NEW,
	/** The debug file, or what that shares with others, was asked for. */
	DOWNLOAD_DEBUG_FILE,
	DOWNLOAD_ALTERNATE,
	DOWNLOAD_DONE,
};

struct debug_files {
	struct debug_search *search;
	struct file_identity identity;
	/** As the process spells it; belongs to the context. */
	const char *path;
	/** The root of a process that uses it, see root.h, and how the path is spelled in there. */
	int root;
	const char *inside;
	/** The file itself or, if it cannot be had, a copy from memory; NULL if neither. */
	struct elf_file *file;
	/** @file is a copy because the file could not be had. */
	bool file_is_image;

	/** Separate debug file; only valid after search_debug_file(). */
	struct elf_file *debug_file;
	bool debug_file_tried;
	/** How far servers were asked, and the number of the request under way. */
	enum download_state download;
	size_t request;
	/** What it shares with others (dwz); belongs to @search, see search_alt_file(). */
	struct elf_file *alt_file;
	bool alt_file_tried;
	/** libdw knows the DWARF of @alt_file. */
	bool alt_is_known;
	/** Split DWARF of all units in one file; owned. */
	struct elf_file *split_package;
	bool split_package_tried;
	/** That the rest of a unit is missing was noted. */
	bool split_missed;
	/** Symbols from .gnu_debugdata. */
	struct elf_file *mini_file;
	bool mini_file_tried;

	/** In the order of trying, none twice. */
	ARRAY(struct lookup_failure) failures;
};

/** @options must outlive @search. */
void debug_search_init(struct debug_search *search, const struct unwind_options *options);
void debug_search_deinit(struct debug_search *search);

/** Takes over @file as the separate debug file, NULL: it is searched for again when needed. */
void debug_files_set_debug_file(struct debug_files *files, struct elf_file *file);
/** Closes all files, which can be opened again; what was tried in vain stays known. */
void debug_files_close(struct debug_files *files);
/** Closes all files and forgets what was tried in vain. */
void debug_files_deinit(struct debug_files *files);
/** Remembers which of the open files were truncated after they were opened. */
void debug_files_note_cuts(struct debug_files *files);
/** Remembers @failure, whose strings are taken over. */
void debug_files_add_failure(struct debug_files *files, struct lookup_failure failure);

#endif
