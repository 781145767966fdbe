// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "filter/path_roles.h"

#include "decode/hook.h"
#include "schema/lookup.h"
#include "schema/syscall.h"
#include "schema/syscall_set.h"
#include "schema/type.h"
#include "syscalls/hooks.h"

enum {
	/** Marks an answer: a value of the hash is not NULL. */
	ANSWERED = 1 << 8,
	DEPTH_MAX = 8,
};

static unsigned of_role(enum type_role role)
{
	switch (role) {
	case ROLE_PATH:
		return PATH_ROLE_PATH;
	case ROLE_FD:
	case ROLE_DIRFD:
	case ROLE_FD_RANGE:
	case ROLE_RING_SLOT:
		return PATH_ROLE_FD;
	case ROLE_REGION:
		return PATH_ROLE_REGION;
	case ROLE_NONE:
	case ROLE_TGID:
	case ROLE_TID:
	case ROLE_PGID:
	case ROLE_SID:
	case ROLE_PID_OR_GROUP:
	case ROLE_UID:
	case ROLE_GID:
	case ROLE_DATA:
		return 0;
	}
	return 0;
}

// Functions that build values with a role nobody sees in the type.
static unsigned of_hook(int hook)
{
	switch (hook) {
	case HOOK_SOCKADDR:
		return PATH_ROLE_PATH;
	case HOOK_MSGHDR:
	case HOOK_MSGHDR_OUT:
		return PATH_ROLE_PATH | PATH_ROLE_FD;
	case HOOK_SUBMISSIONS:
		return PATH_ROLE_PATH | PATH_ROLE_FD;
	case HOOK_FD_SET:
	case HOOK_POLL_RESULT:
	case HOOK_SELECT_RESULT:
		return PATH_ROLE_FD;
	default:
		return 0;
	}
}

static unsigned of_parts(struct path_roles_cache *cache, const struct type *type)
{
	unsigned roles = of_role(type->role);

	if (type->kind == TYPE_HOOK)
		roles |= of_hook(type->hook);
	if (type->target)
		roles |= path_roles_of_type(cache, type->target);
	if (type->otherwise)
		roles |= path_roles_of_type(cache, type->otherwise);
	for (unsigned i = 0; i < type->member_count; i++)
		roles |= path_roles_of_type(cache, type->members[i].type);
	for (unsigned i = 0; i < type->case_count; i++)
		roles |= path_roles_of_type(cache, type->cases[i].type);
	return roles;
}

unsigned path_roles_of_type(struct path_roles_cache *cache, const struct type *type)
{
	uint64_t key = (uintptr_t)type;
	uintptr_t known = (uintptr_t)hash_get(&cache->types, key);
	unsigned roles;

	if (known)
		return known & PATH_ROLES_ALL;
	// A type may contain itself: for that part there is nothing new to say.
	hash_set(&cache->types, key, (void *)(uintptr_t)ANSWERED);
	roles = of_parts(cache, type);
	hash_set(&cache->types, key, (void *)(uintptr_t)(ANSWERED | roles));
	return roles;
}

unsigned path_roles_of_signature(struct path_roles_cache *cache, const struct signature *signature)
{
	unsigned roles = 0;

	for (unsigned i = 0; i < signature->arg_count; i++)
		roles |= path_roles_of_type(cache, signature->args[i].type);
	if (signature->ret)
		roles |= path_roles_of_type(cache, signature->ret);
	for (unsigned i = 0; i < signature->case_count; i++)
		roles |= path_roles_of_signature(cache, signature->cases[i].signature);
	if (signature->otherwise)
		roles |= path_roles_of_signature(cache, signature->otherwise);
	return roles;
}

unsigned path_roles_of_call(struct path_roles_cache *cache, const struct syscall *syscall)
{
	if (!syscall || !syscall->desc)
		return 0;
	return path_roles_of_signature(cache, &syscall->desc->signature);
}

static bool asks_done(const struct expr *expr)
{
	if (!expr)
		return false;
	return expr->op == EXPR_DONE || asks_done(expr->left) || asks_done(expr->right);
}

static bool stores_fd(
	struct path_roles_cache *cache, const struct type *type, bool stored, unsigned depth);

// Members and cases that are there only once the call has succeeded are what it stored.
static bool parts_store_fd(
	struct path_roles_cache *cache, const struct type *type, bool stored, unsigned depth)
{
	for (unsigned i = 0; i < type->member_count; i++) {
		const struct member *member = &type->members[i];

		if (stores_fd(cache, member->type, stored || asks_done(member->condition), depth))
			return true;
	}
	stored |= asks_done(type->selector);
	for (unsigned i = 0; i < type->case_count; i++) {
		if (stores_fd(cache, type->cases[i].type, stored, depth))
			return true;
	}
	return type->otherwise && stores_fd(cache, type->otherwise, stored, depth);
}

static bool stores_fd(
	struct path_roles_cache *cache, const struct type *type, bool stored, unsigned depth)
{
	if (!(path_roles_of_type(cache, type) & PATH_ROLE_FD))
		return false;
	// A type that contains itself has said by then what it has to say.
	if (depth == DEPTH_MAX)
		return stored;
	stored |= type->kind == TYPE_POINTER && type->direction != DIRECTION_IN;
	if (stored && (of_role(type->role) & PATH_ROLE_FD))
		return true;
	if (type->kind == TYPE_HOOK && (stored || type->hook == HOOK_MSGHDR_OUT))
		return true;
	return (type->target && stores_fd(cache, type->target, stored, depth + 1)) ||
	       parts_store_fd(cache, type, stored, depth + 1);
}

bool path_roles_gives_fd(struct path_roles_cache *cache, const struct signature *signature)
{
	if (signature->ret && path_roles_of_type(cache, signature->ret) & PATH_ROLE_FD)
		return true;
	for (unsigned i = 0; i < signature->arg_count; i++) {
		if (stores_fd(cache, signature->args[i].type, /* stored= */ false, 0))
			return true;
	}
	for (unsigned i = 0; i < signature->case_count; i++) {
		if (path_roles_gives_fd(cache, signature->cases[i].signature))
			return true;
	}
	return signature->otherwise && path_roles_gives_fd(cache, signature->otherwise);
}

// Of a call that makes others: what these carry.
static unsigned of_inner(struct path_roles_cache *cache, enum abi_id abi, uint64_t outer)
{
	enum { WITHIN_MAX = 32 };
	unsigned roles = 0;

	if (!syscall_is_outer(abi, outer))
		return 0;
	for (uint64_t number = 0; number < WITHIN_MAX; number++)
		roles |= path_roles_of_call(cache, syscall_within(abi, outer, number));
	return roles;
}

void path_roles_calls(unsigned roles, struct syscall_set *set)
{
	struct path_roles_cache cache = {0};

	for (enum abi_id abi = 0; abi < ABI_COUNT; abi++) {
		size_t count;
		const struct syscall *calls = syscall_table(abi, &count);

		for (size_t i = 0; i < count; i++) {
			unsigned all = path_roles_of_call(&cache, &calls[i]) |
				       of_inner(&cache, abi, calls[i].number);

			if (all & roles)
				syscall_set_add(set, abi, calls[i].number);
		}
	}
	hash_deinit(&cache.types);
}
