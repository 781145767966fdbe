// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "cli/decode_options.h"

#include <stddef.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/item_list.h"
#include "cli/options.h"
#include "proc/fd_detail.h"

enum {
	/** Beside the bits of enum fd_detail_kind. */
	DECODE_FD_PATH = FD_DETAIL_ALL + 1,
};

struct named_bit {
	const char *name;
	unsigned bit;
};

static struct error *unknown_bit(const char *option, const char *item, size_t length,
	const struct named_bit *names, size_t count)
{
	struct buf known = {0};
	struct error *error;

	for (size_t i = 0; i < count; i++)
		buf_printf(&known, "%s, ", names[i].name);
	error = error_create("invalid %s '%.*s' (known: %sall, none)", option, (int)length, item,
		buf_text(&known));
	buf_deinit(&known);
	return error;
}

// A set of words, as it is written behind -e: *@ret is changed only on success.
static struct error *named_bits(const char *text, const char *option, const struct named_bit *names,
	size_t count, unsigned *ret)
{
	struct item_list list;
	unsigned bits = 0, all = 0;
	const char *item;
	size_t length, i;

	for (i = 0; i < count; i++)
		all |= names[i].bit;
	if (!item_list_begin(&list, text))
		return unknown_bit(option, text, strlen(text), names, count);
	while (item_list_next(&list, &item, &length)) {
		for (i = 0; i < count && !item_is(item, length, names[i].name); i++)
			;
		if (i < count)
			bits |= names[i].bit;
		else if (item_is(item, length, "all"))
			bits = all;
		else if (!item_is(item, length, "none"))
			return unknown_bit(option, item, length, names, count);
	}
	*ret = list.inverted ? all & ~bits : bits;
	return NULL;
}

struct error *decode_options_fds(struct options *options, const char *argument)
{
	static const struct named_bit kinds[] = {
		{"path", DECODE_FD_PATH},
		{"dev", FD_DETAIL_DEVICE},
		{"socket", FD_DETAIL_SOCKET},
		{"pidfd", FD_DETAIL_PIDFD},
		{"eventfd", FD_DETAIL_EVENTFD},
		{"signalfd", FD_DETAIL_SIGNALFD},
	};
	struct decode_options *decode = &options->session.decode;
	unsigned bits = DECODE_FD_PATH | (options->decode_fds_count ? FD_DETAIL_ALL : 0);
	struct error *error;

	if (argument) {
		error = named_bits(argument, "decode-fds", kinds, ARRAY_SIZE(kinds), &bits);
		if (error)
			return error;
	} else {
		options->decode_fds_count++;
	}
	options->has_fd_set |= argument != NULL;
	if (options->has_fd_set && options->decode_fds_count)
		return error_create("-y and --decode-fds cannot be given together (use only "
				    "--decode-fds)");
	decode->fd_paths = bits & DECODE_FD_PATH;
	decode->fd_details = bits & FD_DETAIL_ALL;
	return NULL;
}

struct error *decode_options_pids(struct options *options, const char *argument)
{
	static const struct named_bit kinds[] = {{"comm", 1}};
	unsigned bits = 1;
	struct error *error = NULL;

	if (argument)
		error = named_bits(argument, "decode-pids", kinds, ARRAY_SIZE(kinds), &bits);
	if (error)
		return error;
	options->session.decode.comms = options->session.output.comm = bits & 1;
	return NULL;
}
