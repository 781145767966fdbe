// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_DESCRIBE_DOWNLOAD_H
#define UNWIND_DESCRIBE_DOWNLOAD_H

/**
 * Debug files of modules from servers: asked for when a frame needs one that is
 * not here, taken in when it has come. Until then frames can wait. Internal.
 */

#include <stdbool.h>
#include <stddef.h>

struct unwind_module;

enum fetch_state {
	FETCH_NEW,
	/** Its debug file, or what that shares with others, was asked for. */
	FETCH_DEBUG_FILE,
	FETCH_ALTERNATE,
	FETCH_DONE,
};

/** What a module remembers for it. */
struct fetch {
	enum fetch_state state;
	size_t request;
};

/** Asks if that was not done, and takes in what has come. True while something is to come. */
bool fetch_is_pending(struct unwind_module *module);
/** Whether a later answer may differ from one given now; asks for nothing. */
bool fetch_is_unsettled(const struct unwind_module *module);

#endif
