// SPDX-License-Identifier: MIT
// Copyright the tracer authors

// What one run learns the next one knows, and never anything wrong. A run is a
// context; what it looks at is a copy of a program of tests/stacks.

#include "unit.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "stack_program.h"
#include "unwind/module/context.h"
#include "unwind/module/module.h"

struct place {
	char folder[64];
	char *program;
	struct unwind_options options;
};

static void command(const char *text)
{
	assert_int_equal(system(text), 0);
}

static void begin(struct place *place)
{
	cleanup_free char *original = program_path("stacks-optimized");
	cleanup_free char *copy = NULL;

	*place = (struct place){0};
	strcpy(place->folder, "/tmp/recall-XXXXXX");
	assert_non_null(mkdtemp(place->folder));
	place->program = xasprintf("%s/program", place->folder);
	place->options.cache_dir = place->folder;
	copy = xasprintf("cp %s %s", original, place->program);
	command(copy);
}

static void end(struct place *place)
{
	cleanup_free char *remove = xasprintf("rm -rf %s", place->folder);

	command(remove);
	free(place->program);
}

/** All that is said about the stack of the program, from one run; the caller frees it. */
static char *run(const struct place *place, bool *has_read_dwarf_ret)
{
	struct waiting waiting = start_path(place->program, "read");
	struct walked walked;
	struct buf text = {0};

	walk(&walked, waiting.task, &place->options);
	*has_read_dwarf_ret = false;
	for (size_t i = 0; i < walked.stack.count; i++) {
		const struct unwind_frame *frame = &walked.stack.frames[i];
		const struct unwind_description *description =
			unwind_describe(walked.context, frame);

		buf_printf(&text, "%llx %d %d\n", (unsigned long long)description->symbol_offset,
			(int)description->no_function, (int)description->no_line);
		for (size_t j = 0; j < description->count; j++) {
			const struct unwind_location *location = &description->locations[j];

			buf_printf(&text, "  %s %s %s:%u:%u %d\n",
				location->function ? location->function : "?",
				location->linkage_name ? location->linkage_name : "?",
				location->file ? location->file : "?", location->line,
				location->column, location->is_inlined);
		}
		*has_read_dwarf_ret |=
			frame->module && (frame->module->units_tried || frame->module->symbols);
	}
	stop(&waiting);
	drop(&walked);
	buf_text(&text);
	return text.data;
}

/** A run that must say @expected, or anything if that is NULL. */
static char *expect(const struct place *place, const char *expected, bool must_read)
{
	bool has_read;
	char *said = run(place, &has_read);

	if (expected)
		assert_string_equal(said, expected);
	assert_int_equal(has_read, must_read);
	return said;
}

CASE(the_second_run_reads_no_debug_information)
{
	cleanup_free char *first = NULL, *second = NULL;
	struct place place;

	begin(&place);
	first = expect(&place, NULL, true);
	assert_non_null(strstr(first, "  main "));
	second = expect(&place, first, false);
	end(&place);
}

CASE(a_changed_file_is_read_again)
{
	cleanup_free char *first = NULL, *second = NULL, *third = NULL, *touch = NULL;
	struct place place;

	begin(&place);
	first = expect(&place, NULL, true);
	touch = xasprintf("touch -d @1000000000 %s", place.program);
	command(touch);
	second = expect(&place, first, true);
	third = expect(&place, first, false);
	end(&place);
}

// Same build-id, size and time of modification: only the inode tells them apart.
CASE(a_forged_file_is_another_file)
{
	cleanup_free char *first = NULL, *second = NULL, *forge = NULL;
	struct place place;

	begin(&place);
	first = expect(&place, NULL, true);
	forge = xasprintf("cp -p %s %s.new && mv %s.new %s", place.program, place.program,
		place.program, place.program);
	command(forge);
	second = expect(&place, first, true);
	end(&place);
}

CASE(without_symbols_there_are_none_whatever_was_known)
{
	cleanup_free char *first = NULL, *second = NULL, *strip = NULL;
	struct place place;

	begin(&place);
	first = expect(&place, NULL, true);
	strip = xasprintf("strip %s", place.program);
	command(strip);
	second = expect(&place, NULL, true);
	assert_non_null(strstr(first, "  main "));
	assert_null(strstr(second, "  main "));
	end(&place);
}

CASE(damaged_files_are_not_used)
{
	cleanup_free char *first = NULL, *second = NULL, *damage = NULL;
	struct place place;

	begin(&place);
	first = expect(&place, NULL, true);
	damage =
		xasprintf("for f in %s/tracer/*; do printf x | dd of=$f bs=1 seek=100 conv=notrunc "
			  "2>/dev/null; done",
			place.folder);
	command(damage);
	second = expect(&place, first, true);
	end(&place);
}

CASE(each_way_to_describe_is_kept_apart)
{
	cleanup_free char *first = NULL, *plain = NULL, *again = NULL;
	struct place place;

	begin(&place);
	first = expect(&place, NULL, true);
	place.options.no_lines = true;
	plain = expect(&place, NULL, true);
	assert_string_not_equal(first, plain);
	again = expect(&place, plain, false);
	end(&place);
}

CASE(nothing_is_kept_without_a_folder)
{
	cleanup_free char *first = NULL, *second = NULL;
	struct place place;

	begin(&place);
	place.options.cache_dir = NULL;
	first = expect(&place, NULL, true);
	second = expect(&place, first, true);
	place.options.cache_dir = "/dev/null";
	free(second);
	second = expect(&place, first, true);
	end(&place);
}

RUN_CASES(ADD(the_second_run_reads_no_debug_information), ADD(a_changed_file_is_read_again),
	ADD(a_forged_file_is_another_file), ADD(without_symbols_there_are_none_whatever_was_known),
	ADD(damaged_files_are_not_used), ADD(each_way_to_describe_is_kept_apart),
	ADD(nothing_is_kept_without_a_folder));
