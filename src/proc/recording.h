// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_PROC_RECORDING_H
#define SRC_PROC_RECORDING_H

/**
 * A system call written down as text, with all its decoder may ask for and what is
 * to come of it: the cases of tests/record (the format is described there). It
 * knows neither calls nor ABIs; they are words to it.
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "proc/view_recorded.h"

struct error;

enum {
	RECORDING_ARGS = 6,
};

/** Bytes that the call stores. */
struct recording_change {
	taddr address;
	unsigned char *data;
	size_t size;
};

/** All texts are owned; those that were not given are NULL. */
struct recording {
	/** Line of its first word. */
	unsigned line;
	/** Name or number. */
	char *call;
	/** NULL: that of this program. */
	char *abi;
	uint64_t args[RECORDING_ARGS];
	struct view_recorded task;
	/** Memory that is stored between entry and exit. */
	ARRAY(struct recording_change) changes;

	bool has_result;
	int64_t result;

	bool verbose;
	bool fd_paths;
	size_t string_limit;

	/** What is shown at entry; of the whole call. */
	char *entry;
	char *text;
	char *json;
};

/**
 * The next recording in @file; *@line counts its lines. *@ret is NULL at the end.
 * The caller destroys it.
 */
struct error *recording_read(FILE *file, unsigned *line, struct recording **ret);
/** NULL is allowed. */
void recording_destroy(struct recording *recording);
/** Applies what the call stores. */
void recording_return(struct recording *recording);

#endif
