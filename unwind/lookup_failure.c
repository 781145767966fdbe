// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/lookup_failure.h"

#include <errno.h>
#include <stdbool.h>

#include "base/alloc.h"
#include "base/buf.h"

struct words {
	const char *name;
	const char *sentence;
};

static const struct words reasons[LOOKUP_REASONS] = {
	[LOOKUP_NONE] = {"none", "taken"},
	[LOOKUP_ABSENT] = {"absent", "does not exist"},
	[LOOKUP_FORBIDDEN] = {"forbidden", "no permission"},
	[LOOKUP_SYSTEM] = {"system", "cannot be opened"},
	[LOOKUP_NOT_REGULAR] = {"not_regular", "not a regular file"},
	[LOOKUP_NOT_ELF] = {"not_elf", "not an ELF file"},
	[LOOKUP_DAMAGED] = {"damaged", "damaged"},
	[LOOKUP_OTHER_BUILD_ID] = {"other_build_id", "another build-id"},
	[LOOKUP_NO_BUILD_ID] = {"no_build_id", "no build-id"},
	[LOOKUP_OTHER_CRC] = {"other_crc", "CRC differs"},
	[LOOKUP_OTHER_FILE] = {"other_file", "another file than the one that is mapped"},
	[LOOKUP_SAME_FILE] = {"same_file", "the module itself"},
	[LOOKUP_NO_DEBUG_SECTIONS] = {"no_debug_sections", "has no debug information"},
	[LOOKUP_COMPRESSION] = {"compression", "compressed sections cannot be read"},
	[LOOKUP_UNPACKS_TO_TOO_MUCH] = {"unpacks_to_too_much", "unpacks to too much"},
	[LOOKUP_CUT] = {"cut", "was truncated while it was read"},
	[LOOKUP_TOO_BIG] = {"too_big", "too big to copy from memory"},
	[LOOKUP_NOT_IN_MEMORY] = {"not_in_memory", "not whole in memory"},
	[LOOKUP_NO_UNIT] = {"no_unit", "does not hold the unit"},
	[LOOKUP_NOT_ON_SERVER] = {"not_on_server", "the server does not have it"},
	[LOOKUP_SERVER_TIMEOUT] = {"server_timeout", "the server did not answer in time"},
	[LOOKUP_SERVER_ERROR] = {"server_error", "the server cannot be asked"},
	[LOOKUP_SERVER_SKIPPED] = {"server_skipped", "not asked"},
	[LOOKUP_INTERRUPTED] = {"interrupted", "interrupted"},
};

void lookup_failure_deinit(struct lookup_failure *failure)
{
	free(failure->path);
	free(failure->detail);
}

enum lookup_reason lookup_failure_of_errno(int error)
{
	switch (error) {
	case ENOENT:
	case ENOTDIR:
		return LOOKUP_ABSENT;
	case EACCES:
	case EPERM:
		return LOOKUP_FORBIDDEN;
	default:
		return LOOKUP_SYSTEM;
	}
}

const char *lookup_failure_name(enum lookup_reason reason)
{
	return reasons[reason].name;
}

const char *lookup_failure_sentence(enum lookup_reason reason)
{
	return reasons[reason].sentence;
}

const char *lookup_target_name(enum lookup_target wanted)
{
	switch (wanted) {
	case LOOKUP_OF_FILE:
		return "file";
	case LOOKUP_OF_DEBUG_FILE:
		return "debug_file";
	case LOOKUP_OF_ALTERNATE:
		return "alternate_file";
	case LOOKUP_OF_MINI_SYMBOLS:
		return "mini_symbols";
	case LOOKUP_OF_SPLIT:
		return "split_units";
	case LOOKUP_OF_CONTENTS:
		return "contents";
	}
	return NULL;
}

// These details are sentences of their own.
static bool detail_is_enough(enum lookup_reason reason)
{
	return reason == LOOKUP_OTHER_BUILD_ID || reason == LOOKUP_NO_BUILD_ID ||
	       reason == LOOKUP_OTHER_CRC || reason == LOOKUP_SYSTEM;
}

void lookup_failure_describe(struct buf *buf, const struct lookup_failure *failure)
{
	if (failure->detail && detail_is_enough(failure->reason)) {
		buf_string(buf, failure->detail);
		return;
	}
	buf_string(buf, reasons[failure->reason].sentence);
	if (failure->detail)
		buf_printf(buf, ": %s", failure->detail);
}

static void append_hex(struct buf *buf, const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		buf_printf(buf, "%02x", bytes[i]);
}

char *lookup_failure_build_id_detail(
	const uint8_t *have, size_t have_size, const uint8_t *want, size_t want_size)
{
	struct buf text = {0};
	char *detail;

	if (have_size) {
		buf_string(&text, "build-id is ");
		append_hex(&text, have, have_size);
		buf_string(&text, " and should be ");
	} else {
		buf_string(&text, "has no build-id, should be ");
	}
	append_hex(&text, want, want_size);
	detail = xstrdup(buf_text(&text));
	buf_deinit(&text);
	return detail;
}
