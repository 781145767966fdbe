// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_PROC_TASK_STATUS_H
#define SRC_PROC_TASK_STATUS_H

/** /proc/TID/status (proc_pid_status(5)) as a struct: the one parser of that file. */

#include <stdbool.h>
#include <stdint.h>

enum {
	/** Namespaces of pids below ours at most, and ours: MAX_PID_NS_LEVEL of the kernel. */
	TASK_STATUS_LEVELS = 33,
};

struct task_status {
	/** 'R', 'S', 'D', 'T', 't', 'Z', 'X', …; '?' if it is missing. */
	char state;
	int tgid;
	/** The parent process, or 0. */
	int parent;
	/** The thread that traces it, or 0. */
	int tracer;
	/** Real and effective user and group. */
	unsigned uid, effective_uid, gid, effective_gid;
	/** Threads of its process. */
	int threads;
	/** Its seccomp filters; 0 also before Linux 5.9. */
	int filters;
	/** Permitted capabilities, a bit each. */
	uint64_t permitted;
	/** Its ids in our namespace of pids and in those further in, the innermost last. */
	int tids[TASK_STATUS_LEVELS];
	unsigned tid_count;
	/** The innermost ids of its thread and process; 0 if missing. */
	int inner_tid, inner_tgid;
};

/** Pure: parses the file's text. Fields that are missing are 0. */
struct task_status task_status_parse(const char *text);
/** False if the task is gone. */
bool task_status_read(int tid, struct task_status *ret);
/** The thread group (process) id of @tid, or @tid itself if the task is gone. */
int task_tgid(int tid);
/** Whether @tid, which has a filter of ours, has another that we have not. */
bool task_status_filters(int tid);
/** Whether its ids are others than those of who started it: its program has a set-id bit. */
bool task_status_is_set_id(const struct task_status *status);
/** Whether it has the id @number in a namespace further in than ours. */
bool task_status_is_inside_as(const struct task_status *status, int number);

#endif
