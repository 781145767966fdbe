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

static struct error *decode_fds(struct options *options, const char *text)
{
	if (strcmp(text, "path") != 0 && strcmp(text, "none") != 0)
		return error_create("of the descriptor details only 'path' is supported");
	options->session.decode.fd_paths = strcmp(text, "path") == 0;
	return NULL;
}

static struct error *trace(struct options *options, const char *text)
{
	return query_set_calls(&options->query, text);
}

static struct error *status(struct options *options, const char *text)
{
	return query_set_statuses(&options->query, text);
}

static struct error *signals(struct options *options, const char *text)
{
	return query_set_signals(&options->query, text);
}

struct error *expression_set(struct options *options, const char *text)
{
	static const struct {
		const char *name;
		struct error *(*set)(struct options *options, const char *text);
	} qualifiers[] = {
		{"trace", trace},
		{"t", trace},
		{"signal", signals},
		{"signals", signals},
		{"s", signals},
		{"status", status},
		{"quiet", expression_quiet},
		{"silent", expression_quiet},
		{"q", expression_quiet},
		{"decode-fds", decode_fds},
		{"decode-fd", decode_fds},
	};
	static const char *const later[] = {"abbrev", "a", "verbose", "v", "raw", "x", "read",
		"reads", "r", "write", "writes", "w", "fault", "inject", "kvm"};
	const char *equals = strchr(text, '=');
	size_t length = equals ? (size_t)(equals - text) : 0;

	for (size_t i = 0; equals && i < ARRAY_SIZE(qualifiers); i++) {
		if (strlen(qualifiers[i].name) == length &&
			memcmp(qualifiers[i].name, text, length) == 0)
			return qualifiers[i].set(options, equals + 1);
	}
	for (size_t i = 0; equals && i < ARRAY_SIZE(later); i++) {
		if (strlen(later[i]) == length && memcmp(later[i], text, length) == 0)
			return error_create("-e %s= is not supported yet", later[i]);
	}
	return trace(options, text);
}
