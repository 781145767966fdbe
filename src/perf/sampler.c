// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "perf/sampler.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/monotonic.h"
#include "base/parse.h"
#include "perf/sampler_internal.h"
#include "perf/tracepoint.h"

// What may be asked for: tried on ourselves, so that a refusal is one error and not many.
static struct error *try_event(struct event_options *options)
{
	struct perf_event_attr attr;
	int fd;

	event_attr_fault(&attr, options, PERF_COUNT_SW_PAGE_FAULTS_MIN);
	fd = event_open(&attr, 0, -1);
	if (fd < 0 && (errno == EACCES || errno == EPERM) && !options->user_only) {
		options->user_only = true;
		options->kernel_chain = false;
		return try_event(options);
	}
	if (fd < 0)
		return event_refusal(errno);
	close(fd);
	return NULL;
}

// "0-3,6": one more cpu for each number.
static void parse_cpus(struct sampler *sampler, const char *text)
{
	while (*text >= '0' && *text <= '9') {
		uint64_t first, last;

		if (!parse_decimal_at(&text, &first))
			return;
		last = first;
		if (*text == '-') {
			text++;
			if (!parse_decimal_at(&text, &last))
				return;
		}
		for (uint64_t i = first; i <= last && i < 65536; i++) {
			sampler->cpus = xreallocarray(
				sampler->cpus, sampler->cpu_count + 1, sizeof(*sampler->cpus));
			sampler->cpus[sampler->cpu_count++] = (struct cpu){
				.number = (int)i, .now = {.fd = -1}, .before = {.fd = -1}};
		}
		text += *text == ',';
	}
}

static void list_cpus(struct sampler *sampler)
{
	cleanup_fclose FILE *file = fopen("/sys/devices/system/cpu/online", "re");
	char line[4096];

	if (file && fgets(line, sizeof(line), file))
		parse_cpus(sampler, line);
	// Without sysfs: those there should be.
	for (long i = 0; !sampler->cpu_count && i < sysconf(_SC_NPROCESSORS_ONLN); i++) {
		snprintf(line, sizeof(line), "0-%ld", sysconf(_SC_NPROCESSORS_ONLN) - 1);
		parse_cpus(sampler, line);
	}
}

static struct error *open_rings(struct sampler *sampler)
{
	for (size_t i = 0; i < sampler->cpu_count; i++) {
		struct cpu *cpu = &sampler->cpus[i];
		size_t size = sampler->options.event.stack_size ? RING_FIRST_STACKS
			      : sampler->options.calls		? RING_FIRST_CALLS
								: RING_FIRST;
		int code;

		while (size > sampler->options.ring_most && size > sampler->page_size)
			size /= 2;
		// The limit of locked memory may leave room for less.
		do {
			code = mapped_ring_open(sampler, cpu, size, &cpu->now);
			size /= 2;
		} while (code == EPERM && size >= sampler->page_size);
		if (code)
			return error_errno(code, "map a buffer for events");
	}
	return NULL;
}

// The tracepoints, tried on ourselves.
static struct error *try_calls(struct sampler *sampler)
{
	struct error *error = tracepoint_id("raw_syscalls", "sys_enter", &sampler->enter_id);
	struct perf_event_attr attr;
	int fd;

	if (!error)
		error = tracepoint_id("raw_syscalls", "sys_exit", &sampler->leave_id);
	if (error)
		return error;
	event_attr_call(&attr, &sampler->options.event, RECORD_ENTER, sampler->enter_id);
	fd = event_open(&attr, 0, -1);
	if (fd < 0)
		return tracepoint_refusal(errno);
	close(fd);
	return NULL;
}

static void set_layouts(struct sampler *sampler)
{
	const struct event_options *event = &sampler->options.event;

	sampler->layouts[MEMBER_MINOR] = sampler->layouts[MEMBER_MAJOR] = event_attr_layout(event);
	sampler->layouts[MEMBER_ENTER] = event_attr_call_layout(event, RECORD_ENTER);
	sampler->layouts[MEMBER_LEAVE] = event_attr_call_layout(event, RECORD_LEAVE);
}

struct error *sampler_create(const struct sampler_options *options, struct sampler **ret)
{
	struct sampler *sampler = xcalloc(1, sizeof(*sampler));
	struct error *error;

	sampler->options = *options;
	if (!sampler->options.ring_most)
		sampler->options.ring_most = RING_MOST;
	sampler->page_size = (size_t)sysconf(_SC_PAGESIZE);
	sampler->filling = &sampler->batches[0];
	sampler->taken = &sampler->batches[1];
	pthread_mutex_init(&sampler->lock, NULL);
	sampler->stop_fd = eventfd(0, EFD_CLOEXEC);
	sampler->caller = gettid();
	sem_init(&sampler->started, 0, 0);
	list_cpus(sampler);
	error = try_event(&sampler->options.event);
	if (!error && options->calls)
		error = try_calls(sampler);
	set_layouts(sampler);
	if (!error)
		error = open_rings(sampler);
	if (error) {
		sampler_destroy(sampler);
		return error;
	}
	*ret = sampler;
	return NULL;
}

static void stop_thread(struct sampler *sampler)
{
	if (!sampler->has_thread)
		return;
	eventfd_write(sampler->stop_fd, 1);
	pthread_join(sampler->thread, NULL);
	sampler->has_thread = false;
}

void sampler_destroy(struct sampler *sampler)
{
	if (!sampler)
		return;
	stop_thread(sampler);
	array_for_each (member, &sampler->members)
		close(member->fd);
	array_deinit(&sampler->members);
	hash_deinit(&sampler->kinds);
	for (size_t i = 0; i < sampler->cpu_count; i++) {
		mapped_ring_close(&sampler->cpus[i].now);
		mapped_ring_close(&sampler->cpus[i].before);
	}
	free(sampler->cpus);
	for (size_t i = 0; i < 2; i++) {
		arena_deinit(&sampler->batches[i].arena);
		array_deinit(&sampler->batches[i].records);
	}
	if (sampler->stop_fd >= 0)
		close(sampler->stop_fd);
	sem_destroy(&sampler->started);
	pthread_mutex_destroy(&sampler->lock);
	free(sampler);
}

bool sampler_is_user_only(const struct sampler *sampler)
{
	return sampler->options.event.user_only;
}

static int open_more(const struct perf_event_attr *attr, int tid, int cpu)
{
	struct rlimit limit;
	int fd = event_open(attr, tid, cpu);

	if (fd >= 0 || errno != EMFILE || getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return fd;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
	return event_open(attr, tid, cpu);
}

static bool is_watched(const struct sampler *sampler, enum member_kind kind)
{
	switch (kind) {
	case MEMBER_MINOR:
		return sampler->options.minor;
	case MEMBER_MAJOR:
		return sampler->options.major;
	case MEMBER_ENTER:
	case MEMBER_LEAVE:
		return sampler->options.calls;
	case MEMBER_KINDS:
		break;
	}
	return false;
}

static void describe(
	const struct sampler *sampler, enum member_kind kind, struct perf_event_attr *ret)
{
	const struct event_options *event = &sampler->options.event;
	bool calls = sampler->options.calls;

	switch (kind) {
	case MEMBER_MINOR:
		event_attr_fault(ret, event, PERF_COUNT_SW_PAGE_FAULTS_MIN);
		break;
	case MEMBER_MAJOR:
		event_attr_fault(ret, event, PERF_COUNT_SW_PAGE_FAULTS_MAJ);
		break;
	case MEMBER_ENTER:
		event_attr_call(ret, event, RECORD_ENTER, sampler->enter_id);
		break;
	case MEMBER_LEAVE:
	case MEMBER_KINDS:
		event_attr_call(ret, event, RECORD_LEAVE, sampler->leave_id);
		break;
	}
	// One event is enough to tell what becomes of the task.
	ret->comm = ret->comm_exec =
		calls ? kind == MEMBER_ENTER : kind == MEMBER_MINOR || !sampler->options.minor;
	ret->task = calls && kind == MEMBER_ENTER;
	ret->mmap = ret->mmap2 = ret->mmap_data = ret->task && event->maps;
	ret->context_switch = ret->task && event->switches;
}

// What we do about a call must not make further records, where all tasks are watched.
static int set_filter(const struct sampler *sampler, const struct member *member, bool everything)
{
	const char *filter = sampler->options.call_filter;
	cleanup_free char *text = NULL;

	if (member->kind != MEMBER_ENTER && member->kind != MEMBER_LEAVE)
		return 0;
	if (everything)
		text = xasprintf("%s%s%scommon_pid != %d && common_pid != %d", filter ? "(" : "",
			filter ? filter : "", filter ? ") && " : "", sampler->caller,
			sampler->thread_id);
	if (!text && !filter)
		return 0;
	return ioctl(member->fd, PERF_EVENT_IOC_SET_FILTER, text ? text : filter);
}

// 0 or an errno value.
static int add_member(
	struct sampler *sampler, int tid, size_t cpu, bool on_exec, enum member_kind kind)
{
	struct perf_event_attr attr;
	struct member member = {.cpu = cpu, .kind = kind};
	int code = 0;

	describe(sampler, kind, &attr);
	attr.enable_on_exec = on_exec;
	member.fd = open_more(&attr, tid, sampler->cpus[cpu].number);
	if (member.fd < 0)
		return errno;
	if (ioctl(member.fd, PERF_EVENT_IOC_SET_OUTPUT, sampler->cpus[cpu].now.fd) != 0 ||
		ioctl(member.fd, PERF_EVENT_IOC_ID, &member.id) != 0 ||
		set_filter(sampler, &member, tid < 0) != 0 ||
		(!on_exec && ioctl(member.fd, PERF_EVENT_IOC_ENABLE, 0) != 0)) {
		code = errno;
		close(member.fd);
		return code;
	}
	hash_set(&sampler->kinds, member.id, (void *)(uintptr_t)kind);
	*array_add(&sampler->members) = member;
	return 0;
}

static int add_task(struct sampler *sampler, int tid, bool on_exec)
{
	int code = 0;

	pthread_mutex_lock(&sampler->lock);
	for (size_t i = 0; !code && i < sampler->cpu_count; i++) {
		// The end of a call is watched first: it is nothing without its begin.
		for (enum member_kind kind = MEMBER_KINDS - 1; !code && kind; kind--) {
			if (is_watched(sampler, kind))
				code = add_member(sampler, tid, i, on_exec, kind);
		}
	}
	pthread_mutex_unlock(&sampler->lock);
	return code;
}

static struct error *refusal(const struct sampler *sampler, int code)
{
	return sampler->options.calls ? tracepoint_refusal(code) : event_refusal(code);
}

struct error *sampler_add(struct sampler *sampler, int tid, bool on_exec)
{
	int code = add_task(sampler, tid, on_exec);

	// A task that is gone has no faults.
	return !code || code == ESRCH ? NULL : refusal(sampler, code);
}

struct error *sampler_add_everything(struct sampler *sampler)
{
	int code = add_task(sampler, -1, /* on_exec= */ false);

	return code ? refusal(sampler, code) : NULL;
}

struct error *sampler_start(struct sampler *sampler)
{
	int code = pthread_create(&sampler->thread, NULL, sampler_run, sampler);

	sampler->has_thread = !code;
	while (!code && sem_wait(&sampler->started) != 0)
		;
	return code ? error_errno(code, "start a thread") : NULL;
}

void sampler_stop(struct sampler *sampler)
{
	pthread_mutex_lock(&sampler->lock);
	array_for_each (member, &sampler->members)
		ioctl(member->fd, PERF_EVENT_IOC_DISABLE, 0);
	pthread_mutex_unlock(&sampler->lock);
}

static int compare_times(const void *a, const void *b)
{
	const struct record *x = *(struct record *const *)a, *y = *(struct record *const *)b;

	return x->time < y->time ? -1 : x->time > y->time;
}

// What happened while the rings were emptied one after the other is not whole yet: of
// another processor there may be something earlier to come. It is left for the next time.
static void put_back(struct sampler *sampler, struct batch *batch, uint64_t limit)
{
	size_t keep = batch->records.count;

	while (keep && batch->records.data[keep - 1]->time > limit)
		keep--;
	if (keep == batch->records.count)
		return;
	pthread_mutex_lock(&sampler->lock);
	for (size_t i = keep; i < batch->records.count; i++)
		batch_keep(sampler->filling, batch->records.data[i]);
	pthread_mutex_unlock(&sampler->lock);
	batch->records.count = keep;
}

struct record *const *sampler_take(struct sampler *sampler, size_t *count_ret)
{
	struct batch *batch = sampler->taken;
	uint64_t limit;

	arena_reset(&batch->arena);
	batch->records.count = batch->bytes = 0;
	pthread_mutex_lock(&sampler->lock);
	limit = monotonic_ns();
	sampler_drain(sampler);
	sampler->taken = sampler->filling;
	sampler->filling = batch;
	pthread_mutex_unlock(&sampler->lock);
	batch = sampler->taken;
	// A processor's records are in order; those of several are merged by this.
	if (batch->records.count > 1)
		qsort(batch->records.data, batch->records.count, sizeof(*batch->records.data),
			compare_times);
	put_back(sampler, batch, limit);
	*count_ret = batch->records.count;
	return batch->records.data;
}

bool sampler_is_major(const struct sampler *sampler, const struct record *record)
{
	return hash_get(&sampler->kinds, record->id) == (void *)(uintptr_t)MEMBER_MAJOR;
}

size_t sampler_room(const struct sampler *sampler)
{
	size_t record = RECORD_FIXED + sampler->options.event.stack_size;
	size_t least = SIZE_MAX;

	for (size_t i = 0; i < sampler->cpu_count; i++) {
		size_t room = sampler->cpus[i].now.ring.size / record;

		least = room < least ? room : least;
	}
	return least;
}

bool sampler_is_behind(struct sampler *sampler)
{
	bool is_behind;

	pthread_mutex_lock(&sampler->lock);
	is_behind = sampler->filling->bytes >= BATCH_BEHIND;
	pthread_mutex_unlock(&sampler->lock);
	return is_behind;
}

struct sampler_counts sampler_counts(struct sampler *sampler)
{
	struct sampler_counts counts;

	pthread_mutex_lock(&sampler->lock);
	counts = sampler->counts;
	array_for_each (member, &sampler->members) {
		uint64_t values[2] = {0};

		if (read(member->fd, values, sizeof(values)) > 0) {
			counts.kernel_count += values[0];
			counts.kernel_lost += values[1];
		}
	}
	pthread_mutex_unlock(&sampler->lock);
	return counts;
}
