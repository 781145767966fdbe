// SPDX-License-Identifier: MIT
// Copyright the tracer authors

// `engines MOST COMMAND...` runs a command with all its children and, at up to MOST of their
// system calls, walks the stack with our rules and with libunwind. Every difference must be
// of a class whose reason is known (enum difference): what is left is printed, and the
// exit status is 1.

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/hash.h"
#include "live_source.h"
#include "unwind/unwind.h"

enum difference {
	SAME,
	/** We have a rule from .debug_frame, which libunwind is not given. */
	OURS_HAS_DEBUG_FRAME,
	/**
	 * Code without rules, where both guess. libunwind takes any frame pointer and does not
	 * look whether a call stands before the return address; we do, and know leaves.
	 */
	NO_RULE,
	/**
	 * The file has no search table for its .eh_frame (static programs), so libunwind has
	 * no rules.
	 */
	NO_TABLE,
	/** Both agree up to the entry code of a program, which libunwind steps out of. */
	BEYOND_ENTRY,
	UNEXPLAINED,
	DIFFERENCES,
};

static const char *const names[DIFFERENCES] = {
	"same",
	"our rule is from .debug_frame",
	"code without rules",
	"no search table",
	"beyond the entry code",
	"unexplained",
};

/** An address space, seen by both engines. */
struct process {
	struct unwind_space *ours, *theirs;
};

struct run {
	struct unwind_context *ours, *theirs;
	struct hash processes;
	unsigned long counts[DIFFERENCES];
	unsigned long total, most, frames;
};

static bool is_uncertain(const struct unwind_frame *frame)
{
	return frame->origin == FRAME_ORIGIN_FRAME_POINTER || frame->origin == FRAME_ORIGIN_GUESS;
}

static enum difference classify(const struct unwind_stack *ours, const struct unwind_stack *theirs)
{
	size_t most = ours->count < theirs->count ? ours->count : theirs->count, same = 0;

	while (same < most && ours->frames[same].pc == theirs->frames[same].pc)
		same++;
	if (same == ours->count && same == theirs->count)
		return SAME;
	if (ours->folded || theirs->folded)
		return SAME;
	// Which rule led to the first frame that differs.
	if (same < ours->count) {
		if (ours->frames[same].origin == FRAME_ORIGIN_DEBUG_FRAME)
			return OURS_HAS_DEBUG_FRAME;
		if (is_uncertain(&ours->frames[same]))
			return NO_RULE;
	} else {
		if (ours->end == FRAME_END_OUTERMOST)
			return BEYOND_ENTRY;
		if (ours->end == FRAME_END_NO_RULE || ours->end == FRAME_END_BAD_ADDRESS)
			return NO_RULE;
	}
	// An earlier step by guess may have lost registers that a later rule needs.
	for (size_t i = 0; i <= same && i < ours->count; i++) {
		if (is_uncertain(&ours->frames[i]))
			return NO_RULE;
	}
	if (same < theirs->count && is_uncertain(&theirs->frames[same]))
		return NO_TABLE;
	if (same == theirs->count && theirs->end == FRAME_END_NO_RULE)
		return NO_TABLE;
	return UNEXPLAINED;
}

static void print_stack(
	struct unwind_context *context, const char *title, const struct unwind_stack *stack)
{
	printf("# %s\n", title);
	for (size_t i = 0; i < stack->count && i < 40; i++) {
		const struct unwind_frame *frame = &stack->frames[i];
		const struct unwind_description *what = unwind_describe(context, frame);

		printf("#   0x%" PRIx64 " %s+0x%" PRIx64 " %s, %s\n", frame->pc,
			what->locations[what->count - 1].function
				? what->locations[what->count - 1].function
				: "?",
			what->symbol_offset,
			frame->module ? unwind_module_path(frame->module) : "[anon]",
			frame_origin_name(frame->origin));
	}
	printf("#   %s at 0x%" PRIx64 "\n", frame_end_text(stack->end), stack->end_address);
}

static struct process *process_of(struct run *run, pid_t pid, enum unwind_arch arch)
{
	struct process *process = hash_get(&run->processes, (uint64_t)pid);

	if (!process) {
		process = calloc(1, sizeof(*process));
		if (!process)
			abort();
		hash_set(&run->processes, (uint64_t)pid, process);
	}
	if (!process->ours) {
		process->ours = unwind_space_create(run->ours, arch);
		process->theirs = unwind_space_create(run->theirs, arch);
	}
	return process;
}

static void forget_space(struct run *run, pid_t pid)
{
	struct process *process = hash_get(&run->processes, (uint64_t)pid);

	if (!process)
		return;
	unwind_space_destroy(process->ours);
	unwind_space_destroy(process->theirs);
	process->ours = process->theirs = NULL;
}

static void look(struct run *run, pid_t pid)
{
	struct live_source live = {.pid = pid};
	const struct unwind_source source = {&live_source_ops, &live};
	struct unwind_stack ours, theirs;
	enum frame_address address;
	struct process *process;
	struct arena arena = {0};
	enum difference difference;
	struct frame_regs regs;

	if (!live_regs(pid, &regs, &address) || regs.arch != UNWIND_ARCH_X86_64)
		return;
	process = process_of(run, pid, regs.arch);
	// Other threads map and unmap as well.
	unwind_space_maps_changed(process->ours);
	unwind_space_maps_changed(process->theirs);
	unwind_walk(process->ours, &source, &regs, FRAME_ADDRESS_SYSCALL, &arena, &ours);
	unwind_walk(process->theirs, &source, &regs, FRAME_ADDRESS_SYSCALL, &arena, &theirs);
	difference = classify(&ours, &theirs);
	run->counts[difference]++;
	run->total++;
	run->frames += ours.count;
	if (difference == UNEXPLAINED && run->counts[difference] <= 5) {
		print_stack(run->ours, "ours", &ours);
		print_stack(run->theirs, "libunwind", &theirs);
	}
	arena_deinit(&arena);
}

static pid_t begin(char **command)
{
	pid_t child = fork();
	int status;

	if (!child) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		raise(SIGSTOP);
		execvp(command[0], command);
		_exit(127);
	}
	if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status))
		return -1;
	ptrace(PTRACE_SETOPTIONS, child, 0,
		PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
			PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL);
	ptrace(PTRACE_SYSCALL, child, 0, 0);
	return child;
}

/** What to deliver when @pid, stopped with @status, goes on. */
static int handle(struct run *run, pid_t pid, int status, bool *has_started)
{
	int signal = WSTOPSIG(status), event = status >> 16;

	if (signal == (SIGTRAP | 0x80)) {
		if (*has_started && run->total < run->most)
			look(run, pid);
		return 0;
	}
	if (event == PTRACE_EVENT_EXEC) {
		*has_started = true;
		forget_space(run, pid);
		return 0;
	}
	// The first stop of new tasks is no signal of theirs.
	return event || signal == SIGSTOP || signal == SIGTRAP ? 0 : signal;
}

static void report(const struct run *run)
{
	printf("%lu stacks, %lu frames:", run->total, run->frames);
	for (int i = 0; i < DIFFERENCES; i++) {
		if (run->counts[i])
			printf(" %lu %s;", run->counts[i], names[i]);
	}
	printf("\n");
}

int main(int argc, char **argv)
{
	const struct unwind_options options = {.engine = UNWIND_ENGINE_LIBUNWIND, .no_lines = true};
	const struct unwind_options plain = {.no_lines = true};
	struct run run = {.most = argc > 2 ? strtoul(argv[1], NULL, 0) : 0};
	struct hash_entry *entry;
	bool has_started = false;
	size_t position = 0;
	int status;
	pid_t pid;

	if (argc < 3) {
		fprintf(stderr, "usage: engines MOST COMMAND...\n");
		return 2;
	}
	if (!unwind_engine_is_built(UNWIND_ENGINE_LIBUNWIND)) {
		fprintf(stderr, "engines: built without libunwind\n");
		return 77;
	}
	run.ours = unwind_context_create(&plain);
	run.theirs = unwind_context_create(&options);
	if (begin(argv + 2) < 0)
		return 2;
	while ((pid = waitpid(-1, &status, __WALL)) > 0 || errno == EINTR) {
		if (pid > 0 && WIFSTOPPED(status))
			ptrace(PTRACE_SYSCALL, pid, 0, handle(&run, pid, status, &has_started));
		else if (pid > 0)
			forget_space(&run, pid);
	}
	report(&run);
	while ((entry = hash_next(&run.processes, &position))) {
		struct process *process = entry->value;

		unwind_space_destroy(process->ours);
		unwind_space_destroy(process->theirs);
		free(process);
	}
	hash_deinit(&run.processes);
	unwind_context_destroy(run.ours);
	unwind_context_destroy(run.theirs);
	return run.counts[UNEXPLAINED] ? 1 : 0;
}
