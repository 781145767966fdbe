// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_CLI_FILTER_OPTIONS_H
#define SRC_CLI_FILTER_OPTIONS_H

/** Setters of the options that say which calls and signals are shown. */

struct error;
struct options;

/** --trace */
struct error *filter_options_calls(struct options *options, const char *argument);
/** --signal */
struct error *filter_options_signals(struct options *options, const char *argument);
/** --status */
struct error *filter_options_statuses(struct options *options, const char *argument);
/** -P */
struct error *filter_options_path(struct options *options, const char *argument);
/** --no-syscalls */
struct error *filter_options_no_calls(struct options *options, const char *argument);

/** --trace-fds=@argument */
struct error *filter_options_fds(struct options *options, const char *argument);

#endif
