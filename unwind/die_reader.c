// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/die_reader.h"

#include <dwarf.h>
#include <stdlib.h>

/** How the bytes of a form are counted. */
enum form {
	FORM_UNKNOWN,
	FORM_FIXED,
	/** As large as addresses, as offsets in the unit's format, as one of these. */
	FORM_ADDRESS,
	FORM_OFFSET,
	FORM_REFERENCE,
	FORM_LEB,
	FORM_STRING,
	/** The size of a block comes first, as so many bytes or as LEB128. */
	FORM_BLOCK,
	FORM_LEB_BLOCK,
	/** The form comes first. */
	FORM_INDIRECT,
};

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
	PEEKED_MOST = 256,
	/** An abbreviation with more attributes is not believed. */
	STEPS_MOST = 1 << 16,
};

static const struct {
	uint8_t form, size;
} forms[] = {
	[DW_FORM_flag_present] = {FORM_FIXED, 0},
	[DW_FORM_implicit_const] = {FORM_FIXED, 0},
	[DW_FORM_data1] = {FORM_FIXED, 1},
	[DW_FORM_ref1] = {FORM_FIXED, 1},
	[DW_FORM_flag] = {FORM_FIXED, 1},
	[DW_FORM_strx1] = {FORM_FIXED, 1},
	[DW_FORM_addrx1] = {FORM_FIXED, 1},
	[DW_FORM_data2] = {FORM_FIXED, 2},
	[DW_FORM_ref2] = {FORM_FIXED, 2},
	[DW_FORM_strx2] = {FORM_FIXED, 2},
	[DW_FORM_addrx2] = {FORM_FIXED, 2},
	[DW_FORM_strx3] = {FORM_FIXED, 3},
	[DW_FORM_addrx3] = {FORM_FIXED, 3},
	[DW_FORM_data4] = {FORM_FIXED, 4},
	[DW_FORM_ref4] = {FORM_FIXED, 4},
	[DW_FORM_ref_sup4] = {FORM_FIXED, 4},
	[DW_FORM_strx4] = {FORM_FIXED, 4},
	[DW_FORM_addrx4] = {FORM_FIXED, 4},
	[DW_FORM_data8] = {FORM_FIXED, 8},
	[DW_FORM_ref8] = {FORM_FIXED, 8},
	[DW_FORM_ref_sig8] = {FORM_FIXED, 8},
	[DW_FORM_ref_sup8] = {FORM_FIXED, 8},
	[DW_FORM_data16] = {FORM_FIXED, 16},
	[DW_FORM_addr] = {FORM_ADDRESS, 0},
	[DW_FORM_ref_addr] = {FORM_REFERENCE, 0},
	[DW_FORM_strp] = {FORM_OFFSET, 0},
	[DW_FORM_line_strp] = {FORM_OFFSET, 0},
	[DW_FORM_strp_sup] = {FORM_OFFSET, 0},
	[DW_FORM_sec_offset] = {FORM_OFFSET, 0},
	[DW_FORM_udata] = {FORM_LEB, 0},
	[DW_FORM_sdata] = {FORM_LEB, 0},
	[DW_FORM_ref_udata] = {FORM_LEB, 0},
	[DW_FORM_strx] = {FORM_LEB, 0},
	[DW_FORM_addrx] = {FORM_LEB, 0},
	[DW_FORM_loclistx] = {FORM_LEB, 0},
	[DW_FORM_rnglistx] = {FORM_LEB, 0},
	[DW_FORM_string] = {FORM_STRING, 0},
	[DW_FORM_block1] = {FORM_BLOCK, 1},
	[DW_FORM_block2] = {FORM_BLOCK, 2},
	[DW_FORM_block4] = {FORM_BLOCK, 4},
	[DW_FORM_block] = {FORM_LEB_BLOCK, 0},
	[DW_FORM_exprloc] = {FORM_LEB_BLOCK, 0},
	[DW_FORM_indirect] = {FORM_INDIRECT, 0},
};

/** Sets the size of @form, or how it is found; false if it is not known. */
static bool size_form(const struct die_reader *reader, uint64_t form, struct die_step *step)
{
	step->size = 0;
	if (form == DW_FORM_GNU_ref_alt || form == DW_FORM_GNU_strp_alt) {
		step->form = FORM_OFFSET;
	} else if (form == DW_FORM_GNU_addr_index || form == DW_FORM_GNU_str_index) {
		step->form = FORM_LEB;
	} else if (form < ARRAY_SIZE(forms)) {
		step->form = forms[form].form;
		step->size = forms[form].size;
	} else {
		step->form = FORM_UNKNOWN;
	}
	// The first version counted references as addresses.
	if (step->form == FORM_REFERENCE)
		step->form = reader->version == 2 ? FORM_ADDRESS : FORM_OFFSET;
	if (step->form == FORM_ADDRESS || step->form == FORM_OFFSET) {
		step->size =
			step->form == FORM_ADDRESS ? reader->address_size : reader->offset_size;
		step->form = FORM_FIXED;
	}
	return step->form != FORM_UNKNOWN;
}

static bool is_number(uint64_t form)
{
	return form == DW_FORM_data1 || form == DW_FORM_data2 || form == DW_FORM_data4 ||
	       form == DW_FORM_data8 || form == DW_FORM_udata;
}

static enum use use_of(uint64_t tag, uint64_t name, uint64_t form)
{
	if (name == DW_AT_sibling)
		return form == DW_FORM_ref1 || form == DW_FORM_ref2 || form == DW_FORM_ref4 ||
				       form == DW_FORM_ref8 || form == DW_FORM_ref_udata
			       ? USE_SIBLING
			       : USE_NONE;
	if (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine)
		return USE_NONE;
	switch (name) {
	case DW_AT_low_pc:
		return form == DW_FORM_addr ? USE_LOW : USE_OTHER;
	case DW_AT_high_pc:
		if (is_number(form))
			return USE_HIGH_SIZE;
		return form == DW_FORM_addr ? USE_HIGH : USE_OTHER;
	case DW_AT_ranges:
		return form == DW_FORM_sec_offset || form == DW_FORM_data4 || form == DW_FORM_data8
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

	if (last && last->use == USE_NONE && step.use == USE_NONE && last->form == FORM_FIXED &&
		step.form == FORM_FIXED) {
		last->size += step.size;
		return;
	}
	*array_add(&reader->steps) = step;
	at->step_count++;
}

/** The attributes of one abbreviation; false if they make no sense. */
static bool read_steps(
	struct die_reader *reader, struct dwarf_bytes *bytes, struct die_abbreviation *at)
{
	for (unsigned i = 0; i < STEPS_MOST && !bytes->is_bad; i++) {
		uint64_t name = dwarf_bytes_unsigned(bytes), form = dwarf_bytes_unsigned(bytes);
		struct die_step step = {.use = (uint8_t)use_of(at->tag, name, form)};

		if (!name && !form)
			return true;
		if (!size_form(reader, form, &step))
			return false;
		if (form == DW_FORM_implicit_const)
			dwarf_bytes_signed(bytes);
		add_step(reader, at, step);
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
	uint64_t length = dwarf_bytes_length(bytes, &reader->offset_size);
	unsigned type = DW_UT_compile;

	if (bytes->is_bad || !dwarf_bytes_has(bytes, length))
		return false;
	bytes->end = bytes->at + length;
	reader->version = (unsigned)dwarf_bytes_fixed(bytes, 2);
	if (reader->version < 2 || reader->version > 5)
		return false;
	if (reader->version == 5) {
		type = dwarf_bytes_u8(bytes);
		reader->address_size = dwarf_bytes_u8(bytes);
	}
	*abbreviations = dwarf_bytes_fixed(bytes, reader->offset_size);
	if (reader->version < 5)
		reader->address_size = dwarf_bytes_u8(bytes);
	if (type == DW_UT_skeleton || type == DW_UT_split_compile)
		dwarf_bytes_skip(bytes, ID_SIZE);
	else if (type == DW_UT_type || type == DW_UT_split_type)
		dwarf_bytes_skip(bytes, ID_SIZE + reader->offset_size);
	return !bytes->is_bad && (reader->address_size == 4 || reader->address_size == 8);
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

	for (int i = 0; i < PEEKED_MOST && (at = dwarf_bytes_unsigned(&bytes)); i++) {
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
		} while (name || form);
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

static void skip(const struct die_reader *reader, struct dwarf_bytes *bytes, struct die_step step)
{
	// A form that says to look for the form again is no form.
	if (step.form == FORM_INDIRECT && (!size_form(reader, dwarf_bytes_unsigned(bytes), &step) ||
						  step.form == FORM_INDIRECT))
		dwarf_bytes_fail(bytes);
	switch (step.form) {
	case FORM_FIXED:
		dwarf_bytes_skip(bytes, step.size);
		break;
	case FORM_LEB:
		dwarf_bytes_unsigned(bytes);
		break;
	case FORM_STRING:
		dwarf_bytes_string(bytes);
		break;
	case FORM_BLOCK:
		dwarf_bytes_skip(bytes, dwarf_bytes_fixed(bytes, step.size));
		break;
	case FORM_LEB_BLOCK:
		dwarf_bytes_skip(bytes, dwarf_bytes_unsigned(bytes));
		break;
	default:
		break;
	}
}

static uint64_t number(struct die_reader *reader, const struct die_step *step)
{
	return step->form == FORM_LEB ? dwarf_bytes_unsigned(&reader->bytes)
				      : dwarf_bytes_fixed(&reader->bytes, step->size);
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
			skip(reader, &reader->bytes, *step);
			continue;
		}
		value = number(reader, step);
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
		struct die_step step;

		if (!name && !value.form)
			break;
		if (value.form == DW_FORM_implicit_const)
			value.constant = (uint64_t)dwarf_bytes_signed(&attributes);
		for (size_t i = 0; i < count; i++) {
			if (names[i] == name && !values[i].form)
				values[i] = value;
		}
		if (!size_form(reader, value.form, &step))
			return false;
		skip(reader, &bytes, step);
	}
	return !bytes.is_bad;
}

bool die_value_number(const struct die_reader *reader, const struct die_value *value, uint64_t *ret)
{
	struct dwarf_bytes bytes = value->bytes;

	switch (value->form) {
	case DW_FORM_data1:
		*ret = dwarf_bytes_fixed(&bytes, 1);
		break;
	case DW_FORM_data2:
		*ret = dwarf_bytes_fixed(&bytes, 2);
		break;
	case DW_FORM_data4:
		*ret = dwarf_bytes_fixed(&bytes, 4);
		break;
	case DW_FORM_data8:
		*ret = dwarf_bytes_fixed(&bytes, 8);
		break;
	case DW_FORM_sec_offset:
		*ret = dwarf_bytes_fixed(&bytes, reader->offset_size);
		break;
	case DW_FORM_addr:
		*ret = dwarf_bytes_fixed(&bytes, reader->address_size);
		break;
	case DW_FORM_udata:
		*ret = dwarf_bytes_unsigned(&bytes);
		break;
	case DW_FORM_implicit_const:
		*ret = value->constant;
		break;
	default:
		return false;
	}
	return !bytes.is_bad;
}
