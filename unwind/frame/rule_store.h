// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_FRAME_RULE_STORE_H
#define UNWIND_FRAME_RULE_STORE_H

/**
 * Every distinct rule and expression once: a module with 10,000 functions has
 * a few hundred of them.
 */

#include "base/arena.h"
#include "base/hash.h"

struct expression;
struct rule;

/** Zero-initialised is empty and valid; everything it returned lives as long as it. */
struct rule_store {
	struct arena arena;
	struct hash by_content;
};

void rule_store_deinit(struct rule_store *store);
/** The one rule equal to @rule (its expressions from this store). */
const struct rule *rule_store_rule(struct rule_store *store, const struct rule *rule);
/** The one expression equal to @expression. */
const struct expression *rule_store_expression(
	struct rule_store *store, const struct expression *expression);

#endif
