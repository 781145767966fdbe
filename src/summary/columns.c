// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "summary/columns.h"

#include <stdbool.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/parse.h"

static const struct {
	const char *name;
	enum summary_column column;
} names[] = {
	{"time-percent", SUMMARY_TIME_PERCENT},
	{"time", SUMMARY_TIME_PERCENT},
	{"total-time", SUMMARY_TOTAL_TIME},
	{"time-total", SUMMARY_TOTAL_TIME},
	{"min-time", SUMMARY_MIN_TIME},
	{"time-min", SUMMARY_MIN_TIME},
	{"shortest", SUMMARY_MIN_TIME},
	{"max-time", SUMMARY_MAX_TIME},
	{"time-max", SUMMARY_MAX_TIME},
	{"longest", SUMMARY_MAX_TIME},
	{"avg-time", SUMMARY_AVG_TIME},
	{"time-avg", SUMMARY_AVG_TIME},
	{"wall-total", SUMMARY_WALL_TOTAL},
	{"total-wall", SUMMARY_WALL_TOTAL},
	{"wall-min", SUMMARY_WALL_MIN},
	{"min-wall", SUMMARY_WALL_MIN},
	{"wall-max", SUMMARY_WALL_MAX},
	{"max-wall", SUMMARY_WALL_MAX},
	{"wall-avg", SUMMARY_WALL_AVG},
	{"avg-wall", SUMMARY_WALL_AVG},
	{"calls", SUMMARY_CALLS},
	{"count", SUMMARY_CALLS},
	{"errors", SUMMARY_ERRORS},
	{"error", SUMMARY_ERRORS},
	{"name", SUMMARY_NAME},
	{"syscall", SUMMARY_NAME},
	{"syscall-name", SUMMARY_NAME},
	{"nothing", SUMMARY_NOTHING},
	{"none", SUMMARY_NOTHING},
};

// strace takes _ for -.
static bool is_called(const char *name, const char *text, size_t length)
{
	if (strlen(name) != length)
		return false;
	for (size_t i = 0; i < length; i++) {
		if (name[i] != (text[i] == '_' ? '-' : text[i]))
			return false;
	}
	return true;
}

static bool find(const char *text, size_t length, enum summary_column *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!is_called(names[i].name, text, length))
			continue;
		*ret = names[i].column;
		return true;
	}
	return false;
}

static bool has(const struct summary_columns *columns, enum summary_column column)
{
	for (size_t i = 0; i < columns->count; i++) {
		if (columns->list[i] == column)
			return true;
	}
	return false;
}

void summary_columns_default(struct summary_columns *columns)
{
	*columns = (struct summary_columns){
		.list = {SUMMARY_TIME_PERCENT, SUMMARY_TOTAL_TIME, SUMMARY_AVG_TIME, SUMMARY_CALLS,
			SUMMARY_ERRORS, SUMMARY_NAME},
		.count = 6,
	};
}

struct error *summary_columns_parse(const char *text, struct summary_columns *ret)
{
	struct summary_columns columns = {0};
	const char *cursor = text, *item;
	size_t length;

	while (parse_list(&cursor, ',', &item, &length)) {
		enum summary_column column;

		if (!find(item, length, &column) || column == SUMMARY_NOTHING)
			return error_create("unknown column '%.*s' of the summary (known: "
					    "time-percent, total-time, min-time, max-time, "
					    "avg-time, wall-total, wall-min, wall-max, "
					    "wall-avg, calls, errors, name)",
				(int)length, item);
		if (has(&columns, column))
			return error_create(
				"column '%.*s' of the summary stands twice", (int)length, item);
		columns.list[columns.count++] = column;
	}
	if (!has(&columns, SUMMARY_NAME))
		columns.list[columns.count++] = SUMMARY_NAME;
	*ret = columns;
	return NULL;
}

struct error *summary_sort_parse(const char *text, enum summary_column *ret)
{
	if (find(text, strlen(text), ret))
		return NULL;
	return error_create("cannot sort the summary by '%s' (known: time, total-time, min-time, "
			    "max-time, avg-time, calls, errors, name, nothing)",
		text);
}
