// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "filter/match.h"

#include <fcntl.h>
#include <string.h>

#include "base/arena.h"
#include "decode/call.h"
#include "decode/value.h"
#include "filter/query.h"
#include "schema/syscall.h"
#include "schema/syscall_set.h"

enum {
	/** Directories that paths of one call are relative to. */
	BASES_MAX = 4,
};

/** One look at the values of a call. */
struct look {
	struct match_paths *paths;
	struct path_task *task;
	struct call *call;
	bool wanted, excluded;
	/** Descriptors that were only where a path began. */
	int bases[BASES_MAX];
	unsigned base_count;
};

void match_paths_init(struct match_paths *paths, struct path_set *set, bool keeps, bool note)
{
	*paths = (struct match_paths){.note = note};
	path_filter_init(&paths->filter, set, keeps);
}

void match_paths_deinit(struct match_paths *paths)
{
	path_filter_deinit(&paths->filter);
	hash_deinit(&paths->roles.types);
	hash_deinit(&paths->plans);
}

struct syscall_set match_calls(const struct query *query)
{
	struct syscall_set calls = query->calls;
	struct syscall_set with_files = {0};

	if (!query->paths.includes && (!query->has_fds || query->paths.patterns.count))
		return calls;
	path_roles_calls(query->paths.includes ? PATH_ROLES_ALL : PATH_ROLE_FD, &with_files);
	for (enum abi_id abi = 0; abi < ABI_COUNT; abi++) {
		for (size_t i = 0; i < BITS_WORDS(SYSCALL_SET_NUMBERS); i++)
			calls.words[abi][i] &= with_files.words[abi][i];
	}
	calls.unknown = false;
	return calls;
}

static bool is_decided(const struct look *look)
{
	return look->wanted && !look->paths->note;
}

// Without a pattern that includes, what is not excluded is wanted.
static void add_verdict(struct look *look, enum path_verdict verdict)
{
	bool includes = look->paths->filter.set->includes;

	switch (verdict) {
	case PATH_OTHER:
		look->wanted |= !includes;
		break;
	case PATH_WANTED:
		look->wanted = true;
		break;
	case PATH_EXCLUDED:
		look->excluded = true;
		break;
	}
}

static unsigned use_flags(const struct value *value)
{
	return (value->nofollow ? RESOLVE_NOFOLLOW : 0) | (value->rooted ? RESOLVE_ROOTED : 0);
}

static const struct value *text_of(const struct value *value)
{
	while (value && value->kind == VALUE_REF)
		value = value->first;
	return value && value->kind == VALUE_BYTES && value->role == ROLE_PATH ? value : NULL;
}

static struct path_use use_of(struct look *look, const struct value *value)
{
	return (struct path_use){
		.path = arena_strndup(
			&look->call->arena, (const char *)value->bytes, value->length),
		.dirfd = value->dirfd,
		.flags = use_flags(value),
		.program = value->program,
	};
}

static void note_name(struct look *look, struct value *value, const char *name)
{
	if (!look->paths->note || name[0] != '/')
		return;
	if (strlen(name) == value->length && memcmp(name, value->bytes, value->length) == 0)
		return;
	value_add_note(&look->call->arena, value, NOTE_PATH, name, strlen(name));
}

static void add_base(struct look *look, int fd)
{
	if (look->base_count < BASES_MAX)
		look->bases[look->base_count++] = fd;
}

// Where a path begins is touched too, but decides nothing if the path itself does.
static void look_at_base(struct look *look, const struct value *value, enum path_verdict verdict)
{
	struct path_filter *filter = &look->paths->filter;

	add_base(look, value->dirfd);
	if (verdict != PATH_OTHER || value->bytes[0] == '/' || value->dirfd == AT_FDCWD ||
		!filter->set->includes)
		return;
	// Where a direct path begins, is not wanted if the end is not.
	if (filter->direct && !filter->set->has_exact)
		return;
	add_verdict(look, path_filter_fd(filter, look->task, value->dirfd));
}

static void look_at_path(struct look *look, struct value *value)
{
	const struct value *beside;
	enum path_verdict verdict;
	struct path_use use, other;
	const char *name;

	// Abstract names of sockets are no paths.
	if (value->name)
		return;
	// An empty path names the descriptor itself.
	if (value->length == 0) {
		add_base(look, value->dirfd);
		add_verdict(look, (value->program ? path_filter_program : path_filter_fd)(
					  &look->paths->filter, look->task, value->dirfd));
		return;
	}
	use = use_of(look, value);
	beside = value->beside && value->beside <= look->call->arg_count
			 ? text_of(look->call->args[value->beside - 1])
			 : NULL;
	if (beside) {
		other = use_of(look, beside);
		use.beside = &other;
	}
	verdict = path_filter_path(&look->paths->filter, look->task, &use, &name);
	note_name(look, value, name);
	look->paths->above |= path_set_lies_below(look->paths->filter.set, name);
	add_verdict(look, verdict);
	look_at_base(look, value, verdict);
}

static bool is_base(const struct look *look, const struct value *value)
{
	for (unsigned i = 0; i < look->base_count; i++) {
		if (look->bases[i] == (int)value->number)
			return true;
	}
	return false;
}

// Files that have no descriptor, by the names noted.
static void look_at_slots(struct look *look, const struct value *value)
{
	for (const struct value_note *note = value->notes; note; note = note->next) {
		const char *name =
			arena_strndup(&look->call->arena, (const char *)note->bytes, note->length);

		if (note->kind == NOTE_PATH)
			add_verdict(look,
				path_filter_open_file(&look->paths->filter, look->task, name));
	}
}

static void look_at_number(struct look *look, const struct value *value)
{
	struct path_filter *filter = &look->paths->filter;

	switch (value->role) {
	case ROLE_FD:
		if ((int)value->number >= 0)
			add_verdict(look, path_filter_fd(filter, look->task, (int)value->number));
		break;
	case ROLE_DIRFD:
		if ((int)value->number != AT_FDCWD && !is_base(look, value))
			add_verdict(look, path_filter_fd(filter, look->task, (int)value->number));
		break;
	case ROLE_FD_RANGE:
		add_verdict(look, path_filter_fds(filter, look->task, (unsigned)value->number,
					  (unsigned)value->length));
		break;
	case ROLE_RING_SLOT:
		look_at_slots(look, value);
		break;
	case ROLE_REGION:
		add_verdict(
			look, path_filter_region(filter, look->task, value->number, value->length));
		break;
	default:
		break;
	}
}

// Paths are looked at before descriptors: they tell which of these only were their start.
static void look_at(struct look *look, struct value *value, bool paths)
{
	if (is_decided(look))
		return;
	if (value->kind == VALUE_BYTES) {
		if (paths && value->role == ROLE_PATH)
			look_at_path(look, value);
		return;
	}
	if (!paths && !value->first)
		look_at_number(look, value);
	for (struct value *child = value->first; child; child = child->next)
		look_at(look, child, paths);
}

// Arguments by their bits in @due; @due counts those of the description.
static void look_at_arguments(struct look *look, unsigned due)
{
	for (int paths = 1; paths >= 0; paths--) {
		unsigned shown = 0;

		for (unsigned i = 0; i < CALL_ARGS_MAX && shown < look->call->arg_count; i++) {
			if (!(look->call->shown >> i & 1))
				continue;
			if (due >> i & 1)
				look_at(look, look->call->args[shown], paths);
			shown++;
		}
	}
}

static bool roles_at_exit(struct match_paths *paths, const struct call *call)
{
	const struct signature *signature = call->signature;

	if (!signature)
		return false;
	if (signature->ret && path_roles_of_type(&paths->roles, signature->ret))
		return true;
	for (unsigned i = 0; i < signature->arg_count && i < CALL_ARGS_MAX; i++) {
		if ((call->pending >> i & 1) &&
			path_roles_of_type(&paths->roles, signature->args[i].type))
			return true;
	}
	return false;
}

static bool value_has_descriptor(const struct number_set *fds, const struct value *value)
{
	value_for_each (child, value) {
		if (value_has_descriptor(fds, child))
			return true;
	}
	switch (value->role) {
	case ROLE_FD:
	case ROLE_DIRFD:
		return !value->first && number_set_has(fds, (int)value->number);
	case ROLE_FD_RANGE:
		return number_set_has_range(fds, (unsigned)value->number, (unsigned)value->length);
	default:
		return false;
	}
}

static bool has_descriptor(const struct query *query, const struct call *call)
{
	for (unsigned i = 0; i < call->arg_count; i++) {
		if (call->args[i] && value_has_descriptor(&query->fds, call->args[i]))
			return true;
	}
	return false;
}

enum match_verdict match_entry(const struct query *query, struct match_paths *paths,
	struct path_task *task, struct call *call)
{
	// A call within socketcall is looked for by itself.
	uint64_t number = call->syscall ? call->syscall->number : call->number;
	struct look look = {.paths = paths, .task = task, .call = call};

	if (!syscall_set_has(&query->calls, call->abi, number))
		return MATCH_NO;
	if (query->has_fds && has_descriptor(query, call))
		return MATCH_YES;
	if (!query->paths.patterns.count)
		return query->has_fds ? MATCH_NO : MATCH_YES;
	paths->above = false;
	path_filter_begin(&paths->filter, task);
	look_at_arguments(&look, (1 << CALL_ARGS_MAX) - 1);
	if (look.wanted)
		return MATCH_YES;
	if (!paths->filter.set->includes && !look.excluded)
		return MATCH_YES;
	return roles_at_exit(paths, call) ? MATCH_LATER : MATCH_NO;
}

bool match_exit(struct match_paths *paths, struct path_task *task, struct call *call)
{
	struct look look = {.paths = paths, .task = task, .call = call};

	path_filter_begin(&paths->filter, task);
	look_at_arguments(
		&look, call->result == CALL_SUCCESS ? call->pending : call->pending_failed);
	if (call->ret && call->result == CALL_SUCCESS) {
		look_at(&look, call->ret, /* paths= */ true);
		look_at(&look, call->ret, /* paths= */ false);
	}
	return look.wanted;
}

void match_done(struct match_paths *paths, struct path_task *task, const struct call *call)
{
	struct path_filter *filter = &paths->filter;

	if (call->result != CALL_SUCCESS)
		return;
	// What was opened under a wanted name is remembered.
	if (call->ret && call->ret->role == ROLE_FD)
		path_filter_fd(filter, task, (int)call->ret->number);
	if (path_roles_of_call(&paths->roles, call->syscall) & PATH_ROLE_PATH)
		path_filter_files_changed(filter);
}

bool match_status(const struct query *query, const struct call *call)
{
	switch (call->result) {
	case CALL_SUCCESS:
		return query->statuses & QUERY_STATUS_SUCCESSFUL;
	case CALL_ERROR:
	case CALL_RESTART:
		return query->statuses & QUERY_STATUS_FAILED;
	case CALL_UNFINISHED:
		return query->statuses & QUERY_STATUS_DETACHED;
	case CALL_NO_RESULT:
		return query->statuses & QUERY_STATUS_UNFINISHED;
	}
	return true;
}
