// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <sys/mman.h>

#include "schema/syscall.h"
#include "session/internal.h"
#include "session/stack_source.h"
#include "trace/trace.h"
#include "trace/tracee.h"

static bool is_wanted(const struct session *session, const struct session_task *task)
{
	if (session->options->output.stack == OUTPUT_STACK_NONE)
		return false;
	// The execve that starts the command is made by our own child.
	return task->tracee->tgid != session->command_pid || session->command_runs;
}

static void walk(struct session *session, struct session_task *task, const struct frame_regs *regs,
	enum frame_address address, struct arena *arena, struct unwind_stack *ret)
{
	struct session_process *process = task->process;
	struct stack_source context = {.mem = &task->live.mem,
		.arena = arena,
		.trace = session->trace,
		.tracee = task->tracee};
	struct unwind_source source = {.ops = &stack_source_ops, .context = &context};
	struct frame_regs all;

	if (!regs) {
		if (!stack_source_registers(&context, &all)) {
			*ret = (struct unwind_stack){.end = FRAME_END_NO_STATE};
			return;
		}
		regs = &all;
	}
	if (!process->space)
		process->space = unwind_space_create(session->unwind, regs->arch);
	unwind_walk(process->space, &source, regs, address, arena, ret);
}

bool session_stack_take(struct session *session, struct session_task *task,
	enum frame_address address, struct arena *arena, struct unwind_stack *ret)
{
	if (!is_wanted(session, task))
		return false;
	walk(session, task, NULL, address, arena, ret);
	return true;
}

bool session_stack_take_at(struct session *session, struct session_task *task,
	const struct stop_syscall *stop, struct arena *arena, struct unwind_stack *ret)
{
	struct frame_regs regs;

	if (!is_wanted(session, task))
		return false;
	// A 64-bit program may well make 32-bit calls, but not the other way round.
	if (stop->abi_unknown || stop->abi != ABI_X86_64) {
		walk(session, task, NULL, FRAME_ADDRESS_SYSCALL, arena, ret);
		return true;
	}
	frame_regs_init(&regs, UNWIND_ARCH_X86_64, stop->ip, stop->sp);
	walk(session, task, &regs, FRAME_ADDRESS_SYSCALL, arena, ret);
	return true;
}

bool session_stack_registers(
	struct session *session, struct session_task *task, struct frame_regs *ret)
{
	struct stack_source context = {.trace = session->trace, .tracee = task->tracee};

	return is_wanted(session, task) && stack_source_registers(&context, ret);
}

bool session_stack_take_from(struct session *session, struct session_task *task,
	const struct frame_regs *regs, struct arena *arena, struct unwind_stack *ret)
{
	if (!is_wanted(session, task))
		return false;
	walk(session, task, regs, FRAME_ADDRESS_SYSCALL, arena, ret);
	return true;
}

void session_stack_maps_changed(struct session_task *task)
{
	process_maps_changed(&task->process->maps);
	// Only executable memory holds return addresses and unwind rules.
	if ((task->facts & FACT_PROTECTS_MAPS) && !(task->call.regs[2] & PROT_EXEC))
		return;
	if (task->process->space)
		unwind_space_maps_changed(task->process->space);
}

void session_stack_forked(struct session *session, struct session_task *parent, int child)
{
	struct session_process *process = session_process_find(session, child);

	if (process && !process->space && process != parent->process && parent->process->space)
		process->space = unwind_space_fork(parent->process->space);
}
