// SPDX-License-Identifier: MIT
// Copyright the tracer authors

// Works with io_uring, one step per argument: NAME[,ARGUMENT]... Numbers are descriptors, slots
// or flags. Entries are queued and go off with `enter`. A step that fails is no reason to end, nor
// is an entry that does; a word that is not understood is, and a kernel that makes no ring.

#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	ENTRIES = 8,
	ARGS = 10,
	NO_RING = 4,
	/** Not in all headers. */
	NO_MMAP = 1 << 14,
	REGISTERED_FD_ONLY = 1 << 15,
	NO_SQARRAY = 1 << 16,
	USE_REGISTERED_RING = (int)(1U << 31),
};

static char *arg[ARGS];
static int count;

static struct {
	int fd;
	/** Its number of its own; -1: none. */
	int number;
	char *queue;
	struct io_uring_sqe *entries;
	struct io_uring_params params;
	/** Bytes from one entry to the next. */
	unsigned stride;
	unsigned queued;
	char bytes[16];
} ring = {.fd = -1, .number = -1};

static int number(int index)
{
	return index < count ? (int)strtol(arg[index], NULL, 0) : 0;
}

static void map_ring(void)
{
	const struct io_uring_params *params = &ring.params;

	if (params->flags & NO_MMAP)
		return;
	ring.queue = mmap(NULL, params->sq_off.array + 4 * params->sq_entries,
		PROT_READ | PROT_WRITE, MAP_SHARED, ring.fd, IORING_OFF_SQ_RING);
	ring.entries = mmap(NULL, (size_t)ring.stride * params->sq_entries, PROT_READ | PROT_WRITE,
		MAP_SHARED, ring.fd, IORING_OFF_SQES);
	if (ring.queue == MAP_FAILED || (void *)ring.entries == MAP_FAILED)
		exit(3);
}

static void make_ring(void)
{
	ring.params = (struct io_uring_params){.flags = (unsigned)number(1)};
	ring.stride = ring.params.flags & IORING_SETUP_SQE128 ? 128 : 64;
	if (ring.params.flags & NO_MMAP) {
		ring.queue =
			mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		ring.entries =
			mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		// cq_off.user_addr and sq_off.user_addr, behind resv1: headers before 6.5 call them
		// resv2.
		memcpy(&ring.params.cq_off.resv1 + 1, &(uint64_t){(uintptr_t)ring.queue}, 8);
		memcpy(&ring.params.sq_off.resv1 + 1, &(uint64_t){(uintptr_t)ring.entries}, 8);
	}
	ring.number = -1;
	ring.queued = 0;
	ring.fd = (int)syscall(SYS_io_uring_setup, ENTRIES, &ring.params);
	if (ring.fd < 0)
		exit(NO_RING);
	if (ring.params.flags & REGISTERED_FD_ONLY) {
		ring.number = ring.fd;
		ring.fd = -1;
	}
	map_ring();
}

static struct io_uring_sqe *queue(int opcode)
{
	unsigned *tail = (unsigned *)(ring.queue + ring.params.sq_off.tail);
	unsigned *array = (unsigned *)(ring.queue + ring.params.sq_off.array);
	unsigned place = *tail % ENTRIES;
	// Not in the order of the entries, where the kernel lets us choose.
	unsigned index = ring.params.flags & NO_SQARRAY ? place : ENTRIES - 1 - place;
	struct io_uring_sqe *sqe =
		(struct io_uring_sqe *)((char *)ring.entries + (size_t)ring.stride * index);

	memset(sqe, 0, ring.stride);
	sqe->opcode = (unsigned char)opcode;
	if (!(ring.params.flags & NO_SQARRAY))
		array[place] = index;
	__atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
	ring.queued++;
	return sqe;
}

static long enroll(unsigned operation, void *data, unsigned size)
{
	if (ring.number < 0)
		return syscall(SYS_io_uring_register, ring.fd, operation, data, size);
	return syscall(
		SYS_io_uring_register, ring.number, operation | USE_REGISTERED_RING, data, size);
}

// A descriptor per argument from @first on.
static unsigned fds_from(int first, int fds[ARGS])
{
	for (int i = first; i < count; i++)
		fds[i - first] = number(i);
	return (unsigned)(count - first);
}

static int files(const char *name)
{
	int fds[ARGS];

	if (strcmp(name, "files") == 0) {
		enroll(IORING_REGISTER_FILES, fds, fds_from(1, fds));
	} else if (strcmp(name, "files2") == 0) {
		struct io_uring_rsrc_register all = {.data = (uintptr_t)fds};

		all.nr = fds_from(1, fds);
		enroll(IORING_REGISTER_FILES2, &all, sizeof(all));
	} else if (strcmp(name, "sparse") == 0) {
		struct io_uring_rsrc_register all = {.nr = (unsigned)number(1), .flags = 1};

		enroll(IORING_REGISTER_FILES2, &all, sizeof(all));
	} else if (strcmp(name, "update") == 0) {
		struct io_uring_files_update some = {
			.offset = (unsigned)number(1),
			.fds = (uintptr_t)fds,
		};

		enroll(IORING_REGISTER_FILES_UPDATE, &some, fds_from(2, fds));
	} else if (strcmp(name, "update2") == 0) {
		struct io_uring_rsrc_update2 some = {
			.offset = (unsigned)number(1),
			.data = (uintptr_t)fds,
		};

		some.nr = fds_from(2, fds);
		enroll(IORING_REGISTER_FILES_UPDATE2, &some, sizeof(some));
	} else if (strcmp(name, "nofiles") == 0) {
		enroll(IORING_UNREGISTER_FILES, NULL, 0);
	} else {
		return 0;
	}
	return 1;
}

static void take_number(unsigned operation)
{
	struct io_uring_rsrc_update update = {
		.offset =
			operation == IORING_REGISTER_RING_FDS ? UINT32_MAX : (uint32_t)ring.number,
		.data = operation == IORING_REGISTER_RING_FDS ? (uint64_t)ring.fd : 0,
	};

	if (enroll(operation, &update, 1) != 1)
		exit(NO_RING);
	ring.number = operation == IORING_REGISTER_RING_FDS ? (int)update.offset : -1;
}

// What waits for completions counts those that nobody has taken, old ones too.
static void take_completions(void)
{
	unsigned *head = (unsigned *)(ring.queue + ring.params.cq_off.head);
	unsigned *tail = (unsigned *)(ring.queue + ring.params.cq_off.tail);

	__atomic_store_n(head, __atomic_load_n(tail, __ATOMIC_ACQUIRE), __ATOMIC_RELEASE);
}

static int numbers(const char *name)
{
	if (strcmp(name, "ring") == 0) {
		make_ring();
	} else if (strcmp(name, "number") == 0) {
		take_number(IORING_REGISTER_RING_FDS);
	} else if (strcmp(name, "nonumber") == 0) {
		take_number(IORING_UNREGISTER_RING_FDS);
	} else if (strcmp(name, "enter") == 0) {
		unsigned queued = ring.queued;
		unsigned flags = IORING_ENTER_GETEVENTS;

		ring.queued = 0;
		if (ring.number >= 0)
			flags |= IORING_ENTER_REGISTERED_RING;
		syscall(SYS_io_uring_enter, ring.number >= 0 ? ring.number : ring.fd, queued,
			queued, flags, NULL, 0);
		take_completions();
	} else {
		return 0;
	}
	return 1;
}

static int entries(const char *name)
{
	struct io_uring_sqe *sqe;

	if (strcmp(name, "plain") == 0) {
		queue(number(1))->fd = number(2);
	} else if (strcmp(name, "fixed") == 0) {
		sqe = queue(number(1));
		sqe->flags = IOSQE_FIXED_FILE;
		sqe->fd = number(2);
		if (sqe->opcode == IORING_OP_READ) {
			sqe->addr = (uintptr_t)ring.bytes;
			sqe->len = 1;
		}
	} else if (strcmp(name, "openslot") == 0) {
		sqe = queue(IORING_OP_OPENAT);
		sqe->flags = IOSQE_IO_LINK;
		sqe->fd = AT_FDCWD;
		sqe->addr = (uintptr_t)arg[1];
		sqe->file_index = (unsigned)number(2) + 1;
	} else if (strcmp(name, "closeslot") == 0) {
		queue(IORING_OP_CLOSE)->file_index = (unsigned)number(1) + 1;
	} else if (strcmp(name, "splice") == 0) {
		sqe = queue(IORING_OP_SPLICE);
		sqe->fd = number(2);
		sqe->splice_fd_in = number(1);
		sqe->splice_flags = SPLICE_F_FD_IN_FIXED;
		sqe->splice_off_in = sqe->off = (uint64_t)-1;
		sqe->len = 1;
	} else if (strcmp(name, "cancel") == 0) {
		sqe = queue(IORING_OP_ASYNC_CANCEL);
		sqe->fd = number(1);
		sqe->cancel_flags = IORING_ASYNC_CANCEL_FD | IORING_ASYNC_CANCEL_FD_FIXED;
	} else if (strcmp(name, "send") == 0) {
		sqe = queue(IORING_OP_MSG_RING);
		sqe->fd = ring.fd;
		sqe->addr = IORING_MSG_SEND_FD;
		sqe->addr3 = (uint64_t)number(1);
	} else if (strcmp(name, "replace") == 0) {
		static int fd;

		fd = number(2);
		sqe = queue(IORING_OP_FILES_UPDATE);
		sqe->off = (uint64_t)number(1);
		sqe->addr = (uintptr_t)&fd;
		sqe->len = 1;
	} else {
		return 0;
	}
	return 1;
}

static int others(const char *name)
{
	if (strcmp(name, "open") == 0)
		syscall(SYS_openat, AT_FDCWD, arg[1], number(2), 0600);
	else if (strcmp(name, "close") == 0)
		close(number(1));
	else if (strcmp(name, "dup") == 0)
		return dup(number(1)) >= -1;
	else if (strcmp(name, "pipe") == 0)
		return pipe((int[2]){0}) == 0;
	else if (strcmp(name, "rename") == 0)
		rename(arg[1], arg[2]);
	else if (strcmp(name, "unlink") == 0)
		unlink(arg[1]);
	else if (strcmp(name, "unshare") == 0)
		// In a chroot "/" is no mount.
		return unshare(CLONE_NEWNS) == 0 &&
		       (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 || errno == EINVAL);
	else if (strcmp(name, "bindmount") == 0)
		mount(arg[1], arg[2], NULL, MS_BIND, NULL);
	else if (strcmp(name, "chroot") == 0)
		return chroot(arg[1]) == 0 && chdir("/") == 0;
	else
		return 0;
	return 1;
}

static void *step(void *words)
{
	char *rest = words;

	count = 0;
	while (count < ARGS && (arg[count] = strsep(&rest, ",")))
		count++;
	if (!files(arg[0]) && !numbers(arg[0]) && !entries(arg[0]) && !others(arg[0])) {
		fprintf(stderr, "%s?\n", arg[0]);
		exit(2);
	}
	return NULL;
}

// `thread` before a step: it is made by another thread, which then ends.
int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		pthread_t thread;

		if (strcmp(argv[i], "thread") != 0 || i + 1 == argc) {
			step(argv[i]);
			continue;
		}
		if (pthread_create(&thread, NULL, step, argv[++i]) != 0)
			return 3;
		pthread_join(thread, NULL);
	}
	return 0;
}
