// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_DESCRIBE_CALL_SITE_H
#define UNWIND_DESCRIBE_CALL_SITE_H

/**
 * What the caller says it passed (DWARF 5, 3.4): the value of a register at the entry of
 * a function, as an expression in the caller's frame. Only believed if the call there
 * was of this very function: after a tail call it was of another one.
 */

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

struct die_names;
struct debug_files;

/** The call in @function (a DIE of @files) that returns to @pc; false if it is not described. */
bool call_site_find(Dwarf_Die *function, uint64_t pc, Dwarf_Die *ret);
/**
 * Whether @site, in @files, is a direct call of a function with these names. An
 * indirect call has the address it calls in *@target_ret (else its attr code is 0).
 */
bool call_site_calls(struct debug_files *files, Dwarf_Die *site, const struct die_names *callee,
	Dwarf_Attribute *target_ret);
/** What @site says that it passed in register @number; false if it does not. */
bool call_site_value(Dwarf_Die *site, unsigned number, Dwarf_Attribute *ret);

#endif
