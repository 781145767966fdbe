// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_MODULE_PERF_MAP_H
#define UNWIND_MODULE_PERF_MAP_H

/**
 * Names of generated code, as runtimes that compile while they run write them for
 * profilers into /tmp/perf-PID.map: lines of START SIZE NAME, numbers in hex
 * (Linux, tools/perf/Documentation/jit-interface.txt). The file grows while the
 * program runs, so a find first reads what was added. A later line about the same
 * memory wins, because the code there was replaced.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/taddr.h"
#include "unwind/source.h"

struct perf_map;

/** Nothing is opened before the first find. The caller has the only reference. */
struct perf_map *perf_map_create(void);
/**
 * For a forked process: its own file, and what @parent (may be NULL) knows for code
 * that was there before.
 */
struct perf_map *perf_map_fork(struct perf_map *parent);
/** Another reference to @map, which is returned. */
struct perf_map *perf_map_ref(struct perf_map *map);
/** Gives a reference back; NULL is allowed. */
void perf_map_unref(struct perf_map *map);
/**
 * The name of the code at @address and where it starts; NULL if there is none. Valid
 * until the next call. The file is asked of @source when it is needed first; one that
 * is not there is looked for again, after many times what looking for it took.
 */
const char *perf_map_find(
	struct perf_map *map, const struct unwind_source *source, taddr address, taddr *start_ret);

#endif
