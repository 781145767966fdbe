// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_CLI_OPTION_TABLE_H
#define SRC_CLI_OPTION_TABLE_H

/**
 * All options in one table: the parser, --help, the manual page check and the
 * tests read it.
 *
 * To add one: a row in option_table.c, a paragraph in doc/tracer.1.scd; tests/lint
 * compares them. Where the option does more than store a value, a setter in the
 * file of its topic.
 */

#include <stddef.h>

#include "cli/option_field.h"

struct error;
struct options;

enum option_argument {
	OPTION_NO_ARGUMENT,
	OPTION_NEEDS_ARGUMENT,
	/** Only the long form takes it: --name=ARG. */
	OPTION_MAY_HAVE_ARGUMENT,
};

struct option_row {
	/** 0 for options that only have a long name. */
	char short_name;
	/** NULL for options that only have a short name. */
	const char *long_name;
	enum option_argument argument_kind;
	/** How help calls the argument; NULL without. */
	const char *argument;
	/** The heading it stands under in --help; NULL means that of the row before. */
	const char *section;
	/** One or more lines separated by newlines. */
	const char *help;
	/** A setter, @argument is NULL where none was given; or NULL, and @field is what is set. */
	struct error *(*set)(struct options *options, const char *argument);
	struct option_field field;
};

/** The rows; *@count_ret is how many. */
const struct option_row *option_table(size_t *count_ret);
/** What an option on the command line does; @argument is NULL where none was given. */
struct error *option_row_set(
	const struct option_row *row, struct options *options, const char *argument);
/** Prints --help to standard output. */
void option_table_help(void);

#endif
