// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_DECODE_INNER_H
#define SRC_DECODE_INNER_H

/**
 * Calls whose arguments are not in the registers: those made through another one (socketcall
 * and ipc) and those that take a block of memory (its first mmap and select).
 */

#include <stdbool.h>

struct walk;

/**
 * If the walk's call stands for another one, it becomes that: the descriptor is the inner
 * call's, and the registers hold its arguments. Unreadable arguments leave it as it is;
 * false if so nothing is known that its description could be used for.
 */
bool inner_resolve(struct walk *walk);

/** At exit: fetches the result if it stands in memory, as that of some inner calls does. */
void inner_result(struct walk *walk);

#endif
