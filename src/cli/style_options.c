// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "cli/style_options.h"

#include <stddef.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "cli/options.h"

struct error *style_options_constants(struct options *options, const char *argument)
{
	static const char *const names[] = {
		[TEXT_CONSTANTS_ABBREV] = "abbrev",
		[TEXT_CONSTANTS_RAW] = "raw",
		[TEXT_CONSTANTS_VERBOSE] = "verbose",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (strcmp(argument, names[i]) == 0) {
			options->session.output.style.constants = (enum text_constants)i;
			return NULL;
		}
	}
	return error_create("invalid -X argument: '%s' (raw, abbrev or verbose)", argument);
}

struct error *style_options_hex(struct options *options, const char *argument)
{
	struct text_style *style = &options->session.output.style;

	(void)argument;
	style->strings = style->strings == TEXT_STRINGS_OCTAL ? TEXT_STRINGS_HEX_IF_NEEDED
							      : TEXT_STRINGS_HEX;
	return NULL;
}

struct error *style_options_strings(struct options *options, const char *argument)
{
	static const char *const names[] = {
		[TEXT_STRINGS_OCTAL] = "none",
		[TEXT_STRINGS_HEX_ESCAPES] = "non-ascii-chars",
		[TEXT_STRINGS_HEX_IF_NEEDED] = "non-ascii",
		[TEXT_STRINGS_HEX] = "all",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (strcmp(argument ? argument : "all", names[i]) == 0) {
			options->session.output.style.strings = (enum text_strings)i;
			return NULL;
		}
	}
	return error_create(
		"invalid --strings-in-hex argument: '%s' (none, non-ascii-chars, non-ascii or all)",
		argument);
}
