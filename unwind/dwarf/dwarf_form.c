// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/dwarf/dwarf_form.h"

#include <dwarf.h>

#include "base/array.h"

/** Sizes that no value has, for those that the layout tells. */
enum {
	SIZE_OF_ADDRESS = 100,
	SIZE_OF_OFFSET,
	/** To any unit. */
	SIZE_OF_REFERENCE,
};

static const struct dwarf_form forms[] = {
	[DW_FORM_flag_present] = {0, DWARF_FORM_FIXED},
	[DW_FORM_implicit_const] = {0, DWARF_FORM_FIXED},
	[DW_FORM_data1] = {1, DWARF_FORM_FIXED, DWARF_CLASS_CONSTANT},
	[DW_FORM_ref1] = {1, DWARF_FORM_FIXED, DWARF_CLASS_REFERENCE},
	[DW_FORM_flag] = {1, DWARF_FORM_FIXED},
	[DW_FORM_strx1] = {1, DWARF_FORM_FIXED},
	[DW_FORM_addrx1] = {1, DWARF_FORM_FIXED},
	[DW_FORM_data2] = {2, DWARF_FORM_FIXED, DWARF_CLASS_CONSTANT},
	[DW_FORM_ref2] = {2, DWARF_FORM_FIXED, DWARF_CLASS_REFERENCE},
	[DW_FORM_strx2] = {2, DWARF_FORM_FIXED},
	[DW_FORM_addrx2] = {2, DWARF_FORM_FIXED},
	[DW_FORM_strx3] = {3, DWARF_FORM_FIXED},
	[DW_FORM_addrx3] = {3, DWARF_FORM_FIXED},
	[DW_FORM_data4] = {4, DWARF_FORM_FIXED, DWARF_CLASS_CONSTANT},
	[DW_FORM_ref4] = {4, DWARF_FORM_FIXED, DWARF_CLASS_REFERENCE},
	[DW_FORM_ref_sup4] = {4, DWARF_FORM_FIXED},
	[DW_FORM_strx4] = {4, DWARF_FORM_FIXED},
	[DW_FORM_addrx4] = {4, DWARF_FORM_FIXED},
	[DW_FORM_data8] = {8, DWARF_FORM_FIXED, DWARF_CLASS_CONSTANT},
	[DW_FORM_ref8] = {8, DWARF_FORM_FIXED, DWARF_CLASS_REFERENCE},
	[DW_FORM_ref_sig8] = {8, DWARF_FORM_FIXED},
	[DW_FORM_ref_sup8] = {8, DWARF_FORM_FIXED},
	[DW_FORM_data16] = {16, DWARF_FORM_FIXED},
	[DW_FORM_addr] = {SIZE_OF_ADDRESS, DWARF_FORM_FIXED, DWARF_CLASS_ADDRESS},
	[DW_FORM_ref_addr] = {SIZE_OF_REFERENCE, DWARF_FORM_FIXED},
	[DW_FORM_strp] = {SIZE_OF_OFFSET, DWARF_FORM_FIXED},
	[DW_FORM_line_strp] = {SIZE_OF_OFFSET, DWARF_FORM_FIXED},
	[DW_FORM_strp_sup] = {SIZE_OF_OFFSET, DWARF_FORM_FIXED},
	[DW_FORM_sec_offset] = {SIZE_OF_OFFSET, DWARF_FORM_FIXED, DWARF_CLASS_OFFSET},
	[DW_FORM_udata] = {0, DWARF_FORM_LEB, DWARF_CLASS_CONSTANT},
	[DW_FORM_sdata] = {0, DWARF_FORM_LEB},
	[DW_FORM_ref_udata] = {0, DWARF_FORM_LEB, DWARF_CLASS_REFERENCE},
	[DW_FORM_strx] = {0, DWARF_FORM_LEB},
	[DW_FORM_addrx] = {0, DWARF_FORM_LEB},
	[DW_FORM_loclistx] = {0, DWARF_FORM_LEB},
	[DW_FORM_rnglistx] = {0, DWARF_FORM_LEB},
	[DW_FORM_string] = {0, DWARF_FORM_STRING},
	[DW_FORM_block1] = {1, DWARF_FORM_BLOCK},
	[DW_FORM_block2] = {2, DWARF_FORM_BLOCK},
	[DW_FORM_block4] = {4, DWARF_FORM_BLOCK},
	[DW_FORM_block] = {0, DWARF_FORM_LEB_BLOCK},
	[DW_FORM_exprloc] = {0, DWARF_FORM_LEB_BLOCK},
	[DW_FORM_indirect] = {0, DWARF_FORM_INDIRECT},
};

/** The size that @size stands for in the table. */
static uint32_t size_by(const struct dwarf_layout *layout, uint32_t size)
{
	switch (size) {
	case SIZE_OF_REFERENCE:
		// The first version counted references as addresses.
		return layout->version == 2 ? layout->address_size : layout->offset_size;
	case SIZE_OF_ADDRESS:
		return layout->address_size;
	case SIZE_OF_OFFSET:
		return layout->offset_size;
	default:
		return size;
	}
}

static const struct dwarf_form *look_up(uint64_t code)
{
	if (code < ARRAY_SIZE(forms))
		return &forms[code];
	switch (code) {
	case DW_FORM_GNU_addr_index:
	case DW_FORM_GNU_str_index:
		return &forms[DW_FORM_strx];
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_GNU_strp_alt:
		return &forms[DW_FORM_strp_sup];
	default:
		return &forms[0];
	}
}

struct dwarf_form dwarf_form(uint64_t code, const struct dwarf_layout *layout)
{
	const struct dwarf_form *form = look_up(code);

	if (form->size < SIZE_OF_ADDRESS)
		return *form;
	return (struct dwarf_form){size_by(layout, form->size), form->kind, form->class};
}
