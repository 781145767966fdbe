// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_DWARF_DWARF_FORM_H
#define UNWIND_DWARF_DWARF_FORM_H

/**
 * The forms that values have in .debug_info and in the headers of line tables: how many
 * bytes, and which numbers can be taken as they stand. What a form refers to in other
 * sections is for others to find. Forms: DWARF 5, 7.5.6, and GNU's for split and shared
 * DWARF.
 */

#include <stdint.h>

#include "unwind/dwarf/dwarf_bytes.h"

/** What the header of a unit or table says, and sizes depend on. */
struct dwarf_layout {
	/** Sizes: 4 or 8. */
	unsigned version, address_size, offset_size;
};

/** How the bytes of a value are counted. */
enum dwarf_form_kind {
	DWARF_FORM_UNKNOWN,
	/** So many. */
	DWARF_FORM_FIXED,
	DWARF_FORM_LEB,
	DWARF_FORM_STRING,
	/** The size of a block comes first, in so many bytes or as LEB128. */
	DWARF_FORM_BLOCK,
	DWARF_FORM_LEB_BLOCK,
	/** The form comes first. */
	DWARF_FORM_INDIRECT,
};

/** What a value is, if its bytes are a number that says it. */
enum dwarf_form_class {
	/** None of these: text, blocks, indices, signed or implicit constants. */
	DWARF_CLASS_OTHER,
	DWARF_CLASS_ADDRESS,
	/** Without a sign. */
	DWARF_CLASS_CONSTANT,
	/** In the section that the attribute is about. */
	DWARF_CLASS_OFFSET,
	/** From the start of the unit to a DIE. */
	DWARF_CLASS_REFERENCE,
};

struct dwarf_form {
	/** Bytes of a fixed size, or of the size of a block. */
	uint32_t size;
	/** Of the enums above. */
	uint8_t kind, class;
};

/** The form that DWARF gives the number @code, where @layout counts. */
struct dwarf_form dwarf_form(uint64_t code, const struct dwarf_layout *layout);

/** Reads a value of any class but DWARF_CLASS_OTHER. */
static inline uint64_t dwarf_form_number(struct dwarf_bytes *bytes, struct dwarf_form form)
{
	return form.kind == DWARF_FORM_LEB ? dwarf_bytes_unsigned(bytes)
					   : dwarf_bytes_fixed(bytes, form.size);
}

/** Goes to the end of a value; does nothing for one that is unknown or indirect. */
static inline void dwarf_form_skip(struct dwarf_bytes *bytes, struct dwarf_form form)
{
	switch ((enum dwarf_form_kind)form.kind) {
	case DWARF_FORM_FIXED:
		dwarf_bytes_skip(bytes, form.size);
		break;
	case DWARF_FORM_LEB:
		dwarf_bytes_unsigned(bytes);
		break;
	case DWARF_FORM_STRING:
		dwarf_bytes_string(bytes);
		break;
	case DWARF_FORM_BLOCK:
		dwarf_bytes_skip(bytes, dwarf_bytes_fixed(bytes, form.size));
		break;
	case DWARF_FORM_LEB_BLOCK:
		dwarf_bytes_skip(bytes, dwarf_bytes_unsigned(bytes));
		break;
	case DWARF_FORM_UNKNOWN:
	case DWARF_FORM_INDIRECT:
		break;
	}
}

#endif
