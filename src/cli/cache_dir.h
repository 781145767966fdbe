// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_CLI_CACHE_DIR_H
#define SRC_CLI_CACHE_DIR_H

/** Where the user keeps what programs may lose: $XDG_CACHE_HOME (XDG Base Directory 0.8). */

/** The folder's absolute path, allocated; it need not exist. NULL if the user has none. */
char *cache_dir_path(void);

#endif
