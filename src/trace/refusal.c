// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <dirent.h>
#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/parse.h"
#include "proc/task.h"
#include "proc/task_status.h"
#include "trace/internal.h"

enum {
	// include/linux/sched.h of the kernel, shown in /proc/PID/stat (proc(5)).
	KERNEL_THREAD_FLAG = 0x00200000,
	STAT_FIELD_FLAGS = 9,
	STAT_FIELD_AFTER_COMM = 3,
};

static bool is_kernel_thread(int tid)
{
	size_t length;
	cleanup_free char *text = task_file(tid, "stat", &length);
	const char *field = text ? strrchr(text, ')') : NULL;

	if (!field)
		return false;
	field++;
	for (int i = STAT_FIELD_AFTER_COMM; i < STAT_FIELD_FLAGS && field; i++)
		field = strchr(field + 1, ' ');
	return field && strtoul(field, NULL, 10) & KERNEL_THREAD_FLAG;
}

// ptrace_scope of the Yama security module, 0 without it (Documentation/admin-guide/LSM/Yama).
static int yama_scope(void)
{
	cleanup_fclose FILE *file = fopen("/proc/sys/kernel/yama/ptrace_scope", "re");
	int scope = 0;

	if (file && fscanf(file, "%d", &scope) != 1)
		scope = 0;
	return scope;
}

static bool own_capabilities(struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3])
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};

	memset(data, 0, _LINUX_CAPABILITY_U32S_3 * sizeof(*data));
	return syscall(SYS_capget, &header, data) == 0;
}

static bool may_trace_others(void)
{
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];

	if (!own_capabilities(data))
		return geteuid() == 0;
	return data[CAP_TO_INDEX(CAP_SYS_PTRACE)].effective & CAP_TO_MASK(CAP_SYS_PTRACE);
}

// Also those of its user id may not trace a task that is permitted more than they are.
static bool has_more_capabilities(const struct task_status *status)
{
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];

	if (!own_capabilities(data))
		return false;
	return status->permitted & ~(data[0].permitted | (uint64_t)data[1].permitted << 32);
}

// The kernel gives the files of such a process to root: task_dump_owner() of fs/proc/base.c.
static bool may_be_dumped(int tid, const struct task_status *status)
{
	cleanup_free char *path = xasprintf("/proc/%d/maps", tid);
	struct stat info;

	return status->uid == 0 || stat(path, &info) != 0 || info.st_uid == status->uid;
}

enum user_namespace {
	/** Of theirs only the owner may know. */
	USER_NAMESPACE_UNKNOWN,
	USER_NAMESPACE_OURS,
	USER_NAMESPACE_OTHER,
};

static enum user_namespace user_namespace(int tid)
{
	// PROC_USER_INIT_INO of the kernel: there is none outside of this.
	static const char outermost[] = "user:[4026531837]";
	cleanup_free char *path = xasprintf("/proc/%d/ns/user", tid);
	char theirs[64] = "", ours[64] = "";

	if (readlink("/proc/self/ns/user", ours, sizeof(ours) - 1) < 0)
		return USER_NAMESPACE_UNKNOWN;
	if (readlink(path, theirs, sizeof(theirs) - 1) < 0)
		return strcmp(ours, outermost) == 0 ? USER_NAMESPACE_OURS : USER_NAMESPACE_UNKNOWN;
	return strcmp(ours, theirs) == 0 ? USER_NAMESPACE_OURS : USER_NAMESPACE_OTHER;
}

static char *describe(int tid)
{
	char comm[TASK_COMM_SIZE];

	task_comm(tid, comm);
	return comm[0] ? xasprintf("%d (%s)", tid, comm) : xasprintf("%d", tid);
}

static bool is_dead(const struct task_status *status)
{
	return status->state == 'Z' || status->state == 'X';
}

static char *explain_exited(int tid, const struct task_status *status)
{
	if (status->tgid == tid && status->threads > 1)
		return xstrdup(
			"its first thread has exited, other threads run on: follow them with "
			"-f, or attach to one of them");
	return xstrdup("it has exited, and is only waiting for its parent to notice");
}

// What stands in the way of somebody without CAP_SYS_PTRACE.
static char *explain_unprivileged(int tid, const struct task_status *status)
{
	int scope = yama_scope();

	if (status->uid != geteuid())
		return xasprintf(
			"it belongs to user %u: that needs root or CAP_SYS_PTRACE", status->uid);
	if (!may_be_dumped(tid, status))
		return xstrdup("it may not be dumped (it changed its user, runs a file that its "
			       "user may not read, or asked for it by PR_SET_DUMPABLE): that needs "
			       "root or CAP_SYS_PTRACE");
	if (scope == 2)
		return xstrdup("/proc/sys/kernel/yama/ptrace_scope is 2: that needs root or "
			       "CAP_SYS_PTRACE");
	if (scope == 1)
		return xstrdup("/proc/sys/kernel/yama/ptrace_scope is 1: only the processes it "
			       "started may be traced; root can, or start the command with us");
	if (user_namespace(tid) != USER_NAMESPACE_OURS)
		return xstrdup("it lives in another user namespace: trace it from outside as root");
	if (has_more_capabilities(status))
		return xstrdup("it has capabilities that we lack: that needs root or "
			       "CAP_SYS_PTRACE");
	return xstrdup("a security module or a seccomp filter may forbid it");
}

static char *explain_denied(int tid)
{
	struct task_status status;

	if (!task_status_read(tid, &status))
		return NULL;
	if (status.tracer) {
		cleanup_free char *tracer = describe(status.tracer);

		return xasprintf("it is already traced by process %s", tracer);
	}
	if (is_dead(&status))
		return explain_exited(tid, &status);
	if (is_kernel_thread(tid))
		return xstrdup("it is a thread of the kernel");
	if (yama_scope() == 3)
		return xstrdup("/proc/sys/kernel/yama/ptrace_scope is 3: nobody may trace until "
			       "the next boot");
	if (!may_trace_others())
		return explain_unprivileged(tid, &status);
	if (user_namespace(tid) != USER_NAMESPACE_OURS)
		return xstrdup("it lives in another user namespace, where our CAP_SYS_PTRACE does "
			       "not count: trace it from outside as root");
	return xstrdup("although we have CAP_SYS_PTRACE: a security module or a seccomp filter "
		       "may forbid it");
}

static bool is_known_inside_as(int pid, int number)
{
	struct task_status status;

	return task_status_read(pid, &status) && task_status_is_inside_as(&status, number);
}

// People take the number from inside a container.
static char *explain_missing(int tid)
{
	cleanup_closedir DIR *dir = opendir("/proc");
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		int pid;

		if (!parse_int(entry->d_name, &pid) || !is_known_inside_as(pid, tid))
			continue;
		cleanup_free char *name = describe(pid);

		return xasprintf("it has this number only in its own pid namespace: here it is "
				 "process %s",
			name);
	}
	return NULL;
}

struct error *refusal_explain(int tid, int code)
{
	cleanup_free char *name = describe(tid);
	cleanup_free char *why = code == EPERM	 ? explain_denied(tid)
				 : code == ESRCH ? explain_missing(tid)
						 : NULL;
	struct error *error;

	if (!why)
		return error_errno(code, "attach to process %s", name);
	error = error_create("attach to process %s: %s: %s", name, strerror(code), why);
	error->code = code;
	return error;
}

struct error *refusal_before(int pid)
{
	int target = task_tgid(pid);
	int tid = (int)syscall(SYS_gettid);
	struct task_status status;

	if (target == getpid())
		return error_create("attach to process %d: it is this tracer itself", pid);
	// The chain is short; the limit only guards against one that changes as we read it.
	for (int i = 0; i < 64 && task_status_read(tid, &status) && status.tracer; i++) {
		tid = status.tracer;
		if (task_tgid(tid) != target)
			continue;
		cleanup_free char *name = describe(pid);

		return error_create("attach to process %s: it traces this tracer; each would wait "
				    "for the other for ever",
			name);
	}
	return NULL;
}
