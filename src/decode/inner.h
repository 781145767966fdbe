// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_DECODE_INNER_H
#define SRC_DECODE_INNER_H

/** Calls made through another one: socketcall and ipc of i386. */

struct walk;

/**
 * If the walk's call stands for another one, it becomes that: the descriptor is the inner
 * call's, and the registers hold its arguments. Unreadable arguments leave it as it is.
 */
void inner_resolve(struct walk *walk);

#endif
