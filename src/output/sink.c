// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "output/sink.h"

enum {
	SINK_SIZE = 64 * 1024,
};

struct sink {
	int fd;
	bool owned;
	/** The command that reads what is written, or 0. */
	pid_t reader;
	char *name;
	int error;
	size_t length;
	/** What was written last does not end a line. */
	bool in_line;
	char data[SINK_SIZE];
};

// Starts @command with a pipe as its standard input; the other end is *@fd_ret.
static struct error *start_reader(const char *command, int *fd_ret, pid_t *reader_ret)
{
	char *const words[] = {(char *)"sh", (char *)"-c", (char *)command, NULL};
	posix_spawn_file_actions_t actions;
	int ends[2], code;

	if (pipe2(ends, O_CLOEXEC) != 0)
		return error_errno(errno, "create a pipe");
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
	code = posix_spawn(reader_ret, "/bin/sh", &actions, NULL, words, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(ends[0]);
	*fd_ret = ends[1];
	if (!code)
		return NULL;
	close(ends[1]);
	return error_errno(code, "cannot run '%s'", command);
}

struct error *sink_open(const char *path, bool append, struct sink **ret)
{
	int fd = STDERR_FILENO;
	pid_t reader = 0;

	if (path && (path[0] == '|' || path[0] == '!')) {
		struct error *error = start_reader(path + 1, &fd, &reader);

		if (error)
			return error;
	} else if (path) {
		fd = open(
			path, O_WRONLY | O_CREAT | O_CLOEXEC | (append ? O_APPEND : O_TRUNC), 0666);
		if (fd < 0)
			return error_errno(errno, "cannot open '%s'", path);
	}

	struct sink *sink = xmalloc(sizeof(*sink));
	sink->fd = fd;
	sink->owned = path;
	sink->name = xstrdup(path ? path : "standard error");
	sink->reader = reader;
	sink->in_line = false;
	sink->error = 0;
	sink->length = 0;
	*ret = sink;
	return NULL;
}

struct sink *sink_beside(const struct sink *sink)
{
	struct sink *beside = NULL;

	if (!sink_is_stderr(sink))
		error_destroy(sink_open(NULL, /* append= */ false, &beside));
	return beside;
}

void sink_close(struct sink *sink)
{
	if (!sink)
		return;
	sink_flush(sink);
	if (sink->owned)
		close(sink->fd);
	while (sink->reader && waitpid(sink->reader, NULL, 0) < 0 && errno == EINTR)
		;
	free(sink->name);
	free(sink);
}

// A terminal or pipe that somebody else made non-blocking is waited for: no text may get lost.
static bool wait_writable(int fd)
{
	struct pollfd poller = {.fd = fd, .events = POLLOUT};

	return poll(&poller, 1, -1) >= 0 || errno == EINTR;
}

static void advance(struct iovec *parts, size_t count, size_t written)
{
	for (size_t i = 0; i < count; i++) {
		size_t step = written < parts[i].iov_len ? written : parts[i].iov_len;

		parts[i].iov_base = (char *)parts[i].iov_base + step;
		parts[i].iov_len -= step;
		written -= step;
	}
}

static void write_parts(struct sink *sink, struct iovec parts[2])
{
	while (!sink->error && parts[0].iov_len + parts[1].iov_len) {
		ssize_t written = writev(sink->fd, parts, 2);

		if (written > 0)
			advance(parts, 2, written);
		else if (written == 0)
			sink->error = EIO;
		else if (errno == EAGAIN && wait_writable(sink->fd))
			continue;
		else if (errno != EINTR)
			sink->error = errno;
	}
}

void sink_write(struct sink *sink, const void *data, size_t length)
{
	if (sink->error || !length)
		return;
	sink->in_line = ((const char *)data)[length - 1] != '\n';
	if (length <= SINK_SIZE - sink->length) {
		memcpy(sink->data + sink->length, data, length);
		sink->length += length;
		return;
	}
	write_parts(sink, (struct iovec[2]){{sink->data, sink->length}, {(void *)data, length}});
	sink->length = 0;
}

void sink_flush(struct sink *sink)
{
	write_parts(sink, (struct iovec[2]){{sink->data, sink->length}, {NULL, 0}});
	sink->length = 0;
}

bool sink_pending(const struct sink *sink)
{
	return sink->length;
}

bool sink_in_line(const struct sink *sink)
{
	return sink->in_line;
}

bool sink_is_stderr(const struct sink *sink)
{
	return !sink->owned;
}

const char *sink_name(const struct sink *sink)
{
	return sink->name;
}

int sink_error(const struct sink *sink)
{
	return sink->error;
}
