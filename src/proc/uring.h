// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_PROC_URING_H
#define SRC_PROC_URING_H

/**
 * What waits in the submission queue of an io_uring, and which files are registered with it:
 * read from the ring's fdinfo (Linux 6.0 and later lists both) and the task's mapping of its
 * entries.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "base/taddr.h"

struct buf;
struct mem;
struct uring_forms;

/** A file that the kernel lists; @text is as it lists it, in uring.text. */
struct uring_slot {
	unsigned number;
	const char *text;
	size_t length;
};

struct uring {
	/** The kernel takes entries by itself: what it took cannot be seen. */
	bool polled;
	/** It is a ring, but what waits in it cannot be told. */
	bool hidden;
	/** Addresses of the entries in the task, in the order of submission. */
	ARRAY(taddr) entries;
	/** The fdinfo; NULL if there is none, then nothing is known of slots. */
	char *text;
	/** See uring_list_slots(): files by slot, in rising order, and how many slots there are. */
	ARRAY(struct uring_slot) slots;
	unsigned slot_count;
	/** Some slot is listed, be it as empty: so all are. */
	bool lists_slots;
};

/** A ring in memory of the program (IORING_SETUP_NO_MMAP), as the call that made it told. */
struct uring_memory {
	/** Of the queue; 0: there is none. Then of the entries. */
	taddr ring, entries;
	/** Offsets in the queue: where it is read next, and the numbers of the entries. */
	uint32_t head, array;
	/** How many entries there are. */
	uint32_t count;
	/** IORING_SETUP_* */
	uint32_t flags;
};

/**
 * False if descriptor @fd of @owner is no ring. It is mapped in @tid, which mostly is the owner.
 * @forms: what is known of rings. uring_deinit() frees it in any case.
 */
bool uring_read(int tid, int owner, int fd, const struct uring_forms *forms, struct uring *ret);
/** The same without a descriptor: the next @count entries. */
void uring_read_memory(
	struct mem *mem, const struct uring_memory *memory, uint32_t count, struct uring *ret);
void uring_deinit(struct uring *ring);

/** Fills in what the text says of slots, once; uring_read() does not, as few want to know. */
void uring_list_slots(struct uring *ring);
/** The first of @ring->slots with a number of @number or more; their count if none. */
size_t uring_slot_at(const struct uring *ring, unsigned number);
/**
 * Appends the name of a slot's file as /proc/PID/fd would give it ("/d/f", "/d/g (deleted)",
 * "pipe:[7]"). False if the kernel tells less than that.
 */
bool uring_slot_name(const struct uring_slot *slot, struct buf *name);
/** Whether slots that are not listed are empty, for certain. */
bool uring_lists_all(const struct uring *ring);

/** The inode of the ring that is descriptor @fd of @tid; 0 if it is none. */
unsigned long long uring_inode(int tid, int fd);

#endif
