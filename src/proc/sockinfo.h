// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_PROC_SOCKINFO_H
#define SRC_PROC_SOCKINFO_H

/**
 * What kind of socket a descriptor of a task is, and what it connects, by sock_diag(7). Sockets
 * of another network namespace than ours have their protocol only.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	/** "TCPv6", "UNIX-SEQPACKET": what the kernel calls protocols is as long as that. */
	SOCKINFO_PROTOCOL_SIZE = 32,
	/** "[" INET6_ADDRSTRLEN "]:65535" */
	SOCKINFO_ADDRESS_SIZE = 64,
	/** sun_path */
	SOCKINFO_PATH_SIZE = 108,
};

enum sockinfo_family {
	/** Only the protocol is known. */
	SOCKINFO_OTHER,
	SOCKINFO_INET,
	SOCKINFO_UNIX,
	SOCKINFO_NETLINK,
};

struct sockinfo {
	enum sockinfo_family family;
	char protocol[SOCKINFO_PROTOCOL_SIZE];
	uint64_t inode;
	/** INET: "127.0.0.1:80", "[::1]:80"; the other end is "" without a connection. */
	char local[SOCKINFO_ADDRESS_SIZE], remote[SOCKINFO_ADDRESS_SIZE];
	/** UNIX: the inode of the socket at the other end; 0 without a connection. */
	uint64_t peer;
	/** UNIX: its name, which begins with NUL if it is an abstract one; any bytes. */
	char path[SOCKINFO_PATH_SIZE];
	size_t path_length;
	/** NETLINK: NETLINK_ROUTE is 0; the port is often a pid. */
	unsigned netlink_protocol, netlink_port;
};

/** Of descriptor @fd, which is socket @inode by its link. False if it is no socket any more. */
bool sockinfo_read(int tid, int fd, uint64_t inode, struct sockinfo *ret);

#endif
