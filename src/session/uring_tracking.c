// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "session/uring_tracking.h"

#include <stdint.h>

#include "base/array.h"
#include "filter/query.h"
#include "proc/mem.h"
#include "proc/uring.h"
#include "proc/uring_forms.h"
#include "proc/uring_numbers.h"
#include "schema/syscall.h"
#include "session/messages.h"
#include "session/state.h"

enum {
	/** Of enum io_uring_register_op in linux/io_uring.h. */
	REGISTER_RING_FDS = 20,
	UNREGISTER_RING_FDS = 21,
	/** IORING_REGISTER_USE_REGISTERED_RING is the bit above. */
	OPERATION_MASK = 0x7fffffff,
	/** IORING_SETUP_REGISTERED_FD_ONLY: the result is a number, there is no descriptor. */
	REGISTERED_FD_ONLY = 1 << 15,
};

/** What matters of struct io_uring_params. */
struct parameters {
	uint32_t counts[2];
	uint32_t flags;
	uint32_t others[7];
	/** struct io_sqring_offsets and io_cqring_offsets: each ends in its user_addr. */
	struct {
		uint32_t head, tail, mask, count, flags, dropped, array, reserved;
		uint64_t entries;
	} submissions;
	struct {
		uint32_t offsets[8];
		uint64_t ring;
	} completions;
};

/** struct io_uring_rsrc_update of linux/io_uring.h: the number of a ring, and its descriptor. */
struct update {
	uint32_t number;
	uint32_t reserved;
	uint64_t fd;
};

static void number(struct session_task *task, long long count)
{
	const uint64_t *regs = task->decoded.regs;
	uint32_t operation = (uint32_t)regs[1] & OPERATION_MASK;
	struct uring_numbers *rings = &task->live.rings;
	struct mem *mem = &task->live.mem;
	struct update update;

	if (operation != REGISTER_RING_FDS && operation != UNREGISTER_RING_FDS)
		return;
	for (unsigned i = 0; i < (unsigned long long)count && i < URING_NUMBERS; i++) {
		taddr address = regs[2] + i * sizeof(update);

		if (mem_read(mem, address, &update, sizeof(update)) != sizeof(update))
			return;
		if (operation == REGISTER_RING_FDS)
			uring_numbers_set(rings, mem->tid, update.number, (int)update.fd);
		else
			uring_numbers_remove(rings, update.number);
	}
}

static void make(struct session *session, struct session_task *task, int result)
{
	struct mem *mem = &task->live.mem;
	struct parameters parameters;

	if (mem_read(mem, task->decoded.regs[1], &parameters, sizeof(parameters)) !=
		sizeof(parameters))
		return;
	if (!(parameters.flags & REGISTERED_FD_ONLY)) {
		uring_forms_set(&session->uring_forms, uring_inode(mem->tid, result),
			parameters.flags, parameters.submissions.entries);
		return;
	}
	uring_numbers_set_memory(&task->live.rings, (unsigned)result,
		&(struct uring_memory){
			.ring = parameters.completions.ring,
			.entries = parameters.submissions.entries,
			.head = parameters.submissions.head,
			.array = parameters.submissions.array,
			.count = parameters.counts[0],
			.flags = parameters.flags,
		});
}

void uring_tracking_call(struct session *session, struct session_task *task, long long result)
{
	// What the kernel chose has been stored since the call was entered.
	mem_forget(&task->live.mem);
	if (task->call.facts & FACT_MAKES_RING)
		make(session, task, (int)result);
	else
		number(task, result);
}

void uring_tracking_blind(struct session *session, unsigned blind)
{
	static const struct {
		unsigned blind;
		enum message message;
		const char *text;
	} reasons[] = {
		{CALL_BLIND_POLLED, MESSAGE_RING_POLLED,
			"the kernel polls a ring of io_uring: what is submitted to it cannot be "
			"seen"},
		{CALL_BLIND_RING, MESSAGE_RING_UNREADABLE,
			"the queue of a ring of io_uring cannot be read: what is submitted to it "
			"cannot be seen"},
		{CALL_BLIND_SLOT, MESSAGE_RING_SLOT,
			"the kernel does not tell which files are registered with a ring of "
			"io_uring: what is done with them cannot be seen"},
	};

	if (!blind || !session->options->query->paths.patterns.count)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++) {
		if (blind & reasons[i].blind &&
			message_is_new(&session->messages, reasons[i].message))
			message_say("%s", reasons[i].text);
	}
}
