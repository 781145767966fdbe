// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

/** Runs @function in a child; returns its wait status, and what it wrote to stderr in @text. */
static int run_in_child(void (*function)(void), char *text, size_t size)
{
	int pipe_fds[2];
	int status = -1;
	size_t length = 0;
	ssize_t count;
	pid_t pid;

	assert_int_equal(pipe(pipe_fds), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		dup2(pipe_fds[1], STDERR_FILENO);
		close(pipe_fds[0]);
		close(pipe_fds[1]);
		function();
		_exit(0);
	}
	close(pipe_fds[1]);
	while (length < size - 1 &&
		(count = read(pipe_fds[0], text + length, size - 1 - length)) > 0)
		length += (size_t)count;
	text[length] = '\0';
	close(pipe_fds[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

static void allocate_overflowing_product(void)
{
	free(xcalloc(SIZE_MAX / 2, 4));
}

static void grow_to_overflowing_product(void)
{
	free(xreallocarray(NULL, SIZE_MAX / 2, 4));
}

static void allocate_too_much(void)
{
	free(xmalloc(SIZE_MAX / 2));
}

CASE(out_of_memory_ends_the_program_with_a_message)
{
	void (*const functions[])(void) = {
		allocate_overflowing_product,
		grow_to_overflowing_product,
		allocate_too_much,
	};

	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		char text[8192];
		int status = run_in_child(functions[i], text, sizeof(text));

		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), 1);
		assert_non_null(strstr(text, "out of memory"));
	}
}

CASE(size_zero_is_a_pointer)
{
	void *a = xmalloc(0);
	void *b = xcalloc(0, 0);
	void *c = xreallocarray(NULL, 0, 8);

	assert_non_null(a);
	assert_non_null(b);
	assert_non_null(c);
	free(a);
	free(b);
	free(c);
}

CASE(xcalloc_zeroes)
{
	static const char zeroes[4000];
	char *data = xcalloc(1000, 4);

	assert_memory_equal(data, zeroes, sizeof(zeroes));
	free(data);
}

CASE(xreallocarray_keeps_contents)
{
	uint64_t *data = xreallocarray(NULL, 2, sizeof(*data));

	data[0] = 11;
	data[1] = 22;
	data = xreallocarray(data, 5000, sizeof(*data));
	assert_int_equal(data[0], 11);
	assert_int_equal(data[1], 22);
	data[4999] = 1;
	free(data);
}

CASE(copies_of_text)
{
	char *whole = xstrdup("call");
	char *part = xstrndup("openat", 4);
	char *longer = xstrndup("abc", 100);
	char *formatted = xasprintf("%s-%d", "pid", 42);

	assert_string_equal(whole, "call");
	assert_string_equal(part, "open");
	assert_string_equal(longer, "abc");
	assert_string_equal(formatted, "pid-42");
	free(whole);
	free(part);
	free(longer);
	free(formatted);
}

RUN_CASES(ADD(out_of_memory_ends_the_program_with_a_message), ADD(size_zero_is_a_pointer),
	ADD(xcalloc_zeroes), ADD(xreallocarray_keeps_contents), ADD(copies_of_text));
