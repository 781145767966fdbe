// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/frame/cfi_bounds.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>
#include <stdint.h>
#include <string.h>

#include "base/array.h"

enum {
	/** No machine that we trace has more, with all of its vectors. */
	REGISTERS_MAX = 256,
	/** States that are remembered at once; compilers nest one. */
	STATES_MAX = 64,
	OPCODE_MASK = 0xc0,
};

/** Operands: r register, u number, b block, 1 2 4 8 bytes, a encoded address. */
static const char *const operands[] = {
	[DW_CFA_nop] = "",
	[DW_CFA_set_loc] = "a",
	[DW_CFA_advance_loc1] = "1",
	[DW_CFA_advance_loc2] = "2",
	[DW_CFA_advance_loc4] = "4",
	[DW_CFA_offset_extended] = "ru",
	[DW_CFA_restore_extended] = "r",
	[DW_CFA_undefined] = "r",
	[DW_CFA_same_value] = "r",
	[DW_CFA_register] = "rr",
	[DW_CFA_remember_state] = "",
	[DW_CFA_restore_state] = "",
	[DW_CFA_def_cfa] = "ru",
	[DW_CFA_def_cfa_register] = "r",
	[DW_CFA_def_cfa_offset] = "u",
	[DW_CFA_def_cfa_expression] = "b",
	[DW_CFA_expression] = "rb",
	[DW_CFA_offset_extended_sf] = "ru",
	[DW_CFA_def_cfa_sf] = "ru",
	[DW_CFA_def_cfa_offset_sf] = "u",
	[DW_CFA_val_offset] = "ru",
	[DW_CFA_val_offset_sf] = "ru",
	[DW_CFA_val_expression] = "rb",
	[DW_CFA_GNU_window_save] = "",
	[DW_CFA_GNU_args_size] = "u",
	[DW_CFA_GNU_negative_offset_extended] = "ru",
};

/** Addresses of one descriptor, as its CIE says. */
struct layout {
	Dwarf_Off cie;
	unsigned address_size;
	/** Descriptors begin with the size of what augments them. */
	bool is_augmented;
	bool is_known;
};

struct program {
	const uint8_t *at, *end;
	unsigned address_size;
};

static uint64_t get_leb(struct program *program)
{
	uint64_t value = 0;

	for (unsigned shift = 0; program->at < program->end; shift += 7) {
		uint8_t byte = *program->at++;

		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			break;
	}
	return value;
}

static void skip(struct program *program, uint64_t size)
{
	uint64_t left = (uint64_t)(program->end - program->at);

	program->at += size < left ? size : left;
}

/** Of an operation that is not packed into one byte; false if it names too high a register. */
static bool skip_operands(struct program *program, const char *kinds)
{
	for (; *kinds; kinds++) {
		if (*kinds == 'r' && get_leb(program) >= REGISTERS_MAX)
			return false;
		if (*kinds == 'u')
			get_leb(program);
		else if (*kinds == 'b')
			skip(program, get_leb(program));
		else if (*kinds == 'a')
			skip(program, program->address_size);
		else if (*kinds != 'r')
			skip(program, (uint64_t)(*kinds - '0'));
	}
	return true;
}

static bool is_bounded(struct program program)
{
	unsigned states = 0;

	while (program.at < program.end) {
		uint8_t opcode = *program.at++;

		if (opcode & OPCODE_MASK) {
			// Register numbers in the opcode are below 64.
			if ((opcode & OPCODE_MASK) == DW_CFA_offset)
				get_leb(&program);
			continue;
		}
		// libdw ends there as well.
		if (opcode >= ARRAY_SIZE(operands) || !operands[opcode])
			return true;
		if (opcode == DW_CFA_remember_state && ++states > STATES_MAX)
			return false;
		states -= opcode == DW_CFA_restore_state && states;
		if (!skip_operands(&program, operands[opcode]))
			return false;
	}
	return true;
}

static unsigned encoded_size(uint8_t encoding, unsigned address_size)
{
	switch (encoding & 0x07) {
	case DW_EH_PE_udata2:
		return 2;
	case DW_EH_PE_udata4:
		return 4;
	case DW_EH_PE_udata8:
		return 8;
	default:
		return address_size;
	}
}

/** The encoding that letter R of the augmentation stands for; what P stands for is skipped. */
static unsigned address_size_of(const Dwarf_CIE *cie, unsigned address_size)
{
	struct program data = {cie->augmentation_data,
		cie->augmentation_data + cie->augmentation_data_size, address_size};

	for (const char *letter = cie->augmentation + 1; *letter && data.at < data.end; letter++) {
		if (*letter == 'R')
			return encoded_size(*data.at, address_size);
		if (*letter == 'P')
			skip(&data, 1 + encoded_size(*data.at, address_size));
		else if (*letter == 'L')
			skip(&data, 1);
	}
	return address_size;
}

static void read_cie(struct layout *layout, const Dwarf_CIE *cie, Dwarf_Off offset, unsigned size)
{
	*layout = (struct layout){.cie = offset, .address_size = size, .is_known = true};
	layout->is_augmented = cie->augmentation && cie->augmentation[0] == 'z';
	if (layout->is_augmented && cie->augmentation_data)
		layout->address_size = address_size_of(cie, size);
}

static struct program program_of(const Dwarf_FDE *fde, const struct layout *layout)
{
	struct program program = {fde->start, fde->end, layout->address_size};

	skip(&program, 2 * (uint64_t)layout->address_size);
	if (layout->is_augmented)
		skip(&program, get_leb(&program));
	return program;
}

static bool is_end(const Elf_Data *data, Dwarf_Off offset)
{
	static const uint32_t end;

	return data->d_size - offset >= sizeof(end) &&
	       !memcmp((const char *)data->d_buf + offset, &end, sizeof(end));
}

/** A section that is looked through. */
struct looker {
	const unsigned char *ident;
	Elf_Data *data;
	bool is_eh_frame;
	unsigned address_size;
	struct layout layout;
};

static bool is_cie_bounded(struct looker *looker, const Dwarf_CIE *cie, Dwarf_Off offset)
{
	struct program program = {
		.at = cie->initial_instructions, .end = cie->initial_instructions_end};

	read_cie(&looker->layout, cie, offset, looker->address_size);
	program.address_size = looker->layout.address_size;
	return is_bounded(program);
}

/** One whose CIE cannot be read is nothing to libdw either. */
static bool is_fde_bounded(struct looker *looker, const Dwarf_FDE *fde)
{
	Dwarf_CFI_Entry entry;
	Dwarf_Off next;

	if (!looker->layout.is_known || looker->layout.cie != fde->CIE_pointer) {
		if (dwarf_next_cfi(looker->ident, looker->data, looker->is_eh_frame,
			    fde->CIE_pointer, &next, &entry) ||
			!dwarf_cfi_cie_p(&entry))
			return true;
		read_cie(&looker->layout, &entry.cie, fde->CIE_pointer, looker->address_size);
	}
	return is_bounded(program_of(fde, &looker->layout));
}

bool cfi_is_bounded(Elf *elf, const Elf_Data *data, bool is_eh_frame)
{
	const unsigned char *ident = (const unsigned char *)elf_getident(elf, NULL);
	struct looker looker = {
		.ident = ident, .data = (Elf_Data *)data, .is_eh_frame = is_eh_frame};
	Dwarf_Off offset = 0, next;
	Dwarf_CFI_Entry entry;
	bool is_ok = true;

	if (!ident || !data)
		return true;
	looker.address_size = ident[EI_CLASS] == ELFCLASS32 ? 4 : 8;
	for (; is_ok && offset < data->d_size; offset = next) {
		if (!dwarf_next_cfi(ident, looker.data, is_eh_frame, offset, &next, &entry))
			is_ok = dwarf_cfi_cie_p(&entry)
					? is_cie_bounded(&looker, &entry.cie, offset)
					: is_fde_bounded(&looker, &entry.fde);
		else if (is_end(data, offset))
			// A search table may lead behind what looks like the end.
			next = offset + sizeof(uint32_t);
		else
			break;
	}
	return is_ok;
}
