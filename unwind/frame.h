// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_FRAME_H
#define UNWIND_FRAME_H

/**
 * What a walk leaves behind: a list of frames that needs nothing from the
 * process any more. Names and lines are looked up later, by unwind_describe().
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/taddr.h"

struct unwind_arg_list;
struct unwind_module;

/** How the caller of the frame before was found. */
enum frame_origin {
	/** The registers of the task itself. */
	FRAME_ORIGIN_REGISTERS,
	/** A rule from .eh_frame. */
	FRAME_ORIGIN_EH_FRAME,
	/** A rule from .debug_frame. */
	FRAME_ORIGIN_DEBUG_FRAME,
	/** The frame pointer chain: plausible and checked, not proven. */
	FRAME_ORIGIN_FRAME_POINTER,
	/** A checked guess (leaf function, call through NULL). */
	FRAME_ORIGIN_GUESS,
};

/** Why the stack ends where it ends. */
enum frame_end {
	/** The rules say: no caller. */
	FRAME_END_OUTERMOST,
	/** No rule for @end_address and no fallback held. */
	FRAME_END_NO_RULE,
	/** No frame pointer at @end_address that passed the checks, and nothing else to try. */
	FRAME_END_NO_FRAME_POINTER,
	/** The memory at @end_address cannot be read. */
	FRAME_END_UNREADABLE,
	/** The next frame would not be farther up the stack: a loop. */
	FRAME_END_LOOP,
	/** More frames, or steps of expressions on the way to them, than a walk may take. */
	FRAME_END_LIMIT,
	/** The return address @end_address is in no executable mapping. */
	FRAME_END_BAD_ADDRESS,
	/** A rule needs a register whose value is not known. */
	FRAME_END_UNKNOWN_REGISTER,
	/** The task's registers or maps could not be had. */
	FRAME_END_NO_STATE,
};

/**
 * What kind of address @pc is, which decides where to look it up.
 * frame_lookup_pc() is the only place that knows.
 */
enum frame_address {
	/** The next instruction after a system call instruction. */
	FRAME_ADDRESS_SYSCALL,
	/** An instruction about to run or interrupted (signal, fault, handler's caller). */
	FRAME_ADDRESS_EXACT,
	/** A return address: the call is before it. */
	FRAME_ADDRESS_RETURN,
};

struct unwind_frame {
	taddr pc;
	taddr cfa;
	enum frame_address address;
	enum frame_origin origin;
	/** The trampoline through which the kernel entered a signal handler. */
	bool is_signal_frame;
	/** NULL for memory that belongs to no ELF file; kept alive by the context. */
	const struct unwind_module *module;
	/** Address in the ELF file's own terms (pc minus load bias). Only valid with @module. */
	uint64_t module_pc;
	/**
	 * The file that is mapped there, as the process spells it, whatever the module was called
	 * where it was met first; NULL if no file is, or none is known.
	 */
	const char *path;
	/** Distance from the file's start (pc - mapping + its offset). Only valid with @path. */
	uint64_t file_offset;
	/** What /proc/PID/maps calls the mapping ("[vdso]", "", "//anon"); NULL if not known. */
	const char *map_name;
	/** Nothing is mapped there. */
	bool is_unmapped;
	/** Without @module: what the program says is there (perf_map.h), and where it starts. */
	const char *generated_name;
	taddr generated_start;
	/**
	 * The parameters (arg.h) of each location that unwind_describe() gives, in the same
	 * order; NULL if they were not asked for or nothing is known of them.
	 */
	const struct unwind_arg_list *args;
	size_t arg_list_count;
};

/** Frames at one place that were left out. */
struct unwind_fold {
	/** One of them. */
	struct unwind_frame frame;
	size_t count;
};

struct unwind_stack {
	struct unwind_frame *frames;
	size_t count;
	enum frame_end end;
	taddr end_address;
	/** Frames left out in the middle after @fold_at when the limit was met; else 0. */
	size_t folded;
	size_t fold_at;
	/** The places they were at; none if these were too many. */
	struct unwind_fold *folds;
	size_t fold_count;
};

/** The address to use for rule, symbol and line: inside the instruction that is meant. */
taddr frame_lookup_pc(enum frame_address address, taddr pc);

/** "cfi", "debug_frame", "frame pointer", "guess", "registers". */
const char *frame_origin_name(enum frame_origin origin);
/** A short sentence: "outermost frame", "no unwind rule". */
const char *frame_end_text(enum frame_end end);

#endif
