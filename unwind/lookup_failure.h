// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_LOOKUP_FAILURE_H
#define UNWIND_LOOKUP_FAILURE_H

/**
 * A file that was tried in vain, and why it was not taken. A module keeps what
 * it missed; the report is made of it. To add a reason: a value here, a name
 * and a sentence in lookup_failure.c, a test in tests/.
 */

#include <stdint.h>
#include <stdlib.h>

struct buf;

/** What was looked for. */
enum lookup_target {
	/** The file that is mapped. */
	LOOKUP_OF_FILE,
	/** Its separate debug file. */
	LOOKUP_OF_DEBUG_FILE,
	/** What a debug file shares with others (dwz). */
	LOOKUP_OF_ALTERNATE,
	/** Symbols packed into .gnu_debugdata. */
	LOOKUP_OF_MINI_SYMBOLS,
	/** Units of split DWARF (.dwo, .dwp). */
	LOOKUP_OF_SPLIT,
	/** Something inside an accepted file. */
	LOOKUP_OF_CONTENTS,
};

enum lookup_reason {
	LOOKUP_NONE,
	LOOKUP_ABSENT,
	LOOKUP_FORBIDDEN,
	/** Some other error of the system; the detail is its text. */
	LOOKUP_SYSTEM,
	LOOKUP_NOT_REGULAR,
	LOOKUP_NOT_ELF,
	/** libelf or libdw cannot read it. */
	LOOKUP_DAMAGED,
	/** The detail says which and which it should be; of these it always does. */
	LOOKUP_OTHER_BUILD_ID,
	LOOKUP_NO_BUILD_ID,
	LOOKUP_OTHER_CRC,
	/** No build-id to compare, and device, inode or contents differ. */
	LOOKUP_OTHER_FILE,
	/** A debug link that leads to the module itself. */
	LOOKUP_SAME_FILE,
	/** Accepted, but there is no DWARF or no symbol table in it. */
	LOOKUP_NO_DEBUG_SECTIONS,
	/** Compressed in a way that this build cannot undo; the detail names it. */
	LOOKUP_COMPRESSION,
	LOOKUP_UNPACKS_TO_TOO_MUCH,
	/** Truncated after it was opened. */
	LOOKUP_CUT,
	/** Of a copy from memory. */
	LOOKUP_TOO_BIG,
	LOOKUP_NOT_IN_MEMORY,
	/** A .dwo or .dwp without the wanted unit; the detail is the unit's number. */
	LOOKUP_NO_UNIT,
	/** Of servers. */
	LOOKUP_NOT_ON_SERVER,
	LOOKUP_SERVER_TIMEOUT,
	LOOKUP_SERVER_ERROR,
	LOOKUP_SERVER_SKIPPED,
	LOOKUP_INTERRUPTED,
	LOOKUP_REASONS,
};

struct lookup_failure {
	enum lookup_target wanted;
	enum lookup_reason reason;
	/** What was tried, for people; owned. */
	char *path;
	/** More about the reason; owned, may be NULL. */
	char *detail;
};

void lookup_failure_deinit(struct lookup_failure *failure);
/** The reason for @error, an errno value of open(). */
enum lookup_reason lookup_failure_of_errno(int error);
/** The reason in one word, for JSON: "absent", "other_build_id". */
const char *lookup_failure_name(enum lookup_reason reason);
/** The reason alone, as words that follow a path and a colon. */
const char *lookup_failure_sentence(enum lookup_reason reason);
/** What was wanted, in one word: "file", "debug_file". */
const char *lookup_target_name(enum lookup_target wanted);
/** Appends the reason as words that follow a path and a colon. */
void lookup_failure_describe(struct buf *buf, const struct lookup_failure *failure);
/** "build-id is X and should be Y", allocated; @have_size 0: "has no build-id, should be Y". */
char *lookup_failure_build_id_detail(
	const uint8_t *have, size_t have_size, const uint8_t *want, size_t want_size);

#endif
