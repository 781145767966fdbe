// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SESSION_RECORDED_MAPS_H
#define SRC_SESSION_RECORDED_MAPS_H

/**
 * What an observed process has mapped, as records tell it. So it is known as it was when
 * something happened, also of a process that is gone by now. What was unmapped stays until
 * something else is there.
 */

#include <stddef.h>

#include "base/array.h"
#include "perf/record.h"

struct recorded_map {
	struct record_map map;
	/** Owned. */
	char *name;
};

/** Zero-initialise; in order of addresses, none over another. */
struct recorded_maps {
	ARRAY(struct recorded_map) list;
};

void recorded_maps_deinit(struct recorded_maps *maps);
void recorded_maps_copy(struct recorded_maps *to, const struct recorded_maps *from);
void recorded_maps_add(struct recorded_maps *maps, const struct record_map *map, const char *name);
/** Takes what is mapped now in the process of @tid. */
void recorded_maps_read(struct recorded_maps *maps, int tid);
/** As /proc/PID/maps would read, allocated; NULL if nothing is known. */
char *recorded_maps_text(const struct recorded_maps *maps, size_t *length_ret);

#endif
