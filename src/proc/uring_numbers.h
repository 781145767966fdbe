// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_PROC_URING_NUMBERS_H
#define SRC_PROC_URING_NUMBERS_H

/**
 * The numbers that a thread has for its rings besides descriptors (IORING_REGISTER_RING_FDS):
 * the kernel tells nobody, so they are known only if the call was seen. A number outlives the
 * descriptor, and what the kernel tells of a ring it tells by a descriptor: so one of our own is
 * kept for as long as the number stands, which is as long as the ring would be open without us.
 */

#include <stdbool.h>

#include "proc/uring.h"

enum {
	/** IO_RINGFD_REG_MAX of the kernel's include/linux/io_uring_types.h. */
	URING_NUMBERS = 16,
};

/** Zero-initialised is empty. */
struct uring_numbers {
	struct {
		/** Of the ring; 0: the number is not known. */
		unsigned long long inode;
		/** The descriptor it had when it got its number. */
		int fd;
		/** Ours, with @is_kept. */
		int kept;
		bool is_kept;
		/** It never had a descriptor (IORING_SETUP_REGISTERED_FD_ONLY); else zero. */
		struct uring_memory memory;
	} of[URING_NUMBERS];
};

/** Ring @fd of @tid has got @number. */
void uring_numbers_set(struct uring_numbers *numbers, int tid, unsigned number, int fd);
/** A ring was made that has that number and no descriptor. */
void uring_numbers_set_memory(
	struct uring_numbers *numbers, unsigned number, const struct uring_memory *memory);
void uring_numbers_remove(struct uring_numbers *numbers, unsigned number);
/** Forgets all: the thread is gone, or executed a program. */
void uring_numbers_clear(struct uring_numbers *numbers);
/**
 * A descriptor for the ring with that number; -1 if it is not known or none is left.
 * @owner_ret: whose it is, @tid's or ours.
 */
int uring_numbers_fd(const struct uring_numbers *numbers, int tid, unsigned number, int *owner_ret);
/** Where that ring is if it never had a descriptor; else NULL. */
const struct uring_memory *uring_numbers_memory(
	const struct uring_numbers *numbers, unsigned number);

#endif
