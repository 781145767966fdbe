// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_DESCRIBE_DEMANGLE_H
#define UNWIND_DESCRIBE_DEMANGLE_H

/**
 * Names of C++ and Rust functions for reading, with their parameters, by
 * libiberty. Names come from the traced program, so length and result are
 * bounded.
 */

/** Malloc'ed; NULL if @name is no mangled name, too long, or this build has no demangler. */
char *demangle(const char *name);

#endif
