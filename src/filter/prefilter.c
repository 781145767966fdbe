// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "filter/prefilter.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>

#include "abi/abi.h"
#include "decode/call.h"
#include "decode/eval.h"
#include "decode/select.h"
#include "decode/walk.h"
#include "filter/match.h"
#include "filter/path_verdict.h"
#include "proc/direct_path.h"
#include "proc/view.h"
#include "schema/syscall.h"

/** What is known of a kind of call, as a value of a hash; it is never 0. */
enum plan {
	PLAN_KNOWN = 1 << 0,
	/** Nothing but the paths in PLAN_PATHS, and where they begin, can have to do with files. */
	PLAN_PLAIN = 1 << 1,
	/** It returns a descriptor. */
	PLAN_GIVES_FD = 1 << 2,
	/** From here on: a bit for each argument that is a path. */
	PLAN_PATHS = 8,
};

enum {
	/** Most paths are shorter; what is read first. */
	FIRST_PIECE = 128,
	PAGE = 4096,
};

// Registers and constants alone.
static bool is_in_registers(const struct expr *expr)
{
	switch (expr->op) {
	case EXPR_CONSTANT:
	case EXPR_ARG:
		return true;
	case EXPR_ARG_TARGET:
	case EXPR_ARG_WORD:
	case EXPR_RET:
	case EXPR_DONE:
	case EXPR_PARAM:
	case EXPR_MEMBER:
		return false;
	case EXPR_NOT:
		return is_in_registers(expr->left);
	default:
		return is_in_registers(expr->left) && is_in_registers(expr->right);
	}
}

static const struct type *path_of(const struct argument *argument)
{
	const struct type *type = argument->type;

	if (type->kind != TYPE_POINTER || type->direction != DIRECTION_IN || !type->target)
		return NULL;
	type = type->target;
	return type->kind == TYPE_STRING && type->role == ROLE_PATH ? type : NULL;
}

static bool is_plain_path(const struct argument *argument)
{
	const struct type *path = path_of(argument);

	return path && !argument->condition && !path->length && !path->dirfd && !path->rooted &&
	       !path->beside && !path->program &&
	       (!path->nofollow || is_in_registers(path->nofollow));
}

// A descriptor that only says where a path begins.
static bool is_base(const struct signature *signature, unsigned index)
{
	if (signature->args[index].type->role != ROLE_DIRFD)
		return false;
	for (unsigned i = 0; i < signature->arg_count; i++) {
		const struct type *path = path_of(&signature->args[i]);

		if (path && path->dirfd_arg == (int)index)
			return true;
	}
	return false;
}

static unsigned make_plan(struct path_roles_cache *cache, const struct signature *signature)
{
	unsigned plan = PLAN_KNOWN, paths = 0;

	if (signature->selector || signature->arg_count > WALK_ARGS_MAX)
		return plan;
	for (unsigned i = 0; i < signature->arg_count; i++) {
		const struct argument *argument = &signature->args[i];

		if (is_plain_path(argument))
			paths |= 1U << i;
		else if (path_roles_of_type(cache, argument->type) && !is_base(signature, i))
			return plan;
	}
	if (signature->ret && path_roles_of_type(cache, signature->ret))
		plan |= PLAN_GIVES_FD;
	return paths ? plan | PLAN_PLAIN | paths << PLAN_PATHS : plan;
}

static unsigned plan_of(struct match_paths *paths, const struct syscall *syscall)
{
	const struct syscall_desc *desc = syscall ? syscall->desc : NULL;
	uint64_t key = (uintptr_t)desc;
	uintptr_t plan;

	if (!desc)
		return PLAN_KNOWN;
	plan = (uintptr_t)hash_get(&paths->plans, key);
	if (!plan) {
		plan = make_plan(&paths->roles, &desc->signature);
		hash_set(&paths->plans, key, (void *)plan);
	}
	return (unsigned)plan;
}

// Up to a NUL; false if it cannot be read or is longer than the kernel takes.
static bool read_path(struct task_fs *fs, struct view *view, taddr address, char text[PATH_MAX])
{
	size_t length = 0;

	while (length < PATH_MAX) {
		size_t piece = length ? PAGE : FIRST_PIECE;
		size_t rest = PAGE - (size_t)((address + length) % PAGE);

		if (piece > rest)
			piece = rest;
		if (piece > PATH_MAX - length)
			piece = PATH_MAX - length;
		if (task_fs_read(fs, address + length, text + length, piece) != piece &&
			view_read(view, address + length, text + length, piece) != piece)
			return false;
		if (memchr(text + length, '\0', piece))
			return true;
		length += piece;
	}
	return false;
}

// Where a path begins counts by itself, if some pattern does not mean what lies below.
static bool is_base_wanted(
	struct path_filter *filter, struct path_task *task, const struct direct_path *direct)
{
	if (!filter->set->has_exact || !direct->base_length)
		return false;
	buf_reset(&filter->spelled);
	buf_bytes(&filter->spelled, direct->name, direct->base_length);
	return path_verdict_of_name(filter, task, buf_text(&filter->spelled)) != PATH_OTHER;
}

static bool is_other(
	struct path_filter *filter, struct path_task *task, const struct direct_path *direct)
{
	return path_verdict_of_name(filter, task, direct->name) == PATH_OTHER &&
	       !is_base_wanted(filter, task, direct) &&
	       (!direct->has_id || path_set_verdict_id(filter->set, &direct->id) == PATH_OTHER);
}

// What a path opens is what was found by it, whoever is at work beside us: the directory
// cannot become another one, and the last part is not followed. Nor may a file count by more
// than its name.
static bool stays(const struct path_filter *filter, const struct prefilter_call *entry_call,
	const struct direct_path *found)
{
	return entry_call->alone && found->fixed && !filter->set->has_files && !filter->seen.count;
}

static enum prefilter_verdict check_path(struct match_paths *paths, struct path_task *task,
	const struct prefilter_call *entry_call, unsigned plan, struct walk *walk, unsigned index)
{
	const struct type *type = path_of(&walk->call->signature->args[index]);
	unsigned flags = type->nofollow && eval(walk, type->nofollow) ? RESOLVE_NOFOLLOW : 0;
	int dirfd = type->dirfd_arg >= 0 ? (int)walk->args[type->dirfd_arg] : AT_FDCWD;
	struct path_filter *filter = &paths->filter;
	bool gives_fd = plan & PLAN_GIVES_FD;
	struct direct_path found;
	char text[PATH_MAX];

	if (!read_path(&task->fs, entry_call->view, walk->args[index], text))
		return PREFILTER_UNSURE;
	if (path_set_is_typed(filter->set, text))
		return PREFILTER_UNSURE;
	// An empty path names the descriptor itself.
	if (!text[0])
		return !gives_fd && dirfd >= 0 && entry_call->holds_nothing ? PREFILTER_NO
									    : PREFILTER_UNSURE;
	if (!direct_path_find(&filter->resolver, &task->fs, dirfd, text, flags,
		    filter->set->has_files, &found) ||
		!is_other(filter, task, &found))
		return PREFILTER_UNSURE;
	return gives_fd && !stays(filter, entry_call, &found) ? PREFILTER_LATER : PREFILTER_NO;
}

static void walk_init(struct walk *walk, struct call *call, const struct prefilter_call *entry_call)
{
	memset(walk, 0, sizeof(*walk));
	walk->call = call;
	walk->abi = entry_call->abi;
	walk->word = abi_get(entry_call->abi)->word_size;
	walk->register_size = abi_get(entry_call->abi)->register_size;
	call->abi = entry_call->abi;
	memcpy(call->regs, entry_call->args, sizeof(call->regs));
	call->signature = &entry_call->syscall->desc->signature;
	select_arguments(walk);
}

enum prefilter_verdict prefilter_check(
	struct match_paths *paths, struct path_task *task, const struct prefilter_call *entry_call)
{
	struct path_filter *filter = &paths->filter;
	unsigned plan = plan_of(paths, entry_call->syscall);
	enum prefilter_verdict verdict = PREFILTER_NO;
	struct call call = {0};
	struct walk walk;

	if (!(plan & PLAN_PLAIN) || !filter->set->includes)
		return PREFILTER_UNSURE;
	walk_init(&walk, &call, entry_call);
	path_filter_begin(filter, task);
	if (!path_verdict_by_name(filter, task))
		return PREFILTER_UNSURE;
	for (unsigned i = 0; plan >> PLAN_PATHS >> i; i++) {
		enum prefilter_verdict of_path;

		if (!(plan >> PLAN_PATHS >> i & 1))
			continue;
		of_path = check_path(paths, task, entry_call, plan, &walk, i);
		if (of_path == PREFILTER_UNSURE)
			return PREFILTER_UNSURE;
		if (of_path == PREFILTER_LATER)
			verdict = PREFILTER_LATER;
	}
	return verdict;
}

bool prefilter_result(struct match_paths *paths, struct path_task *task, int64_t result)
{
	path_filter_begin(&paths->filter, task);
	return path_filter_fd(&paths->filter, task, (int)result) == PATH_WANTED;
}

bool prefilter_returns_fd(const struct prefilter_call *entry_call)
{
	const struct syscall_desc *desc = entry_call->syscall ? entry_call->syscall->desc : NULL;
	const struct signature *signature = desc ? &desc->signature : NULL;
	struct call call = {0};
	struct walk walk;

	if (!signature || signature->arg_count > WALK_ARGS_MAX)
		return false;
	walk_init(&walk, &call, entry_call);
	while (signature->selector && is_in_registers(signature->selector)) {
		const struct signature *chosen = select_variant(&walk, signature);

		if (!chosen)
			break;
		signature = call.signature = chosen;
		select_arguments(&walk);
	}
	return signature->ret && signature->ret->role == ROLE_FD;
}
