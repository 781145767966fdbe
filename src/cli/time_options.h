// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_CLI_TIME_OPTIONS_H
#define SRC_CLI_TIME_OPTIONS_H

/** What the options about times mean: -t, -r and -T with their arguments, which may be NULL. */

struct error;
struct options;

/** -t, -tt, -ttt without an argument, or words like `format:unix,precision:ns`, `unix,ns`. */
struct error *time_options_clock(struct options *options, const char *argument);
/** -r; the argument is a precision: s, ms, us or ns. */
struct error *time_options_relative(struct options *options, const char *argument);
/** -T, as -r. */
struct error *time_options_durations(struct options *options, const char *argument);

#endif
