// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "output/text_value.h"

#include "base/buf.h"
#include "unit.h"
#include "value_tree.h"

// Expected texts are what strace 6.1 prints for such arguments.

static void expect_style(
	const struct value *value, const struct text_style *style, const char *text)
{
	struct buf buf = {0};

	text_value(&buf, value, style);
	assert_string_equal(buf_text(&buf), text);
	buf_deinit(&buf);
}

static void expect(const struct value *value, bool verbose, const char *text)
{
	expect_style(value, &(struct text_style){.verbose = verbose}, text);
}

#define EXPECT(value, text) expect(value, /* verbose= */ false, text)

static struct value *sized(struct value *value, unsigned size)
{
	value->size = (uint8_t)size;
	return value;
}

static struct value *unknown(struct value *value, const char *text)
{
	value->unknown = text;
	return value;
}

CASE(numbers)
{
	EXPECT(INT(0), "0");
	EXPECT(INT(-100), "-100");
	EXPECT(UNSIGNED(UINT64_MAX), "18446744073709551615");
	EXPECT(sized(UNSIGNED(UINT64_MAX), 4), "4294967295");
	EXPECT(HEX(0), "0");
	EXPECT(HEX(0x7f00), "0x7f00");
	EXPECT(sized(HEX(UINT64_MAX), 4), "0xffffffff");
	EXPECT(NODE(.kind = VALUE_NUMBER, .radix = RADIX_HEX_PADDED, .number = 0x1f, .size = 4),
		"0x00001f");
	EXPECT(NODE(.kind = VALUE_NUMBER, .radix = RADIX_HEX_PADDED, .size = 4), "00000000");
	EXPECT(NODE(.kind = VALUE_NUMBER, .radix = RADIX_HEX_PADDED, .number = 0xabcdef012,
		       .size = 4),
		"0xbcdef012");
	EXPECT(NODE(.kind = VALUE_NUMBER, .radix = RADIX_ADDRESS, .size = 8), "NULL");
	EXPECT(NODE(.kind = VALUE_NUMBER, .radix = RADIX_ADDRESS, .number = 4096, .size = 8),
		"0x1000");
}

CASE(modes_have_at_least_three_digits)
{
	EXPECT(MODE(0), "000");
	EXPECT(MODE(07), "007");
	EXPECT(MODE(022), "022");
	EXPECT(MODE(0644), "0644");
	EXPECT(MODE(04755), "04755");
}

CASE(only_ids_have_a_minus_one)
{
	EXPECT(NODE(.kind = VALUE_NUMBER, .radix = RADIX_UNSIGNED, .role = ROLE_UID,
		       .number = UINT32_MAX, .size = 4),
		"-1");
	EXPECT(NODE(.kind = VALUE_NUMBER, .radix = RADIX_UNSIGNED, .role = ROLE_GID,
		       .number = UINT16_MAX, .size = 2),
		"-1");
	EXPECT(NODE(.kind = VALUE_NUMBER, .radix = RADIX_UNSIGNED, .role = ROLE_UID,
		       .number = UINT16_MAX, .size = 4),
		"65535");
	EXPECT(sized(UNSIGNED(UINT32_MAX), 4), "4294967295");
}

CASE(names)
{
	EXPECT(NAMED("AT_FDCWD", (uint64_t)-100), "AT_FDCWD");
	// Without a name it is a number in the radix of its type.
	EXPECT(NODE(.kind = VALUE_NAMED, .radix = RADIX_HEX, .number = 0x63, .size = 4,
		       .unknown = "F_???"),
		"0x63 /* F_??? */");
	EXPECT(NODE(.kind = VALUE_NAMED, .radix = RADIX_HEX, .number = UINT64_MAX, .size = 4,
		       .unknown = "AF_???"),
		"0xffffffff /* AF_??? */");
	EXPECT(unknown(NAMED(NULL, (uint64_t)-2), "PRIO_???"), "-2 /* PRIO_??? */");
	// A signal number without a name is just a number.
	EXPECT(NAMED(NULL, 99), "99");
}

CASE(flags)
{
	EXPECT(FLAGS(0x241, NAMED("O_WRONLY", 1), NAMED("O_CREAT", 0x40), NAMED("O_TRUNC", 0x200)),
		"O_WRONLY|O_CREAT|O_TRUNC");
	EXPECT(unknown(FLAGS(8, NAMED("O_RDONLY", 0), HEX(8)), "O_???"), "O_RDONLY|0x8");
	EXPECT(unknown(FLAGS(0x100, HEX(0x100)), "PROT_???"), "0x100 /* PROT_??? */");
	EXPECT(FLAGS(0x63, NAMED("SOCK_RAW", 3), unknown(HEX(0x60), "SOCK_???")),
		"SOCK_RAW|0x60 /* SOCK_??? */");
	EXPECT(FLAGS(0100644, NAMED("S_IFREG", 0100000), MODE(0644)), "S_IFREG|0644");
	EXPECT(NODE(.kind = VALUE_FLAGS, .unknown = "CLONE_???"), "0");
	EXPECT(NODE(.kind = VALUE_FLAGS, .number = 16, .unknown = "CLONE_???"),
		"0x10 /* CLONE_??? */");
}

static void expect_constants(const struct value *value, const char *raw, const char *with_names)
{
	expect_style(value, &(struct text_style){.constants = TEXT_CONSTANTS_RAW}, raw);
	expect_style(value, &(struct text_style){.constants = TEXT_CONSTANTS_VERBOSE}, with_names);
}

static struct value *in_hex(struct value *value)
{
	value->radix = RADIX_HEX;
	return value;
}

// The same forms as strace -X raw and -X verbose print.
CASE(constants_as_numbers)
{
	struct value *flags = in_hex(FLAGS(
		0x241, NAMED("O_WRONLY", 1), NAMED("O_CREAT", 0x40), NAMED("O_TRUNC", 0x200)));
	struct value *in_part = in_hex(FLAGS(9, NAMED("PROT_READ", 1), HEX(8)));

	expect_constants(NAMED("AT_FDCWD", UINT64_C(-100)), "-100", "-100 /* AT_FDCWD */");
	expect_constants(in_hex(NAMED("F_GETFD", 1)), "0x1", "0x1 /* F_GETFD */");
	expect_constants(flags, "0x241", "0x241 /* O_WRONLY|O_CREAT|O_TRUNC */");
	expect_constants(in_part, "0x9", "0x9 /* PROT_READ|0x8 */");
	expect_constants(in_hex(unknown(FLAGS(0x100, HEX(0x100)), "PROT_???")), "0x100",
		"0x100 /* PROT_??? */");
	expect_constants(NODE(.kind = VALUE_FLAGS, .radix = RADIX_HEX), "0", "0");
	// Signals in a set have no other number that somebody could look for.
	expect_constants(SET(NAMED("INT", 2)), "[INT]", "[INT]");
}

CASE(addresses)
{
	EXPECT(ADDRESS(0), "NULL");
	EXPECT(ADDRESS(0x7ffc5cec52c7), "0x7ffc5cec52c7");
	EXPECT(NODE(.kind = VALUE_ADDRESS, .number = 1, .unreadable = true), "0x1");
}

CASE(bytes)
{
	EXPECT(STRING("/etc/ld.so.cache"), "\"/etc/ld.so.cache\"");
	EXPECT(COUNTED("\177ELF\2\1\1\3\0\0", 10), "\"\\177ELF\\2\\1\\1\\3\\0\\0\"");
	EXPECT(NODE(.kind = VALUE_BYTES, .bytes = (const uint8_t *)"ab", .length = 2,
		       .truncated = true),
		"\"ab\"...");
	EXPECT(NODE(.kind = VALUE_BYTES, .bytes = (const uint8_t *)"", .truncated = true),
		"\"\"...");
	EXPECT(NODE(.kind = VALUE_BYTES, .bytes = (const uint8_t *)"l\x16%", .length = 3,
		       .hex_only = true),
		"\"\\x6c\\x16\\x25\"");
}

CASE(names_of_abstract_sockets)
{
	EXPECT(NODE(.kind = VALUE_BYTES, .name = "@", .bytes = (const uint8_t *)"x\0y",
		       .length = 3),
		"@\"x\\0y\"");
}

CASE(structs)
{
	EXPECT(NODE(.kind = VALUE_STRUCT), "{}");
	EXPECT(STRUCT(labelled("tv_sec", INT(1)), labelled("tv_nsec", INT(0))),
		"{tv_sec=1, tv_nsec=0}");
	EXPECT(STRUCT(labelled("sa_family", NAMED("AF_INET6", 10)),
		       labelled("sin6_port", CALL("htons", INT(80))),
		       CALL("inet_pton", NAMED("AF_INET6", 10), STRING("::1"),
			       NAMED("&sin6_addr", 0)),
		       labelled("sin6_scope_id", INT(0))),
		"{sa_family=AF_INET6, sin6_port=htons(80), "
		"inet_pton(AF_INET6, \"::1\", &sin6_addr), sin6_scope_id=0}");
}

// With -X what a call is made from: its number, or its bytes in the order of the network.
CASE(calls_as_numbers)
{
	struct value *dev = CALL("makedev", HEX(8), HEX(1));
	struct value *port = CALL("htons", INT(80));

	dev->number = 0x801;
	dev->radix = RADIX_HEX;
	dev->size = 8;
	EXPECT(dev, "makedev(0x8, 0x1)");
	expect_constants(dev, "0x801", "0x801 /* makedev(0x8, 0x1) */");
	port->bytes = (const uint8_t *)"\0P";
	port->length = 2;
	EXPECT(port, "htons(80)");
	expect_constants(port, "\"\\x00\\x50\"", "\"\\x00\\x50\" /* htons(80) */");
}

CASE(explained_constants)
{
	struct value *scope = NAMED("PIDTYPE_TGID", 1);

	scope->radix = RADIX_HEX;
	scope->explained = true;
	EXPECT(scope, "0x1 /* PIDTYPE_TGID */");
	expect_constants(scope, "0x1", "0x1 /* PIDTYPE_TGID */");
}

static struct value *verbose_member(struct value *value)
{
	value->verbose = true;
	return value;
}

CASE(members_left_out)
{
	struct value *stat = STRUCT(verbose_member(labelled("st_dev", INT(1))),
		labelled("st_mode", FLAGS(0100644, NAMED("S_IFREG", 0100000), MODE(0644))),
		labelled("st_size", INT(35)), verbose_member(labelled("st_ino", INT(7))));

	EXPECT(stat, "{st_mode=S_IFREG|0644, st_size=35, ...}");
	expect(stat, /* verbose= */ true, "{st_dev=1, st_mode=S_IFREG|0644, st_size=35, st_ino=7}");
	stat->incomplete = true;
	EXPECT(stat, "{st_mode=S_IFREG|0644, st_size=35, ???}");
	expect(stat, /* verbose= */ true,
		"{st_dev=1, st_mode=S_IFREG|0644, st_size=35, st_ino=7, ???}");
	EXPECT(STRUCT(verbose_member(labelled("a", INT(1)))), "{...}");
	EXPECT(NODE(.kind = VALUE_STRUCT, .incomplete = true), "{???}");
	EXPECT(NODE(.kind = VALUE_STRUCT, .truncated = true), "{...}");
}

CASE(arrays)
{
	struct value *long_one = LIST(STRING("a"), STRING("b"));
	struct value *broken = LIST(STRUCT(labelled("fd", INT(0))));

	EXPECT(NODE(.kind = VALUE_ARRAY), "[]");
	EXPECT(LIST(INT(3), INT(4)), "[3, 4]");
	long_one->truncated = true;
	EXPECT(long_one, "[\"a\", \"b\", ...]");
	EXPECT(NODE(.kind = VALUE_ARRAY, .truncated = true), "[...]");
	broken->unreadable = true;
	broken->number = 0x7f86806e2000;
	EXPECT(broken, "[{fd=0}, ... /* 0x7f86806e2000 */]");
}

CASE(bit_sets)
{
	struct value *all_but = SET(NAMED("KILL", 9), NAMED("STOP", 19));

	EXPECT(NODE(.kind = VALUE_BITSET), "[]");
	EXPECT(NODE(.kind = VALUE_BITSET, .inverted = true), "~[]");
	EXPECT(SET(NAMED("INT", 2), NAMED("QUIT", 3), NAMED("RT_8", 40)), "[INT QUIT RT_8]");
	EXPECT(SET(INT(0), INT(3)), "[0 3]");
	all_but->inverted = true;
	EXPECT(all_but, "~[KILL STOP]");
}

CASE(calls)
{
	EXPECT(CALL("makedev", HEX(8), HEX(1)), "makedev(0x8, 0x1)");
	EXPECT(CALL("inet_addr", STRING("127.0.0.1")), "inet_addr(\"127.0.0.1\")");
}

CASE(scalars_behind_pointers_are_in_brackets)
{
	EXPECT(REF(4096, INT(3)), "[3]");
	EXPECT(REF(4096, NAMED("{WIFEXITED(s) && WEXITSTATUS(s) == 3}", 0x300)),
		"[{WIFEXITED(s) && WEXITSTATUS(s) == 3}]");
	EXPECT(REF(4096, FLAGS(3, NAMED("A", 1), NAMED("B", 2))), "[A|B]");
	EXPECT(REF(4096, ADDRESS(0)), "[NULL]");
	EXPECT(REF(4096, REF(8192, INT(3))), "[[3]]");
}

CASE(what_has_brackets_of_its_own_gets_no_more)
{
	EXPECT(REF(4096, STRUCT(labelled("a", INT(1)))), "{a=1}");
	EXPECT(REF(4096, LIST(INT(1))), "[1]");
	EXPECT(REF(4096, SET(NAMED("INT", 2))), "[INT]");
	EXPECT(REF(4096, STRING("x")), "\"x\"");
	EXPECT(NODE(.kind = VALUE_REF, .number = 4096), "0x1000");
}

CASE(changes)
{
	EXPECT(REF(4096, CHANGE(INT(128), INT(16))), "[128 => 16]");
	EXPECT(REF(4096, CHANGE(STRUCT(labelled("flags", HEX(1))),
				 STRUCT(labelled("parent_tid", REF(8192, INT(7432)))))),
		"{flags=0x1} => {parent_tid=[7432]}");
}

CASE(unknown_for_ever)
{
	EXPECT(NODE(.kind = VALUE_NONE), "?");
}

CASE(notes)
{
	EXPECT(NODE(.kind = VALUE_NUMBER, .number = 3, .notes = NOTE(NOTE_PATH, "/etc/passwd")),
		"3</etc/passwd>");
	EXPECT(NODE(.kind = VALUE_NUMBER, .number = 3,
		       .notes = NOTE(NOTE_PATH, "/tmp/a<b>", .next = NOTE(NOTE_DELETED, ""))),
		"3</tmp/a\\74b\\76>(deleted)");
	EXPECT(NODE(.kind = VALUE_NAMED, .name = "AT_FDCWD", .notes = NOTE(NOTE_PATH, "/\033[2J")),
		"AT_FDCWD</\\33[2J>");
	EXPECT(NODE(.kind = VALUE_NUMBER, .number = 9426, .notes = NOTE(NOTE_COMM, "sh")),
		"9426<sh>");
	EXPECT(NODE(.kind = VALUE_ADDRESS, .number = 0x7f10,
		       .notes = NOTE(NOTE_COMMENT, "41 vars")),
		"0x7f10 /* 41 vars */");
}

// Descriptor 3, whose link reads @path, with what else is known.
#define DETAILED(path, what, value)                                                                \
	NODE(.kind = VALUE_NUMBER, .number = 3,                                                    \
		.notes = NOTE(NOTE_PATH, path,                                                     \
			.next = &(struct value_note){.kind = (what), .detail = (value)}))

CASE(notes_of_descriptors)
{
	EXPECT(DETAILED("/dev/ptmx", NOTE_DEVICE,
		       STRUCT(labelled("type", STRING("char")), labelled("major", INT(5)),
			       labelled("minor", INT(2)),
			       labelled("terminal", STRING("/dev/pts/0")))),
		"3</dev/ptmx<char 5:2 @/dev/pts/0>>");
	EXPECT(DETAILED("anon_inode:[eventfd]", NOTE_EVENTFD,
		       STRUCT(labelled("eventfd-count", HEX(5)))),
		"3<{eventfd-count=0x5}>");
	EXPECT(DETAILED("anon_inode:[signalfd]", NOTE_SIGNALFD, SET(NAMED("USR1", 10))),
		"3<signalfd:[USR1]>");
	EXPECT(DETAILED("anon_inode:[pidfd]", NOTE_PIDFD, INT(99)), "3<pid:99>");
}

CASE(notes_of_sockets)
{
	EXPECT(DETAILED("socket:[8]", NOTE_SOCKET,
		       STRUCT(labelled("protocol", STRING("TCP")), labelled("inode", INT(8)))),
		"3<TCP:[8]>");
	EXPECT(DETAILED("socket:[8]", NOTE_SOCKET,
		       STRUCT(labelled("protocol", STRING("TCP")), labelled("inode", INT(8)),
			       labelled("local", STRING("127.0.0.1:9")),
			       labelled("remote", STRING("127.0.0.1:80")))),
		"3<TCP:[127.0.0.1:9->127.0.0.1:80]>");
	EXPECT(DETAILED("socket:[8]", NOTE_SOCKET,
		       STRUCT(labelled("protocol", STRING("UNIX")), labelled("inode", INT(8)),
			       labelled("peer", INT(9)), labelled("path", STRING("/a\"\033")))),
		"3<UNIX:[8->9,\"/a\\\"\\33\"]>");
	EXPECT(DETAILED("socket:[8]", NOTE_SOCKET,
		       STRUCT(labelled("protocol", STRING("NETLINK")), labelled("inode", INT(8)),
			       labelled("netlink", NAMED("NETLINK_ROUTE", 0)),
			       labelled("port", INT(99)))),
		"3<NETLINK:[ROUTE:99]>");
	// A name from the kernel is no less escaped.
	EXPECT(DETAILED("socket:[8]", NOTE_SOCKET,
		       STRUCT(labelled("protocol", STRING("\033[2J")), labelled("inode", INT(8)))),
		"3<\\33[2J:[8]>");
}

static void expect_note(const struct value *note, const char *text)
{
	struct buf buf = {0};

	text_note(&buf, note, &(struct text_style){0});
	assert_string_equal(buf_text(&buf), text);
	buf_deinit(&buf);
}

CASE(notes_of_results)
{
	expect_note(NAMED("Timeout", 0), "Timeout");
	expect_note(labelled("flags", FLAGS(2, NAMED("O_RDWR", 2))), "flags O_RDWR");
	expect_note(LIST(STRUCT(labelled("fd", INT(3)), labelled("revents", NAMED("POLLIN", 1)))),
		"[{fd=3, revents=POLLIN}]");
	expect_note(STRUCT(labelled("in", SET(INT(3))),
			    labelled("left", STRUCT(labelled("tv_sec", INT(0)),
						     labelled("tv_nsec", INT(999996465))))),
		"in [3], left {tv_sec=0, tv_nsec=999996465}");
}

CASE(endless_depth_ends)
{
	static struct value chain[10000];
	struct buf buf = {0};

	for (size_t i = 0; i < 10000; i++) {
		chain[i].kind = VALUE_ARRAY;
		chain[i].first = i + 1 < 10000 ? &chain[i + 1] : NULL;
	}
	text_value(&buf, &chain[0], &(struct text_style){.verbose = true});
	assert_non_null(strstr(buf_text(&buf), "[...]"));
	assert_in_range(buf.length, 100, 200);
	buf_deinit(&buf);
}

RUN_CASES(ADD(numbers), ADD(modes_have_at_least_three_digits), ADD(only_ids_have_a_minus_one),
	ADD(names), ADD(flags), ADD(constants_as_numbers), ADD(calls_as_numbers),
	ADD(explained_constants), ADD(addresses), ADD(bytes), ADD(names_of_abstract_sockets),
	ADD(structs), ADD(members_left_out), ADD(arrays), ADD(bit_sets), ADD(calls),
	ADD(scalars_behind_pointers_are_in_brackets),
	ADD(what_has_brackets_of_its_own_gets_no_more), ADD(changes), ADD(unknown_for_ever),
	ADD(notes), ADD(notes_of_descriptors), ADD(notes_of_sockets), ADD(notes_of_results),
	ADD(endless_depth_ends));
