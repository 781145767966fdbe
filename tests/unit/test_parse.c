// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

int main(void)
{
	return 0;
}
