// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "output/report.h"

#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "output/json.h"
#include "output/json_write.h"
#include "output/quote.h"
#include "unwind/report.h"

static void put_plain(struct buf *buf, const char *text)
{
	quote_plain(buf, text, strlen(text));
}

static void put_part(struct buf *buf, const struct diagnosis *diagnosis, const char *name,
	const struct diagnosis_part *part)
{
	buf_printf(buf, "  %-10s", name);
	if (!part->section) {
		buf_string(buf, "none\n");
		return;
	}
	buf_string(buf, part->section);
	if (diagnosis->from_memory)
		buf_string(buf, " in its memory");
	else if (diagnosis->opened && strcmp(part->file, diagnosis->opened) != 0) {
		buf_string(buf, " of ");
		put_plain(buf, part->file);
	}
	if (part->limit)
		buf_printf(buf, " (%s)", part->limit);
	buf_char(buf, '\n');
}

static const char *heading(enum lookup_target wanted)
{
	switch (wanted) {
	case LOOKUP_OF_FILE:
		return "the file itself, tried:";
	case LOOKUP_OF_DEBUG_FILE:
		return "its debug file, tried:";
	case LOOKUP_OF_ALTERNATE:
		return "the alternate file of its debug file, tried:";
	case LOOKUP_OF_MINI_SYMBOLS:
		return "symbols packed into it:";
	case LOOKUP_OF_SPLIT:
		return "the rest of its debug information (split DWARF), tried:";
	case LOOKUP_OF_CONTENTS:
		return "what could not be used:";
	}
	return NULL;
}

static void put_failures(struct buf *buf, const struct diagnosis *diagnosis)
{
	for (int wanted = LOOKUP_OF_FILE; wanted <= LOOKUP_OF_CONTENTS; wanted++) {
		bool is_first = true;

		for (size_t i = 0; i < diagnosis->failure_count; i++) {
			const struct lookup_failure *failure = diagnosis->failures[i];

			if ((int)failure->wanted != wanted)
				continue;
			if (is_first)
				buf_printf(buf, "  %s\n", heading(failure->wanted));
			is_first = false;
			buf_string(buf, "    ");
			put_plain(buf, failure->path);
			buf_string(buf, ": ");
			lookup_failure_describe(buf, failure);
			buf_char(buf, '\n');
		}
	}
}

static void put_module(struct buf *buf, const struct diagnosis *diagnosis)
{
	put_plain(buf, diagnosis->path);
	if (diagnosis->from_memory)
		buf_string(buf, " (read from memory, because the file could not be had)");
	buf_string(buf, "\n  build-id  ");
	for (size_t i = 0; i < diagnosis->build_id_size; i++)
		buf_printf(buf, "%02x", diagnosis->build_id[i]);
	buf_string(buf, diagnosis->build_id_size ? "\n" : "none\n");
	put_part(buf, diagnosis, "unwinding", &diagnosis->unwinding);
	put_part(buf, diagnosis, "names", &diagnosis->names);
	put_part(buf, diagnosis, "lines", &diagnosis->lines);
	if (diagnosis->shown)
		buf_printf(buf,
			"  frames    %" PRIu64 " shown, %" PRIu64 " without a name, %" PRIu64
			" without a line\n",
			diagnosis->shown, diagnosis->unnamed, diagnosis->lineless);
	put_failures(buf, diagnosis);
	for (size_t i = 0; i < diagnosis->hint_count; i++) {
		buf_string(buf, i ? "           " : "  to do:   ");
		put_plain(buf, diagnosis->hints[i]);
		buf_char(buf, '\n');
	}
}

void report_text(struct buf *buf, const struct diagnosis_list *list)
{
	array_for_each (item, &list->items)
		put_module(buf, item);
}

static void json_member(struct buf *buf, const char *key, const char *text)
{
	if (text)
		json_bytes_member(buf, key, text, strlen(text));
}

static void json_part(struct buf *buf, const char *key, const struct diagnosis_part *part)
{
	json_key(buf, key);
	if (!part->section) {
		json_null(buf);
		return;
	}
	json_open(buf, '{');
	json_member(buf, "section", part->section);
	json_member(buf, "file", part->file);
	json_member(buf, "limit", part->limit);
	json_close(buf, '}');
}

static void json_failures(struct buf *buf, const struct diagnosis *diagnosis)
{
	json_key(buf, "tried");
	json_open(buf, '[');
	for (size_t i = 0; i < diagnosis->failure_count; i++) {
		const struct lookup_failure *failure = diagnosis->failures[i];
		struct buf text = {0};

		lookup_failure_describe(&text, failure);
		json_open(buf, '{');
		json_member(buf, "for", lookup_target_name(failure->wanted));
		json_member(buf, "path", failure->path);
		json_member(buf, "reason", lookup_failure_name(failure->reason));
		json_member(buf, "text", buf_text(&text));
		json_close(buf, '}');
		buf_deinit(&text);
	}
	json_close(buf, ']');
}

static void json_count(struct buf *buf, const char *key, uint64_t count)
{
	json_key(buf, key);
	json_unsigned(buf, count);
}

static void json_module(struct buf *buf, const struct diagnosis *diagnosis)
{
	json_open(buf, '{');
	json_count(buf, "version", JSON_VERSION);
	json_member(buf, "kind", "module");
	json_member(buf, "module", diagnosis->path);
	if (diagnosis->build_id_size) {
		json_key(buf, "build_id");
		json_hex(buf, diagnosis->build_id, diagnosis->build_id_size);
	}
	json_member(buf, "opened", diagnosis->opened);
	json_key(buf, "from_memory");
	json_bool(buf, diagnosis->from_memory);
	json_part(buf, "unwinding", &diagnosis->unwinding);
	json_part(buf, "names", &diagnosis->names);
	json_part(buf, "lines", &diagnosis->lines);
	json_count(buf, "frames", diagnosis->shown);
	json_count(buf, "frames_without_name", diagnosis->unnamed);
	json_count(buf, "frames_without_line", diagnosis->lineless);
	json_failures(buf, diagnosis);
	json_key(buf, "advice");
	json_open(buf, '[');
	for (size_t i = 0; i < diagnosis->hint_count; i++)
		json_text(buf, diagnosis->hints[i]);
	json_close(buf, ']');
	json_close(buf, '}');
	// The comma that json_close() leaves for a next element.
	buf->length--;
	buf_char(buf, '\n');
}

void report_json(struct buf *buf, const struct diagnosis_list *list)
{
	array_for_each (item, &list->items)
		json_module(buf, item);
}
