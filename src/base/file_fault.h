// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_BASE_FILE_FAULT_H
#define SRC_BASE_FILE_FAULT_H

/**
 * A file that is mapped and truncated by somebody meanwhile (or cannot be read from its disk)
 * raises SIGBUS where it is read. We do not choose all mappings: libdw and libunwind map files of
 * their own. So the page that cannot be had is replaced by one of zeroes, which readers of files
 * take for damage, as they must be able to anyway. Whose file was cut is not told: compare
 * the sizes.
 */

/** From now on and for the whole process; the programs it executes have the default again. */
void file_fault_survive(void);

#endif
