// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unit.h"

#include <string.h>
#include <sys/sysmacros.h>

#include "unwind/maps.h"

static struct maps *parse(const char *text)
{
	return maps_parse(text, strlen(text));
}

CASE(a_line)
{
	struct maps *maps = parse("7f1fb9e06000-7f1fb9f5c000 r-xp 00026000 fe:01 332835"
				  "                     /usr/lib/libc.so.6\n");
	const struct unwind_map *map = &maps->data[0];

	assert_int_equal(maps->count, 1);
	assert_int_equal(map->start, 0x7f1fb9e06000);
	assert_int_equal(map->end, 0x7f1fb9f5c000);
	assert_int_equal(map->offset, 0x26000);
	assert_int_equal(map->device, makedev(0xfe, 1));
	assert_int_equal(map->inode, 332835);
	assert_true(map->is_executable);
	assert_false(map->is_deleted);
	assert_string_equal(map->name, "/usr/lib/libc.so.6");
	assert_string_equal(map->path, "/usr/lib/libc.so.6");
	maps_unref(maps);
}

CASE(names)
{
	struct maps *maps = parse("1000-2000 r--p 00000000 00:00 0 \n"
				  "2000-3000 r--p 00000000 00:00 0                  [heap]\n"
				  "3000-4000 r-xp 00000000 00:00 9   /a b (deleted)\n"
				  "4000-5000 r-xp 00000000 00:00 9   /x\\012y\n"
				  "5000-6000 r-xp 00000000 00:00 9   (deleted)\n"
				  "6000-7000 r-xp 00000000 00:00 0   [vdso]");

	assert_int_equal(maps->count, 6);
	assert_string_equal(maps->data[0].name, "");
	assert_null(maps->data[0].path);
	assert_string_equal(maps->data[1].name, "[heap]");
	assert_null(maps->data[1].path);
	assert_string_equal(maps->data[2].name, "/a b (deleted)");
	assert_string_equal(maps->data[2].path, "/a b");
	assert_true(maps->data[2].is_deleted);
	assert_string_equal(maps->data[3].path, "/x\ny");
	assert_null(maps->data[4].path);
	assert_string_equal(maps->data[5].name, "[vdso]");
	maps_unref(maps);
}

CASE(senseless_lines_are_left_out)
{
	static const char *const lines[] = {
		"",
		"\n\n",
		"nonsense\n",
		"1000-2000",
		"1000-2000 ",
		"1000-2000 r-x",
		"1000 r-xp 00000000 00:00 0 \n",
		"2000-1000 r-xp 00000000 00:00 0 \n",
		"1000-1000 r-xp 00000000 00:00 0 \n",
		"1000-2000 r-xp 00000000 0000 0 \n",
		"1000-2000 r-xp 00000000 00:00 \n",
		"10000000000000000-20000000000000000 r-xp 00000000 00:00 0 \n",
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct maps *maps = parse(lines[i]);

		assert_int_equal(maps->count, 0);
		maps_unref(maps);
	}
}

CASE(overlaps_are_left_out)
{
	struct maps *maps = parse("3000-5000 r-xp 00000000 00:00 0 \n"
				  "4000-6000 r-xp 00000000 00:00 0 \n"
				  "1000-2000 r-xp 00000000 00:00 0 \n"
				  "5000-6000 r-xp 00000000 00:00 0 \n");

	assert_int_equal(maps->count, 2);
	assert_int_equal(maps->data[1].start, 0x5000);
	maps_unref(maps);
}

CASE(find)
{
	struct maps *maps = parse("1000-2000 r-xp 00000000 00:00 0 \n"
				  "2000-3000 r-xp 00000000 00:00 0 \n"
				  "5000-6000 r-xp 00000000 00:00 0 \n");

	assert_null(maps_find(maps, 0xfff));
	assert_ptr_equal(maps_find(maps, 0x1000), &maps->data[0]);
	assert_ptr_equal(maps_find(maps, 0x1fff), &maps->data[0]);
	assert_ptr_equal(maps_find(maps, 0x2000), &maps->data[1]);
	assert_null(maps_find(maps, 0x3000));
	assert_ptr_equal(maps_find(maps, 0x5fff), &maps->data[2]);
	assert_null(maps_find(maps, 0x6000));
	assert_null(maps_find(maps, UINT64_MAX));
	maps_unref(maps);
}

RUN_CASES(ADD(a_line), ADD(names), ADD(senseless_lines_are_left_out), ADD(overlaps_are_left_out),
	ADD(find));
