// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <string.h>

#include "base/array.h"
#include "base/bits.h"
#include "base/buf.h"
#include "decode/value.h"
#include "output/quote.h"
#include "output/text_value.h"

enum {
	/** Deeper values come from hostile data only; the stack must not run out. */
	DEPTH_MAX = 64,
};

struct writer {
	struct buf *buf;
	const struct text_style *style;
	unsigned depth;
};

// For constants that are shown by name whatever -X says.
static const struct text_style names_only = {.verbose = true};

static void put_value(struct writer *w, const struct value *value);

// The bits the number really has, for unsigned forms.
static uint64_t raw_number(const struct value *value)
{
	return value->size ? zero_extend(value->number, value->size) : value->number;
}

static bool is_minus_one(const struct value *value)
{
	uint64_t ones = value->size ? zero_extend(UINT64_MAX, value->size) : UINT64_MAX;

	return (value->role == ROLE_UID || value->role == ROLE_GID) && raw_number(value) == ones;
}

static void put_hex(struct buf *buf, uint64_t number)
{
	if (number)
		buf_hex(buf, number);
	else
		buf_char(buf, '0');
}

static void put_number(struct buf *buf, const struct value *value)
{
	uint64_t number = raw_number(value);

	switch (value->radix) {
	case RADIX_SIGNED:
		buf_signed(buf, (int64_t)value->number);
		break;
	case RADIX_UNSIGNED:
		if (is_minus_one(value))
			buf_string(buf, "-1");
		else
			buf_unsigned(buf, number);
		break;
	case RADIX_HEX:
		put_hex(buf, number);
		break;
	case RADIX_HEX_PADDED:
		buf_printf(buf, "%#0*llx", 2 * (int)value->size, (unsigned long long)number);
		break;
	case RADIX_MODE:
		buf_printf(buf, "%#03llo", (unsigned long long)number);
		break;
	case RADIX_ADDRESS:
		if (number)
			buf_hex(buf, number);
		else
			buf_string(buf, "NULL");
		break;
	}
}

static void put_comment(struct buf *buf, const char *text)
{
	buf_string(buf, " /* ");
	buf_string(buf, text);
	buf_string(buf, " */");
}

static enum text_constants constants_of(const struct writer *w, const struct value *value)
{
	if (value->explained && w->style->constants == TEXT_CONSTANTS_ABBREV)
		return TEXT_CONSTANTS_VERBOSE;
	return w->style->constants;
}

// Writes the number where names are not wanted, or only as a comment. True if that was all.
static bool put_constant_number(struct writer *w, const struct value *value, bool has_names)
{
	switch (constants_of(w, value)) {
	case TEXT_CONSTANTS_ABBREV:
		return false;
	case TEXT_CONSTANTS_RAW:
		put_number(w->buf, value);
		return true;
	case TEXT_CONSTANTS_VERBOSE:
		if (has_names)
			put_number(w->buf, value);
		return false;
	}
	return false;
}

static void put_named(struct writer *w, const struct value *value)
{
	if (put_constant_number(w, value, value->name))
		return;
	if (value->name && constants_of(w, value) == TEXT_CONSTANTS_VERBOSE) {
		put_comment(w->buf, value->name);
	} else if (value->name) {
		buf_string(w->buf, value->name);
	} else {
		put_number(w->buf, value);
		if (value->unknown)
			put_comment(w->buf, value->unknown);
	}
}

static bool has_named_child(const struct value *value)
{
	value_for_each (child, value) {
		if (child->kind != VALUE_NUMBER)
			return true;
	}
	return false;
}

static void put_flag_names(struct writer *w, const struct value *value);

static void put_flags(struct writer *w, const struct value *value)
{
	const struct text_style *style = w->style;
	bool has_names = has_named_child(value);
	bool comment = has_names && constants_of(w, value) == TEXT_CONSTANTS_VERBOSE;

	if (put_constant_number(w, value, has_names))
		return;
	if (comment)
		buf_string(w->buf, " /* ");
	w->style = &names_only;
	put_flag_names(w, value);
	w->style = style;
	if (comment)
		buf_string(w->buf, " */");
}

static void put_flag_names(struct writer *w, const struct value *value)
{
	if (!value->first) {
		put_hex(w->buf, raw_number(value));
		if (raw_number(value) && value->unknown)
			put_comment(w->buf, value->unknown);
		return;
	}
	value_for_each (child, value) {
		bool alone = child == value->first && !child->next;

		if (child != value->first)
			buf_char(w->buf, '|');
		put_value(w, child);
		if (child->kind != VALUE_NUMBER)
			continue;
		if (child->unknown)
			put_comment(w->buf, child->unknown);
		else if (alone && child->number && value->unknown)
			put_comment(w->buf, value->unknown);
	}
}

static void put_separator(struct buf *buf, bool *first)
{
	if (!*first)
		buf_string(buf, ", ");
	*first = false;
}

// Which bytes of a struct have no members.
static void put_offsets(struct buf *buf, const struct value *bytes)
{
	unsigned long long from = bytes->number;

	buf_printf(buf, "/* bytes %llu..%llu */ ", from, from + bytes->length - 1);
}

static void put_members(struct writer *w, const struct value *value, char after_label)
{
	bool first = true;
	bool more = value->truncated;

	value_for_each (child, value) {
		if (child->verbose && !w->style->verbose) {
			more = true;
			continue;
		}
		put_separator(w->buf, &first);
		if (child->label) {
			buf_string(w->buf, child->label);
			buf_char(w->buf, after_label);
		} else if (child->kind == VALUE_BYTES && child->number) {
			put_offsets(w->buf, child);
		}
		put_value(w, child);
	}
	// What could not be read weighs more than what is only left out.
	if (more || value->incomplete) {
		put_separator(w->buf, &first);
		buf_string(w->buf, value->incomplete ? "???" : "...");
	}
}

static void put_array(struct writer *w, const struct value *value)
{
	bool first = true;

	buf_char(w->buf, '[');
	value_for_each (child, value) {
		put_separator(w->buf, &first);
		if (child->label) {
			buf_char(w->buf, '[');
			buf_string(w->buf, child->label);
			buf_string(w->buf, "]=");
		}
		put_value(w, child);
	}
	if (value->truncated || value->unreadable) {
		put_separator(w->buf, &first);
		buf_string(w->buf, "...");
	}
	if (value->unreadable) {
		buf_string(w->buf, " /* ");
		buf_hex(w->buf, value->number);
		buf_string(w->buf, " */");
	}
	buf_char(w->buf, ']');
}

static void put_bitset(struct writer *w, const struct value *value)
{
	const struct text_style *style = w->style;

	w->style = &names_only;
	buf_string(w->buf, value->inverted ? "~[" : "[");
	value_for_each (child, value) {
		if (child != value->first)
			buf_char(w->buf, ' ');
		put_value(w, child);
	}
	w->style = style;
	buf_char(w->buf, ']');
}

// What a call is made from, where -X wants it. True if that was all.
static bool put_call_raw(struct writer *w, const struct value *value)
{
	if (w->style->constants == TEXT_CONSTANTS_ABBREV || !(value->size || value->bytes))
		return false;
	if (value->bytes)
		quote_string(w->buf, value->bytes, value->length, TEXT_STRINGS_HEX);
	else
		put_number(w->buf, value);
	return w->style->constants == TEXT_CONSTANTS_RAW;
}

static void put_call_names(struct writer *w, const struct value *value)
{
	bool first = true;

	buf_string(w->buf, value->name ? value->name : "");
	buf_char(w->buf, '(');
	value_for_each (child, value) {
		put_separator(w->buf, &first);
		put_value(w, child);
	}
	buf_char(w->buf, ')');
}

static void put_call(struct writer *w, const struct value *value)
{
	const struct text_style *style = w->style;
	bool comment = style->constants == TEXT_CONSTANTS_VERBOSE && (value->size || value->bytes);

	if (put_call_raw(w, value))
		return;
	if (!comment) {
		put_call_names(w, value);
		return;
	}
	buf_string(w->buf, " /* ");
	w->style = &names_only;
	put_call_names(w, value);
	w->style = style;
	buf_string(w->buf, " */");
}

static void put_change(struct writer *w, const struct value *value)
{
	value_for_each (child, value) {
		if (child != value->first)
			buf_string(w->buf, " => ");
		put_value(w, child);
	}
}

static bool is_scalar(const struct value *value)
{
	switch (value->kind) {
	case VALUE_NUMBER:
	case VALUE_NAMED:
	case VALUE_FLAGS:
	case VALUE_ADDRESS:
	case VALUE_CALL:
	case VALUE_REF:
	case VALUE_NONE:
		return true;
	case VALUE_BYTES:
	case VALUE_STRUCT:
	case VALUE_ARRAY:
	case VALUE_BITSET:
		return false;
	case VALUE_CHANGE:
		return !value->first || is_scalar(value->first);
	}
	return false;
}

static void put_ref(struct writer *w, const struct value *value)
{
	if (!value->first || (w->style->hides_targets && value->first->kind != VALUE_BYTES)) {
		put_hex(w->buf, value->number);
	} else if (is_scalar(value->first)) {
		buf_char(w->buf, '[');
		put_value(w, value->first);
		buf_char(w->buf, ']');
	} else {
		put_value(w, value->first);
	}
}

static const struct value *member(const struct value *record, const char *label)
{
	value_for_each (child, record) {
		if (strcmp(child->label, label) == 0)
			return child;
	}
	return NULL;
}

static void put_plain_member(struct writer *w, const struct value *record, const char *before,
	const char *label, const char *after)
{
	const struct value *found = member(record, label);

	if (!found)
		return;
	buf_string(w->buf, before);
	if (found->kind == VALUE_BYTES)
		quote_plain(w->buf, found->bytes, found->length);
	else
		put_number(w->buf, found);
	buf_string(w->buf, after);
}

// </dev/ptmx<char 5:2 @/dev/pts/0>>
static void put_device(struct writer *w, const struct value *device)
{
	put_plain_member(w, device, "<", "type", " ");
	put_plain_member(w, device, "", "major", ":");
	put_plain_member(w, device, "", "minor", "");
	put_plain_member(w, device, " @", "terminal", "");
	buf_char(w->buf, '>');
}

// TCP:[127.0.0.1:1024->127.0.0.1:80], UNIX:[12->13,"/run/socket"], NETLINK:[ROUTE:99]
static void put_socket(struct writer *w, const struct value *socket)
{
	static const char family[] = "NETLINK_";
	const struct value *netlink = member(socket, "netlink"), *path = member(socket, "path");

	put_plain_member(w, socket, "", "protocol", ":[");
	if (netlink && netlink->name && strncmp(netlink->name, family, strlen(family)) == 0)
		buf_string(w->buf, netlink->name + strlen(family));
	else if (netlink)
		put_number(w->buf, netlink);
	else if (!member(socket, "local"))
		put_plain_member(w, socket, "", "inode", "");
	put_plain_member(w, socket, ":", "port", "");
	put_plain_member(w, socket, "", "local", "");
	put_plain_member(w, socket, "->", "remote", "");
	put_plain_member(w, socket, "->", "peer", "");
	if (path) {
		buf_char(w->buf, ',');
		put_value(w, path);
	}
	buf_char(w->buf, ']');
}

static void put_path(struct writer *w, const struct value *value, const struct value_note *note)
{
	static const enum value_note_kind instead[] = {
		NOTE_SOCKET, NOTE_PIDFD, NOTE_EVENTFD, NOTE_SIGNALFD};
	const struct value_note *device = value_find_note(value, NOTE_DEVICE);

	for (size_t i = 0; i < ARRAY_SIZE(instead); i++) {
		if (value_find_note(value, instead[i]))
			return;
	}
	buf_char(w->buf, '<');
	quote_angled(w->buf, note->bytes, note->length, w->style->strings);
	if (device)
		put_device(w, device->detail);
	buf_char(w->buf, '>');
}

static void put_detail(struct writer *w, const struct value_note *note)
{
	buf_char(w->buf, '<');
	if (note->kind == NOTE_SOCKET)
		put_socket(w, note->detail);
	else if (note->kind == NOTE_PIDFD)
		buf_string(w->buf, "pid:");
	else if (note->kind == NOTE_SIGNALFD)
		buf_string(w->buf, "signalfd:");
	if (note->kind != NOTE_SOCKET)
		put_value(w, note->detail);
	buf_char(w->buf, '>');
}

static void put_notes(struct writer *w, const struct value *value)
{
	struct buf *buf = w->buf;

	for (const struct value_note *note = value->notes; note; note = note->next) {
		switch (note->kind) {
		case NOTE_PATH:
			put_path(w, value, note);
			break;
		case NOTE_DEVICE:
			// Beside the path.
			break;
		case NOTE_SOCKET:
		case NOTE_PIDFD:
		case NOTE_EVENTFD:
		case NOTE_SIGNALFD:
			put_detail(w, note);
			break;
		case NOTE_COMM:
			buf_char(buf, '<');
			quote_angled(buf, note->bytes, note->length, w->style->strings);
			buf_char(buf, '>');
			break;
		case NOTE_DELETED:
			buf_string(buf, "(deleted)");
			break;
		case NOTE_COMMENT:
			// What it would tell is behind the address.
			if (w->style->hides_targets && value->kind == VALUE_ADDRESS)
				break;
			buf_string(buf, " /* ");
			quote_plain(buf, note->bytes, note->length);
			buf_string(buf, " */");
			break;
		}
	}
}

static void put_content(struct writer *w, const struct value *value)
{
	switch (value->kind) {
	case VALUE_NUMBER:
		put_number(w->buf, value);
		break;
	case VALUE_NAMED:
		put_named(w, value);
		break;
	case VALUE_FLAGS:
		put_flags(w, value);
		break;
	case VALUE_ADDRESS:
		if (value->number)
			buf_hex(w->buf, value->number);
		else
			buf_string(w->buf, "NULL");
		break;
	case VALUE_BYTES:
		if (value->name)
			buf_string(w->buf, value->name);
		quote_string(w->buf, value->bytes, value->length,
			value->hex_only ? TEXT_STRINGS_HEX : w->style->strings);
		if (value->truncated)
			buf_string(w->buf, "...");
		break;
	case VALUE_STRUCT:
		buf_char(w->buf, '{');
		put_members(w, value, '=');
		buf_char(w->buf, '}');
		break;
	case VALUE_ARRAY:
		put_array(w, value);
		break;
	case VALUE_BITSET:
		put_bitset(w, value);
		break;
	case VALUE_CALL:
		put_call(w, value);
		break;
	case VALUE_CHANGE:
		put_change(w, value);
		break;
	case VALUE_REF:
		put_ref(w, value);
		break;
	case VALUE_NONE:
		buf_char(w->buf, '?');
		break;
	}
}

static void put_value(struct writer *w, const struct value *value)
{
	if (w->depth == DEPTH_MAX) {
		buf_string(w->buf, "...");
		return;
	}
	w->depth++;
	put_content(w, value);
	put_notes(w, value);
	if (value->late)
		buf_char(w->buf, '?');
	w->depth--;
}

void text_value(struct buf *buf, const struct value *value, const struct text_style *style)
{
	put_value(&(struct writer){.buf = buf, .style = style}, value);
}

void text_note(struct buf *buf, const struct value *note, const struct text_style *style)
{
	struct writer w = {.buf = buf, .style = style};

	if (note->label) {
		buf_string(buf, note->label);
		buf_char(buf, ' ');
	}
	if (note->kind == VALUE_STRUCT)
		put_members(&w, note, ' ');
	else
		put_value(&w, note);
}
