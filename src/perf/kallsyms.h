// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_PERF_KALLSYMS_H
#define SRC_PERF_KALLSYMS_H

/** Names of the kernel's functions by address, from the text of /proc/kallsyms. */

#include <stddef.h>
#include <stdint.h>

struct kallsyms;

struct kernel_symbol {
	uint64_t address;
	const char *name;
	/** Of the module the function belongs to; NULL for the kernel itself. */
	const char *module;
};

/**
 * Parses @length bytes of @text, which is taken over and freed with the table. Where
 * kptr_restrict hides the addresses (all are 0) the table is empty.
 */
struct kallsyms *kallsyms_create(char *text, size_t length);
/** The same of the running kernel; empty if the file cannot be read. */
struct kallsyms *kallsyms_load(void);
/** NULL is allowed. */
void kallsyms_destroy(struct kallsyms *table);
/** The function that covers @address, or NULL. */
const struct kernel_symbol *kallsyms_find(const struct kallsyms *table, uint64_t address);
/** How many functions it knows. */
size_t kallsyms_count(const struct kallsyms *table);

#endif
