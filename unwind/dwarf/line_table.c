// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/dwarf/line_table.h"

#include <dwarf.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/array.h"
#include "unwind/dwarf/dwarf_form.h"

enum {
	/** Rows of one table. */
	ROWS_MAX = 1 << 24,
	/** Attributes of a file or folder in DWARF 5; there are five kinds. */
	FORMATS_MAX = 32,
};

struct line_file {
	/** As in the table; NULL: that of no file. */
	const char *name;
	uint64_t folder;
	/** With the folder, once asked for. */
	const char *path;
};

/** Rows that follow each other in memory, ends with its end; rows are sorted in it. */
struct sequence {
	/** Of the first row, and how many. */
	size_t first, count;
};

struct line_table {
	struct arena arena;
	ARRAY(const char *) folders;
	ARRAY(struct line_file) files;
	/** Sorted: by address, ends first, then by sequence. */
	ARRAY(struct line_row) rows;
};

/** A table being read. */
struct reader {
	struct line_table *table;
	const struct line_sections *sections;
	/** Header and program. */
	struct dwarf_bytes bytes;
	const uint8_t *program;
	struct dwarf_layout layout;
	uint8_t least_size, operations_most, line_range, opcode_base;
	int8_t line_base;
	uint8_t operands[256];
	ARRAY(struct sequence) sequences;

	/** The state machine. */
	struct line_row row;
	uint64_t operation;
	/** Some row is before one that was added earlier to its sequence. */
	bool is_mixed;
};

static const char *string_at(const struct dwarf_bytes *section, uint64_t offset)
{
	struct dwarf_bytes bytes = *section;

	dwarf_bytes_skip(&bytes, offset);
	return dwarf_bytes_string(&bytes);
}

static void add_file(struct line_table *table, const char *name, uint64_t folder)
{
	*array_add(&table->files) = (struct line_file){.name = name, .folder = folder};
}

/** A name of DWARF 2 to 4: the string, then folder, time and size. */
static void read_file(struct reader *reader, const char *name)
{
	uint64_t folder = dwarf_bytes_unsigned(&reader->bytes);

	dwarf_bytes_unsigned(&reader->bytes);
	dwarf_bytes_unsigned(&reader->bytes);
	add_file(reader->table, name, folder);
}

/** Folders and files of DWARF 2 to 4, both from number 1. */
static void read_old_names(struct reader *reader, const char *folder)
{
	const char *name;

	*array_add(&reader->table->folders) = folder;
	while ((name = dwarf_bytes_string(&reader->bytes)) && name[0])
		*array_add(&reader->table->folders) = name;
	add_file(reader->table, NULL, 0);
	while ((name = dwarf_bytes_string(&reader->bytes)) && name[0])
		read_file(reader, name);
}

/** One attribute of an entry, which is a string or a number or neither. */
static void read_value(struct reader *reader, uint64_t code, struct dwarf_form form,
	const char **text, uint64_t *number)
{
	struct dwarf_bytes *bytes = &reader->bytes;

	switch (code) {
	case DW_FORM_string:
		*text = dwarf_bytes_string(bytes);
		break;
	case DW_FORM_line_strp:
		*text = string_at(&reader->sections->line_strings,
			dwarf_bytes_fixed(bytes, reader->layout.offset_size));
		break;
	case DW_FORM_strp:
		*text = string_at(&reader->sections->strings,
			dwarf_bytes_fixed(bytes, reader->layout.offset_size));
		break;
	case DW_FORM_data16:
	case DW_FORM_block:
		dwarf_form_skip(bytes, form);
		break;
	default:
		if (form.class == DWARF_CLASS_CONSTANT)
			*number = dwarf_form_number(bytes, form);
		else
			dwarf_bytes_fail(bytes);
	}
}

/** The folders, or the files, of DWARF 5, both from number 0. */
static void read_names(struct reader *reader, bool are_files)
{
	struct dwarf_bytes *bytes = &reader->bytes;
	struct {
		uint64_t type, code;
		struct dwarf_form form;
	} formats[FORMATS_MAX];
	uint64_t format_count = dwarf_bytes_u8(bytes), count;

	if (format_count > FORMATS_MAX)
		dwarf_bytes_fail(bytes);
	for (uint64_t i = 0; i < format_count && !bytes->is_bad; i++) {
		formats[i].type = dwarf_bytes_unsigned(bytes);
		formats[i].code = dwarf_bytes_unsigned(bytes);
		formats[i].form = dwarf_form(formats[i].code, &reader->layout);
	}
	count = dwarf_bytes_unsigned(bytes);
	// An entry without attributes takes no bytes, so nothing else would bound them.
	if (count && !format_count)
		dwarf_bytes_fail(bytes);
	for (uint64_t i = 0; i < count && !bytes->is_bad; i++) {
		const char *name = NULL;
		uint64_t folder = 0;

		for (uint64_t j = 0; j < format_count; j++) {
			const char *text = NULL;
			uint64_t number = 0;

			read_value(reader, formats[j].code, formats[j].form, &text, &number);
			if (formats[j].type == DW_LNCT_path)
				name = text;
			else if (formats[j].type == DW_LNCT_directory_index)
				folder = number;
		}
		if (!name)
			dwarf_bytes_fail(bytes);
		else if (are_files)
			add_file(reader->table, name, folder);
		else
			*array_add(&reader->table->folders) = name;
	}
}

/** Everything before the names; false if it makes no sense. */
static bool read_header(struct reader *reader, uint64_t offset)
{
	struct dwarf_layout *layout = &reader->layout;
	struct dwarf_bytes *bytes = &reader->bytes;
	uint64_t length;

	*bytes = reader->sections->lines;
	dwarf_bytes_skip(bytes, offset);
	length = dwarf_bytes_length(bytes, &layout->offset_size);
	if (bytes->is_bad || !dwarf_bytes_has(bytes, length))
		return false;
	bytes->end = bytes->at + length;
	layout->version = (unsigned)dwarf_bytes_fixed(bytes, 2);
	if (layout->version < 2 || layout->version > 5)
		return false;
	if (layout->version == 5) {
		layout->address_size = dwarf_bytes_u8(bytes);
		// Of segments, which no machine has.
		dwarf_bytes_u8(bytes);
	}
	length = dwarf_bytes_fixed(bytes, layout->offset_size);
	if ((layout->address_size != 4 && layout->address_size != 8) ||
		!dwarf_bytes_has(bytes, length))
		return false;
	reader->program = bytes->at + length;
	reader->least_size = dwarf_bytes_u8(bytes);
	reader->operations_most = layout->version >= 4 ? dwarf_bytes_u8(bytes) : 1;
	// Which rows are statements makes no difference here.
	dwarf_bytes_u8(bytes);
	reader->line_base = (int8_t)dwarf_bytes_u8(bytes);
	reader->line_range = dwarf_bytes_u8(bytes);
	reader->opcode_base = dwarf_bytes_u8(bytes);
	for (unsigned i = 1; i < reader->opcode_base; i++)
		reader->operands[i] = dwarf_bytes_u8(bytes);
	return !bytes->is_bad && reader->operations_most && reader->line_range &&
	       reader->opcode_base;
}

/** Whether opcodes that are known take what they should. */
static bool are_operands_known(const struct reader *reader)
{
	static const uint8_t known[] = {
		[DW_LNS_copy] = 0,
		[DW_LNS_advance_pc] = 1,
		[DW_LNS_advance_line] = 1,
		[DW_LNS_set_file] = 1,
		[DW_LNS_set_column] = 1,
		[DW_LNS_negate_stmt] = 0,
		[DW_LNS_set_basic_block] = 0,
		[DW_LNS_const_add_pc] = 0,
		[DW_LNS_fixed_advance_pc] = 1,
		[DW_LNS_set_prologue_end] = 0,
		[DW_LNS_set_epilogue_begin] = 0,
		[DW_LNS_set_isa] = 1,
	};

	for (unsigned i = 1; i < ARRAY_SIZE(known) && i < reader->opcode_base; i++) {
		if (reader->operands[i] != known[i])
			return false;
	}
	return true;
}

static void reset(struct reader *reader)
{
	reader->row = (struct line_row){.file = 1, .line = 1};
	reader->operation = 0;
}

static void advance(struct reader *reader, uint64_t operations)
{
	if (reader->operations_most == 1) {
		reader->row.address += reader->least_size * operations;
		return;
	}
	operations += reader->operation;
	reader->row.address += reader->least_size * (operations / reader->operations_most);
	reader->operation = operations % reader->operations_most;
}

static void add_row(struct reader *reader)
{
	struct line_table *table = reader->table;
	size_t count = reader->sequences.data[reader->sequences.count - 1].count;
	struct line_row *last = count ? &table->rows.data[table->rows.count - 1] : NULL;

	reader->row.order = (uint32_t)table->rows.count;
	if (last && last->address == reader->row.address) {
		struct line_row other = *last;

		// Only the last of several for one address is ever found, and ends come first.
		*last = reader->row;
		if (!reader->row.is_end)
			return;
		reader->row = other;
	} else if (last && last->address > reader->row.address) {
		reader->is_mixed = true;
	}
	if (table->rows.count == ROWS_MAX) {
		dwarf_bytes_fail(&reader->bytes);
		return;
	}
	*array_add(&table->rows) = reader->row;
	reader->sequences.data[reader->sequences.count - 1].count++;
}

// Linkers set the addresses of code they dropped to 0 or to the last ones there are. From there
// its rows would reach into real code.
static void drop_nowhere(struct reader *reader)
{
	struct sequence *sequence = &reader->sequences.data[reader->sequences.count - 1];
	uint64_t last = reader->layout.address_size == 4 ? UINT32_MAX : UINT64_MAX;
	uint64_t start;

	if (!sequence->count)
		return;
	start = reader->table->rows.data[sequence->first].address;
	if (start && start < last - 1)
		return;
	reader->table->rows.count = sequence->first;
	reader->sequences.count--;
}

static void begin_sequence(struct reader *reader)
{
	*array_add(&reader->sequences) = (struct sequence){.first = reader->table->rows.count};
}

static void run_extended(struct reader *reader)
{
	struct dwarf_bytes *bytes = &reader->bytes;
	uint64_t length = dwarf_bytes_unsigned(bytes);
	const uint8_t *next;

	if (!length || !dwarf_bytes_has(bytes, length)) {
		dwarf_bytes_fail(bytes);
		return;
	}
	next = bytes->at + length;
	switch (dwarf_bytes_u8(bytes)) {
	case DW_LNE_end_sequence:
		reader->row.is_end = true;
		add_row(reader);
		reset(reader);
		drop_nowhere(reader);
		begin_sequence(reader);
		break;
	case DW_LNE_set_address:
		reader->row.address = dwarf_bytes_fixed(bytes, reader->layout.address_size);
		reader->operation = 0;
		break;
	case DW_LNE_define_file: {
		const char *name = dwarf_bytes_string(bytes);

		if (name)
			read_file(reader, name);
		break;
	}
	default:
		break;
	}
	if (!bytes->is_bad)
		bytes->at = next;
}

static void run_standard(struct reader *reader, uint8_t opcode)
{
	struct dwarf_bytes *bytes = &reader->bytes;

	switch (opcode) {
	case DW_LNS_copy:
		add_row(reader);
		break;
	case DW_LNS_advance_pc:
		advance(reader, dwarf_bytes_unsigned(bytes));
		break;
	case DW_LNS_advance_line:
		reader->row.line += (uint32_t)dwarf_bytes_signed(bytes);
		break;
	case DW_LNS_set_file:
		reader->row.file = (uint32_t)dwarf_bytes_unsigned(bytes);
		break;
	case DW_LNS_set_column:
		reader->row.column = (uint16_t)dwarf_bytes_unsigned(bytes);
		break;
	case DW_LNS_const_add_pc:
		advance(reader, (255u - reader->opcode_base) / reader->line_range);
		break;
	case DW_LNS_fixed_advance_pc:
		reader->row.address += dwarf_bytes_fixed(bytes, 2);
		reader->operation = 0;
		break;
	default:
		for (unsigned i = 0; i < reader->operands[opcode]; i++)
			dwarf_bytes_unsigned(bytes);
	}
}

static void run(struct reader *reader)
{
	struct dwarf_bytes *bytes = &reader->bytes;

	reset(reader);
	begin_sequence(reader);
	while (bytes->at < bytes->end) {
		uint8_t opcode = *bytes->at++;

		if (opcode >= reader->opcode_base) {
			opcode -= reader->opcode_base;
			reader->row.line +=
				(uint32_t)(reader->line_base + opcode % reader->line_range);
			advance(reader, opcode / reader->line_range);
			add_row(reader);
		} else if (opcode) {
			run_standard(reader, opcode);
		} else {
			run_extended(reader);
		}
	}
}

static int compare_rows(const void *left, const void *right)
{
	const struct line_row *a = left, *b = right;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	if (a->is_end != b->is_end)
		return a->is_end ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

/** By where they begin. */
static int compare_sequences(const void *left, const void *right, void *context)
{
	const struct sequence *a = left, *b = right;
	const struct line_row *rows = context;

	return compare_rows(&rows[a->first], &rows[b->first]);
}

/** Whether, sorted by where they begin, each ends before the next begins. */
static bool are_apart(const struct reader *reader)
{
	const struct line_row *rows = reader->table->rows.data;

	if (reader->is_mixed)
		return false;
	for (size_t i = 1; i < reader->sequences.count; i++) {
		const struct sequence *before = &reader->sequences.data[i - 1];
		const struct line_row *last = &rows[before->first + before->count - 1];

		if (compare_rows(last, &rows[before[1].first]) >= 0)
			return false;
	}
	return true;
}

/** Sequences are in the order of the compiler, and there may be one for each function. */
static void sort(struct reader *reader)
{
	struct line_table *table = reader->table;
	struct line_row *sorted, *to;
	bool is_moved = false;

	// The last one has nothing in it if the program is complete.
	if (!reader->sequences.data[reader->sequences.count - 1].count)
		reader->sequences.count--;
	if (reader->sequences.count)
		qsort_r(reader->sequences.data, reader->sequences.count,
			sizeof(reader->sequences.data[0]), compare_sequences, table->rows.data);
	for (size_t i = 1; i < reader->sequences.count; i++)
		is_moved |= reader->sequences.data[i].first < reader->sequences.data[i - 1].first;
	if (!are_apart(reader)) {
		qsort(table->rows.data, table->rows.count, sizeof(table->rows.data[0]),
			compare_rows);
		return;
	}
	if (!is_moved)
		return;
	sorted = to = xcalloc(table->rows.count, sizeof(*sorted));
	array_for_each (sequence, &reader->sequences) {
		memcpy(to, table->rows.data + sequence->first, sequence->count * sizeof(*to));
		to += sequence->count;
	}
	free(table->rows.data);
	table->rows.data = sorted;
	table->rows.capacity = table->rows.count;
}

/** Whether each file is in a folder that there is. */
static bool has_folders(const struct line_table *table)
{
	array_for_each (file, &table->files) {
		if (file->folder >= table->folders.count)
			return false;
	}
	return true;
}

static bool read_table(struct reader *reader, uint64_t offset, const char *folder)
{
	struct line_table *table = reader->table;

	if (!read_header(reader, offset) || !are_operands_known(reader))
		return false;
	if (reader->layout.version < 5) {
		read_old_names(reader, folder);
	} else {
		read_names(reader, /* are_files= */ false);
		read_names(reader, /* are_files= */ true);
	}
	if (reader->bytes.is_bad || reader->bytes.at > reader->program)
		return false;
	reader->bytes.at = reader->program;
	run(reader);
	if (reader->bytes.is_bad || !has_folders(table))
		return false;
	if (table->rows.count) {
		sort(reader);
		table->rows.data[table->rows.count - 1].is_end = true;
	}
	return true;
}

struct line_table *line_table_create(const struct line_sections *sections, uint64_t offset,
	unsigned address_size, const char *folder)
{
	struct line_table *table = xcalloc(1, sizeof(*table));
	struct reader reader = {
		.table = table, .sections = sections, .layout.address_size = address_size};
	bool is_read = read_table(&reader, offset, folder);

	array_deinit(&reader.sequences);
	if (is_read)
		return table;
	line_table_destroy(table);
	return NULL;
}

size_t line_table_count(const struct line_table *table)
{
	return table->rows.count;
}

void line_table_destroy(struct line_table *table)
{
	if (!table)
		return;
	array_deinit(&table->folders);
	array_deinit(&table->files);
	array_deinit(&table->rows);
	arena_deinit(&table->arena);
	free(table);
}

const struct line_row *line_table_find(const struct line_table *table, uint64_t address)
{
	size_t low = 0, high = table->rows.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (table->rows.data[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && !table->rows.data[low - 1].is_end ? &table->rows.data[low - 1] : NULL;
}

const char *line_table_file(struct line_table *table, uint64_t index)
{
	struct line_file *file = index < table->files.count ? &table->files.data[index] : NULL;
	const char *folder;

	if (!file || file->path)
		return file ? file->path : NULL;
	folder = table->folders.count ? table->folders.data[file->folder] : NULL;
	if (!file->name)
		file->path = "???";
	else if (file->name[0] == '/' || !folder)
		file->path = file->name;
	else
		file->path = arena_printf(&table->arena, "%s/%s", folder, file->name);
	return file->path;
}
