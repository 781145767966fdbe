// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "base/item_list.h"

#include <string.h>

bool item_list_begin(struct item_list *list, const char *text)
{
	size_t marks = strspn(text, "!");

	*list = (struct item_list){.inverted = marks % 2, .cursor = text + marks};
	return list->cursor[strspn(list->cursor, ",")] != '\0';
}

static size_t regex_length(const char *text)
{
	size_t length = 0;
	bool in_braces = false;

	for (; text[length] && (text[length] != ',' || in_braces); length++) {
		if (text[length] == '\\' && text[length + 1])
			length++;
		else if (text[length] == '{' || text[length] == '}')
			in_braces = text[length] == '{';
	}
	return length;
}

bool item_list_next(struct item_list *list, const char **item_ret, size_t *length_ret)
{
	const char *item = list->cursor + strspn(list->cursor, ",");
	bool is_regex = item[item[0] == '?'] == '/';

	if (!*item)
		return false;
	*item_ret = item;
	*length_ret = is_regex ? regex_length(item) : strcspn(item, ",");
	list->cursor = item + *length_ret;
	return true;
}

bool item_is(const char *item, size_t length, const char *word)
{
	return strlen(word) == length && memcmp(item, word, length) == 0;
}
