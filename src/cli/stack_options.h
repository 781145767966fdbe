// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_CLI_STACK_OPTIONS_H
#define SRC_CLI_STACK_OPTIONS_H

/** Setters of the options that say which calls get a stack, and how it is found. */

struct error;
struct options;

/** -k, --stack-trace=source or symbol */
struct error *stack_options_trace(struct options *options, const char *argument);
/** --call-graph=dwarf[,SIZE], fp or libunwind */
struct error *stack_options_call_graph(struct options *options, const char *argument);
/** --stack-args */
struct error *stack_options_args(struct options *options, const char *argument);
/** --stack-if */
struct error *stack_options_if(struct options *options, const char *argument);

/** Once all options are read. */
void stack_options_finish(struct options *options);

#endif
