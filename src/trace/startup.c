// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "trace/startup.h"

#include <grp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"

// Set-user-ID programs have the rights of their owner, as if the user had run them: a process
// that is traced gets them from us, not by its execve.
static bool become(const struct startup_identity *identity, const char *path)
{
	struct stat program;
	uid_t effective_uid = identity->uid;
	gid_t effective_gid = identity->gid;

	if (stat(path, &program) == 0) {
		if (program.st_mode & S_ISUID)
			effective_uid = program.st_uid;
		if ((program.st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP))
			effective_gid = program.st_gid;
	}
	if (identity->user ? initgroups(identity->user, identity->gid) != 0
			   : setgroups(0, NULL) != 0)
		return false;
	return setregid(identity->gid, effective_gid) == 0 &&
	       setreuid(identity->uid, effective_uid) == 0;
}

static void change_environment(const struct startup *startup)
{
	for (size_t i = 0; i < startup->environment_count; i++) {
		if (strchr(startup->environment[i], '='))
			putenv(startup->environment[i]);
		else
			unsetenv(startup->environment[i]);
	}
}

void startup_execute(
	const struct startup *startup, const char *path, char *const argv[], const char **what_ret)
{
	size_t count = 0;
	char **words;

	*what_ret = "change the user";
	if (startup->identity && !become(startup->identity, path))
		return;
	change_environment(startup);
	while (argv[count])
		count++;
	words = xcalloc(count + 1, sizeof(*words));
	memcpy(words, argv, count * sizeof(*words));
	if (startup->argv0)
		words[0] = (char *)startup->argv0;
	*what_ret = "exec";
	execv(path, words);
}
