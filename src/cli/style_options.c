// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "cli/style_options.h"

#include <stddef.h>

#include "cli/options.h"

struct error *style_options_hex(struct options *options, const char *argument)
{
	struct text_style *style = &options->session.output.style;

	(void)argument;
	style->strings = style->strings == TEXT_STRINGS_OCTAL ? TEXT_STRINGS_HEX_IF_NEEDED
							      : TEXT_STRINGS_HEX;
	return NULL;
}

struct error *style_options_abbrev(struct options *options, const char *argument)
{
	struct decode_options *decode = &options->session.decode;
	struct error *error = query_parse_calls(argument, &decode->whole);

	if (error)
		return error;
	syscall_set_invert(&decode->whole);
	// What is no call, as the values of signals, has -v alone.
	decode->verbose = options->session.output.style.verbose = false;
	return NULL;
}

struct error *style_options_verbose(struct options *options, const char *argument)
{
	struct error *error = query_parse_calls(argument, &options->opaque);

	if (error)
		return error;
	syscall_set_invert(&options->opaque);
	options->session.output.style.opaque = &options->opaque;
	return NULL;
}

struct error *style_options_raw(struct options *options, const char *argument)
{
	struct error *error = query_parse_calls(argument, &options->raw);

	if (!error)
		options->session.output.style.raw = &options->raw;
	return error;
}

struct error *style_options_read(struct options *options, const char *argument)
{
	return number_set_parse(&options->session.decode.reads, argument, "descriptor");
}

struct error *style_options_write(struct options *options, const char *argument)
{
	return number_set_parse(&options->session.decode.writes, argument, "descriptor");
}
