// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_CLI_STYLE_OPTIONS_H
#define SRC_CLI_STYLE_OPTIONS_H

/** What the options about the spelling of values mean that do more than store one: -x. */

struct error;
struct options;

/** -x: bytes that are not text; given again: all. */
struct error *style_options_hex(struct options *options, const char *argument);

#endif
