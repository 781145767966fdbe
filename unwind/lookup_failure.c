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

static const struct words reasons[MISS_REASONS] = {
	[MISS_NONE] = {"none", "taken"},
	[MISS_ABSENT] = {"absent", "does not exist"},
	[MISS_FORBIDDEN] = {"forbidden", "no permission"},
	[MISS_SYSTEM] = {"system", "cannot be opened"},
	[MISS_NOT_REGULAR] = {"not_regular", "not a regular file"},
	[MISS_NOT_ELF] = {"not_elf", "not an ELF file"},
	[MISS_DAMAGED] = {"damaged", "damaged"},
	[MISS_OTHER_BUILD_ID] = {"other_build_id", "another build-id"},
	[MISS_NO_BUILD_ID] = {"no_build_id", "no build-id"},
	[MISS_OTHER_CRC] = {"other_crc", "CRC differs"},
	[MISS_OTHER_FILE] = {"other_file", "another file than the one that is mapped"},
	[MISS_SAME_FILE] = {"same_file", "the module itself"},
	[MISS_NO_DEBUG_SECTIONS] = {"no_debug_sections", "has no debug information"},
	[MISS_COMPRESSION] = {"compression", "compressed sections cannot be read"},
	[MISS_UNPACKS_TO_TOO_MUCH] = {"unpacks_to_too_much", "unpacks to too much"},
	[MISS_TOO_BIG] = {"too_big", "too big to copy from memory"},
	[MISS_NOT_IN_MEMORY] = {"not_in_memory", "not whole in memory"},
	[MISS_NO_UNIT] = {"no_unit", "does not hold the unit"},
	[MISS_NOT_ON_SERVER] = {"not_on_server", "the server does not have it"},
	[MISS_SERVER_TIMEOUT] = {"server_timeout", "the server did not answer in time"},
	[MISS_SERVER_ERROR] = {"server_error", "the server cannot be asked"},
	[MISS_SERVER_SKIPPED] = {"server_skipped", "not asked"},
	[MISS_INTERRUPTED] = {"interrupted", "interrupted"},
};

void miss_deinit(struct miss *miss)
{
	free(miss->path);
	free(miss->detail);
}

enum miss_reason miss_of_errno(int error)
{
	switch (error) {
	case ENOENT:
	case ENOTDIR:
		return MISS_ABSENT;
	case EACCES:
	case EPERM:
		return MISS_FORBIDDEN;
	default:
		return MISS_SYSTEM;
	}
}

const char *miss_name(enum miss_reason reason)
{
	return reasons[reason].name;
}

const char *miss_sentence(enum miss_reason reason)
{
	return reasons[reason].sentence;
}

const char *miss_wanted_name(enum miss_wanted wanted)
{
	switch (wanted) {
	case MISS_OF_FILE:
		return "file";
	case MISS_OF_DEBUG_FILE:
		return "debug_file";
	case MISS_OF_ALTERNATE:
		return "alternate_file";
	case MISS_OF_MINI_SYMBOLS:
		return "mini_symbols";
	case MISS_OF_SPLIT:
		return "split_units";
	case MISS_OF_CONTENTS:
		return "contents";
	}
	return NULL;
}

// These details are sentences of their own.
static bool detail_is_enough(enum miss_reason reason)
{
	return reason == MISS_OTHER_BUILD_ID || reason == MISS_NO_BUILD_ID ||
	       reason == MISS_OTHER_CRC || reason == MISS_SYSTEM;
}

void miss_describe(struct buf *buf, const struct miss *miss)
{
	if (miss->detail && detail_is_enough(miss->reason)) {
		buf_string(buf, miss->detail);
		return;
	}
	buf_string(buf, reasons[miss->reason].sentence);
	if (miss->detail)
		buf_printf(buf, ": %s", miss->detail);
}

static void append_hex(struct buf *buf, const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		buf_printf(buf, "%02x", bytes[i]);
}

char *miss_build_id_detail(
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
