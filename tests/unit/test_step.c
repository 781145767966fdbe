// SPDX-License-Identifier: MIT
// Copyright the tracer authors

// Walks the stack at each instruction of a program that calls through the linker's
// resolver, into the vdso, and gets a signal. Wherever it is, step_here() and main() must be
// on the stack and the stack must end at its outermost frame. The environment gives STACKS.

#include "unit.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "stack_program.h"
#include "unwind/unwind.h"

enum {
	INSTRUCTIONS_MOST = 200000,
	/** In the vdso: it reads the time again when a tick came between, and we make it slow. */
	VDSO_MOST = 500,
	VDSO_SIZE = 8192,
};

struct steps {
	unsigned long total, whole, in_vdso, in_linker, in_handler;
	unsigned long lost, without_rules;
	/** Where in the vdso it was last. */
	taddr vdso_pc;
};

static const char *function_of(struct walked *walked, size_t index)
{
	const struct unwind_description *description =
		unwind_describe(walked->context, &walked->stack.frames[index]);

	return description->locations[description->count - 1].function;
}

static bool has_function(struct walked *walked, const char *name)
{
	for (size_t i = 0; i < walked->stack.count; i++) {
		const char *function = function_of(walked, i);

		if (function && !strcmp(function, name))
			return true;
	}
	return false;
}

static void print_lost(struct walked *walked, const char *program)
{
	print_message("# %s:", program);
	for (size_t i = 0; i < walked->stack.count && i < 8; i++) {
		const struct unwind_frame *frame = &walked->stack.frames[i];
		const char *function = function_of(walked, i);

		print_message(" %s %s+0x%lx,", frame->map_name ? frame->map_name : "nowhere",
			function ? function : "?", (unsigned long)frame->module_pc);
	}
	print_message(" %s\n", frame_end_text(walked->stack.end));
}

/** False when step_here() has returned. */
static bool look(struct walked *walked, const char *program, struct steps *steps)
{
	const struct unwind_frame *first, *last;
	const char *map;

	arena_reset(&walked->arena);
	assert_true(live_regs(walked->live.pid, &walked->regs, &walked->address));
	walked->address = FRAME_ADDRESS_EXACT;
	walk_again(walked);
	first = &walked->stack.frames[0];
	if (function_of(walked, 0) && !strcmp(function_of(walked, 0), "mode_step"))
		return false;
	map = first->map_name ? first->map_name : "";
	steps->total++;
	if (!strcmp(map, "[vdso]")) {
		steps->in_vdso++;
		steps->vdso_pc = first->pc;
	}
	steps->in_linker += strstr(map, "/ld-") != NULL;
	steps->in_handler += has_function(walked, "handled");
	if (walked->stack.end == FRAME_END_OUTERMOST && has_function(walked, "main") &&
		has_function(walked, "step_here")) {
		steps->whole++;
		return true;
	}
	// The kernel's 32-bit vdso has rules for few of its functions: then that is said.
	last = &walked->stack.frames[walked->stack.count - 1];
	if (walked->stack.end == FRAME_END_NO_RULE && last->map_name &&
		!strcmp(last->map_name, "[vdso]"))
		steps->without_rules++;
	else if (++steps->lost <= 5)
		print_lost(walked, program);
	return true;
}

static bool is_near_vdso(struct walked *walked, const struct steps *steps)
{
	assert_true(live_regs(walked->live.pid, &walked->regs, &walked->address));
	return walked->regs.pc - steps->vdso_pc + VDSO_SIZE < 2 * VDSO_SIZE;
}

static void wait_for_stop(pid_t pid, int signal)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSTOPPED(status));
	assert_int_equal(WSTOPSIG(status), signal);
}

/** Steps from where step_here() is entered to where it has returned. */
static void step_through(struct walked *walked, const char *program, struct steps *steps)
{
	bool is_inside = false;
	int status, signal = 0;

	for (int i = 0; i < INSTRUCTIONS_MOST; i++) {
		assert_int_equal(ptrace(PTRACE_SINGLESTEP, walked->live.pid, 0, signal), 0);
		assert_int_equal(waitpid(walked->live.pid, &status, 0), walked->live.pid);
		assert_true(WIFSTOPPED(status));
		signal = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
		if (signal == SIGSTOP)
			return;
		if (!is_inside) {
			const struct unwind_source source = {&live_source_ops, &walked->live};

			assert_true(live_regs(walked->live.pid, &walked->regs, &walked->address));
			unwind_walk(walked->space, &source, &walked->regs, FRAME_ADDRESS_EXACT,
				&walked->arena, &walked->stack);
			is_inside = has_function(walked, "step_here");
		}
		if (steps->in_vdso == VDSO_MOST && is_near_vdso(walked, steps))
			continue;
		if (is_inside && !look(walked, program, steps))
			return;
	}
}

static void step_program(const char *program, struct steps *steps)
{
	cleanup_free char *path = program_path(program);
	const struct unwind_options options = {.no_lines = true};
	struct walked walked = {0};
	pid_t pid;

	*steps = (struct steps){0};
	if (!has_program(program))
		return;
	pid = fork();
	if (!pid) {
		unsetenv("LD_BIND_NOW");
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		execl(path, path, "step", (char *)NULL);
		_exit(127);
	}
	wait_for_stop(pid, SIGTRAP);
	ptrace(PTRACE_SETOPTIONS, pid, 0, PTRACE_O_EXITKILL);
	assert_int_equal(ptrace(PTRACE_CONT, pid, 0, 0), 0);
	wait_for_stop(pid, SIGSTOP);
	walked.live.pid = pid;
	walked.context = unwind_context_create(&options);
	assert_true(live_regs(pid, &walked.regs, &walked.address));
	walked.space = unwind_space_create(walked.context, walked.regs.arch);
	step_through(&walked, program, steps);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	print_message(
		"# %s: %lu instructions, %lu in the linker, %lu in the vdso, %lu in a handler; "
		"%lu stacks whole\n",
		program, steps->total, steps->in_linker, steps->in_vdso, steps->in_handler,
		steps->whole);
	drop(&walked);
	assert_true(steps->total > 500);
}

CASE(lazy_binding_and_vdso)
{
	struct steps steps;

	step_program("shapes-lazy", &steps);
	assert_true(steps.in_linker > 100);
	assert_true(steps.in_vdso > 10);
	assert_true(steps.in_handler > 1);
	assert_int_equal(steps.whole, steps.total);
}

CASE(static_program)
{
	struct steps steps;

	step_program("shapes-static", &steps);
	assert_int_equal(steps.whole, steps.total);
}

CASE(i386)
{
	struct steps steps;

	if (!has_program("shapes-i386"))
		return;
	step_program("shapes-i386", &steps);
	assert_int_equal(steps.whole + steps.without_rules, steps.total);
	assert_true(steps.whole > steps.total / 2);
}

RUN_CASES(ADD(lazy_binding_and_vdso), ADD(static_program), ADD(i386));
