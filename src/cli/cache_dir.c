// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "cli/cache_dir.h"

#include <stdlib.h>

#include "base/alloc.h"

char *cache_dir_path(void)
{
	// Not for programs that run with more rights than the user who set these.
	const char *cache = secure_getenv("XDG_CACHE_HOME");
	const char *home = secure_getenv("HOME");

	// The standard says to ignore relative paths.
	if (cache && cache[0] == '/')
		return xstrdup(cache);
	return home && home[0] == '/' ? xasprintf("%s/.cache", home) : NULL;
}
