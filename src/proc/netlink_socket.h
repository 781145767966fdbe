// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_PROC_NETLINK_SOCKET_H
#define SRC_PROC_NETLINK_SOCKET_H

/**
 * Which protocol a netlink socket speaks, by /proc/TID/net/netlink. A socket keeps its
 * protocol and its inode number for life, so what was found is remembered.
 */

enum {
	NETLINK_SOCKETS_KNOWN = 16,
};

struct netlink_sockets {
	struct {
		unsigned long inode;
		int protocol;
	} known[NETLINK_SOCKETS_KNOWN];
};

/**
 * The protocol (NETLINK_ROUTE is 0) of descriptor @fd of task @tid; -1 if it is no netlink
 * socket, one of another network namespace than the task's, or neither bound nor used yet.
 */
int netlink_sockets_protocol(struct netlink_sockets *sockets, int tid, int fd);

#endif
