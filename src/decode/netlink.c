// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "decode/netlink.h"

#include "decode/aggregate.h"
#include "decode/decoder.h"
#include "decode/eval.h"
#include "decode/scalar.h"
#include "decode/sequence.h"
#include "decode/value.h"
#include "decode/walk.h"
#include "proc/view.h"
#include "schema/lookup.h"
#include "schema/type.h"

enum {
	/** Sizes of struct nlmsghdr and struct nlattr (linux/netlink.h); both are padded to 4. */
	MESSAGE_HEADER = 16,
	ATTR_HEADER = 4,
	ALIGNMENT = 4,
	/** Of one packet; the kernel puts no more than 32 KiB in one. */
	PACKET_MAX = 256 * 1024,
	NLA_F_NESTED = 1 << 15,
	NLA_F_NET_BYTEORDER = 1 << 14,
	NLA_TYPE_MASK = 0x3fff,
};

static uint64_t padded(uint64_t length)
{
	return (length + ALIGNMENT - 1) & ~(uint64_t)(ALIGNMENT - 1);
}

// All bytes there are, for what is not understood.
static struct value *raw_bytes(struct walk *walk, const struct place *place, uint64_t length)
{
	size_t limit = walk->options->string_limit;
	size_t shown = (size_t)(length < limit ? length : limit);
	const uint8_t *data = fetch_bytes(walk, place, shown);
	struct value *value;

	if (!data)
		return NULL;
	value = value_bytes(walk->arena, data, shown, length > shown);
	value->hex_only = true;
	return value;
}

// Messages and attributes stand alone, or in a list if there is more than one of them.
static struct value *one_or_list(struct value *list)
{
	return list->first && !list->first->next && !list->truncated ? list->first : list;
}

/** Something that starts with its length, among others of its kind. */
struct item {
	struct place place;
	/** What its header says, and how much of that is there. */
	uint64_t length, room;
};

// The next of @left bytes at @place; false if there is not even its header.
static bool next_item(struct walk *walk, const struct place *place, uint64_t left, unsigned header,
	struct item *ret)
{
	uint64_t length;

	if (left < header ||
		!fetch_number(walk, place, header == ATTR_HEADER ? 2 : 4, false, false, &length))
		return false;
	*ret = (struct item){*place, length, length < left ? length : left};
	return true;
}

static struct value *message_value(struct walk *walk, const struct item *item)
{
	const struct place *place = &item->place;
	const struct type *type = netlink_message();
	struct place kind = place_offset(place, 4), flags = place_offset(place, 6);
	struct scope outer = walk->scope;
	uint64_t room = walk->room;
	uint64_t params[3] = {(uint64_t)walk->netlink_protocol};
	struct value *value;

	if (!fetch_number(walk, &kind, 2, false, false, &params[1]) ||
		!fetch_number(walk, &flags, 2, false, false, &params[2]))
		return NULL;
	walk->scope = (struct scope){.params = params, .param_count = 3};
	walk->room = item->room < MESSAGE_HEADER ? MESSAGE_HEADER : item->room;
	value = walk_type(walk, type, place);
	walk->room = room;
	walk->scope = outer;
	return value;
}

struct value *netlink_messages(struct walk *walk, const struct place *place)
{
	struct value *list = value_create(walk->arena, VALUE_ARRAY);
	struct value *last = NULL, *child;
	struct place at = *place;
	uint64_t left = walk->room, shown = sequence_limit(walk);
	struct item item;

	if (left == UINT64_MAX || !netlink_message())
		return NULL;
	for (; next_item(walk, &at, left, MESSAGE_HEADER, &item); shown--) {
		uint64_t step = padded(item.room);

		if (shown == 0) {
			list->truncated = true;
			return list;
		}
		child = message_value(walk, &item);
		if (!child)
			break;
		value_append(list, &last, child);
		if (item.length < MESSAGE_HEADER || step >= left) {
			left = 0;
			break;
		}
		left -= step;
		at = place_offset(&at, step);
	}
	if (!list->first)
		return NULL;
	child = left ? raw_bytes(walk, &at, left) : NULL;
	if (child)
		value_append(list, &last, child);
	return one_or_list(list);
}

struct value *netlink_packet(struct walk *walk, int fd, const struct place *place, uint64_t length)
{
	uint64_t room = walk->room;
	uint64_t first;
	const uint8_t *data;
	struct place packet;
	struct value *value;

	// Most of what is sent to other sockets does not look like it: they are not asked for.
	if (fd < 0 || length < MESSAGE_HEADER || length > PACKET_MAX || place->address == 0 ||
		!fetch_number(walk, place, 4, false, false, &first) || first > PACKET_MAX)
		return NULL;
	walk->netlink_protocol = view_netlink_protocol(walk->view, fd);
	if (walk->netlink_protocol < 0)
		return NULL;
	data = fetch_bytes(walk, place, (size_t)length);
	if (!data)
		return NULL;
	packet = place_fetched(place->address, data, (size_t)length);
	walk->room = length;
	value = netlink_messages(walk, &packet);
	walk->room = room;
	return value;
}

// nla_type: flags, and what the set calls the rest.
static struct value *attr_type(struct walk *walk, const struct type *type, uint64_t number)
{
	static const struct {
		uint64_t bit;
		const char *name;
	} flags[] = {{NLA_F_NESTED, "NLA_F_NESTED"}, {NLA_F_NET_BYTEORDER, "NLA_F_NET_BYTEORDER"}};
	const struct type named = {.kind = TYPE_SET, .size = {2, 2}, .radix = RADIX_HEX};
	uint64_t rest = number & NLA_TYPE_MASK;
	struct value *value, *last = NULL, *kind;

	kind = type->set ? scalar_named(walk, &named, type->set, rest)
			 : value_number(walk->arena, rest, RADIX_UNSIGNED, 2);
	if (rest == number)
		return kind;
	value = value_create(walk->arena, VALUE_FLAGS);
	value->number = number;
	value->size = 2;
	for (unsigned i = 0; i < 2; i++) {
		if (number & flags[i].bit)
			value_append(value, &last,
				value_named(walk->arena, flags[i].bit, flags[i].name));
	}
	value_append(value, &last, kind);
	return value;
}

static const struct type *attr_content(struct walk *walk, const struct type *type, uint64_t number)
{
	for (unsigned i = 0; i < type->case_count; i++) {
		const struct select_case *each = &type->cases[i];

		if (each->value[walk->abi] == (number & NLA_TYPE_MASK) &&
			!(each->lacking >> walk->abi & 1) &&
			(!each->condition || eval(walk, each->condition)))
			return each->type;
	}
	return type->otherwise;
}

// What an attribute holds; walk->room is how much.
static struct value *attr_payload(
	struct walk *walk, const struct type *content, const struct place *place)
{
	uint64_t size = content ? content->size[walk->abi] : 0;
	struct value *value = NULL;

	if (content && size <= walk->room)
		value = walk_type(walk, content, place);
	return value ? value : raw_bytes(walk, place, walk->room);
}

static struct value *attr_value(struct walk *walk, const struct type *type, const struct item *item)
{
	struct value *header = value_create(walk->arena, VALUE_STRUCT);
	struct value *pair = value_create(walk->arena, VALUE_ARRAY);
	struct value *last = NULL, *payload;
	struct place place = place_offset(&item->place, 2);
	uint64_t room = walk->room;
	uint64_t number;

	if (!fetch_number(walk, &place, 2, false, false, &number))
		return NULL;
	aggregate_add(header, &last, "nla_len",
		value_number(walk->arena, item->length, RADIX_UNSIGNED, 2));
	aggregate_add(header, &last, "nla_type", attr_type(walk, type, number));
	if (item->room <= ATTR_HEADER)
		return header;
	place = place_offset(&item->place, ATTR_HEADER);
	walk->room = item->room - ATTR_HEADER;
	payload = attr_payload(walk, attr_content(walk, type, number), &place);
	walk->room = room;
	last = NULL;
	value_append(pair, &last, header);
	if (payload)
		value_append(pair, &last, payload);
	return pair;
}

struct value *netlink_attrs(struct walk *walk, const struct type *type, const struct place *place)
{
	struct value *list = value_create(walk->arena, VALUE_ARRAY);
	struct value *last = NULL, *child;
	struct place at = *place;
	uint64_t left = walk->room, shown = sequence_limit(walk);
	struct item item;

	if (left == UINT64_MAX)
		return NULL;
	for (; next_item(walk, &at, left, ATTR_HEADER, &item); shown--) {
		uint64_t step = padded(item.room);

		if (shown == 0) {
			list->truncated = true;
			return list;
		}
		child = walk->nodes_left ? attr_value(walk, type, &item) : NULL;
		if (!child)
			break;
		walk->nodes_left--;
		value_append(list, &last, child);
		if (item.length < ATTR_HEADER || step >= left) {
			left = 0;
			break;
		}
		left -= step;
		at = place_offset(&at, step);
	}
	child = left ? raw_bytes(walk, &at, left) : NULL;
	if (child)
		value_append(list, &last, child);
	return list->first ? one_or_list(list) : NULL;
}
