// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_DECODE_MSG_H
#define SRC_DECODE_MSG_H

/** What messages of sockets are made of: buffers with lengths, control messages. */

#include <stdbool.h>
#include <stdint.h>

#include "base/taddr.h"

struct value;
struct walk;

/**
 * @count struct iovec at @address. With @follow, their buffers as far as @total bytes reach,
 * else the buffers' addresses. An ADDRESS if the first is unreadable. @fd is the socket
 * they are sent or received by, or -1.
 */
struct value *msg_iovec(
	struct walk *walk, taddr address, uint64_t count, bool follow, uint64_t total, int fd);
/** @length bytes of control messages at @address; an ADDRESS if unreadable. */
struct value *msg_control(struct walk *walk, taddr address, uint64_t length);

#endif
