// SPDX-License-Identifier: MIT
// Copyright the tracer authors
// Every address around every symbol of a program (DWARF_OF lists them), against a search through
// all symbols by the rules of doc/unwinding.md.
#include "unit.h"

#include <gelf.h>
#include <string.h>

#include "base/array.h"
#include "dwarf_program.h"
#include "unwind/elf/symbol.h"

struct known {
	uint64_t address, size;
	const char *name;
	bool is_label, is_local, is_weak;
};

struct list {
	ARRAY(struct known) symbols;
	/** Of executable sections. */
	ARRAY(GElf_Shdr) code;
};

static void add_symbols(struct list *list, Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Sym sym;

	for (int i = 1; gelf_getsym(data, i, &sym); i++) {
		unsigned type = GELF_ST_TYPE(sym.st_info);
		GElf_Shdr code;

		if ((type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE) ||
			sym.st_shndx == SHN_UNDEF || sym.st_shndx >= SHN_LORESERVE ||
			!gelf_getshdr(elf_getscn(elf, sym.st_shndx), &code) ||
			!(code.sh_flags & SHF_EXECINSTR) ||
			sym.st_value - code.sh_addr >= code.sh_size)
			continue;
		*array_add(&list->symbols) = (struct known){
			.address = sym.st_value,
			.size = sym.st_size,
			.name = elf_strptr(elf, header->sh_link, sym.st_name),
			.is_label = type == STT_NOTYPE,
			.is_local = GELF_ST_BIND(sym.st_info) == STB_LOCAL,
			.is_weak = GELF_ST_BIND(sym.st_info) == STB_WEAK,
		};
	}
}

static void read_list(struct list *list, Elf *elf)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;

		gelf_getshdr(section, &header);
		if (header.sh_type == SHT_SYMTAB)
			add_symbols(list, elf, section, &header);
		else if (header.sh_flags & SHF_EXECINSTR)
			*array_add(&list->code) = header;
	}
}

/** "Of several symbols of one address the first of these wins". */
static bool wins(const struct known *symbol, const struct known *over)
{
	size_t mine = strspn(symbol->name, "_"), other = strspn(over->name, "_");

	if (symbol->is_label != over->is_label)
		return over->is_label;
	if (symbol->is_local != over->is_local)
		return over->is_local;
	if (mine != other)
		return mine < other;
	if (symbol->is_weak != over->is_weak)
		return over->is_weak;
	mine = strlen(symbol->name);
	other = strlen(over->name);
	return mine != other ? mine < other : strcmp(symbol->name, over->name) < 0;
}

/** Whether, of two that cover the same address, @symbol is inside @outer, or wins over it. */
static bool is_inside(const struct known *symbol, const struct known *outer)
{
	if (symbol->address != outer->address)
		return symbol->address > outer->address;
	return symbol->size != outer->size ? symbol->size < outer->size : wins(symbol, outer);
}

static const struct known *search(const struct list *list, uint64_t address)
{
	const struct known *sized = NULL, *label = NULL, *last = NULL;

	array_for_each (symbol, &list->symbols) {
		if (symbol->address > address)
			continue;
		if (address - symbol->address < symbol->size &&
			(!sized || is_inside(symbol, sized)))
			sized = symbol;
		if (!last || symbol->address > last->address)
			last = symbol;
		if (!symbol->size && (!label || is_inside(symbol, label)))
			label = symbol;
	}
	if (sized || !label || label->address != last->address)
		return sized;
	array_for_each (code, &list->code) {
		if (label->address - code->sh_addr < code->sh_size &&
			address - code->sh_addr < code->sh_size)
			return label;
	}
	return NULL;
}

static void check_file(const char *path)
{
	struct elf_file *file = dwarf_program_open(path);
	struct symbol_table *table;
	struct list list = {0};

	read_list(&list, file->elf);
	assert_true(list.symbols.count > 20);
	table = symbol_table_create(&file, 1);
	array_for_each (symbol, &list.symbols) {
		const uint64_t around[] = {symbol->address - 1, symbol->address,
			symbol->address + 1, symbol->address + symbol->size - 1,
			symbol->address + symbol->size};

		for (size_t i = 0; i < ARRAY_SIZE(around); i++) {
			const struct known *expected = search(&list, around[i]);
			struct symbol found;

			if (!symbol_find(table, around[i], &found)) {
				assert_null(expected);
				continue;
			}
			// The dynamic symbols are among them a second time.
			assert_non_null(expected);
			assert_int_equal(found.address, expected->address);
			assert_string_equal(found.name, expected->name);
		}
	}
	symbol_table_destroy(table);
	array_deinit(&list.symbols);
	array_deinit(&list.code);
	elf_file_destroy(file);
}

CASE(the_rules_for_all_symbols)
{
	dwarf_program_each(check_file);
}

RUN_CASES(ADD(the_rules_for_all_symbols));
