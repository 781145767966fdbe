// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_CLI_STYLE_OPTIONS_H
#define SRC_CLI_STYLE_OPTIONS_H

/** What the options about the spelling of values mean that do more than store one: -x. */

struct error;
struct options;

/** -x: bytes that are not text; given again: all. */
struct error *style_options_hex(struct options *options, const char *argument);

/** -e abbrev=, verbose=, raw=: sets of calls. */
struct error *style_options_abbrev(struct options *options, const char *argument);
struct error *style_options_verbose(struct options *options, const char *argument);
struct error *style_options_raw(struct options *options, const char *argument);
/** -e read=, write=: sets of descriptors. */
struct error *style_options_read(struct options *options, const char *argument);
struct error *style_options_write(struct options *options, const char *argument);

#endif
