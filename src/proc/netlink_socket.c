// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "proc/netlink_socket.h"

#include <stdio.h>
#include <unistd.h>

// The inode of a descriptor that is a socket, else 0.
static unsigned long socket_inode(int tid, int fd)
{
	unsigned long inode;
	char path[64], link[64];
	ssize_t length;

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", tid, fd);
	length = readlink(path, link, sizeof(link) - 1);
	if (length < 0)
		return 0;
	link[length] = 0;
	return sscanf(link, "socket:[%lu]", &inode) == 1 ? inode : 0;
}

// Columns: sk Eth Pid Groups Rmem Wmem Dump Locks Drops Inode (net/netlink/af_netlink.c).
static int listed_protocol(int tid, unsigned long wanted)
{
	int protocol, found = -1;
	unsigned long inode;
	char line[256];
	FILE *file;

	snprintf(line, sizeof(line), "/proc/%d/net/netlink", tid);
	file = fopen(line, "re");
	if (!file)
		return -1;
	while (found < 0 && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%*s %d %*s %*s %*s %*s %*s %*s %*s %lu", &protocol, &inode) ==
				2 &&
			inode == wanted)
			found = protocol;
	}
	fclose(file);
	return found;
}

int netlink_sockets_protocol(struct netlink_sockets *sockets, int tid, int fd)
{
	unsigned long inode = socket_inode(tid, fd);
	unsigned slot = inode % NETLINK_SOCKETS_KNOWN;

	if (!inode)
		return -1;
	if (sockets->known[slot].inode != inode) {
		int protocol = listed_protocol(tid, inode);

		// One that is not bound yet will be listed later.
		if (protocol < 0)
			return -1;
		sockets->known[slot].inode = inode;
		sockets->known[slot].protocol = protocol;
	}
	return sockets->known[slot].protocol;
}
