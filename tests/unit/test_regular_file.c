// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/regular_file.h"
#include "unit.h"

struct place {
	char folder[32], path[64];
	int fd;
};

static struct place make(void)
{
	struct place place = {"/tmp/regular_file-XXXXXX"};

	assert_non_null(mkdtemp(place.folder));
	place.fd = open(place.folder, O_PATH | O_DIRECTORY);
	assert_true(place.fd >= 0);
	snprintf(place.path, sizeof(place.path), "%s/name", place.folder);
	return place;
}

static void clear(struct place *place)
{
	unlinkat(place->fd, "name", 0);
	unlinkat(place->fd, "other", 0);
	unlinkat(place->fd, "tmp", AT_REMOVEDIR);
	close(place->fd);
	rmdir(place->folder);
}

static void write_file(int folder, const char *name)
{
	int fd = openat(folder, name, O_CREAT | O_WRONLY, 0600);

	assert_int_equal(write(fd, "inside", 6), 6);
	close(fd);
}

CASE(a_file_is_read)
{
	struct place place = make();
	char text[8] = "";
	int fd;

	write_file(place.fd, "name");
	fd = regular_file_open(place.path);
	assert_int_equal(read(fd, text, 7), 6);
	assert_string_equal(text, "inside");
	close(fd);
	clear(&place);
	assert_int_equal(regular_file_open(place.path), -1);
	assert_int_equal(errno, ENOENT);
}

// Its writer is refused for as long as there is no reader (fifo(7)): nobody opened it to read.
CASE(a_fifo_is_not_opened)
{
	struct place place = make();
	struct stat status;
	char byte;
	int fd;

	assert_int_equal(mkfifoat(place.fd, "name", 0600), 0);
	fd = regular_file_open(place.path);
	assert_true(fd >= 0);
	assert_int_equal(open(place.path, O_WRONLY | O_NONBLOCK), -1);
	assert_int_equal(errno, ENXIO);
	assert_int_equal(fstat(fd, &status), 0);
	assert_true(S_ISFIFO(status.st_mode));
	assert_int_equal(read(fd, &byte, 1), -1);
	assert_int_equal(errno, EBADF);
	close(fd);
	clear(&place);
}

// The link says "/other", which is missing in our root.
CASE(absolute_links_stay_inside)
{
	struct place place = make();
	char text[8] = "";
	int fd;

	write_file(place.fd, "other");
	assert_int_equal(symlinkat("/other", place.fd, "name"), 0);
	fd = regular_file_open_in(place.fd, "/name");
	if (fd < 0) {
		clear(&place);
		printf("the kernel has no openat2 (Linux 5.6)\n");
		skip();
	}
	assert_int_equal(read(fd, text, 7), 6);
	assert_string_equal(text, "inside");
	close(fd);
	clear(&place);
}

RUN_CASES(ADD(a_file_is_read), ADD(a_fifo_is_not_opened), ADD(absolute_links_stay_inside));
