// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_CLI_FAULT_OPTIONS_H
#define SRC_CLI_FAULT_OPTIONS_H

/** Setters of the options about page faults. */

struct error;
struct options;

/** --pf */
struct error *fault_options_kinds(struct options *options, const char *argument);
/** --ring-size */
struct error *fault_options_ring_size(struct options *options, const char *argument);

#endif
