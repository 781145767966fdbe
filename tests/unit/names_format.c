// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "names_format.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "event/event.h"
#include "output/output.h"
#include "output/sink.h"
#include "output/text_call.h"

struct names {
	struct output output;
	struct sink *sink;
	struct buf line;
};

static struct output *names_create(const struct output_options *options, struct sink *sink)
{
	struct names *names = xcalloc(1, sizeof(*names));

	(void)options;
	names->sink = sink;
	return &names->output;
}

static void names_call_end(struct output *output, const struct event *event)
{
	struct names *names = (struct names *)output;

	buf_reset(&names->line);
	text_call_name(&names->line, event->call);
	buf_char(&names->line, '\n');
	sink_write(names->sink, names->line.data, names->line.length);
}

static void names_finish(struct output *output)
{
	struct names *names = (struct names *)output;

	buf_deinit(&names->line);
	free(names);
}

const struct output_format names_format = {
	.name = "names",
	.create = names_create,
	.call_end = names_call_end,
	.finish = names_finish,
};
