// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "cli/option_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bits.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/parse.h"
#include "cli/choose.h"
#include "cli/expression.h"
#include "cli/observe_options.h"
#include "cli/options.h"
#include "cli/stack_options.h"
#include "cli/style_options.h"
#include "cli/symbol_options.h"
#include "cli/time_options.h"

static void add_attached(struct options *options, int pid)
{
	*array_add(&options->pids) = pid;
}

static void add_hidden(struct options *options, int pid)
{
	*array_add(&options->hidden) = pid;
}

static struct error *parse_pids(struct options *options, const char *argument,
	void (*add)(struct options *options, int pid))
{
	const char *item;
	size_t length;

	// strace takes lists separated by commas and white space, as pidof prints them.
	while (*argument) {
		cleanup_free char *text = NULL;
		int pid;

		length = strcspn(argument, ", \t\n");
		item = argument;
		argument += length + !!argument[length];
		if (!length)
			continue;
		text = xstrndup(item, length);
		if (!parse_int(text, &pid) || pid == 0)
			return error_create("invalid process id: '%s'", text);
		add(options, pid);
	}
	return NULL;
}

static struct error *set_attach(struct options *options, const char *argument)
{
	return parse_pids(options, argument, add_attached);
}

static struct error *set_tids(struct options *options, const char *argument)
{
	options->has_tids = true;
	return parse_pids(options, argument, add_attached);
}

static struct error *set_filter_pids(struct options *options, const char *argument)
{
	return parse_pids(options, argument, add_hidden);
}

// As in perf trace, milliseconds with a fraction; a unit may be given.
static struct error *set_duration(struct options *options, const char *argument)
{
	char *end;
	double milliseconds = strtod(argument, &end);

	if (end != argument && !*end && milliseconds >= 0 && milliseconds < 1e12)
		options->session.enough.duration = (uint64_t)(milliseconds * 1e6);
	else if (!parse_duration(argument, &options->session.enough.duration))
		return error_create("invalid duration '%s' (milliseconds)", argument);
	return NULL;
}

static struct error *set_min_stack(struct options *options, const char *argument)
{
	int frames;

	if (!parse_int(argument, &frames))
		return error_create("invalid number of frames '%s'", argument);
	options->session.enough.frames = (size_t)frames;
	return NULL;
}

static struct error *set_max_events(struct options *options, const char *argument)
{
	if (!parse_u64(argument, &options->session.enough.events) ||
		!options->session.enough.events)
		return error_create("invalid number of events '%s'", argument);
	return NULL;
}

static struct error *set_follow(struct options *options, const char *argument)
{
	(void)argument;
	if (options->session.follow)
		return error_create("-ff (a file per process) is not supported yet");
	options->session.follow = true;
	return NULL;
}

static struct error *set_trace(struct options *options, const char *argument)
{
	return query_set_calls(&options->query, argument);
}

static struct error *set_signal(struct options *options, const char *argument)
{
	return query_set_signals(&options->query, argument);
}

static struct error *set_status(struct options *options, const char *argument)
{
	return query_set_statuses(&options->query, argument);
}

static struct error *set_path(struct options *options, const char *argument)
{
	if (!*argument)
		return error_create("-P needs a path that is not empty");
	*array_add(&options->trace_paths) = argument;
	return NULL;
}

static struct error *set_path_view(struct options *options, const char *argument)
{
	options->query.paths.target_view = strcmp(argument, "target") == 0;
	if (options->query.paths.target_view || strcmp(argument, "tracer") == 0)
		return NULL;
	return error_create("unknown view of paths '%s' (known: tracer, target)", argument);
}

static struct error *set_successful(struct options *options, const char *argument)
{
	(void)argument;
	options->query.statuses = QUERY_STATUS_SUCCESSFUL;
	return NULL;
}

static struct error *set_failed(struct options *options, const char *argument)
{
	(void)argument;
	options->query.statuses = QUERY_STATUS_FAILED;
	return NULL;
}

static struct error *set_columns(struct options *options, const char *argument)
{
	int columns;

	if (!parse_int(argument, &columns) || columns > 1000)
		return error_create("invalid -a argument: '%s'", argument);
	options->session.output.align = (unsigned)columns;
	return NULL;
}

static struct error *set_output(struct options *options, const char *argument)
{
	options->output_path = argument;
	return NULL;
}

static struct error *set_append(struct options *options, const char *argument)
{
	(void)argument;
	options->output_append = true;
	return NULL;
}

static struct error *set_format(struct options *options, const char *argument)
{
	const struct output_format *const *formats = output_formats();

	options->session.format = output_format_by_name(argument);
	if (options->session.format)
		return NULL;
	return error_create("unknown format '%s' (known: %s, %s, %s)", argument, formats[0]->name,
		formats[1]->name, formats[2]->name);
}

static struct error *set_string_limit(struct options *options, const char *argument)
{
	int limit;

	if (!parse_int(argument, &limit) || limit > 32 * 1024 * 1024)
		return error_create("invalid -s argument: '%s' (bytes, at most 32 MiB)", argument);
	options->session.decode.string_limit = (size_t)limit;
	return NULL;
}

static struct error *set_stack_trace(struct options *options, const char *argument)
{
	if (!argument || strcmp(argument, "source") == 0) {
		options->session.output.stack = OUTPUT_STACK_SOURCE;
	} else if (strcmp(argument, "symbol") == 0) {
		options->session.output.stack = OUTPUT_STACK_SYMBOL;
		options->session.unwind.no_lines = true;
	} else {
		return error_create("unknown stack style '%s' (known: source, symbol)", argument);
	}
	return NULL;
}

static struct error *set_no_cache(struct options *options, const char *argument)
{
	(void)argument;
	options->no_cache = true;
	return NULL;
}

static struct error *set_faults(struct options *options, const char *argument)
{
	struct fault_options *faults = &options->session.faults;
	bool all = argument && strcmp(argument, "all") == 0;
	bool minor = argument && strcmp(argument, "min") == 0;

	if (argument && !all && !minor && strcmp(argument, "maj") != 0)
		return error_create("unknown page faults '%s' (known: min, maj, all)", argument);
	faults->minor |= all || minor;
	faults->major |= !minor;
	return NULL;
}

static struct error *set_no_syscalls(struct options *options, const char *argument)
{
	(void)argument;
	return query_set_calls(&options->query, "none");
}

// A size with k, M or G; false if it is not one.
static bool parse_size(const char *text, uint64_t most, uint64_t *ret)
{
	static const char units[] = "kKmMgG";
	const char *cursor = text, *unit;
	uint64_t size;

	if (!parse_decimal_at(&cursor, &size) || size > most)
		return false;
	unit = *cursor ? strchr(units, *cursor) : NULL;
	if (unit) {
		size <<= 10 * ((unit - units) / 2 + 1);
		cursor++;
	}
	if (*cursor || !size || size > most)
		return false;
	*ret = size;
	return true;
}

static struct error *set_ring_size(struct options *options, const char *argument)
{
	uint64_t size;

	if (!parse_size(argument, UINT64_C(1) << 30, &size) || size < 4096)
		return error_create("invalid ring size '%s' (4k to 1G)", argument);
	options->session.faults.ring_most = (size_t)size;
	return NULL;
}

// dwarf[,SIZE] | fp | libunwind | lbr
static struct error *set_call_graph(struct options *options, const char *argument)
{
	enum unwind_engine *engine = &options->session.unwind.engine;
	struct fault_options *faults = &options->session.faults;
	const char *size_text = argument ? strchr(argument, ',') : NULL;
	size_t length = argument ? strcspn(argument, ",") : 0;
	uint64_t size = 0;

	if (length == 3 && strncmp(argument, "lbr", 3) == 0)
		return error_create(
			"--call-graph=lbr: branch records belong to events of the "
			"processor, and calls and page faults are none (use dwarf or fp)");
	if (length == 2 && strncmp(argument, "fp", 2) == 0 && !size_text) {
		faults->stack = FAULT_STACK_FRAME_POINTER;
		*engine = UNWIND_ENGINE_FRAME_POINTER;
	} else if (argument && strcmp(argument, "libunwind") == 0) {
		faults->stack = FAULT_STACK_DWARF;
		*engine = UNWIND_ENGINE_LIBUNWIND;
		if (!unwind_engine_is_built(*engine))
			return error_create("--call-graph=libunwind: this tracer was built without "
					    "libunwind");
	} else if (!argument || (length == 5 && strncmp(argument, "dwarf", 5) == 0)) {
		faults->stack = FAULT_STACK_DWARF;
		*engine = UNWIND_ENGINE_DWARF;
	} else {
		return error_create(
			"unknown call graph '%s' (known: dwarf[,SIZE], fp, libunwind)", argument);
	}
	// The kernel's limits: a record has less than 64 KiB.
	if (size_text && (!parse_size(size_text + 1, 63 * 1024, &size) || size < 64))
		return error_create("invalid stack size '%s' (64 to 63k bytes)", size_text + 1);
	faults->stack_size = (unsigned)align_up(size, 8);
	if (options->session.output.stack == OUTPUT_STACK_NONE)
		options->session.output.stack = OUTPUT_STACK_SOURCE;
	return NULL;
}

static struct error *set_kernel_stack(struct options *options, const char *argument)
{
	(void)argument;
	options->session.kernel_stack = true;
	return NULL;
}

static struct error *set_stack_args(struct options *options, const char *argument)
{
	(void)argument;
	options->session.unwind.args = true;
	if (options->session.output.stack == OUTPUT_STACK_NONE)
		options->session.output.stack = OUTPUT_STACK_SOURCE;
	return NULL;
}

static struct error *set_frame_limit(struct options *options, const char *argument)
{
	int limit;

	if (!parse_int(argument, &limit) || limit < 2 || limit > 100000)
		return error_create("invalid limit of frames '%s' (2 to 100000)", argument);
	options->session.unwind.frame_limit = (size_t)limit;
	return NULL;
}

static struct error *set_summary(struct options *options, const char *argument)
{
	(void)argument;
	options->session.summary.enabled = true;
	return NULL;
}

static struct error *set_summary_only(struct options *options, const char *argument)
{
	options->summary_only = true;
	return set_summary(options, argument);
}

static struct error *set_summary_wall(struct options *options, const char *argument)
{
	(void)argument;
	options->session.summary.wall = true;
	return NULL;
}

static struct error *set_summary_overhead(struct options *options, const char *argument)
{
	uint64_t number;

	// As in strace a number alone means microseconds.
	if (parse_u64(argument, &number) && number <= UINT64_MAX / 1000)
		options->session.summary.overhead = 1000 * number;
	else if (!parse_duration(argument, &options->session.summary.overhead))
		return error_create("invalid -O argument: '%s'", argument);
	return NULL;
}

static struct error *set_summary_sort(struct options *options, const char *argument)
{
	return summary_sort_parse(argument, &options->session.summary.sort);
}

static struct error *set_summary_columns(struct options *options, const char *argument)
{
	return summary_columns_parse(argument, &options->session.summary.columns);
}

static struct error *set_summary_by(struct options *options, const char *argument)
{
	if (strcmp(argument, "thread") != 0)
		return error_create("cannot make a summary by '%s' (known: thread)", argument);
	options->session.summary.by_thread = true;
	// Per thread, what counts is where its time went.
	options->session.summary.wall = true;
	return NULL;
}

static struct error *set_errno_summary(struct options *options, const char *argument)
{
	(void)argument;
	options->session.summary.errors = true;
	return NULL;
}

static struct error *set_no_inlines(struct options *options, const char *argument)
{
	(void)argument;
	options->session.unwind.no_inlines = true;
	return NULL;
}

static struct error *set_verbose(struct options *options, const char *argument)
{
	(void)argument;
	options->session.decode.verbose = true;
	options->session.output.style.verbose = true;
	return NULL;
}

static struct error *set_decode_fds(struct options *options, const char *argument)
{
	if (++options->decode_fds_count > 1 || (argument && strcmp(argument, "path") != 0))
		return error_create("of the descriptor details only paths are supported (-y)");
	options->session.decode.fd_paths = true;
	return NULL;
}

static struct error *set_quiet(struct options *options, const char *argument)
{
	static const unsigned levels[] = {
		SESSION_QUIET_SYMBOLS | SESSION_QUIET_ATTACH | SESSION_QUIET_PERSONALITY,
		SESSION_QUIET_SYMBOLS | SESSION_QUIET_ATTACH | SESSION_QUIET_PERSONALITY |
			SESSION_QUIET_EXIT,
		SESSION_QUIET_ALL,
	};
	size_t level = options->quiet_count++;

	if (argument)
		return expression_quiet(options, argument);
	options->session.quiet |= levels[level < ARRAY_SIZE(levels) ? level : 2];
	return NULL;
}

static struct error *set_filter(struct options *options, const char *argument)
{
	static const struct {
		const char *name;
		enum session_filter filter;
	} names[] = {
		{"auto", SESSION_FILTER_AUTO},
		{"on", SESSION_FILTER_ON},
		{"off", SESSION_FILTER_OFF},
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (strcmp(argument ? argument : "on", names[i].name) == 0) {
			options->session.filter = names[i].filter;
			return NULL;
		}
	}
	return error_create(
		"unknown argument '%s' of --seccomp-bpf (known: auto, on, off)", argument);
}

static struct error *set_debug(struct options *options, const char *argument)
{
	(void)argument;
	options->session.debug = true;
	return NULL;
}

static struct error *set_scheduling(struct options *options, const char *argument)
{
	static const struct {
		const char *name;
		enum schedule_choice choice;
	} names[] = {
		{"auto", SCHEDULE_AUTO},
		{"follow", SCHEDULE_FOLLOW},
		{"off", SCHEDULE_OFF},
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (strcmp(argument, names[i].name) == 0) {
			options->session.scheduling = names[i].choice;
			return NULL;
		}
	}
	return error_create("unknown scheduling '%s' (known: auto, follow, off)", argument);
}

static struct error *set_help(struct options *options, const char *argument)
{
	(void)argument;
	options->help = true;
	return NULL;
}

static struct error *set_version(struct options *options, const char *argument)
{
	(void)argument;
	options->version = true;
	return NULL;
}

static const struct option_row rows[] = {
	{'e', NULL, OPTION_NEEDS_ARGUMENT, "EXPR", "General",
		"a qualifying expression: [QUALIFIER=][!]VALUE[,VALUE]...\n"
		"qualifiers: trace (t), signal (s), status, quiet (q),\n"
		"decode-fds",
		expression_set},
	{'p', "attach", OPTION_NEEDS_ARGUMENT, "PID[,PID]...", "Startup",
		"trace running processes; may be repeated", set_attach},
	{0, "uid", OPTION_NEEDS_ARGUMENT, "USER", NULL,
		"trace the processes of a user that run now", choose_by_user},
	{0, "cgroup", OPTION_NEEDS_ARGUMENT, "PATH", NULL,
		"trace the processes of a control group that run now", choose_by_cgroup},
	{0, "tid", OPTION_NEEDS_ARGUMENT, "TID[,TID]...", NULL, "trace running threads alone",
		set_tids},
	{0, "observe", OPTION_NO_ARGUMENT, NULL, NULL,
		"never stop anything: calls come from the kernel's tracepoints,\n"
		"strings are read afterwards and marked with ?",
		observe_options_observe},
	{0, "all-cpus", OPTION_NO_ARGUMENT, NULL, NULL,
		"observe all processes, as long as COMMAND runs if there is one",
		observe_options_everything},
	{0, "sched", OPTION_NO_ARGUMENT, NULL, NULL,
		"at the end, how long each thread was on a processor and waited",
		observe_options_sched},
	{'f', "follow-forks", OPTION_NO_ARGUMENT, NULL, "Tracing", "trace children and threads too",
		set_follow},
	{0, "scheduling", OPTION_NEEDS_ARGUMENT, "WAY", NULL,
		"which CPU tracer itself runs on: auto (what measures best),\n"
		"follow (the task's) or off (as the kernel decides)",
		set_scheduling},
	{'d', "debug", OPTION_NO_ARGUMENT, NULL, NULL,
		"tell on standard error which seccomp filter and scheduling\n"
		"were chosen, and why",
		set_debug},
	{0, "trace", OPTION_NEEDS_ARGUMENT, "SET", "Filtering",
		"show only these calls: names, %class, /regex, all, none;\n"
		"! in front: all but these (same as -e trace=SET)",
		set_trace},
	{0, "signal", OPTION_NEEDS_ARGUMENT, "SET", NULL,
		"show only these signals: names, numbers, all, none", set_signal},
	{0, "status", OPTION_NEEDS_ARGUMENT, "SET", NULL,
		"show only calls that ended so: successful, failed,\n"
		"unfinished, unavailable, detached",
		set_status},
	{'P', "trace-path", OPTION_NEEDS_ARGUMENT, "PATH", NULL,
		"show only calls that touch PATH or anything below it;\n"
		"=PATH: not below it, !PATH: all but these; *, ?, [], **",
		set_path},
	{0, "path-view", OPTION_NEEDS_ARGUMENT, "VIEW", NULL,
		"whose names the paths of -P are: tracer (as you see them)\n"
		"or target (as the traced tasks see them)",
		set_path_view},
	{'z', "successful-only", OPTION_NO_ARGUMENT, NULL, NULL,
		"show only calls that returned without an error", set_successful},
	{'Z', "failed-only", OPTION_NO_ARGUMENT, NULL, NULL,
		"show only calls that returned with an error", set_failed},
	{0, "failure", OPTION_NO_ARGUMENT, NULL, NULL, "the same", set_failed},
	{0, "duration", OPTION_NEEDS_ARGUMENT, "MS", NULL,
		"show only calls that took at least MS milliseconds", set_duration},
	{0, "min-stack", OPTION_NEEDS_ARGUMENT, "FRAMES", NULL,
		"show only calls and page faults with at least FRAMES frames", set_min_stack},
	{0, "filter-pids", OPTION_NEEDS_ARGUMENT, "PID[,PID]...", NULL,
		"show nothing of these processes and threads", set_filter_pids},
	{0, "max-events", OPTION_NEEDS_ARGUMENT, "COUNT", NULL,
		"let all tasks go after COUNT calls, page faults and signals", set_max_events},
	{0, "seccomp-bpf", OPTION_MAY_HAVE_ARGUMENT, "WHEN", NULL,
		"let a seccomp filter pass calls that are not asked for:\n"
		"auto (where it does no harm), on or off",
		set_filter},
	{'k', "stack-traces", OPTION_NO_ARGUMENT, NULL, "Stacks",
		"show the user stack of every call and signal, with source\n"
		"lines and inlined calls",
		set_stack_trace},
	{0, "stack-trace", OPTION_MAY_HAVE_ARGUMENT, "STYLE", NULL,
		"the same in a STYLE: source (as -k) or symbol (names only)", set_stack_trace},
	{0, "call-graph", OPTION_MAY_HAVE_ARGUMENT, "MODE", NULL,
		"as -k, with stacks found by: dwarf[,SIZE] unwind rules\n"
		"(of page faults from SIZE bytes of the stack, 16k),\n"
		"fp frame pointers, or libunwind the library",
		set_call_graph},
	{0, "kernel-stack", OPTION_NO_ARGUMENT, NULL, NULL,
		"show where calls are in the kernel, and where tasks sleep\n"
		"that are attached to",
		set_kernel_stack},
	{0, "stack-if", OPTION_NEEDS_ARGUMENT, "WHEN", NULL,
		"show the stacks of these calls only: error (those that\n"
		"failed), slow:DURATION (that took so long)",
		stack_options_if},
	{0, "stack-after", OPTION_NEEDS_ARGUMENT, "DURATION", NULL,
		"show the stack of a call that still runs after DURATION\n"
		"(500ms, 2s), while it runs",
		stack_options_after},
	{0, "stack-pid", OPTION_NO_ARGUMENT, NULL, NULL,
		"put the process number in front of the lines of stacks too,\n"
		"where the other lines have it",
		stack_options_pid},
	{0, "stack-args", OPTION_NO_ARGUMENT, NULL, NULL,
		"as -k, with the values of the functions' parameters", set_stack_args},
	{0, "stack-trace-frame-limit", OPTION_NEEDS_ARGUMENT, "LIMIT", NULL,
		"show at most LIMIT frames of a stack (256): the innermost\n"
		"and the outermost ones",
		set_frame_limit},
	{0, "max-stack", OPTION_NEEDS_ARGUMENT, "LIMIT", NULL, "the same", set_frame_limit},
	{0, "no-inlines", OPTION_NO_ARGUMENT, NULL, NULL, "do not show inlined calls",
		set_no_inlines},
	{0, "no-cache", OPTION_NO_ARGUMENT, NULL, NULL,
		"neither use nor keep names and lines that earlier runs found", set_no_cache},
	{0, "pf", OPTION_MAY_HAVE_ARGUMENT, "KIND", "Page faults",
		"show page faults too: maj (that waited for a disk; if not\n"
		"given), min (others) or all",
		set_faults},
	{0, "no-syscalls", OPTION_NO_ARGUMENT, NULL, NULL, "show no system calls, only the rest",
		set_no_syscalls},
	{0, "ring-size", OPTION_NEEDS_ARGUMENT, "SIZE", NULL,
		"let a processor's buffer for page faults grow to SIZE bytes\n"
		"(k, M, G; 32M if not given)",
		set_ring_size},
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
		"count calls, their times and errors instead of showing them", set_summary_only},
	{'C', "summary", OPTION_NO_ARGUMENT, NULL, NULL, "count and show them", set_summary},
	{0, "summary-by", OPTION_NEEDS_ARGUMENT, "WHAT", NULL,
		"a table for each thread, with least, mean and largest time\n"
		"(WHAT: thread)",
		set_summary_by},
	{0, "errno-summary", OPTION_NO_ARGUMENT, NULL, NULL,
		"count the errors of each call by name", set_errno_summary},
	{'O', "summary-syscall-overhead", OPTION_NEEDS_ARGUMENT, "OVERHEAD", NULL,
		"leave out OVERHEAD of each call's time (us, ms, ns or s)", set_summary_overhead},
	{'S', "summary-sort-by", OPTION_NEEDS_ARGUMENT, "SORTBY", NULL,
		"sort by time, min-time, max-time, avg-time, calls, errors,\n"
		"name or nothing",
		set_summary_sort},
	{'U', "summary-columns", OPTION_NEEDS_ARGUMENT, "COLUMNS", NULL,
		"of time-percent, total-time, min-time, max-time, avg-time,\n"
		"calls, errors, name",
		set_summary_columns},
	{'w', "summary-wall-clock", OPTION_NO_ARGUMENT, NULL, NULL,
		"time from begin to end, not that on a processor", set_summary_wall},
	{'a', "columns", OPTION_NEEDS_ARGUMENT, "COLUMN", "Output",
		"align results at COLUMN (40 if not given)", set_columns},
	{'o', "output", OPTION_NEEDS_ARGUMENT, "FILE", NULL,
		"write the trace to FILE instead of standard error", set_output},
	{'A', "output-append-mode", OPTION_NO_ARGUMENT, NULL, NULL, "append to the file of -o",
		set_append},
	{0, "format", OPTION_NEEDS_ARGUMENT, "FORMAT", NULL,
		"text (as strace prints), json (an object per line) or perf\n"
		"(as perf trace prints)",
		set_format},
	{'q', "quiet", OPTION_MAY_HAVE_ARGUMENT, "SET", NULL,
		"leave out messages: -q attach and personality, -qq exit\n"
		"too, -qqq all; SET: attach, exit, path-resolution,\n"
		"personality, symbols, thread-execve, all, none",
		set_quiet},
	{'s', "string-limit", OPTION_NEEDS_ARGUMENT, "SIZE", NULL,
		"show at most SIZE bytes of a string (32 if not given);\n"
		"paths are always whole",
		set_string_limit},
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
		set_verbose},
	{'X', "const-print-style", OPTION_NEEDS_ARGUMENT, "STYLE", NULL,
		"how constants are shown: abbrev (O_RDONLY), raw (0) or\n"
		"verbose (both)",
		style_options_constants},
	{'x', NULL, OPTION_NO_ARGUMENT, NULL, NULL,
		"show strings that are not text in hexadecimal; -xx: all", style_options_hex},
	{0, "strings-in-hex", OPTION_MAY_HAVE_ARGUMENT, "WHICH", NULL,
		"the same; WHICH: none, non-ascii-chars, non-ascii, all", style_options_strings},
	{'y', "decode-fds", OPTION_MAY_HAVE_ARGUMENT, "SET", NULL,
		"show the paths of descriptors (SET: path)", set_decode_fds},
	{'h', "help", OPTION_NO_ARGUMENT, NULL, "Help", "print this text", set_help},
	{'V', "version", OPTION_NO_ARGUMENT, NULL, NULL,
		"print the version and what it was built with", set_version},
};

const struct option_row *option_table(size_t *count_ret)
{
	*count_ret = ARRAY_SIZE(rows);
	return rows;
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
	       "  tracer -f -k -P /usr/lib/debug gdb -batch -ex 'info line main' /bin/ls\n");
}
