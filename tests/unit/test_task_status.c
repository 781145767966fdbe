// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <unistd.h>

#include "trace/task_status.h"
#include "unit.h"

// The form of proc(5).
CASE(fields_are_found)
{
	struct task_status status = task_status_parse("Name:\tcat\n"
						      "Umask:\t0022\n"
						      "State:\tt (tracing stop)\n"
						      "Tgid:\t4711\n"
						      "Ngid:\t0\n"
						      "Pid:\t4712\n"
						      "PPid:\t1\n"
						      "TracerPid:\t99\n"
						      "Uid:\t1000\t1001\t1002\t1003\n"
						      "Threads:\t3\n"
						      "Seccomp:\t2\n"
						      "Seccomp_filters:\t5\n");

	assert_int_equal(status.state, 't');
	assert_int_equal(status.tgid, 4711);
	assert_int_equal(status.tracer, 99);
	assert_int_equal(status.uid, 1000);
	assert_int_equal(status.threads, 3);
	assert_int_equal(status.filters, 5);
}

CASE(nothing_is_made_up)
{
	struct task_status status = task_status_parse("");

	assert_int_equal(status.state, '?');
	assert_int_equal(status.tgid, 0);
	assert_int_equal(status.tracer, 0);
	assert_int_equal(task_status_parse("Name:\tx\nState:").state, '?');
	assert_int_equal(task_status_parse("Name:\tTgid:\t7\nTgid:\t8\n").tgid, 8);
}

CASE(our_own)
{
	struct task_status status;

	assert_true(task_status_read(getpid(), &status));
	assert_int_equal(status.tgid, getpid());
	assert_int_equal(status.state, 'R');
	assert_int_equal(status.uid, getuid());
	assert_true(status.threads >= 1);
}

// Above the highest number the kernel gives out (PID_MAX_LIMIT is 2^22).
CASE(nobody)
{
	struct task_status status;

	assert_false(task_status_read(1 << 23, &status));
}

RUN_CASES(ADD(fields_are_found), ADD(nothing_is_made_up), ADD(our_own), ADD(nobody));
