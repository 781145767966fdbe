// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "proc/sockinfo.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/netlink_diag.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cleanup.h"

/** Whom to ask about sockets of a protocol, by the name that the kernel gives it. */
static const struct protocol {
	const char *name;
	enum sockinfo_family family;
	uint8_t domain, number;
} protocols[] = {
	{"TCP", SOCKINFO_INET, AF_INET, IPPROTO_TCP},
	{"TCPv6", SOCKINFO_INET, AF_INET6, IPPROTO_TCP},
	{"UDP", SOCKINFO_INET, AF_INET, IPPROTO_UDP},
	{"UDPv6", SOCKINFO_INET, AF_INET6, IPPROTO_UDP},
	{"UDP-Lite", SOCKINFO_INET, AF_INET, IPPROTO_UDPLITE},
	{"UDPLITEv6", SOCKINFO_INET, AF_INET6, IPPROTO_UDPLITE},
	{"DCCP", SOCKINFO_INET, AF_INET, IPPROTO_DCCP},
	{"DCCPv6", SOCKINFO_INET, AF_INET6, IPPROTO_DCCP},
	{"SCTP", SOCKINFO_INET, AF_INET, IPPROTO_SCTP},
	{"SCTPv6", SOCKINFO_INET, AF_INET6, IPPROTO_SCTP},
	{"RAW", SOCKINFO_OTHER, 0, 0},
	{"RAWv6", SOCKINFO_OTHER, 0, 0},
	{"UNIX", SOCKINFO_UNIX, AF_UNIX, 0},
	{"UNIX-STREAM", SOCKINFO_UNIX, AF_UNIX, 0},
	{"NETLINK", SOCKINFO_NETLINK, AF_NETLINK, 0},
};

/** Any of the three questions. */
struct question {
	struct nlmsghdr header;
	union {
		struct sock_diag_req any;
		struct inet_diag_req_v2 inet;
		struct unix_diag_req local;
		struct netlink_diag_req netlink;
	};
};

/** Reads one answer to @info; true if it was about the socket. */
typedef bool (*reader)(struct sockinfo *info, const struct nlmsghdr *message);

static bool reaches(const struct nlmsghdr *message, size_t size)
{
	return message->nlmsg_len >= NLMSG_LENGTH(size);
}

static void address_text(
	char text[SOCKINFO_ADDRESS_SIZE], int domain, const void *address, uint16_t port)
{
	char name[INET6_ADDRSTRLEN];

	inet_ntop(domain, address, name, sizeof(name));
	snprintf(text, SOCKINFO_ADDRESS_SIZE, domain == AF_INET6 ? "[%s]:%u" : "%s:%u", name,
		ntohs(port));
}

static bool read_inet(struct sockinfo *info, const struct nlmsghdr *message)
{
	const struct inet_diag_msg *socket = NLMSG_DATA(message);

	if (!reaches(message, sizeof(*socket)) || socket->idiag_inode != (uint32_t)info->inode)
		return false;
	info->family = SOCKINFO_INET;
	address_text(
		info->local, socket->idiag_family, socket->id.idiag_src, socket->id.idiag_sport);
	if (socket->id.idiag_dport)
		address_text(info->remote, socket->idiag_family, socket->id.idiag_dst,
			socket->id.idiag_dport);
	return true;
}

static bool read_unix(struct sockinfo *info, const struct nlmsghdr *message)
{
	const struct unix_diag_msg *socket = NLMSG_DATA(message);
	const struct nlattr *attribute;
	size_t left, step;

	if (!reaches(message, sizeof(*socket)) || socket->udiag_ino != (uint32_t)info->inode)
		return false;
	info->family = SOCKINFO_UNIX;
	left = message->nlmsg_len - NLMSG_LENGTH(sizeof(*socket));
	attribute = (const void *)((const char *)socket + NLMSG_ALIGN(sizeof(*socket)));
	while (left >= sizeof(*attribute) && attribute->nla_len >= sizeof(*attribute) &&
		attribute->nla_len <= left) {
		const char *data = (const char *)attribute + NLA_HDRLEN;
		size_t length = attribute->nla_len - (size_t)NLA_HDRLEN;
		uint32_t peer;

		if (attribute->nla_type == UNIX_DIAG_NAME && length &&
			length <= sizeof(info->path)) {
			memcpy(info->path, data, length);
			info->path_length = info->path[0] ? strnlen(data, length) : length;
		} else if (attribute->nla_type == UNIX_DIAG_PEER && length >= sizeof(peer)) {
			memcpy(&peer, data, sizeof(peer));
			info->peer = peer;
		}
		step = NLA_ALIGN(attribute->nla_len);
		left -= step < left ? step : left;
		attribute = (const void *)((const char *)attribute + step);
	}
	return true;
}

static bool read_netlink(struct sockinfo *info, const struct nlmsghdr *message)
{
	const struct netlink_diag_msg *socket = NLMSG_DATA(message);

	if (!reaches(message, sizeof(*socket)) || socket->ndiag_ino != (uint32_t)info->inode)
		return false;
	info->family = SOCKINFO_NETLINK;
	info->netlink_protocol = socket->ndiag_protocol;
	info->netlink_port = socket->ndiag_portid;
	return true;
}

// Answers come in one datagram or many; a dump ends with a message that says so.
static void read_answers(int diag, reader read_answer, bool is_dump, struct sockinfo *info)
{
	_Alignas(struct nlmsghdr) char data[32768];

	do {
		ssize_t got = recv(diag, data, sizeof(data), 0);
		const struct nlmsghdr *message = (const void *)data;
		size_t left = got > 0 ? (size_t)got : 0;

		if (!left)
			return;
		for (; NLMSG_OK(message, left); message = NLMSG_NEXT(message, left)) {
			if (message->nlmsg_type != SOCK_DIAG_BY_FAMILY ||
				read_answer(info, message))
				return;
		}
	} while (is_dump);
}

static void ask(struct question *question, size_t size, reader read_answer, struct sockinfo *info)
{
	struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};
	cleanup_close int diag = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
	bool is_dump = question->header.nlmsg_flags & NLM_F_DUMP;

	if (diag < 0)
		return;
	question->header.nlmsg_type = SOCK_DIAG_BY_FAMILY;
	question->header.nlmsg_flags |= NLM_F_REQUEST;
	question->header.nlmsg_len = (uint32_t)NLMSG_LENGTH(size);
	if (sendto(diag, question, question->header.nlmsg_len, 0, (struct sockaddr *)&kernel,
		    sizeof(kernel)) > 0)
		read_answers(diag, read_answer, is_dump, info);
}

// Nobody but UNIX sockets can be asked for by inode: of the others all are listed.
static void find_ends(const struct protocol *protocol, struct sockinfo *info)
{
	struct question question = {.header = {.nlmsg_flags = NLM_F_DUMP}};

	switch (protocol->family) {
	case SOCKINFO_OTHER:
		return;
	case SOCKINFO_INET:
		question.inet = (struct inet_diag_req_v2){.sdiag_family = protocol->domain,
			.sdiag_protocol = protocol->number,
			.idiag_states = UINT32_MAX};
		ask(&question, sizeof(question.inet), read_inet, info);
		return;
	case SOCKINFO_UNIX:
		question.header.nlmsg_flags = 0;
		question.local = (struct unix_diag_req){.sdiag_family = AF_UNIX,
			.udiag_states = UINT32_MAX,
			.udiag_ino = (uint32_t)info->inode,
			.udiag_show = UDIAG_SHOW_NAME | UDIAG_SHOW_PEER,
			.udiag_cookie = {UINT32_MAX, UINT32_MAX}};
		ask(&question, sizeof(question.local), read_unix, info);
		return;
	case SOCKINFO_NETLINK:
		question.netlink = (struct netlink_diag_req){
			.sdiag_family = AF_NETLINK, .sdiag_protocol = NDIAG_PROTO_ALL};
		ask(&question, sizeof(question.netlink), read_netlink, info);
		return;
	}
}

// An attribute that only sockets have. The file is held fast first: another thread may have put
// another file there, whose server would have to be asked.
static bool read_protocol(int tid, int fd, struct sockinfo *info)
{
	char path[48], link[48], wanted[48];
	cleanup_close int held = -1;
	ssize_t length;

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", tid, fd);
	held = open(path, O_PATH | O_CLOEXEC);
	if (held < 0)
		return false;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", held);
	snprintf(wanted, sizeof(wanted), "socket:[%llu]", (unsigned long long)info->inode);
	length = readlink(path, link, sizeof(link));
	if (length != (ssize_t)strlen(wanted) || memcmp(link, wanted, strlen(wanted)) != 0)
		return false;
	length = getxattr(path, "system.sockprotoname", info->protocol, sizeof(info->protocol) - 1);
	if (length < 0)
		return false;
	info->protocol[length] = '\0';
	return true;
}

bool sockinfo_read(int tid, int fd, uint64_t inode, struct sockinfo *ret)
{
	*ret = (struct sockinfo){.inode = inode};
	if (!read_protocol(tid, fd, ret))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(protocols); i++) {
		if (strcmp(ret->protocol, protocols[i].name) == 0) {
			find_ends(&protocols[i], ret);
			return true;
		}
	}
	return false;
}
