// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_TRACE_COMMAND_H
#define SRC_TRACE_COMMAND_H

/** The program behind a command's first word. */

struct error;

/** The path of @name, looked up in PATH if it has no slash, allocated. */
struct error *command_find(const char *name, char **ret);

#endif
