// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "filter/query.h"

#include <string.h>
#include <strings.h>

#include "abi/abi.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/item_list.h"
#include "base/parse.h"

void query_init(struct query *query)
{
	*query = (struct query){.statuses = QUERY_STATUS_ALL, .signals = UINT64_MAX};
	syscall_set_fill(&query->calls);
}

void query_deinit(struct query *query)
{
	path_set_deinit(&query->paths);
	number_set_deinit(&query->fds);
}

static bool status_by_name(const char *name, size_t length, unsigned *ret)
{
	static const struct {
		const char *name;
		unsigned bits;
	} names[] = {
		{"successful", QUERY_STATUS_SUCCESSFUL},
		{"failed", QUERY_STATUS_FAILED},
		{"unfinished", QUERY_STATUS_UNFINISHED},
		{"unavailable", QUERY_STATUS_UNAVAILABLE},
		{"detached", QUERY_STATUS_DETACHED},
		{"all", QUERY_STATUS_ALL},
		{"none", 0},
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (strlen(names[i].name) == length && memcmp(names[i].name, name, length) == 0) {
			*ret = names[i].bits;
			return true;
		}
	}
	return false;
}

struct error *query_set_statuses(struct query *query, const char *text)
{
	struct item_list list;
	unsigned statuses = 0, bits;
	const char *item;
	size_t length;

	if (!item_list_begin(&list, text))
		return error_create("invalid status '%s'", text);
	while (item_list_next(&list, &item, &length)) {
		if (!status_by_name(item, length, &bits))
			return error_create("invalid status '%.*s' (known: successful, failed, "
					    "unfinished, unavailable, detached, all, none)",
				(int)length, item);
		statuses |= bits;
	}
	query->statuses = list.inverted ? QUERY_STATUS_ALL & ~statuses : statuses;
	return NULL;
}

bool query_signal_by_name(const char *name, int *ret)
{
	uint64_t number;

	if (parse_u64(name, &number)) {
		if (number < 1 || number > 64)
			return false;
		*ret = (int)number;
		return true;
	}
	if (strncasecmp(name, "SIG", 3) == 0)
		name += 3;
	for (int signal = 1; signal <= 64; signal++) {
		const char *known = signal_name(abi_native()->id, signal);

		if (known && strcasecmp(known + 3, name) == 0) {
			*ret = signal;
			return true;
		}
	}
	return false;
}

static bool signals_by_name(const char *name, uint64_t *ret)
{
	int signal;

	if (strcmp(name, "all") == 0 || strcmp(name, "none") == 0) {
		*ret = name[0] == 'a' ? UINT64_MAX : 0;
		return true;
	}
	if (!query_signal_by_name(name, &signal))
		return false;
	*ret = UINT64_C(1) << (signal - 1);
	return true;
}

struct error *query_set_signals(struct query *query, const char *text)
{
	struct item_list list;
	uint64_t signals = 0, bits;
	const char *item;
	size_t length;

	if (!item_list_begin(&list, text))
		return error_create("invalid signal '%s'", text);
	while (item_list_next(&list, &item, &length)) {
		cleanup_free char *name = xstrndup(item, length);

		if (!signals_by_name(name, &bits))
			return error_create("invalid signal '%s'", name);
		signals |= bits;
	}
	query->signals_asked = true;
	query->signals = list.inverted ? ~signals : signals;
	return NULL;
}
