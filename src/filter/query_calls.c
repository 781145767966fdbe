// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <regex.h>
#include <string.h>

#include "abi/abi.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/item_list.h"
#include "base/nearest.h"
#include "base/parse.h"
#include "filter/query.h"
#include "schema/lookup.h"
#include "schema/syscall.h"

/** The ABIs an item is meant for: `open@32` only that of 32-bit code. */
struct item {
	char *name;
	bool optional;
	bool abis[ABI_COUNT];
};

static bool parse_personality(struct item *item)
{
	char *at = strrchr(item->name, '@');

	bool found = false;

	for (enum abi_id abi = 0; abi < ABI_COUNT; abi++) {
		item->abis[abi] = !at || strcmp(at + 1, abi_get(abi)->personality) == 0;
		found |= item->abis[abi];
	}
	if (at && found)
		*at = '\0';
	return found;
}

static struct error *add_regex(struct syscall_set *set, const struct item *item)
{
	regex_t regex;
	bool found = false;
	int code = regcomp(&regex, item->name + 1, REG_EXTENDED | REG_NOSUB);

	if (code) {
		char message[256];

		regerror(code, &regex, message, sizeof(message));
		return error_create("invalid regular expression '%s': %s", item->name + 1, message);
	}
	for (enum abi_id abi = 0; abi < ABI_COUNT; abi++) {
		size_t count;
		const struct syscall *calls = syscall_table(abi, &count);

		for (size_t i = 0; item->abis[abi] && i < count; i++) {
			if (!calls[i].name || regexec(&regex, calls[i].name, 0, NULL, 0) != 0)
				continue;
			syscall_set_add(set, abi, calls[i].number);
			found = true;
		}
	}
	regfree(&regex);
	if (!found && !item->optional)
		return error_create("invalid system call '%s': no name matches", item->name);
	return NULL;
}

static bool add_classes(struct syscall_set *set, const struct item *item, uint32_t classes)
{
	for (enum abi_id abi = 0; abi < ABI_COUNT; abi++) {
		size_t count;
		const struct syscall *calls = syscall_table(abi, &count);

		for (size_t i = 0; item->abis[abi] && i < count; i++) {
			if (calls[i].name && (calls[i].classes & classes))
				syscall_set_add(set, abi, calls[i].number);
		}
	}
	return true;
}

static bool add_name(struct syscall_set *set, const struct item *item)
{
	bool found = false;
	uint64_t number;

	if (parse_u64(item->name, &number) && number < SYSCALL_SET_NUMBERS) {
		for (enum abi_id abi = 0; abi < ABI_COUNT; abi++) {
			if (item->abis[abi] && syscall_by_number(abi, number)) {
				syscall_set_add(set, abi, number);
				found = true;
			}
		}
		return found;
	}
	for (enum abi_id abi = 0; abi < ABI_COUNT; abi++) {
		const struct syscall *call =
			item->abis[abi] ? syscall_by_name(abi, item->name) : NULL;

		if (call) {
			syscall_set_add(set, abi, call->number);
			found = true;
		}
	}
	return found;
}

// strace still takes the classes of its early days without the %.
static const char *const old_classes[] = {
	"file", "desc", "process", "network", "net", "signal", "ipc", "memory", "creds", NULL};

static uint32_t classes_of(const char *name)
{
	if (name[0] == '%')
		return syscall_class_by_name(strcmp(name, "%net") == 0 ? "%network" : name);
	for (size_t i = 0; old_classes[i]; i++) {
		if (strcmp(name, old_classes[i]) == 0)
			return syscall_class_by_name(strcmp(name, "net") == 0 ? "network" : name);
	}
	return 0;
}

static struct error *bad_item(const struct item *item)
{
	struct nearest nearest = nearest_begin(item->name);
	cleanup_free char *question = NULL;

	for (enum abi_id abi = 0; abi < ABI_COUNT; abi++) {
		size_t count;
		const struct syscall *calls = syscall_table(abi, &count);

		for (size_t i = 0; item->abis[abi] && i < count; i++)
			nearest_try(&nearest, calls[i].name);
	}
	for (size_t i = 0; item->name[0] == '%' && i < syscall_class_count(); i++)
		nearest_try(&nearest, syscall_class_name(i));
	question = nearest_question(&nearest);
	return error_create("invalid system call '%s'%s", item->name, question);
}

static bool add_all(struct syscall_set *set, const struct item *item)
{
	for (enum abi_id abi = 0; abi < ABI_COUNT; abi++) {
		for (uint64_t number = 0; item->abis[abi] && number < SYSCALL_SET_NUMBERS; number++)
			syscall_set_add(set, abi, number);
	}
	return true;
}

static struct error *add_item(struct syscall_set *set, struct item *item)
{
	uint32_t classes;
	bool found;

	item->optional = item->name[0] == '?';
	if (item->optional)
		memmove(item->name, item->name + 1, strlen(item->name));
	if (!parse_personality(item))
		return error_create(
			"invalid system call '%s': the part after @ is 64, 32 or x32", item->name);
	if (item->name[0] == '/')
		return add_regex(set, item);
	classes = classes_of(item->name);
	if (strcmp(item->name, "all") == 0)
		found = add_all(set, item);
	else
		found = classes ? add_classes(set, item, classes) : add_name(set, item);
	return found || item->optional ? NULL : bad_item(item);
}

// Numbers that no name stands for: nobody could ask for them, and a kernel that is newer than we
// are has calls of which somebody should hear.
static void add_nameless(struct syscall_set *set)
{
	struct syscall_set named = {0};

	for (enum abi_id abi = 0; abi < ABI_COUNT; abi++) {
		size_t count;
		const struct syscall *calls = syscall_table(abi, &count);

		for (size_t i = 0; i < count; i++)
			syscall_set_add(&named, abi, calls[i].number);
	}
	syscall_set_invert(&named);
	syscall_set_unite(set, &named);
}

static struct error *parse_items(struct item_list *list, struct syscall_set *set)
{
	const char *part;
	size_t length;

	while (item_list_next(list, &part, &length)) {
		cleanup_free char *name = xstrndup(part, length);
		struct item item = {.name = name};
		struct error *error = add_item(set, &item);

		if (error)
			return error;
	}
	return NULL;
}

struct error *query_parse_calls(const char *text, struct syscall_set *ret)
{
	struct syscall_set set = {0};
	struct item_list list;
	struct error *error;

	if (!item_list_begin(&list, text))
		return error_create("invalid system call '%s'", text);
	error = strcmp(list.cursor, "none") == 0 ? NULL : parse_items(&list, &set);
	if (error)
		return error;
	if (list.inverted)
		syscall_set_invert(&set);
	*ret = set;
	return NULL;
}

struct error *query_set_calls(struct query *query, const char *text)
{
	struct error *error = query_parse_calls(text, &query->calls);

	if (!error)
		add_nameless(&query->calls);
	return error;
}
