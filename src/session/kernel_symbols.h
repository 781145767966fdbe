// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SESSION_KERNEL_SYMBOLS_H
#define SRC_SESSION_KERNEL_SYMBOLS_H

/** Names of the kernel's functions, from /proc/kallsyms. */

struct kallsyms;
struct session;

/** Loaded when first needed; the user is told once if the kernel hides them. */
const struct kallsyms *session_kernel_symbols(struct session *session);

#endif
