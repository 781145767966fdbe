// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/debuginfo/text_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/regular_file.h"

enum { SIZE_MAX = 512 * 1024 * 1024 };

static int open_in(const char *root, const char *path)
{
	cleanup_close int folder = *root ? open(root, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;

	if (!*root)
		return regular_file_open(path);
	return folder < 0 ? -1 : regular_file_open_in(folder, path);
}

bool text_file_open(struct text_file *file, const char *root, const char *path)
{
	cleanup_close int fd = open_in(root, path);
	struct stat status;
	size_t size;

	*file = (struct text_file){0};
	if (fd < 0 || fstat(fd, &status) || !S_ISREG(status.st_mode) || status.st_size > SIZE_MAX)
		return false;
	size = (size_t)status.st_size;
	file->data = xmalloc(size + 1);
	while (file->size < size) {
		ssize_t got = read(fd, file->data + file->size, size - file->size);

		if (got <= 0)
			break;
		file->size += (size_t)got;
	}
	return true;
}

void text_file_close(struct text_file *file)
{
	free(file->data);
}

bool text_file_line(struct text_file *file, const char **line_ret, size_t *size_ret)
{
	const char *line = file->data + file->position, *end;
	size_t left = file->size - file->position;

	if (!left)
		return false;
	end = memchr(line, '\n', left);
	*line_ret = line;
	*size_ret = end ? (size_t)(end - line) : left;
	file->position += *size_ret + (end != NULL);
	return true;
}
