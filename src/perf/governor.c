// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "perf/governor.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "perf/event_attr.h"

void governor_deinit(struct governor *governor)
{
	governor_release(governor);
	hash_deinit(&governor->tasks);
	hash_deinit(&governor->descriptors);
}

static uint64_t period_for(const struct governor *governor, size_t tasks)
{
	size_t rounded = 1;
	uint64_t period;

	while (rounded < tasks)
		rounded *= 2;
	period = governor->budget / rounded;
	return period ? period : 1;
}

static int fd_of(const void *value)
{
	return (int)(intptr_t)value - 1;
}

// With more tasks each may have fewer faults.
static void set_period(struct governor *governor)
{
	uint64_t period = period_for(governor, governor->tasks.count);
	struct hash_entry *entry;
	size_t position = 0;

	if (period == governor->period)
		return;
	governor->period = period;
	while ((entry = hash_next(&governor->tasks, &position)))
		ioctl(fd_of(entry->value), PERF_EVENT_IOC_PERIOD, &period);
}

static bool send_signals(int fd, int tid)
{
	struct f_owner_ex owner = {.type = F_OWNER_TID, .pid = tid};

	return fcntl(fd, F_SETOWN_EX, &owner) == 0 && fcntl(fd, F_SETSIG, SIGURG) == 0 &&
	       fcntl(fd, F_SETFL, O_ASYNC) == 0 && ioctl(fd, PERF_EVENT_IOC_ENABLE, 0) == 0;
}

void governor_add(struct governor *governor, int tid)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		// Not PAGE_FAULTS, which is counted before the page is there: the signal could
		// make the kernel give up, and the task would fault and be stopped for ever.
		.config = governor->major_only ? PERF_COUNT_SW_PAGE_FAULTS_MAJ
					       : PERF_COUNT_SW_PAGE_FAULTS_MIN,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	int fd;

	if (!governor->budget || hash_get(&governor->tasks, (uint64_t)tid))
		return;
	attr.sample_period = period_for(governor, governor->tasks.count + 1);
	fd = event_open(&attr, tid, -1);
	if (fd < 0)
		return;
	if (!send_signals(fd, tid)) {
		close(fd);
		return;
	}
	hash_set(&governor->tasks, (uint64_t)tid, (void *)(intptr_t)(fd + 1));
	hash_set(&governor->descriptors, (uint64_t)fd, governor);
	set_period(governor);
}

void governor_remove(struct governor *governor, int tid)
{
	void *value = hash_remove(&governor->tasks, (uint64_t)tid);

	if (value)
		close(fd_of(value));
}

void governor_rename(struct governor *governor, int former_tid, int tid)
{
	void *value = hash_remove(&governor->tasks, (uint64_t)former_tid);

	if (!value)
		return;
	governor_remove(governor, tid);
	hash_set(&governor->tasks, (uint64_t)tid, value);
}

void governor_release(struct governor *governor)
{
	struct hash_entry *entry;
	size_t position = 0;

	while ((entry = hash_next(&governor->tasks, &position)))
		close(fd_of(entry->value));
	hash_deinit(&governor->tasks);
}

bool governor_is_ours(const struct governor *governor, const siginfo_t *info)
{
	// What F_SETSIG sends has the descriptor as the sender knows it, see fcntl(2).
	return info->si_signo == SIGURG && info->si_code == POLL_IN &&
	       hash_get(&governor->descriptors, (uint64_t)info->si_fd);
}
