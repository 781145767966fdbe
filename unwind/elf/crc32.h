// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_ELF_CRC32_H
#define UNWIND_ELF_CRC32_H

/** The checksum of .gnu_debuglink: CRC-32 as in IEEE 802.3, of a whole file. */

#include <stdbool.h>
#include <stdint.h>

/**
 * False if the file cannot be read to its end, or is large and mostly a hole: terabytes of zeroes
 * take no space and minutes to read. The file position does not matter.
 */
bool crc32_file(int fd, uint32_t *ret);

#endif
