// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <string.h>

#include "output/json.h"
#include "output/output.h"
#include "output/perf_lines.h"
#include "output/text.h"

static const struct output_format *const formats[] = {
	&text_format,
	&json_format,
	&perf_lines_format,
	NULL,
};

const struct output_format *const *output_formats(void)
{
	return formats;
}

const struct output_format *output_format_by_name(const char *name)
{
	for (size_t i = 0; formats[i]; i++) {
		if (!strcmp(formats[i]->name, name))
			return formats[i];
	}
	return NULL;
}
