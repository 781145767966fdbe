// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_CACHE_CACHE_FOLDER_H
#define UNWIND_CACHE_CACHE_FOLDER_H

/**
 * A folder of small files that outlive the run. Only what nobody else could have
 * written is read: folder and files must be ours and writable for nobody else. A
 * file appears whole or not at all, so several tracers may share the folder. Old files
 * go when there are too many. It does not know what is in the files.
 */

#include <stddef.h>
#include <stdint.h>

enum {
	/** Bytes of one file. */
	CACHE_FILE_MAX = 4 * 1024 * 1024,
};

/** Opens @path/tracer and makes it if it is missing; -1 if there is none to be trusted. */
int cache_folder_open(const char *path);
/** The contents of file @name, allocated; NULL if there is none to be trusted. */
uint8_t *cache_folder_read(int folder, const char *name, size_t *size_ret);
/** Replaces file @name. Failure (a full disk) is not worth a word. */
void cache_folder_write(int folder, const char *name, const void *data, size_t size);
/** Removes the files not used for longest until the rest is no more than @most bytes. */
void cache_folder_prune(int folder, uint64_t most);

#endif
