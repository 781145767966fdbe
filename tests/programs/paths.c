// SPDX-License-Identifier: MIT
// Copyright the tracer authors

// Makes the calls it is told to, one per argument: NAME[,ARGUMENT]... Numbers are descriptors
// or flags. A call that fails is no reason to end; a word that is not understood is.

#include <fcntl.h>
#include <linux/io_uring.h>
#include <linux/openat2.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#ifdef SYS_newfstatat
#define FSTATAT SYS_newfstatat
#else
#define FSTATAT SYS_fstatat64
#endif

enum {
	PAGE = 4096,
};

static char *arg[8];
static void *mapped;
static int pair[2] = {-1, -1};

static long number(int index)
{
	return arg[index] ? strtol(arg[index], NULL, 0) : 0;
}

static int dir_of(int index)
{
	return strcmp(arg[index], "cwd") == 0 ? AT_FDCWD : (int)number(index);
}

static void open2(void)
{
	struct open_how how = {
		.flags = O_RDONLY,
		.resolve = (uint64_t)number(3),
	};

	syscall(SYS_openat2, dir_of(1), arg[2], &how, sizeof(how));
}

static void address(int fd, int is_bind)
{
	struct sockaddr_un name = {.sun_family = AF_UNIX};

	strncpy(name.sun_path, arg[2], sizeof(name.sun_path) - 1);
	if (is_bind)
		bind(fd, (struct sockaddr *)&name, sizeof(name));
	else
		connect(fd, (struct sockaddr *)&name, sizeof(name));
}

static void pass(int receive)
{
	union {
		struct cmsghdr header;
		char room[CMSG_SPACE(sizeof(int))];
	} control = {0};
	char byte = 0;
	struct iovec data = {&byte, 1};
	struct msghdr message = {
		.msg_iov = &data,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	int fd = (int)number(1);

	if (pair[0] < 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
		exit(3);
	if (receive) {
		recvmsg(pair[1], &message, 0);
		return;
	}
	control.header.cmsg_level = SOL_SOCKET;
	control.header.cmsg_type = SCM_RIGHTS;
	control.header.cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(&control.header), &fd, sizeof(fd));
	sendmsg(pair[0], &message, 0);
}

static void wait_for(int fd, int with_select)
{
	struct pollfd entry = {.fd = fd, .events = POLLIN};
	struct timeval now = {0};
	fd_set set;

	FD_ZERO(&set);
	FD_SET(fd, &set);
	if (with_select)
		select(fd + 1, &set, NULL, NULL, &now);
	else
		poll(&entry, 1, 0);
}

static struct {
	int fd;
	char *queue;
	struct io_uring_sqe *entries;
	struct io_uring_params params;
} ring;

static void make_ring(void)
{
	ring.params.flags = (unsigned)number(1);
	ring.fd = (int)syscall(SYS_io_uring_setup, 4, &ring.params);
	if (ring.fd < 0)
		exit(4);
	ring.queue = mmap(NULL, ring.params.sq_off.array + 4 * ring.params.sq_entries,
		PROT_READ | PROT_WRITE, MAP_SHARED, ring.fd, IORING_OFF_SQ_RING);
	ring.entries = mmap(NULL, sizeof(*ring.entries) * ring.params.sq_entries,
		PROT_READ | PROT_WRITE, MAP_SHARED, ring.fd, IORING_OFF_SQES);
}

static void submit(void)
{
	unsigned *tail = (unsigned *)(ring.queue + ring.params.sq_off.tail);
	unsigned *array = (unsigned *)(ring.queue + ring.params.sq_off.array);
	// Not in the order of the entries.
	unsigned entry = 3 - *tail % 4;
	struct io_uring_sqe *sqe = &ring.entries[entry];

	memset(sqe, 0, sizeof(*sqe));
	sqe->opcode = (unsigned char)number(1);
	sqe->fd = dir_of(2);
	sqe->addr = arg[3] ? (unsigned long)arg[3] : 0;
	sqe->addr2 = arg[4] ? (unsigned long)arg[4] : 0;
	if (arg[4])
		sqe->len = (unsigned)AT_FDCWD;
	array[*tail % 4] = entry;
	__atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
	syscall(SYS_io_uring_enter, ring.fd, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0);
}

static int files(const char *name)
{
	char byte;

	if (strcmp(name, "open") == 0)
		syscall(SYS_openat, AT_FDCWD, arg[1], (int)number(2), 0600);
	else if (strcmp(name, "openat") == 0)
		syscall(SYS_openat, dir_of(1), arg[2], (int)number(3), 0600);
	else if (strcmp(name, "openat2") == 0)
		open2();
	else if (strcmp(name, "stat") == 0)
		syscall(FSTATAT, AT_FDCWD, arg[1], &(struct stat){0}, (int)number(2));
	else if (strcmp(name, "statat") == 0)
		syscall(FSTATAT, dir_of(1), arg[2], &(struct stat){0}, (int)number(3));
	else if (strcmp(name, "access") == 0)
		access(arg[1], R_OK);
	else if (strcmp(name, "read") == 0)
		return read((int)number(1), &byte, 1) >= -1;
	else if (strcmp(name, "write") == 0)
		return write((int)number(1), "x", 1) >= -1;
	else if (strcmp(name, "close") == 0)
		close((int)number(1));
	else if (strcmp(name, "close_range") == 0)
		syscall(SYS_close_range, (unsigned)number(1), (unsigned)number(2), 0);
	else if (strcmp(name, "dup") == 0)
		return dup((int)number(1)) >= -1;
	else if (strcmp(name, "poll") == 0)
		wait_for((int)number(1), 0);
	else if (strcmp(name, "select") == 0)
		wait_for((int)number(1), 1);
	else
		return 0;
	return 1;
}

static int names(const char *name)
{
	int done = -1;

	if (strcmp(name, "rename") == 0)
		done = rename(arg[1], arg[2]);
	else if (strcmp(name, "link") == 0)
		done = link(arg[1], arg[2]);
	else if (strcmp(name, "symlink") == 0)
		done = symlink(arg[1], arg[2]);
	else if (strcmp(name, "readlink") == 0)
		done = (int)readlink(arg[1], (char[8]){0}, 8);
	else if (strcmp(name, "unlink") == 0)
		done = unlink(arg[1]);
	else if (strcmp(name, "chdir") == 0)
		done = chdir(arg[1]);
	else if (strcmp(name, "fchdir") == 0)
		done = fchdir((int)number(1));
	else if (strcmp(name, "chroot") == 0)
		done = chroot(arg[1]);
	else if (strcmp(name, "unshare") == 0)
		done = unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL);
	else if (strcmp(name, "bindmount") == 0)
		done = mount(arg[1], arg[2], NULL, MS_BIND, NULL);
	else if (strcmp(name, "tmpfs") == 0)
		done = mount("none", arg[1], "tmpfs", 0, NULL);
	else if (strcmp(name, "exec") == 0)
		done = execl(arg[1], arg[1], NULL);
	else if (strcmp(name, "execat") == 0)
		done = (int)syscall(SYS_execveat, dir_of(1), arg[2],
			(const char *[]){"program", NULL}, NULL, AT_EMPTY_PATH);
	else
		return 0;
	return done >= -1;
}

static int others(const char *name)
{
	if (strcmp(name, "mmap") == 0)
		mapped = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, (int)number(1), 0);
	else if (strcmp(name, "anonymous") == 0)
		mapped = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	else if (strcmp(name, "munmap") == 0)
		munmap(mapped, PAGE);
	else if (strcmp(name, "madvise") == 0)
		madvise(mapped, PAGE, MADV_NORMAL);
	else if (strcmp(name, "msync") == 0)
		msync(mapped, PAGE, MS_ASYNC);
	else if (strcmp(name, "mprotect") == 0)
		mprotect(mapped, PAGE, PROT_NONE);
	else if (strcmp(name, "mlock") == 0)
		mlock(mapped, PAGE);
	else if (strcmp(name, "over") == 0)
		mmap(mapped, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	else if (strcmp(name, "mremap") == 0)
		mapped = mremap(mapped, PAGE, PAGE, 0);
	else if (strcmp(name, "socket") == 0)
		socket(AF_UNIX, SOCK_STREAM, 0);
	else if (strcmp(name, "bind") == 0)
		address((int)number(1), 1);
	else if (strcmp(name, "connect") == 0)
		address((int)number(1), 0);
	else if (strcmp(name, "send") == 0)
		pass(0);
	else if (strcmp(name, "receive") == 0)
		pass(1);
	else if (strcmp(name, "ring") == 0)
		make_ring();
	else if (strcmp(name, "submit") == 0)
		submit();
	else
		return 0;
	return 1;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		int count = 0;

		memset(arg, 0, sizeof(arg));
		while (count < 8 && (arg[count] = strsep(&argv[i], ",")))
			count++;
		if (!files(arg[0]) && !names(arg[0]) && !others(arg[0])) {
			fprintf(stderr, "%s?\n", arg[0]);
			return 2;
		}
	}
	return 0;
}
