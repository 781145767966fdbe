// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "perf/tracepoint.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/bits.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "perf/event_attr.h"

static const char *const mounts[] = {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"};

// 0 or an errno value.
static int read_id(const char *mount, const char *group, const char *name, uint64_t *ret)
{
	cleanup_free char *path = xasprintf("%s/events/%s/%s/id", mount, group, name);
	cleanup_fclose FILE *file = fopen(path, "re");

	if (!file)
		return errno;
	return fscanf(file, "%" SCNu64, ret) == 1 ? 0 : ENOENT;
}

struct error *tracepoint_id(const char *group, const char *name, uint64_t *ret)
{
	int code = ENOENT;

	for (size_t i = 0; i < ARRAY_SIZE(mounts); i++) {
		int other = read_id(mounts[i], group, name, ret);

		if (!other)
			return NULL;
		// That we may not look says more than that there is nothing.
		if (code == ENOENT)
			code = other;
	}
	if (code == ENOENT)
		return error_errno(code,
			"system calls cannot be observed: no tracepoint %s:%s (is tracefs mounted "
			"at %s?)",
			group, name, mounts[0]);
	return error_errno(code,
		"system calls cannot be observed: the tracepoint %s:%s below %s is only for root",
		group, name, mounts[0]);
}

struct error *tracepoint_refusal(int code)
{
	if (code == EACCES || code == EPERM)
		return error_errno(code,
			"system calls cannot be observed: kernel.perf_event_paranoid is %d, and "
			"neither it (sysctl kernel.perf_event_paranoid=-1) nor CAP_PERFMON nor a "
			"container's seccomp profile allows it",
			event_paranoid());
	if (code == EMFILE)
		return error_errno(
			code, "to observe takes descriptors per thread and processor (ulimit -n)");
	return error_errno(code, "system calls cannot be observed: perf_event_open");
}
