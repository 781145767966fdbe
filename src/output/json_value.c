// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/bits.h"
#include "base/buf.h"
#include "decode/value.h"
#include "output/json_value.h"
#include "output/json_write.h"

enum {
	/** Deeper values come from hostile data only; the stack must not run out. */
	DEPTH_MAX = 64,
};

static void put_value(struct buf *buf, const struct value *value, unsigned depth);

static void put_number(struct buf *buf, const struct value *value)
{
	bool is_id = value->role == ROLE_UID || value->role == ROLE_GID;
	unsigned size = value->size ? value->size : 8;

	if (value->radix == RADIX_SIGNED && value->kind != VALUE_ADDRESS)
		json_signed(buf, (int64_t)value->number);
	else if (is_id && zero_extend(value->number, size) == zero_extend(UINT64_MAX, size))
		json_signed(buf, -1);
	else
		json_unsigned(buf, zero_extend(value->number, size));
}

static bool has_member_called_value(const struct value *value)
{
	value_for_each (child, value) {
		if (child->label && !strcmp(child->label, "value"))
			return true;
	}
	return false;
}

// Whether put_properties() writes anything, or the bare value would look as if it had.
static bool has_properties(const struct value *value)
{
	if (value->notes || value->late || value->truncated || value->inverted ||
		value->incomplete || value->unreadable)
		return true;
	switch (value->kind) {
	case VALUE_NUMBER:
	case VALUE_ADDRESS:
	case VALUE_ARRAY:
	case VALUE_BITSET:
		return false;
	case VALUE_NAMED:
		return value->name;
	case VALUE_FLAGS:
		return value->first;
	case VALUE_BYTES:
		return value->name || !json_is_utf8(value->bytes, value->length);
	case VALUE_STRUCT:
		return has_member_called_value(value);
	case VALUE_CALL:
	case VALUE_CHANGE:
	case VALUE_NONE:
		return true;
	case VALUE_REF:
		return value->first && has_properties(value->first);
	}
	return true;
}

static void put_struct(struct buf *buf, const struct value *value, unsigned depth)
{
	unsigned position = 0;

	json_open(buf, '{');
	value_for_each (child, value) {
		char number[16];
		const char *key = child->label;

		if (!key && child->kind == VALUE_CALL)
			key = child->name;
		if (!key) {
			snprintf(number, sizeof(number), "#%u", position);
			key = number;
		}
		json_key(buf, key);
		put_value(buf, child, depth);
		position++;
	}
	json_close(buf, '}');
}

static void put_elements(struct buf *buf, const struct value *value, unsigned depth)
{
	json_open(buf, '[');
	value_for_each (child, value)
		put_value(buf, child, depth);
	json_close(buf, ']');
}

// Names where there are some, else numbers.
static void put_names(struct buf *buf, const struct value *value)
{
	json_open(buf, '[');
	value_for_each (child, value) {
		// A name that text shows as nothing (no flag beside the parts).
		if (child->name && !child->name[0])
			continue;
		if (child->name)
			json_text(buf, child->name);
		else
			put_number(buf, child);
	}
	json_close(buf, ']');
}

static const struct value *change_after(const struct value *value)
{
	return value->first ? value->first->next : NULL;
}

// The value alone; what else is known is put_properties().
static void put_main(struct buf *buf, const struct value *value, unsigned depth)
{
	const struct value *inner = NULL;

	switch (depth < DEPTH_MAX ? value->kind : VALUE_NONE) {
	case VALUE_NUMBER:
	case VALUE_NAMED:
	case VALUE_FLAGS:
		put_number(buf, value);
		return;
	case VALUE_ADDRESS:
		if (value->number)
			put_number(buf, value);
		else
			json_null(buf);
		return;
	case VALUE_BYTES:
		json_string(buf, value->bytes, value->length);
		return;
	case VALUE_STRUCT:
		put_struct(buf, value, depth + 1);
		return;
	case VALUE_ARRAY:
		put_elements(buf, value, depth + 1);
		return;
	case VALUE_BITSET:
		put_names(buf, value);
		return;
	case VALUE_CALL:
		if (value->first && !value->first->next)
			put_value(buf, value->first, depth + 1);
		else
			put_elements(buf, value, depth + 1);
		return;
	case VALUE_CHANGE:
		inner = change_after(value);
		break;
	case VALUE_REF:
		inner = value->first;
		break;
	case VALUE_NONE:
		break;
	}
	if (inner)
		put_main(buf, inner, depth + 1);
	else
		json_null(buf);
}

static void put_flag(struct buf *buf, const char *key, bool value)
{
	if (!value)
		return;
	json_key(buf, key);
	json_bool(buf, true);
}

static void put_detail(
	struct buf *buf, const char *key, const struct value_note *note, unsigned depth)
{
	json_key(buf, key);
	put_value(buf, note->detail, depth + 1);
}

static void put_notes(struct buf *buf, const struct value *value, unsigned depth)
{
	for (const struct value_note *note = value->notes; note; note = note->next) {
		switch (note->kind) {
		case NOTE_PATH:
			json_bytes_member(buf, "path", note->bytes, note->length);
			break;
		case NOTE_DELETED:
			put_flag(buf, "deleted", true);
			break;
		case NOTE_DEVICE:
			put_detail(buf, "device", note, depth);
			break;
		case NOTE_SOCKET:
			put_detail(buf, "socket", note, depth);
			break;
		case NOTE_PIDFD:
			put_detail(buf, "pid", note, depth);
			break;
		case NOTE_EVENTFD:
			put_detail(buf, "eventfd", note, depth);
			break;
		case NOTE_SIGNALFD:
			put_detail(buf, "signalfd", note, depth);
			break;
		case NOTE_COMM:
			json_bytes_member(buf, "comm", note->bytes, note->length);
			break;
		case NOTE_COMMENT:
			json_bytes_member(buf, "comment", note->bytes, note->length);
			break;
		}
	}
}

static void put_names_member(struct buf *buf, const struct value *value)
{
	if (!value->first)
		return;
	json_key(buf, "symbols");
	put_names(buf, value);
}

static void put_bytes_members(struct buf *buf, const struct value *value)
{
	if (value->name) {
		json_key(buf, "prefix");
		json_text(buf, value->name);
	}
	if (json_is_utf8(value->bytes, value->length))
		return;
	json_key(buf, "value_hex");
	json_hex(buf, value->bytes, value->length);
}

static void put_properties(struct buf *buf, const struct value *value, unsigned depth)
{
	if (depth >= DEPTH_MAX)
		return;
	switch (value->kind) {
	case VALUE_NAMED:
		if (value->name) {
			json_key(buf, "symbol");
			json_text(buf, value->name);
		}
		break;
	case VALUE_FLAGS:
		put_names_member(buf, value);
		break;
	case VALUE_BYTES:
		put_bytes_members(buf, value);
		break;
	case VALUE_CALL:
		json_key(buf, "call");
		json_text(buf, value->name ? value->name : "");
		break;
	case VALUE_CHANGE:
		if (change_after(value)) {
			put_properties(buf, change_after(value), depth + 1);
			json_key(buf, "before");
			put_value(buf, value->first, depth + 1);
		}
		break;
	case VALUE_REF:
		if (value->first)
			put_properties(buf, value->first, depth + 1);
		break;
	case VALUE_NONE:
		put_flag(buf, "unknown", true);
		break;
	case VALUE_NUMBER:
	case VALUE_ADDRESS:
	case VALUE_STRUCT:
	case VALUE_ARRAY:
	case VALUE_BITSET:
		break;
	}
	put_flag(buf, "truncated", value->truncated);
	put_flag(buf, "inverted", value->inverted);
	put_flag(buf, "incomplete", value->incomplete);
	put_flag(buf, "unreadable", value->unreadable);
	put_flag(buf, "late", value->late);
	put_notes(buf, value, depth);
}

static void put_value(struct buf *buf, const struct value *value, unsigned depth)
{
	if (!has_properties(value)) {
		put_main(buf, value, depth);
		return;
	}
	json_open(buf, '{');
	json_key(buf, "value");
	put_main(buf, value, depth);
	put_properties(buf, value, depth);
	json_close(buf, '}');
}

void json_value(struct buf *buf, const struct value *value)
{
	put_value(buf, value, 0);
}

void json_value_members(struct buf *buf, const struct value *value)
{
	json_key(buf, "value");
	put_main(buf, value, 0);
	put_properties(buf, value, 0);
}
