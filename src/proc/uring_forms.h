// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_PROC_URING_FORMS_H
#define SRC_PROC_URING_FORMS_H

/**
 * How rings of io_uring were made, as far as that is not plain: a ring does not tell it
 * afterwards, so it is known only if the call was seen.
 */

#include "base/hash.h"
#include "base/taddr.h"

struct uring_form {
	/** IORING_SETUP_SQE128: an entry has 128 bytes. */
	bool is_wide;
	/** IORING_SETUP_NO_MMAP: where its entries are; else 0. */
	taddr entries;
};

/** Zero-initialised is empty. */
struct uring_forms {
	/** struct uring_form by the ring's inode. */
	struct hash by_inode;
};

void uring_forms_deinit(struct uring_forms *forms);
/** A ring was made with these IORING_SETUP_* and io_uring_params.sq_off.user_addr. */
void uring_forms_set(
	struct uring_forms *forms, unsigned long long inode, unsigned flags, taddr entries);
/** NULL: it is plain, or nothing is known of it. */
const struct uring_form *uring_forms_find(
	const struct uring_forms *forms, unsigned long long inode);

#endif
