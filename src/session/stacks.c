// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "session/stacks.h"

#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/stat.h>

#include "abi/abi.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/cleanup.h"
#include "proc/mem.h"
#include "schema/syscall.h"
#include "session/memory.h"
#include "session/stack_source.h"
#include "session/state.h"
#include "trace/stop.h"
#include "unwind/unwind.h"

bool session_stack_is_wanted(const struct session *session, const struct session_task *task)
{
	if (session->options->output.stack == OUTPUT_STACK_NONE)
		return false;
	// The execve that starts the command is made by our own child.
	return task->tgid != session->command_pid || session->command_runs;
}

// Whether its process has threads that we do not trace. The directory has an entry for itself,
// one for its parent, and one for each thread (proc_task_getattr() of fs/proc/base.c).
static bool has_strangers(struct session_process *process)
{
	struct stat status;

	if (process->threads_fd < 0) {
		cleanup_free char *path = xasprintf("/proc/%d/task", process->tgid);

		process->threads_fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	}
	return fstat(process->threads_fd, &status) == 0 &&
	       status.st_nlink > process->task_count + 2;
}

struct unwind_space *session_stack_space(
	struct session *session, struct session_process *process, enum unwind_arch arch)
{
	struct session_memory *memory = process->memory;

	if (!memory->space)
		memory->space = unwind_space_create(session->unwind, arch);
	if (!session->options->follow) {
		memory->has_strangers = memory->has_strangers || has_strangers(process);
		unwind_space_set_unwatched(memory->space, memory->has_strangers);
	}
	return memory->space;
}

void session_stack_task_made(struct session *session, struct session_task *task)
{
	const struct syscall *syscall = task->call.syscall;
	uint64_t flags = task->decoded.regs[0];

	if (session->options->follow || !session_stack_is_wanted(session, task))
		return;
	// struct clone_args of linux/sched.h begins with them.
	if (strcmp(syscall->name, "clone3") == 0 &&
		mem_read(&task->live.mem, flags, &flags, sizeof(flags)) != sizeof(flags))
		flags = CLONE_VM;
	// A child of vfork() only executes a program.
	if ((flags & (CLONE_VM | CLONE_VFORK)) == CLONE_VM)
		task->process->memory->has_strangers = true;
}

void session_stack_walk(struct session *session, struct session_task *task,
	struct stack_source *living, const struct frame_regs *regs, enum frame_address address,
	struct unwind_stack *ret)
{
	struct unwind_source source = {.ops = &stack_source_ops, .context = living};
	struct frame_regs all;

	if (!regs) {
		if (!stack_source_registers(living, &all)) {
			*ret = (struct unwind_stack){.end = FRAME_END_NO_STATE};
			return;
		}
		regs = &all;
	}
	unwind_walk(session_stack_space(session, task->process, regs->arch), &source, regs, address,
		living->arena, ret);
}

void session_stack_walk_call(struct session *session, struct session_task *task,
	struct stack_source *living, const struct stop_syscall *call, struct unwind_stack *ret)
{
	struct frame_regs regs;

	// A 64-bit program may well make 32-bit calls, but not the other way round.
	if (call->abi_unknown || call->abi != abi_native()->id) {
		session_stack_walk(session, task, living, NULL, FRAME_ADDRESS_SYSCALL, ret);
		return;
	}
	frame_regs_init(&regs, unwind_arch_native(), call->ip, call->sp);
	// A task that sleeps so that it cannot be stopped has no other registers that we know. At
	// least vfork() keeps its return address in one of these.
	if (call->in_flight)
		frame_regs_set_arguments(&regs, call->args);
	session_stack_walk(session, task, living, &regs, FRAME_ADDRESS_SYSCALL, ret);
}
