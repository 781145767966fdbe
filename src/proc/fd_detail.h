// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_PROC_FD_DETAIL_H
#define SRC_PROC_FD_DETAIL_H

/**
 * What is behind a descriptor of a task besides its name: numbers of devices, sockets and
 * objects of the kernel without a name. By what the kernel remembers: no file system is asked.
 */

#include <stdbool.h>
#include <stdint.h>

#include "proc/sockinfo.h"

/** Bits: several kinds may be wanted. */
enum fd_detail_kind {
	FD_DETAIL_NONE = 0,
	FD_DETAIL_DEVICE = 1 << 0,
	FD_DETAIL_SOCKET = 1 << 1,
	FD_DETAIL_PIDFD = 1 << 2,
	FD_DETAIL_EVENTFD = 1 << 3,
	FD_DETAIL_SIGNALFD = 1 << 4,
	FD_DETAIL_ALL = (1 << 5) - 1,
};

struct fd_detail {
	enum fd_detail_kind kind;
	struct {
		bool is_block;
		uint32_t major, minor;
		/** Of the master side of a terminal: N of /dev/pts/N; else -1. */
		int terminal;
	} device;
	struct sockinfo socket;
	/** As numbered in our namespace. */
	int pid;
	struct {
		uint64_t count;
		/** -1: before Linux 5.2. */
		int id;
		/** -1: before Linux 6.5. */
		int semaphore;
	} eventfd;
	/** Bit 0 is signal 1. */
	uint64_t signals;
};

/**
 * Of descriptor @fd of task @tid, whose link reads @link, if it is one of the kinds @wanted.
 * False if it is not, or cannot be told: then ret->kind is only what it seems by its link.
 */
bool fd_detail_read(int tid, int fd, const char *link, unsigned wanted, struct fd_detail *ret);

#endif
