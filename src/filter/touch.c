// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "filter/touch.h"

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

static unsigned touch_role(enum type_role role)
{
	switch (role) {
	case ROLE_PATH:
		return TOUCH_PATH;
	case ROLE_FD:
	case ROLE_DIRFD:
	case ROLE_FD_RANGE:
	case ROLE_RING_SLOT:
		return TOUCH_FD;
	case ROLE_REGION:
		return TOUCH_REGION;
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
static unsigned touch_hook(int hook)
{
	switch (hook) {
	case HOOK_SOCKADDR:
		return TOUCH_PATH;
	case HOOK_MSGHDR:
	case HOOK_MSGHDR_OUT:
		return TOUCH_PATH | TOUCH_FD;
	case HOOK_SUBMISSIONS:
		return TOUCH_PATH | TOUCH_FD;
	case HOOK_FD_SET:
	case HOOK_POLL_RESULT:
	case HOOK_SELECT_RESULT:
		return TOUCH_FD;
	default:
		return 0;
	}
}

static unsigned touch_parts(struct touch_cache *cache, const struct type *type)
{
	unsigned touches = touch_role(type->role);

	if (type->kind == TYPE_HOOK)
		touches |= touch_hook(type->hook);
	if (type->target)
		touches |= touch_type(cache, type->target);
	if (type->otherwise)
		touches |= touch_type(cache, type->otherwise);
	for (unsigned i = 0; i < type->member_count; i++)
		touches |= touch_type(cache, type->members[i].type);
	for (unsigned i = 0; i < type->case_count; i++)
		touches |= touch_type(cache, type->cases[i].type);
	return touches;
}

unsigned touch_type(struct touch_cache *cache, const struct type *type)
{
	uint64_t key = (uintptr_t)type;
	uintptr_t known = (uintptr_t)hash_get(&cache->types, key);
	unsigned touches;

	if (known)
		return known & TOUCH_ALL;
	// A type may contain itself: for that part there is nothing new to say.
	hash_set(&cache->types, key, (void *)(uintptr_t)ANSWERED);
	touches = touch_parts(cache, type);
	hash_set(&cache->types, key, (void *)(uintptr_t)(ANSWERED | touches));
	return touches;
}

unsigned touch_signature(struct touch_cache *cache, const struct signature *signature)
{
	unsigned touches = 0;

	for (unsigned i = 0; i < signature->arg_count; i++)
		touches |= touch_type(cache, signature->args[i].type);
	if (signature->ret)
		touches |= touch_type(cache, signature->ret);
	for (unsigned i = 0; i < signature->case_count; i++)
		touches |= touch_signature(cache, signature->cases[i].signature);
	return touches;
}

unsigned touch_call(struct touch_cache *cache, const struct syscall *syscall)
{
	if (!syscall || !syscall->desc)
		return 0;
	return touch_signature(cache, &syscall->desc->signature);
}

static bool asks_done(const struct expr *expr)
{
	if (!expr)
		return false;
	return expr->op == EXPR_DONE || asks_done(expr->left) || asks_done(expr->right);
}

static bool stores_fd(
	struct touch_cache *cache, const struct type *type, bool stored, unsigned depth);

// Members and cases that are there only once the call has succeeded are what it stored.
static bool parts_store_fd(
	struct touch_cache *cache, const struct type *type, bool stored, unsigned depth)
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
	struct touch_cache *cache, const struct type *type, bool stored, unsigned depth)
{
	if (!(touch_type(cache, type) & TOUCH_FD))
		return false;
	// A type that contains itself has said by then what it has to say.
	if (depth == DEPTH_MAX)
		return stored;
	stored |= type->kind == TYPE_POINTER && type->direction != DIRECTION_IN;
	if (stored && (touch_role(type->role) & TOUCH_FD))
		return true;
	if (type->kind == TYPE_HOOK && (stored || type->hook == HOOK_MSGHDR_OUT))
		return true;
	return (type->target && stores_fd(cache, type->target, stored, depth + 1)) ||
	       parts_store_fd(cache, type, stored, depth + 1);
}

bool touch_gives_fd(struct touch_cache *cache, const struct signature *signature)
{
	if (signature->ret && touch_type(cache, signature->ret) & TOUCH_FD)
		return true;
	for (unsigned i = 0; i < signature->arg_count; i++) {
		if (stores_fd(cache, signature->args[i].type, /* stored= */ false, 0))
			return true;
	}
	for (unsigned i = 0; i < signature->case_count; i++) {
		if (touch_gives_fd(cache, signature->cases[i].signature))
			return true;
	}
	return false;
}

// Of a call that makes others: what these touch.
static unsigned touch_within(struct touch_cache *cache, enum abi_id abi, uint64_t outer)
{
	enum { WITHIN_MAX = 32 };
	unsigned touches = 0;

	if (!syscall_is_outer(abi, outer))
		return 0;
	for (uint64_t number = 0; number < WITHIN_MAX; number++)
		touches |= touch_call(cache, syscall_within(abi, outer, number));
	return touches;
}

void touch_calls(unsigned touches, struct syscall_set *set)
{
	struct touch_cache cache = {0};

	for (enum abi_id abi = 0; abi < ABI_COUNT; abi++) {
		size_t count;
		const struct syscall *calls = syscall_table(abi, &count);

		for (size_t i = 0; i < count; i++) {
			unsigned all = touch_call(&cache, &calls[i]) |
				       touch_within(&cache, abi, calls[i].number);

			if (all & touches)
				syscall_set_add(set, abi, calls[i].number);
		}
	}
	hash_deinit(&cache.types);
}
