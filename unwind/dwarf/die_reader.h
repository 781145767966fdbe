// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_DWARF_DIE_READER_H
#define UNWIND_DWARF_DIE_READER_H

/**
 * Reads the DIEs of one unit in the order of .debug_info, only for what is needed to know
 * where functions and inlined calls are; all else is skipped, in a fraction of the time
 * libdw 0.188 takes. Damage ends the list it is in. Formats: DWARF 5, 7.5.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "unwind/dwarf/dwarf_bytes.h"
#include "unwind/dwarf/dwarf_form.h"

/** How an attribute, or several that are skipped at once, are read. */
struct die_step {
	struct dwarf_form form;
	/** See die_reader.c. */
	uint8_t use;
};

struct die_abbreviation {
	uint64_t code;
	uint16_t tag;
	bool has_children;
	/** Names and forms of its attributes. */
	const uint8_t *attributes;
	/** In the list of steps. */
	uint32_t first_step, step_count;
};

struct die_reader {
	/** From the first DIE of the unit to its end. */
	struct dwarf_bytes bytes;
	/** Where .debug_info and the unit begin. */
	const uint8_t *section, *unit;
	/** The end of .debug_abbrev. */
	const uint8_t *attributes_end;
	struct dwarf_layout layout;
	ARRAY(struct die_abbreviation) abbreviations;
	ARRAY(struct die_step) steps;
};

/** What is in a DIE. */
enum die_extent {
	/** No code is said to be of it. */
	DIE_EXTENT_NONE,
	/** One stretch of code. */
	DIE_EXTENT_SIMPLE,
	/** A list of ranges. */
	DIE_EXTENT_RANGES,
	/** Written in a way that libdw has to resolve. */
	DIE_EXTENT_OTHER,
};

struct die_entry {
	/** In .debug_info. */
	uint64_t offset;
	unsigned tag;
	bool has_children;
	enum die_extent extent;
	/** Of a simple extent. */
	uint64_t low, high;
	/** The offset of the list. */
	uint64_t ranges;
	/** Where its children are over, in the unit; NULL if it does not say so. */
	const uint8_t *sibling;
};

/** An attribute. */
struct die_value {
	/** 0: there is none. */
	uint64_t form;
	/** What it is made of, to the end of the unit. */
	struct dwarf_bytes bytes;
	/** Of DW_FORM_implicit_const. */
	uint64_t constant;
};

/**
 * Begins with the DIE at @unit of .debug_info, which a unit begins with; @info and
 * @abbreviations, the sections, must outlive the reader. False if that is no unit. To be
 * ended in either case.
 */
bool die_reader_begin(struct die_reader *reader, const struct dwarf_bytes *info,
	const struct dwarf_bytes *abbreviations, uint64_t unit);
/** A unit, without its DIEs. */
struct die_unit {
	/** The offsets of its DIE and of the next unit, in .debug_info. */
	uint64_t root, next;
	/** Of its DIE. */
	unsigned tag;
};

/** The offset of the DIE of the unit at @unit of .debug_info; 0 if there is no unit. */
uint64_t die_reader_root(const struct dwarf_bytes *info, uint64_t unit);
/** The same with what else there is to know before the reader begins; false if nothing. */
bool die_reader_peek(const struct dwarf_bytes *info, const struct dwarf_bytes *abbreviations,
	uint64_t unit, struct die_unit *ret);
void die_reader_end(struct die_reader *reader);
/** The next entry of a list; false at its end. Children come next, if there are any. */
bool die_reader_next(struct die_reader *reader, struct die_entry *ret);
/** Goes to what follows the children of @entry, which was read last. */
void die_reader_skip_children(struct die_reader *reader, const struct die_entry *entry);
/**
 * The attributes called @names of the DIE at @offset of .debug_info, which must be of this
 * unit: false if there is no such DIE. Does not change what is read next.
 */
bool die_reader_find(const struct die_reader *reader, uint64_t offset, const uint16_t *names,
	size_t count, struct die_value *values);
/** The number that @value is; false if it is none, or must be resolved. */
bool die_value_number(
	const struct die_reader *reader, const struct die_value *value, uint64_t *ret);
/** The offset in .debug_info of what comes next. */
uint64_t die_reader_offset(const struct die_reader *reader);

#endif
