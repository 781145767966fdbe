// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/abi.h"
#include "base/array.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "decode/call.h"
#include "decode/decoder.h"
#include "output/json_value.h"
#include "output/text_call.h"
#include "proc/recording.h"
#include "schema/lookup.h"
#include "schema/syscall.h"

// Walks the files named as arguments, decodes every recording in them and compares.

struct checker {
	const char *file;
	unsigned passed, failed;
	struct call call;
	struct buf text;
};

static void fail(struct checker *checker, const struct recording *recording, const char *what,
	const char *wanted, const char *got)
{
	printf("# %s:%u: %s: %s\n#   expected %s\n#   but got  %s\n", checker->file,
		recording->line, recording->call, what, wanted, got);
	checker->failed++;
}

static void compare(struct checker *checker, const struct recording *recording, const char *what,
	const char *wanted)
{
	const char *got = buf_text(&checker->text);

	if (strcmp(wanted, got) == 0)
		checker->passed++;
	else
		fail(checker, recording, what, wanted, got);
}

static bool find_call(const struct recording *recording, enum abi_id *abi, uint64_t *number)
{
	const struct syscall *call;
	char *end;

	for (unsigned i = 0; i < ABI_COUNT; i++) {
		const char *name = recording->abi ? recording->abi : abi_native()->name;

		if (strcmp(abi_get((enum abi_id)i)->name, name) != 0)
			continue;
		*abi = (enum abi_id)i;
		*number = strtoull(recording->call, &end, 0);
		if (!*end)
			return true;
		call = syscall_by_name(*abi, recording->call);
		if (call)
			*number = call->number;
		return call != NULL;
	}
	return false;
}

static void write_text(struct checker *checker, const struct recording *recording)
{
	const struct text_style style = {.verbose = recording->verbose};
	const struct call *call = &checker->call;

	buf_reset(&checker->text);
	text_call_begin(&checker->text, call, &style);
	text_call_rest(&checker->text, call, &style);
	buf_string(&checker->text, " = ");
	text_call_result(&checker->text, call, &style);
}

static void write_json(struct checker *checker)
{
	const struct call *call = &checker->call;

	buf_reset(&checker->text);
	buf_char(&checker->text, '[');
	// Each value ends in a comma; the last one's is not wanted.
	for (unsigned i = 0; i < call->arg_count; i++)
		json_value(&checker->text, call->args[i]);
	if (call->arg_count)
		checker->text.length--;
	buf_char(&checker->text, ']');
}

static void check(struct checker *checker, struct recording *recording)
{
	const struct decode_options options = {
		.string_limit = recording->string_limit,
		.verbose = recording->verbose,
		.fd_paths = recording->fd_paths,
	};
	const struct text_style style = {.verbose = recording->verbose};
	int64_t result = recording->result;
	enum abi_id abi;
	uint64_t number;

	if (!find_call(recording, &abi, &number)) {
		fail(checker, recording, "a call", "a call of the ABI", "none");
		return;
	}
	call_reset(&checker->call);
	decode_entry(&checker->call, &options, &recording->task.view, abi, number, recording->args);
	if (recording->entry) {
		buf_reset(&checker->text);
		text_call_begin(&checker->text, &checker->call, &style);
		compare(checker, recording, "at entry", recording->entry);
	}
	recording_return(recording);
	if (recording->has_result)
		decode_exit(&checker->call, &options, &recording->task.view, result,
			result < 0 && result >= -4095);
	else
		decode_no_result(&checker->call);
	if (recording->text) {
		write_text(checker, recording);
		compare(checker, recording, "text", recording->text);
	}
	if (recording->json) {
		write_json(checker);
		compare(checker, recording, "JSON", recording->json);
	}
}

static void check_file(struct checker *checker, const char *path)
{
	cleanup_fclose FILE *file = fopen(path, "r");
	unsigned line = 0;
	struct recording *recording;

	checker->file = path;
	if (!file) {
		printf("# %s: cannot be opened\n", path);
		checker->failed++;
		return;
	}
	for (;;) {
		struct error *error = recording_read(file, &line, &recording);

		if (error) {
			printf("# %s: %s\n", path, error->message);
			error_destroy(error);
			checker->failed++;
			return;
		}
		if (!recording)
			return;
		check(checker, recording);
		recording_destroy(recording);
	}
}

int main(int argc, char **argv)
{
	struct checker checker = {0};
	unsigned failures = 0;

	// Dates are shown in our time zone.
	setenv("TZ", "UTC", 1);
	printf("1..%d\n", argc - 1);
	for (int i = 1; i < argc; i++) {
		const char *name = strrchr(argv[i], '/');

		checker.passed = checker.failed = 0;
		check_file(&checker, argv[i]);
		printf("%sok %d %s (%u passed, %u failed)\n", checker.failed ? "not " : "", i,
			name ? name + 1 : argv[i], checker.passed, checker.failed);
		failures += checker.failed;
	}
	call_deinit(&checker.call);
	buf_deinit(&checker.text);
	return failures ? 1 : 0;
}
