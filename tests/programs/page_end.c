// SPDX-License-Identifier: MIT
// Copyright the tracer authors

// Arguments that end exactly where readable memory ends, and some that lie beyond it. A tracer
// that reads one byte too much gets nothing and shows it.

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static char *page_end;

// A copy of the data whose last byte is the last of the page.
static void *at_end(const void *data, size_t size)
{
	return memcpy(page_end - size, data, size);
}

int main(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *pages =
		mmap(NULL, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct timespec nothing = {0};
	struct iovec parts[2];
	char byte = 'x';

	if (pages == MAP_FAILED || mprotect(pages + page, page, PROT_NONE))
		return 1;
	page_end = pages + page;
	syscall(SYS_chdir, at_end("/nonexistent", sizeof("/nonexistent")));
	// Not terminated: the kernel runs into the end of the page.
	syscall(SYS_chdir, at_end("/nonexistent", 12));
	syscall(SYS_chdir, page_end);
	syscall(SYS_chdir, NULL);
	syscall(SYS_write, -1, at_end("0123456789", 10), 10);
	syscall(SYS_write, -1, at_end("0123456789", 10), 11);
	syscall(SYS_nanosleep, at_end(&nothing, sizeof(nothing)), NULL);
	syscall(SYS_nanosleep, page_end - sizeof(nothing) + 1, NULL);
	parts[0] = (struct iovec){.iov_base = &byte, .iov_len = 1};
	parts[1] = (struct iovec){.iov_base = page_end, .iov_len = 1};
	syscall(SYS_writev, -1, at_end(parts, sizeof(parts)), 2);
	syscall(SYS_writev, -1, page_end - sizeof(parts), 3);
	return 0;
}
