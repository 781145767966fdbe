// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_LOOKUP_FAILURE_H
#define UNWIND_LOOKUP_FAILURE_H

/**
 * A file that was tried in vain, and why it was not taken. A module keeps what
 * it missed; the report is made of it. To add a reason: a value here, a name
 * and a sentence in miss.c, a test in tests/.
 */

#include <stdint.h>
#include <stdlib.h>

struct buf;

/** What was looked for. */
enum miss_wanted {
	/** The file that is mapped. */
	MISS_OF_FILE,
	/** Its separate debug file. */
	MISS_OF_DEBUG_FILE,
	/** What a debug file shares with others (dwz). */
	MISS_OF_ALTERNATE,
	/** Symbols packed into .gnu_debugdata. */
	MISS_OF_MINI_SYMBOLS,
	/** Units of split DWARF (.dwo, .dwp). */
	MISS_OF_SPLIT,
	/** Something inside an accepted file. */
	MISS_OF_CONTENTS,
};

enum miss_reason {
	MISS_NONE,
	MISS_ABSENT,
	MISS_FORBIDDEN,
	/** Some other error of the system; the detail is its text. */
	MISS_SYSTEM,
	MISS_NOT_REGULAR,
	MISS_NOT_ELF,
	/** libelf or libdw cannot read it. */
	MISS_DAMAGED,
	/** The detail says which and which it should be; of these it always does. */
	MISS_OTHER_BUILD_ID,
	MISS_NO_BUILD_ID,
	MISS_OTHER_CRC,
	/** No build-id to compare, and device, inode or contents differ. */
	MISS_OTHER_FILE,
	/** A debug link that leads to the module itself. */
	MISS_SAME_FILE,
	/** Accepted, but there is no DWARF or no symbol table in it. */
	MISS_NO_DEBUG_SECTIONS,
	/** Compressed in a way that this build cannot undo; the detail names it. */
	MISS_COMPRESSION,
	MISS_UNPACKS_TO_TOO_MUCH,
	/** Of a copy from memory. */
	MISS_TOO_BIG,
	MISS_NOT_IN_MEMORY,
	/** A .dwo or .dwp without the wanted unit; the detail is the unit's number. */
	MISS_NO_UNIT,
	/** Of servers. */
	MISS_NOT_ON_SERVER,
	MISS_SERVER_TIMEOUT,
	MISS_SERVER_ERROR,
	MISS_SERVER_SKIPPED,
	MISS_INTERRUPTED,
	MISS_REASONS,
};

struct miss {
	enum miss_wanted wanted;
	enum miss_reason reason;
	/** What was tried, for people; owned. */
	char *path;
	/** More about the reason; owned, may be NULL. */
	char *detail;
};

void miss_deinit(struct miss *miss);
/** The reason for @error, an errno value of open(). */
enum miss_reason miss_of_errno(int error);
/** The reason in one word, for JSON: "absent", "other_build_id". */
const char *miss_name(enum miss_reason reason);
/** The reason alone, as words that follow a path and a colon. */
const char *miss_sentence(enum miss_reason reason);
/** What was wanted, in one word: "file", "debug_file". */
const char *miss_wanted_name(enum miss_wanted wanted);
/** Appends the reason as words that follow a path and a colon. */
void miss_describe(struct buf *buf, const struct miss *miss);
/** "build-id is X and should be Y", allocated; @have_size 0: "has no build-id, should be Y". */
char *miss_build_id_detail(
	const uint8_t *have, size_t have_size, const uint8_t *want, size_t want_size);

#endif
