// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SESSION_PROCESS_MAPS_H
#define SRC_SESSION_PROCESS_MAPS_H

/**
 * What is mapped in a process, data included, as far as page faults ask for it. The
 * list is read when it is needed and may be out of date; the one before is kept for
 * faults that happened just before a change.
 */

#include <stdbool.h>

#include "base/taddr.h"

struct maps;
struct recorded_maps;
struct unwind_map;

/** Zero-initialised knows nothing yet. */
struct process_maps {
	/** NULL before the first reading. */
	struct maps *now, *before;
	bool is_stale;
	/** What is known of a process that is gone, if it was observed; may be NULL. */
	const struct recorded_maps *recorded;
	/** No map was there at this address when the list was read for it. */
	taddr missing;
};

void process_maps_deinit(struct process_maps *maps);
/** Something was mapped, unmapped or protected: the next question reads the list again. */
void process_maps_changed(struct process_maps *maps);
/** A program was executed: nothing of what was mapped is there any more. */
void process_maps_exec(struct process_maps *maps);
/**
 * The mapping of @address in the process of thread @tid; NULL if there is none. Valid until
 * the next call.
 */
const struct unwind_map *process_maps_find(struct process_maps *maps, int tid, taddr address);
/** The same from what was read before, so that what it gave before stays valid. */
const struct unwind_map *process_maps_known(const struct process_maps *maps, taddr address);

#endif
