// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "proc/netlink_socket.h"

#include <linux/netlink.h>
#include <sys/socket.h>
#include <unistd.h>

#include "unit.h"

CASE(sockets_have_their_protocol)
{
	struct netlink_sockets sockets = {0};
	int route = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	int uevent = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_KOBJECT_UEVENT);
	int other = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	struct sockaddr_nl any = {.nl_family = AF_NETLINK};

	assert_true(route >= 0 && uevent >= 0 && other >= 0);
	// Only from then on the kernel lists it.
	assert_int_equal(netlink_sockets_protocol(&sockets, getpid(), route), -1);
	assert_int_equal(bind(route, (struct sockaddr *)&any, sizeof(any)), 0);
	assert_int_equal(bind(uevent, (struct sockaddr *)&any, sizeof(any)), 0);
	// The second time they are remembered.
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(netlink_sockets_protocol(&sockets, getpid(), route), 0);
		assert_int_equal(netlink_sockets_protocol(&sockets, getpid(), uevent),
			NETLINK_KOBJECT_UEVENT);
		assert_int_equal(netlink_sockets_protocol(&sockets, getpid(), other), -1);
	}
	close(route);
	assert_int_equal(netlink_sockets_protocol(&sockets, getpid(), route), -1);
	close(uevent);
	close(other);
}

CASE(what_is_no_socket_has_none)
{
	struct netlink_sockets sockets = {0};
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	assert_int_equal(netlink_sockets_protocol(&sockets, getpid(), ends[0]), -1);
	assert_int_equal(netlink_sockets_protocol(&sockets, getpid(), 12345), -1);
	close(ends[0]);
	close(ends[1]);
}

RUN_CASES(ADD(sockets_have_their_protocol), ADD(what_is_no_socket_has_none));
