// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <arpa/inet.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "base/arena.h"
#include "decode/aggregate.h"
#include "decode/fetch.h"
#include "decode/hook.h"
#include "decode/scalar.h"
#include "decode/value.h"
#include "decode/walk.h"

enum {
	/** sizeof(struct sockaddr_storage): the kernel takes no more. */
	SOCKADDR_MAX = 128,
	FAMILY_SIZE = 2,
};

/** An address being taken apart. */
struct address {
	struct walk *walk;
	/** Zeroes behind @length. */
	uint8_t data[SOCKADDR_MAX];
	size_t length;
	struct value *value;
	struct value *last;
};

static void add(struct address *address, const char *label, struct value *child)
{
	aggregate_add(address->value, &address->last, label, child);
}

static uint64_t number_at(
	const struct address *address, size_t offset, unsigned size, bool big_endian)
{
	return bytes_to_number(address->data + offset, size, false, big_endian);
}

static struct value *call_of(struct walk *walk, const char *name, struct value *child)
{
	struct value *value = value_create(walk->arena, VALUE_CALL);

	value->name = name;
	value->number = child->number;
	value->first = child;
	return value;
}

static void made_from(
	const struct address *address, struct value *call, size_t offset, size_t length)
{
	call->bytes = arena_copy(address->walk->arena, address->data + offset, length);
	call->length = length;
}

static void add_rest(struct address *address)
{
	if (address->length > FAMILY_SIZE)
		add(address, "sa_data",
			value_bytes(address->walk->arena, address->data + FAMILY_SIZE,
				address->length - FAMILY_SIZE, false));
}

static void add_unix(struct address *address)
{
	struct value *value;
	size_t most = address->length - FAMILY_SIZE;
	const uint8_t *path = address->data + FAMILY_SIZE;

	if (most == 0)
		return;
	if (most > sizeof(((struct sockaddr_un *)NULL)->sun_path))
		most = sizeof(((struct sockaddr_un *)NULL)->sun_path);
	if (path[0]) {
		value = value_bytes(
			address->walk->arena, path, strnlen((const char *)path, most), false);
		value->role = ROLE_PATH;
		value->dirfd = AT_FDCWD;
	} else {
		value = value_bytes(address->walk->arena, path + 1, most - 1, false);
		value->name = "@";
	}
	add(address, "sun_path", value);
}

static void add_port(struct address *address, const char *label, size_t offset)
{
	struct walk *walk = address->walk;
	uint64_t port = number_at(address, offset, 2, true);

	struct value *value =
		call_of(walk, "htons", value_number(walk->arena, port, RADIX_UNSIGNED, 2));

	made_from(address, value, offset, 2);
	add(address, label, value);
}

static void add_inet(struct address *address)
{
	char text[INET_ADDRSTRLEN];
	struct arena *arena = address->walk->arena;
	struct value *bytes;

	if (address->length < 16) {
		add_rest(address);
		return;
	}
	add_port(address, "sin_port", 2);
	inet_ntop(AF_INET, address->data + 4, text, sizeof(text));
	bytes = value_bytes(arena, text, strlen(text), false);
	bytes->number = number_at(address, 4, 4, true);
	bytes = call_of(address->walk, "inet_addr", bytes);
	made_from(address, bytes, 4, 4);
	add(address, "sin_addr", bytes);
}

static struct value *inet6_value(struct address *address, size_t offset)
{
	char text[INET6_ADDRSTRLEN];
	struct arena *arena = address->walk->arena;
	struct value *value = value_create(arena, VALUE_CALL);
	struct value *last = NULL;

	inet_ntop(AF_INET6, address->data + offset, text, sizeof(text));
	value->name = "inet_pton";
	value_append(value, &last, value_named(arena, AF_INET6, "AF_INET6"));
	value_append(value, &last, value_bytes(arena, text, strlen(text), false));
	value_append(value, &last, value_named(arena, 0, "&sin6_addr"));
	return value;
}

static void add_inet6(struct address *address)
{
	struct arena *arena = address->walk->arena;
	uint64_t flow = number_at(address, 4, 4, true);

	if (address->length < 24) {
		add_rest(address);
		return;
	}
	add_port(address, "sin6_port", 2);
	add(address, "sin6_flowinfo",
		call_of(address->walk, "htonl", value_number(arena, flow, RADIX_UNSIGNED, 4)));
	add(address, NULL, inet6_value(address, 8));
	// The scope came with a later kernel: addresses may end before it.
	if (address->length > 24)
		add(address, "sin6_scope_id",
			value_number(arena, number_at(address, 24, 4, false), RADIX_UNSIGNED, 4));
}

static void add_netlink(struct address *address)
{
	struct arena *arena = address->walk->arena;
	uint64_t groups = number_at(address, 8, 4, false);
	struct value *value;

	if (address->length < 12) {
		add_rest(address);
		return;
	}
	if (number_at(address, 2, 2, false))
		add(address, "nl_pad",
			value_number(arena, number_at(address, 2, 2, false), RADIX_HEX, 2));
	add(address, "nl_pid",
		value_number(arena, number_at(address, 4, 4, false), RADIX_SIGNED, 4));
	// Eight characters with the 0x, which zero does not have.
	value = value_named(arena, groups, arena_printf(arena, "%#08x", (unsigned)groups));
	value->size = 4;
	add(address, "nl_groups", value);
}

static void add_packet(struct address *address)
{
	struct walk *walk = address->walk;
	struct value *bytes = value_create(walk->arena, VALUE_ARRAY);
	struct value *last = NULL;
	unsigned count = address->data[11];

	if (address->length < 20) {
		add_rest(address);
		return;
	}
	add(address, "sll_protocol",
		call_of(walk, "htons",
			scalar_in_set(walk, "ether_type", number_at(address, 2, 2, true), 2)));
	add(address, "sll_ifindex",
		value_number(walk->arena, number_at(address, 4, 4, false), RADIX_UNSIGNED, 4));
	add(address, "sll_hatype",
		scalar_in_set(walk, "arp_hardware", number_at(address, 8, 2, false), 2));
	add(address, "sll_pkttype", scalar_in_set(walk, "packet_type", address->data[10], 1));
	add(address, "sll_halen", value_number(walk->arena, count, RADIX_UNSIGNED, 1));
	for (unsigned i = 0; i < count && i < 8; i++)
		value_append(bytes, &last,
			value_number(walk->arena, address->data[12 + i], RADIX_HEX, 1));
	bytes->truncated = count > 8;
	add(address, "sll_addr", bytes);
}

static void add_family(struct address *address, unsigned family)
{
	switch (family) {
	case AF_UNIX:
		add_unix(address);
		break;
	case AF_INET:
		add_inet(address);
		break;
	case AF_INET6:
		add_inet6(address);
		break;
	case AF_NETLINK:
		add_netlink(address);
		break;
	case AF_PACKET:
		add_packet(address);
		break;
	default:
		add_rest(address);
		break;
	}
}

struct value *hook_sockaddr(struct walk *walk, const struct type *type, const struct place *place,
	const uint64_t args[HOOK_ARGS_MAX])
{
	// The kernel takes the length for an int.
	int length = (int)args[0];
	struct address address = {.walk = walk};
	const uint8_t *data;
	unsigned family;

	(void)type;
	if (length < FAMILY_SIZE)
		return value_address(walk->arena, place->address, false);
	address.length = length > SOCKADDR_MAX ? SOCKADDR_MAX : (size_t)length;
	data = fetch_bytes(walk, place, address.length);
	if (!data)
		return NULL;
	memcpy(address.data, data, address.length);
	address.value = value_create(walk->arena, VALUE_STRUCT);
	family = (unsigned)number_at(&address, 0, FAMILY_SIZE, false);
	add(&address, "sa_family", scalar_in_set(walk, "address_family", family, FAMILY_SIZE));
	add_family(&address, family);
	return address.value;
}
