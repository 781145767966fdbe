// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/elf/symbol.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "unwind/elf/elf_file.h"

enum {
	/** Symbols of one module. */
	SYMBOLS_MAX = INT32_MAX,
	/** Bits of an address that are sorted by at once. */
	DIGIT = 8,
};

/** What is kept of each symbol; the rest is read again of the few that are asked for. */
struct entry {
	uint64_t address;
	/** 0: none; the largest value: that or more. */
	uint32_t size;
	/** Among all symbols of the sections. */
	uint32_t number : 31;
	/** What begins before this address ends there at the latest. */
	uint32_t is_cut : 1;
};

/** A section of symbols. */
struct section {
	Elf *elf;
	Elf_Data *data;
	GElf_Shdr header;
	/** Of its first symbol. */
	uint32_t number;
};

struct symbol_table {
	ARRAY(struct section) sections;
	/** Sorted by address. */
	ARRAY(struct entry) entries;
};

/** One section of symbols being read. */
struct reader {
	struct symbol_table *table;
	const struct section *section;
	/** Its names. */
	const Elf_Data *names;
	/** The section that the last symbol was in. */
	size_t code_index;
	GElf_Shdr code;
};

/**
 * Of several names for one address the best is: a function rather than a
 * label, visible to other modules rather than local, with few leading
 * underscores (read, not __libc_read; but __vdso_time), global rather than weak.
 */
static uint32_t rank_of(const GElf_Sym *sym, const char *name)
{
	bool is_label = GELF_ST_TYPE(sym->st_info) == STT_NOTYPE;
	bool is_local = GELF_ST_BIND(sym->st_info) == STB_LOCAL;
	bool is_weak = GELF_ST_BIND(sym->st_info) == STB_WEAK;
	// The vdso's own names, of which others are aliases: the frame was not in the C library's.
	bool is_vdso = strncmp(name, "__vdso_", 7) == 0;
	size_t underscores = is_vdso ? 0 : strspn(name, "_");

	if (underscores > 255)
		underscores = 255;
	return (uint32_t)is_label << 17 | (uint32_t)is_local << 16 | (uint32_t)underscores << 8 |
	       (uint32_t)is_weak;
}

static bool is_function(const GElf_Sym *sym)
{
	switch (GELF_ST_TYPE(sym->st_info)) {
	case STT_FUNC:
	case STT_GNU_IFUNC:
	case STT_NOTYPE:
		return sym->st_shndx != SHN_UNDEF && sym->st_shndx < SHN_LORESERVE;
	default:
		return false;
	}
}

static const char *name_of(const struct section *section, const GElf_Sym *sym)
{
	return elf_strptr(section->elf, section->header.sh_link, sym->st_name);
}

static bool has_name(const struct reader *reader, const GElf_Sym *sym)
{
	return sym->st_name < reader->names->d_size &&
	       ((const char *)reader->names->d_buf)[sym->st_name];
}

/** The header of section number @index, if there is code in it. */
static bool find_code(Elf *elf, size_t index, GElf_Shdr *ret)
{
	Elf_Scn *section = elf_getscn(elf, index);

	return section && gelf_getshdr(section, ret) && ret->sh_flags & SHF_EXECINSTR;
}

/** Where it ends, if its size says so. */
static uint64_t end_of(const GElf_Sym *sym, const GElf_Shdr *code)
{
	uint64_t end = code->sh_addr + code->sh_size;

	return sym->st_size && sym->st_size < end - sym->st_value ? sym->st_value + sym->st_size
								  : end;
}

static void add(struct reader *reader, const GElf_Sym *sym, uint32_t number)
{
	struct entry entry = {.address = sym->st_value, .number = number & SYMBOLS_MAX};
	const GElf_Shdr *code = &reader->code;

	if (sym->st_shndx != reader->code_index) {
		reader->code_index = sym->st_shndx;
		if (!find_code(reader->section->elf, sym->st_shndx, &reader->code))
			reader->code = (GElf_Shdr){0};
	}
	// Marks like etext stand at the end of their section and name nothing.
	if (sym->st_value < code->sh_addr || sym->st_value >= code->sh_addr + code->sh_size ||
		!has_name(reader, sym))
		return;
	if (sym->st_size) {
		uint64_t size = end_of(sym, code) - sym->st_value;

		entry.size = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
	}
	*array_add(&reader->table->entries) = entry;
}

/** The names of @section; NULL if they are packed, which libelf would inflate without bound. */
static const Elf_Data *find_names(const struct section *section)
{
	Elf_Scn *names = elf_getscn(section->elf, section->header.sh_link);
	GElf_Shdr header;

	if (!names || !gelf_getshdr(names, &header) || header.sh_type != SHT_STRTAB ||
		header.sh_flags & SHF_COMPRESSED)
		return NULL;
	return elf_getdata(names, NULL);
}

/**
 * Only the first .symtab and the first .dynsym of a file count: thousands of headers may share
 * one range of it. Packed ones are nothing that a linker makes.
 */
static bool is_wanted(const GElf_Shdr *header, unsigned *seen)
{
	unsigned kind = header->sh_type == SHT_SYMTAB ? 1 : header->sh_type == SHT_DYNSYM ? 2 : 0;

	if (!kind || *seen & kind || !header->sh_entsize || header->sh_flags & SHF_COMPRESSED)
		return false;
	*seen |= kind;
	return true;
}

static void read_section(
	struct symbol_table *table, Elf *elf, Elf_Scn *scn, uint32_t *number, unsigned *seen)
{
	struct section section = {.elf = elf, .number = *number};
	struct reader reader = {.table = table, .section = &section};
	size_t count;

	if (!gelf_getshdr(scn, &section.header) || !is_wanted(&section.header, seen))
		return;
	section.data = elf_getdata(scn, NULL);
	if (!section.data)
		return;
	count = section.data->d_size / section.header.sh_entsize;
	if (count > SYMBOLS_MAX - *number)
		count = SYMBOLS_MAX - *number;
	reader.names = find_names(&section);
	if (!reader.names)
		return;
	for (size_t i = 1; i < count; i++) {
		GElf_Sym sym;

		if (gelf_getsym(section.data, (int)i, &sym) && is_function(&sym))
			add(&reader, &sym, *number + (uint32_t)i);
	}
	*number += (uint32_t)count;
	*array_add(&table->sections) = section;
}

/** Of one address the best last. */
static int compare(const struct symbol *a, const struct symbol *b)
{
	size_t length_a, length_b;

	if (a->rank != b->rank)
		return a->rank > b->rank ? -1 : 1;
	length_a = strlen(a->name);
	length_b = strlen(b->name);
	if (length_a != length_b)
		return length_a > length_b ? -1 : 1;
	return strcmp(b->name, a->name);
}

/** By the bits of the address from @shift on, in the order of @from where they are equal. */
static void sort_by_digit(const struct entry *from, struct entry *to, size_t count, unsigned shift)
{
	size_t starts[1 << DIGIT] = {0}, start = 0;

	for (size_t i = 0; i < count; i++)
		starts[from[i].address >> shift & (ARRAY_SIZE(starts) - 1)]++;
	for (size_t i = 0; i < ARRAY_SIZE(starts); i++) {
		size_t size = starts[i];

		starts[i] = start;
		start += size;
	}
	for (size_t i = 0; i < count; i++)
		to[starts[from[i].address >> shift & (ARRAY_SIZE(starts) - 1)]++] = from[i];
}

/**
 * Digit by digit: the tables of compilers have 100,000 symbols, and comparing them is
 * what a first look would cost most.
 */
static void sort(struct symbol_table *table)
{
	size_t count = table->entries.count;
	struct entry *from = table->entries.data, *to;
	uint64_t different = 0;

	for (size_t i = 1; i < count; i++)
		different |= from[i].address ^ from[0].address;
	if (!different)
		return;
	to = xcalloc(count, sizeof(*to));
	for (unsigned shift = 0; shift < 64; shift += DIGIT) {
		struct entry *sorted = to;

		if (!(different >> shift & ((1 << DIGIT) - 1)))
			continue;
		sort_by_digit(from, to, count, shift);
		to = from;
		from = sorted;
	}
	free(to);
	table->entries.data = from;
	table->entries.capacity = count;
}

/** Marks where what begins earlier does not matter any more. */
static void mark_cuts(struct symbol_table *table)
{
	uint64_t before = 0, reach = 0, address = 0;

	array_for_each (entry, &table->entries) {
		uint64_t size = entry->size == UINT32_MAX ? UINT64_MAX : entry->size;

		if (entry->address != address)
			before = reach;
		address = entry->address;
		entry->is_cut = before <= address;
		if (size > UINT64_MAX - address)
			size = UINT64_MAX - address;
		if (address + size > reach)
			reach = address + size;
	}
}

struct symbol_table *symbol_table_create(struct elf_file *const *files, size_t count)
{
	struct symbol_table *table = xcalloc(1, sizeof(*table));
	uint32_t number = 0;

	for (size_t i = 0; i < count; i++) {
		Elf_Scn *section = NULL;
		unsigned seen = 0;

		while (files[i] && (section = elf_nextscn(files[i]->elf, section)))
			read_section(table, files[i]->elf, section, &number, &seen);
	}
	sort(table);
	mark_cuts(table);
	return table;
}

void symbol_table_destroy(struct symbol_table *table)
{
	if (!table)
		return;
	array_deinit(&table->sections);
	array_deinit(&table->entries);
	free(table);
}

/** The first entry behind @address. */
static size_t find_next(const struct symbol_table *table, uint64_t address)
{
	size_t low = 0, high = table->entries.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (table->entries.data[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/** Reads all of the symbol; false if it has no name. */
static bool read_symbol(
	const struct symbol_table *table, const struct entry *entry, struct symbol *ret)
{
	const struct section *section = table->sections.data;
	GElf_Shdr code;
	GElf_Sym sym;

	while (section + 1 < table->sections.data + table->sections.count &&
		section[1].number <= entry->number)
		section++;
	if (!gelf_getsym(section->data, (int)(entry->number - section->number), &sym) ||
		!find_code(section->elf, sym.st_shndx, &code))
		return false;
	*ret = (struct symbol){
		.address = sym.st_value,
		.end = end_of(&sym, &code),
		.name = name_of(section, &sym),
	};
	// A file that was cut meanwhile has zeroes there.
	if (!ret->name || !ret->name[0])
		return false;
	if (!sym.st_size && section->header.sh_type == SHT_DYNSYM)
		ret->end = ret->address + 1;
	ret->rank = rank_of(&sym, ret->name);
	return true;
}

/** Of two for one address: the inner one, else the better. */
static bool is_better(const struct symbol *symbol, const struct symbol *than)
{
	return symbol->end != than->end ? symbol->end < than->end : compare(symbol, than) > 0;
}

/**
 * The best of the entries before number @*at with one address, those that have a size or those
 * that have none; false if none covers @address. Moves @*at to the first of them.
 */
static bool find_at(const struct symbol_table *table, size_t *at, uint64_t address, bool is_label,
	struct symbol *ret)
{
	const struct entry *entries = table->entries.data;
	uint64_t start = entries[*at - 1].address;
	bool is_found = false;

	for (; *at && entries[*at - 1].address == start; --*at) {
		const struct entry *entry = &entries[*at - 1];
		uint64_t covered = address - start;
		struct symbol symbol;

		if (is_label != !entry->size ||
			(!is_label && entry->size <= covered && entry->size != UINT32_MAX) ||
			!read_symbol(table, entry, &symbol) || symbol.end <= address)
			continue;
		if (!is_found || is_better(&symbol, ret))
			*ret = symbol;
		is_found = true;
	}
	return is_found;
}

bool symbol_find(const struct symbol_table *table, uint64_t address, struct symbol *ret)
{
	size_t next = find_next(table, address), at = next;

	while (at) {
		bool is_cut = table->entries.data[at - 1].is_cut;

		if (find_at(table, &at, address, /* is_label= */ false, ret))
			return true;
		if (is_cut)
			break;
	}
	// One without a size does not reach beyond the next symbol.
	at = next;
	return at && find_at(table, &at, address, /* is_label= */ true, ret);
}
