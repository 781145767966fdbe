// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "session/rings.h"

#include <stdint.h>

#include "proc/mem.h"
#include "proc/uring_numbers.h"
#include "session/task.h"

enum {
	/** Of enum io_uring_register_op in linux/io_uring.h. */
	REGISTER_RING_FDS = 20,
	UNREGISTER_RING_FDS = 21,
	/** IORING_REGISTER_USE_REGISTERED_RING is the bit above. */
	OPERATION_MASK = 0x7fffffff,
};

/** struct io_uring_rsrc_update of linux/io_uring.h: the number of a ring, and its descriptor. */
struct update {
	uint32_t number;
	uint32_t reserved;
	uint64_t fd;
};

void session_rings_changed(struct session_task *task, long long result)
{
	const uint64_t *regs = task->call.regs;
	uint32_t operation = (uint32_t)regs[1] & OPERATION_MASK;
	struct uring_numbers *rings = &task->live.rings;
	struct mem *mem = &task->live.mem;
	struct update update;

	if (operation != REGISTER_RING_FDS && operation != UNREGISTER_RING_FDS)
		return;
	// The numbers that were chosen have been stored since the call was entered.
	mem_forget(mem);
	for (unsigned i = 0; i < (unsigned long long)result && i < URING_NUMBERS; i++) {
		taddr address = regs[2] + i * sizeof(update);

		if (mem_read(mem, address, &update, sizeof(update)) != sizeof(update))
			return;
		if (operation == REGISTER_RING_FDS)
			uring_numbers_set(rings, mem->tid, update.number, (int)update.fd);
		else
			uring_numbers_remove(rings, update.number);
	}
}
