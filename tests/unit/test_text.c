// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "output/text.h"
#include "output/text_call.h"

#include <errno.h>
#include <string.h>

#include "base/buf.h"

#include "output_run.h"
#include "schema/syscall.h"
#include "schema/type.h"
#include "unwind/frame.h"
#include "value_tree.h"

// Expected lines are what strace 6.1 prints of the same happenings.

static const struct output_options plain = {.align = 40};

static const struct syscall read_row = {.name = "read"};
static const struct syscall pause_row = {.name = "pause"};
static const struct syscall kill_row = {.name = "kill"};
static const struct syscall openat_row = {.name = "openat"};

static struct event call_event(int tid, struct call *call)
{
	return (struct event){.kind = EVENT_CALL,
		.task = {.tid = tid, .serial = (uint32_t)tid},
		.pid = tid,
		.comm = "test",
		.call = call};
}

static struct call pause_call(void)
{
	return (struct call){.syscall = &pause_row};
}

// read(3, …) with only the descriptor known at entry.
static struct call read_call(struct value *fd, struct value *bytes, struct value *count)
{
	return (struct call){
		.syscall = &read_row, .args = {fd, bytes, count}, .arg_count = 3, .known = 1};
}

static void succeed(struct call *call, int64_t retval)
{
	call->result = CALL_SUCCESS;
	call->retval = retval;
}

static void end_with(struct call *call, enum call_result result, int error)
{
	call->result = result;
	call->error = error;
	call->retval = -error;
}

// One call that nothing interrupts, as a whole line.
static void expect_line(const struct output_options *options, struct call *call, const char *line)
{
	struct run run;
	struct event event = call_event(7, call);

	event.duration = (struct timespec){1, 12999};
	run_start(&run, "text", options);
	run_begin(&run, &event);
	run_call_end(&run, &event);
	run_end(&run);
	assert_string_equal(run.text, line);
}

CASE(results_stand_in_column_40)
{
	struct call call = read_call(INT(3), STRING("abc"), UNSIGNED(10));

	succeed(&call, 3);
	expect_line(&plain, &call, "read(3, \"abc\", 10)                      = 3\n");
	expect_line(&(struct output_options){.align = 20}, &call, "read(3, \"abc\", 10)  = 3\n");
	expect_line(&(struct output_options){.align = 0}, &call, "read(3, \"abc\", 10) = 3\n");
	call = read_call(INT(3), STRING("12345678901234567"), UNSIGNED(99));
	succeed(&call, 17);
	expect_line(&plain, &call, "read(3, \"12345678901234567\", 99)        = 17\n");
	call = read_call(INT(3), STRING("1234567890123456789012345678"), UNSIGNED(99));
	succeed(&call, 28);
	expect_line(&plain, &call, "read(3, \"1234567890123456789012345678\", 99) = 28\n");
}

CASE(errors)
{
	struct call call = pause_call();

	end_with(&call, CALL_ERROR, ENOENT);
	expect_line(&plain, &call,
		"pause()                                 = -1 ENOENT (No such file or "
		"directory)\n");
	end_with(&call, CALL_ERROR, 999);
	expect_line(&plain, &call, "pause()                                 = -1 (errno 999)\n");
	end_with(&call, CALL_RESTART, 512);
	expect_line(&plain, &call,
		"pause()                                 "
		"= ? ERESTARTSYS (To be restarted if SA_RESTART is set)\n");
}

CASE(results_with_more_than_a_number)
{
	struct call call = pause_call();

	succeed(&call, 3);
	call.ret = NODE(.kind = VALUE_NUMBER, .number = 3, .notes = NOTE(NOTE_PATH, "/etc/passwd"));
	expect_line(&plain, &call, "pause()                                 = 3</etc/passwd>\n");
	call.ret = NODE(.kind = VALUE_NUMBER, .radix = RADIX_ADDRESS, .number = 0x55baa2bfc000);
	expect_line(&plain, &call, "pause()                                 = 0x55baa2bfc000\n");
	call.ret->number = 0;
	expect_line(&plain, &call, "pause()                                 = 0\n");
	call.ret = NULL;
	call.note = LIST(STRUCT(labelled("fd", INT(3)), labelled("revents", NAMED("POLLIN", 1))));
	expect_line(&plain, &call,
		"pause()                                 = 3 ([{fd=3, revents=POLLIN}])\n");
	call.ret = HEX(0x8001);
	call.note = STRUCT(labelled("flags", FLAGS(1, NAMED("O_WRONLY", 1))));
	expect_line(&plain, &call,
		"pause()                                 = 0x8001 (flags O_WRONLY)\n");
	call.note = NODE(.kind = VALUE_STRUCT);
	expect_line(&plain, &call, "pause()                                 = 0x8001\n");
}

CASE(calls_outside_the_table)
{
	struct call call = {.number = 500, .args = {HEX(1), HEX(0)}, .arg_count = 2, .known = 2};

	end_with(&call, CALL_ERROR, ENOSYS);
	expect_line(&plain, &call,
		"syscall_0x1f4(0x1, 0)                   = -1 ENOSYS (Function not implemented)\n");
}

CASE(durations)
{
	const struct output_options timed = {.align = 40, .duration = true, .duration_digits = 6};
	struct call call = pause_call();

	succeed(&call, 0);
	call.note = NAMED("Timeout", 0);
	expect_line(&timed, &call,
		"pause()                                 = 0 (Timeout) <1.000012>\n");
	end_with(&call, CALL_RESTART, 516);
	expect_line(&timed, &call,
		"pause()                                 "
		"= ? ERESTART_RESTARTBLOCK (Interrupted by signal) <1.000012>\n");
	call = pause_call();
	call.result = CALL_NO_RESULT;
	expect_line(&timed, &call, "pause()                                 = ?\n");
}

CASE(a_call_without_an_end_leaves_out_what_was_not_known)
{
	struct call call = read_call(INT(3), ADDRESS(4096), UNSIGNED(1));
	struct call whole = {.syscall = &kill_row,
		.args = {INT(7612), NAMED("SIGKILL", 9)},
		.arg_count = 2,
		.known = 2};

	call.result = CALL_NO_RESULT;
	expect_line(&plain, &call, "read(3,  <unfinished ...>)              = ?\n");
	whole.result = CALL_NO_RESULT;
	expect_line(&plain, &whole, "kill(7612, SIGKILL)                     = ?\n");
	// All arguments were known, but there was to be a note: poll, select.
	whole.signature = &(struct signature){.note = &(struct type){.kind = TYPE_HOOK}};
	expect_line(&plain, &whole, "kill(7612, SIGKILL <unfinished ...>)    = ?\n");
}

CASE(lines_that_others_interrupt)
{
	struct run run;
	struct call reading = read_call(INT(3), STRING("abc"), UNSIGNED(8));
	struct call waiting = pause_call();
	struct call killing = {.syscall = &kill_row,
		.args = {INT(1), NAMED("SIGTERM", 15)},
		.arg_count = 2,
		.known = 2};
	struct event a = call_event(7431, &reading);
	struct event b = call_event(7432, &waiting);
	struct event c = call_event(33, &killing);

	run_start(&run, "text", &plain);
	outputs_tasks(&run.outputs, 3);
	run_begin(&run, &a);
	run_begin(&run, &b);
	run_begin(&run, &c);
	succeed(&killing, 0);
	run_call_end(&run, &c);
	succeed(&reading, 3);
	run_call_end(&run, &a);
	end_with(&waiting, CALL_RESTART, 514);
	run_call_end(&run, &b);
	run_begin(&run, &c);
	run_begin(&run, &b);
	run_call_end(&run, &c);
	run_end(&run);
	assert_string_equal(run.text, "[pid  7431] read(3,  <unfinished ...>\n"
				      "[pid  7432] pause( <unfinished ...>\n"
				      "[pid    33] kill(1, SIGTERM)            = 0\n"
				      "[pid  7431] <... read resumed>\"abc\", 8) = 3\n"
				      "[pid  7432] <... pause resumed>)        "
				      "= ? ERESTARTNOHAND (To be restarted if no handler)\n"
				      "[pid    33] kill(1, SIGTERM <unfinished ...>\n"
				      "[pid  7432] pause( <unfinished ...>\n"
				      "[pid    33] <... kill resumed>)         = 0\n");
}

CASE(a_call_that_dies_interrupted)
{
	struct run run;
	struct call reading = read_call(INT(3), ADDRESS(4096), UNSIGNED(1));
	struct call waiting = pause_call();
	struct event a = call_event(7673, &reading);
	struct event b = call_event(7672, &waiting);
	struct event death = {.kind = EVENT_KILLED, .task = a.task, .exit = {.status = 9}};

	run_start(&run, "text", &(struct output_options){.align = 40, .pid_always = true});
	run_begin(&run, &a);
	run_begin(&run, &b);
	reading.result = CALL_NO_RESULT;
	run_call_end(&run, &a);
	waiting.result = CALL_NO_RESULT;
	run_call_end(&run, &b);
	run_event(&run, &death);
	run_end(&run);
	assert_string_equal(run.text, "7673  read(3,  <unfinished ...>\n"
				      "7672  pause( <unfinished ...>\n"
				      "7673  <... read resumed> <unfinished ...>) = ?\n"
				      "7672  <... pause resumed>)              = ?\n"
				      "7673  +++ killed by SIGKILL +++\n");
}

CASE(a_thread_id_used_again_does_not_end_the_old_line)
{
	struct run run;
	struct call call = pause_call();
	struct event old = call_event(9, &call);
	struct event new = call_event(9, &call);

	new.task.serial = 1000;
	run_start(&run, "text", &plain);
	run_begin(&run, &old);
	succeed(&call, 0);
	run_call_end(&run, &new);
	run_end(&run);
	assert_string_equal(run.text, "pause( <unfinished ...>\n"
				      "<... pause resumed>)                    = 0\n");
}

CASE(a_line_that_stays_open)
{
	struct run run;
	struct call call = pause_call();
	struct event event = call_event(9, &call);

	run_start(&run, "text", &plain);
	run_begin(&run, &event);
	run_end(&run);
	assert_string_equal(run.text, "pause( <unfinished ...>\n");

	run_start(&run, "text", &plain);
	run_begin(&run, &event);
	run_call_end(&run, &event);
	run_end(&run);
	assert_string_equal(run.text, "pause( <detached ...>\n");

	run_start(&run, "text", &plain);
	run_begin(&run, &event);
	event.kind = EVENT_DETACHED;
	run_event(&run, &event);
	run_end(&run);
	assert_string_equal(run.text, "pause( <detached ...>\n");
}

static void expect_event(struct event event, const char *line)
{
	struct run run;

	run_start(&run, "text", &plain);
	run_event(&run, &event);
	run_end(&run);
	assert_string_equal(run.text, line);
}

CASE(signals_and_ends)
{
	struct value *info = STRUCT(labelled("si_signo", NAMED("SIGINT", 2)),
		labelled("si_code", NAMED("SI_USER", 0)), labelled("si_pid", INT(1)),
		labelled("si_uid", INT(0)));

	expect_event((struct event){.kind = EVENT_SIGNAL, .signal = {.number = 2, .info = info}},
		"--- SIGINT {si_signo=SIGINT, si_code=SI_USER, si_pid=1, si_uid=0} ---\n");
	expect_event((struct event){.kind = EVENT_SIGNAL, .signal = {.number = 15}},
		"--- SIGTERM ---\n");
	expect_event((struct event){.kind = EVENT_STOPPED, .signal = {.number = 19}},
		"--- stopped by SIGSTOP ---\n");
	expect_event((struct event){.kind = EVENT_EXITED, .exit = {.status = 3}},
		"+++ exited with 3 +++\n");
	expect_event(
		(struct event){.kind = EVENT_KILLED, .exit = {.status = 11, .core_dumped = true}},
		"+++ killed by SIGSEGV (core dumped) +++\n");
	expect_event((struct event){.kind = EVENT_SUPERSEDED, .superseded = {.by = 7758}},
		"+++ superseded by execve in pid 7758 +++\n");
}

static const struct timespec noon = {1796005516, 749491999};

static void expect_clock(const struct output_options *options, const char *line)
{
	struct event event = {.kind = EVENT_EXITED, .wall = noon};
	struct run run;

	setenv("TZ", "UTC-1", 1);
	tzset();
	run_start(&run, "text", options);
	run_event(&run, &event);
	run_end(&run);
	assert_string_equal(run.text, line);
}

CASE(clocks)
{
	// date -u -d @1796005516: 2026-11-30 02:25:16, an hour later in this time zone.
	expect_clock(&(struct output_options){0}, "+++ exited with 0 +++\n");
	expect_clock(&(struct output_options){.clock = OUTPUT_CLOCK_DAY},
		"03:25:16 +++ exited with 0 +++\n");
	expect_clock(&(struct output_options){.clock = OUTPUT_CLOCK_DAY, .clock_digits = 6},
		"03:25:16.749491 +++ exited with 0 +++\n");
	expect_clock(&(struct output_options){.clock = OUTPUT_CLOCK_EPOCH, .clock_digits = 6},
		"1796005516.749491 +++ exited with 0 +++\n");
	expect_clock(&(struct output_options){.clock = OUTPUT_CLOCK_EPOCH},
		"1796005516 +++ exited with 0 +++\n");
	expect_clock(&(struct output_options){.relative = true, .relative_digits = 6},
		"     0.000000 +++ exited with 0 +++\n");
	expect_clock(&(struct output_options){.relative = true, .relative_digits = 9},
		"     0.000000000 +++ exited with 0 +++\n");
	expect_clock(&(struct output_options){.relative = true}, "     0 +++ exited with 0 +++\n");
}

CASE(a_relative_time_stands_in_parentheses_behind_a_clock)
{
	expect_clock(&(struct output_options){.clock = OUTPUT_CLOCK_DAY,
			     .clock_digits = 3,
			     .relative = true,
			     .relative_digits = 6},
		"03:25:16.749 (+     0.000000) +++ exited with 0 +++\n");
}

CASE(the_clock_of_a_resumed_line_is_its_own)
{
	struct run run;
	struct call reading = pause_call();
	struct call waiting = pause_call();
	struct event a = call_event(1, &reading);
	struct event b = call_event(2, &waiting);

	succeed(&reading, 0);
	a.wall = (struct timespec){100, 900000000};
	a.monotonic = (struct timespec){5, 900000000};
	a.duration = (struct timespec){0, 200000000};
	b.wall = (struct timespec){101, 0};
	b.monotonic = (struct timespec){6, 0};
	run_start(&run, "text",
		&(struct output_options){.clock = OUTPUT_CLOCK_EPOCH, .clock_digits = 6});
	run_begin(&run, &a);
	run_begin(&run, &b);
	run_call_end(&run, &a);
	run_end(&run);
	assert_string_equal(run.text, "100.900000 pause( <unfinished ...>\n"
				      "101.000000 pause( <unfinished ...>\n"
				      "101.100000 <... pause resumed>) = 0\n");

	run_start(&run, "text", &(struct output_options){.relative = true, .relative_digits = 6});
	run_begin(&run, &a);
	run_begin(&run, &b);
	run_call_end(&run, &a);
	run_end(&run);
	assert_string_equal(run.text, "     0.000000 pause( <unfinished ...>\n"
				      "     0.100000 pause( <unfinished ...>\n"
				      "     0.100000 <... pause resumed>) = 0\n");
}

CASE(the_prefix_counts_for_the_column)
{
	struct call call = pause_call();
	const struct output_options options = {
		.align = 40, .pid_always = true, .clock = OUTPUT_CLOCK_EPOCH, .clock_digits = 6};

	succeed(&call, 0);
	// 6 characters of pid, 9 of time, 7 of call: 18 more up to column 40.
	expect_line(&options, &call, "7     0.000000 pause()                  = 0\n");
}

CASE(a_message_does_not_tear_a_call_apart)
{
	char *const name = program_invocation_name;
	int saved = dup(STDERR_FILENO), ends[2];
	char text[256] = "";
	struct sink *sink;
	struct outputs outputs = {0};
	struct call call = {.syscall = &openat_row,
		.args = {NAMED("AT_FDCWD", -100), STRING("/")},
		.arg_count = 2,
		.known = 1};
	struct event event = call_event(7, &call);
	struct event attached = {.kind = EVENT_ATTACHED, .task = {.tid = 8}};
	struct event note = {.kind = EVENT_NOTE, .text = "a\033[1m"};

	program_invocation_name = (char *)"tracer";
	assert_int_equal(pipe(ends), 0);
	dup2(ends[1], STDERR_FILENO);
	assert_null(sink_open(NULL, /* append= */ false, &sink));
	outputs_add(&outputs, &(struct output_request){.format = &text_format}, &plain, sink);
	outputs_event(&outputs, &note);
	outputs_call_begin(&outputs, &event);
	outputs_event(&outputs, &attached);
	succeed(&call, 3);
	outputs_call_end(&outputs, &event);
	outputs_finish(&outputs);
	sink_close(sink);
	dup2(saved, STDERR_FILENO);
	close(saved);
	program_invocation_name = name;
	assert_true(read(ends[0], text, sizeof(text) - 1) > 0);
	assert_string_equal(text, "tracer: a\\33[1m\n"
				  "openat(AT_FDCWD, \"/\")                   = 3\n"
				  "tracer: Process 8 attached\n");
	close(ends[0]);
	close(ends[1]);
}

CASE(data_below_a_call)
{
	static const uint8_t bytes[] = "0123456789abcdef\t\x7f~";
	struct call_data rest = {
		.bytes = bytes, .length = 0, .list = -1, .buffer = 1, .buffer_count = 2};
	struct call_data first = {.bytes = bytes,
		.length = 19,
		.list = -1,
		.buffer = 0,
		.buffer_count = 2,
		.next = &rest};
	struct call_data in_lists = {
		.bytes = bytes, .length = 1, .list = 3, .buffer = 0, .buffer_count = 1};
	struct call_data alone = {.bytes = bytes, .length = 1, .list = -1, .buffer = -1};
	struct call call = {.result = CALL_SUCCESS, .data = &first};
	struct buf buf = {0};

	text_call_data(&buf, &call);
	assert_string_equal(buf_text(&buf),
		" * 19 bytes in buffer 0\n"
		" | 00000  30 31 32 33 34 35 36 37  38 39 61 62 63 64 65 66  0123456789abcdef |\n"
		" | 00010  09 7f 7e                                          ..~              |\n"
		" * 0 bytes in buffer 1\n");
	buf_reset(&buf);
	call.data = &in_lists;
	text_call_data(&buf, &call);
	assert_memory_equal(buf_text(&buf), " = 1 buffers in vector 3\n * 1 bytes", 34);
	buf_reset(&buf);
	call.data = &alone;
	text_call_data(&buf, &call);
	assert_memory_equal(buf_text(&buf), " | 00000  30 ", 13);
	buf_deinit(&buf);
}

static struct unwind_frame frame(taddr pc, const char *map_name)
{
	return (struct unwind_frame){.pc = pc, .map_name = map_name};
}

CASE(stacks_follow_their_line)
{
	struct unwind_frame frames[] = {frame(0x1234, ""), frame(0x5678, "//anon"),
		frame(0x9abc, "[vd\nso]"), frame(0xdef0, NULL), frame(0xdef1, NULL)};
	struct unwind_stack stack = {.frames = frames, .count = 5};
	struct call call = pause_call();
	struct event event = call_event(7, &call);
	struct run run;

	frames[3].is_unmapped = true;
	event.stack = &stack;
	succeed(&call, 0);
	run_start(
		&run, "text", &(struct output_options){.align = 10, .stack = OUTPUT_STACK_SYMBOL});
	run_begin(&run, &event);
	run_call_end(&run, &event);
	stack.folded = 19990;
	stack.fold_at = 1;
	stack.end = FRAME_END_NO_RULE;
	stack.end_address = 0x1000;
	stack.count = 2;
	event.kind = EVENT_SIGNAL;
	event.signal.number = 2;
	event.signal.info = NULL;
	run_event(&run, &event);
	run_end(&run);
	assert_string_equal(run.text, "pause()   = 0\n"
				      " > [anon]() [0x1234]\n"
				      " > [anon]() [0x5678]\n"
				      " > [vd\\nso]() [0x9abc]\n"
				      " > [unmapped]() [0xdef0]\n"
				      " > [unknown]() [0xdef1]\n"
				      "--- SIGINT ---\n"
				      " > [anon]() [0x1234]\n"
				      " > ... 19,990 more frames ...\n"
				      " > [anon]() [0x5678]\n"
				      " > end: no unwind rule at 0x1000\n");
}

CASE(uncertain_frames_are_marked)
{
	struct unwind_frame frames[] = {frame(0x1234, ""), frame(0x5678, ""), frame(0x9abc, "")};
	struct unwind_stack stack = {.frames = frames, .count = 3};
	struct event event = {.kind = EVENT_SIGNAL, .signal = {.number = 2}, .stack = &stack};
	struct run run;

	frames[0].origin = FRAME_ORIGIN_FRAME_POINTER;
	frames[1].origin = FRAME_ORIGIN_GUESS;
	frames[2].origin = FRAME_ORIGIN_EH_FRAME;
	frames[2].is_signal_frame = true;
	run_start(
		&run, "text", &(struct output_options){.align = 10, .stack = OUTPUT_STACK_SOURCE});
	run_event(&run, &event);
	run_end(&run);
	assert_string_equal(run.text, "--- SIGINT ---\n"
				      " > [anon]() [0x1234] ?\n"
				      " > [anon]() [0x5678] ?\n"
				      " > [anon](<signal handler called>) [0x9abc]\n");
}

CASE(a_call_that_runs_is_shown_so_far)
{
	struct call a = read_call(INT(3), STRING("abc"), UNSIGNED(10)), b = pause_call();
	struct unwind_frame frames[] = {frame(0x1234, "")};
	struct unwind_stack stack = {.frames = frames, .count = 1};
	struct event first = call_event(7, &a), second = call_event(8, &b);
	struct run run;

	first.stack = second.stack = &stack;
	run_start(
		&run, "text", &(struct output_options){.align = 40, .stack = OUTPUT_STACK_SYMBOL});
	outputs_tasks(&run.outputs, 2);
	run_begin(&run, &first);
	run_call_runs(&run, &first);
	first.stack_shown = true;
	run_begin(&run, &second);
	// Another line is open now.
	run_call_runs(&run, &first);
	succeed(&a, 3);
	run_call_end(&run, &first);
	end_with(&b, CALL_ERROR, EINTR);
	b.is_disturbed = true;
	run_call_end(&run, &second);
	run_end(&run);
	assert_string_equal(run.text, "[pid     7] read(3,  <unfinished ...>\n"
				      " > [anon]() [0x1234]\n"
				      "[pid     8] pause( <unfinished ...>\n"
				      "[pid     7] read(3,  <unfinished ...>\n"
				      " > [anon]() [0x1234]\n"
				      "[pid     7] <... read resumed>\"abc\", 10) = 3\n"
				      "[pid     8] <... pause resumed>)        "
				      "= -1 EINTR (Interrupted system call) "
				      "(by attaching to it)\n"
				      " > [anon]() [0x1234]\n");
}

CASE(a_call_that_goes_on_with_another)
{
	struct call call = pause_call();

	call.resumes = "nanosleep";
	succeed(&call, 0);
	expect_line(&(struct output_options){.align = 0}, &call,
		"pause(<... resuming interrupted nanosleep ...>) = 0\n");
}

CASE(lines_of_stacks_can_carry_the_pid)
{
	struct unwind_frame frames[] = {frame(0x1234, ""), frame(0x5678, "")};
	struct unwind_stack stack = {.frames = frames, .count = 2};
	struct event event = {.kind = EVENT_RUNNING, .task = {.tid = 9}, .stack = &stack};
	struct run run;

	run_start(&run, "text",
		&(struct output_options){
			.align = 10, .stack = OUTPUT_STACK_SYMBOL, .stack_pid = true});
	run_event(&run, &event);
	outputs_tasks(&run.outputs, 2);
	run_event(&run, &event);
	run_end(&run);
	assert_string_equal(run.text, "--- running ---\n"
				      " > [anon]() [0x1234]\n"
				      " > [anon]() [0x5678]\n"
				      "[pid     9] --- running ---\n"
				      "[pid     9]  > [anon]() [0x1234]\n"
				      "[pid     9]  > [anon]() [0x5678]\n");
}

RUN_CASES(ADD(a_call_that_runs_is_shown_so_far), ADD(a_call_that_goes_on_with_another),
	ADD(lines_of_stacks_can_carry_the_pid), ADD(results_stand_in_column_40), ADD(errors),
	ADD(results_with_more_than_a_number), ADD(calls_outside_the_table), ADD(durations),
	ADD(a_call_without_an_end_leaves_out_what_was_not_known), ADD(lines_that_others_interrupt),
	ADD(a_call_that_dies_interrupted), ADD(a_thread_id_used_again_does_not_end_the_old_line),
	ADD(a_line_that_stays_open), ADD(signals_and_ends), ADD(clocks),
	ADD(a_relative_time_stands_in_parentheses_behind_a_clock),
	ADD(the_clock_of_a_resumed_line_is_its_own), ADD(the_prefix_counts_for_the_column),
	ADD(a_message_does_not_tear_a_call_apart), ADD(data_below_a_call),
	ADD(stacks_follow_their_line), ADD(uncertain_frames_are_marked));
