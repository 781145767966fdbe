// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_DECODE_SELECT_H
#define SRC_DECODE_SELECT_H

/** Types chosen by a value, variants of calls, and types with parameters. */

#include <stdint.h>

struct place;
struct signature;
struct type;
struct value;
struct walk;

/** TYPE_SELECT: the type of the case that holds; a hex number if there is none. */
struct value *select_case(struct walk *walk, const struct type *type, const struct place *place);
/** TYPE_APPLY: the target with its parameters set. */
struct value *select_apply(struct walk *walk, const struct type *type, const struct place *place);
/** Sets the walk's arguments as the call's signature cuts them. */
void select_arguments(struct walk *walk);
/** The variant of @signature, which is the call's, in force; NULL if it is the call itself. */
const struct signature *select_variant(struct walk *walk, const struct signature *signature);
/** Sets the call's signature to the variant of @signature in force, and the walk's arguments. */
void select_signature(struct walk *walk, const struct signature *signature);

#endif
