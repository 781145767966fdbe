// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "base/error.h"

#include <errno.h>

#include "unit.h"

CASE(a_plain_message)
{
	struct error *error = error_create("unknown call '%s'", "opne");

	assert_int_equal(error->code, 0);
	assert_string_equal(error->message, "unknown call 'opne'");
	error_destroy(error);
}

CASE(a_code_explains_itself)
{
	struct error *error = error_errno(ENOENT, "open %s", "/x");

	assert_int_equal(error->code, ENOENT);
	assert_string_equal(error->message, "open /x: No such file or directory");
	error_destroy(error);
}

CASE(context_goes_before)
{
	struct error *error = error_errno(EPERM, "ptrace");

	error = error_wrap(error, "attach to %d", 12);
	error = error_wrap(error, "-p");
	assert_int_equal(error->code, EPERM);
	assert_string_equal(error->message, "-p: attach to 12: ptrace: Operation not permitted");
	error_destroy(error);
}

CASE(success_stays_success)
{
	assert_null(error_wrap(NULL, "attach to %d", 12));
	error_destroy(NULL);
}

RUN_CASES(ADD(a_plain_message), ADD(a_code_explains_itself), ADD(context_goes_before),
	ADD(success_stays_success));
