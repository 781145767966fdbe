// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <sys/wait.h>

#include "abi/abi.h"
#include "base/arena.h"
#include "decode/fetch.h"
#include "decode/hook.h"
#include "decode/value.h"
#include "decode/walk.h"

static const char *signal_text(struct walk *walk, int signal)
{
	const char *name = signal_name(walk->abi, signal);

	return name ? name : arena_printf(walk->arena, "%d", signal);
}

static const char *ptrace_event_text(struct walk *walk, unsigned event)
{
	static const char *const names[] = {
		[1] = "PTRACE_EVENT_FORK",
		[2] = "PTRACE_EVENT_VFORK",
		[3] = "PTRACE_EVENT_CLONE",
		[4] = "PTRACE_EVENT_EXEC",
		[5] = "PTRACE_EVENT_VFORK_DONE",
		[6] = "PTRACE_EVENT_EXIT",
		[7] = "PTRACE_EVENT_SECCOMP",
		[128] = "PTRACE_EVENT_STOP",
	};

	if (event == 0)
		return "";
	if (event < sizeof(names) / sizeof(names[0]) && names[event])
		return arena_printf(walk->arena, " | %s << 16", names[event]);
	return arena_printf(walk->arena, " | %#x << 16", event);
}

static const char *status_text(struct walk *walk, int status)
{
	struct arena *arena = walk->arena;

	if (WIFEXITED(status) && !(status & ~0xff00))
		return arena_printf(
			arena, "{WIFEXITED(s) && WEXITSTATUS(s) == %d}", WEXITSTATUS(status));
	if (WIFSTOPPED(status)) {
		int signal = WSTOPSIG(status);

		// A tracer that asked for it sees its syscall stops marked.
		if ((signal & ~0x80) == 5 && signal & 0x80)
			return arena_printf(arena, "{WIFSTOPPED(s) && WSTOPSIG(s) == %s | 0x80}%s",
				signal_text(walk, 5),
				ptrace_event_text(walk, (unsigned)status >> 16));
		return arena_printf(arena, "{WIFSTOPPED(s) && WSTOPSIG(s) == %s}%s",
			signal_text(walk, signal), ptrace_event_text(walk, (unsigned)status >> 16));
	}
	if (WIFSIGNALED(status) && !(status & ~0xff))
		return arena_printf(arena, "{WIFSIGNALED(s) && WTERMSIG(s) == %s%s}",
			signal_text(walk, WTERMSIG(status)),
			WCOREDUMP(status) ? " && WCOREDUMP(s)" : "");
	if (WIFCONTINUED(status))
		return "{WIFCONTINUED(s)}";
	return NULL;
}

struct value *hook_wait_status(struct walk *walk, const struct type *type,
	const struct place *place, const uint64_t args[HOOK_ARGS_MAX])
{
	struct value *value;
	uint64_t status;

	(void)type;
	(void)args;
	if (!fetch_number(walk, place, 4, false, false, &status))
		return NULL;
	value = value_named(walk->arena, status, status_text(walk, (int)status));
	value->size = 4;
	return value;
}
