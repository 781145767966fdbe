// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "unwind/describe/demangle.h"

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
	expect("_RINvNtC3std3mem8align_ofjE", "std::mem::align_of::<usize>");
	expect("_RNvXC7mycrateNtC7mycrate3FooNtC7mycrate5Trait6method",
		"<mycrate::Foo as mycrate::Trait>::method");
	expect("_ZN71_$LT$Test$u20$$u2b$$u20$$u27$static$u20$as$u20$foo..Bar$LT$Test$GT$$GT$3bar"
	       "17h930b740aa94f1d3aE",
		"<Test + 'static as foo::Bar<Test>>::bar");
}

CASE(d)
{
	// From D's specification, "Name Mangling": the second refers back to "string".
	expect("_Dmain", "D main");
	expect("_D3std5stdio7writelnFiZv", "std.stdio.writeln(int)");
	expect("_D3foo3barFAyaQdZv", "foo.bar(immutable(char)[], immutable(char)[])");
}

CASE(d_names_that_explode)
{
	// Each parameter is two of the one before: doubles 300 times, and a name that is too long.
	char name[4096] = "_D1fFSQb", *long_name = calloc(1, 100001);

	for (int i = 0; i < 300; i++)
		strcat(name, "HQdQf");
	strcat(name, "Zv");
	free(demangle(name));
	memset(long_name, 'P', 100000);
	memcpy(long_name, "_D1fF", 5);
	assert_null(demangle(long_name));
	free(long_name);
}

CASE(other_names)
{
	static const char *const names[] = {
		"", "main", "_", "_Z", "_R", "__GI___libc_read", "_Zzz", "_D", "_DYNAMIC", "_D1"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_null(demangle(names[i]));
}

/** @start, @count times @middle, @end. */
static void survive(const char *start, const char *middle, size_t count, const char *end)
{
	struct buf name = {0};

	buf_string(&name, start);
	for (size_t i = 0; i < count; i++)
		buf_string(&name, middle);
	buf_string(&name, end);
	free(demangle(buf_text(&name)));
	buf_deinit(&name);
}

CASE(names_that_recurse)
{
	// The deepest that fit into the longest name that is taken.
	survive("_Z1f", "P", 16000, "i");
	survive("_Z1f", "M1a", 5000, "i");
	survive("_ZN", "1a", 8000, "E");
	survive("_Z1fI", "1aI", 5000, "i");
	survive("_Z1fIXpl", "pl", 8000, "");
	survive("_R", "Nv", 8000, "C1a1b");
	survive("_RMC0", "R", 16000, "e");
	survive("_RINvC1a1b", "T", 16000, "E");
	survive("_RNvC1a", "Y", 16000, "");
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

RUN_CASES(ADD(cplusplus), ADD(rust), ADD(d), ADD(d_names_that_explode), ADD(other_names),
	ADD(names_that_recurse), ADD(names_that_explode));
