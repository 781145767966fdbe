// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_CLI_DECODE_OPTIONS_H
#define SRC_CLI_DECODE_OPTIONS_H

/** What is told about values beside themselves: -y, -Y. */

struct error;
struct options;

/** -y, -yy; --decode-fds=SET, of which the last counts. */
struct error *decode_options_fds(struct options *options, const char *argument);
/** -Y; --decode-pids=SET */
struct error *decode_options_pids(struct options *options, const char *argument);

#endif
