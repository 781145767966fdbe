// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <fcntl.h>
#include <sched.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/cleanup.h"
#include "proc/mem.h"
#include "proc/task.h"
#include "session/internal.h"
#include "session/memory.h"
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
	if (!session->options->follow)
		unwind_space_set_unwatched(memory->space, has_strangers(process));
	return memory->space;
}

static void walk(struct session *session, struct session_task *task, const struct frame_regs *regs,
	enum frame_address address, struct arena *arena, struct unwind_stack *ret)
{
	struct stack_source context = {.mem = &task->live.mem,
		.arena = arena,
		.maps_fd = &task->process->memory->maps_fd,
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
	unwind_walk(session_stack_space(session, task->process, regs->arch), &source, regs, address,
		arena, ret);
}

bool session_stack_take(struct session *session, struct session_task *task,
	enum frame_address address, struct arena *arena, struct unwind_stack *ret)
{
	if (!is_wanted(session, task))
		return false;
	walk(session, task, NULL, address, arena, ret);
	return true;
}

void session_stack_expect(
	struct session *session, struct session_task *task, const struct stop_syscall *stop)
{
	if (is_wanted(session, task))
		mem_expect(&task->live.mem, stop->sp,
			unwind_predicted_size(session->unwind, stop->ip));
}

// A task that sleeps so that it cannot be stopped has no other registers that we know. At least
// vfork() keeps its return address in one of these.
static void add_arguments(struct frame_regs *regs, const struct stop_syscall *stop)
{
	// rdi, rsi, rdx, r10, r8, r9 in the numbers of DWARF
	static const unsigned numbers[] = {5, 4, 1, 10, 8, 9};

	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		frame_regs_set(regs, numbers[i], stop->args[i]);
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
	if (stop->in_flight)
		add_arguments(&regs, stop);
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

void session_stack_forked(
	struct session *session, struct session_task *parent, const struct stop *stop)
{
	// A thread of the same process, then.
	if ((stop->clone_flags & CLONE_THREAD) || task_tgid(stop->child) == parent->tracee->tgid)
		return;
	session_process_born(session, parent->process, stop->child, stop->clone_flags & CLONE_VM);
}
