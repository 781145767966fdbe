// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_UNWIND_H
#define UNWIND_UNWIND_H

/**
 * The public interface of the unwinder, with report.h all that others include: walk a stack
 * while the task is stopped, describe its frames whenever it suits. One context for the whole
 * run holds one object per ELF file (by build-id, however many processes map it) and every
 * rule, symbol and line found so far; one space per address space (mm) holds its module list.
 *
 * It does not know ptrace or pids (see source.h), does not print, and asks no
 * network.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/taddr.h"
#include "unwind/arch_id.h"
#include "unwind/arg.h"
#include "unwind/debuginfod.h"
#include "unwind/elf_imports.h"
#include "unwind/frame.h"
#include "unwind/frame_regs.h"
#include "unwind/maps.h"
#include "unwind/source.h"

struct arena;
struct unwind_context;
struct unwind_space;

/** How the caller of a frame is found. */
enum unwind_engine {
	/** By the rules in the files, and without a rule by frame pointers. */
	UNWIND_ENGINE_DWARF,
	/** By frame pointers alone, but for the innermost frame and signal handlers. */
	UNWIND_ENGINE_FRAME_POINTER,
	/** By libunwind; tasks that it cannot do are done as with the first one. */
	UNWIND_ENGINE_LIBUNWIND,
};

/** Whether this build has @engine. */
bool unwind_engine_is_built(enum unwind_engine engine);

struct unwind_options {
	enum unwind_engine engine;
	/** Folders searched for debug files before /usr/lib/debug; NULL-terminated or NULL. */
	const char *const *debug_dirs;
	/** Most frames kept of one stack; 0 means 256, at least 2. */
	size_t frame_limit;
	/**
	 * Folder for what is worth keeping from run to run, as $XDG_CACHE_HOME: a folder
	 * "tracer" is made in it. NULL: nothing is kept.
	 */
	const char *cache_dir;
	/** Do not expand inlined calls. */
	bool no_inlines;
	/** Only function names, no source lines: lines are then never loaded. */
	bool no_lines;
	/** A folder that holds the files of traced programs as their root does; or NULL. */
	const char *sysroot;
	/** To ask servers with; NULL: no network is ever asked. Not owned. */
	struct debuginfod *debuginfod;
	/** Where libdebuginfod keeps what it fetched; only read. NULL: nowhere. */
	const char *debuginfod_cache;
	/** Leave C++ and Rust names as the linker sees them. */
	bool no_demangle;
	/** Also the values of parameters (args.h); only with UNWIND_ENGINE_DWARF. */
	bool args;
	/** Most bytes of a string that a parameter points to; 0 means 32. */
	size_t arg_string_limit;
};

/** @options is copied, the strings it points to are not. */
struct unwind_context *unwind_context_create(const struct unwind_options *options);
/** All spaces must be gone; frames and descriptions of this context die with it. */
void unwind_context_destroy(struct unwind_context *context);

/** A fresh address space (after exec, or for a new process). */
struct unwind_space *unwind_space_create(struct unwind_context *context, enum unwind_arch arch);
/** A copy for a forked child: same modules until told otherwise. */
struct unwind_space *unwind_space_fork(const struct unwind_space *space);
void unwind_space_destroy(struct unwind_space *space);
/** Anything may have changed: re-read the maps at the next walk. */
void unwind_space_maps_changed(struct unwind_space *space);
/**
 * The same for @length bytes at @start that were mapped, unmapped, moved or protected: only
 * counts if there was code.
 */
void unwind_space_range_changed(struct unwind_space *space, taddr start, uint64_t length);
/** Code was mapped somewhere: the maps are read again when a walk is where it knows none. */
void unwind_space_code_added(struct unwind_space *space);
/**
 * Whether there are tasks in the address space whose changes nobody tells of. Then walks
 * ask the source whether the mappings that they meet are still the same.
 */
void unwind_space_set_unwatched(struct unwind_space *space, bool is_unwatched);

/**
 * Walks the stack of a stopped task from @regs. They may be no more than the program
 * counter and the stack pointer if the source can give the others: most walks do not
 * need them. @address says whether the task stands at a system call or elsewhere. The
 * frames live in @arena. Never fails: how far it came is in ret->end.
 */
void unwind_walk(struct unwind_space *space, const struct unwind_source *source,
	const struct frame_regs *regs, enum frame_address address, struct arena *arena,
	struct unwind_stack *ret);

/**
 * Bytes of stack that a walk from @pc will read first, from the stack pointer on; 0 if
 * it was not seen before.
 */
size_t unwind_predicted_size(const struct unwind_context *context, taddr pc);

/**
 * Frames for addresses that somebody else found (a call chain by the kernel): nothing is
 * walked. The first one is an @address, the others are return addresses. The frames live in
 * @arena; ret->end says whether they are all.
 */
void unwind_call_chain(struct unwind_space *space, const struct unwind_source *source,
	const taddr *addresses, size_t count, enum frame_address address, struct arena *arena,
	struct unwind_stack *ret);

/** Why a frame has no function name or no source line. Also the seed of the report. */
enum unwind_reason {
	UNWIND_REASON_NONE,
	/** Not in any mapped file. */
	UNWIND_REASON_NO_MODULE,
	/** The file behind the mapping could not be opened or is another file. */
	UNWIND_REASON_NO_FILE,
	/** The file has no symbol table that covers the address and no debug file was found. */
	UNWIND_REASON_NO_SYMBOL,
	/** No line table covers the address. */
	UNWIND_REASON_NO_LINE,
};

/** One function at one place: an inlined call or the function itself. */
struct unwind_location {
	/** For reading (demangled); NULL when unknown. */
	const char *function;
	/** As the linker knows it; NULL for inlined calls without one. */
	const char *linkage_name;
	/** Source file, NULL when unknown, and line, 0 when unknown. */
	const char *file;
	unsigned line;
	unsigned column;
	bool is_inlined;
};

/** All that is known about a frame's address; innermost inlined call first. */
struct unwind_description {
	/** At least one; the last one is the function that really exists. */
	const struct unwind_location *locations;
	size_t count;
	/** Distance of the frame's pc from the start of the last location's symbol. */
	uint64_t symbol_offset;
	enum unwind_reason no_function;
	enum unwind_reason no_line;
	/** Whoever asks again gets the same; else more may be known next time. */
	bool is_final;
	/** How many frames of this kind were shown, see unwind_count_shown(). */
	uint64_t shown;
};

/**
 * Looks up names and lines, once per (module, pc) for the whole run. The result
 * belongs to the context and lives as long as it.
 */
const struct unwind_description *unwind_describe(
	struct unwind_context *context, const struct unwind_frame *frame);

/**
 * Whether more will be known of @frame when a server has answered, which this asks if it
 * was not asked yet. Never waits.
 */
bool unwind_is_pending(struct unwind_context *context, const struct unwind_frame *frame);
/** Waits a moment for news from servers; gives up all when a signal asks us to end. */
void unwind_wait(struct unwind_context *context);
/** A frame so described was shown to the user: the reports say how many lacked something. */
void unwind_count_shown(const struct unwind_description *description);

/**
 * The path by which the module was first seen, as the process spells it. In another process, or
 * later, it may be mapped from a copy: a frame knows its own path.
 */
const char *unwind_module_path(const struct unwind_module *module);
/** The build-id's bytes; NULL and 0 when the module has none. */
const uint8_t *unwind_module_build_id(const struct unwind_module *module, size_t *size_ret);

#endif
