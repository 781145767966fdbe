// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_CLI_EXPRESSION_H
#define SRC_CLI_EXPRESSION_H

/** The qualifying expressions of -e: `trace=open,close`, `quiet=exit`, or just `open`. */

struct error;
struct options;

/** -e @text */
struct error *expression_set(struct options *options, const char *text);
/** -e quiet=@text, --quiet=@text */
struct error *expression_quiet(struct options *options, const char *text);

#endif
