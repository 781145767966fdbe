// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_DEBUGINFO_TEXT_FILE_H
#define UNWIND_DEBUGINFO_TEXT_FILE_H

/** Reads a file of text line by line, without copying. */

#include <stdbool.h>
#include <stddef.h>

struct text_file {
	char *data;
	size_t size;
	size_t position;
};

/**
 * Below the directory @root, out of which no link leads; "" is ours. False if @path is no regular
 * file that can be read.
 */
bool text_file_open(struct text_file *file, const char *root, const char *path);
void text_file_close(struct text_file *file);
/** The next line without its newline, not NUL-terminated; false at the end. */
bool text_file_line(struct text_file *file, const char **line_ret, size_t *size_ret);

#endif
