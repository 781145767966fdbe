// SPDX-License-Identifier: MIT
// Copyright the tracer authors

// The accounts of children that this program makes work or sleep.

#include "unit.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/time_units.h"
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

static uint64_t cpu_time(void)
{
	struct timespec time;

	assert_int_equal(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time), 0);
	return (uint64_t)time.tv_sec * NS_PER_S + (uint64_t)time.tv_nsec;
}

static bool sleeps(int child)
{
	char path[32], text[256] = "";
	const char *state;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", child);
	file = fopen(path, "re");
	assert_non_null(file);
	assert_non_null(fgets(text, sizeof(text), file));
	fclose(file);
	state = strrchr(text, ')');
	return state && state[2] == 'S';
}

CASE(the_account_is_that_of_the_clock)
{
	struct schedstat_pool pool = {0};
	struct schedstat before, after;
	uint64_t first, last;

	// The clock of the thread and schedstat are one account, which asking the clock brings up
	// to date.
	first = cpu_time();
	assert_true(schedstat_read(&pool, getpid(), &before));
	last = cpu_time();
	assert_true(first <= before.ran && before.ran <= last);
	assert_true(schedstat_read(&pool, getpid(), &after));
	assert_true(last <= after.ran && before.ran < after.ran);
	// Sooner or later a sleep gives the processor to others.
	while (after.runs == before.runs) {
		usleep(1);
		assert_true(schedstat_read(&pool, getpid(), &after));
	}
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
	for (int i = 0; i < CHILDREN; i++) {
		while (!sleeps(children[i]))
			usleep(1000);
		assert_true(schedstat_read(&pool, children[i], &first[i]));
	}
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

RUN_CASES(ADD(the_account_is_that_of_the_clock), ADD(many_tasks_share_few_files));
