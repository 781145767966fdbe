// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_OUTPUT_QUOTE_H
#define SRC_OUTPUT_QUOTE_H

/**
 * Makes bytes of the traced side printable: whatever they are, only printable
 * ASCII comes out, and it can be read back. Escapes are C's: \f \n \r \t \v, a
 * backslash before itself and ", and for all other bytes octal, as short as the
 * next character allows ("\0", "\0001"), or \x7f where -x asks for that.
 */

#include <stddef.h>

#include "output/text_style.h"

struct buf;

/** "BYTES". */
void quote_string(struct buf *buf, const void *bytes, size_t length, enum text_strings strings);
/** BYTES for use between < and >, which are then escaped too. */
void quote_angled(struct buf *buf, const void *bytes, size_t length, enum text_strings strings);
/** BYTES for use in running text: " stays as it is. */
void quote_plain(struct buf *buf, const void *bytes, size_t length);

#endif
