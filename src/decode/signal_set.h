// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_DECODE_SIGNAL_SET_H
#define SRC_DECODE_SIGNAL_SET_H

/** Sets of signals, as the kernel keeps them: bit 0 is signal 1. */

#include <stdint.h>

#include "schema/abi_id.h"

struct arena;
struct value;

/** A BITSET of the names, as @abi numbers them, of the first @count signals that are in @bits. */
struct value *signal_set_value(struct arena *arena, enum abi_id abi, uint64_t bits, unsigned count);

#endif
