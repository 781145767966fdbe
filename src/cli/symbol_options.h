// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_CLI_SYMBOL_OPTIONS_H
#define SRC_CLI_SYMBOL_OPTIONS_H

/** Setters of the options that say where names and lines come from. */

struct error;
struct options;

/** --debug-dir */
struct error *symbol_options_debug_dir(struct options *options, const char *argument);
/** --sysroot */
struct error *symbol_options_sysroot(struct options *options, const char *argument);
/** --explain-symbols */
struct error *symbol_options_explain(struct options *options, const char *argument);
/** --explain-lookups */
struct error *symbol_options_lookups(struct options *options, const char *argument);
/** --debuginfod */
struct error *symbol_options_debuginfod(struct options *options, const char *argument);

/** Once all options are read: what depends on several of them, and on the environment. */
struct error *symbol_options_finish(struct options *options);
/** Frees what the setters made. */
void symbol_options_deinit(struct options *options);

#endif
