// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "schema/lookup.h"

#include <string.h>

#include "schema/const_set.h"
#include "schema/syscall.h"
#include "schema/tables.h"

static const struct {
	const char *name;
	uint32_t bits;
} classes[] = {
	{"%file", CLASS_FILE},
	{"%desc", CLASS_DESC},
	{"%process", CLASS_PROCESS},
	{"%network", CLASS_NETWORK},
	{"%net", CLASS_NETWORK},
	{"%signal", CLASS_SIGNAL},
	{"%ipc", CLASS_IPC},
	{"%memory", CLASS_MEMORY},
	{"%creds", CLASS_CREDS},
	{"%clock", CLASS_CLOCK},
	{"%pure", CLASS_PURE},
	{"%stat", CLASS_STAT},
	{"%lstat", CLASS_LSTAT},
	{"%fstat", CLASS_FSTAT},
	{"%%stat", CLASS_STAT_LIKE},
	{"%statfs", CLASS_STATFS},
	{"%fstatfs", CLASS_FSTATFS},
	{"%%statfs", CLASS_STATFS_LIKE},
};

const struct syscall *syscall_by_number(enum abi_id abi, uint64_t number)
{
	const struct syscall_rows *table = syscall_rows[abi];

	if (number >= table->numbers || table->by_number[number] == 0)
		return NULL;
	return &table->rows[table->by_number[number] - 1];
}

bool syscall_is_outer(enum abi_id abi, uint64_t outer)
{
	const struct syscall_rows *table = syscall_rows[abi];

	for (size_t i = 0; i < table->sub_count; i++)
		if (table->subs[i].outer == outer)
			return true;
	return false;
}

const struct syscall *syscall_within(enum abi_id abi, uint64_t outer, uint64_t number)
{
	const struct syscall_rows *table = syscall_rows[abi];

	for (size_t i = 0; i < table->sub_count; i++) {
		const struct syscall_sub *sub = &table->subs[i];

		if (sub->outer == outer && sub->number == number)
			return &table->rows[sub->row];
	}
	return NULL;
}

bool syscall_inner(enum abi_id abi, uint64_t outer, uint64_t argument, struct syscall_inner *ret)
{
	const struct syscall_rows *table = syscall_rows[abi];

	for (size_t i = 0; i < table->sub_count; i++) {
		const struct syscall_sub *sub = &table->subs[i];
		uint64_t number = sub->any_version ? argument & 0xffff : argument;

		if (sub->outer != outer || sub->number != number)
			continue;
		*ret = (struct syscall_inner){&table->rows[sub->row], sub->arguments, sub->result};
		return true;
	}
	return false;
}

const struct syscall *syscall_by_name(enum abi_id abi, const char *name)
{
	const struct syscall_rows *table = syscall_rows[abi];
	size_t low = 0, high = table->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct syscall *call = &table->rows[table->by_name[middle]];
		int order = strcmp(name, call->name);

		if (order == 0)
			return call;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

const struct syscall *syscall_table(enum abi_id abi, size_t *count_ret)
{
	*count_ret = syscall_rows[abi]->count;
	return syscall_rows[abi]->rows;
}

uint32_t syscall_class_by_name(const char *name)
{
	// Only the stat families are told apart by a second %, so "%%file" is not "file".
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		if (strcmp(name, classes[i].name + (name[0] != '%')) == 0)
			return classes[i].bits;
	return 0;
}

size_t syscall_class_count(void)
{
	return sizeof(classes) / sizeof(classes[0]);
}

const char *syscall_class_name(size_t index)
{
	return classes[index].name;
}

const struct const_set *const_set_by_name(const char *name)
{
	size_t low = 0, high = const_set_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = strcmp(name, const_sets[middle]->name);

		if (order == 0)
			return const_sets[middle];
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

const struct type *netlink_message(void)
{
	return netlink_message_type;
}

const struct syscall_effect *syscall_effect(
	const struct syscall *syscall, enum effect_kind kind, const struct syscall_effect *after)
{
	const struct syscall_desc *desc = syscall ? syscall->desc : NULL;

	if (!desc)
		return NULL;
	for (const struct syscall_effect *effect = after ? after + 1 : desc->effects;
		effect < desc->effects + desc->effect_count; effect++) {
		if (effect->kind == kind)
			return effect;
	}
	return NULL;
}
