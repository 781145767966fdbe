// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/bits.h"
#include "base/hash.h"
#include "unwind/describe/args.h"
#include "unwind/frame/arch.h"
#include "unwind/frame/expression.h"
#include "unwind/frame/frame_ring.h"
#include "unwind/frame/rule.h"
#include "unwind/frame/stack_memory.h"
#include "unwind/maps.h"
#include "unwind/module/context.h"
#include "unwind/module/module.h"
#include "unwind/module/space.h"
#include "unwind/unwind.h"
#include "unwind/walk/fallback.h"
#include "unwind/walk/libunwind_engine.h"
#include "unwind/walk/stack_end.h"

enum {
	/** Frames that are walked, however few of them are kept. */
	FRAMES_MAX = 200000,
	/** Bounds of the first read of stack memory. */
	PREDICTION_MIN = 1024,
	PREDICTION_MAX = 64 * 1024,
	PREDICTION_SLACK = 256,
};

struct walk {
	struct unwind_space *space;
	const struct unwind_source *source;
	const struct arch *arch;
	struct stack_memory *memory;
	/** The maps may still be read again in this walk. */
	bool may_reread;
	/** Steps left for DWARF expressions. */
	unsigned budget;
	/** A frame had no rule: what came of it may depend on any register. */
	bool used_fallback;
	/** A frame was found without a rule: what it leads to proves nothing. */
	bool has_guessed;
	/** Nobody called the current frame, and no signal: a coroutine begins there. */
	bool is_planted;
	/** The current frame and its registers. */
	struct unwind_frame frame;
	struct frame_regs regs;
	/** The frame before; its CFA only counts if it was no signal frame. */
	taddr last_cfa;
	bool has_last_cfa;
	enum frame_end end;
	taddr end_address;
};

static bool finish(struct walk *walk, enum frame_end end, taddr address)
{
	walk->end = end;
	walk->end_address = address;
	return false;
}

/** Whether @address, which a rule led to, is in code. */
static bool is_code(struct walk *walk, taddr address)
{
	address = arch_truncate(walk->arch, address);
	return space_find(walk->space, walk->source, address, &walk->may_reread);
}

/** The same for what a fallback tries: any word of the stack must not cost a reading of maps. */
static bool is_known_code(void *context, taddr address)
{
	const struct walk *walk = context;
	bool may_reread = false;

	address = arch_truncate(walk->arch, address);
	return space_find(walk->space, walk->source, address, &may_reread);
}

static bool is_generated_code(void *context, taddr address)
{
	const struct walk *walk = context;
	bool may_reread = false;
	const struct space_range *range = space_find(
		walk->space, walk->source, arch_truncate(walk->arch, address), &may_reread);

	return range && !range->mapping.module;
}

/** From the symbols: only asked for where there are no rules. */
static bool function_start(void *context, taddr *ret)
{
	const struct walk *walk = context;
	const struct unwind_frame *frame = &walk->frame;
	const struct unwind_description *what;

	if (!frame->module)
		return false;
	what = unwind_describe(walk->space->context, frame);
	if (!what->locations[what->count - 1].function)
		return false;
	*ret = frame->pc - what->symbol_offset;
	return true;
}

/** What is behind a system call or a signal keeps no frame pointer: its caller would be missing. */
static bool wants_rule(const struct walk *walk)
{
	return walk->space->context->options.engine != UNWIND_ENGINE_FRAME_POINTER ||
	       walk->frame.address != FRAME_ADDRESS_RETURN;
}

/** The code around the current frame's pc. */
struct surroundings {
	uint8_t code[2 * ARCH_SIGNAL_BYTES];
	/** How many of them are before the pc, and how many from it on. */
	size_t before, after;
};

static void read_surroundings(const struct walk *walk, struct surroundings *ret)
{
	const struct unwind_source *source = walk->source;
	// Behind the call of a trampoline may be any function.
	taddr pc = walk->frame.address == FRAME_ADDRESS_SYSCALL
			   ? frame_lookup_pc(FRAME_ADDRESS_SYSCALL, walk->frame.pc)
			   : walk->frame.pc;
	size_t size = source->ops->read(
		source->context, pc - ARCH_SIGNAL_BYTES, ret->code, sizeof(ret->code));

	ret->before = ARCH_SIGNAL_BYTES;
	if (size < ARCH_SIGNAL_BYTES) {
		ret->before = 0;
		size = source->ops->read(source->context, pc, ret->code, ARCH_SIGNAL_BYTES);
	}
	ret->after = size - ret->before;
}

static bool follows_call(const struct walk *walk, const struct surroundings *around)
{
	taddr target;

	// What cannot be read is no proof that there is none.
	return around->before < ARCH_CALL_BYTES ||
	       walk->arch->call_before(around->code + around->before - ARCH_CALL_BYTES,
		       walk->frame.pc, &target) != ARCH_CALL_NONE;
}

/**
 * The rule of a frame whose pc begins a function, or is in none: of the trampoline that returns
 * from a signal handler, else of a function that was put there to be returned to (makecontext);
 * or @rule, that of the instruction before.
 */
static const struct rule *rule_at_start(struct walk *walk, const struct rule *rule)
{
	struct unwind_frame *frame = &walk->frame;
	const struct rule *other;
	struct surroundings around;
	uint64_t sp;
	bool is_last;

	read_surroundings(walk, &around);
	other = walk->arch->signal_rule(around.code + around.before, around.before, around.after);
	if (other || frame->address != FRAME_ADDRESS_RETURN || follows_call(walk, &around))
		return other ? other : rule;
	if (frame_regs_get(&walk->regs, walk->arch->sp, &sp))
		other = walk->arch->signal_frame(walk->memory, sp);
	if (other || !frame->module || !wants_rule(walk))
		return other ? other : rule;
	other = module_rule(
		(struct unwind_module *)frame->module, walk->arch, frame->module_pc, &is_last);
	if (!other)
		return rule;
	frame->address = FRAME_ADDRESS_EXACT;
	walk->is_planted = !other->is_signal_frame;
	return other;
}

static const struct rule *find_rule(struct walk *walk)
{
	struct unwind_frame *frame = &walk->frame;
	struct unwind_module *module = (struct unwind_module *)frame->module;
	const struct rule *rule = NULL;
	bool is_last = false;

	if (module && wants_rule(walk))
		rule = module_rule(module, walk->arch,
			frame_lookup_pc(frame->address, frame->module_pc), &is_last);
	// Of an innermost frame in a module, its rule is that of the trampoline as well.
	if (!rule ? frame->address == FRAME_ADDRESS_RETURN || !module
		  : frame->address == FRAME_ADDRESS_RETURN && is_last && !rule->is_signal_frame)
		rule = rule_at_start(walk, rule);
	if (rule && rule->is_signal_frame) {
		frame->is_signal_frame = true;
		// A handler returns to the trampoline, but no call stands before it.
		if (frame->address == FRAME_ADDRESS_RETURN)
			frame->address = FRAME_ADDRESS_EXACT;
	}
	return rule;
}

static bool is_entry(const struct walk *walk)
{
	return stack_end_is_entry(walk->space, walk->source, &walk->frame);
}

/** The caller's registers and origin by @rule. False: the walk is finished. */
static bool step_by_rule(struct walk *walk, const struct rule *rule, struct fallback_result *caller)
{
	taddr failed = 0;

	caller->origin = (enum frame_origin)rule->origin;
	switch (rule_execute(rule, walk->arch, &walk->regs, walk->memory, &walk->budget,
		&caller->regs, &caller->cfa, &failed)) {
	case RULE_OK:
		return true;
	case RULE_OUTERMOST:
		walk->frame.cfa = caller->cfa;
		return finish(walk, FRAME_END_OUTERMOST, 0);
	case RULE_UNREADABLE:
		walk->frame.cfa = caller->cfa;
		return finish(walk, FRAME_END_UNREADABLE, failed);
	case RULE_UNKNOWN_REGISTER:
		return finish(walk, FRAME_END_UNKNOWN_REGISTER, walk->frame.pc);
	case RULE_BAD:
		return finish(
			walk, walk->budget ? FRAME_END_NO_RULE : FRAME_END_LIMIT, walk->frame.pc);
	}
	return false;
}

static bool step_by_fallback(struct walk *walk, bool has_code, struct fallback_result *caller)
{
	struct fallback fallback = {walk->arch, walk->source, walk->memory, is_known_code,
		is_generated_code, function_start, walk};
	bool is_innermost = walk->frame.address != FRAME_ADDRESS_RETURN;

	// The task may be in a small function without rules that stands near the entry.
	if (!is_innermost && is_entry(walk))
		return finish(walk, FRAME_END_OUTERMOST, 0);
	walk->used_fallback = true;
	if (fallback_find(&fallback, &walk->regs, is_innermost, has_code, caller)) {
		walk->has_guessed = true;
		return true;
	}
	if (!has_code)
		return finish(walk, FRAME_END_BAD_ADDRESS, walk->frame.pc);
	if (is_entry(walk))
		return finish(walk, FRAME_END_OUTERMOST, 0);
	return finish(walk, wants_rule(walk) ? FRAME_END_NO_RULE : FRAME_END_NO_FRAME_POINTER,
		walk->frame.pc);
}

/** Whether @caller is farther up the stack than the frame before, or elsewhere for a reason. */
static bool advances(const struct walk *walk, const struct fallback_result *caller)
{
	uint64_t sp, caller_sp;

	if (!walk->frame.is_signal_frame)
		return !walk->has_last_cfa || caller->cfa > walk->last_cfa;
	// The kernel puts it on top of the handler's stack, which may be another one, and some
	// rules take that place for the CFA.
	return !frame_regs_get(&walk->regs, walk->arch->sp, &sp) ||
	       !frame_regs_get(&caller->regs, walk->arch->sp, &caller_sp) || sp != caller_sp ||
	       walk->frame.pc != caller->regs.pc;
}

/**
 * Whether nothing can have called the current frame, whose return address @pc is in no code: the
 * program begins there; or rules alone led here, and a thread or a coroutine begins there.
 */
static bool is_proven_end(const struct walk *walk, taddr pc)
{
	return is_entry(walk) || (!walk->has_guessed && (!pc || walk->is_planted));
}

/** From the current frame to its caller. False: the walk is finished. */
static bool step(struct walk *walk, struct fallback_result *caller)
{
	struct unwind_frame *frame = &walk->frame;
	bool has_code = space_locate(walk->space, walk->source, &walk->may_reread, frame);
	const struct rule *rule = has_code ? find_rule(walk) : NULL;
	taddr pc;

	if (rule ? !step_by_rule(walk, rule, caller) : !step_by_fallback(walk, has_code, caller))
		return false;
	frame->cfa = caller->cfa;
	if (!advances(walk, caller))
		return finish(walk, FRAME_END_LOOP, frame->pc);
	// What a signal interrupted may well be a jump to nowhere: that is shown.
	if (frame->is_signal_frame)
		return true;
	pc = caller->regs.pc;
	if (pc && is_code(walk, frame_lookup_pc(FRAME_ADDRESS_RETURN, pc)))
		return true;
	return finish(
		walk, is_proven_end(walk, pc) ? FRAME_END_OUTERMOST : FRAME_END_BAD_ADDRESS, pc);
}

static struct stack_prediction *prediction_of(struct unwind_context *context, taddr pc)
{
	return &context->predictions[hash_u64(pc) % CONTEXT_PREDICTIONS];
}

size_t unwind_predicted_size(const struct unwind_context *context, taddr pc)
{
	const struct stack_prediction *prediction =
		&context->predictions[hash_u64(pc) % CONTEXT_PREDICTIONS];

	return prediction->pc == pc ? prediction->size : 0;
}

static void begin_memory(struct walk *walk)
{
	size_t size = unwind_predicted_size(walk->space->context, walk->regs.pc);
	uint64_t sp = 0;

	frame_regs_get(&walk->regs, walk->arch->sp, &sp);
	stack_memory_begin(walk->memory, walk->source, sp, size ? size : STACK_MEMORY_DEFAULT);
}

static void remember(const struct walk *walk, taddr pc, bool needs_registers)
{
	size_t used = align_up(walk->memory->used + PREDICTION_SLACK, PREDICTION_MIN);

	*prediction_of(walk->space->context, pc) = (struct stack_prediction){
		.pc = pc,
		.size = (uint32_t)(used < PREDICTION_MAX ? used : PREDICTION_MAX),
		.needs_registers = needs_registers,
	};
}

static void begin_frame(struct walk *walk, const struct frame_regs *regs,
	enum frame_address address, enum frame_origin origin)
{
	walk->regs = *regs;
	walk->is_planted = false;
	walk->frame = (struct unwind_frame){
		.pc = regs->pc,
		.address = address,
		.origin = origin,
	};
}

/** Makes the current frame, which is not the last, the one before. */
static void advance(struct walk *walk, const struct fallback_result *caller)
{
	const struct unwind_frame *frame = &walk->frame;

	walk->last_cfa = frame->cfa;
	walk->has_last_cfa = !frame->is_signal_frame;
	begin_frame(walk, &caller->regs,
		frame->is_signal_frame ? FRAME_ADDRESS_EXACT : FRAME_ADDRESS_RETURN,
		caller->origin);
}

/** Walks from @regs into the ring. */
static void follow(struct walk *walk, const struct frame_regs *regs, enum frame_address address)
{
	struct frame_ring *ring = &walk->space->context->ring;
	struct fallback_result caller = {0};
	bool more = true;

	frame_ring_begin(ring);
	begin_frame(walk, regs, address, FRAME_ORIGIN_REGISTERS);
	begin_memory(walk);
	while (more) {
		more = step(walk, &caller);
		frame_ring_add(ring, &walk->frame, &walk->regs);
		if (more && ring->total == FRAMES_MAX)
			more = finish(walk, FRAME_END_LIMIT, caller.regs.pc);
		if (more)
			advance(walk, &caller);
	}
}

/** Whether the source knows more registers than @regs; all of them include the frame pointer. */
static bool is_partial(const struct walk *walk, const struct frame_regs *regs)
{
	uint64_t value;

	return walk->source->ops->registers && !frame_regs_get(regs, walk->arch->fp, &value);
}

/** The same with all registers from the start if a walk from this pc needed them before. */
static void follow_lazily(
	struct walk *walk, const struct frame_regs *regs, enum frame_address address)
{
	const struct stack_prediction *prediction = prediction_of(walk->space->context, regs->pc);
	bool needs_all = walk->space->context->options.args ||
			 (prediction->pc == regs->pc && prediction->needs_registers);
	bool may_ask = is_partial(walk, regs);
	const struct walk blank = *walk;
	struct frame_regs all;

	if (may_ask && needs_all && walk->source->ops->registers(walk->source->context, &all)) {
		regs = &all;
		may_ask = false;
	}
	follow(walk, regs, address);
	if (may_ask && (walk->used_fallback || walk->end == FRAME_END_UNKNOWN_REGISTER)) {
		needs_all = true;
		if (walk->source->ops->registers(walk->source->context, &all)) {
			*walk = blank;
			follow(walk, &all, address);
		}
	}
	remember(walk, regs->pc, needs_all);
}

/** Whether a rule that libunwind reads as well led from @frame to its caller. */
static bool has_common_rule(const struct walk *walk, const struct unwind_frame *frame)
{
	const struct rule *rule = NULL;
	bool is_last;

	if (frame->module)
		rule = module_rule((struct unwind_module *)frame->module, walk->arch,
			frame_lookup_pc(frame->address, frame->module_pc), &is_last);
	return rule && rule->origin == FRAME_ORIGIN_EH_FRAME;
}

/** Takes a frame from libunwind. */
static bool found_by_libunwind(void *context, const struct libunwind_frame *found)
{
	struct walk *walk = context;
	struct frame_ring *ring = &walk->space->context->ring;
	struct unwind_frame *last = ring->total ? frame_ring_last(ring) : NULL;

	if (last) {
		last->cfa = found->sp;
		walk->regs = (struct frame_regs){.arch = walk->regs.arch, .pc = found->pc};
		begin_frame(walk, &walk->regs,
			last->is_signal_frame || found->is_signal_frame ? FRAME_ADDRESS_EXACT
									: FRAME_ADDRESS_RETURN,
			has_common_rule(walk, last) ? FRAME_ORIGIN_EH_FRAME
						    : FRAME_ORIGIN_FRAME_POINTER);
	}
	walk->frame.is_signal_frame = found->is_signal_frame;
	space_locate(walk->space, walk->source, &walk->may_reread, &walk->frame);
	frame_ring_add(ring, &walk->frame, &walk->regs);
	return true;
}

/** By libunwind; false if it cannot do this task. */
static bool follow_libunwind(
	struct walk *walk, const struct frame_regs *regs, enum frame_address address)
{
	struct unwind_space *space = walk->space;
	struct libunwind_walk libunwind = {
		.space = space,
		.source = walk->source,
		.memory = walk->memory,
		.found = found_by_libunwind,
		.context = walk,
	};
	struct frame_regs all;

	if (!space->engine)
		space->engine = libunwind_engine_create(regs->arch);
	if (!space->engine)
		return false;
	if (space->engine->generation != space->generation)
		libunwind_engine_forget(space->engine);
	space->engine->generation = space->generation;
	if (is_partial(walk, regs) && walk->source->ops->registers(walk->source->context, &all))
		regs = &all;
	frame_ring_begin(&space->context->ring);
	begin_frame(walk, regs, address, FRAME_ORIGIN_REGISTERS);
	begin_memory(walk);
	libunwind_engine_run(space->engine, &libunwind, regs, frame_lookup_pc(address, regs->pc));
	// It also stops where its guesses end.
	if (libunwind.end == FRAME_END_OUTERMOST && space->context->ring.total &&
		!stack_end_is_proven(space, walk->source, frame_ring_last(&space->context->ring)))
		finish(walk, FRAME_END_NO_RULE, walk->frame.pc);
	else
		finish(walk, libunwind.end, libunwind.end_address);
	return space->context->ring.total > 0;
}

bool unwind_engine_is_built(enum unwind_engine engine)
{
	return engine != UNWIND_ENGINE_LIBUNWIND || libunwind_engine_is_built();
}

void unwind_walk(struct unwind_space *space, const struct unwind_source *source,
	const struct frame_regs *regs, enum frame_address address, struct arena *arena,
	struct unwind_stack *ret)
{
	struct unwind_context *context = space->context;
	struct walk walk = {
		.space = space,
		.source = source,
		.arch = arch_get(regs->arch),
		.memory = &context->memory,
		.may_reread = space->maps && !space->maps_changed,
		.budget = EXPRESSION_BUDGET,
	};
	struct frame_ring *ring = &context->ring;
	const struct frame_regs *frames_regs;

	if (space_update(space, source)) {
		if (context->options.engine != UNWIND_ENGINE_LIBUNWIND ||
			!follow_libunwind(&walk, regs, address))
			follow_lazily(&walk, regs, address);
	} else {
		frame_ring_begin(ring);
		begin_frame(&walk, regs, address, FRAME_ORIGIN_REGISTERS);
		frame_ring_add(ring, &walk.frame, &walk.regs);
		finish(&walk, FRAME_END_NO_STATE, 0);
	}
	*ret = (struct unwind_stack){.end = walk.end, .end_address = walk.end_address};
	frames_regs = frame_ring_collect(ring, arena, ret);
	if (frames_regs && context->options.engine == UNWIND_ENGINE_DWARF)
		args_read(space, source, ret, frames_regs, &walk.budget, arena);
}
