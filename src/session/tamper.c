// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "session/tamper.h"

#include "abi/abi.h"
#include "base/bits.h"
#include "filter/inject.h"
#include "schema/syscall.h"
#include "session/state.h"
#include "trace/trace.h"

// Of this call by this task, from 1 on.
static uint64_t count_call(struct session_task *task, enum abi_id abi, uint64_t number)
{
	uint64_t key = (uint64_t)abi << 32 | number;
	uintptr_t count = (uintptr_t)hash_get(&task->tampered, key) + 1;

	hash_set(&task->tampered, key, (void *)count);
	return count;
}

static bool poke(struct session_task *task, const struct inject_pokes *pokes, const uint64_t *args)
{
	bool has_written = false;

	for (size_t i = 0; i < pokes->list.count; i++) {
		const struct inject_poke *poke = &pokes->list.data[i];
		size_t written = 0;

		if (poke->argument < CALL_REGS)
			written = mem_write(
				&task->live.mem, args[poke->argument], poke->bytes, poke->length);
		if (written < poke->length)
			message_say("Failed to tamper with process %d: couldn't poke the bytes of "
				    "@arg%u",
				task->id.tid, poke->argument + 1);
		has_written |= written > 0;
	}
	return has_written;
}

static void change(struct session_task *task, const struct inject_rule *rule, enum abi_id abi)
{
	bool is_error = rule->result == INJECT_RESULT_ERROR;
	int64_t value = (int64_t)rule->value;

	if (abi_get(abi)->register_size < sizeof(value))
		value = (int64_t)sign_extend(rule->value, abi_get(abi)->register_size);
	task->source->ops->change_call(task->source, task,
		&(struct call_change){
			.number = rule->has_number ? rule->number[abi] : UINT64_MAX,
			.result = is_error ? -value : value,
			.is_error = is_error,
		});
}

bool session_tamper_entry(
	struct session *session, struct session_task *task, const struct stop *stop)
{
	const struct inject_rules *rules = session->options->inject;
	const struct session_source_ops *ops = task->source->ops;
	const struct call *call = &task->decoded;
	uint64_t number = call->syscall ? call->syscall->number : call->number;
	const struct inject_rule *rule;
	bool poked;

	if (!rules || !ops->change_call || stop->syscall.in_flight || stop->syscall.abi_unknown)
		return false;
	// Until the command runs its program, its calls are ours.
	if (task->id.tid == session->command_pid && !session->command_runs)
		return false;
	rule = inject_find(rules, call->abi, number);
	if (!rule || !inject_is_due(rule, count_call(task, call->abi, number)))
		return false;
	task->call.rule = rule;
	if (rule->result != INJECT_RESULT_NONE)
		change(task, rule, stop->syscall.abi);
	if (rule->signal)
		ops->send(task->source, task, rule->signal);
	if (rule->delays_entry)
		ops->delay(task->source, task, rule->delay_entry);
	poked = poke(task, &rule->poke_entry, stop->syscall.args);
	task->call.poked = poked;
	return poked;
}

void session_tamper_exit(
	struct session *session, struct session_task *task, const struct stop *stop)
{
	const struct inject_rule *rule = task->call.rule;
	unsigned *tampered = &task->decoded.tampered;

	(void)session;
	if (!rule)
		return;
	if (poke(task, &rule->poke_exit, stop->syscall.args) || task->call.poked)
		*tampered |= CALL_TAMPERED_ARGUMENTS;
	if (stop->syscall.is_changed)
		*tampered |= CALL_TAMPERED_RESULT;
	if (rule->delays_exit)
		task->source->ops->delay(task->source, task, rule->delay_exit);
	if (rule->delays_entry || rule->delays_exit)
		*tampered |= CALL_DELAYED;
}
