// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "proc/fd_detail.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "proc/task.h"

enum {
	/** /dev/ptmx: Documentation/admin-guide/devices.txt. */
	PTMX_MAJOR = 5,
	PTMX_MINOR = 2,
};

// The text after "NAME:" and white space in the descriptor's fdinfo, or NULL.
static const char *field(const char *text, const char *name)
{
	size_t length = strlen(name);

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, name, length) == 0 && line[length] == ':')
			return line + length + 1 + strspn(line + length + 1, " \t");
	}
	return NULL;
}

static bool field_number(const char *text, const char *name, int base, uint64_t *ret)
{
	const char *value = field(text, name);
	char *end;

	if (!value)
		return false;
	*ret = strtoull(value, &end, base);
	return end != value;
}

static char *read_fdinfo(int tid, int fd)
{
	char name[32];
	size_t length;

	snprintf(name, sizeof(name), "fdinfo/%d", fd);
	return task_file(tid, name, &length);
}

static bool read_device(int tid, int fd, struct fd_detail *detail)
{
	cleanup_free char *text = NULL;
	char path[48];
	struct statx st;
	uint64_t terminal;

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", tid, fd);
	if (statx(AT_FDCWD, path, AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC, STATX_TYPE, &st) != 0)
		return false;
	if (!S_ISCHR(st.stx_mode) && !S_ISBLK(st.stx_mode))
		return false;
	detail->device.is_block = S_ISBLK(st.stx_mode);
	detail->device.major = st.stx_rdev_major;
	detail->device.minor = st.stx_rdev_minor;
	detail->device.terminal = -1;
	if (detail->device.is_block || st.stx_rdev_major != PTMX_MAJOR ||
		st.stx_rdev_minor != PTMX_MINOR)
		return true;
	text = read_fdinfo(tid, fd);
	if (text && field_number(text, "tty-index", 10, &terminal))
		detail->device.terminal = (int)terminal;
	return true;
}

static bool read_socket(int tid, int fd, const char *link, struct fd_detail *detail)
{
	unsigned long inode;

	return sscanf(link, "socket:[%lu]", &inode) == 1 &&
	       sockinfo_read(tid, fd, inode, &detail->socket);
}

static bool read_pidfd(const char *text, struct fd_detail *detail)
{
	const char *pid = field(text, "Pid");

	detail->pid = pid ? (int)strtol(pid, NULL, 10) : 0;
	// -1: it was waited for; 0: it cannot be seen from here.
	return detail->pid > 0;
}

static bool read_eventfd(const char *text, struct fd_detail *detail)
{
	uint64_t number;

	detail->eventfd.id = field_number(text, "eventfd-id", 10, &number) ? (int)number : -1;
	detail->eventfd.semaphore =
		field_number(text, "eventfd-semaphore", 10, &number) ? (int)number : -1;
	return field_number(text, "eventfd-count", 16, &detail->eventfd.count);
}

static bool read_signalfd(const char *text, struct fd_detail *detail)
{
	return field_number(text, "sigmask", 16, &detail->signals);
}

static const struct {
	const char *link;
	enum fd_detail_kind kind;
	bool (*read)(const char *text, struct fd_detail *detail);
} anonymous[] = {
	{"anon_inode:[pidfd]", FD_DETAIL_PIDFD, read_pidfd},
	{"anon_inode:[eventfd]", FD_DETAIL_EVENTFD, read_eventfd},
	{"anon_inode:[signalfd]", FD_DETAIL_SIGNALFD, read_signalfd},
};

static enum fd_detail_kind kind_of(const char *link)
{
	if (link[0] == '/')
		return FD_DETAIL_DEVICE;
	if (strncmp(link, "socket:[", strlen("socket:[")) == 0)
		return FD_DETAIL_SOCKET;
	for (size_t i = 0; i < ARRAY_SIZE(anonymous); i++) {
		if (strcmp(link, anonymous[i].link) == 0)
			return anonymous[i].kind;
	}
	return FD_DETAIL_NONE;
}

static bool read_anonymous(int tid, int fd, struct fd_detail *detail)
{
	cleanup_free char *text = read_fdinfo(tid, fd);

	for (size_t i = 0; text && i < ARRAY_SIZE(anonymous); i++) {
		if (detail->kind == anonymous[i].kind)
			return anonymous[i].read(text, detail);
	}
	return false;
}

bool fd_detail_read(int tid, int fd, const char *link, unsigned wanted, struct fd_detail *ret)
{
	*ret = (struct fd_detail){.kind = kind_of(link)};
	switch (ret->kind & wanted) {
	case FD_DETAIL_DEVICE:
		return read_device(tid, fd, ret);
	case FD_DETAIL_SOCKET:
		return read_socket(tid, fd, link, ret);
	case FD_DETAIL_PIDFD:
	case FD_DETAIL_EVENTFD:
	case FD_DETAIL_SIGNALFD:
		return read_anonymous(tid, fd, ret);
	}
	return false;
}
