// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_BASE_ITEM_LIST_H
#define SRC_BASE_ITEM_LIST_H

/**
 * A set as it is written behind `-e QUALIFIER=`: `[!]ITEM[,ITEM]...`. Empty items are passed over,
 * and each ! in front inverts. What items mean is not known here.
 */

#include <stdbool.h>
#include <stddef.h>

struct item_list {
	/** All but the items. */
	bool inverted;
	const char *cursor;
};

/** False if there is no item in @text, which must live as long as the list. */
bool item_list_begin(struct item_list *list, const char *text);
/**
 * The next item, not ended by a NUL; false after the last one. A regular expression (`/…`, `?/…`)
 * keeps the commas that stand in braces: `/^.{3,4}$`.
 */
bool item_list_next(struct item_list *list, const char **item_ret, size_t *length_ret);
/** Whether the item is @word. */
bool item_is(const char *item, size_t length, const char *word);

#endif
