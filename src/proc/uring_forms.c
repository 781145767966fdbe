// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "proc/uring_forms.h"

#include <stdlib.h>

#include "base/alloc.h"

enum {
	/** Of linux/io_uring.h. */
	SETUP_SQE128 = 1 << 10,
	SETUP_NO_MMAP = 1 << 14,
};

void uring_forms_deinit(struct uring_forms *forms)
{
	size_t position = 0;
	struct hash_entry *entry;

	while ((entry = hash_next(&forms->by_inode, &position)))
		free(entry->value);
	hash_deinit(&forms->by_inode);
}

void uring_forms_set(
	struct uring_forms *forms, unsigned long long inode, unsigned flags, taddr entries)
{
	struct uring_form *form;

	// Another ring may have had the same inode.
	free(hash_remove(&forms->by_inode, inode));
	if (!inode || !(flags & (SETUP_SQE128 | SETUP_NO_MMAP)))
		return;
	form = xmalloc(sizeof(*form));
	form->is_wide = flags & SETUP_SQE128;
	form->entries = flags & SETUP_NO_MMAP ? entries : 0;
	hash_set(&forms->by_inode, inode, form);
}

const struct uring_form *uring_forms_find(const struct uring_forms *forms, unsigned long long inode)
{
	return hash_get(&forms->by_inode, inode);
}
