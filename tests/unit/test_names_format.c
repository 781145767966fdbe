// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "names_format.h"

#include "output_run.h"

static const struct syscall read_row = {.name = "read"};

CASE(a_name_per_finished_call)
{
	struct call call = {.syscall = &read_row};
	struct event event = {.kind = EVENT_CALL, .comm = "test", .call = &call};
	struct event exited = {.kind = EVENT_EXITED, .comm = "test"};
	struct run run;

	run_open(&run);
	outputs_add(&run.outputs, &(struct output_request){.format = &names_format},
		&(struct output_options){0}, run.sink);
	// As for a call in which a process is met: all that a session may ask of an output.
	outputs_tasks(&run.outputs, 1);
	run_begin(&run, &event);
	run_call_runs(&run, &event);
	run_call_end(&run, &event);
	run_event(&run, &exited);
	outputs_flush_pending(&run.outputs, /* wait= */ true);
	run_end(&run);
	assert_string_equal(run.text, "read\n");
}

RUN_CASES(ADD(a_name_per_finished_call));
