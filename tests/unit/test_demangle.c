// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unwind/demangle.h"

static void expect(const char *name, const char *expected)
{
	char *result = demangle(name);

	assert_non_null(result);
	assert_string_equal(result, expected);
	free(result);
}

CASE(cplusplus)
{
	expect("_Z3fooi", "foo(int)");
	expect("_ZN1a1bEv", "a::b()");
	expect("_ZNSt6vectorIiSaIiEE9push_backERKi",
		"std::vector<int, std::allocator<int> >::push_back(int const&)");
	expect("_Z3foov.cold", "foo() [clone .cold]");
}

CASE(rust)
{
	// The scheme until 2021 ends in a hash; v0 starts with _R (RFC 2603).
	expect("_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write");
	expect("_RNvC6_123foo3bar", "123foo::bar");
}

CASE(other_names)
{
	static const char *const names[] = {
		"", "main", "_", "_Z", "_R", "__GI___libc_read", "_Zzz"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_null(demangle(names[i]));
}

CASE(names_that_explode)
{
	// Each argument is a pair of the one before twice: doubles 40 times.
	char name[1024] = "_Z1fI1pIiiE";
	char *long_name = malloc(100001);

	for (int i = 0; i < 40; i++)
		sprintf(name + strlen(name), "S0_IS%c_S%c_E", i < 9 ? '1' + i : 'A' + i % 26,
			i < 9 ? '1' + i : 'A' + i % 26);
	strcat(name, "Evv");
	free(demangle(name));
	memset(long_name, 'P', 100000);
	memcpy(long_name, "_Z1f", 4);
	long_name[100000] = '\0';
	assert_null(demangle(long_name));
	free(long_name);
}

RUN_CASES(ADD(cplusplus), ADD(rust), ADD(other_names), ADD(names_that_explode));
