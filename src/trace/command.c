// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "trace/command.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/parse.h"

static bool is_program(const char *path)
{
	struct stat info;

	return stat(path, &info) == 0 && S_ISREG(info.st_mode) &&
	       info.st_mode & (S_IXUSR | S_IXGRP | S_IXOTH);
}

// An empty item of PATH means the working directory, as for a shell.
static char *search_path(const char *name)
{
	const char *cursor = getenv("PATH"), *item;
	size_t length;

	while (parse_list(&cursor, ':', &item, &length)) {
		cleanup_free char *path = length ? xasprintf("%.*s/%s", (int)length, item, name)
						 : xasprintf("./%s", name);

		if (is_program(path))
			return take_ptr(path);
	}
	return NULL;
}

struct error *command_find(const char *name, char **ret)
{
	struct stat info;
	char *found = strchr(name, '/') ? NULL : search_path(name);

	if (!found && (!strchr(name, '/') || stat(name, &info) != 0))
		return error_errno(strchr(name, '/') ? errno : ENOENT, "Can't stat '%s'", name);
	*ret = found ? found : xstrdup(name);
	return NULL;
}
