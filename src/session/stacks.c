// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <sys/mman.h>

#include "schema/syscall.h"
#include "session/internal.h"
#include "session/stack_source.h"
#include "trace/trace.h"
#include "trace/tracee.h"

bool session_stack_take(struct session *session, struct session_task *task,
	enum frame_address address, struct arena *arena, struct unwind_stack *ret)
{
	struct session_process *process = task->process;
	struct stack_source context = {.mem = &task->live.mem, .arena = arena};
	struct unwind_source source = {.ops = &stack_source_ops, .context = &context};
	struct frame_regs regs;
	_Alignas(16) unsigned char prstatus[512];
	size_t size;

	if (session->options->output.stack == OUTPUT_STACK_NONE)
		return false;
	// The execve that starts the command is made by our own child.
	if (task->tracee->tgid == session->command_pid && !session->command_runs)
		return false;
	size = trace_registers(session->trace, task->tracee, prstatus, sizeof(prstatus));
	if (!frame_regs_from_prstatus(&regs, prstatus, size)) {
		*ret = (struct unwind_stack){.end = FRAME_END_NO_STATE};
		return true;
	}
	if (!process->space)
		process->space = unwind_space_create(session->unwind, regs.arch);
	unwind_walk(process->space, &source, &regs, address, arena, ret);
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
