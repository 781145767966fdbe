// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SCHEMA_TYPE_H
#define SRC_SCHEMA_TYPE_H

/**
 * Type descriptors: what the generator makes of syscalls/ and what the decoder
 * walks. Const data, no code. The language is taught in syscalls/README.md; each
 * kind below names the construct it comes from.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "schema/abi_id.h"
#include "schema/relation.h"

struct const_set;
struct type;

enum type_kind {
	/** `int`, `u16`, `hex[u32]`, `fd`: an integer; also an opaque address (`ptr`). */
	TYPE_NUMBER,
	/** `enum[set]`, `flags[set, u16]`: an integer with names. */
	TYPE_SET,
	/** `in T`, `out T`, `inout T`: an address of @target. */
	TYPE_POINTER,
	/** `string`: bytes up to a NUL, at most @length (if not NULL) of them. */
	TYPE_STRING,
	/** `bytes[n]`: @length bytes. */
	TYPE_BYTES,
	/** `struct name`: @members one after the other at their offsets. */
	TYPE_STRUCT,
	/** `array[T, n]`: @length elements of @target. */
	TYPE_ARRAY,
	/** `list[T]`: elements of @target up to one that is all zero bytes. */
	TYPE_LIST,
	/** `bits[set, n]`: a bit set of @length bytes, bit n named by value n of @set. */
	TYPE_BITS,
	/** `select[e] { A: T; B, C: U; else V }` */
	TYPE_SELECT,
	/** `name[e, …]`: @target with its parameters set to @arguments. */
	TYPE_APPLY,
	/** `date[T, e]`, `dev[T]`: @target shown as @format says, with @arguments. */
	TYPE_FORMAT,
	/** `hook[name, e, …]`: a C function builds the value. */
	TYPE_HOOK,
	/**
	 * `attrs name of set { A: T; else V }`: attributes of netlink up to where there is room;
	 * their types are named by @set, what they hold is told by @cases.
	 */
	TYPE_ATTRS,
	/** `messages`: messages of netlink, of the protocol of the one that they are in. */
	TYPE_MESSAGES,
};

enum type_radix {
	RADIX_SIGNED,
	RADIX_UNSIGNED,
	/** 0x1f, and 0 for zero. */
	RADIX_HEX,
	/** 0x001f, all digits of the size. */
	RADIX_HEX_PADDED,
	/** 0644 as a file mode: at least three digits. */
	RADIX_MODE,
	/** An address: 0x7f…, NULL for zero. */
	RADIX_ADDRESS,
};

/** What a number or text means beyond its value; the filter and `-y` go by it. */
enum type_role {
	ROLE_NONE,
	/** A file descriptor. */
	ROLE_FD,
	/** A descriptor of a directory, or AT_FDCWD. */
	ROLE_DIRFD,
	/** Text naming a file. */
	ROLE_PATH,
	/** The first of a range of file descriptors. */
	ROLE_FD_RANGE,
	/** The address of memory in which files may be mapped. */
	ROLE_REGION,
	/** A file registered with an io_uring, by its slot. From a hook, which notes its path. */
	ROLE_RING_SLOT,
	/** A process, thread, process group or session id. */
	ROLE_TGID,
	ROLE_TID,
	ROLE_PGID,
	ROLE_SID,
	/** A process id, or minus a process group id. */
	ROLE_PID_OR_GROUP,
	/** Ids that show -1 as -1 though unsigned. */
	ROLE_UID,
	ROLE_GID,
	/** Text that is a password or binary by nature: never shown as a name of something. */
	ROLE_DATA,
};

/** How a number or a few bytes are shown; syscalls/README.md tells each. */
enum type_format {
	FORMAT_DEV,
	FORMAT_DATE,
	FORMAT_COMMENT,
	FORMAT_TICKS,
	FORMAT_DURATION,
	FORMAT_SCALED,
	FORMAT_MULTIPLE,
	FORMAT_HALVES,
	FORMAT_HTONS,
	FORMAT_INET,
	FORMAT_INET6_GROUP,
	FORMAT_MAC,
	FORMAT_TERMIOS_CC,
	/** @target in memory, at the address that is the first argument; absent if that is 0. */
	FORMAT_AT,
	/** A number packed as @target, a struct: its name, applied to its members. */
	FORMAT_MACRO,
	/** @target, a set: always the number, with the names in a comment. */
	FORMAT_EXPLAINED,
};

enum type_direction {
	/** Read at entry. */
	DIRECTION_IN,
	/** Read at exit if the call succeeded, else only the address is shown. */
	DIRECTION_OUT,
	/** Read at both; shown as `[before => after]` when it changed. */
	DIRECTION_INOUT,
};

struct member {
	const char *name;
	const struct type *type;
	/** Shown only if it is not zero; NULL means always. */
	const struct expr *condition;
	uint32_t offset[ABI_COUNT];
	/** Bit field: @bits bits starting at bit @shift of the number; 0 bits means all. */
	uint8_t shift, bits;
	/** Only shown with -v; without it the struct ends in "...". */
	bool verbose;
	/** Only shown if its bytes are not all zero. */
	bool nonzero;
	/** A nested struct whose members are shown as if they were ours. */
	bool flatten;
	/** Shown as a change if the call changes it. */
	bool inout;
};

struct select_case {
	/** Sorted by value[abi] is not needed: the decoder searches in order. */
	uint64_t value[ABI_COUNT];
	const struct type *type;
	/** Holds only if it is not zero; NULL: always. */
	const struct expr *condition;
	/** ABIs that have no such value, a bit 1 << abi each: it never holds there. */
	uint8_t lacking;
};

struct type {
	enum type_kind kind;
	enum type_radix radix;
	enum type_role role;
	enum type_direction direction;
	/** As the description calls it; for messages and JSON. */
	const char *name;
	/** Bytes in memory; 0 when only known at run time (STRUCT: without such a member). */
	uint32_t size[ABI_COUNT];
	/** Alignment in memory, at least 1. */
	uint8_t align[ABI_COUNT];

	bool is_signed;
	bool big_endian;
	/** BYTES: shown as hex only (`hexbytes`); ends at the first NUL, if any (`chars`). */
	bool hex_only, until_nul;
	/** STRUCT: shown as a list of its members without their names, as far as there is room. */
	bool parts;
	/** STRUCT: what of it is readable is shown, not only the whole. */
	bool piecewise;
	/** ROLE_PATH: is executed, so an interpreter named in it is opened too. */
	bool program;
	/** ROLE_PATH: index of the argument that is its dirfd, or -1 for the working directory. */
	int8_t dirfd_arg;
	/** ROLE_PATH: index plus one of the path argument it is beside, for a relative one. */
	uint8_t beside;
	uint8_t argument_count;
	/** FORMAT: enum type_format. */
	uint8_t format;
	uint16_t member_count, case_count;
	/** HOOK: enum hook_id. */
	int16_t hook;

	const struct const_set *set;
	/** POINTER, ARRAY, LIST, APPLY, FORMAT; HOOK: what it is made of, or NULL. */
	const struct type *target;
	/**
	 * STRING: most bytes; BYTES, BITS: bytes; ARRAY: elements. ROLE_REGION: bytes;
	 * ROLE_FD_RANGE: the last descriptor.
	 */
	const struct expr *length;
	/** ROLE_PATH: the member that is its dirfd instead; may be NULL. */
	const struct expr *dirfd;
	/** ROLE_PATH: a link as its last part is not followed; its dirfd is its root; or NULL. */
	const struct expr *nofollow, *rooted;
	const struct member *members;
	/** STRUCT: total size given by the caller (extensible structs); the rest is absent. */
	const struct expr *given_size;
	const struct expr *selector;
	const struct select_case *cases;
	const struct type *otherwise;
	/** APPLY, FORMAT, HOOK. */
	const struct expr *const *arguments;
};

#endif
