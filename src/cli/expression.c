// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "cli/expression.h"

#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/item_list.h"
#include "cli/options.h"

struct error *expression_quiet(struct options *options, const char *text)
{
	static const struct {
		const char *name;
		unsigned bits;
	} names[] = {
		{"attach", SESSION_QUIET_ATTACH},
		{"exit", SESSION_QUIET_EXIT},
		{"exits", SESSION_QUIET_EXIT},
		{"path-resolution", SESSION_QUIET_PATH_RESOLUTION},
		{"personality", SESSION_QUIET_PERSONALITY},
		{"thread-execve", SESSION_QUIET_THREAD_EXECVE},
		{"symbols", SESSION_QUIET_SYMBOLS},
		{"superseded", SESSION_QUIET_THREAD_EXECVE},
		{"all", SESSION_QUIET_ALL},
		{"none", 0},
	};
	struct item_list list;
	unsigned bits = 0;
	const char *item;
	size_t length, i;

	if (!item_list_begin(&list, text))
		return error_create("invalid quiet '%s'", text);
	while (item_list_next(&list, &item, &length)) {
		for (i = 0; i < ARRAY_SIZE(names); i++) {
			if (strlen(names[i].name) == length &&
				memcmp(names[i].name, item, length) == 0)
				break;
		}
		if (i == ARRAY_SIZE(names))
			return error_create("invalid quiet '%.*s' (known: attach, exit, "
					    "path-resolution, personality, thread-execve, all, "
					    "none)",
				(int)length, item);
		bits |= names[i].bits;
	}
	options->session.quiet = list.inverted ? SESSION_QUIET_ALL & ~bits : bits;
	return NULL;
}

const char *expression_option(const char *text, const char **argument_ret)
{
	static const struct {
		const char *name, *option;
	} qualifiers[] = {
		{"trace", "trace"},
		{"t", "trace"},
		{"abbrev", "abbrev"},
		{"a", "abbrev"},
		{"verbose", "verbose"},
		{"v", "verbose"},
		{"raw", "raw"},
		{"x", "raw"},
		{"signal", "signal"},
		{"signals", "signal"},
		{"s", "signal"},
		{"status", "status"},
		{"quiet", "quiet"},
		{"silent", "quiet"},
		{"silence", "quiet"},
		{"q", "quiet"},
		{"read", "read"},
		{"reads", "read"},
		{"r", "read"},
		{"write", "write"},
		{"writes", "write"},
		{"w", "write"},
		{"trace-fds", "trace-fds"},
		{"trace-fd", "trace-fds"},
		{"fds", "trace-fds"},
		{"fd", "trace-fds"},
		{"decode-fds", "decode-fds"},
		{"decode-fd", "decode-fds"},
		{"decode-pids", "decode-pids"},
		{"decode-pid", "decode-pids"},
		{"inject", "inject"},
		{"fault", "fault"},
	};
	const char *equals = strchr(text, '=');
	size_t length = equals ? (size_t)(equals - text) : 0;

	for (size_t i = 0; equals && i < ARRAY_SIZE(qualifiers); i++) {
		if (!item_is(text, length, qualifiers[i].name))
			continue;
		*argument_ret = equals + 1;
		return qualifiers[i].option;
	}
	*argument_ret = text;
	return "trace";
}
