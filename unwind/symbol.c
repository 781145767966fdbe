// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/symbol.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/cleanup.h"
#include "unwind/elf_file.h"
#include "unwind/interval_map.h"

struct symbol_table {
	ARRAY(struct symbol) symbols;
	/** Symbols with a size, and those without. */
	struct interval_map sized, labels;
};

/** One section of symbols being read. */
struct reader {
	struct symbol_table *table;
	Elf *elf;
	Elf_Data *data;
	GElf_Shdr header;
};

/**
 * Of several names for one address the best is: a function rather than a
 * label, visible to other modules rather than local, with few leading
 * underscores (read, not __libc_read), global rather than weak.
 */
static uint32_t rank_of(const GElf_Sym *sym, const char *name)
{
	bool is_label = GELF_ST_TYPE(sym->st_info) == STT_NOTYPE;
	bool is_local = GELF_ST_BIND(sym->st_info) == STB_LOCAL;
	bool is_weak = GELF_ST_BIND(sym->st_info) == STB_WEAK;
	size_t underscores = strspn(name, "_");

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

static void add(struct reader *reader, const GElf_Sym *sym)
{
	Elf_Scn *section = elf_getscn(reader->elf, sym->st_shndx);
	struct symbol symbol = {.address = sym->st_value};
	uint64_t section_end;
	GElf_Shdr header;

	if (!section || !gelf_getshdr(section, &header) || !(header.sh_flags & SHF_EXECINSTR))
		return;
	section_end = header.sh_addr + header.sh_size;
	// Marks like etext stand at the end of their section and name nothing.
	if (symbol.address < header.sh_addr || symbol.address >= section_end)
		return;
	symbol.name = elf_strptr(reader->elf, reader->header.sh_link, sym->st_name);
	if (!symbol.name || !symbol.name[0])
		return;
	symbol.is_label = !sym->st_size;
	symbol.end = section_end;
	if (sym->st_size && sym->st_size < section_end - symbol.address)
		symbol.end = symbol.address + sym->st_size;
	else if (!sym->st_size && reader->header.sh_type == SHT_DYNSYM)
		symbol.end = symbol.address + 1;
	symbol.rank = rank_of(sym, symbol.name);
	*array_add(&reader->table->symbols) = symbol;
}

static void read_section(struct symbol_table *table, Elf *elf, Elf_Scn *section)
{
	struct reader reader = {.table = table, .elf = elf};
	size_t count;

	if (!gelf_getshdr(section, &reader.header) || !reader.header.sh_entsize)
		return;
	if (reader.header.sh_type != SHT_SYMTAB && reader.header.sh_type != SHT_DYNSYM)
		return;
	reader.data = elf_getdata(section, NULL);
	if (!reader.data)
		return;
	count = reader.data->d_size / reader.header.sh_entsize;
	for (size_t i = 1; i < count; i++) {
		GElf_Sym sym;

		if (gelf_getsym(reader.data, (int)i, &sym) && is_function(&sym))
			add(&reader, &sym);
	}
}

/** Of one address the best last. */
static int compare(const void *left, const void *right)
{
	const struct symbol *a = left, *b = right;
	size_t length_a, length_b;

	if (a->rank != b->rank)
		return a->rank > b->rank ? -1 : 1;
	length_a = strlen(a->name);
	length_b = strlen(b->name);
	if (length_a != length_b)
		return length_a > length_b ? -1 : 1;
	return strcmp(b->name, a->name);
}

/** By byte number @byte of the address, in the order of @from where that is equal. */
static void sort_by_byte(const struct symbol *from, struct symbol *to, size_t count, unsigned byte)
{
	size_t starts[256] = {0}, start = 0;

	for (size_t i = 0; i < count; i++)
		starts[from[i].address >> 8 * byte & 0xff]++;
	for (size_t i = 0; i < ARRAY_SIZE(starts); i++) {
		size_t size = starts[i];

		starts[i] = start;
		start += size;
	}
	for (size_t i = 0; i < count; i++)
		to[starts[from[i].address >> 8 * byte & 0xff]++] = from[i];
}

/**
 * Byte by byte: the tables of compilers have 100,000 symbols, and comparing them is
 * what a first look would cost most.
 */
static void sort(struct symbol_table *table)
{
	size_t count = table->symbols.count, end;
	cleanup_free struct symbol *other = xcalloc(count, sizeof(*other));
	struct symbol *from = table->symbols.data, *to = other;
	uint64_t all = 0;

	for (size_t i = 0; i < count; i++)
		all |= from[i].address;
	for (unsigned byte = 0; byte < sizeof(all) && all >> 8 * byte; byte++) {
		struct symbol *sorted = to;

		sort_by_byte(from, to, count, byte);
		to = from;
		from = sorted;
	}
	if (from != table->symbols.data)
		memcpy(table->symbols.data, from, count * sizeof(*from));
	from = table->symbols.data;
	for (size_t i = 0; i < count; i = end) {
		for (end = i + 1; end < count && from[end].address == from[i].address;)
			end++;
		if (end - i > 1)
			qsort(from + i, end - i, sizeof(*from), compare);
	}
}

static void index_symbols(struct symbol_table *table)
{
	uint64_t next = UINT64_MAX;

	if (!table->symbols.count)
		return;
	sort(table);
	for (size_t i = table->symbols.count; i-- > 0;) {
		struct symbol *symbol = &table->symbols.data[i];

		if (i + 1 < table->symbols.count && symbol[1].address != symbol->address)
			next = symbol[1].address;
		if (symbol->is_label && symbol->end > next)
			symbol->end = next;
	}
	for (size_t i = 0; i < table->symbols.count; i++) {
		const struct symbol *symbol = &table->symbols.data[i];

		interval_map_add(symbol->is_label ? &table->labels : &table->sized, symbol->address,
			symbol->end, (uint32_t)i);
	}
}

struct symbol_table *symbol_table_create(struct elf_file *const *files, size_t count)
{
	struct symbol_table *table = xcalloc(1, sizeof(*table));

	for (size_t i = 0; i < count; i++) {
		Elf_Scn *section = NULL;

		while (files[i] && (section = elf_nextscn(files[i]->elf, section)))
			read_section(table, files[i]->elf, section);
	}
	index_symbols(table);
	interval_map_seal(&table->sized);
	interval_map_seal(&table->labels);
	return table;
}

void symbol_table_destroy(struct symbol_table *table)
{
	if (!table)
		return;
	array_deinit(&table->symbols);
	interval_map_deinit(&table->sized);
	interval_map_deinit(&table->labels);
	free(table);
}

const struct symbol *symbol_find(const struct symbol_table *table, uint64_t address)
{
	uint32_t index = interval_map_find(&table->sized, address);

	if (index == INTERVAL_NONE)
		index = interval_map_find(&table->labels, address);
	return index == INTERVAL_NONE ? NULL : &table->symbols.data[index];
}
