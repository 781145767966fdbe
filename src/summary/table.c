// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "summary/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/abi.h"
#include "abi/errors.h"
#include "base/buf.h"
#include "summary/count.h"

enum {
	NS_PER_US = 1000,
	/** Widest number or name that is put together before it is padded. */
	CELL_SIZE = 64,
};

/** Headings and widths are those of strace -c. */
static const struct {
	const char *heading;
	int width;
} layout[SUMMARY_COLUMN_COUNT] = {
	[SUMMARY_TIME_PERCENT] = {"% time", 6},
	[SUMMARY_TOTAL_TIME] = {"seconds", 11},
	[SUMMARY_MIN_TIME] = {"shortest", 8},
	[SUMMARY_MAX_TIME] = {"longest", 8},
	[SUMMARY_AVG_TIME] = {"usecs/call", 11},
	[SUMMARY_WALL_TOTAL] = {"wall-total", 11},
	[SUMMARY_WALL_MIN] = {"wall-min", 8},
	[SUMMARY_WALL_MAX] = {"wall-max", 8},
	[SUMMARY_WALL_AVG] = {"wall-avg", 11},
	[SUMMARY_CALLS] = {"calls", 9},
	[SUMMARY_ERRORS] = {"errors", 9},
	[SUMMARY_NAME] = {"syscall", 16},
};

static double seconds(uint64_t time)
{
	return (double)time / 1e9;
}

static uint64_t average(const struct summary_row *row)
{
	return row->calls ? row->total / row->calls : 0;
}

static uint64_t wall_average(const struct summary_row *row)
{
	return row->calls ? row->wall_total / row->calls : 0;
}

static void name_of(const struct summary_row *row, char *text)
{
	if (row->name)
		snprintf(text, CELL_SIZE, "%s", row->name);
	else
		snprintf(text, CELL_SIZE, "syscall_0x%" PRIx64, row->number);
}

// The text of one cell; @all is the time of all rows.
static void cell(
	const struct summary_row *row, enum summary_column column, uint64_t all, char *text)
{
	text[0] = 0;
	switch (column) {
	case SUMMARY_TIME_PERCENT:
		snprintf(text, CELL_SIZE, "%.2f",
			all ? 100.0 * (double)row->total / (double)all : 0.0);
		break;
	case SUMMARY_TOTAL_TIME:
		snprintf(text, CELL_SIZE, "%.6f", seconds(row->total));
		break;
	case SUMMARY_MIN_TIME:
		snprintf(text, CELL_SIZE, "%.6f", seconds(row->least));
		break;
	case SUMMARY_MAX_TIME:
		snprintf(text, CELL_SIZE, "%.6f", seconds(row->most));
		break;
	case SUMMARY_AVG_TIME:
		snprintf(text, CELL_SIZE, "%" PRIu64, average(row) / NS_PER_US);
		break;
	case SUMMARY_WALL_TOTAL:
		snprintf(text, CELL_SIZE, "%.6f", seconds(row->wall_total));
		break;
	case SUMMARY_WALL_MIN:
		snprintf(text, CELL_SIZE, "%.6f", seconds(row->wall_least));
		break;
	case SUMMARY_WALL_MAX:
		snprintf(text, CELL_SIZE, "%.6f", seconds(row->wall_most));
		break;
	case SUMMARY_WALL_AVG:
		snprintf(text, CELL_SIZE, "%" PRIu64, wall_average(row) / NS_PER_US);
		break;
	case SUMMARY_CALLS:
		snprintf(text, CELL_SIZE, "%" PRIu64, row->calls);
		break;
	case SUMMARY_ERRORS:
		if (row->errors)
			snprintf(text, CELL_SIZE, "%" PRIu64, row->errors);
		break;
	case SUMMARY_NAME:
		name_of(row, text);
		break;
	case SUMMARY_NOTHING:
		break;
	}
}

// Names stand left and need no blanks behind them at the end of a line, numbers stand right.
static void put_cell(
	struct buf *buf, const struct summary_columns *columns, size_t index, const char *text)
{
	enum summary_column column = columns->list[index];
	int width = layout[column].width;

	if (index)
		buf_char(buf, ' ');
	if (column != SUMMARY_NAME)
		buf_printf(buf, "%*s", width, text);
	else if (index + 1 == columns->count)
		buf_string(buf, text);
	else
		buf_printf(buf, "%-*s", width, text);
}

static void put_rule(struct buf *buf, const struct summary_columns *columns)
{
	for (size_t i = 0; i < columns->count; i++) {
		if (i)
			buf_char(buf, ' ');
		for (int dash = 0; dash < layout[columns->list[i]].width; dash++)
			buf_char(buf, '-');
	}
	buf_char(buf, '\n');
}

static void put_row(struct buf *buf, const struct summary_columns *columns,
	const struct summary_row *row, uint64_t all)
{
	for (size_t i = 0; i < columns->count; i++) {
		char text[CELL_SIZE];

		cell(row, columns->list[i], all, text);
		put_cell(buf, columns, i, text);
	}
	buf_char(buf, '\n');
}

static void put_heading(struct buf *buf, const struct summary_columns *columns)
{
	for (size_t i = 0; i < columns->count; i++)
		put_cell(buf, columns, i, layout[columns->list[i]].heading);
	buf_char(buf, '\n');
	put_rule(buf, columns);
}

// Names come from tasks and files.
static void put_plain(struct buf *buf, const char *text)
{
	for (; *text; text++)
		buf_char(buf, (unsigned char)*text < ' ' || *text == 0x7f ? '?' : *text);
}

static void put_codes(struct buf *buf, const struct summary_row *row, int indent)
{
	array_for_each (error, &row->codes) {
		const char *name = errno_name(error->code);

		if (!name)
			name = restart_name(error->code);
		if (name)
			buf_printf(buf, "%*s%s: %" PRIu64 "\n", indent, "", name, error->count);
		else
			buf_printf(
				buf, "%*s%d: %" PRIu64 "\n", indent, "", error->code, error->count);
	}
}

static int descending(uint64_t a, uint64_t b)
{
	return a > b ? -1 : a < b;
}

static int compare(const void *a, const void *b, void *context)
{
	const struct summary_row *x = a, *y = b;
	const struct summary_options *options = context;
	char x_name[CELL_SIZE], y_name[CELL_SIZE];
	int order = 0;

	if (x->abi != y->abi)
		return x->abi < y->abi ? -1 : 1;
	switch (options->sort) {
	case SUMMARY_TIME_PERCENT:
	case SUMMARY_TOTAL_TIME:
		order = descending(x->total, y->total);
		break;
	case SUMMARY_MIN_TIME:
		order = descending(x->least, y->least);
		break;
	case SUMMARY_MAX_TIME:
		order = descending(x->most, y->most);
		break;
	case SUMMARY_AVG_TIME:
		order = descending(average(x), average(y));
		break;
	case SUMMARY_WALL_TOTAL:
		order = descending(x->wall_total, y->wall_total);
		break;
	case SUMMARY_WALL_MIN:
		order = descending(x->wall_least, y->wall_least);
		break;
	case SUMMARY_WALL_MAX:
		order = descending(x->wall_most, y->wall_most);
		break;
	case SUMMARY_WALL_AVG:
		order = descending(wall_average(x), wall_average(y));
		break;
	case SUMMARY_CALLS:
		order = descending(x->calls, y->calls);
		break;
	case SUMMARY_ERRORS:
		order = descending(x->errors, y->errors);
		break;
	case SUMMARY_NAME:
		name_of(x, x_name);
		name_of(y, y_name);
		order = strcmp(x_name, y_name);
		break;
	case SUMMARY_NOTHING:
		break;
	}
	return order ? order : -descending(x->number, y->number);
}

static void sort(struct summary_table *table, const struct summary_options *options)
{
	if (table->rows.count)
		qsort_r(table->rows.data, table->rows.count, sizeof(*table->rows.data), compare,
			(void *)options);
}

static void add(struct summary_row *sum, const struct summary_row *row)
{
	sum->least = !sum->calls || row->least < sum->least ? row->least : sum->least;
	sum->most = row->most > sum->most ? row->most : sum->most;
	sum->wall_total += row->wall_total;
	sum->wall_least = !sum->calls || row->wall_least < sum->wall_least ? row->wall_least
									   : sum->wall_least;
	sum->wall_most = row->wall_most > sum->wall_most ? row->wall_most : sum->wall_most;
	sum->calls += row->calls;
	sum->errors += row->errors;
	sum->total += row->total;
}

// The rows from @first on that are of one ABI; returns the one after them.
static size_t put_abi(struct buf *buf, const struct summary *summary, size_t first)
{
	const struct summary_options *options = &summary->options;
	const struct summary_table *table = &summary->all;
	struct summary_row sum = {.name = "total"};
	size_t end = first;

	for (; end < table->rows.count && table->rows.data[end].abi == table->rows.data[first].abi;
		end++)
		add(&sum, &table->rows.data[end]);
	if (first || end < table->rows.count)
		buf_printf(buf, "System call usage summary for %s:\n",
			abi_get(table->rows.data[first].abi)->name);
	put_heading(buf, &options->columns);
	for (size_t i = first; i < end; i++) {
		put_row(buf, &options->columns, &table->rows.data[i], sum.total);
		if (options->errors)
			put_codes(buf, &table->rows.data[i], 40);
	}
	put_rule(buf, &options->columns);
	// All of nothing is all, too.
	sum.total += !sum.total;
	put_row(buf, &options->columns, &sum, sum.total);
	return end;
}

static double relative_deviation(const struct summary_row *row)
{
	double count = (double)row->calls;

	if (row->calls < 2 || row->mean <= 0)
		return 0;
	return 100.0 * sqrt(row->squares / (count - 1) / count) / row->mean;
}

static void put_thread(
	struct buf *buf, struct summary_table *table, const struct summary_options *options)
{
	sort(table, options);
	buf_char(buf, ' ');
	put_plain(buf, table->comm);
	buf_printf(buf, " (%d), %" PRIu64 " calls\n\n", table->tid, table->calls);
	buf_string(buf,
		"   syscall            calls   errors     total       min       avg       max"
		"   stddev\n");
	buf_string(buf,
		"                                        (msec)    (msec)    (msec)    (msec)"
		"      (%)\n");
	buf_string(buf,
		"   --------------- -------- -------- --------- --------- --------- ---------"
		" --------\n");
	array_for_each (row, &table->rows) {
		char name[CELL_SIZE];

		name_of(row, name);
		buf_printf(buf,
			"   %-15s %8" PRIu64 " %8" PRIu64 " %9.3f %9.3f %9.3f %9.3f %7.2f%%\n",
			name, row->calls, row->errors, 1e3 * seconds(row->total),
			1e3 * seconds(row->least), 1e3 * seconds(average(row)),
			1e3 * seconds(row->most), relative_deviation(row));
		if (options->errors)
			put_codes(buf, row, 32);
	}
	buf_char(buf, '\n');
}

static int compare_places(const void *a, const void *b)
{
	const struct summary_place *x = a, *y = b;
	int order = descending(x->minor + x->major, y->minor + y->major);

	return order ? order : strcmp(x->name, y->name);
}

static void put_places(struct buf *buf, struct summary_places *places, const char *heading)
{
	uint64_t minor = 0, major = 0;

	if (!places->places.count)
		return;
	qsort(places->places.data, places->places.count, sizeof(*places->places.data),
		compare_places);
	buf_printf(buf, "\n%9s %9s %s\n--------- --------- ----------------\n", "minor", "major",
		heading);
	array_for_each (place, &places->places) {
		buf_printf(buf, "%9" PRIu64 " %9" PRIu64 " ", place->minor, place->major);
		put_plain(buf, place->name);
		buf_char(buf, '\n');
		minor += place->minor;
		major += place->major;
	}
	buf_printf(buf, "--------- --------- ----------------\n%9" PRIu64 " %9" PRIu64 " total\n",
		minor, major);
}

void summary_print(struct summary *summary, struct buf *buf)
{
	if (summary->options.by_thread) {
		array_for_each (table, &summary->threads)
			put_thread(buf, table, &summary->options);
	} else {
		sort(&summary->all, &summary->options);
		for (size_t i = 0; i < summary->all.rows.count;)
			i = put_abi(buf, summary, i);
	}
	put_places(buf, &summary->functions, "faults by function");
	put_places(buf, &summary->files, "faults by what was mapped");
}
