// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "decode/inner.h"

#include <string.h>

#include "base/array.h"
#include "decode/call.h"
#include "decode/fetch.h"
#include "decode/walk.h"
#include "schema/lookup.h"
#include "schema/syscall.h"

// Arguments of socketcall stand in memory; false if they cannot be read.
static bool read_words(struct walk *walk, taddr address, unsigned count, uint64_t *words)
{
	struct place place = place_memory(address);
	const uint8_t *data = fetch_bytes(walk, &place, (size_t)count * walk->word);

	for (unsigned i = 0; data && i < count; i++)
		words[i] = bytes_to_number(data + i * walk->word, walk->word, false, false);
	return data != NULL;
}

enum {
	IPC_SEMTIMEDOP = 4,
	IPC_SEMCTL = 3,
	IPC_SEMOP = 1,
	IPC_MSGSND = 11,
	IPC_MSGRCV = 12,
	IPC_MSGCTL = 14,
	IPC_SHMAT = 21,
	IPC_SHMDT = 22,
	IPC_SHMCTL = 24,
};

// ipc(call, first, second, third, ptr, fifth) as ksys_ipc() of ipc/syscall.c deals them out.
static bool ipc_words(struct walk *walk, const uint64_t regs[CALL_REGS], uint64_t *words)
{
	enum { FIRST = 1, SECOND, THIRD, PTR, FIFTH };
	static const uint8_t order[][5] = {
		[IPC_SEMOP] = {FIRST, PTR, SECOND},
		[IPC_SEMCTL] = {FIRST, SECOND, THIRD, PTR},
		[IPC_SEMTIMEDOP] = {FIRST, PTR, SECOND, FIFTH},
		[IPC_MSGSND] = {FIRST, PTR, SECOND, THIRD},
		[IPC_MSGRCV] = {FIRST, PTR, SECOND, FIFTH, THIRD},
		[IPC_MSGCTL] = {FIRST, SECOND, PTR},
		[IPC_SHMAT] = {FIRST, PTR, SECOND, THIRD},
		[IPC_SHMDT] = {PTR},
		[IPC_SHMCTL] = {FIRST, SECOND, PTR},
	};
	static const uint8_t plain[5] = {FIRST, SECOND, THIRD};
	uint64_t call = regs[0] & 0xffff;
	const uint8_t *from = call < ARRAY_SIZE(order) && order[call][0] ? order[call] : plain;

	for (unsigned i = 0; i < 5; i++)
		words[i] = from[i] ? regs[from[i]] : 0;
	if (call == IPC_SEMCTL)
		return read_words(walk, regs[PTR], 1, &words[3]);
	// Version 0 takes the buffer and the type from memory.
	if (call == IPC_MSGRCV && regs[0] >> 16 == 0) {
		uint64_t pair[2];

		if (!read_words(walk, regs[PTR], 2, pair))
			return false;
		words[1] = pair[0];
		words[3] = pair[1];
	}
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
	const uint64_t *regs = call->regs;
	bool is_ipc = call->syscall && strcmp(call->syscall->name, "ipc") == 0;
	uint64_t number = is_ipc ? regs[0] & 0xffff : regs[0];
	const struct syscall *inner = syscall_within(call->abi, call->number, number);
	uint64_t words[CALL_REGS] = {0};

	if (takes_block(call->syscall))
		return resolve_block(walk);
	if (!inner)
		return true;
	if (is_ipc ? !ipc_words(walk, regs, words)
		   : !read_words(walk, regs[1], inner->arg_count, words))
		return true;
	call->syscall = inner;
	memcpy(call->regs, words, sizeof(words));
	return true;
}

void inner_result(struct walk *walk)
{
	struct call *call = walk->call;
	const struct syscall *own = syscall_by_number(call->abi, call->number);
	uint64_t address;

	if (walk->failed || own == call->syscall || strcmp(call->syscall->name, "shmat") != 0)
		return;
	// Where ipc was told to leave it: see ipc_words().
	if (!read_words(walk, call->regs[3], 1, &address))
		return;
	call->retval = (int64_t)address;
	walk->ret = address;
}
