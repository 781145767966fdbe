// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_CLI_SUMMARY_OPTIONS_H
#define SRC_CLI_SUMMARY_OPTIONS_H

/** Setters of the options about the tables of -c and -C. */

struct error;
struct options;

/** -c */
struct error *summary_options_only(struct options *options, const char *argument);
/** -S */
struct error *summary_options_sort(struct options *options, const char *argument);
/** -U */
struct error *summary_options_columns(struct options *options, const char *argument);
/** --summary-by */
struct error *summary_options_by(struct options *options, const char *argument);

#endif
