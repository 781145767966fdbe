// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_ELF_SYMBOL_H
#define UNWIND_ELF_SYMBOL_H

/**
 * Function symbols of one module by address: a sorted copy of its symbol
 * tables. A symbol names only what it covers: its size, if it has one; up to
 * the next symbol if it is from .symtab, where assembler code leaves out sizes;
 * only its own address if it is from .dynsym, which has gaps.
 */

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elf_file;
struct symbol_table;

struct symbol {
	uint64_t address;
	/** First address that it does not name; without a size, the next symbol may come first. */
	uint64_t end;
	/** As the linker knows it, perhaps with "@VERSION"; belongs to the ELF file. */
	const char *name;
	/** Smaller is preferred among several of one address, see symbol.c. */
	uint32_t rank;
};

/** NULL elements are left out; the files must outlive the table. */
struct symbol_table *symbol_table_create(struct elf_file *const *files, size_t count);
/** NULL is allowed. */
void symbol_table_destroy(struct symbol_table *table);
/** The symbol that covers @address; false if there is none. */
bool symbol_find(const struct symbol_table *table, uint64_t address, struct symbol *ret);

#endif
