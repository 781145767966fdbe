// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_OUTPUT_SINK_H
#define SRC_OUTPUT_SINK_H

/**
 * Where text goes: standard error, a file or a command. Buffered; the owner flushes it
 * whenever nothing else is waiting. When the reader goes away (EPIPE) or the disk
 * is full, the sink remembers it and swallows the rest; sink_error() tells.
 */

#include <stdbool.h>
#include <stddef.h>

struct error;
struct sink;

/**
 * Opens (creates, truncates; appends if @append) @path. NULL: standard error; `|COMMAND` or
 * `!COMMAND`: the standard input of that shell command.
 */
struct error *sink_open(const char *path, bool append, struct sink **ret);
/** For messages: standard error, or NULL if that is where @sink goes already. Caller closes. */
struct sink *sink_beside(const struct sink *sink);
/** Flushes, closes, and waits for the command to end; NULL is allowed. */
void sink_close(struct sink *sink);
void sink_write(struct sink *sink, const void *data, size_t length);
void sink_flush(struct sink *sink);
/** Whether written bytes wait for a flush. */
bool sink_pending(const struct sink *sink);
/** Whether what was written last left a line open. */
bool sink_in_line(const struct sink *sink);
/** Whether it writes to standard error, as against a file. */
bool sink_is_stderr(const struct sink *sink);
/** The path it was opened with, or words for standard error. */
const char *sink_name(const struct sink *sink);
/** The errno of the first write that failed, or 0. */
int sink_error(const struct sink *sink);

#endif
