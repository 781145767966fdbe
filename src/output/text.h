// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_OUTPUT_TEXT_H
#define SRC_OUTPUT_TEXT_H

/**
 * Lines as strace 6.1 writes them. A call's line is begun at entry and stays open
 * until the call ends; when something else has to be written meanwhile it is
 * closed with `<unfinished ...>` and later taken up with `<... NAME resumed>`.
 * Only the text format knows of this: no other part of the program does.
 */

#include "output/output.h"

extern const struct output_format text_format;

#endif
