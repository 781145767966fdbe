// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "cli/option_table.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/parse.h"
#include "base/time_units.h"
#include "cli/choose.h"
#include "cli/decode_options.h"
#include "cli/expression.h"
#include "cli/fault_options.h"
#include "cli/filter_options.h"
#include "cli/inject_options.h"
#include "cli/observe_options.h"
#include "cli/options.h"
#include "cli/output_options.h"
#include "cli/stack_options.h"
#include "cli/startup_options.h"
#include "cli/style_options.h"
#include "cli/summary_options.h"
#include "cli/symbol_options.h"
#include "cli/time_options.h"

// Names of choices: the index is the value.
static const char *const schedulings[] = {
	[SCHEDULE_AUTO] = "auto",
	[SCHEDULE_FOLLOW] = "follow",
	[SCHEDULE_OFF] = "off",
	NULL,
};
static const char *const filters[] = {
	[SESSION_FILTER_AUTO] = "auto",
	[SESSION_FILTER_ON] = "on",
	[SESSION_FILTER_OFF] = "off",
	NULL,
};
static const char *const path_views[] = {"tracer", "target", NULL};
static const char *const constant_styles[] = {
	[TEXT_CONSTANTS_ABBREV] = "abbrev",
	[TEXT_CONSTANTS_RAW] = "raw",
	[TEXT_CONSTANTS_VERBOSE] = "verbose",
	NULL,
};
static const char *const string_styles[] = {
	[TEXT_STRINGS_OCTAL] = "none",
	[TEXT_STRINGS_HEX_ESCAPES] = "non-ascii-chars",
	[TEXT_STRINGS_HEX_IF_NEEDED] = "non-ascii",
	[TEXT_STRINGS_HEX] = "all",
	NULL,
};

static struct error *set_expression(struct options *options, const char *text);

static const struct option_row rows[] = {
	{'e', NULL, OPTION_NEEDS_ARGUMENT, "[QUALIFIER=]SET", "General",
		"a qualifying expression: [QUALIFIER=]SET, where SET is\n"
		"[!]VALUE[,VALUE]...;\n"
		"QUALIFIER is trace (t, if not given), abbrev (a), verbose (v),\n"
		"raw (x), signal (s), status, quiet (q), read (r), write (w),\n"
		"inject, fault, trace-fds (fd), decode-fds or decode-pids: the option of that name",
		set_expression},
	{'p', "attach", OPTION_NEEDS_ARGUMENT, "PID[,PID]...", "Startup",
		"trace running processes; may be repeated", choose_attach},
	{'E', "env", OPTION_NEEDS_ARGUMENT, "VAR[=VAL]", NULL,
		"put VAR=VAL in the environment of the command, or remove VAR",
		startup_options_environment},
	{'u', "user", OPTION_NEEDS_ARGUMENT, "USER", NULL,
		"run the command as USER: a name or UID:GID; needs root", startup_options_user},
	{0, "argv0", OPTION_NEEDS_ARGUMENT, "NAME", NULL,
		"the first word of the command as it sees it itself", TEXT(session.startup.argv0)},
	{0, "uid", OPTION_NEEDS_ARGUMENT, "USER", NULL,
		"trace the processes of a user that run now", choose_by_user},
	{0, "cgroup", OPTION_NEEDS_ARGUMENT, "PATH", NULL,
		"trace the processes of a control group that run now", choose_by_cgroup},
	{0, "tid", OPTION_NEEDS_ARGUMENT, "TID[,TID]...", NULL, "trace running threads alone",
		choose_threads},
	{0, "observe", OPTION_NO_ARGUMENT, NULL, NULL,
		"never stop anything: calls come from the kernel's tracepoints,\n"
		"strings are read afterwards and marked with ?",
		FLAG(session.observe.enabled)},
	{0, "all-cpus", OPTION_NO_ARGUMENT, NULL, NULL,
		"observe all processes, as long as COMMAND runs if there is one",
		observe_options_everything},
	{0, "sched", OPTION_NO_ARGUMENT, NULL, NULL,
		"at the end, how long each thread was on a processor and waited",
		FLAG(session.sched)},
	{'f', "follow-forks", OPTION_NO_ARGUMENT, NULL, "Tracing",
		"trace children and threads too; -ff: with a file for each", choose_follow},
	{'b', "detach-on", OPTION_NEEDS_ARGUMENT, "SYSCALL", NULL,
		"let go what makes this call (execve only)", startup_options_detach_on},
	{'I', "interruptible", OPTION_NEEDS_ARGUMENT, "WHEN", NULL,
		"which signals end tracer: 1, anywhere, and 2, waiting: all;\n"
		"3, never: none, the command gets them (as with -o); 4,\n"
		"never_tstp: nor does SIGTSTP stop it",
		startup_options_interruptible},
	{0, "kill-on-exit", OPTION_NO_ARGUMENT, NULL, NULL, "kill all tasks if tracer is killed",
		FLAG(session.kill_on_exit)},
	{0, "scheduling", OPTION_NEEDS_ARGUMENT, "WAY", NULL,
		"which CPU tracer itself runs on: auto (what measures best),\n"
		"follow (the task's) or off (as the kernel decides)",
		CHOICE(session.scheduling, schedulings, 0)},
	{'d', "debug", OPTION_NO_ARGUMENT, NULL, NULL,
		"tell on standard error which seccomp filter and scheduling\n"
		"were chosen, and why",
		FLAG(session.debug)},
	{0, "trace", OPTION_NEEDS_ARGUMENT, "SET", "Filtering",
		"show only these calls: names, %class, /regex, all, none;\n"
		"! in front: all but these (same as -e trace=SET)",
		filter_options_calls},
	{0, "signal", OPTION_NEEDS_ARGUMENT, "SET", NULL,
		"show only these signals: names, numbers, all, none", filter_options_signals},
	{0, "status", OPTION_NEEDS_ARGUMENT, "SET", NULL,
		"show only calls that ended so: successful, failed,\n"
		"unfinished, unavailable, detached",
		filter_options_statuses},
	{'P', "trace-path", OPTION_NEEDS_ARGUMENT, "PATH", NULL,
		"show only calls that touch PATH or anything below it;\n"
		"=PATH: not below it, !PATH: all but these; *, ?, [], **",
		filter_options_path},
	{0, "trace-fds", OPTION_NEEDS_ARGUMENT, "SET", NULL,
		"show only calls with one of these descriptors; with -P\n"
		"beside it also those",
		filter_options_fds},
	{0, "path-view", OPTION_NEEDS_ARGUMENT, "VIEW", NULL,
		"whose names the paths of -P are: tracer (as you see them)\n"
		"or target (as the traced tasks see them)",
		CHOICE(query.paths.target_view, path_views, 0)},
	{'z', "successful-only", OPTION_NO_ARGUMENT, NULL, NULL,
		"show only calls that returned without an error",
		VALUE(query.statuses, QUERY_STATUS_SUCCESSFUL)},
	{'Z', "failed-only", OPTION_NO_ARGUMENT, NULL, NULL,
		"show only calls that returned with an error",
		VALUE(query.statuses, QUERY_STATUS_FAILED)},
	{0, "failure", OPTION_NO_ARGUMENT, NULL, NULL, "the same",
		VALUE(query.statuses, QUERY_STATUS_FAILED)},
	{0, "duration", OPTION_NEEDS_ARGUMENT, "MS", NULL,
		"show only calls that took at least MS milliseconds",
		DURATION(session.thresholds.duration, NS_PER_MS, 0)},
	{0, "min-stack", OPTION_NEEDS_ARGUMENT, "FRAMES", NULL,
		"show only calls and page faults with at least FRAMES frames",
		NUMBER(session.thresholds.frames, 0, INT_MAX)},
	{0, "filter-pids", OPTION_NEEDS_ARGUMENT, "PID[,PID]...", NULL,
		"show nothing of these processes and threads", choose_hidden},
	{0, "max-events", OPTION_NEEDS_ARGUMENT, "COUNT", NULL,
		"let all tasks go after COUNT calls, page faults and signals",
		NUMBER(session.thresholds.events, 1, UINT64_MAX)},
	{0, "syscall-limit", OPTION_NEEDS_ARGUMENT, "LIMIT", NULL,
		"let all tasks go after LIMIT calls",
		NUMBER(session.thresholds.calls, 1, UINT64_MAX)},
	{0, "seccomp-bpf", OPTION_MAY_HAVE_ARGUMENT, "WHEN", NULL,
		"let a seccomp filter pass calls that are not asked for:\n"
		"auto (where it does no harm), on or off",
		CHOICE(session.filter, filters, SESSION_FILTER_ON)},
	{0, "inject", OPTION_NEEDS_ARGUMENT, "SET:WHAT[:WHAT]...", "Tampering",
		"tamper with these calls where they are shown:\n"
		"error=ERRNO or retval=VALUE instead of making them,\n"
		"signal=SIGNAL, syscall=NAME, delay_enter=TIME,\n"
		"delay_exit=TIME, poke_enter=@argN=HEX, poke_exit=...,\n"
		"when=FIRST[..LAST][+[STEP]]",
		inject_options_add},
	{0, "fault", OPTION_NEEDS_ARGUMENT, "SET[:WHAT]...", NULL,
		"the same with error=ENOSYS if no error is given", inject_options_add_fault},
	{'k', "stack-traces", OPTION_NO_ARGUMENT, NULL, "Stacks",
		"show the user stack of every call and signal, with source\n"
		"lines and inlined calls",
		stack_options_trace},
	{0, "stack-trace", OPTION_MAY_HAVE_ARGUMENT, "STYLE", NULL,
		"the same in a STYLE: source (as -k) or symbol (names only)", stack_options_trace},
	{0, "call-graph", OPTION_MAY_HAVE_ARGUMENT, "MODE", NULL,
		"as -k, with stacks found by: dwarf[,SIZE] unwind rules\n"
		"(of page faults from SIZE bytes of the stack, 16k),\n"
		"fp frame pointers, or libunwind the library",
		stack_options_call_graph},
	{0, "kernel-stack", OPTION_NO_ARGUMENT, NULL, NULL,
		"show where calls are in the kernel, and where tasks sleep\n"
		"that are attached to",
		FLAG(session.kernel_stack)},
	{0, "stack-if", OPTION_NEEDS_ARGUMENT, "WHEN", NULL,
		"show the stacks of these calls only: error (those that\n"
		"failed), slow:DURATION (that took so long)",
		stack_options_if},
	{0, "stack-after", OPTION_NEEDS_ARGUMENT, "DURATION", NULL,
		"show the stack of a call that still runs after DURATION\n"
		"(500ms, 2s), while it runs",
		DURATION(session.stacks.after, NS_PER_S, 1)},
	{0, "stack-pid", OPTION_NO_ARGUMENT, NULL, NULL,
		"put the process number in front of the lines of stacks too,\n"
		"where the other lines have it",
		FLAG(session.output.stack_pid)},
	{0, "stack-args", OPTION_NO_ARGUMENT, NULL, NULL,
		"as -k, with the values of the functions' parameters", stack_options_args},
	{0, "stack-trace-frame-limit", OPTION_NEEDS_ARGUMENT, "LIMIT", NULL,
		"show at most LIMIT frames of a stack (256): the innermost\n"
		"and the outermost ones",
		NUMBER(session.unwind.frame_limit, 2, 100000)},
	{0, "max-stack", OPTION_NEEDS_ARGUMENT, "LIMIT", NULL, "the same",
		NUMBER(session.unwind.frame_limit, 2, 100000)},
	{0, "no-inlines", OPTION_NO_ARGUMENT, NULL, NULL, "do not show inlined calls",
		FLAG(session.unwind.no_inlines)},
	{0, "no-cache", OPTION_NO_ARGUMENT, NULL, NULL,
		"neither use nor keep names and lines that earlier runs found", FLAG(no_cache)},
	{0, "pf", OPTION_MAY_HAVE_ARGUMENT, "KIND", "Page faults",
		"show page faults too: maj (that waited for a disk; if not\n"
		"given), min (others) or all",
		fault_options_kinds},
	{0, "no-syscalls", OPTION_NO_ARGUMENT, NULL, NULL, "show no system calls, only the rest",
		filter_options_no_calls},
	{0, "ring-size", OPTION_NEEDS_ARGUMENT, "SIZE", NULL,
		"let a processor's buffer for page faults grow to SIZE bytes\n"
		"(k, M, G; 32M if not given)",
		fault_options_ring_size},
	{0, "debug-dir", OPTION_NEEDS_ARGUMENT, "DIR", "Symbols",
		"look for debug files in DIR before /usr/lib/debug; may be\n"
		"repeated",
		symbol_options_debug_dir},
	{0, "sysroot", OPTION_NEEDS_ARGUMENT, "DIR", NULL,
		"look for programs, libraries and debug files below DIR too",
		symbol_options_sysroot},
	{0, "debuginfod", OPTION_MAY_HAVE_ARGUMENT, "URL[,URL]...", NULL,
		"ask these servers (or those of $DEBUGINFOD_URLS) for debug\n"
		"files that are missing; what is shown waits, tasks do not",
		symbol_options_debuginfod},
	{0, "explain-symbols", OPTION_MAY_HAVE_ARGUMENT, "MODULE", NULL,
		"say what gives names and lines in each module (or MODULE),\n"
		"what was tried in vain and what to do about it: with -k at\n"
		"the end and on SIGUSR1, else of -p PID or of FILE...",
		symbol_options_explain},
	{0, "explain-lookups", OPTION_NO_ARGUMENT, NULL, NULL,
		"say how the command looks for debug files: paths, results,\n"
		"the code that tried, and where the right files are",
		symbol_options_lookups},
	{'c', "summary-only", OPTION_NO_ARGUMENT, NULL, "Statistics",
		"count calls, their times and errors instead of showing them",
		summary_options_only},
	{'C', "summary", OPTION_NO_ARGUMENT, NULL, NULL, "count and show them",
		FLAG(session.summary.enabled)},
	{0, "summary-by", OPTION_NEEDS_ARGUMENT, "WHAT", NULL,
		"a table for each thread, with least, mean and largest time\n"
		"(WHAT: thread)",
		summary_options_by},
	{0, "errno-summary", OPTION_NO_ARGUMENT, NULL, NULL,
		"count the errors of each call by name", FLAG(session.summary.errors)},
	{'O', "summary-syscall-overhead", OPTION_NEEDS_ARGUMENT, "OVERHEAD", NULL,
		"leave out OVERHEAD of each call's time (us, ms, ns or s)",
		DURATION(session.summary.overhead, NS_PER_US, 0)},
	{'S', "summary-sort-by", OPTION_NEEDS_ARGUMENT, "SORTBY", NULL,
		"sort by time, min-time, max-time, avg-time, calls, errors,\n"
		"name or nothing",
		summary_options_sort},
	{'U', "summary-columns", OPTION_NEEDS_ARGUMENT, "COLUMNS", NULL,
		"of time-percent, total-time, min-time, max-time, avg-time,\n"
		"wall-total, wall-min, wall-max, wall-avg, calls, errors, name",
		summary_options_columns},
	{'w', "summary-wall-clock", OPTION_NO_ARGUMENT, NULL, NULL,
		"time from begin to end, not that on a processor", FLAG(session.summary.wall)},
	{'a', "columns", OPTION_NEEDS_ARGUMENT, "COLUMN", "Output",
		"align results at COLUMN (40 if not given)", NUMBER(session.output.align, 0, 1000)},
	{'o', "output", OPTION_NEEDS_ARGUMENT, "FILE", NULL,
		"write the trace to FILE instead of standard error", TEXT(output_path)},
	{'A', "output-append-mode", OPTION_NO_ARGUMENT, NULL, NULL, "append to the file of -o",
		FLAG(output_append)},
	{0, "output-separately", OPTION_NO_ARGUMENT, NULL, NULL,
		"a file for each process: FILE.PID (as -ff)", FLAG(output_separately)},
	{0, "format", OPTION_NEEDS_ARGUMENT, "FORMAT", NULL,
		"text (as strace prints), json (an object per line) or perf\n"
		"(as perf trace prints)",
		output_options_format},
	{'i', "instruction-pointer", OPTION_NO_ARGUMENT, NULL, NULL,
		"where in the code each call was made", FLAG(session.output.instruction_pointer)},
	{'n', "syscall-number", OPTION_NO_ARGUMENT, NULL, NULL, "the number of each call",
		FLAG(session.output.call_number)},
	{'N', "arg-names", OPTION_NO_ARGUMENT, NULL, NULL, "arguments with their names",
		FLAG(session.output.style.argument_names)},
	{0, "always-show-pid", OPTION_NO_ARGUMENT, NULL, NULL,
		"the process number on all lines, even of one process alone",
		FLAG(session.output.pid_always)},
	{'q', "quiet", OPTION_MAY_HAVE_ARGUMENT, "SET", NULL,
		"leave out messages: -q attach and personality, -qq exit\n"
		"too, -qqq all; SET: attach, exit, path-resolution,\n"
		"personality, symbols, thread-execve, all, none",
		output_options_quiet},
	{'s', "string-limit", OPTION_NEEDS_ARGUMENT, "SIZE", NULL,
		"show at most SIZE bytes of a string (32 if not given);\n"
		"paths are always whole",
		NUMBER(session.decode.string_limit, 0, 32 * 1024 * 1024)},
	{'t', "absolute-timestamps", OPTION_MAY_HAVE_ARGUMENT, "FORMAT", NULL,
		"time of day in front of each line; -tt with microseconds,\n"
		"-ttt as seconds since the epoch; FORMAT: none, time or\n"
		"unix, then s, ms, us or ns behind a comma",
		time_options_clock},
	{0, "timestamps", OPTION_MAY_HAVE_ARGUMENT, "FORMAT", NULL,
		"the same as --absolute-timestamps", time_options_clock},
	{'r', "relative-timestamps", OPTION_MAY_HAVE_ARGUMENT, "PRECISION", NULL,
		"time since the line before; PRECISION: s, ms, us or ns", time_options_relative},
	{'T', "syscall-times", OPTION_MAY_HAVE_ARGUMENT, "PRECISION", NULL,
		"time spent in each call; PRECISION: s, ms, us or ns", time_options_durations},
	{'v', "no-abbrev", OPTION_NO_ARGUMENT, NULL, NULL, "show structures and arrays whole",
		output_options_verbose},
	{0, "abbrev", OPTION_NEEDS_ARGUMENT, "SET", NULL,
		"shorten the structures of these calls only", style_options_abbrev},
	{0, "verbose", OPTION_NEEDS_ARGUMENT, "SET", NULL,
		"show structures of these calls only, of others their address",
		style_options_verbose},
	{0, "raw", OPTION_NEEDS_ARGUMENT, "SET", NULL, "show arguments of these calls as numbers",
		style_options_raw},
	{0, "read", OPTION_NEEDS_ARGUMENT, "SET", NULL,
		"dump all data that is read from these descriptors", style_options_read},
	{0, "write", OPTION_NEEDS_ARGUMENT, "SET", NULL,
		"dump all data that is written to these descriptors", style_options_write},
	{'X', "const-print-style", OPTION_NEEDS_ARGUMENT, "STYLE", NULL,
		"how constants are shown: abbrev (O_RDONLY), raw (0) or\n"
		"verbose (both)",
		CHOICE(session.output.style.constants, constant_styles, 0)},
	{'x', NULL, OPTION_NO_ARGUMENT, NULL, NULL,
		"show strings that are not text in hexadecimal; -xx: all", style_options_hex},
	{0, "strings-in-hex", OPTION_MAY_HAVE_ARGUMENT, "WHICH", NULL,
		"the same; WHICH: none, non-ascii-chars, non-ascii, all",
		CHOICE(session.output.style.strings, string_styles, TEXT_STRINGS_HEX)},
	{'y', "decode-fds", OPTION_MAY_HAVE_ARGUMENT, "SET", NULL,
		"show the paths of descriptors; -yy, or SET all: what\n"
		"else is behind them (SET: path, dev, socket, pidfd,\n"
		"eventfd, signalfd, none)",
		decode_options_fds},
	{'Y', NULL, OPTION_NO_ARGUMENT, NULL, NULL,
		"show the command names of processes and threads", decode_options_pids},
	{0, "decode-pids", OPTION_NEEDS_ARGUMENT, "SET", NULL, "the same; SET: comm, all, none",
		decode_options_pids},
	{'h', "help", OPTION_NO_ARGUMENT, NULL, "Help", "print this text", FLAG(help)},
	{'V', "version", OPTION_NO_ARGUMENT, NULL, NULL,
		"print the version and what it was built with", FLAG(version)},
};

const struct option_row *option_table(size_t *count_ret)
{
	*count_ret = ARRAY_SIZE(rows);
	return rows;
}

struct error *option_row_set(
	const struct option_row *row, struct options *options, const char *argument)
{
	const char letter[] = {'-', row->short_name, 0};
	struct buf name = {0};
	struct error *error;

	if (row->set) {
		error = row->set(options, argument);
		// What may stand in a set is no matter of --help.
		if (error && row->argument &&
			(strstr(row->argument, "SET") || strstr(row->argument, "PID")))
			error->code = EINVAL;
		return error;
	}
	if (row->short_name)
		buf_string(&name, letter);
	else
		buf_printf(&name, "--%s", row->long_name);
	error = option_field_set(&row->field, options, buf_text(&name), argument);
	buf_deinit(&name);
	return error;
}

static void print_row(const struct option_row *row)
{
	enum { INDENT = 16 };
	char left[80];
	int length = 0;
	bool is_optional = row->argument_kind == OPTION_MAY_HAVE_ARGUMENT;

	if (row->short_name)
		length += snprintf(left, sizeof(left), "  -%c%s%s", row->short_name,
			row->argument && !is_optional ? " " : "",
			row->argument && !is_optional ? row->argument : "");
	else
		length += snprintf(left, sizeof(left), "  ");
	if (row->long_name)
		length += snprintf(left + length, sizeof(left) - (size_t)length, "%s--%s%s%s%s%s",
			row->short_name ? ", " : "    ", row->long_name, is_optional ? "[" : "",
			row->argument ? "=" : "", row->argument ? row->argument : "",
			is_optional ? "]" : "");
	printf("%s\n", left);
	for (const char *line = row->help, *text; line;) {
		size_t size;

		parse_list(&line, '\n', &text, &size);
		printf("%*s%.*s\n", INDENT, "", (int)size, text);
	}
}

void option_table_help(void)
{
	printf("Usage: tracer [OPTION]... COMMAND [ARGUMENT]...\n"
	       "   or: tracer [OPTION]... -p PID[,PID]...\n"
	       "Traces system calls and signals, with stacks that have names.\n");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (rows[i].section)
			printf("\n%s:\n", rows[i].section);
		print_row(&rows[i]);
	}
	printf("\nEverything below a directory, and whose code did it:\n"
	       "  tracer -f -k -P /usr/lib/debug gdb -batch /usr/bin/objdump\n");
}

// A qualifier stands for the long option of that name.
static struct error *set_expression(struct options *options, const char *text)
{
	const char *argument, *name = expression_option(text, &argument);

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (rows[i].long_name && strcmp(rows[i].long_name, name) == 0)
			return option_row_set(&rows[i], options, argument);
	}
	assert(!"a qualifier of -e without its option");
	return NULL;
}
