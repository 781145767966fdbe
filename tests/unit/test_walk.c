// SPDX-License-Identifier: MIT
// Copyright the tracer authors

// Walks the stacks of the programs in tests/stacks and compares names and lines
// with gdb's, or with what the source says where gdb guesses. The environment
// gives STACKS, the folder of the programs, GDB, the debugger or nothing,
// and GDB_SCRIPT.

#include "unit.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/array.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "live_source.h"
#include "stack_compare.h"
#include "stack_program.h"
#include "unwind/module/context.h"
#include "unwind/module/module.h"
#include "unwind/unwind.h"

GDB_CASE(read_unoptimized, "stacks-plain", "read")
GDB_CASE(read_optimized, "stacks-optimized", "read")
GDB_CASE(read_without_pie, "stacks-fixed", "read")
GDB_CASE(read_static, "stacks-static", "read")
GDB_CASE(read_debug_frame, "stacks-debug_frame", "read")
GDB_CASE(read_i386, "stacks-i386", "read")
GDB_CASE(read_i386_static, "stacks-i386-static", "read")
GDB_CASE(handler, "stacks-optimized", "handler")
GDB_CASE(handler_static, "stacks-static", "handler")
GDB_CASE(handler_i386, "stacks-i386", "handler")
GDB_CASE(altstack, "stacks-optimized", "altstack")
GDB_CASE(altstack_i386, "stacks-i386", "altstack")
GDB_CASE(fault_at_first_instruction, "stacks-optimized", "fault")
GDB_CASE(call_of_nowhere, "stacks-optimized", "null")
GDB_CASE(inlined, "stacks-optimized", "inline")
GDB_CASE(inlined_i386, "stacks-i386", "inline")
GDB_CASE(call_at_the_end, "stacks-optimized", "noreturn")
GDB_CASE(thread, "stacks-optimized", "thread")
GDB_CASE(vfork_child, "stacks-optimized", "vfork")
GDB_CASE(cplusplus, "sort", NULL)

static const char *const native[] = {"stacks-optimized", "stacks-debug_frame", "stacks-i386"};

/** The rules of the callers are from .debug_frame where the compiler wrote no others. */
static enum frame_origin rule_origin(const char *program)
{
	return strstr(program, "debug_frame") ? FRAME_ORIGIN_DEBUG_FRAME : FRAME_ORIGIN_EH_FRAME;
}

CASE(frame_pointer_where_there_is_no_rule)
{
	for (size_t i = 0; i < ARRAY_SIZE(native); i++) {
		enum frame_origin rule = rule_origin(native[i]);
		const struct expected expected[] = {
			{"from_assembler", rule},
			{"with_frame_pointer", rule},
			{"mode_frame_pointer", FRAME_ORIGIN_FRAME_POINTER},
			{"main", rule},
		};

		expect(native[i], "frame_pointer", FRAME_END_OUTERMOST, expected,
			ARRAY_SIZE(expected));
	}
}

CASE(neither_rule_nor_frame_pointer)
{
	for (size_t i = 0; i < ARRAY_SIZE(native); i++) {
		enum frame_origin rule = rule_origin(native[i]);
		const struct expected expected[] = {
			{"from_assembler", rule},
			{"without_anything", rule},
			// The only word of the stack that a call of without_anything() left.
			{"mode_no_rule", FRAME_ORIGIN_GUESS},
			{"main", rule},
		};

		// The main() of i386 aligns its stack and needs a register that is lost by then.
		expect(native[i], "no_rule",
			strstr(native[i], "i386") ? FRAME_END_UNKNOWN_REGISTER
						  : FRAME_END_OUTERMOST,
			expected, ARRAY_SIZE(expected));
	}
}

CASE(leaf_without_rule)
{
	for (size_t i = 0; i < ARRAY_SIZE(native); i++) {
		const struct expected expected[] = {
			{"bare_wait", FRAME_ORIGIN_REGISTERS},
			{"mode_leaf", FRAME_ORIGIN_GUESS},
			{"main", rule_origin(native[i])},
		};

		expect(native[i], "leaf", FRAME_END_OUTERMOST, expected, ARRAY_SIZE(expected));
	}
}

CASE(generated_code_is_a_frame)
{
	for (size_t i = 0; i < ARRAY_SIZE(native); i++) {
		enum frame_origin rule = rule_origin(native[i]);
		const struct expected expected[] = {
			{"from_assembler", rule},
			{"", rule},
			{"mode_generated", FRAME_ORIGIN_FRAME_POINTER},
			{"main", rule},
		};

		expect(native[i], "generated", FRAME_END_OUTERMOST, expected, ARRAY_SIZE(expected));
	}
}

CASE(deep_recursion_keeps_both_ends)
{
	const struct unwind_options options = {.frame_limit = 20};
	struct waiting waiting = start("stacks-optimized", "deep");
	struct list ours = {0};
	struct walked walked;
	size_t own;

	walk(&walked, waiting.task, &options);
	own = own_frame(&walked);
	list_ours(&ours, &walked);
	assert_int_equal(walked.stack.end, FRAME_END_OUTERMOST);
	// read (several frames since glibc 2.41),
	// wait_here, the innermost recurse, three that call it; one at the other end,
	// mode_deep, main, two of libc, _start.
	assert_int_equal(walked.stack.fold_at, own + 5);
	assert_int_equal(walked.stack.count, own + 5 + 1 + 2 + 2 + 1);
	assert_int_equal(walked.stack.folded + walked.stack.count, own + 1 + 20001 + 2 + 2 + 1);
	assert_int_equal(walked.stack.fold_count, 1);
	assert_int_equal(walked.stack.folds[0].count, walked.stack.folded);
	assert_int_equal(strncmp(ours.lines.data[own], "wait_here:", 10), 0);
	assert_int_equal(strncmp(ours.lines.data[own + 4], "recurse:", 8), 0);
	assert_int_equal(strncmp(ours.lines.data[own + 5], "recurse:", 8), 0);
	assert_int_equal(strncmp(ours.lines.data[own + 7], "main:", 5), 0);
	stop(&waiting);
	drop(&walked);
	list_deinit(&ours);
}

CASE(a_second_walk_reads_the_stack_once_and_the_maps_never)
{
	struct waiting waiting = start("stacks-optimized", "read");
	struct walked walked;
	uint64_t hits;

	walk(&walked, waiting.task, NULL);
	assert_true(live_stop(waiting.task));
	hits = walked.context->rule_cache.hits;
	walked.live.reads = walked.live.maps_reads = walked.live.opened = 0;
	walk_again(&walked);
	assert_int_equal(walked.live.reads, 1);
	assert_int_equal(walked.live.maps_reads, 0);
	assert_int_equal(walked.live.opened, 0);
	assert_int_equal(walked.context->rule_cache.hits - hits, walked.stack.count);
	// New code elsewhere does not matter to it.
	unwind_space_code_added(walked.space);
	walk_again(&walked);
	assert_int_equal(walked.live.maps_reads, 0);
	// After a change of the maps they are read once more, but no file is opened again.
	unwind_space_maps_changed(walked.space);
	walk_again(&walked);
	assert_int_equal(walked.live.maps_reads, 1);
	assert_int_equal(walked.live.opened, 0);
	live_detach(waiting.task);
	stop(&waiting);
	drop(&walked);
}

/** What a walk of @program from the program counter and the stack pointer alone asks for. */
static unsigned registers_asked(const char *program, const char *mode)
{
	struct waiting waiting = start(program, mode);
	struct walked all, few;
	unsigned asked;

	walk(&all, waiting.task, NULL);
	few = all;
	few.arena = (struct arena){0};
	frame_regs_init(&few.regs, all.regs.arch, all.regs.pc, all.regs.value[7]);
	assert_true(live_stop(waiting.task));
	walk_again(&few);
	asked = few.live.registers;
	// What one walk needed the next one asks for at once.
	walk_again(&few);
	assert_int_equal(few.live.registers, 2 * asked);
	live_detach(waiting.task);
	assert_int_equal(few.stack.end, all.stack.end);
	assert_int_equal(few.stack.count, all.stack.count);
	for (size_t i = 0; i < all.stack.count; i++) {
		assert_int_equal(few.stack.frames[i].pc, all.stack.frames[i].pc);
		assert_int_equal(few.stack.frames[i].cfa, all.stack.frames[i].cfa);
		assert_int_equal(few.stack.frames[i].origin, all.stack.frames[i].origin);
	}
	arena_deinit(&few.arena);
	stop(&waiting);
	drop(&all);
	return asked;
}

CASE(registers_are_asked_for_when_rules_need_them)
{
	assert_int_equal(registers_asked("stacks-optimized", "read"), 0);
	assert_int_equal(registers_asked("stacks-optimized", "handler"), 0);
	assert_int_equal(registers_asked("stacks-optimized", "deep"), 0);
	// Frame pointers are all there is.
	assert_int_equal(registers_asked("stacks-optimized", "frame_pointer"), 1);
}

CASE(processes_share_modules)
{
	struct waiting first = start("stacks-optimized", "read");
	struct waiting second = start("stacks-optimized", "handler");
	struct walked walked, other;
	const struct unwind_module *libc;

	walk(&walked, first.task, NULL);
	libc = walked.stack.frames[0].module;
	other = walked;
	other.arena = (struct arena){0};
	other.live = (struct live_source){.pid = second.task};
	other.space = unwind_space_create(walked.context, UNWIND_ARCH_X86_64);
	assert_true(live_stop(second.task));
	assert_true(live_regs(second.task, &other.regs, &other.address));
	walk_again(&other);
	live_detach(second.task);
	assert_ptr_equal(other.stack.frames[0].module, libc);
	assert_int_equal(other.live.opened, 0);
	unwind_space_destroy(other.space);
	arena_deinit(&other.arena);
	stop(&first);
	stop(&second);
	drop(&walked);
}

/** Walks at every system call of @program from its first to its last. */
static void walk_at_every_call(const char *program)
{
	cleanup_free char *path = program_path(program);
	struct walked walked = {0};
	int status = 0;
	pid_t child;

	if (!has_program(program))
		return;
	child = fork();
	if (!child) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		execl(path, path, (char *)NULL);
		_exit(127);
	}
	walked.context = unwind_context_create(NULL);
	walked.live.pid = child;
	for (int i = 0; waitpid(child, &status, 0) == child && WIFSTOPPED(status); i++) {
		assert_true(live_regs(child, &walked.regs, &walked.address));
		if (!walked.space)
			walked.space = unwind_space_create(walked.context, walked.regs.arch);
		if (i) {
			walked.address = FRAME_ADDRESS_SYSCALL;
			walk_again(&walked);
			if (walked.stack.end != FRAME_END_OUTERMOST)
				fail_msg("%s, stop %d: %s", program, i,
					frame_end_text(walked.stack.end));
		}
		assert_int_equal(ptrace(PTRACE_SYSCALL, child, 0, 0), 0);
	}
	drop(&walked);
}

CASE(the_stack_is_whole_at_every_call)
{
	// Without an argument they complain and end: about 60 calls, half of the linker.
	walk_at_every_call("stacks-optimized");
	walk_at_every_call("stacks-static");
	walk_at_every_call("stacks-i386");
	walk_at_every_call("stacks-i386-static");
}

CASE(without_lines_only_symbols)
{
	const struct unwind_options options = {.no_lines = true};
	struct waiting waiting = start("stacks-optimized", "inline");
	const struct unwind_description *description;
	struct walked walked;
	size_t own;

	walk(&walked, waiting.task, &options);
	own = own_frame(&walked);
	description = unwind_describe(walked.context, &walked.stack.frames[own + 1]);
	assert_int_equal(description->count, 1);
	assert_string_equal(description->locations[0].function, "not_inlined");
	assert_null(description->locations[0].file);
	assert_null(walked.stack.frames[own + 1].module->units);
	// Of the names of one address the one without underscores.
	assert_function(&walked, own - 1, "read", false);
	stop(&waiting);
	drop(&walked);
}

RUN_CASES(ADD(read_unoptimized), ADD(read_optimized), ADD(read_without_pie), ADD(read_static),
	ADD(read_debug_frame), ADD(read_i386), ADD(read_i386_static), ADD(handler),
	ADD(handler_static), ADD(handler_i386), ADD(altstack), ADD(altstack_i386),
	ADD(fault_at_first_instruction), ADD(call_of_nowhere), ADD(inlined), ADD(inlined_i386),
	ADD(call_at_the_end), ADD(thread), ADD(vfork_child), ADD(cplusplus),
	ADD(frame_pointer_where_there_is_no_rule), ADD(neither_rule_nor_frame_pointer),
	ADD(leaf_without_rule), ADD(generated_code_is_a_frame), ADD(deep_recursion_keeps_both_ends),
	ADD(a_second_walk_reads_the_stack_once_and_the_maps_never),
	ADD(registers_are_asked_for_when_rules_need_them), ADD(processes_share_modules),
	ADD(the_stack_is_whole_at_every_call), ADD(without_lines_only_symbols));
