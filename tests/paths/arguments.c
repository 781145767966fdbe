// SPDX-License-Identifier: MIT
// Copyright the tracer authors

// Lists every path, descriptor and region that a described call can be given, one per line,
// with arguments that make the call look at it:
//
//	CALL NUMBER ARGUMENT ROLE A0 A1 A2 A3 A4 A5
//	CALL NUMBER ARGUMENT ROLE skip REASON
//
// An argument is a number or PATH, FD, REGION, FD@OFFSET/SIZE (zeroed memory with a descriptor
// in it).

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "schema/lookup.h"
#include "schema/syscall.h"

enum {
	ARGS = 8,
	DEPTH_MAX = 12,
};

static const enum abi_id ABI = ABI_X86_64;

/** Arguments under construction. */
struct plan {
	const struct syscall *call;
	const struct signature *signature;
	uint64_t value[ARGS];
	bool set[ARGS];
	/** The argument looked at, where it is memory: offset of what is looked at. */
	unsigned index;
	bool in_memory;
	uint32_t offset;
	unsigned depth;
	const char *problem;
};

static uint64_t constant_of(const struct expr *expr)
{
	return expr->op == EXPR_CONSTANT ? expr->constant[ABI] : 0;
}

static bool put(struct plan *plan, unsigned index, uint64_t mask, uint64_t value)
{
	if (index >= ARGS)
		return false;
	plan->value[index] = (plan->value[index] & ~mask) | (value & mask);
	plan->set[index] = true;
	return true;
}

// Chooses arguments so that @expr has @value; false if it is not of a kind that is understood.
static bool make_equal(struct plan *plan, const struct expr *expr, uint64_t value)
{
	switch (expr->op) {
	case EXPR_CONSTANT:
		return constant_of(expr) == value;
	case EXPR_ARG:
		return put(plan, expr->index, UINT64_MAX, value);
	case EXPR_AND:
		return expr->left->op == EXPR_ARG && expr->right->op == EXPR_CONSTANT &&
		       put(plan, expr->left->index, constant_of(expr->right), value);
	case EXPR_SHIFT_RIGHT:
		return expr->left->op == EXPR_ARG &&
		       put(plan, expr->left->index, UINT64_MAX, value << constant_of(expr->right));
	default:
		return false;
	}
}

static bool make_true(struct plan *plan, const struct expr *expr);

static bool make_false(struct plan *plan, const struct expr *expr)
{
	switch (expr->op) {
	case EXPR_ARG:
	case EXPR_AND:
	case EXPR_CONSTANT:
		return make_equal(plan, expr, 0);
	case EXPR_NOT:
		return make_true(plan, expr->left);
	case EXPR_EQUAL:
		return make_equal(plan, expr->left, constant_of(expr->right) + 1);
	case EXPR_LESS:
		return make_equal(plan, expr->left, constant_of(expr->right));
	case EXPR_BOTH:
		return make_false(plan, expr->left) || make_false(plan, expr->right);
	case EXPR_EITHER:
		return make_false(plan, expr->left) && make_false(plan, expr->right);
	case EXPR_DONE:
		return true;
	default:
		return false;
	}
}

static bool make_true(struct plan *plan, const struct expr *expr)
{
	switch (expr->op) {
	case EXPR_CONSTANT:
		return constant_of(expr) != 0;
	case EXPR_ARG:
		return make_equal(plan, expr, 1);
	case EXPR_AND:
		return make_equal(plan, expr, constant_of(expr->right));
	case EXPR_NOT:
		return make_false(plan, expr->left);
	case EXPR_EQUAL:
		return make_equal(plan, expr->left, constant_of(expr->right));
	case EXPR_LESS_EQUAL:
		return expr->left->op == EXPR_CONSTANT
			       ? make_equal(plan, expr->right, constant_of(expr->left))
			       : make_equal(plan, expr->left, constant_of(expr->right));
	case EXPR_BOTH:
		return make_true(plan, expr->left) && make_true(plan, expr->right);
	case EXPR_EITHER:
		return make_true(plan, expr->left) || make_true(plan, expr->right);
	default:
		return false;
	}
}

static void show(const struct plan *plan, const char *role, bool is_path, unsigned size)
{
	char words[6][32];
	unsigned count = plan->signature->arg_count < ARGS ? plan->signature->arg_count : ARGS;

	for (unsigned i = 0; i < 6; i++)
		strcpy(words[i], "0");
	for (unsigned i = 0; i < count; i++) {
		unsigned reg = plan->signature->args[i].reg[ABI];

		if (reg >= 6)
			continue;
		if (i != plan->index)
			snprintf(words[reg], sizeof(words[reg]), "%#llx",
				(unsigned long long)plan->value[i]);
		else if (plan->in_memory)
			snprintf(words[reg], sizeof(words[reg]), "FD@%u/%u", plan->offset, size);
		else
			strcpy(words[reg], is_path ? "PATH" : role[0] == 'R' ? "REGION" : "FD");
	}
	printf("%s %u %s %s", plan->call->name, plan->call->number,
		plan->signature->args[plan->index].name, role);
	if (plan->problem) {
		printf(" skip %s\n", plan->problem);
		return;
	}
	for (unsigned i = 0; i < 6; i++)
		printf(" %s", words[i]);
	printf("\n");
}

static void show_role(struct plan plan, const struct type *type)
{
	unsigned size = type->size[ABI];

	switch (type->role) {
	case ROLE_PATH:
		if (plan.in_memory)
			plan.problem = "a path within memory";
		show(&plan, "path", true, size);
		break;
	case ROLE_FD:
	case ROLE_DIRFD:
		show(&plan, type->role == ROLE_FD ? "fd" : "dirfd", false, size);
		break;
	case ROLE_FD_RANGE:
		if (!type->length || !make_equal(&plan, type->length, 1000))
			plan.problem = "a range whose end is not an argument";
		show(&plan, "fds", false, size);
		break;
	case ROLE_REGION:
		if (plan.in_memory)
			plan.problem = "an address within memory";
		else if (type->length && !make_equal(&plan, type->length, 4096) &&
			 type->length->op != EXPR_CONSTANT)
			plan.problem = "a region whose length is not an argument";
		show(&plan, "Region", false, size);
		break;
	default:
		break;
	}
}

static void visit(struct plan plan, const struct type *type);

static void visit_select(struct plan plan, const struct type *type)
{
	for (unsigned i = 0; i < type->case_count; i++) {
		struct plan chosen = plan;

		if (!make_equal(&chosen, type->selector, type->cases[i].value[ABI]) &&
			!(type->cases[i].value[ABI] ? make_true(&chosen, type->selector)
						    : make_false(&chosen, type->selector)))
			chosen.problem = "chosen by more than an argument";
		visit(chosen, type->cases[i].type);
	}
	if (type->otherwise) {
		// Some value that no case has.
		bool is_flag = type->selector->op == EXPR_AND;

		if (!(is_flag ? make_true(&plan, type->selector)
			      : make_equal(&plan, type->selector, 0x7ffe)))
			plan.problem = "chosen by more than an argument";
		visit(plan, type->otherwise);
	}
}

static void visit_members(struct plan plan, const struct type *type)
{
	for (unsigned i = 0; i < type->member_count; i++) {
		const struct member *member = &type->members[i];
		struct plan inner = plan;

		inner.offset += member->offset[ABI];
		if (member->condition)
			inner.problem = "a member that depends on others";
		visit(inner, member->type);
	}
}

static void visit(struct plan plan, const struct type *type)
{
	if (++plan.depth > DEPTH_MAX)
		return;
	switch (type->kind) {
	case TYPE_NUMBER:
	case TYPE_SET:
	case TYPE_STRING:
		show_role(plan, type);
		return;
	case TYPE_POINTER:
		if (plan.in_memory)
			plan.problem = "behind a pointer in memory";
		if (type->direction == DIRECTION_OUT)
			plan.problem = "stored by the kernel";
		plan.in_memory = type->target->kind != TYPE_STRING;
		visit(plan, type->target);
		return;
	case TYPE_STRUCT:
		visit_members(plan, type);
		return;
	case TYPE_ARRAY:
		if (type->length->op != EXPR_CONSTANT && !make_equal(&plan, type->length, 1))
			plan.problem = "a length that is not an argument";
		visit(plan, type->target);
		return;
	case TYPE_LIST:
		visit(plan, type->target);
		return;
	case TYPE_SELECT:
		visit_select(plan, type);
		return;
	case TYPE_APPLY:
		if (type->target->kind == TYPE_STRUCT && type->target->given_size &&
			!make_equal(&plan, type->arguments[0], type->target->size[ABI]))
			plan.problem = "a size that is not an argument";
		visit(plan, type->target);
		return;
	case TYPE_FORMAT:
	case TYPE_HOOK:
		if (type->target)
			visit(plan, type->target);
		return;
	case TYPE_BYTES:
	case TYPE_BITS:
	case TYPE_ATTRS:
	case TYPE_MESSAGES:
		return;
	}
}

// How many arguments a variant begins with that are those of the call itself.
static unsigned shared_count(const struct signature *signature, const struct signature *variant)
{
	unsigned count = 0;

	while (count < signature->arg_count && count < variant->arg_count &&
		signature->args[count].type == variant->args[count].type)
		count++;
	return count;
}

// Arguments from @from on.
static void visit_signature(struct plan plan, const struct signature *signature, unsigned from)
{
	plan.signature = signature;
	for (unsigned i = from; i < signature->arg_count && i < ARGS; i++) {
		const struct argument *argument = &signature->args[i];
		struct plan chosen = plan;

		chosen.index = i;
		if (argument->condition && !make_true(&chosen, argument->condition))
			chosen.problem = "shown only if something that no argument decides";
		visit(chosen, argument->type);
	}
	for (unsigned i = 0; i < signature->case_count; i++) {
		struct plan chosen = plan;

		if (signature->cases[i].lacking >> ABI & 1)
			continue;
		if (!make_equal(&chosen, signature->selector, signature->cases[i].value[ABI]))
			chosen.problem = "a variant that no argument decides";
		visit_signature(chosen, signature->cases[i].signature,
			shared_count(signature, signature->cases[i].signature));
	}
}

int main(void)
{
	size_t count;
	const struct syscall *calls = syscall_table(ABI, &count);

	for (size_t i = 0; i < count; i++) {
		struct plan plan = {.call = &calls[i]};

		if (calls[i].desc)
			visit_signature(plan, &calls[i].desc->signature, 0);
	}
	return 0;
}
