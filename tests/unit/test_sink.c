// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "output/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "unit.h"

static struct sink *open_sink(const char *path, bool append)
{
	struct sink *sink = NULL;
	struct error *error = sink_open(path, append, &sink);

	assert_null(error);
	return sink;
}

// A path for a new file; the caller frees it and removes the file.
static char *new_file(void)
{
	char *path = strdup("/tmp/tracer-sink-XXXXXX");
	cleanup_close int fd = mkstemp(path);

	assert_true(fd >= 0);
	return path;
}

static void expect_file(const char *path, const char *bytes, size_t length)
{
	cleanup_fclose FILE *file = fopen(path, "rb");
	cleanup_free char *found = malloc(length + 1);

	assert_non_null(file);
	assert_int_equal(fread(found, 1, length + 1, file), length);
	assert_memory_equal(found, bytes, length);
}

CASE(writes_wait_for_a_flush)
{
	cleanup_free char *path = new_file();
	struct sink *sink = open_sink(path, /* append= */ false);

	assert_false(sink_pending(sink));
	sink_write(sink, "abc", 3);
	sink_write(sink, "", 0);
	assert_true(sink_pending(sink));
	expect_file(path, "", 0);
	sink_flush(sink);
	assert_false(sink_pending(sink));
	expect_file(path, "abc", 3);
	sink_write(sink, "\0d", 2);
	sink_close(sink);
	expect_file(path, "abc\0d", 5);
	unlink(path);
}

CASE(opening_truncates_unless_appending)
{
	cleanup_free char *path = new_file();
	struct sink *sink = open_sink(path, /* append= */ false);

	sink_write(sink, "one", 3);
	sink_close(sink);
	sink = open_sink(path, /* append= */ true);
	sink_write(sink, "two", 3);
	sink_close(sink);
	expect_file(path, "onetwo", 6);
	sink_close(open_sink(path, /* append= */ false));
	expect_file(path, "", 0);
	unlink(path);
}

CASE(what_does_not_fit_is_written_in_order)
{
	enum { SIZE = 1000 * 1000 };
	cleanup_free char *path = new_file();
	cleanup_free char *data = malloc(SIZE);
	struct sink *sink = open_sink(path, /* append= */ false);
	size_t done = 0;

	for (size_t i = 0; i < SIZE; i++)
		data[i] = (char)(i * 7919 >> 3);
	for (size_t step = 1; done < SIZE; step = step * 3 % 150001) {
		if (step > SIZE - done)
			step = SIZE - done;
		sink_write(sink, data + done, step);
		done += step;
	}
	sink_close(sink);
	expect_file(path, data, SIZE);
	unlink(path);
}

CASE(a_command_reads_and_is_waited_for)
{
	cleanup_free char *path = new_file(), *command = NULL;
	struct sink *sink;

	// It is slow, so whoever does not wait for its end finds an empty file.
	assert_true(asprintf(&command, "|sleep 0.2; tr a-c A-C >%s", path) > 0);
	sink = open_sink(command, /* append= */ false);
	assert_false(sink_is_stderr(sink));
	sink_write(sink, "abcd", 4);
	sink_close(sink);
	expect_file(path, "ABCd", 4);
	unlink(path);
}

CASE(an_unwritable_path_is_an_error)
{
	struct sink *sink = NULL;
	struct error *error = sink_open("/nonexistent/file", /* append= */ false, &sink);

	assert_non_null(error);
	assert_int_equal(error->code, ENOENT);
	assert_non_null(strstr(error->message, "/nonexistent/file"));
	assert_null(sink);
	error_destroy(error);
	sink_close(NULL);
}

CASE(a_full_disk_is_remembered_and_the_rest_swallowed)
{
	struct sink *sink = open_sink("/dev/full", /* append= */ false);

	sink_write(sink, "abc", 3);
	assert_int_equal(sink_error(sink), 0);
	sink_flush(sink);
	assert_int_equal(sink_error(sink), ENOSPC);
	sink_write(sink, "abc", 3);
	assert_false(sink_pending(sink));
	assert_int_equal(sink_error(sink), ENOSPC);
	sink_close(sink);
}

// A sink on the standard error that is replaced by @fd meanwhile.
static int with_stderr(int fd, void (*run)(struct sink *sink))
{
	cleanup_close int saved = dup(STDERR_FILENO);
	struct sink *sink = open_sink(NULL, /* append= */ false);
	int error;

	assert_true(sink_is_stderr(sink));
	dup2(fd, STDERR_FILENO);
	run(sink);
	error = sink_error(sink);
	sink_close(sink);
	dup2(saved, STDERR_FILENO);
	return error;
}

static void write_a_line(struct sink *sink)
{
	sink_write(sink, "line\n", 5);
	sink_flush(sink);
}

CASE(a_reader_that_went_away_is_remembered)
{
	int ends[2];

	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(pipe(ends), 0);
	close(ends[0]);
	assert_int_equal(with_stderr(ends[1], write_a_line), EPIPE);
	close(ends[1]);
}

enum {
	/** More than a pipe holds. */
	MUCH = 512 * 1024,
};

static void write_much(struct sink *sink)
{
	cleanup_free char *data = calloc(1, MUCH);

	memset(data, 'x', MUCH);
	sink_write(sink, data, MUCH);
}

static void *read_all(void *fd)
{
	char data[4096];
	size_t total = 0;
	ssize_t step;

	while ((step = read(*(int *)fd, data, sizeof(data))) > 0)
		total += (size_t)step;
	return (void *)total;
}

CASE(a_pipe_that_does_not_block_loses_nothing)
{
	pthread_t reader;
	void *total;
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	assert_int_equal(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
	assert_int_equal(pthread_create(&reader, NULL, read_all, &ends[0]), 0);
	assert_int_equal(with_stderr(ends[1], write_much), 0);
	close(ends[1]);
	assert_int_equal(pthread_join(reader, &total), 0);
	assert_int_equal((size_t)total, MUCH);
	close(ends[0]);
}

RUN_CASES(ADD(writes_wait_for_a_flush), ADD(opening_truncates_unless_appending),
	ADD(what_does_not_fit_is_written_in_order), ADD(a_command_reads_and_is_waited_for),
	ADD(an_unwritable_path_is_an_error), ADD(a_full_disk_is_remembered_and_the_rest_swallowed),
	ADD(a_reader_that_went_away_is_remembered), ADD(a_pipe_that_does_not_block_loses_nothing));
