// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_CLI_STACK_OPTIONS_H
#define SRC_CLI_STACK_OPTIONS_H

/** Setters of the options that say which calls get a stack. */

struct error;
struct options;

/** --stack-after */
struct error *stack_options_after(struct options *options, const char *argument);
/** --stack-pid */
struct error *stack_options_pid(struct options *options, const char *argument);
/** --stack-if */
struct error *stack_options_if(struct options *options, const char *argument);

/** Once all options are read. */
void stack_options_finish(struct options *options);

#endif
