// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file_fault.h"
#include "unit.h"

enum { PAGE = 4096 };

/** Two pages of 'x', mapped; the file is cut to one afterwards. */
static const char *map_and_cut(void)
{
	char path[] = "/tmp/file_fault-XXXXXX", data[2 * PAGE];
	int fd = mkstemp(path);
	char *mapped;

	assert_true(fd >= 0);
	unlink(path);
	memset(data, 'x', sizeof(data));
	assert_int_equal(write(fd, data, sizeof(data)), sizeof(data));
	mapped = mmap(NULL, sizeof(data), PROT_READ, MAP_PRIVATE, fd, 0);
	assert_ptr_not_equal(mapped, MAP_FAILED);
	assert_int_equal(ftruncate(fd, PAGE), 0);
	close(fd);
	return mapped;
}

CASE(what_was_cut_reads_as_zeroes)
{
	const char *mapped = map_and_cut();

	file_fault_survive();
	assert_int_equal(mapped[PAGE - 1], 'x');
	assert_int_equal(mapped[PAGE], 0);
	assert_int_equal(mapped[2 * PAGE - 1], 0);
}

// It is no fault of a file when somebody sends the signal.
CASE(sent_signals_still_end_the_process)
{
	int status;
	pid_t child = fork();

	if (!child) {
		file_fault_survive();
		kill(getpid(), SIGBUS);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGBUS);
}

RUN_CASES(ADD(what_was_cut_reads_as_zeroes), ADD(sent_signals_still_end_the_process));
