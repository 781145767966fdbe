// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "decode/inner.h"

#include <string.h>

#include "decode/call.h"
#include "decode/fetch.h"
#include "decode/walk.h"
#include "schema/lookup.h"
#include "schema/syscall.h"

static bool read_words(struct walk *walk, taddr address, unsigned count, uint64_t *words)
{
	struct place place = place_memory(address);
	const uint8_t *data = fetch_bytes(walk, &place, (size_t)count * walk->word);

	for (unsigned i = 0; data && i < count; i++)
		words[i] = bytes_to_number(data + i * walk->word, walk->word, false, false);
	return data != NULL;
}

// What is at a place of struct syscall_inner; false if it cannot be read.
static bool read_place(struct walk *walk, uint8_t place, uint64_t *ret)
{
	uint64_t value = walk->call->regs[place & SYSCALL_PLACE_REGISTER];

	if (place & SYSCALL_PLACE_BEHIND)
		return read_words(walk, value + (place >> SYSCALL_PLACE_WORD) * walk->word, 1, ret);
	*ret = value;
	return true;
}

static bool takes_block(const struct syscall *syscall)
{
	return syscall && syscall->desc && syscall->desc->facts & FACT_BLOCK;
}

// The block's words become the arguments.
static bool resolve_block(struct walk *walk)
{
	struct call *call = walk->call;
	unsigned count = call->syscall->desc->signature.arg_count;
	uint64_t words[CALL_REGS] = {0};

	if (count > CALL_REGS || !read_words(walk, call->regs[0], count, words))
		return false;
	memcpy(call->regs, words, sizeof(words));
	return true;
}

// Calls that stand for others become these: their arguments as if in registers.
bool inner_resolve(struct walk *walk)
{
	struct call *call = walk->call;
	uint64_t words[CALL_REGS] = {0};
	struct syscall_inner inner;

	if (takes_block(call->syscall))
		return resolve_block(walk);
	if (!syscall_inner(call->abi, call->number, call->regs[0], &inner))
		return true;
	for (unsigned i = 0; i < CALL_REGS; i++) {
		if (inner.arguments[i] != SYSCALL_PLACE_NONE &&
			!read_place(walk, inner.arguments[i], &words[i]))
			return true;
	}
	call->syscall = inner.call;
	call->result_at = inner.result == SYSCALL_PLACE_NONE
				  ? 0
				  : call->regs[inner.result & SYSCALL_PLACE_REGISTER];
	memcpy(call->regs, words, sizeof(words));
	return true;
}

void inner_result(struct walk *walk)
{
	struct call *call = walk->call;
	uint64_t result;

	if (walk->failed || !call->result_at || !read_words(walk, call->result_at, 1, &result))
		return;
	call->retval = (int64_t)result;
	walk->ret = result;
}
