// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SUMMARY_COLUMNS_H
#define SRC_SUMMARY_COLUMNS_H

/** The columns of a summary and what it is sorted by, in the spelling of strace(1). */

#include <stddef.h>

struct error;

enum summary_column {
	SUMMARY_TIME_PERCENT,
	SUMMARY_TOTAL_TIME,
	SUMMARY_MIN_TIME,
	SUMMARY_MAX_TIME,
	SUMMARY_AVG_TIME,
	/** From begin to end, whatever -w says. */
	SUMMARY_WALL_TOTAL,
	SUMMARY_WALL_MIN,
	SUMMARY_WALL_MAX,
	SUMMARY_WALL_AVG,
	SUMMARY_CALLS,
	SUMMARY_ERRORS,
	SUMMARY_NAME,
	SUMMARY_COLUMN_COUNT,
	/** To sort by: in the order of the calls' numbers. */
	SUMMARY_NOTHING = SUMMARY_COLUMN_COUNT,
};

struct summary_columns {
	enum summary_column list[SUMMARY_COLUMN_COUNT];
	size_t count;
};

/** time-percent, total-time, avg-time, calls, errors, name. */
void summary_columns_default(struct summary_columns *columns);
/** -U: names separated by commas, each once; the call's name is added if it is missing. */
struct error *summary_columns_parse(const char *text, struct summary_columns *ret);
/** -S */
struct error *summary_sort_parse(const char *text, enum summary_column *ret);

#endif
