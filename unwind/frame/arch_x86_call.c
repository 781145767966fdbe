// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/frame/arch_x86_call.h"
#include "base/array.h"

#include <stddef.h>
#include <string.h>

enum {
	OPCODE_CALL_RELATIVE = 0xe8,
	OPCODE_GROUP_5 = 0xff,
	GROUP_5_CALL = 2,
	/** ModRM byte of a jump through memory: at %rip plus, or in 32-bit code at, a number. */
	MODRM_JUMP = 0x25,
	PREFIX_BND = 0xf2,
};

/** Bytes of an instruction with this ModRM byte and @sib behind it, opcode included. */
static size_t group_5_length(uint8_t modrm, uint8_t sib)
{
	unsigned mod = modrm >> 6, rm = modrm & 7;
	size_t length = 2;

	if (mod == 3)
		return length;
	if (rm == 4)
		length++;
	if (mod == 1)
		return length + 1;
	if (mod == 2 || rm == 5 || (rm == 4 && (sib & 7) == 5))
		return length + 4;
	return length;
}

enum arch_call x86_call_before(const uint8_t *code, taddr address, taddr *target_ret)
{
	if (code[ARCH_CALL_BYTES - 5] == OPCODE_CALL_RELATIVE) {
		int32_t distance;

		memcpy(&distance, code + ARCH_CALL_BYTES - 4, 4);
		*target_ret = address + (uint64_t)(int64_t)distance;
		return ARCH_CALL_DIRECT;
	}
	for (size_t length = 2; length <= 7; length++) {
		const uint8_t *start = code + ARCH_CALL_BYTES - length;

		if (start[0] != OPCODE_GROUP_5 || (start[1] >> 3 & 7) != GROUP_5_CALL)
			continue;
		if (group_5_length(start[1], length > 2 ? start[2] : 0) == length)
			return ARCH_CALL_INDIRECT;
	}
	return ARCH_CALL_NONE;
}

/** The operand of the jump, and the address behind the instruction. */
static bool find_jump(const uint8_t *code, taddr address, int32_t *operand_ret, taddr *next_ret)
{
	static const uint8_t endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa},
			     endbr32[] = {0xf3, 0x0f, 0x1e, 0xfb};
	size_t at = 0;

	if (!memcmp(code, endbr64, sizeof(endbr64)) || !memcmp(code, endbr32, sizeof(endbr32)))
		at = sizeof(endbr64);
	at += code[at] == PREFIX_BND;
	if (code[at] != OPCODE_GROUP_5 || code[at + 1] != MODRM_JUMP)
		return false;
	memcpy(operand_ret, code + at + 2, sizeof(*operand_ret));
	*next_ret = address + at + 6;
	return true;
}

bool x86_system_call_before(const uint8_t *code)
{
	static const uint8_t calls[][2] = {{0x0f, 0x05}, {0x0f, 0x34}, {0xcd, 0x80}};

	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		if (memcmp(code + ARCH_CALL_BYTES - 2, calls[i], 2) == 0)
			return true;
	}
	return false;
}

bool x86_64_jump_slot(const uint8_t *code, taddr address, taddr *slot_ret)
{
	int32_t operand;
	taddr next;

	if (!find_jump(code, address, &operand, &next))
		return false;
	*slot_ret = next + (uint64_t)(int64_t)operand;
	return true;
}

bool i386_jump_slot(const uint8_t *code, taddr address, taddr *slot_ret)
{
	int32_t operand;
	taddr next;

	if (!find_jump(code, address, &operand, &next))
		return false;
	*slot_ret = (uint32_t)operand;
	return true;
}
