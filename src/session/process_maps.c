// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "session/process_maps.h"

#include <stdlib.h>

#include "base/cleanup.h"
#include "proc/task.h"
#include "session/recorded_maps.h"
#include "unwind/unwind.h"

void process_maps_deinit(struct process_maps *maps)
{
	maps_unref(maps->now);
	maps_unref(maps->before);
	*maps = (struct process_maps){.recorded = maps->recorded};
}

void process_maps_changed(struct process_maps *maps)
{
	maps->is_stale = true;
	maps->missing = 0;
}

void process_maps_exec(struct process_maps *maps)
{
	process_maps_deinit(maps);
}

// False if the process is on its way out: what was known stays.
static bool reread(struct process_maps *maps, int tid)
{
	size_t length;
	cleanup_free char *text = task_file(tid, "maps", &length);

	maps->is_stale = false;
	if ((!text || !length) && maps->recorded) {
		free(text);
		text = recorded_maps_text(maps->recorded, &length);
	}
	if (!text || !length)
		return false;
	maps_unref(maps->before);
	maps->before = maps->now;
	maps->now = maps_parse(text, length);
	return true;
}

const struct unwind_map *process_maps_known(const struct process_maps *maps, taddr address)
{
	const struct unwind_map *map = maps->now ? maps_find(maps->now, address) : NULL;

	return map || !maps->before ? map : maps_find(maps->before, address);
}

const struct unwind_map *process_maps_find(struct process_maps *maps, int tid, taddr address)
{
	const struct unwind_map *map;
	bool is_new = !maps->now || maps->is_stale;

	if (is_new)
		reread(maps, tid);
	map = maps->now ? maps_find(maps->now, address) : NULL;
	if (map)
		return map;
	// The heap and stacks grow without a call that says so.
	if (!is_new && maps->missing != address + 1 && reread(maps, tid)) {
		map = maps_find(maps->now, address);
		maps->missing = map ? 0 : address + 1;
	}
	return map ? map : process_maps_known(maps, address);
}
