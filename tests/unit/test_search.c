// SPDX-License-Identifier: MIT
// Copyright the tracer authors

// Finds the files of modules and their debug files: in the places and under the
// conditions of unwind/search.h. Uses objcopy.

#include "unit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "stack_program.h"
#include "unwind/module/context.h"
#include "unwind/module/module.h"

static void run(const char *format, const char *a, const char *b)
{
	struct buf command = {0};

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	buf_printf(&command, format, a, b);
#pragma GCC diagnostic pop
	assert_int_equal(system(buf_text(&command)), 0);
	buf_deinit(&command);
}

/** A fresh folder under /tmp, removed by remove_folder(). */
static char *make_folder(void)
{
	char *path = xstrdup("/tmp/test_walk.XXXXXX");

	assert_non_null(mkdtemp(path));
	return path;
}

static void remove_folder(char *path)
{
	run("rm -r '%s'%s", path, "");
	free(path);
}

// A file without a name can only be opened as what is mapped.
static bool can_open_mapped(void)
{
	cleanup_closedir DIR *folder = opendir("/proc/self/map_files");
	struct dirent *entry = NULL;
	int fd = -1;

	while (folder && (entry = readdir(folder)) && entry->d_name[0] == '.')
		;
	if (entry)
		fd = openat(dirfd(folder), entry->d_name, O_RDONLY | O_CLOEXEC);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static void need_mapped(void)
{
	if (can_open_mapped())
		return;
	print_message("mapped files cannot be opened here: needs CAP_CHECKPOINT_RESTORE\n");
	skip();
}

static void check_deleted_and_replaced(void)
{
	cleanup_free char *original = program_path("stacks-optimized");
	char *folder = make_folder();
	cleanup_free char *copy = xasprintf("%s/copy", folder);
	struct waiting waiting;
	struct walked walked;

	run("cp '%s' '%s'", original, copy);
	waiting = start_path(copy, "read");
	run("rm '%s' && cp /bin/true '%s'", copy, copy);
	walk(&walked, waiting.task, NULL);
	assert_function(&walked, own_frame(&walked), "wait_here", true);
	assert_string_equal(
		unwind_module_path(walked.stack.frames[own_frame(&walked)].module), copy);
	stop(&waiting);
	drop(&walked);
	remove_folder(folder);
}

CASE(deleted_and_replaced_file_keeps_its_names)
{
	need_mapped();
	check_deleted_and_replaced();
}

CASE(another_file_is_refused)
{
	static const char *const wrong[] = {"/bin/true", "/dev/null", "/nowhere", NULL};
	struct waiting waiting = start("stacks-optimized", "read");
	struct walked walked = {0};
	const struct unwind_description *description;
	const struct unwind_module *module;

	walked.context = unwind_context_create(NULL);
	walked.space = unwind_space_create(walked.context, UNWIND_ARCH_X86_64);
	walked.live = (struct live_source){.pid = waiting.task, .candidates = wrong};
	assert_true(live_stop(waiting.task));
	assert_true(live_regs(waiting.task, &walked.regs, &walked.address));
	walk_again(&walked);
	live_detach(waiting.task);
	// The rules are in memory, so the walk is whole; the names are not.
	assert_int_equal(walked.stack.end, FRAME_END_OUTERMOST);
	module = walked.stack.frames[own_frame(&walked)].module;
	assert_int_equal(module->files.failures.count, 3);
	assert_string_equal(module->files.failures.data[0].path, "/bin/true");
	assert_int_equal(module->files.failures.data[0].reason, LOOKUP_OTHER_BUILD_ID);
	assert_int_equal(module->files.failures.data[1].reason, LOOKUP_NOT_REGULAR);
	assert_int_equal(module->files.failures.data[2].reason, LOOKUP_ABSENT);
	description = unwind_describe(walked.context, &walked.stack.frames[own_frame(&walked)]);
	assert_null(description->locations[0].function);
	assert_int_equal(description->no_function, UNWIND_REASON_NO_FILE);
	stop(&waiting);
	drop(&walked);
}

/** A stripped program in a folder; its debug file in @folder/@debug_folder by build-id. */
static void debug_by_build_id(const char *debug_folder, bool is_root)
{
	cleanup_free char *original = program_path("stacks-optimized");
	char *folder = make_folder();
	cleanup_free char *copy = xasprintf("%s/copy", folder);
	const char *folders[] = {folder, NULL};
	const struct unwind_options options = {.debug_dirs = is_root ? NULL : folders};
	struct waiting waiting;
	struct walked walked;
	const uint8_t *id;
	struct buf hex = {0};
	size_t size;

	run("objcopy --strip-all '%s' '%s'", original, copy);
	waiting = start_path(copy, "read");
	walk_in_root(&walked, waiting.task, &options, is_root ? folder : NULL);
	id = unwind_module_build_id(walked.stack.frames[own_frame(&walked)].module, &size);
	assert_int_equal(size, 20);
	buf_printf(&hex, "%s%s/.build-id/%02x", folder, debug_folder, id[0]);
	run("mkdir -p '%s'%s", buf_text(&hex), "");
	buf_char(&hex, '/');
	for (size_t i = 1; i < size; i++)
		buf_printf(&hex, "%02x", id[i]);
	buf_string(&hex, ".debug");
	run("objcopy --only-keep-debug '%s' '%s'", original, buf_text(&hex));
	assert_function(&walked, own_frame(&walked), "wait_here", true);
	stop(&waiting);
	drop(&walked);
	buf_deinit(&hex);
	remove_folder(folder);
}

CASE(debug_file_by_build_id)
{
	debug_by_build_id("", /* is_root= */ false);
}

CASE(debug_file_in_the_root_of_the_process)
{
	debug_by_build_id("/usr/lib/debug", /* is_root= */ true);
}

/** Runs a stripped program without build-id whose debug link leads to a good or a bad file. */
static void debuglink(const char *spoil, const char *expected)
{
	cleanup_free char *original = program_path("stacks-optimized");
	char *folder = make_folder();
	cleanup_free char *copy = xasprintf("%s/copy", folder);
	struct waiting waiting;
	struct walked walked;

	run("cd '%s' && mkdir .debug && objcopy -R .note.gnu.build-id '%s' whole", folder,
		original);
	run("cd '%s' && objcopy --only-keep-debug whole .debug/copy.debug 2>/dev/null%s", folder,
		"");
	run("cd '%s' && objcopy --strip-all --add-gnu-debuglink=.debug/copy.debug whole copy%s",
		folder, "");
	run("cd '%s' && %s", folder, spoil);
	waiting = start_path(copy, "read");
	walk(&walked, waiting.task, NULL);
	assert_int_equal(walked.stack.end, FRAME_END_OUTERMOST);
	if (expected)
		assert_function(&walked, own_frame(&walked), expected, true);
	else
		assert_null(
			unwind_describe(walked.context, &walked.stack.frames[own_frame(&walked)])
				->locations[0]
				.function);
	stop(&waiting);
	drop(&walked);
	remove_folder(folder);
}

CASE(debug_file_by_link)
{
	debuglink("true", "wait_here");
}

CASE(debug_file_with_another_checksum_is_refused)
{
	debuglink("printf x >> .debug/copy.debug", NULL);
}

CASE(damaged_files_do_not_crash)
{
	debuglink("printf x | dd of=.debug/copy.debug bs=1 seek=70 conv=notrunc status=none", NULL);
}

CASE(symbols_packed_into_the_file)
{
	cleanup_free char *original = program_path("stacks-optimized");
	char *folder = make_folder();
	cleanup_free char *copy = xasprintf("%s/copy", folder);
	const struct unwind_description *description;
	struct waiting waiting;
	struct walked walked;

	// As GDB's manual describes MiniDebugInfo.
	run("cd '%s' && objcopy --strip-debug '%s' mini && xz mini", folder, original);
	run("cd '%s' && objcopy --strip-all --add-section .gnu_debugdata=mini.xz '%s' copy", folder,
		original);
	waiting = start_path(copy, "read");
	walk(&walked, waiting.task, NULL);
	description = unwind_describe(walked.context, &walked.stack.frames[own_frame(&walked)]);
	if (walked.stack.frames[own_frame(&walked)].module->files.mini_file)
		assert_string_equal(description->locations[0].function, "wait_here");
	else
		print_message("# no liblzma in this build\n");
	stop(&waiting);
	drop(&walked);
	remove_folder(folder);
}

CASE(files_are_closed_and_opened_again)
{
	struct waiting waiting = start("stacks-optimized", "read");
	struct walked walked;

	walk(&walked, waiting.task, NULL);
	// One open file at a time, though a stack goes through two.
	walked.context->open_most = 1;
	unwind_space_destroy(walked.space);
	walked.space = unwind_space_create(walked.context, UNWIND_ARCH_X86_64);
	assert_true(live_stop(waiting.task));
	for (int i = 0; i < 3; i++) {
		walked.context->rule_cache = (struct rule_cache){0};
		walk_again(&walked);
		assert_int_equal(walked.stack.end, FRAME_END_OUTERMOST);
		for (size_t j = 0; j < walked.stack.count; j++)
			assert_int_equal(walked.stack.frames[j].origin,
				j ? FRAME_ORIGIN_EH_FRAME : FRAME_ORIGIN_REGISTERS);
	}
	live_detach(waiting.task);
	assert_in_range(walked.context->open_count, 1, 2);
	assert_function(&walked, own_frame(&walked), "wait_here", true);
	stop(&waiting);
	drop(&walked);
}

RUN_CASES(ADD(deleted_and_replaced_file_keeps_its_names), ADD(another_file_is_refused),
	ADD(debug_file_by_build_id), ADD(debug_file_in_the_root_of_the_process),
	ADD(debug_file_by_link), ADD(debug_file_with_another_checksum_is_refused),
	ADD(damaged_files_do_not_crash), ADD(symbols_packed_into_the_file),
	ADD(files_are_closed_and_opened_again));
