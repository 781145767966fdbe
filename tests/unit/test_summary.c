// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "summary/count.h"

#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "decode/call.h"
#include "event/event.h"
#include "schema/syscall.h"
#include "summary/table.h"
#include "unit.h"

static const struct syscall close_call = {.name = "close", .number = 3};
static const struct syscall read_call = {.name = "read", .number = 0};

static void add(struct summary *summary, const struct syscall *syscall, uint32_t serial, int error,
	uint64_t microseconds)
{
	struct call call = {
		.abi = ABI_X86_64,
		.number = syscall->number,
		.syscall = syscall,
		.result = error ? CALL_ERROR : CALL_SUCCESS,
		.error = error,
	};
	struct event event = {
		.kind = EVENT_CALL,
		.task = {.tid = 100 + (int)serial, .serial = serial},
		.pid = 100,
		.comm = "name",
		.call = &call,
		.duration = {.tv_nsec = (long)microseconds * 2000},
		.cpu = microseconds * 1000,
	};

	summary_call(summary, &event);
}

static struct summary_options options_with(enum summary_column sort)
{
	struct summary_options options = {.enabled = true, .sort = sort};

	summary_columns_default(&options.columns);
	return options;
}

static void expect_text(struct summary *summary, const char *text)
{
	struct buf buf = {0};

	summary_print(summary, &buf);
	assert_string_equal(buf_text(&buf), text);
	buf_deinit(&buf);
	summary_deinit(summary);
}

CASE(the_table_of_all)
{
	struct summary summary;
	struct summary_options options = options_with(SUMMARY_TIME_PERCENT);

	summary_init(&summary, &options);
	add(&summary, &read_call, 1, 0, 100);
	add(&summary, &close_call, 1, EBADF, 200);
	add(&summary, &close_call, 2, 0, 100);
	expect_text(&summary,
		"% time     seconds  usecs/call     calls    errors syscall\n"
		"------ ----------- ----------- --------- --------- ----------------\n"
		" 75.00    0.000300         150         2         1 close\n"
		" 25.00    0.000100         100         1           read\n"
		"------ ----------- ----------- --------- --------- ----------------\n"
		"100.00    0.000400         133         3         1 total\n");
}

CASE(equal_rows_stand_by_number_and_nothing_is_all_of_nothing)
{
	struct summary summary;
	struct summary_options options = options_with(SUMMARY_TIME_PERCENT);

	options.overhead = 1000 * 1000;
	summary_init(&summary, &options);
	add(&summary, &close_call, 1, 0, 5);
	add(&summary, &read_call, 1, 0, 6);
	expect_text(&summary,
		"% time     seconds  usecs/call     calls    errors syscall\n"
		"------ ----------- ----------- --------- --------- ----------------\n"
		"  0.00    0.000000           0         1           read\n"
		"  0.00    0.000000           0         1           close\n"
		"------ ----------- ----------- --------- --------- ----------------\n"
		"100.00    0.000000           0         2           total\n");
}

CASE(nothing_counted_prints_nothing)
{
	struct summary summary;
	struct summary_options options = options_with(SUMMARY_NAME);

	summary_init(&summary, &options);
	expect_text(&summary, "");
}

CASE(columns_in_the_order_asked_for)
{
	struct summary summary;
	struct summary_options options = options_with(SUMMARY_NAME);

	assert_null(summary_columns_parse("name,min-time,longest,errors", &options.columns));
	options.wall = true;
	summary_init(&summary, &options);
	add(&summary, &close_call, 1, 0, 5);
	add(&summary, &close_call, 1, 0, 1);
	expect_text(&summary, "syscall          shortest  longest    errors\n"
			      "---------------- -------- -------- ---------\n"
			      "close            0.000002 0.000010          \n"
			      "---------------- -------- -------- ---------\n"
			      "total            0.000002 0.000010          \n");
}

CASE(threads_with_deviation)
{
	struct summary summary;
	struct summary_options options = options_with(SUMMARY_TOTAL_TIME);

	options.by_thread = true;
	options.errors = true;
	summary_init(&summary, &options);
	// Mean 1000 us, standard deviation 1000 us * sqrt(2), that of the mean 1000 us.
	add(&summary, &read_call, 1, 0, 0);
	add(&summary, &read_call, 1, EAGAIN, 2000);
	expect_text(&summary,
		" name (101), 2 calls\n\n"
		"   syscall            calls   errors     total       min       avg       max"
		"   stddev\n"
		"                                        (msec)    (msec)    (msec)    (msec)"
		"      (%)\n"
		"   --------------- -------- -------- --------- --------- --------- ---------"
		" --------\n"
		"   read                   2        1     2.000     0.000     1.000     2.000"
		"  100.00%\n"
		"                                EAGAIN: 1\n\n");
}

CASE(page_faults_by_place)
{
	struct summary summary;
	struct summary_options options = options_with(SUMMARY_NAME);

	summary_init(&summary, &options);
	summary_fault(&summary, false, "f", "/lib/x");
	summary_fault(&summary, true, "g\n", "/lib/x");
	summary_fault(&summary, false, "f", "[heap]");
	expect_text(&summary,
		"\n    minor     major faults by function\n--------- --------- ----------------\n"
		"        2         0 f\n        0         1 g?\n"
		"--------- --------- ----------------\n        2         1 total\n"
		"\n    minor     major faults by what was mapped\n"
		"--------- --------- ----------------\n"
		"        1         1 /lib/x\n        1         0 [heap]\n"
		"--------- --------- ----------------\n        2         1 total\n");
}

static void expect_refused(struct error *error)
{
	assert_non_null(error);
	error_destroy(error);
}

CASE(columns_and_sorting_by_name)
{
	struct summary_columns columns = {0};
	enum summary_column sort;

	assert_null(summary_columns_parse("calls", &columns));
	assert_int_equal(columns.count, 2);
	assert_int_equal(columns.list[1], SUMMARY_NAME);
	expect_refused(summary_columns_parse("", &columns));
	expect_refused(summary_columns_parse("calls,,name", &columns));
	expect_refused(summary_columns_parse("calls,count", &columns));
	expect_refused(summary_columns_parse("nothing", &columns));
	// A failure changes nothing.
	assert_int_equal(columns.count, 2);
	assert_null(summary_sort_parse("nothing", &sort));
	assert_int_equal(sort, SUMMARY_NOTHING);
	expect_refused(summary_sort_parse("tim", &sort));
}

RUN_CASES(ADD(the_table_of_all), ADD(equal_rows_stand_by_number_and_nothing_is_all_of_nothing),
	ADD(nothing_counted_prints_nothing), ADD(columns_in_the_order_asked_for),
	ADD(threads_with_deviation), ADD(page_faults_by_place), ADD(columns_and_sorting_by_name));
