// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_CLI_STYLE_OPTIONS_H
#define SRC_CLI_STYLE_OPTIONS_H

/** What the options about the spelling of values mean: -X and -x with their arguments. */

struct error;
struct options;

/** -X raw, abbrev or verbose. */
struct error *style_options_constants(struct options *options, const char *argument);
/** -x: bytes that are not text; given again, or --strings-in-hex without argument: all. */
struct error *style_options_hex(struct options *options, const char *argument);
/** --strings-in-hex=none, non-ascii-chars, non-ascii or all; NULL is all. */
struct error *style_options_strings(struct options *options, const char *argument);

#endif
