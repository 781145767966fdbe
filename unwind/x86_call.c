// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/x86_call.h"

#include <stddef.h>
#include <string.h>

enum {
	OPCODE_CALL_RELATIVE = 0xe8,
	OPCODE_GROUP_5 = 0xff,
	GROUP_5_CALL = 2,
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
