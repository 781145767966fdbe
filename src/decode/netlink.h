// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_DECODE_NETLINK_H
#define SRC_DECODE_NETLINK_H

/**
 * Messages of netlink sockets and the attributes in them (netlink(7)): lengths, alignment,
 * nesting. What the protocols mean by them stands in syscalls/netlink*.desc.
 */

#include <stdint.h>

struct place;
struct type;
struct value;
struct walk;

/**
 * The messages in @length bytes at @place, which descriptor @fd sends or receives; NULL if it
 * is no netlink socket, or there is no whole header of a message.
 */
struct value *netlink_packet(struct walk *walk, int fd, const struct place *place, uint64_t length);
/** TYPE_MESSAGES: as far as there is room; NULL if there is not even a header. */
struct value *netlink_messages(struct walk *walk, const struct place *place);
/** TYPE_ATTRS; NULL if there is no room for one. */
struct value *netlink_attrs(struct walk *walk, const struct type *type, const struct place *place);

#endif
