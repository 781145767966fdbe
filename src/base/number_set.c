// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "base/number_set.h"

#include <stdint.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/item_list.h"
#include "base/parse.h"

void number_set_deinit(struct number_set *set)
{
	array_deinit(&set->numbers);
}

static void add(struct number_set *set, int number)
{
	array_for_each (member, &set->numbers) {
		if (*member == number)
			return;
	}
	*array_add(&set->numbers) = number;
}

struct error *number_set_parse(struct number_set *set, const char *text, const char *what)
{
	struct number_set fresh = {0};
	struct item_list list;
	const char *item;
	size_t length;

	if (!item_list_begin(&list, text))
		return error_create("invalid %s '%s'", what, text);
	fresh.inverted = list.inverted;
	while (item_list_next(&list, &item, &length)) {
		cleanup_free char *word = xstrndup(item, length);
		bool is_alone = item == text + list.inverted && !*list.cursor;
		int number;

		if (is_alone && item_is(item, length, "all")) {
			fresh.inverted = !fresh.inverted;
		} else if (is_alone && item_is(item, length, "none")) {
			continue;
		} else if (parse_int(word, &number)) {
			add(&fresh, number);
		} else {
			number_set_deinit(&fresh);
			return error_create("invalid %s '%s'", what, word);
		}
	}
	number_set_deinit(set);
	*set = fresh;
	return NULL;
}

bool number_set_has(const struct number_set *set, int number)
{
	if (number < 0)
		return false;
	array_for_each (member, &set->numbers) {
		if (*member == number)
			return !set->inverted;
	}
	return set->inverted;
}

bool number_set_has_range(const struct number_set *set, unsigned first, unsigned last)
{
	uint64_t named = 0;

	array_for_each (member, &set->numbers)
		named += (unsigned)*member >= first && (unsigned)*member <= last;
	return set->inverted ? first <= last && named <= last - first : named > 0;
}

bool number_set_is_empty(const struct number_set *set)
{
	return !set->numbers.count && !set->inverted;
}
