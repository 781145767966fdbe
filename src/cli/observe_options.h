// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_CLI_OBSERVE_OPTIONS_H
#define SRC_CLI_OBSERVE_OPTIONS_H

/** The options about tracing without ptrace. */

struct error;
struct options;

/** --all-cpus */
struct error *observe_options_everything(struct options *options, const char *argument);
/** After all options: what they mean together, or why they cannot be together. */
struct error *observe_options_finish(struct options *options);

#endif
