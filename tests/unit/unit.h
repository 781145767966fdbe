// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef TESTS_UNIT_UNIT_H
#define TESTS_UNIT_UNIT_H

/**
 * What every unit test includes: cmocka with the headers it wants before it, and
 * short names. A test file is a list of CASE(fact) { … } and one
 * `RUN_CASES(ADD(fact), …)`, which is its main().
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/** One fact about the noun under test. */
#define CASE(name) static void name(void **state __attribute__((unused)))

/** Puts a CASE on the list of RUN_CASES. */
#define ADD(name) cmocka_unit_test(name)

/** Defines main(): runs the cases, and fails when one of them fails. */
#define RUN_CASES(...)                                                                             \
	int main(void)                                                                             \
	{                                                                                          \
		const struct CMUnitTest cases[] = {__VA_ARGS__};                                   \
                                                                                                   \
		return cmocka_run_group_tests(cases, NULL, NULL) ? 1 : 0;                          \
	}                                                                                          \
	_Static_assert(1, "swallows the semicolon")

#endif
