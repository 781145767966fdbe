// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_TRACE_TASK_STATUS_H
#define SRC_TRACE_TASK_STATUS_H

/** What /proc/TID/status (proc(5)) says of a task as far as it decides whether we may trace it. */

#include <stdbool.h>

struct task_status {
	/** 'R', 'S', 'D', 'T', 't', 'Z', 'X', …; '?' if it is missing. */
	char state;
	int tgid;
	/** The thread that traces it, or 0. */
	int tracer;
	/** Real user. */
	unsigned uid;
	/** Threads of its process. */
	int threads;
	/** Its seccomp filters; 0 also before Linux 5.9. */
	int filters;
};

/** Pure: parses the file's text. Fields that are missing are 0. */
struct task_status task_status_parse(const char *text);
/** False if the task is gone. */
bool task_status_read(int tid, struct task_status *ret);
/** Whether @tid, which has a filter of ours, has another that we have not. */
bool task_status_filters(int tid);

#endif
