// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_PROC_URING_NUMBERS_H
#define SRC_PROC_URING_NUMBERS_H

/**
 * The numbers that a thread has for its rings besides descriptors (IORING_REGISTER_RING_FDS):
 * the kernel tells nobody, so they are known only if the call was seen.
 */

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
	} of[URING_NUMBERS];
};

/** Ring @fd of @tid has got @number. */
void uring_numbers_set(struct uring_numbers *numbers, int tid, unsigned number, int fd);
void uring_numbers_remove(struct uring_numbers *numbers, unsigned number);
/** A descriptor of @tid for the ring with that number; -1 if it is not known or has none. */
int uring_numbers_fd(const struct uring_numbers *numbers, int tid, unsigned number);

#endif
