// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/dwarf/die_reader.h"

#include <dwarf.h>
#include <stdlib.h>

/** What an attribute is read for. */
enum use {
	USE_NONE,
	USE_LOW,
	/** An address, or a size. */
	USE_HIGH,
	USE_HIGH_SIZE,
	USE_RANGES,
	/** There is code, where is for libdw to say. */
	USE_OTHER,
	USE_SIBLING,
};

enum {
	/** What headers of some types of units end with. */
	ID_SIZE = 8,
	/** Looked at for the tag of a unit, which is among the first. */
	PEEKED_MAX = 256,
	PEEKED_BYTES_MAX = 16 * 1024,
	/** An abbreviation with more attributes is not believed. */
	STEPS_MAX = 1 << 16,
};

static enum use use_of(uint64_t tag, uint64_t name, uint64_t code, enum dwarf_form_class class)
{
	if (name == DW_AT_sibling)
		return class == DWARF_CLASS_REFERENCE ? USE_SIBLING : USE_NONE;
	if (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine)
		return USE_NONE;
	switch (name) {
	case DW_AT_low_pc:
		return class == DWARF_CLASS_ADDRESS ? USE_LOW : USE_OTHER;
	case DW_AT_high_pc:
		if (class == DWARF_CLASS_CONSTANT)
			return USE_HIGH_SIZE;
		return class == DWARF_CLASS_ADDRESS ? USE_HIGH : USE_OTHER;
	case DW_AT_ranges:
		return class == DWARF_CLASS_OFFSET || code == DW_FORM_data4 || code == DW_FORM_data8
			       ? USE_RANGES
			       : USE_OTHER;
	default:
		return USE_NONE;
	}
}

/** Joins it with the one before if both are just skipped. */
static void add_step(struct die_reader *reader, struct die_abbreviation *at, struct die_step step)
{
	struct die_step *last =
		at->step_count ? &reader->steps.data[reader->steps.count - 1] : NULL;

	if (last && last->use == USE_NONE && step.use == USE_NONE &&
		last->form.kind == DWARF_FORM_FIXED && step.form.kind == DWARF_FORM_FIXED) {
		last->form.size += step.form.size;
		return;
	}
	*array_add(&reader->steps) = step;
	at->step_count++;
}

/** The attributes of one abbreviation; false if they make no sense. */
static bool read_steps(
	struct die_reader *reader, struct dwarf_bytes *bytes, struct die_abbreviation *at)
{
	for (unsigned i = 0; i < STEPS_MAX && !bytes->is_bad; i++) {
		uint64_t name = dwarf_bytes_unsigned(bytes), code = dwarf_bytes_unsigned(bytes);
		struct dwarf_form form = dwarf_form(code, &reader->layout);
		enum use use = use_of(at->tag, name, code, form.class);

		if (!name && !code)
			return true;
		if (form.kind == DWARF_FORM_UNKNOWN)
			return false;
		if (code == DW_FORM_implicit_const)
			dwarf_bytes_signed(bytes);
		add_step(reader, at, (struct die_step){.form = form, .use = (uint8_t)use});
	}
	return false;
}

static int compare(const void *left, const void *right)
{
	const struct die_abbreviation *a = left, *b = right;

	return a->code < b->code ? -1 : a->code > b->code;
}

static void read_abbreviations(struct die_reader *reader, struct dwarf_bytes bytes)
{
	struct die_abbreviation at;
	bool is_sorted = true;

	while ((at.code = dwarf_bytes_unsigned(&bytes))) {
		at.tag = (uint16_t)dwarf_bytes_unsigned(&bytes);
		at.has_children = dwarf_bytes_u8(&bytes);
		at.attributes = bytes.at;
		at.first_step = (uint32_t)reader->steps.count;
		at.step_count = 0;
		if (!read_steps(reader, &bytes, &at))
			break;
		*array_add(&reader->abbreviations) = at;
		is_sorted &= at.code == reader->abbreviations.count;
	}
	if (!is_sorted)
		qsort(reader->abbreviations.data, reader->abbreviations.count, sizeof(at), compare);
}

/** Compilers number them from 1. */
static const struct die_abbreviation *find(const struct die_reader *reader, uint64_t code)
{
	const struct die_abbreviation wanted = {.code = code};

	if (code && code <= reader->abbreviations.count &&
		reader->abbreviations.data[code - 1].code == code)
		return &reader->abbreviations.data[code - 1];
	return reader->abbreviations.count
		       ? bsearch(&wanted, reader->abbreviations.data, reader->abbreviations.count,
				 sizeof(wanted), compare)
		       : NULL;
}

/** The header; @bytes is at its beginning and then behind it. */
static bool read_header(
	struct die_reader *reader, struct dwarf_bytes *bytes, uint64_t *abbreviations)
{
	struct dwarf_layout *layout = &reader->layout;
	uint64_t length = dwarf_bytes_length(bytes, &layout->offset_size);
	unsigned type = DW_UT_compile;

	if (bytes->is_bad || !dwarf_bytes_has(bytes, length))
		return false;
	bytes->end = bytes->at + length;
	layout->version = (unsigned)dwarf_bytes_fixed(bytes, 2);
	if (layout->version < 2 || layout->version > 5)
		return false;
	if (layout->version == 5) {
		type = dwarf_bytes_u8(bytes);
		layout->address_size = dwarf_bytes_u8(bytes);
	}
	*abbreviations = dwarf_bytes_fixed(bytes, layout->offset_size);
	if (layout->version < 5)
		layout->address_size = dwarf_bytes_u8(bytes);
	if (type == DW_UT_skeleton || type == DW_UT_split_compile)
		dwarf_bytes_skip(bytes, ID_SIZE);
	else if (type == DW_UT_type || type == DW_UT_split_type)
		dwarf_bytes_skip(bytes, ID_SIZE + layout->offset_size);
	return !bytes->is_bad && (layout->address_size == 4 || layout->address_size == 8);
}

bool die_reader_begin(struct die_reader *reader, const struct dwarf_bytes *info,
	const struct dwarf_bytes *abbreviations, uint64_t unit)
{
	struct dwarf_bytes table = *abbreviations;
	uint64_t offset;

	*reader = (struct die_reader){.bytes = *info, .section = info->at};
	dwarf_bytes_skip(&reader->bytes, unit);
	reader->unit = reader->bytes.at;
	reader->attributes_end = table.end;
	if (!read_header(reader, &reader->bytes, &offset))
		return false;
	dwarf_bytes_skip(&table, offset);
	read_abbreviations(reader, table);
	return true;
}

uint64_t die_reader_root(const struct dwarf_bytes *info, uint64_t unit)
{
	struct die_reader reader = {.bytes = *info, .section = info->at};
	uint64_t abbreviations;

	dwarf_bytes_skip(&reader.bytes, unit);
	return read_header(&reader, &reader.bytes, &abbreviations) ? die_reader_offset(&reader) : 0;
}

/** The tag of abbreviation @code, the first ones of which are those of units. */
static unsigned find_tag(struct dwarf_bytes bytes, uint64_t code)
{
	uint64_t at;

	// Each unit may lead to the same ones.
	if (dwarf_bytes_has(&bytes, PEEKED_BYTES_MAX))
		bytes.end = bytes.at + PEEKED_BYTES_MAX;

	for (int i = 0; i < PEEKED_MAX && (at = dwarf_bytes_unsigned(&bytes)); i++) {
		unsigned tag = (unsigned)dwarf_bytes_unsigned(&bytes);
		uint64_t name, form;

		if (at == code)
			return tag;
		dwarf_bytes_u8(&bytes);
		do {
			name = dwarf_bytes_unsigned(&bytes);
			form = dwarf_bytes_unsigned(&bytes);
			if (form == DW_FORM_implicit_const)
				dwarf_bytes_signed(&bytes);
		} while ((name || form) && !bytes.is_bad);
	}
	return 0;
}

bool die_reader_peek(const struct dwarf_bytes *info, const struct dwarf_bytes *abbreviations,
	uint64_t unit, struct die_unit *ret)
{
	struct die_reader reader = {.bytes = *info, .section = info->at};
	struct dwarf_bytes table = *abbreviations;
	uint64_t offset;

	dwarf_bytes_skip(&reader.bytes, unit);
	if (!read_header(&reader, &reader.bytes, &offset))
		return false;
	ret->root = die_reader_offset(&reader);
	ret->next = (uint64_t)(reader.bytes.end - reader.section);
	dwarf_bytes_skip(&table, offset);
	ret->tag = find_tag(table, dwarf_bytes_unsigned(&reader.bytes));
	return true;
}

void die_reader_end(struct die_reader *reader)
{
	array_deinit(&reader->abbreviations);
	array_deinit(&reader->steps);
}

static void skip(const struct die_reader *reader, struct dwarf_bytes *bytes, struct dwarf_form form)
{
	if (form.kind == DWARF_FORM_INDIRECT) {
		form = dwarf_form(dwarf_bytes_unsigned(bytes), &reader->layout);
		// A form that says to look for the form again is no form.
		if (form.kind == DWARF_FORM_UNKNOWN || form.kind == DWARF_FORM_INDIRECT)
			dwarf_bytes_fail(bytes);
	}
	dwarf_form_skip(bytes, form);
}

/** Reads the attributes; what is noted in @has are uses. */
static void read_attributes(struct die_reader *reader, const struct die_abbreviation *at,
	struct die_entry *entry, unsigned *has)
{
	const struct die_step *step = reader->steps.data + at->first_step;

	for (uint32_t i = 0; i < at->step_count; i++, step++) {
		uint64_t value;

		*has |= 1u << step->use;
		if (step->use == USE_NONE || step->use == USE_OTHER) {
			skip(reader, &reader->bytes, step->form);
			continue;
		}
		value = dwarf_form_number(&reader->bytes, step->form);
		if (step->use == USE_LOW)
			entry->low = value;
		else if (step->use == USE_RANGES)
			entry->ranges = value;
		else if (step->use != USE_SIBLING)
			entry->high = value;
		else if (value < (uint64_t)(reader->bytes.end - reader->unit))
			entry->sibling = reader->unit + value;
	}
}

static enum die_extent extent_of(unsigned has)
{
	const unsigned high = 1u << USE_HIGH | 1u << USE_HIGH_SIZE;
	bool is_simple = has & 1u << USE_LOW && has & high;

	if (has & 1u << USE_OTHER || (is_simple && has & 1u << USE_RANGES))
		return DIE_EXTENT_OTHER;
	if (has & 1u << USE_RANGES)
		return DIE_EXTENT_RANGES;
	return is_simple ? DIE_EXTENT_SIMPLE : DIE_EXTENT_NONE;
}

bool die_reader_next(struct die_reader *reader, struct die_entry *ret)
{
	struct dwarf_bytes *bytes = &reader->bytes;
	const struct die_abbreviation *at;
	unsigned has = 0;
	uint64_t code;

	ret->low = 0;
	ret->offset = die_reader_offset(reader);
	code = dwarf_bytes_unsigned(bytes);
	if (!code)
		return false;
	at = find(reader, code);
	if (!at) {
		dwarf_bytes_fail(bytes);
		return false;
	}
	ret->tag = at->tag;
	ret->has_children = at->has_children;
	ret->sibling = NULL;
	read_attributes(reader, at, ret, &has);
	ret->extent = extent_of(has);
	if (has & 1u << USE_HIGH_SIZE)
		ret->high += ret->low;
	return !bytes->is_bad;
}

void die_reader_skip_children(struct die_reader *reader, const struct die_entry *entry)
{
	uint64_t depth = 1;
	struct die_entry child;

	if (!entry->has_children)
		return;
	// Never back, or a damaged file would be endless.
	if (entry->sibling && entry->sibling >= reader->bytes.at) {
		reader->bytes.at = entry->sibling;
		return;
	}
	while (depth && !reader->bytes.is_bad) {
		if (!die_reader_next(reader, &child))
			depth--;
		else if (child.has_children && child.sibling && child.sibling >= reader->bytes.at)
			reader->bytes.at = child.sibling;
		else if (child.has_children)
			depth++;
	}
}

uint64_t die_reader_offset(const struct die_reader *reader)
{
	return (uint64_t)(reader->bytes.at - reader->section);
}

bool die_reader_find(const struct die_reader *reader, uint64_t offset, const uint16_t *names,
	size_t count, struct die_value *values)
{
	struct dwarf_bytes bytes = {.at = reader->section, .end = reader->bytes.end};
	const struct die_abbreviation *at;
	struct dwarf_bytes attributes;

	memset(values, 0, count * sizeof(*values));
	dwarf_bytes_skip(&bytes, offset);
	at = bytes.at < reader->unit ? NULL : find(reader, dwarf_bytes_unsigned(&bytes));
	if (!at)
		return false;
	attributes = (struct dwarf_bytes){.at = at->attributes, .end = reader->attributes_end};
	while (!bytes.is_bad && !attributes.is_bad) {
		uint64_t name = dwarf_bytes_unsigned(&attributes);
		struct die_value value = {
			.form = dwarf_bytes_unsigned(&attributes), .bytes = bytes};
		struct dwarf_form form = dwarf_form(value.form, &reader->layout);

		if (!name && !value.form)
			break;
		if (value.form == DW_FORM_implicit_const)
			value.constant = (uint64_t)dwarf_bytes_signed(&attributes);
		for (size_t i = 0; i < count; i++) {
			if (names[i] == name && !values[i].form)
				values[i] = value;
		}
		if (form.kind == DWARF_FORM_UNKNOWN)
			return false;
		skip(reader, &bytes, form);
	}
	return !bytes.is_bad;
}

bool die_value_number(const struct die_reader *reader, const struct die_value *value, uint64_t *ret)
{
	const struct dwarf_form form = dwarf_form(value->form, &reader->layout);
	struct dwarf_bytes bytes = value->bytes;

	if (value->form == DW_FORM_implicit_const)
		*ret = value->constant;
	else if (form.class == DWARF_CLASS_ADDRESS || form.class == DWARF_CLASS_CONSTANT ||
		 form.class == DWARF_CLASS_OFFSET)
		*ret = dwarf_form_number(&bytes, form);
	else
		return false;
	return !bytes.is_bad;
}
