// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_DWARF_DIE_FACTS_H
#define UNWIND_DWARF_DIE_FACTS_H

/**
 * What is shown of a function or an inlined call, as its DIE says. Where everything is in
 * the same unit, or is a string, it is read without libdw, which first looks at all units
 * before that one.
 */

#include <stdbool.h>
#include <stdint.h>

#include "unwind/dwarf/die.h"
#include "unwind/dwarf/die_reader.h"

struct debug_files;

struct die_facts {
	struct die_names names;
	/** Where it was inlined; 0 if that is not said. */
	uint64_t call_file, call_line, call_column;
	bool has_call_file;
};

/** Where strings are; missing sections are empty. */
struct die_strings {
	struct dwarf_bytes strings, line_strings;
};

/**
 * The string that @value, of a DIE of @files, is, or NULL; in *@ret. False if that has to
 * be asked of libdw.
 */
bool die_facts_string(struct debug_files *files, const struct die_reader *reader,
	const struct die_strings *strings, const struct die_value *value, const char **ret);
/** Those of the DIE at @offset of @reader's unit; false if that has to be asked of libdw. */
bool die_facts_read(struct debug_files *files, const struct die_reader *reader,
	const struct die_strings *strings, uint64_t offset, struct die_facts *ret);
/** The same by libdw. */
void die_facts_ask(struct debug_files *files, Dwarf_Die *die, struct die_facts *ret);

#endif
