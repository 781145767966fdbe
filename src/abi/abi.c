// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "abi/abi.h"

#include <assert.h>

#include "abi/regs.h"

static const struct abi *const abis[ABI_COUNT] = {
	[ABI_X86_64] = &abi_x86_64,
	[ABI_I386] = &abi_i386,
	[ABI_X32] = &abi_x32,
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
	const struct abi *native = abi_native();

	return word_size == native->word_size || !native->narrow ? native : native->narrow;
}

// -1 has all bits set and is no call of a marked ABI, only no call.
static bool has_mark(const struct abi *abi, uint64_t number)
{
	return (uint32_t)number & abi->number_mark && (int32_t)number >= 0;
}

const struct abi *abi_by_audit_arch(uint32_t audit_arch, uint64_t number)
{
	const struct abi *plain = NULL;

	for (size_t i = 0; i < ABI_COUNT; i++) {
		if (abis[i]->audit_arch != audit_arch)
			continue;
		if (has_mark(abis[i], number))
			return abis[i];
		if (!abis[i]->number_mark)
			plain = abis[i];
	}
	return plain;
}

const char *abi_audit_name(uint32_t audit_arch)
{
	const struct abi *abi = abi_by_audit_arch(audit_arch, 0);

	return abi ? abi->audit_name : NULL;
}
