// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "base/bits.h"
#include "decode/aggregate.h"
#include "decode/annotate.h"
#include "decode/fetch.h"
#include "decode/hook.h"
#include "decode/msg.h"
#include "decode/scalar.h"
#include "decode/sequence.h"
#include "decode/value.h"
#include "decode/walk.h"
#include "schema/lookup.h"

enum {
	/** More than the kernel's default of optmem_max. */
	CONTROL_MAX = 128 * 1024,
	// Names that older headers lack or spell for the 64-bit form.
	TIMESTAMP = 29,
	TIMESTAMP_NS = 35,
	SECURITY = 3,
};

/** The data of one control message. */
struct payload {
	taddr address;
	const uint8_t *data;
	size_t length;
};

static uint64_t number_at(const struct payload *payload, size_t offset, unsigned size)
{
	return bytes_to_number(payload->data + offset, size, true, false);
}

static struct value *int_value(struct walk *walk, uint64_t number)
{
	return value_number(walk->arena, number, RADIX_SIGNED, 4);
}

static struct value *descriptors(struct walk *walk, const struct payload *payload)
{
	struct value *array = value_create(walk->arena, VALUE_ARRAY);
	struct value *last = NULL;
	uint64_t shown = sequence_limit(walk);

	for (size_t i = 0; i < payload->length / 4; i++) {
		struct value *fd;

		if (i == shown) {
			array->truncated = true;
			break;
		}
		fd = int_value(walk, number_at(payload, 4 * i, 4));
		fd->role = ROLE_FD;
		annotate_fd(walk, fd);
		value_append(array, &last, fd);
	}
	return array;
}

static struct value *credentials(struct walk *walk, const struct payload *payload)
{
	static const char *const labels[] = {"pid", "uid", "gid"};
	static const enum type_role roles[] = {ROLE_TGID, ROLE_UID, ROLE_GID};
	struct value *value = value_create(walk->arena, VALUE_STRUCT);
	struct value *last = NULL;

	if (payload->length < 12)
		return NULL;
	for (unsigned i = 0; i < 3; i++) {
		struct value *id = int_value(walk, number_at(payload, 4 * i, 4));

		id->role = roles[i];
		if (roles[i] == ROLE_TGID)
			annotate_pid(walk, id);
		if (i > 0 && id->number != UINT64_MAX)
			id->radix = RADIX_UNSIGNED;
		aggregate_add(value, &last, labels[i], id);
	}
	return value;
}

static struct value *timestamp(
	struct walk *walk, const struct payload *payload, const char *fraction)
{
	unsigned word = walk->word;
	struct value *value = value_create(walk->arena, VALUE_STRUCT);
	struct value *last = NULL;

	if (payload->length < 2 * (size_t)word)
		return NULL;
	aggregate_add(value, &last, "tv_sec",
		value_number(walk->arena, number_at(payload, 0, word), RADIX_SIGNED, word));
	aggregate_add(value, &last, fraction,
		value_number(walk->arena, number_at(payload, word, word), RADIX_SIGNED, word));
	return value;
}

static struct value *one_int(
	struct walk *walk, const struct payload *payload, enum type_radix radix)
{
	struct value *array = value_create(walk->arena, VALUE_ARRAY);
	struct value *last = NULL;
	unsigned size = payload->length >= 4 ? 4 : 1;

	if (payload->length == 0)
		return NULL;
	value_append(
		array, &last, value_number(walk->arena, number_at(payload, 0, size), radix, size));
	return array;
}

static struct value *inet_address(struct walk *walk, const uint8_t *data)
{
	char text[INET_ADDRSTRLEN];
	struct value *value = value_create(walk->arena, VALUE_CALL);

	inet_ntop(AF_INET, data, text, sizeof(text));
	value->name = "inet_addr";
	value->first = value_bytes(walk->arena, text, strlen(text), false);
	return value;
}

static struct value *packet_info(struct walk *walk, const struct payload *payload)
{
	struct value *value = value_create(walk->arena, VALUE_STRUCT);
	struct value *last = NULL;

	if (payload->length < 12)
		return NULL;
	aggregate_add(value, &last, "ipi_ifindex", int_value(walk, number_at(payload, 0, 4)));
	aggregate_add(value, &last, "ipi_spec_dst", inet_address(walk, payload->data + 4));
	aggregate_add(value, &last, "ipi_addr", inet_address(walk, payload->data + 8));
	return value;
}

// NULL if the data is of a kind we do not know, or too short for it.
static struct value *payload_value(
	struct walk *walk, int level, int type, const struct payload *payload)
{
	if (level == SOL_SOCKET) {
		switch (type) {
		case SCM_RIGHTS:
			return descriptors(walk, payload);
		case SCM_CREDENTIALS:
			return credentials(walk, payload);
		case SECURITY:
			return value_bytes(walk->arena, payload->data, payload->length, false);
		case TIMESTAMP:
			return timestamp(walk, payload, "tv_usec");
		case TIMESTAMP_NS:
			return timestamp(walk, payload, "tv_nsec");
		}
	} else if (level == SOL_IP) {
		switch (type) {
		case IP_PKTINFO:
			return packet_info(walk, payload);
		case IP_TTL:
			return one_int(walk, payload, RADIX_SIGNED);
		case IP_TOS:
			return one_int(walk, payload, RADIX_HEX);
		}
	}
	return NULL;
}

static struct value *level_value(struct walk *walk, int level)
{
	struct value *value = scalar_in_set(walk, "socket_level", (uint32_t)level, 4);

	// The set is that of options, where strace asks with one mark less.
	if (value->unknown)
		value->unknown = "SOL_???";
	return value;
}

static struct value *type_value(struct walk *walk, int level, uint64_t type)
{
	switch (level) {
	case SOL_SOCKET:
		return scalar_in_set(walk, "scm_type", type, 4);
	case SOL_IP:
		return scalar_in_set(walk, "ip_message_type", type, 4);
	case SOL_IPV6:
		return scalar_in_set(walk, "sockopt_ipv6", type, 4);
	default:
		return value_number(walk->arena, type, RADIX_HEX, 4);
	}
}

static struct value *message_value(
	struct walk *walk, const uint8_t *data, uint64_t length, const struct payload *payload)
{
	unsigned word = walk->word;
	int level = (int)bytes_to_number(data + word, 4, true, false);
	uint64_t type = bytes_to_number(data + word + 4, 4, false, false);
	struct value *value = value_create(walk->arena, VALUE_STRUCT);
	struct value *last = NULL;
	struct value *shown = NULL;

	aggregate_add(
		value, &last, "cmsg_len", value_number(walk->arena, length, RADIX_UNSIGNED, word));
	aggregate_add(value, &last, "cmsg_level", level_value(walk, level));
	aggregate_add(value, &last, "cmsg_type", type_value(walk, level, type));
	if (length > word + 8)
		shown = payload_value(walk, level, (int)type, payload);
	if (shown)
		aggregate_add(value, &last, "cmsg_data", shown);
	return value;
}

// One message after the other, as the CMSG_ macros walk them.
static struct value *messages_value(
	struct walk *walk, taddr address, const uint8_t *data, size_t length)
{
	size_t header = walk->word + 8;
	struct value *array = value_create(walk->arena, VALUE_ARRAY);
	struct value *last = NULL;
	uint64_t shown = sequence_limit(walk);

	for (size_t at = 0; length - at >= header;) {
		uint64_t own = bytes_to_number(data + at, walk->word, false, false);
		size_t held = own < length - at ? (size_t)own : length - at;
		struct payload payload = {address + at + header, data + at + header, 0};

		if (shown-- == 0) {
			array->truncated = true;
			break;
		}
		if (held > header)
			payload.length = held - header;
		value_append(array, &last, message_value(walk, data + at, own, &payload));
		if (own < header) {
			array->unreadable = true;
			array->number = address + at;
			break;
		}
		held = align_up(held, walk->word);
		if (held >= length - at)
			break;
		at += held;
	}
	return array;
}

struct value *msg_control(struct walk *walk, taddr address, uint64_t length)
{
	struct place place = place_memory(address);
	size_t size = length < CONTROL_MAX ? (size_t)length : CONTROL_MAX;
	const uint8_t *data = address ? fetch_bytes(walk, &place, size) : NULL;

	if (!data || size < walk->word + 8u)
		return value_address(walk->arena, address, address && !data);
	return messages_value(walk, address, data, size);
}

struct value *hook_cmsg(struct walk *walk, const struct type *type, const struct place *place,
	const uint64_t args[HOOK_ARGS_MAX])
{
	(void)type;
	return msg_control(walk, place->address, args[0]);
}
