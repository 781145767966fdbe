// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/frame/rule.h"

#include "unwind/frame/expression.h"
#include "unwind/frame/stack_memory.h"

struct execution {
	struct expression_state state;
	taddr failed;
};

static enum rule_result evaluate(
	struct execution *execution, const struct expression *expression, uint64_t *ret)
{
	switch (expression_evaluate(expression, &execution->state, ret)) {
	case EXPRESSION_OK:
		return RULE_OK;
	case EXPRESSION_UNREADABLE:
		execution->failed = *ret;
		return RULE_UNREADABLE;
	case EXPRESSION_UNKNOWN_REGISTER:
		return RULE_UNKNOWN_REGISTER;
	case EXPRESSION_BAD:
		return RULE_BAD;
	}
	return RULE_BAD;
}

static enum rule_result read_word(struct execution *execution, taddr address, uint64_t *ret)
{
	const struct arch *arch = execution->state.arch;

	address = arch_truncate(arch, address);
	if (stack_memory_read(execution->state.memory, address, arch->word, ret))
		return RULE_OK;
	execution->failed = address;
	return RULE_UNREADABLE;
}

static enum rule_result find_cfa(const struct rule *rule, struct execution *execution)
{
	struct expression_state *state = &execution->state;
	uint64_t value;

	if (rule->cfa_expression) {
		enum rule_result result = evaluate(execution, rule->cfa_expression, &value);

		if (result == RULE_OK)
			state->cfa = arch_truncate(state->arch, value);
		return result;
	}
	if (!frame_regs_get(state->regs, rule->cfa_register, &value))
		return RULE_UNKNOWN_REGISTER;
	state->cfa = arch_truncate(state->arch, value + (uint64_t)rule->cfa_offset);
	return RULE_OK;
}

static enum rule_result find_register(
	const struct rule_register *reg, struct execution *execution, uint64_t *ret)
{
	const struct expression_state *state = &execution->state;
	uint64_t cfa_relative = state->cfa + (uint64_t)(int64_t)reg->offset;
	enum rule_result result;

	switch ((enum rule_kind)reg->kind) {
	case RULE_CFA_MEMORY:
		return read_word(execution, cfa_relative, ret);
	case RULE_CFA_VALUE:
		*ret = arch_truncate(state->arch, cfa_relative);
		return RULE_OK;
	case RULE_REGISTER:
		return frame_regs_get(state->regs, (unsigned)reg->offset, ret)
			       ? RULE_OK
			       : RULE_UNKNOWN_REGISTER;
	case RULE_EXPRESSION_MEMORY:
		result = evaluate(execution, reg->expression, ret);
		return result == RULE_OK ? read_word(execution, *ret, ret) : result;
	case RULE_EXPRESSION_VALUE:
		return evaluate(execution, reg->expression, ret);
	}
	return RULE_BAD;
}

enum rule_result rule_execute(const struct rule *rule, const struct arch *arch,
	const struct frame_regs *regs, struct stack_memory *memory, unsigned *budget,
	struct frame_regs *caller_ret, taddr *cfa_ret, taddr *failed_ret)
{
	struct execution execution = {
		.state = {.arch = arch, .regs = regs, .memory = memory, .budget = budget}};
	enum rule_result result = find_cfa(rule, &execution);
	uint64_t value;

	if (result == RULE_OK)
		*cfa_ret = execution.state.cfa;
	if (rule->is_outermost)
		return RULE_OUTERMOST;
	if (result == RULE_OK) {
		*caller_ret = *regs;
		caller_ret->known &= rule->same;
	}
	for (unsigned i = 0; result == RULE_OK && i < rule->count; i++) {
		const struct rule_register *reg = &rule->registers[i];

		result = find_register(reg, &execution, &value);
		if (result == RULE_OK)
			frame_regs_set(caller_ret, reg->number, value);
		else if (reg->number != arch->ra)
			// Its loss only matters if a later rule asks for it.
			result = RULE_OK;
	}
	*failed_ret = execution.failed;
	if (result != RULE_OK)
		return result;
	if (!frame_regs_get(caller_ret, arch->ra, &value))
		return RULE_UNKNOWN_REGISTER;
	caller_ret->pc = arch_code_address(arch, value);
	return RULE_OK;
}
