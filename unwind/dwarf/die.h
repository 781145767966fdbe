// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_DWARF_DIE_H
#define UNWIND_DWARF_DIE_H

/**
 * Names and call sites of functions in DWARF. A function's name may stand in
 * another DIE (abstract origin, specification) and that one in another file
 * (dwz), which is only opened when a name leads there.
 */

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

struct debug_files;

/** The strings belong to the DWARF handle. */
struct die_names {
	/** As in the source; NULL if there is none. */
	const char *name;
	/** As the linker knows it, if that differs; else NULL. */
	const char *linkage_name;
	/** The DIE where @name was found, and whether it is of another unit. */
	uint64_t named;
	bool is_elsewhere;
};

/** The names of the function or inlined call @die, which belongs to @files. */
void die_find_names(struct debug_files *files, Dwarf_Die *die, struct die_names *ret);
/** The string that @attribute of @die itself is, wherever it is kept; NULL if there is none. */
const char *die_string(struct debug_files *files, Dwarf_Die *die, unsigned attribute);
/**
 * The DIE that @attribute refers to, which may belong to another one that @die stands for
 * (abstract origin, specification); false if there is none.
 */
bool die_reference(struct debug_files *files, Dwarf_Die *die, unsigned attribute, Dwarf_Die *ret);
/**
 * The constant that @attribute is, as 64 bits; false if it is none. Only forms that say
 * so are negative: compilers write 200 as one byte.
 */
bool die_constant(Dwarf_Attribute *attribute, uint64_t *ret);
/** A number attribute of @die itself; false if it has none. */
bool die_number(Dwarf_Die *die, unsigned attribute, uint64_t *ret);

#endif
