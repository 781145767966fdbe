// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "trace/task_status.h"

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

struct task_status task_status_parse(const char *text)
{
	const char *state = field(text, "\nState:");
	const char *uid = field(text, "\nUid:");

	return (struct task_status){
		.state = state && *state ? *state : '?',
		.tgid = number(text, "\nTgid:"),
		.tracer = number(text, "\nTracerPid:"),
		.uid = uid ? (unsigned)strtoul(uid, NULL, 10) : 0,
		.threads = number(text, "\nThreads:"),
		.filters = number(text, "\nSeccomp_filters:"),
	};
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

bool task_status_filters(int tid)
{
	struct task_status task, own;

	return task_status_read(tid, &task) && task_status_read(getpid(), &own) &&
	       task.filters > own.filters + 1;
}
