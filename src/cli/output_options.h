// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_CLI_OUTPUT_OPTIONS_H
#define SRC_CLI_OUTPUT_OPTIONS_H

/** Setters of the options about the form of the trace and what is left out of it. */

struct error;
struct options;

/** --format */
struct error *output_options_format(struct options *options, const char *argument);
/** -v */
struct error *output_options_verbose(struct options *options, const char *argument);
/** -q */
struct error *output_options_quiet(struct options *options, const char *argument);

/** Says which outputs the run has; after all words were read. */
struct error *output_options_finish(struct options *options);

#endif
