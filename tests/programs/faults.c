// SPDX-License-Identifier: MIT
// Copyright the tracer authors

/**
 * Page faults to order: faults WORD... Each prints what it did and how many minor and major
 * faults getrusage(2) counted meanwhile for the process, "WORD MINOR MAJOR".
 *
 *   touch:N       writes to N fresh pages, one after the other
 *   threads:T:N   the same in T threads at once
 *   fork:N        a child writes to N pages it shares with its parent
 *   read:N        read(2) fills N fresh pages
 *   deep:D:N      as touch, below D calls of a function with a stack frame of 256 bytes
 *   signal        a handler touches a page
 *   major:FILE    reads a page of FILE that is not in memory
 *   remap:A:B     A's first page is mapped, read and unmapped, then B's at the same place
 *   wait          waits for a line on standard input
 *   crash         accesses address 0x10
 */

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	PAGE = 4096,
};

static char *volatile signal_page;
static volatile char sum;

static char *fresh(long pages)
{
	char *data = mmap(NULL, (size_t)pages * PAGE, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (data == MAP_FAILED) {
		perror("mmap");
		exit(1);
	}
	madvise(data, (size_t)pages * PAGE, MADV_NOHUGEPAGE);
	return data;
}

static __attribute__((noinline)) void touch(char *data, long pages)
{
	for (long i = 0; i < pages; i++)
		((volatile char *)data)[i * PAGE] = 1;
}

static void touch_fresh(long pages)
{
	touch(fresh(pages), pages);
}

static void *thread(void *argument)
{
	touch_fresh(*(long *)argument);
	return NULL;
}

static void threads(long count, long pages)
{
	pthread_t ids[64];

	for (long i = 0; i < count; i++)
		pthread_create(&ids[i], NULL, thread, &pages);
	for (long i = 0; i < count; i++)
		pthread_join(ids[i], NULL);
}

static void forked(long pages)
{
	char *data = fresh(pages);
	int status;
	pid_t child;

	touch(data, pages);
	child = fork();
	if (!child) {
		touch(data, pages);
		_exit(0);
	}
	waitpid(child, &status, 0);
}

static void read_into(long pages)
{
	char *data = fresh(pages);
	int fd = open("/dev/zero", O_RDONLY);

	if (read(fd, data, (size_t)pages * PAGE) < 0)
		perror("read");
	close(fd);
}

static __attribute__((noinline)) void deep(long depth, long pages)
{
	volatile char frame[256];

	frame[depth % 256] = 1;
	if (depth > 1)
		deep(depth - 1, pages);
	else
		touch_fresh(pages);
	sum += frame[depth % 256];
}

static void handler(int number)
{
	(void)number;
	touch(signal_page, 1);
}

static void from_signal(void)
{
	signal_page = fresh(1);
	signal(SIGUSR1, handler);
	raise(SIGUSR1);
}

static char *map_file(const char *path, void *where)
{
	int fd = open(path, O_RDONLY);
	char *data = mmap(where, PAGE, PROT_READ, MAP_PRIVATE | (where ? MAP_FIXED : 0), fd, 0);

	if (fd < 0 || data == MAP_FAILED) {
		perror(path);
		exit(1);
	}
	close(fd);
	return data;
}

static void major(const char *path)
{
	int fd = open(path, O_RDONLY);
	char *data;

	fdatasync(fd);
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	data = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, fd, 0);
	sum += *data;
}

static __attribute__((noinline)) void look(const volatile char *data)
{
	sum += *data;
}

static void remap(const char *a, const char *b)
{
	char *data = map_file(a, NULL);

	look(data);
	munmap(data, PAGE);
	data = map_file(b, data);
	look(data);
	munmap(data, PAGE);
}

static void act(const char *word)
{
	char *a = strdup(word), *b, *c;

	b = strchr(a, ':');
	if (b)
		*b++ = 0;
	c = b ? strchr(b, ':') : NULL;
	if (c)
		*c++ = 0;
	if (strcmp(a, "touch") == 0)
		touch_fresh(atol(b));
	else if (strcmp(a, "threads") == 0)
		threads(atol(b), atol(c));
	else if (strcmp(a, "fork") == 0)
		forked(atol(b));
	else if (strcmp(a, "read") == 0)
		read_into(atol(b));
	else if (strcmp(a, "deep") == 0)
		deep(atol(b), atol(c));
	else if (strcmp(a, "signal") == 0)
		from_signal();
	else if (strcmp(a, "major") == 0)
		major(b);
	else if (strcmp(a, "remap") == 0)
		remap(b, c);
	else if (strcmp(a, "wait") == 0)
		getchar();
	else if (strcmp(a, "crash") == 0)
		*(volatile char *)0x10 = 1;
	free(a);
}

int main(int argc, char *argv[])
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("ready\n");
	for (int i = 1; i < argc; i++) {
		struct rusage before, after;

		getrusage(RUSAGE_SELF, &before);
		act(argv[i]);
		getrusage(RUSAGE_SELF, &after);
		printf("%s %ld %ld\n", argv[i], after.ru_minflt - before.ru_minflt,
			after.ru_majflt - before.ru_majflt);
	}
	return 0;
}
