// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unit.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "stack_program.h"

static void wait_until_asleep(pid_t task)
{
	cleanup_free char *path = xasprintf("/proc/%d/stat", task);

	for (int i = 0; i < 5000; i++) {
		cleanup_fclose FILE *file = fopen(path, "r");
		char state = '?';

		if (file && fscanf(file, "%*d (%*[^)]) %c", &state) == 1 && state == 'S')
			return;
		usleep(1000);
	}
	fail_msg("task %d does not come to rest", task);
}

/** The child of @pid, or its second thread. */
static pid_t other_task(pid_t pid, bool is_thread)
{
	cleanup_free char *command = is_thread
					     ? xasprintf("ls /proc/%d/task | tail -1", pid)
					     : xasprintf("cat /proc/%d/task/%d/children", pid, pid);
	FILE *pipe = popen(command, "r");
	int task = 0;

	assert_non_null(pipe);
	assert_int_equal(fscanf(pipe, "%d", &task), 1);
	pclose(pipe);
	return task;
}

struct waiting start_path(const char *path, const char *mode)
{
	struct waiting waiting;
	int to[2], from[2];
	char byte;

	assert_int_equal(pipe(to), 0);
	assert_int_equal(pipe(from), 0);
	waiting.pid = fork();
	if (!waiting.pid) {
		dup2(to[0], 0);
		dup2(from[1], 1);
		close(to[1]);
		close(from[0]);
		execl(path, path, mode, (char *)NULL);
		_exit(127);
	}
	close(to[0]);
	close(from[1]);
	waiting.input = to[1];
	waiting.output = from[0];
	assert_int_equal(read(waiting.output, &byte, 1), 1);
	waiting.task = waiting.pid;
	if (mode && !strcmp(mode, "thread"))
		waiting.task = other_task(waiting.pid, true);
	if (mode && (!strcmp(mode, "vfork") || !strcmp(mode, "clone")))
		waiting.task = other_task(waiting.pid, false);
	wait_until_asleep(waiting.task);
	return waiting;
}

char *program_path(const char *program)
{
	return xasprintf("%s/%s", getenv("STACKS"), program);
}

struct waiting start(const char *program, const char *mode)
{
	cleanup_free char *path = program_path(program);

	return start_path(path, mode);
}

void stop(struct waiting *waiting)
{
	if (waiting->task != waiting->pid)
		kill(waiting->task, SIGKILL);
	kill(waiting->pid, SIGKILL);
	waitpid(waiting->pid, NULL, 0);
	close(waiting->input);
	close(waiting->output);
}

void walk_again(struct walked *walked)
{
	const struct unwind_source source = {&live_source_ops, &walked->live};

	unwind_walk(walked->space, &source, &walked->regs, walked->address, &walked->arena,
		&walked->stack);
	assert_true(walked->stack.count > 0);
}

void walk_in_root(
	struct walked *walked, pid_t task, const struct unwind_options *options, const char *root)
{
	*walked = (struct walked){.live = {.pid = task, .root = root}};
	assert_true(live_stop(task));
	assert_true(live_regs(task, &walked->regs, &walked->address));
	walked->context = unwind_context_create(options);
	walked->space = unwind_space_create(walked->context, walked->regs.arch);
	walk_again(walked);
	live_detach(task);
}

void walk(struct walked *walked, pid_t task, const struct unwind_options *options)
{
	walk_in_root(walked, task, options, NULL);
}

void drop(struct walked *walked)
{
	unwind_space_destroy(walked->space);
	unwind_context_destroy(walked->context);
	arena_deinit(&walked->arena);
}

bool has_program(const char *program)
{
	cleanup_free char *path = program_path(program);

	if (!access(path, X_OK))
		return true;
	print_message("# %s was not built\n", program);
	return false;
}

size_t own_frame(const struct walked *walked)
{
	size_t index = 0;

	while (index < walked->stack.count &&
		walked->stack.frames[index].module == walked->stack.frames[0].module)
		index++;
	assert_true(index < walked->stack.count);
	return index;
}

void assert_function(struct walked *walked, size_t index, const char *name, bool has_line)
{
	const struct unwind_description *description =
		unwind_describe(walked->context, &walked->stack.frames[index]);

	assert_string_equal(description->locations[0].function, name);
	assert_int_equal(description->locations[0].line != 0, has_line);
}
