// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <string.h>
#include <unistd.h>

#include "proc/task_status.h"
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
						      "Gid:\t2000\t2000\t2002\t2003\n"
						      "NStgid:\t4711\t31\t6\n"
						      "NSpid:\t4712\t32\t7\n"
						      "Threads:\t3\n"
						      "CapPrm:\t000001ffffffffff\n"
						      "Seccomp:\t2\n"
						      "Seccomp_filters:\t5\n");

	assert_int_equal(status.state, 't');
	assert_int_equal(status.tgid, 4711);
	assert_int_equal(status.tracer, 99);
	assert_int_equal(status.parent, 1);
	assert_int_equal(status.uid, 1000);
	assert_int_equal(status.effective_uid, 1001);
	assert_int_equal(status.gid, 2000);
	assert_int_equal(status.effective_gid, 2000);
	assert_true(task_status_is_set_id(&status));
	assert_true(status.permitted == 0x1ffffffffff);
	assert_int_equal(status.tid_count, 3);
	assert_int_equal(status.inner_tid, 7);
	assert_int_equal(status.inner_tgid, 6);
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

// The first id is the one that we see ourselves.
CASE(ids_further_in)
{
	struct task_status status = task_status_parse("Name:\tx\nNSpid:\t12\t1\n");

	assert_true(task_status_is_inside_as(&status, 1));
	assert_false(task_status_is_inside_as(&status, 12));
	status = task_status_parse("Name:\tx\nNSpid:\t12\n");
	assert_false(task_status_is_inside_as(&status, 12));
	assert_int_equal(status.inner_tid, 12);
}

// As many as a file could list, and more.
CASE(too_many_ids)
{
	char text[512] = "Name:\tx\nNSpid:";
	struct task_status status;

	for (int i = 0; i < 40; i++)
		strcat(text, "\t5");
	status = task_status_parse(text);
	assert_int_equal(status.tid_count, TASK_STATUS_LEVELS);
}

CASE(equal_ids_are_no_set_id)
{
	struct task_status status = task_status_parse("Name:\tx\nUid:\t4294967294\t4294967294\n");

	assert_true(status.uid == 4294967294U);
	assert_false(task_status_is_set_id(&status));
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

RUN_CASES(ADD(fields_are_found), ADD(nothing_is_made_up), ADD(ids_further_in), ADD(too_many_ids),
	ADD(equal_ids_are_no_set_id), ADD(our_own), ADD(nobody));
