// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_DESCRIBE_DOWNLOAD_H
#define UNWIND_DESCRIBE_DOWNLOAD_H

/**
 * Debug files of modules from servers: asked for when a frame needs one that is
 * not here, taken in when it has come. Until then frames can wait. Internal.
 */

#include <stdbool.h>

struct unwind_module;

/** Asks if that was not done, and takes in what has come. True while something is to come. */
bool download_is_pending(struct unwind_module *module);
/** Whether a later answer may differ from one given now; asks for nothing. */
bool download_is_unsettled(const struct unwind_module *module);

#endif
