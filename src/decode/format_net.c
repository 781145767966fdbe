// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "base/arena.h"
#include "base/buf.h"
#include "decode/fetch.h"
#include "decode/format.h"
#include "decode/scalar.h"
#include "decode/value.h"
#include "decode/walk.h"
#include "schema/type.h"

static struct value *text_value(struct walk *walk, const char *text)
{
	return value_bytes(walk->arena, text, strlen(text), false);
}

struct value *format_inet(struct walk *walk, const struct type *type, const struct place *place,
	const uint64_t args[FORMAT_ARGS_MAX])
{
	char text[INET_ADDRSTRLEN];
	const uint8_t *data = fetch_bytes(walk, place, 4);
	struct value *value;
	struct value *last = NULL;

	(void)type;
	(void)args;
	if (!data)
		return NULL;
	inet_ntop(AF_INET, data, text, sizeof(text));
	value = value_create(walk->arena, VALUE_CALL);
	value->name = "inet_addr";
	value->bytes = data;
	value->length = 4;
	value_append(value, &last, text_value(walk, text));
	return value;
}

// A struct of one member without a label, for those who flatten it.
struct value *format_inet6_group(struct walk *walk, const struct type *type,
	const struct place *place, const uint64_t args[FORMAT_ARGS_MAX])
{
	char text[INET6_ADDRSTRLEN];
	const uint8_t *data = fetch_bytes(walk, place, 16);
	struct value *record;
	struct value *call;
	struct value *last = NULL;

	(void)type;
	(void)args;
	if (!data)
		return NULL;
	inet_ntop(AF_INET6, data, text, sizeof(text));
	call = value_create(walk->arena, VALUE_CALL);
	call->name = "inet_pton";
	value_append(call, &last, value_named(walk->arena, AF_INET6, "AF_INET6"));
	value_append(call, &last, text_value(walk, text));
	value_append(call, &last, value_named(walk->arena, 0, "&ipv6mr_multiaddr"));
	record = value_create(walk->arena, VALUE_STRUCT);
	last = NULL;
	value_append(record, &last, call);
	return record;
}

struct value *format_htons(struct walk *walk, const struct type *type, const struct place *place,
	const uint64_t args[FORMAT_ARGS_MAX])
{
	const struct type *host = type->target;
	struct value *last = NULL;
	struct value *value;
	uint64_t number;
	bool swaps;

	(void)args;
	if (!host || !fetch_number(walk, place, host->size[walk->abi], false, false, &number))
		return NULL;
	// What does not fit in 16 bits was never in the order of the network.
	swaps = number <= UINT16_MAX;
	if (swaps)
		number = ntohs((uint16_t)number);
	value = host->set ? scalar_named(walk, host, host->set, number)
			  : value_number(walk->arena, number, RADIX_UNSIGNED, 2);
	if (!swaps)
		return value;
	struct value *call = value_create(walk->arena, VALUE_CALL);

	call->name = "htons";
	call->bytes = arena_copy(walk->arena, (uint8_t[]){number >> 8 & 0xff, number & 0xff}, 2);
	call->length = 2;
	value_append(call, &last, value);
	return call;
}

struct value *format_mac(struct walk *walk, const struct type *type, const struct place *place,
	const uint64_t args[FORMAT_ARGS_MAX])
{
	enum { ADDRESS_MAX = 32 };
	size_t length = args[0] < ADDRESS_MAX ? (size_t)args[0] : ADDRESS_MAX;
	const uint8_t *data = fetch_bytes(walk, place, length);
	struct buf text = {0};
	struct value *value;

	(void)type;
	if (!data)
		return NULL;
	for (size_t i = 0; i < length; i++)
		buf_printf(&text, i ? ":%02x" : "%02x", data[i]);
	value = value_named(walk->arena, 0, arena_printf(walk->arena, "%s", buf_text(&text)));
	buf_deinit(&text);
	return value;
}
