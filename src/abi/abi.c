// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "abi/abi.h"

#include <assert.h>

#include "abi/regs.h"

static const struct abi *const abis[ABI_COUNT] = {
	[ABI_X86_64] = &abi_x86_64,
	[ABI_I386] = &abi_i386,
};

enum {
	// Marks a call of the x32 ABI, which reports the same audit number (asm/unistd.h).
	X32_SYSCALL_BIT = 0x40000000,
};

const struct abi *abi_get(enum abi_id id)
{
	assert((unsigned)id < ABI_COUNT);
	return abis[id];
}

const struct abi *abi_native(void)
{
#if defined(__x86_64__)
	return &abi_x86_64;
#else
#error "say which ABI this program is compiled for"
#endif
}

const struct abi *abi_by_regs(const struct regs *regs)
{
	for (enum abi_id id = 0; id < ABI_COUNT; id++) {
		if (regs_are_of(regs, abis[id]))
			return abis[id];
	}
	return NULL;
}

const struct abi *abi_by_word_size(unsigned word_size)
{
	return word_size == abi_native()->word_size ? abi_native() : &abi_i386;
}

const struct abi *abi_by_audit_arch(uint32_t audit_arch, uint64_t number)
{
	if (audit_arch == abi_x86_64.audit_arch) {
		// -1 has all bits set and is no x32 call, only no call.
		bool x32 = (uint32_t)number & X32_SYSCALL_BIT && (int32_t)number >= 0;

		return x32 ? NULL : &abi_x86_64;
	}
	for (size_t i = 0; i < ABI_COUNT; i++) {
		if (abis[i]->audit_arch == audit_arch)
			return abis[i];
	}
	return NULL;
}
