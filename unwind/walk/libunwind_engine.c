// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/walk/libunwind_engine.h"

#include <elf.h>
#include <libunwind.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "unwind/elf/elf_file.h"
#include "unwind/frame/arch.h"
#include "unwind/frame/stack_memory.h"
#include "unwind/maps.h"
#include "unwind/module/module.h"
#include "unwind/module/space.h"

enum {
	/** Frames of one walk. */
	STEPS_MAX = 200000,
	/** Memory this far from the stack pointer goes through the walk's buffer. */
	STACK_MAX = 64 * 1024 * 1024,
	/** Encodings of .eh_frame_hdr as all linkers write them (Linux Standard Base 5, 10.6.2). */
	ENCODING_POINTER = 0x1b,
	ENCODING_COUNT = 0x03,
	ENCODING_TABLE = 0x3b,
};

/**
 * Exported by libunwind for tools that find the tables themselves, but declared in
 * none of its headers (perf uses it as well).
 */
#define search_table UNW_OBJ(dwarf_search_unwind_table)
extern int search_table(unw_addr_space_t space, unw_word_t ip, unw_dyn_info_t *table,
	unw_proc_info_t *ret, int needs_info, void *context);

/** A struct space_engine. */
struct libunwind_engine {
	struct space_engine base;
	unw_addr_space_t space;
};

/** The argument of the accessors. */
struct state {
	struct libunwind_walk *walk;
	const struct arch *arch;
	const struct frame_regs *regs;
	taddr lookup;
	taddr failed;
	bool has_failed;
};

struct eh_frame_hdr {
	uint8_t version, pointer_encoding, count_encoding, table_encoding;
	int32_t pointer;
	uint32_t count;
};

static size_t read_memory(const struct state *state, taddr address, void *data, size_t size)
{
	const struct unwind_source *source = state->walk->source;

	return source->ops->read(source->context, address, data, size);
}

/** The search table of the module at @ip; false if there is none in the usual form. */
static bool find_table(const struct state *state, const struct space_range *range, taddr *hdr_ret,
	struct eh_frame_hdr *ret)
{
	const struct unwind_module *module = range->mapping.module;

	if (!module || !module->files.file)
		return false;
	for (size_t i = 0; i < module->files.file->headers.count; i++) {
		const struct elf_segment *segment = &module->files.file->headers.segments[i];

		if (segment->type != PT_GNU_EH_FRAME)
			continue;
		*hdr_ret = segment->vaddr + range->mapping.bias;
		return read_memory(state, *hdr_ret, ret, sizeof(*ret)) == sizeof(*ret) &&
		       ret->version == 1 && ret->pointer_encoding == ENCODING_POINTER &&
		       ret->count_encoding == ENCODING_COUNT &&
		       ret->table_encoding == ENCODING_TABLE;
	}
	return false;
}

static int find_proc_info(
	unw_addr_space_t space, unw_word_t ip, unw_proc_info_t *ret, int needs_info, void *context)
{
	struct state *state = context;
	bool may_reread = false;
	const struct space_range *range =
		space_find(state->walk->space, state->walk->source, ip, &may_reread);
	struct eh_frame_hdr hdr;
	taddr address;
	unw_dyn_info_t table = {.format = UNW_INFO_FORMAT_REMOTE_TABLE};

	if (!range || !find_table(state, range, &address, &hdr))
		return -UNW_ENOINFO;
	table.start_ip = range->start;
	table.end_ip = range->end;
	table.u.rti.segbase = address;
	table.u.rti.table_data = address + sizeof(hdr);
	// In words; an entry is one word: two 32-bit offsets.
	table.u.rti.table_len = hdr.count;
	return search_table(space, ip, &table, ret, needs_info, context);
}

static void put_unwind_info(unw_addr_space_t space, unw_proc_info_t *info, void *context)
{
	(void)space;
	(void)info;
	(void)context;
}

static int no_dyn_info(unw_addr_space_t space, unw_word_t *ret, void *context)
{
	(void)space;
	(void)ret;
	(void)context;
	return -UNW_ENOINFO;
}

static int access_mem(
	unw_addr_space_t space, unw_word_t address, unw_word_t *value, int is_write, void *context)
{
	struct state *state = context;
	uint64_t sp = 0, read = 0;
	bool done;

	(void)space;
	if (is_write)
		return -UNW_EINVAL;
	frame_regs_get(state->regs, state->arch->sp, &sp);
	if (address - sp < STACK_MAX)
		done = stack_memory_read(state->walk->memory, address, sizeof(read), &read);
	else
		done = read_memory(state, address, &read, sizeof(read)) == sizeof(read);
	if (!done) {
		state->failed = address;
		state->has_failed = true;
		return -UNW_EINVAL;
	}
	*value = read;
	return 0;
}

static int access_reg(
	unw_addr_space_t space, unw_regnum_t number, unw_word_t *value, int is_write, void *context)
{
	struct state *state = context;
	uint64_t known;

	(void)space;
	if (is_write || number < 0)
		return -UNW_EREADONLYREG;
	if (number == state->arch->ra) {
		*value = state->lookup;
		return 0;
	}
	if (!frame_regs_get(state->regs, (unsigned)number, &known))
		return -UNW_EBADREG;
	*value = known;
	return 0;
}

static int access_fpreg(unw_addr_space_t space, unw_regnum_t number, unw_fpreg_t *value,
	int is_write, void *context)
{
	(void)space;
	(void)number;
	(void)value;
	(void)is_write;
	(void)context;
	return -UNW_EBADREG;
}

static int no_resume(unw_addr_space_t space, unw_cursor_t *cursor, void *context)
{
	(void)space;
	(void)cursor;
	(void)context;
	return -UNW_EINVAL;
}

static int no_name(unw_addr_space_t space, unw_word_t address, char *name, size_t size,
	unw_word_t *offset, void *context)
{
	(void)space;
	(void)address;
	(void)name;
	(void)size;
	(void)offset;
	(void)context;
	return -UNW_ENOINFO;
}

static struct libunwind_engine *engine_of(struct space_engine *engine)
{
	return (struct libunwind_engine *)engine;
}

static void destroy(struct space_engine *base)
{
	struct libunwind_engine *engine = engine_of(base);

	unw_destroy_addr_space(engine->space);
	free(engine);
}

struct space_engine *libunwind_engine_create(enum unwind_arch arch)
{
	unw_accessors_t accessors = {
		.find_proc_info = find_proc_info,
		.put_unwind_info = put_unwind_info,
		.get_dyn_info_list_addr = no_dyn_info,
		.access_mem = access_mem,
		.access_reg = access_reg,
		.access_fpreg = access_fpreg,
		.resume = no_resume,
		.get_proc_name = no_name,
	};
	struct libunwind_engine *engine;

	if (!arch_get(arch)->libunwind_numbers)
		return NULL;
	engine = xcalloc(1, sizeof(*engine));
	engine->base.destroy = destroy;
	engine->space = unw_create_addr_space(&accessors, 0);
	if (!engine->space) {
		free(engine);
		return NULL;
	}
	unw_set_caching_policy(engine->space, UNW_CACHE_GLOBAL);
	return &engine->base;
}

void libunwind_engine_forget(struct space_engine *engine)
{
	unw_flush_cache(engine_of(engine)->space, 0, 0);
}

static void finish(struct libunwind_walk *walk, enum frame_end end, taddr address)
{
	walk->end = end;
	walk->end_address = address;
}

/** Why unw_step() gave @result in the frame at @pc. */
static void finish_step(
	struct libunwind_walk *walk, const struct state *state, int result, taddr pc)
{
	if (!result)
		finish(walk, FRAME_END_OUTERMOST, 0);
	else if (state->has_failed)
		finish(walk, FRAME_END_UNREADABLE, state->failed);
	else if (result == -UNW_EBADFRAME)
		finish(walk, FRAME_END_LOOP, pc);
	else if (result == -UNW_EBADREG)
		finish(walk, FRAME_END_UNKNOWN_REGISTER, pc);
	else
		finish(walk, FRAME_END_NO_RULE, pc);
}

void libunwind_engine_run(struct space_engine *engine, struct libunwind_walk *walk,
	const struct frame_regs *regs, taddr lookup)
{
	struct state state = {
		.walk = walk, .arch = arch_get(regs->arch), .regs = regs, .lookup = lookup};
	struct libunwind_frame frame = {.pc = regs->pc};
	unw_word_t ip = 0, sp = 0;
	unw_cursor_t cursor;

	frame_regs_get(regs, state.arch->sp, &frame.sp);
	finish(walk, FRAME_END_NO_STATE, 0);
	if (unw_init_remote(&cursor, engine_of(engine)->space, &state))
		return;
	for (int i = 0;; i++) {
		int result = i < STEPS_MAX ? unw_step(&cursor) : 0;

		if (result > 0 && (unw_get_reg(&cursor, UNW_REG_IP, &ip) ||
					  unw_get_reg(&cursor, UNW_REG_SP, &sp)))
			result = -UNW_EBADREG;
		// It says so of what the signal interrupted, not of the trampoline.
		frame.is_signal_frame = result > 0 && unw_is_signal_frame(&cursor) > 0;
		if (!walk->found(walk->context, &frame))
			return;
		if (i == STEPS_MAX) {
			finish(walk, FRAME_END_LIMIT, frame.pc);
			return;
		}
		if (result <= 0 || !ip) {
			finish_step(walk, &state, result > 0 ? 0 : result, frame.pc);
			return;
		}
		state.has_failed = false;
		frame = (struct libunwind_frame){.pc = ip, .sp = sp};
	}
}

bool libunwind_engine_is_built(void)
{
	return true;
}
