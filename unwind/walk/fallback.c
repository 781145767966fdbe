// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/walk/fallback.h"

enum {
	/** A direct call to farther before the pc than this is not a call of its function. */
	FUNCTION_MAX = 64 * 1024,
	/** Words of the stack that are searched: frames of code without rules are small. */
	SEARCH_WORDS = 512,
};

/** @value as a return address if it passes the checks, and how it was called. */
static enum arch_call check_address(
	const struct fallback *fallback, uint64_t value, taddr *address_ret, taddr *target_ret)
{
	const struct arch *arch = fallback->arch;
	taddr address = arch_code_address(arch, value);
	const struct unwind_source *source = fallback->source;
	uint8_t code[2 * ARCH_SIGNAL_BYTES];
	enum arch_call call;
	size_t size;

	if (!fallback->is_code(fallback->context, address - 1))
		return ARCH_CALL_NONE;
	*address_ret = address;
	size = source->ops->read(source->context, address - ARCH_SIGNAL_BYTES, code, sizeof(code));
	if (size < ARCH_SIGNAL_BYTES)
		return ARCH_CALL_NONE;
	call = arch->call_before(code + ARCH_SIGNAL_BYTES - ARCH_CALL_BYTES, address, target_ret);
	// The kernel is who "calls" a handler.
	if (call == ARCH_CALL_NONE &&
		arch->signal_rule(code + ARCH_SIGNAL_BYTES, 0, size - ARCH_SIGNAL_BYTES))
		call = ARCH_CALL_INDIRECT;
	return call;
}

/** The return address in the slot at @slot. */
static enum arch_call return_address(
	const struct fallback *fallback, taddr slot, taddr *address_ret, taddr *target_ret)
{
	uint64_t address;

	if (!stack_memory_read(fallback->memory, slot, fallback->arch->word, &address))
		return ARCH_CALL_NONE;
	return check_address(fallback, address, address_ret, target_ret);
}

/** That of a function that has saved nothing yet: on top of the stack or in a register. */
static enum arch_call top_return_address(const struct fallback *fallback,
	const struct frame_regs *regs, uint64_t sp, taddr *address_ret, taddr *target_ret)
{
	const struct arch *arch = fallback->arch;
	uint64_t address;

	if (arch->link == ARCH_NO_REGISTER)
		return return_address(fallback, sp, address_ret, target_ret);
	if (!frame_regs_get(regs, arch->link, &address))
		return ARCH_CALL_NONE;
	return check_address(fallback, address, address_ret, target_ret);
}

/** Whether a call of @target is one of the function at @start, maybe through a jump. */
static bool leads_to(const struct fallback *fallback, taddr target, taddr start)
{
	const struct arch *arch = fallback->arch;
	const struct unwind_source *source = fallback->source;
	uint8_t code[ARCH_STUB_BYTES];
	uint64_t pointer = 0;
	taddr slot;

	target = arch_truncate(arch, target);
	if (target == start)
		return true;
	return fallback->is_code(fallback->context, target) &&
	       source->ops->read(source->context, target, code, sizeof(code)) == sizeof(code) &&
	       arch->jump_slot(code, target, &slot) &&
	       source->ops->read(source->context, slot, &pointer, arch->word) == arch->word &&
	       pointer == start;
}

/**
 * The slot, from @sp on, that holds the return address of a call of the current
 * function, whose start must be known. What is left on the stack from earlier calls may
 * look the same.
 */
static bool search_caller(
	const struct fallback *fallback, uint64_t sp, taddr *slot_ret, taddr *address_ret)
{
	unsigned word = fallback->arch->word;
	taddr start, target;

	if (!fallback->function_start(fallback->context, &start))
		return false;
	for (unsigned i = 0; i < SEARCH_WORDS; i++) {
		*slot_ret = sp + (uint64_t)i * word;
		*address_ret = 0;
		if (return_address(fallback, *slot_ret, address_ret, &target) == ARCH_CALL_DIRECT &&
			leads_to(fallback, target, start))
			return true;
	}
	return false;
}

/** Whatever the function has on its stack, its return address is at @slot. */
static void use_slot(const struct fallback *fallback, const struct frame_regs *regs, taddr slot,
	taddr address, struct fallback_result *ret)
{
	const struct arch *arch = fallback->arch;

	ret->regs = (struct frame_regs){.arch = regs->arch, .pc = address};
	ret->cfa = arch_truncate(arch, slot + arch->word);
	ret->origin = FRAME_ORIGIN_GUESS;
	frame_regs_set(&ret->regs, arch->sp, ret->cfa);
	frame_regs_set(&ret->regs, arch->ra, address);
}

/** The function has saved nothing yet or never does: its return address is on top. */
static void use_top(const struct fallback *fallback, const struct frame_regs *regs, uint64_t sp,
	taddr address, struct fallback_result *ret)
{
	const struct arch *arch = fallback->arch;

	ret->regs = *regs;
	ret->regs.pc = address;
	ret->cfa = arch->link == ARCH_NO_REGISTER ? arch_truncate(arch, sp + arch->word) : sp;
	ret->origin = FRAME_ORIGIN_GUESS;
	frame_regs_set(&ret->regs, arch->sp, ret->cfa);
	frame_regs_set(&ret->regs, arch->ra, address);
}

/** A slot of the frame record at @fp. */
static taddr record_slot(uint64_t fp, int8_t distance)
{
	return fp + (uint64_t)(int64_t)distance;
}

/**
 * Whether the frame whose caller's frame pointer is @saved may have returned into
 * generated code at @address without a call before it.
 */
static bool leads_on(const struct fallback *fallback, uint64_t fp, uint64_t saved, taddr slot)
{
	const struct arch *arch = fallback->arch;
	unsigned word = arch->word;
	uint64_t address, next;

	return saved > fp && saved % word == 0 &&
	       stack_memory_read(fallback->memory, slot, word, &address) &&
	       fallback->is_generated(fallback->context, arch_code_address(arch, address) - 1) &&
	       stack_memory_read(fallback->memory,
		       record_slot(saved, arch->frame_record.return_address), word, &next) &&
	       fallback->is_code(fallback->context, arch_code_address(arch, next) - 1);
}

/** By the frame record that the frame pointer leads to. */
static bool use_frame_pointer(const struct fallback *fallback, const struct frame_regs *regs,
	uint64_t sp, struct fallback_result *ret)
{
	const struct arch *arch = fallback->arch;
	const struct arch_frame_record *record = &arch->frame_record;
	taddr address = 0, target, slot;
	uint64_t fp, saved;

	if (!frame_regs_get(regs, arch->fp, &fp) || fp < sp || fp % arch->word)
		return false;
	if (!stack_memory_read(
		    fallback->memory, record_slot(fp, record->caller), arch->word, &saved))
		return false;
	slot = record_slot(fp, record->return_address);
	if (!return_address(fallback, slot, &address, &target) &&
		!leads_on(fallback, fp, saved, slot))
		return false;
	ret->regs = (struct frame_regs){.arch = regs->arch, .pc = address};
	ret->cfa = arch_truncate(arch, record_slot(fp, record->cfa));
	ret->origin = FRAME_ORIGIN_FRAME_POINTER;
	frame_regs_set(&ret->regs, arch->fp, saved);
	frame_regs_set(&ret->regs, arch->sp, ret->cfa);
	frame_regs_set(&ret->regs, arch->ra, address);
	return true;
}

/** Whether @slot is where the frame pointer says that the return address is. */
static bool is_of_frame_record(
	const struct fallback *fallback, const struct frame_regs *regs, taddr slot)
{
	const struct arch *arch = fallback->arch;
	uint64_t fp;

	return frame_regs_get(regs, arch->fp, &fp) &&
	       slot == record_slot(fp, arch->frame_record.return_address);
}

bool fallback_find(const struct fallback *fallback, const struct frame_regs *regs,
	bool is_innermost, bool has_code, struct fallback_result *ret)
{
	enum arch_call call = ARCH_CALL_NONE;
	taddr address = 0, target = 0, slot, address_found;
	uint64_t sp;

	if (!frame_regs_get(regs, fallback->arch->sp, &sp))
		return false;
	if (is_innermost)
		call = top_return_address(fallback, regs, sp, &address, &target);
	// A call of just this function: the frame pointer is still the caller's, and
	// following it would skip the caller. The same after a call into nowhere.
	if (call != ARCH_CALL_NONE &&
		(!has_code || (call == ARCH_CALL_DIRECT && regs->pc - target < FUNCTION_MAX))) {
		use_top(fallback, regs, sp, address, ret);
		return true;
	}
	// The frame pointer may well be that of a function farther out.
	if (search_caller(fallback, sp, &slot, &address_found) &&
		!is_of_frame_record(fallback, regs, slot)) {
		use_slot(fallback, regs, slot, address_found, ret);
		return true;
	}
	if (use_frame_pointer(fallback, regs, sp, ret))
		return true;
	if (call == ARCH_CALL_NONE)
		return false;
	use_top(fallback, regs, sp, address, ret);
	return true;
}
