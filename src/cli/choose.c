// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "cli/choose.h"

#include <dirent.h>
#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/parse.h"
#include "cli/options.h"
#include "proc/task_status.h"

static void add_attached(struct options *options, int pid)
{
	*array_add(&options->pids) = pid;
}

static void add_hidden(struct options *options, int pid)
{
	*array_add(&options->hidden) = pid;
}

static struct error *parse_pids(struct options *options, const char *argument,
	void (*add)(struct options *options, int pid))
{
	const char *item;
	size_t length;

	// strace takes lists separated by commas and white space, as pidof prints them.
	while (*argument) {
		cleanup_free char *text = NULL;
		int pid;

		length = strcspn(argument, ", \t\n");
		item = argument;
		argument += length + !!argument[length];
		if (!length)
			continue;
		text = xstrndup(item, length);
		if (!parse_int(text, &pid) || pid == 0)
			return error_create("Invalid process id: '%s'", text);
		add(options, pid);
	}
	return NULL;
}

struct error *choose_attach(struct options *options, const char *argument)
{
	return parse_pids(options, argument, add_attached);
}

struct error *choose_threads(struct options *options, const char *argument)
{
	options->has_tids = true;
	return parse_pids(options, argument, add_attached);
}

struct error *choose_hidden(struct options *options, const char *argument)
{
	return parse_pids(options, argument, add_hidden);
}

struct error *choose_follow(struct options *options, const char *argument)
{
	(void)argument;
	// -ff
	if (options->session.follow)
		options->output_separately = true;
	options->session.follow = true;
	return NULL;
}

// 0 for the first process, and for one that is gone.
static int parent_of(int pid)
{
	struct task_status status;

	return task_status_read(pid, &status) ? status.parent : 0;
}

static bool started_us(int pid)
{
	for (int ancestor = getpid(); ancestor > 0; ancestor = parent_of(ancestor)) {
		if (ancestor == pid)
			return true;
	}
	return false;
}

static void add(struct options *options, int pid)
{
	if (!started_us(pid))
		*array_add(&options->pids) = pid;
}

static bool find_user(const char *name, uid_t *ret)
{
	const struct passwd *user;
	int number;

	if (parse_int(name, &number)) {
		*ret = (uid_t)number;
		return true;
	}
	user = getpwnam(name);
	if (user)
		*ret = user->pw_uid;
	return user;
}

// A process that executes nothing of a user's has no program: threads of the kernel.
static bool has_program(int pid)
{
	char path[64], byte;

	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	return readlink(path, &byte, 1) > 0;
}

static bool runs_as(int pid, uid_t uid)
{
	char path[64];
	struct stat info;

	snprintf(path, sizeof(path), "/proc/%d", pid);
	return stat(path, &info) == 0 && info.st_uid == uid && has_program(pid);
}

struct error *choose_by_user(struct options *options, const char *name)
{
	cleanup_closedir DIR *dir = NULL;
	size_t before = options->pids.count;
	const struct dirent *entry;
	uid_t uid;

	if (!find_user(name, &uid))
		return error_create("there is no user '%s'", name);
	dir = opendir("/proc");
	while (dir && (entry = readdir(dir))) {
		int pid;

		if (parse_int(entry->d_name, &pid) && runs_as(pid, uid))
			add(options, pid);
	}
	if (options->pids.count == before)
		return error_create("no process of user '%s' can be traced", name);
	return NULL;
}

struct error *choose_by_cgroup(struct options *options, const char *path)
{
	cleanup_free char *procs =
		xasprintf("%s%s/cgroup.procs", path[0] == '/' ? "" : "/sys/fs/cgroup/", path);
	cleanup_fclose FILE *file = fopen(procs, "re");
	size_t before = options->pids.count;
	int pid;

	if (!file)
		return error_errno(errno, "cannot read %s", procs);
	while (fscanf(file, "%d", &pid) == 1) {
		// 0 is one that our pid namespace does not know.
		if (pid > 0)
			add(options, pid);
	}
	if (options->pids.count == before)
		return error_create("no process in the control group '%s' can be traced", path);
	return NULL;
}
