// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_OUTPUT_TEXT_VALUE_H
#define SRC_OUTPUT_TEXT_VALUE_H

/**
 * A value as strace 6.1 spells it: {st_mode=S_IFREG|0644, ...}, "text"..., [3],
 * 3</etc/passwd>. Pure: the same value gives the same text.
 */

#include "output/text_style.h"

struct buf;
struct value;

/** Without @style->verbose, members flagged verbose are left out and announced by "...". */
void text_value(struct buf *buf, const struct value *value, const struct text_style *style);
/**
 * What stands in parentheses after a result: `Timeout`, `flags O_RDWR`,
 * `in [3], left {...}`. Members of a struct follow their label after a space,
 * and there are no braces.
 */
void text_note(struct buf *buf, const struct value *note, const struct text_style *style);

#endif
