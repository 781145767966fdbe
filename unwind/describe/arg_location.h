// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_DESCRIBE_ARG_LOCATION_H
#define UNWIND_DESCRIBE_ARG_LOCATION_H

/**
 * Where a parameter's value is at one pc (DWARF 5, 2.6) and which bytes are there:
 * in registers of the frame, in memory, computed, or in pieces of these.
 */

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/taddr.h"
#include "unwind/frame/arch.h"
#include "unwind/frame_regs.h"
#include "unwind/source.h"

struct arena;
struct stack_memory;

/** Bytes of the largest value that is read. */
enum { ARG_VALUE_MAX = 16 };

/** A frame that values are looked for in. */
struct arg_frame {
	const struct arch *arch;
	const struct unwind_source *source;
	struct stack_memory *memory;
	struct arena *arena;
	/** Steps left for expressions. */
	unsigned *budget;
	const struct frame_regs *regs;
	taddr cfa;
	/** Added to the file's addresses by loading, and where to look, in the file's terms. */
	uint64_t bias, pc;
	/** The function that really exists; its DIE says what the frame base is. */
	Dwarf_Die *function;
	/** As in struct expression_state. */
	bool (*entry_value)(void *context, unsigned number, uint64_t *ret);
	void *entry_context;
};

/** Where a value is at one pc, as DWARF has it; belongs to the DWARF handle. */
struct arg_location {
	/** None of the others: it has no place. */
	bool is_constant, is_expression;
	Dwarf_Attribute attribute;
	Dwarf_Op *ops;
	size_t count;
};

enum arg_result {
	ARG_FOUND,
	ARG_NOWHERE,
	/** It has a place that cannot be read or understood. */
	ARG_UNAVAILABLE,
	/** It points to a value that is nowhere in memory. */
	ARG_SYNTHETIC_POINTER,
};

/** Where what @die describes is at @pc, in the file's terms. */
void arg_location_find(Dwarf_Die *die, uint64_t pc, struct arg_location *ret);
/** The first @size bytes (at most ARG_VALUE_MAX) of what is at @location. */
enum arg_result arg_location_read(const struct arg_frame *frame,
	const struct arg_location *location, unsigned size, uint8_t data_ret[ARG_VALUE_MAX]);
/** The number that @attribute, an expression or constant of a call site, yields in the frame. */
bool arg_location_number(const struct arg_frame *frame, Dwarf_Attribute *attribute, uint64_t *ret);
/** The register that the location @attribute names and nothing else; or -1. */
int arg_location_register(Dwarf_Attribute *attribute);

#endif
