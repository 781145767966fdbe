// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "decode/eval.h"

#include "base/bits.h"
#include "decode/call.h"
#include "decode/value.h"
#include "decode/walk.h"
#include "schema/relation.h"
#include "schema/syscall.h"
#include "schema/type.h"

// The number a pointer argument had behind it at entry; false if it is not known.
static bool target_before(const struct walk *walk, unsigned index, uint64_t *ret)
{
	const struct value *value = walk->entry[index];

	if (!walk->at_exit || !value || value->kind != VALUE_REF || !value->first)
		return false;
	*ret = value->first->number;
	return true;
}

static uint64_t eval_target(struct walk *walk, unsigned index)
{
	const struct signature *signature = walk->call->signature;
	const struct type *pointer;
	struct place place;
	uint64_t number;
	uint64_t before;

	if (!signature || index >= signature->arg_count)
		return 0;
	pointer = signature->args[index].type;
	if (pointer->kind != TYPE_POINTER || !pointer->target)
		return 0;
	place = place_memory(walk->args[index]);
	if (!fetch_number(walk, &place, pointer->target->size[walk->abi],
		    pointer->target->is_signed, pointer->target->big_endian, &number))
		return 0;
	// The kernel stores how long the object is, and copies no more than it was given room for.
	if (pointer->direction == DIRECTION_INOUT && target_before(walk, index, &before) &&
		before < number)
		return before;
	return number;
}

static uint64_t eval_word(struct walk *walk, const struct expr *expr)
{
	struct place place = place_memory(walk->args[expr->index] + 8 * eval(walk, expr->left));
	uint64_t number;

	return fetch_number(walk, &place, 8, false, false, &number) ? number : 0;
}

static uint64_t eval_member(struct walk *walk, unsigned index)
{
	const struct type *record = walk->scope.record;
	const struct member *member;
	struct place place;
	uint64_t number;

	if (!record || index >= record->member_count)
		return 0;
	member = &record->members[index];
	place = place_offset(&walk->scope.place, member->offset[walk->abi]);
	if (!fetch_number(walk, &place, member->type->size[walk->abi], member->type->is_signed,
		    member->type->big_endian, &number))
		return 0;
	if (member->bits)
		return number >> member->shift & ((UINT64_C(1) << member->bits) - 1);
	return number;
}

// @inner in the struct @type at @place.
static uint64_t eval_inside(
	struct walk *walk, const struct type *type, struct place place, const struct expr *inner)
{
	struct scope outer = walk->scope;
	uint64_t number;

	if (type->kind == TYPE_APPLY)
		type = type->target;
	walk->scope.record = type;
	walk->scope.place = place;
	number = eval(walk, inner);
	walk->scope = outer;
	return number;
}

static uint64_t eval_path(struct walk *walk, const struct expr *expr)
{
	const struct type *record = walk->scope.record;
	const struct member *member;

	if (!record || expr->index >= record->member_count)
		return 0;
	member = &record->members[expr->index];
	return eval_inside(walk, member->type,
		place_offset(&walk->scope.place, member->offset[walk->abi]), expr->left);
}

// The type of a pointer; of a select, its first case that is one.
static const struct type *pointer_type(const struct type *type)
{
	if (type->kind != TYPE_SELECT)
		return type;
	for (unsigned i = 0; i < type->case_count; i++) {
		if (type->cases[i].type->kind == TYPE_POINTER)
			return type->cases[i].type;
	}
	return type->otherwise ? type->otherwise : type;
}

static uint64_t eval_argument_path(struct walk *walk, const struct expr *expr)
{
	const struct signature *signature = walk->call->signature;
	const struct type *pointer;

	if (!signature || expr->index >= signature->arg_count || expr->index >= WALK_ARGS_MAX)
		return 0;
	pointer = pointer_type(signature->args[expr->index].type);
	if (pointer->kind != TYPE_POINTER || !pointer->target)
		return 0;
	return eval_inside(
		walk, pointer->target, place_memory(walk->args[expr->index]), expr->left);
}

static uint64_t eval_result(struct walk *walk)
{
	if (!walk->at_exit)
		walk->pending = true;
	return walk->ret;
}

// Asking means to be read again once the answer is there.
static uint64_t eval_done(struct walk *walk)
{
	if (!walk->at_exit)
		walk->pending = true;
	return walk->at_exit && !walk->failed;
}

static uint64_t eval_leaf(struct walk *walk, const struct expr *expr)
{
	switch (expr->op) {
	case EXPR_CONSTANT:
		return expr->constant[walk->abi];
	case EXPR_ARG:
		return expr->index < WALK_ARGS_MAX ? walk->args[expr->index] : 0;
	case EXPR_ARG_TARGET:
		return expr->index < WALK_ARGS_MAX ? eval_target(walk, expr->index) : 0;
	case EXPR_ARG_WORD:
		return expr->index < WALK_ARGS_MAX ? eval_word(walk, expr) : 0;
	case EXPR_RET:
		return eval_result(walk);
	case EXPR_DONE:
		return eval_done(walk);
	case EXPR_PARAM:
		return expr->index < walk->scope.param_count ? walk->scope.params[expr->index] : 0;
	case EXPR_MEMBER:
		return eval_member(walk, expr->index);
	case EXPR_PATH:
		return eval_path(walk, expr);
	case EXPR_ARG_PATH:
		return eval_argument_path(walk, expr);
	case EXPR_ROOM:
		return walk->room;
	default:
		return 0;
	}
}

static uint64_t eval_arithmetic(enum expr_op op, uint64_t left, uint64_t right)
{
	switch (op) {
	case EXPR_ADD:
		return left + right;
	case EXPR_SUB:
		return left - right;
	case EXPR_MUL:
		return left * right;
	case EXPR_DIV:
		return right ? left / right : 0;
	case EXPR_AND:
		return left & right;
	case EXPR_OR:
		return left | right;
	case EXPR_SHIFT_LEFT:
		return right < 64 ? left << right : 0;
	case EXPR_SHIFT_RIGHT:
		return right < 64 ? left >> right : 0;
	case EXPR_MIN:
		return left < right ? left : right;
	case EXPR_MAX:
		return left > right ? left : right;
	default:
		return 0;
	}
}

static uint64_t eval_comparison(enum expr_op op, uint64_t left, uint64_t right)
{
	switch (op) {
	case EXPR_EQUAL:
		return left == right;
	case EXPR_NOT_EQUAL:
		return left != right;
	case EXPR_LESS:
		return left < right;
	case EXPR_LESS_EQUAL:
		return left <= right;
	default:
		return 0;
	}
}

uint64_t eval(struct walk *walk, const struct expr *expr)
{
	switch (expr->op) {
	case EXPR_CONSTANT:
	case EXPR_ARG:
	case EXPR_ARG_TARGET:
	case EXPR_ARG_WORD:
	case EXPR_RET:
	case EXPR_DONE:
	case EXPR_PARAM:
	case EXPR_MEMBER:
	case EXPR_PATH:
	case EXPR_ARG_PATH:
	case EXPR_ROOM:
		return eval_leaf(walk, expr);
	case EXPR_ADD:
	case EXPR_SUB:
	case EXPR_MUL:
	case EXPR_DIV:
	case EXPR_AND:
	case EXPR_OR:
	case EXPR_SHIFT_LEFT:
	case EXPR_SHIFT_RIGHT:
	case EXPR_MIN:
	case EXPR_MAX:
		return eval_arithmetic(expr->op, eval(walk, expr->left), eval(walk, expr->right));
	case EXPR_EQUAL:
	case EXPR_NOT_EQUAL:
	case EXPR_LESS:
	case EXPR_LESS_EQUAL:
		return eval_comparison(expr->op, eval(walk, expr->left), eval(walk, expr->right));
	case EXPR_BOTH:
		return eval(walk, expr->left) && eval(walk, expr->right);
	case EXPR_EITHER:
		return eval(walk, expr->left) || eval(walk, expr->right);
	case EXPR_NOT:
		return !eval(walk, expr->left);
	}
	return 0;
}
