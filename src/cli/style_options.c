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
