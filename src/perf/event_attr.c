// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "perf/event_attr.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"

void event_attr_fault(
	struct perf_event_attr *attr, const struct event_options *options, uint64_t config)
{
	*attr = (struct perf_event_attr){
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(*attr),
		.config = config,
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			       PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_REGS_USER,
		.sample_regs_user = options->regs_mask,
		.read_format = PERF_FORMAT_LOST,
		.disabled = 1,
		.inherit = options->inherit,
		.exclude_kernel = options->user_only,
		.exclude_hv = 1,
		.exclude_callchain_kernel = !options->kernel_chain,
		.exclude_callchain_user = !options->user_chain,
		.comm = 1,
		.comm_exec = 1,
		.sample_id_all = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
	};
	if (options->kernel_chain || options->user_chain)
		attr->sample_type |= PERF_SAMPLE_CALLCHAIN;
	if (options->stack_size) {
		attr->sample_type |= PERF_SAMPLE_STACK_USER;
		attr->sample_stack_user = options->stack_size;
	}
}

struct record_layout event_attr_layout(const struct event_options *options)
{
	return (struct record_layout){
		.has_chain = options->kernel_chain || options->user_chain,
		.reg_count = (unsigned)__builtin_popcountll(options->regs_mask),
		.has_stack = options->stack_size,
	};
}

struct record_layout event_attr_call_layout(
	const struct event_options *options, enum record_kind kind)
{
	bool is_enter = kind == RECORD_ENTER;

	return (struct record_layout){
		.kind = kind,
		.regs = !is_enter	     ? RECORD_REGS_NONE
			: options->call_regs ? RECORD_REGS_ALL
					     : RECORD_REGS_WORD,
		.reg_count = (unsigned)__builtin_popcountll(options->regs_mask),
		.has_stack = is_enter && options->stack_size,
	};
}

void event_attr_call(struct perf_event_attr *attr, const struct event_options *options,
	enum record_kind kind, uint64_t id)
{
	struct record_layout layout = event_attr_call_layout(options, kind);

	*attr = (struct perf_event_attr){
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(*attr),
		.config = id,
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			       PERF_SAMPLE_RAW,
		.read_format = PERF_FORMAT_LOST,
		.disabled = 1,
		.inherit = options->inherit,
		.exclude_hv = 1,
		.sample_id_all = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
	};
	if (layout.regs != RECORD_REGS_NONE) {
		attr->sample_type |= PERF_SAMPLE_REGS_USER;
		attr->sample_regs_user = layout.regs == RECORD_REGS_ALL
						 ? options->regs_mask
						 : options->regs_mask & -options->regs_mask;
	}
	if (layout.has_stack) {
		attr->sample_type |= PERF_SAMPLE_STACK_USER;
		attr->sample_stack_user = options->stack_size;
	}
}

void event_attr_ring(struct perf_event_attr *attr, size_t watermark)
{
	*attr = (struct perf_event_attr){
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(*attr),
		.config = PERF_COUNT_SW_DUMMY,
		.sample_period = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.watermark = 1,
		.wakeup_watermark = (uint32_t)watermark,
		// Events that share a ring must share the clock.
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
	};
}

int event_open(const struct perf_event_attr *attr, int tid, int cpu)
{
	struct perf_event_attr copy = *attr;
	long fd = syscall(SYS_perf_event_open, &copy, tid, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	// Linux before 6.0 cannot say how much was lost in the end.
	if (fd < 0 && errno == EINVAL && copy.read_format) {
		copy.read_format = 0;
		fd = syscall(SYS_perf_event_open, &copy, tid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	}
	return (int)fd;
}

int event_paranoid(void)
{
	cleanup_fclose FILE *file = fopen("/proc/sys/kernel/perf_event_paranoid", "re");
	int level;

	return file && fscanf(file, "%d", &level) == 1 ? level : 99;
}

struct error *event_refusal(int code)
{
	if (code == ENOSYS || code == ENOENT || code == EOPNOTSUPP)
		return error_errno(code, "this kernel has no perf events for page faults");
	if (code == EMFILE)
		return error_errno(
			code, "page faults need a descriptor per thread and processor (ulimit -n)");
	if (code == EACCES || code == EPERM)
		return error_errno(code,
			"page faults cannot be watched: kernel.perf_event_paranoid is %d, "
			"and neither it (sysctl kernel.perf_event_paranoid=1) nor CAP_PERFMON "
			"nor a container's seccomp profile allows it",
			event_paranoid());
	return error_errno(code, "page faults cannot be watched: perf_event_open");
}
