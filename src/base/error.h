// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_BASE_ERROR_H
#define SRC_BASE_ERROR_H

/**
 * Errors of the environment: what could not be done, for a person to read.
 * Functions return `struct error *`, NULL meaning success; the caller owns it.
 * Expected answers (unreadable memory, no symbol) are not errors: they are part
 * of a function's result. Only cli and session print errors.
 */

/** @code is an errno value or 0; @message is one line without newline. */
struct error {
	int code;
	char *message;
};

/** "MESSAGE", with code 0. */
struct error *error_create(const char *format, ...) __attribute__((format(printf, 1, 2)));
/** "MESSAGE: strerror(@code)". */
struct error *error_errno(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** Puts "CONTEXT: " before the message; returns @error. NULL stays NULL. */
struct error *error_wrap(struct error *error, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/** NULL is allowed. */
void error_destroy(struct error *error);

#endif
