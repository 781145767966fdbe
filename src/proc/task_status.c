// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "proc/task_status.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "proc/task.h"

// The text after "\nNAME:\t", or NULL. The first line, the command name, cannot forge a field:
// the kernel writes its newlines as "\n".
static const char *field(const char *text, const char *name)
{
	const char *line = strstr(text, name);

	return line ? line + strlen(name) + strspn(line + strlen(name), " \t") : NULL;
}

static int number(const char *text, const char *name)
{
	const char *value = field(text, name);

	return value ? (int)strtol(value, NULL, 10) : 0;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

// Up to @max numbers of one line; returns how many there are.
static unsigned numbers(const char *text, const char *name, int *ret, unsigned max)
{
	const char *at = field(text, name);
	unsigned count = 0;

	while (at && is_digit(*at) && count < max) {
		char *end;

		ret[count++] = (int)strtoul(at, &end, 10);
		at = end + strspn(end, " \t");
	}
	return count;
}

static int last(const int *ids, unsigned count)
{
	return count ? ids[count - 1] : 0;
}

struct task_status task_status_parse(const char *text)
{
	const char *state = field(text, "\nState:");
	const char *permitted = field(text, "\nCapPrm:");
	int uids[2] = {0}, gids[2] = {0}, tgids[TASK_STATUS_LEVELS];
	struct task_status ret = {
		.state = state && *state ? *state : '?',
		.tgid = number(text, "\nTgid:"),
		.parent = number(text, "\nPPid:"),
		.tracer = number(text, "\nTracerPid:"),
		.threads = number(text, "\nThreads:"),
		.filters = number(text, "\nSeccomp_filters:"),
		.permitted = permitted ? strtoull(permitted, NULL, 16) : 0,
	};

	numbers(text, "\nUid:", uids, 2);
	numbers(text, "\nGid:", gids, 2);
	ret.uid = (unsigned)uids[0];
	ret.effective_uid = (unsigned)uids[1];
	ret.gid = (unsigned)gids[0];
	ret.effective_gid = (unsigned)gids[1];
	ret.tid_count = numbers(text, "\nNSpid:", ret.tids, TASK_STATUS_LEVELS);
	ret.inner_tid = last(ret.tids, ret.tid_count);
	ret.inner_tgid = last(tgids, numbers(text, "\nNStgid:", tgids, TASK_STATUS_LEVELS));
	return ret;
}

bool task_status_read(int tid, struct task_status *ret)
{
	size_t length;
	cleanup_free char *text = task_file(tid, "status", &length);

	if (!text)
		return false;
	*ret = task_status_parse(text);
	return true;
}

int task_tgid(int tid)
{
	struct task_status status;

	return task_status_read(tid, &status) && status.tgid ? status.tgid : tid;
}

bool task_status_filters(int tid)
{
	struct task_status task, own;

	return task_status_read(tid, &task) && task_status_read(getpid(), &own) &&
	       task.filters > own.filters + 1;
}

bool task_status_is_set_id(const struct task_status *status)
{
	return status->uid != status->effective_uid || status->gid != status->effective_gid;
}

bool task_status_is_inside_as(const struct task_status *status, int number)
{
	for (unsigned i = 1; i < status->tid_count; i++) {
		if (status->tids[i] == number)
			return true;
	}
	return false;
}
