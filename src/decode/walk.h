// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_DECODE_WALK_H
#define SRC_DECODE_WALK_H

/**
 * One pass over the types of a call, at entry or at exit: the state all kinds of
 * types share, and the way from a type to the function that knows its kind.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decode/fetch.h"
#include "schema/abi_id.h"

struct arena;
struct call;
struct decode_options;
struct type;
struct value;
struct view;

enum {
	/** Limits of one pass, so that no tracee can keep us busy or fill our memory. */
	WALK_BYTES_MAX = 16 * 1024 * 1024,
	WALK_NODES_MAX = 64 * 1024,
	WALK_DEPTH_MAX = 32,
	WALK_ARGS_MAX = 8,
};

/** What names in expressions refer to. */
struct scope {
	const uint64_t *params;
	unsigned param_count;
	/** The struct whose members are being decoded; NULL outside of one. */
	const struct type *record;
	struct place place;
};

struct walk {
	struct call *call;
	/** The call's. */
	struct arena *arena;
	const struct decode_options *options;
	struct view *view;
	enum abi_id abi;
	/** Bytes of an address. */
	unsigned word;
	/** Bytes of the kernel's own long, and of a register. */
	unsigned kernel_word, register_size;
	bool at_exit;
	/** Verbose-only members and whole arrays are wanted. */
	bool verbose;
	/** While the argument is decoded whose bytes are kept (call->data): what it points to. */
	const struct type *data;
	/** Lists of buffers met in it. */
	unsigned data_lists;
	/** At exit: the call had no success. */
	bool failed;
	/** The result, at exit. */
	uint64_t ret;
	/** Arguments of the signature, cut to their types. */
	uint64_t args[WALK_ARGS_MAX];
	/** At exit: the values of entry, by argument of the signature; NULL if not shown. */
	struct value *entry[WALK_ARGS_MAX];

	/** Set when something had to wait for the exit; and wants it even if the call fails. */
	bool pending, pending_failed;
	/** At exit: the value this argument had at entry, until a pointer takes it. */
	struct value *before;

	struct scope scope;
	/** Bytes from here to the end of the message or attribute; UINT64_MAX outside of one. */
	uint64_t room;
	/** Of the socket whose messages are being decoded. */
	int netlink_protocol;
	size_t bytes_left;
	unsigned nodes_left;
	unsigned depth;
};

/** The value of @type at @place; NULL when memory could not be read. */
struct value *walk_type(struct walk *walk, const struct type *type, const struct place *place);
/** As walk_type(), but what could not be read becomes the address where it is. */
struct value *walk_type_or_address(
	struct walk *walk, const struct type *type, const struct place *place);
/** Takes the value of entry: what was at this argument's place; NULL if there is none. */
struct value *walk_take_before(struct walk *walk);

#endif
