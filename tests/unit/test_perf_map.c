// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unit.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/time_units.h"
#include "unwind/module/perf_map.h"

/** A file under a path that comes and goes. */
struct fixture {
	char path[64];
	unsigned opened;
	struct perf_map *map;
};

static int open_perf_map(void *context)
{
	struct fixture *fixture = context;

	fixture->opened++;
	return open(fixture->path, O_RDONLY | O_CLOEXEC);
}

static const struct unwind_source_ops ops = {.open_perf_map = open_perf_map};

static void append(const struct fixture *fixture, const char *text)
{
	int fd = open(fixture->path, O_WRONLY | O_CREAT | O_APPEND, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static void set_up(struct fixture *fixture)
{
	*fixture = (struct fixture){.path = "/tmp/test-perf-map-XXXXXX"};
	close(mkstemp(fixture->path));
	fixture->map = perf_map_create();
}

static void tear_down(struct fixture *fixture)
{
	perf_map_unref(fixture->map);
	unlink(fixture->path);
}

static void expect(struct fixture *fixture, taddr address, const char *name, taddr start)
{
	const struct unwind_source source = {&ops, fixture};
	taddr found = 0;
	const char *text = perf_map_find(fixture->map, &source, address, &found);

	if (!name) {
		assert_null(text);
		return;
	}
	assert_non_null(text);
	assert_string_equal(text, name);
	assert_int_equal(found, start);
}

// Once the map looks for its file again.
static void expect_at_last(struct fixture *fixture, taddr address, const char *name, taddr start)
{
	const struct unwind_source source = {&ops, fixture};
	taddr found;

	while (!perf_map_find(fixture->map, &source, address, &found))
		usleep(1000);
	expect(fixture, address, name, start);
}

CASE(lines)
{
	struct fixture fixture;

	set_up(&fixture);
	append(&fixture, "1000 10 first\n"
			 "0x2000 0x20 void Name.of(java, int)\n"
			 "3000 0 empty\n"
			 "not a line\n"
			 "4000 10\n"
			 "5000 zz name\n"
			 "ffffffffffffffff 10 wraps\n"
			 "7f0000001000 8 far\r\n");
	expect(&fixture, 0xfff, NULL, 0);
	expect(&fixture, 0x1000, "first", 0x1000);
	expect(&fixture, 0x100f, "first", 0x1000);
	expect(&fixture, 0x1010, NULL, 0);
	expect(&fixture, 0x201f, "void Name.of(java, int)", 0x2000);
	expect(&fixture, 0x3000, NULL, 0);
	expect(&fixture, 0x4000, NULL, 0);
	expect(&fixture, 0x5000, NULL, 0);
	expect(&fixture, UINT64_MAX, NULL, 0);
	expect(&fixture, 0x7f0000001007, "far", 0x7f0000001000);
	assert_int_equal(fixture.opened, 1);
	tear_down(&fixture);
}

CASE(it_grows)
{
	struct fixture fixture;

	set_up(&fixture);
	append(&fixture, "1000 10 first\n2000 10 sec");
	expect(&fixture, 0x1000, "first", 0x1000);
	expect(&fixture, 0x2000, NULL, 0);
	append(&fixture, "ond\n");
	expect(&fixture, 0x2000, "second", 0x2000);
	append(&fixture, "500 10 before\n");
	expect(&fixture, 0x500, "before", 0x500);
	expect(&fixture, 0x1000, "first", 0x1000);
	assert_int_equal(fixture.opened, 1);
	tear_down(&fixture);
}

CASE(later_code_replaces_earlier)
{
	struct fixture fixture;

	set_up(&fixture);
	append(&fixture, "1000 100 long\n1080 10 inside\n");
	expect(&fixture, 0x1085, "inside", 0x1080);
	// What the long function was has been overwritten.
	expect(&fixture, 0x1010, NULL, 0);
	append(&fixture, "1000 200 again\n");
	expect(&fixture, 0x1085, "again", 0x1000);
	append(&fixture, "1100 10 end\n1000 10 start\n");
	expect(&fixture, 0x1105, "end", 0x1100);
	expect(&fixture, 0x1005, "start", 0x1000);
	expect(&fixture, 0x1085, NULL, 0);
	tear_down(&fixture);
}

// However the lines are spread over what is read at once: the last one to touch an address wins,
// and who lost once is gone even where the winner lost later.
CASE(later_code_replaces_earlier_one_by_one)
{
	struct fixture fixture;

	set_up(&fixture);
	append(&fixture, "1000 100 a\n2000 100 b\n3000 100 c\n4000 100 d\n");
	expect(&fixture, 0x1000, "a", 0x1000);
	append(&fixture, "1080 1000 over\n");
	expect(&fixture, 0x1000, NULL, 0);
	expect(&fixture, 0x2000, "over", 0x1080);
	expect(&fixture, 0x20f0, NULL, 0);
	expect(&fixture, 0x3000, "c", 0x3000);
	append(&fixture, "2010 10 small\n");
	expect(&fixture, 0x1080, NULL, 0);
	expect(&fixture, 0x2000, NULL, 0);
	expect(&fixture, 0x2010, "small", 0x2010);
	append(&fixture, "0 ffffffff all\n");
	expect(&fixture, 0x4000, "all", 0);
	append(&fixture, "0 ffffffff again\n3000 1 last\n");
	expect(&fixture, 0x3000, "last", 0x3000);
	expect(&fixture, 0x4000, NULL, 0);
	tear_down(&fixture);
}

CASE(written_anew)
{
	struct fixture fixture;

	set_up(&fixture);
	append(&fixture, "1000 10 first\n2000 10 second\n");
	expect(&fixture, 0x2000, "second", 0x2000);
	// In place, longer than before.
	assert_int_equal(truncate(fixture.path, 0), 0);
	append(&fixture, "3000 10 another\n4000 10 one_with_a_longer_name\n");
	expect(&fixture, 0x2000, NULL, 0);
	expect(&fixture, 0x3000, "another", 0x3000);
	// Another file of the same name.
	unlink(fixture.path);
	append(&fixture, "5000 10 other\n");
	expect_at_last(&fixture, 0x5000, "other", 0x5000);
	expect(&fixture, 0x3000, NULL, 0);
	tear_down(&fixture);
}

CASE(not_there_yet)
{
	struct fixture fixture;

	set_up(&fixture);
	unlink(fixture.path);
	for (int i = 0; i < 10000; i++)
		expect(&fixture, 0x1000, NULL, 0);
	// To look takes longer than not to, and most of the time is spent without.
	assert_true(fixture.opened >= 1 && fixture.opened < 5000);
	append(&fixture, "1000 10 first\n");
	expect_at_last(&fixture, 0x1000, "first", 0x1000);
	tear_down(&fixture);
}

CASE(a_child_knows_its_parents_code)
{
	struct fixture fixture, child;

	set_up(&fixture);
	append(&fixture, "1000 10 parent\n2000 10 both\n");
	expect(&fixture, 0x1000, "parent", 0x1000);
	set_up(&child);
	perf_map_unref(child.map);
	child.map = perf_map_fork(fixture.map);
	tear_down(&fixture);
	append(&child, "2000 10 child\n");
	expect(&child, 0x1000, "parent", 0x1000);
	expect(&child, 0x2000, "child", 0x2000);
	tear_down(&child);
}

CASE(hostile)
{
	struct buf text = {0};
	struct fixture fixture;

	set_up(&fixture);
	// A line without end, longer than any buffer; then many that overlap.
	for (int i = 0; i < 300000; i++)
		buf_char(&text, (char)('a' + i % 26));
	buf_char(&text, '\n');
	for (unsigned i = 0; i < 20000; i++)
		buf_printf(&text, "%x %x f%u\n", 0x1000 + i * 7919 % 4096, 1 + i % 97, i);
	append(&fixture, buf_text(&text));
	expect(&fixture, 0x10, NULL, 0);
	for (taddr address = 0x1000; address < 0x2100; address++) {
		const struct unwind_source source = {&ops, &fixture};
		taddr start = 0;
		const char *name = perf_map_find(fixture.map, &source, address, &start);

		assert_true(!name || start <= address);
	}
	buf_deinit(&text);
	tear_down(&fixture);
}

RUN_CASES(ADD(lines), ADD(it_grows), ADD(later_code_replaces_earlier),
	ADD(later_code_replaces_earlier_one_by_one), ADD(written_anew), ADD(not_there_yet),
	ADD(a_child_knows_its_parents_code), ADD(hostile));
