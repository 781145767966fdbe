// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "session/source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "decode/decoder.h"
#include "filter/query.h"
#include "output/sink.h"
#include "output/text.h"
#include "session/session.h"
#include "session/state.h"
#include "session/task.h"
#include "source_dummy.h"
#include "unit.h"

enum {
	WRITE = 1,
	CLOSE = 3,
	// No process has this number (PID_MAX_LIMIT of linux/threads.h is 4194304).
	NOBODY = 4194305,
	TEXT = 0x1000,
};

/** A session that only the dummy source gives events to. */
struct run {
	struct query query;
	struct session_options options;
	struct session session;
	struct source_dummy source;
	struct sink *sink;
	char path[40];
	char text[4096];
};

static void start(struct run *run)
{
	struct output_options *output = &run->options.output;
	int fd;

	snprintf(run->path, sizeof(run->path), "/tmp/tracer-source-XXXXXX");
	fd = mkstemp(run->path);
	assert_true(fd >= 0);
	close(fd);
	assert_null(sink_open(run->path, /* append= */ false, &run->sink));
	query_init(&run->query);
	run->options.query = &run->query;
	run->options.sink = run->sink;
	run->options.decode.string_limit = 32;
	output->duration = true;
	output->duration_digits = 6;
	run->session.options = &run->options;
	outputs_add(&run->session.outputs, &(struct output_request){.format = &text_format}, output,
		run->sink);
	source_dummy_init(&run->source, &run->session);
	view_recorded_store(&run->source.memory, TEXT, "hi\n", 3);
}

static void finish(struct run *run)
{
	FILE *file;
	size_t length;

	outputs_finish(&run->session.outputs);
	sink_close(run->sink);
	file = fopen(run->path, "r");
	assert_non_null(file);
	length = fread(run->text, 1, sizeof(run->text) - 1, file);
	run->text[length] = '\0';
	fclose(file);
	unlink(run->path);
	source_dummy_deinit(&run->source);
	hash_deinit(&run->session.processes);
	call_deinit(&run->session.scratch);
	query_deinit(&run->query);
}

CASE(a_call_goes_from_a_source_through_handlers_to_text)
{
	struct run run = {0};
	struct session_task *task;

	start(&run);
	task = source_dummy_task(&run.source, NOBODY, "dummy");
	run.source.time = (struct timespec){.tv_sec = 100, .tv_nsec = 900000000};
	source_dummy_enter(&run.source, task, WRITE, (const uint64_t[6]){1, TEXT, 3});
	run.source.time = (struct timespec){.tv_sec = 101, .tv_nsec = 150000000};
	source_dummy_leave(&run.source, task, 3);
	source_dummy_exit(&run.source, task, 7);
	finish(&run);
	assert_string_equal(run.text, "write(1, \"hi\\n\", 3) = 3 <0.250000>\n"
				      "+++ exited with 7 +++\n");
	assert_int_equal(run.source.gone, 1);
}

CASE(thresholds_go_by_the_time_of_the_source)
{
	struct run run = {0};
	struct session_task *task;

	run.options.thresholds.duration = 1000000000;
	start(&run);
	task = source_dummy_task(&run.source, NOBODY, "dummy");
	for (int seconds = 0; seconds < 3; seconds++) {
		run.source.time.tv_sec = 100;
		source_dummy_enter(
			&run.source, task, CLOSE, (const uint64_t[6]){(uint64_t)seconds});
		run.source.time.tv_sec += seconds;
		source_dummy_leave(&run.source, task, -EBADF);
	}
	source_dummy_exit(&run.source, task, 0);
	finish(&run);
	assert_string_equal(run.text, "close(1) = -1 EBADF (Bad file descriptor) <1.000000>\n"
				      "close(2) = -1 EBADF (Bad file descriptor) <2.000000>\n"
				      "+++ exited with 0 +++\n");
}

RUN_CASES(ADD(a_call_goes_from_a_source_through_handlers_to_text),
	ADD(thresholds_go_by_the_time_of_the_source));
