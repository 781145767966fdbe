// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_CLI_OPTION_TABLE_H
#define SRC_CLI_OPTION_TABLE_H

/**
 * All options in one table: the parser, --help, the manual page check and the
 * tests read it.
 *
 * To add one: a setter and a row in option_table.c, a paragraph in
 * doc/tracer.1.scd. tests/lint compares the three.
 */

#include <stddef.h>

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
	/** @argument is NULL where none was given. */
	struct error *(*set)(struct options *options, const char *argument);
};

/** The rows; *@count_ret is how many. */
const struct option_row *option_table(size_t *count_ret);
/** Prints --help to standard output. */
void option_table_help(void);

#endif
