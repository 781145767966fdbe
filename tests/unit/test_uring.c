// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "proc/uring.h"
#include "unit.h"

static struct uring ring_of(const char *text)
{
	struct uring ring = {.text = xstrdup(text)};

	uring_list_slots(&ring);
	return ring;
}

// NULL: not known.
static void check_name(const struct uring *ring, unsigned number, const char *expected)
{
	size_t at = uring_slot_at(ring, number);
	struct buf name = {0};

	assert_true(at < ring->slots.count);
	assert_int_equal(ring->slots.data[at].number, number);
	assert_int_equal(uring_slot_name(&ring->slots.data[at], &name), expected != NULL);
	if (expected)
		assert_string_equal(buf_text(&name), expected);
	buf_deinit(&name);
}

// As Linux 6.14 and later list them: blanks, newlines and backslashes are escaped.
CASE(paths)
{
	struct uring ring = ring_of("pos:\t0\nSqThread:\t-1\nUserFiles:\t70000\n"
				    "    0: /d/f\n"
				    "    2: /d/a\\040b\\134c\\012\n"
				    "   17: /d/g\\040(deleted)\n"
				    "  300: pipe:[77]\n"
				    "65536: /\n"
				    "UserBufs:\t1\n    0: 0x1000/16\n");

	assert_int_equal(ring.slot_count, 70000);
	assert_int_equal(ring.slots.count, 5);
	check_name(&ring, 0, "/d/f");
	check_name(&ring, 2, "/d/a b\\c\n");
	check_name(&ring, 17, "/d/g (deleted)");
	check_name(&ring, 300, "pipe:[77]");
	check_name(&ring, 65536, "/");
	assert_int_equal(uring_slot_at(&ring, 1), 1);
	assert_int_equal(uring_slot_at(&ring, 65537), 5);
	assert_true(uring_lists_all(&ring));
	uring_deinit(&ring);
}

// Before, only the last part of a name was listed, and empty slots, too.
CASE(last_parts_of_paths)
{
	struct uring ring = ring_of("SqThread:\t-1\nUserFiles:\t3\n"
				    "    0: <none>\n    1: passwd\n    2: \nUserBufs:\t0\n");

	assert_int_equal(ring.slots.count, 2);
	check_name(&ring, 1, NULL);
	check_name(&ring, 2, NULL);
	assert_true(uring_lists_all(&ring));
	uring_deinit(&ring);
}

CASE(nothing_but_empty_slots)
{
	struct uring ring =
		ring_of("\nUserFiles:\t2\n    0: <none>\n    1: <none>\nUserBufs:\t0\n");

	assert_int_equal(ring.slot_count, 2);
	assert_int_equal(ring.slots.count, 0);
	assert_int_equal(uring_slot_at(&ring, 0), 0);
	assert_true(uring_lists_all(&ring));
	uring_deinit(&ring);
}

CASE(texts_that_end_early)
{
	static const char text[] = "\nUserFiles:\t2\n    0: /d/f\\04\n    1: /d";

	for (size_t length = 0; length < sizeof(text); length++) {
		char *part = xstrndup(text, length);
		struct uring ring = ring_of(part);

		for (size_t i = 0; i < ring.slots.count; i++) {
			struct buf name = {0};

			uring_slot_name(&ring.slots.data[i], &name);
			buf_deinit(&name);
		}
		uring_deinit(&ring);
		free(part);
	}
}

CASE(no_ring)
{
	struct uring ring;

	assert_false(uring_read(1, 1, 0x7fffffff, NULL, &ring));
	uring_deinit(&ring);
	assert_int_equal(uring_inode(1, -1), 0);
}

RUN_CASES(ADD(paths), ADD(last_parts_of_paths), ADD(nothing_but_empty_slots),
	ADD(texts_that_end_early), ADD(no_ring));
