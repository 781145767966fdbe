// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "proc/fd_detail.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/arena.h"
#include "proc/fdinfo.h"
#include "unit.h"

// What is read of our own descriptor, as of a traced one.
static bool detail_of(int fd, unsigned wanted, struct fd_detail *ret)
{
	struct arena arena = {0};
	const char *link = fdinfo_path(&arena, getpid(), fd);
	bool found = link && fd_detail_read(getpid(), fd, link, wanted, ret);

	arena_deinit(&arena);
	return found;
}

static struct sockinfo socket_of(int fd)
{
	struct fd_detail detail;

	assert_true(detail_of(fd, FD_DETAIL_ALL, &detail));
	assert_int_equal(detail.kind, FD_DETAIL_SOCKET);
	return detail.socket;
}

static uint64_t inode_of(int fd)
{
	struct stat st;

	assert_int_equal(fstat(fd, &st), 0);
	return st.st_ino;
}

CASE(devices_have_numbers)
{
	struct fd_detail detail;
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	int folder = open("/proc", O_RDONLY | O_CLOEXEC);

	assert_true(detail_of(null, FD_DETAIL_ALL, &detail));
	assert_int_equal(detail.kind, FD_DETAIL_DEVICE);
	assert_false(detail.device.is_block);
	assert_int_equal(detail.device.major, 1);
	assert_int_equal(detail.device.minor, 3);
	assert_int_equal(detail.device.terminal, -1);
	assert_false(detail_of(null, FD_DETAIL_ALL & ~FD_DETAIL_DEVICE, &detail));
	assert_false(detail_of(folder, FD_DETAIL_ALL, &detail));
	close(null);
	close(folder);
}

CASE(a_terminal_master_says_which)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY);
	struct fd_detail detail;
	char expected[32];

	if (master < 0)
		return;
	assert_true(detail_of(master, FD_DETAIL_ALL, &detail));
	snprintf(expected, sizeof(expected), "/dev/pts/%d", detail.device.terminal);
	assert_string_equal(ptsname(master), expected);
	close(master);
}

CASE(objects_of_the_kernel)
{
	struct fd_detail detail;
	sigset_t set;
	int fd = eventfd(26, EFD_CLOEXEC);

	assert_true(detail_of(fd, FD_DETAIL_ALL, &detail));
	assert_int_equal(detail.kind, FD_DETAIL_EVENTFD);
	assert_int_equal(detail.eventfd.count, 26);
	assert_false(detail_of(fd, FD_DETAIL_SIGNALFD, &detail));
	close(fd);

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, 64);
	fd = signalfd(-1, &set, SFD_CLOEXEC);
	assert_true(detail_of(fd, FD_DETAIL_ALL, &detail));
	assert_int_equal(detail.kind, FD_DETAIL_SIGNALFD);
	assert_int_equal(detail.signals, 1ull << 63 | 1ull << (SIGUSR1 - 1));
	close(fd);

	fd = (int)syscall(SYS_pidfd_open, getppid(), 0);
	assert_true(detail_of(fd, FD_DETAIL_ALL, &detail));
	assert_int_equal(detail.kind, FD_DETAIL_PIDFD);
	assert_int_equal(detail.pid, getppid());
	close(fd);
}

CASE(connections_have_two_ends)
{
	struct sockaddr_in here = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
	int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	socklen_t length = sizeof(here);
	struct sockinfo info = socket_of(client);
	char expected[64];

	assert_string_equal(info.protocol, "TCP");
	assert_int_equal(info.inode, inode_of(client));
	assert_int_equal(info.family, SOCKINFO_OTHER);
	assert_int_equal(bind(server, (struct sockaddr *)&here, length), 0);
	assert_int_equal(listen(server, 1), 0);
	assert_int_equal(getsockname(server, (struct sockaddr *)&here, &length), 0);
	assert_int_equal(connect(client, (struct sockaddr *)&here, length), 0);
	snprintf(expected, sizeof(expected), "127.0.0.1:%u", ntohs(here.sin_port));
	info = socket_of(server);
	assert_int_equal(info.family, SOCKINFO_INET);
	assert_string_equal(info.local, expected);
	assert_string_equal(info.remote, "");
	info = socket_of(client);
	assert_string_equal(info.remote, expected);
	assert_int_equal(getsockname(client, (struct sockaddr *)&here, &length), 0);
	snprintf(expected, sizeof(expected), "127.0.0.1:%u", ntohs(here.sin_port));
	assert_string_equal(info.local, expected);
	close(client);
	close(server);
}

CASE(unix_sockets_have_peers_and_names)
{
	struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "\0some<name>"};
	struct sockinfo info;
	int ends[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, ends), 0);
	assert_int_equal(bind(ends[0], (struct sockaddr *)&name, sizeof(name.sun_family) + 11), 0);
	info = socket_of(ends[0]);
	assert_int_equal(info.family, SOCKINFO_UNIX);
	assert_string_equal(info.protocol, "UNIX");
	assert_int_equal(info.peer, inode_of(ends[1]));
	assert_int_equal(info.path_length, 11);
	assert_memory_equal(info.path, "\0some<name>", 11);
	info = socket_of(ends[1]);
	assert_int_equal(info.path_length, 0);
	close(ends[0]);
	info = socket_of(ends[1]);
	assert_int_equal(info.peer, 0);
	close(ends[1]);
}

CASE(netlink_sockets_have_a_protocol)
{
	struct sockaddr_nl any = {.nl_family = AF_NETLINK};
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_KOBJECT_UEVENT);
	socklen_t length = sizeof(any);
	struct sockinfo info;

	assert_int_equal(bind(fd, (struct sockaddr *)&any, length), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&any, &length), 0);
	info = socket_of(fd);
	assert_string_equal(info.protocol, "NETLINK");
	assert_int_equal(info.family, SOCKINFO_NETLINK);
	assert_int_equal(info.netlink_protocol, NETLINK_KOBJECT_UEVENT);
	assert_int_equal(info.netlink_port, any.nl_pid);
	close(fd);
}

CASE(another_socket_in_its_place_is_not_told)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct sockinfo info;

	assert_true(sockinfo_read(getpid(), fd, inode_of(fd), &info));
	assert_false(sockinfo_read(getpid(), fd, inode_of(fd) + 1, &info));
	close(fd);
	assert_false(sockinfo_read(getpid(), fd, 1, &info));
}

RUN_CASES(ADD(devices_have_numbers), ADD(a_terminal_master_says_which), ADD(objects_of_the_kernel),
	ADD(connections_have_two_ends), ADD(unix_sockets_have_peers_and_names),
	ADD(netlink_sockets_have_a_protocol), ADD(another_socket_in_its_place_is_not_told));
