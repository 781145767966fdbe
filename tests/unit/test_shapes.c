// SPDX-License-Identifier: MIT
// Copyright the tracer authors

// Stacks of the programs that linkers and compilers make in unusual ways, and of unusual
// frames, compared as in test_walk.c.

#include "unit.h"

#include <string.h>

#include "base/array.h"
#include "stack_compare.h"
#include "stack_program.h"
#include "unwind/unwind.h"

GDB_CASE(without_search_table, "stacks-no_header", "read")
GDB_CASE(handler_without_search_table, "stacks-no_header", "handler")
GDB_CASE(static_pie, "stacks-static_pie", "read")
GDB_CASE(static_pie_handler, "stacks-static_pie", "altstack")
GDB_CASE(first_address_not_zero, "stacks-biased", "inline")
GDB_CASE(fixed_elsewhere, "stacks-moved", "inline")
GDB_CASE(hardened, "stacks-hardened", "read")
GDB_CASE(hardened_handler, "stacks-hardened", "handler")
GDB_CASE(hardened_thread, "stacks-hardened", "thread")
GDB_CASE(lazily_bound, "stacks-lazy", "read")
GDB_CASE(handler_in_debug_frame, "stacks-debug_frame", "handler")
GDB_CASE(vfork_child_i386, "stacks-i386", "vfork")
GDB_CASE(thread_i386, "stacks-i386", "thread")
GDB_CASE(fault_i386, "stacks-i386", "fault")

GDB_CASE(nested_handlers, "shapes-optimized", "nested")
GDB_CASE(nested_handlers_static, "shapes-static", "nested")
GDB_CASE(nested_handlers_i386, "shapes-i386", "nested")
GDB_CASE(alloca_and_array, "shapes-optimized", "alloca")
GDB_CASE(alloca_in_debug_frame, "shapes-debug_frame", "alloca")
GDB_CASE(alloca_i386, "shapes-i386", "alloca")
GDB_CASE(realigned, "shapes-optimized", "realigned")
GDB_CASE(realigned_in_debug_frame, "shapes-debug_frame", "realigned")
GDB_CASE(realigned_i386, "shapes-i386", "realigned")
GDB_CASE(cfa_by_expression, "shapes-optimized", "expression")
GDB_CASE(cfa_by_expression_i386, "shapes-i386", "expression")
GDB_CASE(cloned_task, "shapes-optimized", "clone")

CASE(coroutine)
{
	// makecontext() makes it look as if called from the start of a function, which is not a
	// call: gdb takes the bytes before it for the caller, and more behind.
	static const struct expected expected[] = {
		{"wait_here", FRAME_ORIGIN_EH_FRAME},
		{"coroutine", FRAME_ORIGIN_EH_FRAME},
		{"__start_context", FRAME_ORIGIN_EH_FRAME},
	};
	static const char *const programs[] = {"shapes-optimized", "shapes-static"};

	for (size_t i = 0; i < ARRAY_SIZE(programs); i++)
		expect(programs[i], "coroutine", FRAME_END_OUTERMOST, expected, 3);
}

CASE(a_rule_that_leads_nowhere)
{
	static const struct expected expected[] = {
		{"from_expression", FRAME_ORIGIN_EH_FRAME},
		{"standing", FRAME_ORIGIN_EH_FRAME},
		{"standing", FRAME_ORIGIN_EH_FRAME},
	};

	expect("shapes-optimized", "standing", FRAME_END_LOOP, expected, ARRAY_SIZE(expected));
}

CASE(a_rule_that_leads_on_for_ever)
{
	struct waiting waiting = start("shapes-optimized", "climbing");
	struct walked walked;
	size_t own;

	walk(&walked, waiting.task, NULL);
	own = own_frame(&walked);
	assert_int_equal(walked.stack.end, FRAME_END_LIMIT);
	assert_int_equal(walked.stack.fold_count, 1);
	// read (several frames since glibc 2.41),
	// wait_here, from_expression, three of it and the last one.
	assert_int_equal(walked.stack.count, own + 6);
	assert_true(walked.stack.folded > 10000 && walked.stack.folded <= 200000);
	assert_function(&walked, own + 2, "climbing", false);
	stop(&waiting);
	drop(&walked);
}

CASE(no_tables_and_no_frame_pointers)
{
	struct waiting waiting = start("stacks-bare", "read");
	struct walked walked;
	size_t own;

	walk(&walked, waiting.task, NULL);
	// The C library's own read() has a rule; who called it may be found, not more is known.
	own = own_frame(&walked);
	assert_function(&walked, own, "wait_here", false);
	assert_int_equal(walked.stack.frames[own].origin, FRAME_ORIGIN_EH_FRAME);
	for (size_t i = own + 1; i < walked.stack.count; i++)
		assert_true(walked.stack.frames[i].origin == FRAME_ORIGIN_FRAME_POINTER ||
			    walked.stack.frames[i].origin == FRAME_ORIGIN_GUESS);
	assert_int_not_equal(walked.stack.end, FRAME_END_OUTERMOST);
	stop(&waiting);
	drop(&walked);
}

CASE(no_tables_but_frame_pointers)
{
	static const struct expected expected[] = {
		{"wait_here", FRAME_ORIGIN_EH_FRAME},
		{"middle", FRAME_ORIGIN_FRAME_POINTER},
		{"mode_read", FRAME_ORIGIN_FRAME_POINTER},
		{"main", FRAME_ORIGIN_FRAME_POINTER},
		{"__libc_start_call_main", FRAME_ORIGIN_FRAME_POINTER},
	};

	expect("stacks-bare_pointers", "read", FRAME_END_OUTERMOST, expected,
		ARRAY_SIZE(expected) - 1);
}

CASE(only_frame_pointers_by_choice)
{
	const struct unwind_options options = {.engine = UNWIND_ENGINE_FRAME_POINTER};
	static const char *const functions[] = {"wait_here", "middle", "mode_read", "main"};
	struct waiting waiting = start("stacks-plain", "read");
	struct walked walked;

	walk(&walked, waiting.task, &options);
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++) {
		assert_function(&walked, i + 1, functions[i], true);
		assert_int_equal(walked.stack.frames[i + 1].origin,
			i ? FRAME_ORIGIN_FRAME_POINTER : FRAME_ORIGIN_EH_FRAME);
	}
	stop(&waiting);
	drop(&walked);
}

/** Of a call of libunwind: the same frames as ours. */
static void compare_engines(const char *program, const char *mode)
{
	const struct unwind_options options = {.engine = UNWIND_ENGINE_LIBUNWIND};
	struct waiting waiting;
	struct walked ours, theirs;

	if (!has_program(program))
		return;
	if (!unwind_engine_is_built(UNWIND_ENGINE_LIBUNWIND))
		skip();
	waiting = start(program, mode);
	walk(&ours, waiting.task, NULL);
	walk(&theirs, waiting.task, &options);
	if (ours.stack.count != theirs.stack.count || ours.stack.end != theirs.stack.end)
		fail_msg("%s %s: %zu frames and %zu, %s and %s", program, mode, ours.stack.count,
			theirs.stack.count, frame_end_text(ours.stack.end),
			frame_end_text(theirs.stack.end));
	assert_int_equal(ours.stack.count, theirs.stack.count);
	for (size_t i = 0; i < ours.stack.count; i++) {
		assert_int_equal(ours.stack.frames[i].pc, theirs.stack.frames[i].pc);
		assert_int_equal(ours.stack.frames[i].module_pc, theirs.stack.frames[i].module_pc);
		assert_int_equal(ours.stack.frames[i].is_signal_frame,
			theirs.stack.frames[i].is_signal_frame);
		assert_int_equal(ours.stack.frames[i].address, theirs.stack.frames[i].address);
		assert_int_equal(ours.stack.frames[i].origin, theirs.stack.frames[i].origin);
		// It does not say how big the outermost frame is.
		if (i + 1 < ours.stack.count)
			assert_int_equal(ours.stack.frames[i].cfa, theirs.stack.frames[i].cfa);
	}
	stop(&waiting);
	drop(&ours);
	drop(&theirs);
}

CASE(libunwind_agrees)
{
	compare_engines("stacks-optimized", "read");
	compare_engines("stacks-optimized", "altstack");
	compare_engines("stacks-optimized", "thread");
	compare_engines("stacks-optimized", "noreturn");
	compare_engines("stacks-biased", "inline");
	compare_engines("shapes-optimized", "nested");
	compare_engines("shapes-optimized", "realigned");
	compare_engines("shapes-optimized", "expression");
}

RUN_CASES(ADD(without_search_table), ADD(handler_without_search_table), ADD(static_pie),
	ADD(static_pie_handler), ADD(first_address_not_zero), ADD(fixed_elsewhere), ADD(hardened),
	ADD(hardened_handler), ADD(hardened_thread), ADD(lazily_bound), ADD(handler_in_debug_frame),
	ADD(vfork_child_i386), ADD(thread_i386), ADD(fault_i386), ADD(nested_handlers),
	ADD(nested_handlers_static), ADD(nested_handlers_i386), ADD(alloca_and_array),
	ADD(alloca_in_debug_frame), ADD(alloca_i386), ADD(realigned), ADD(realigned_in_debug_frame),
	ADD(realigned_i386), ADD(cfa_by_expression), ADD(cfa_by_expression_i386), ADD(coroutine),
	ADD(cloned_task), ADD(a_rule_that_leads_nowhere), ADD(a_rule_that_leads_on_for_ever),
	ADD(no_tables_and_no_frame_pointers), ADD(no_tables_but_frame_pointers),
	ADD(only_frame_pointers_by_choice), ADD(libunwind_agrees));
