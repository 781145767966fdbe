// SPDX-License-Identifier: MIT
// Copyright the tracer authors

// The accounts of children that this program makes work or sleep.

#include "unit.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proc/schedstat.h"

enum {
	/** More than are kept open, so that some share a place. */
	CHILDREN = SCHEDSTAT_KEPT + 8,
};

// Sleeps until it is killed.
static int sleeper(void)
{
	int child = fork();

	if (!child)
		for (;;)
			pause();
	assert_true(child > 0);
	return child;
}

static void end(int child)
{
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, NULL, 0), child);
}

CASE(work_is_seen_to_take_time)
{
	struct schedstat_pool pool = {0};
	struct schedstat before, after;

	assert_true(schedstat_read(&pool, getpid(), &before));
	for (volatile int i = 0; i < 10 * 1000 * 1000; i++)
		;
	// The account is brought up to date when the task gives its processor back.
	usleep(1);
	assert_true(schedstat_read(&pool, getpid(), &after));
	assert_true(after.ran - before.ran > 1000 * 1000);
	assert_true(after.runs > before.runs);
	schedstat_pool_deinit(&pool);
}

CASE(many_tasks_share_few_files)
{
	struct schedstat_pool pool = {0};
	struct schedstat first[CHILDREN], second;
	int children[CHILDREN];

	for (int i = 0; i < CHILDREN; i++)
		children[i] = sleeper();
	usleep(100 * 1000);
	for (int i = 0; i < CHILDREN; i++)
		assert_true(schedstat_read(&pool, children[i], &first[i]));
	for (int i = 0; i < CHILDREN; i++) {
		assert_true(schedstat_read(&pool, children[i], &second));
		assert_int_equal(second.ran, first[i].ran);
	}
	for (int i = 0; i < CHILDREN; i++)
		end(children[i]);
	for (int i = 0; i < CHILDREN; i++)
		assert_false(schedstat_read(&pool, children[i], &second));
	schedstat_pool_deinit(&pool);
}

RUN_CASES(ADD(work_is_seen_to_take_time), ADD(many_tasks_share_few_files));
