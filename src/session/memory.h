// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SESSION_MEMORY_H
#define SRC_SESSION_MEMORY_H

/**
 * What is known of an address space. It belongs to a process with all its threads, and to
 * those that were created to share it: children of vfork until they execute a program.
 */

#include <stdbool.h>

#include "base/taddr.h"
#include "session/process_maps.h"
#include "session/recorded_maps.h"

struct stop_syscall;
struct syscall;
struct unwind_space;

struct session_memory {
	unsigned references;
	/** NULL until the first stack. */
	struct unwind_space *space;
	/** Of an observed process; as records tell. */
	struct recorded_maps recorded;
	/** For page faults. */
	struct process_maps maps;
	/** There are or were tasks in it that we do not trace: what is mapped changes unseen. */
	bool has_strangers;
	/** /proc/PID/maps, opened by stack_source.c to ask for single mappings; else -1. */
	int maps_fd;
};

/** A new one with one reference. */
struct session_memory *session_memory_create(void);
/** A copy for a forked child. */
struct session_memory *session_memory_fork(const struct session_memory *memory);
struct session_memory *session_memory_ref(struct session_memory *memory);
/** Gives a reference back; NULL is allowed. */
void session_memory_unref(struct session_memory *memory);

/** A record tells what is mapped. */
void session_memory_mapped(
	struct session_memory *memory, const struct record_map *map, const char *name);
/**
 * A call that may change what is mapped has succeeded as @exit says. @syscall: its row;
 * @args: its argument registers.
 */
void session_memory_changed(struct session_memory *memory, const struct syscall *syscall,
	const uint64_t *args, const struct stop_syscall *exit);

#endif
