// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_CLI_STARTUP_OPTIONS_H
#define SRC_CLI_STARTUP_OPTIONS_H

/** What the options mean that say how a command starts, and how tracer stays with it. */

struct error;
struct options;

/** -E */
struct error *startup_options_environment(struct options *options, const char *argument);
/** -u */
struct error *startup_options_user(struct options *options, const char *argument);
/** -b */
struct error *startup_options_detach_on(struct options *options, const char *argument);
/** -I */
struct error *startup_options_interruptible(struct options *options, const char *argument);
/** Once all options are read: @options->session.startup, and what does not go together. */
struct error *startup_options_finish(struct options *options);

#endif
