// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_DECODE_VALUE_H
#define SRC_DECODE_VALUE_H

/**
 * What a decoder returns: a tree of values. A node keeps the number and the name,
 * the bytes and the length; how it is written (quoting, abbreviation, braces) is
 * the output's business. Nodes live in their call's arena and are never freed
 * singly. Texts in nodes point into the tables or the arena.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "schema/type.h"

struct arena;

enum value_kind {
	/** @number in @radix, @size bytes wide. */
	VALUE_NUMBER,
	/** @number called @name; without a name, @unknown says of what kind it is. */
	VALUE_NAMED,
	/** @number as or-ed children (NAMED); a child NUMBER holds bits without a name. */
	VALUE_FLAGS,
	/** An address that was not or could not be followed; 0 is NULL. */
	VALUE_ADDRESS,
	/** @bytes, @length; @truncated when the tracee had more. */
	VALUE_BYTES,
	/** Members in order, each with a @label. */
	VALUE_STRUCT,
	/** Elements. */
	VALUE_ARRAY,
	/** A set of names (signals, cpus, descriptors); @inverted: all but these. */
	VALUE_BITSET,
	/**
	 * @name applied to the children: makedev(8, 1), htons(80), inet_addr("…"). What it is
	 * made from is @number of @size bytes, or @bytes, unless both are 0.
	 */
	VALUE_CALL,
	/** Two children: before and after the call. */
	VALUE_CHANGE,
	/** The child is what stands at address @number; text puts scalars in [ ]. */
	VALUE_REF,
	/** Unknown, because the call did not come back: `?`. */
	VALUE_NONE,
};

enum value_note_kind {
	/** The path a descriptor refers to. */
	NOTE_PATH,
	/** The file behind the descriptor was deleted. */
	NOTE_DELETED,
	/** Behind the descriptor; @detail: `type` of the device, `major`, `minor`, `terminal`. */
	NOTE_DEVICE,
	/** @detail: `protocol`, `inode`, and what is known of its ends. */
	NOTE_SOCKET,
	/** @detail: members as the kernel calls them. */
	NOTE_EVENTFD,
	/** @detail: the set. */
	NOTE_SIGNALFD,
	/** @detail: the process id. */
	NOTE_PIDFD,
	/** A command name. */
	NOTE_COMM,
	/** Words for the reader. */
	NOTE_COMMENT,
};

/** Something known about a value that is not part of it. */
struct value_note {
	enum value_note_kind kind;
	const uint8_t *bytes;
	size_t length;
	/** NULL where @bytes say it all. */
	const struct value *detail;
	const struct value_note *next;
};

struct value {
	enum value_kind kind;
	enum type_radix radix;
	enum type_role role;
	/** Bytes the number has in memory or register. */
	uint8_t size;

	/**
	 * BYTES: the tracee had more than @length bytes. ARRAY: more elements follow.
	 * STRUCT: verbose-only members were left out.
	 */
	bool truncated;
	/** BITSET: all but these. */
	bool inverted;
	/** STRUCT member only shown when verbose. */
	bool verbose;
	/** NAMED, FLAGS: shown as a number with the names in a comment, unless -X raw. */
	bool explained;
	/** STRUCT: later members, from address @number on, could not be read. */
	bool incomplete;
	/** BYTES: as \x.. throughout. */
	bool hex_only;
	/** BYTES: a NUL-terminated string (as against counted bytes). */
	bool terminated;
	/**
	 * An argument whose memory or descriptor was looked at some time after the call: it may
	 * have been something else.
	 */
	bool late;
	/** An argument that text shows with its label: clone(child_stack=NULL, …). */
	bool named;
	/**
	 * ADDRESS, REF: @number is valid but its memory could not be read. ARRAY: the next
	 * element, at address @number, could not be read.
	 */
	bool unreadable;

	/** Name of the argument or member, NULL for elements. */
	const char *label;
	/**
	 * Numbers are kept sign- or zero-extended to 64 bits as their type says. BYTES without
	 * a label in a STRUCT, which stand behind the members known: their offset in it.
	 */
	uint64_t number;
	/** See the kinds; BYTES: what stands before the quotes (@ of abstract sockets), or NULL. */
	const char *name;
	const char *unknown;
	const uint8_t *bytes;
	/** Also: bytes of a ROLE_REGION, last of a ROLE_FD_RANGE, how many of a ROLE_RING_SLOT. */
	size_t length;
	/** ROLE_PATH: the directory descriptor it is relative to (AT_FDCWD where there is none). */
	int dirfd;
	/** ROLE_PATH: as their types say: see struct type. */
	bool nofollow, rooted, program;
	uint8_t beside;

	struct value *first;
	struct value *next;
	const struct value_note *notes;
};

#define value_for_each(child, parent)                                                              \
	for (const struct value *child = (parent)->first; child; child = child->next)

/** A zeroed node. */
struct value *value_create(struct arena *arena, enum value_kind kind);
struct value *value_number(
	struct arena *arena, uint64_t number, enum type_radix radix, unsigned size);
struct value *value_named(struct arena *arena, uint64_t number, const char *name);
struct value *value_address(struct arena *arena, uint64_t address, bool unreadable);
/** @bytes is copied to the arena. */
struct value *value_bytes(struct arena *arena, const void *bytes, size_t length, bool truncated);
/** Appends @child to @parent; *@last (NULL at first) remembers the end. */
void value_append(struct value *parent, struct value **last, struct value *child);
/** Adds a note with a copy of @bytes. */
void value_add_note(struct arena *arena, struct value *value, enum value_note_kind kind,
	const void *bytes, size_t length);
/** Adds a note that is a value. */
void value_add_detail(struct arena *arena, struct value *value, enum value_note_kind kind,
	const struct value *detail);
/** The note of this kind; NULL if there is none. */
static inline const struct value_note *value_find_note(
	const struct value *value, enum value_note_kind kind)
{
	const struct value_note *note = value->notes;

	while (note && note->kind != kind)
		note = note->next;
	return note;
}

/** Same kinds, numbers, bytes and children: nothing changed between entry and exit. */
bool value_equal(const struct value *a, const struct value *b);

#endif
