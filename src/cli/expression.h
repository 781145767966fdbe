// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_CLI_EXPRESSION_H
#define SRC_CLI_EXPRESSION_H

/** The qualifying expressions of -e: `trace=open,close`, `quiet=exit`, or just `open`. */

struct error;
struct options;

/**
 * The long option that -e @text stands for, which always exists, and its argument: a part of
 * @text.
 */
const char *expression_option(const char *text, const char **argument_ret);
/** -e quiet=@text, --quiet=@text */
struct error *expression_quiet(struct options *options, const char *text);

#endif
