// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_CLI_INJECT_OPTIONS_H
#define SRC_CLI_INJECT_OPTIONS_H

/** Setters of the options that tamper with calls. */

struct error;
struct options;

/** --inject */
struct error *inject_options_add(struct options *options, const char *argument);
/** --fault */
struct error *inject_options_add_fault(struct options *options, const char *argument);
/** After all options: whether what is asked for can be done. */
struct error *inject_options_finish(struct options *options);

#endif
