// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SESSION_STACK_SOURCE_H
#define SRC_SESSION_STACK_SOURCE_H

/** What the unwinder may ask about a living task: memory, maps and files behind them. */

#include <stdbool.h>
#include <stddef.h>

#include "base/taddr.h"
#include "unwind/unwind.h"

struct arena;
struct mem;
struct trace;
struct tracee;

/** The context of the callbacks; @arena lives as long as the walk. */
struct stack_source {
	struct mem *mem;
	struct arena *arena;
	/** To ask for registers; not used if a walk begins with all. */
	struct trace *trace;
	struct tracee *tracee;
	/** Of the address space: /proc/PID/maps, -1 until it is needed. NULL: cannot be asked. */
	int *maps_fd;
};

extern const struct unwind_source_ops stack_source_ops;

/** The callbacks by name, for sources that answer only some questions otherwise. */
size_t stack_source_read(void *context, taddr address, void *data, size_t size);
char *stack_source_maps(void *context, size_t *length_ret);
bool stack_source_open(void *context, const struct unwind_map *map, unsigned attempt,
	struct unwind_candidate *ret);
const char *stack_source_root(void *context);
int stack_source_perf_map(void *context);
bool stack_source_registers(void *context, struct frame_regs *ret);
bool stack_source_start(void *context, struct unwind_start *ret);

#endif
