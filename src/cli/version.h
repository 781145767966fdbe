// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_CLI_VERSION_H
#define SRC_CLI_VERSION_H

/** Prints the version and the optional parts this binary was built with. */
void version_print(void);

#endif
