// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_CLI_COMPLAIN_H
#define SRC_CLI_COMPLAIN_H

/** What goes wrong before or instead of tracing, told to a person. */

struct error;

/** Prints @error (and where to read more, for a wrong command line) and frees it; returns 1. */
int complain(struct error *error);
int complain_usage(struct error *error);

#endif
