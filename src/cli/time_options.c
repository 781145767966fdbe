// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "cli/time_options.h"

#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "cli/options.h"

enum { MICROSECONDS = 6 };

static bool is_word(const char *text, size_t length, const char *word)
{
	return strlen(word) == length && strncmp(text, word, length) == 0;
}

static bool parse_precision(const char *text, size_t length, output_digits *ret)
{
	static const struct {
		const char *name;
		output_digits digits;
	} precisions[] = {{"s", 0}, {"ms", 3}, {"us", MICROSECONDS}, {"ns", 9}};

	for (size_t i = 0; i < ARRAY_SIZE(precisions); i++) {
		if (is_word(text, length, precisions[i].name)) {
			*ret = precisions[i].digits;
			return true;
		}
	}
	return false;
}

static bool parse_format(const char *text, size_t length, enum output_clock *ret)
{
	if (is_word(text, length, "none"))
		*ret = OUTPUT_CLOCK_NONE;
	else if (is_word(text, length, "time"))
		*ret = OUTPUT_CLOCK_DAY;
	else if (is_word(text, length, "unix"))
		*ret = OUTPUT_CLOCK_EPOCH;
	else
		return false;
	return true;
}

static bool parse_word(const char *text, size_t length, struct output_options *output)
{
	static const char format[] = "format:", precision[] = "precision:";
	const size_t format_length = sizeof(format) - 1, precision_length = sizeof(precision) - 1;

	if (length > format_length && strncmp(text, format, format_length) == 0)
		return parse_format(text + format_length, length - format_length, &output->clock);
	if (length > precision_length && strncmp(text, precision, precision_length) == 0)
		return parse_precision(
			text + precision_length, length - precision_length, &output->clock_digits);
	return parse_format(text, length, &output->clock) ||
	       parse_precision(text, length, &output->clock_digits);
}

static void count_clock(struct options *options)
{
	struct output_options *output = &options->session.output;
	unsigned count = ++options->clock_count;

	output->clock = count < 3 ? OUTPUT_CLOCK_DAY : OUTPUT_CLOCK_EPOCH;
	output->clock_digits = count > 1 ? MICROSECONDS : 0;
}

struct error *time_options_clock(struct options *options, const char *argument)
{
	struct output_options *output = &options->session.output;
	const char *word = argument;

	if (!argument) {
		count_clock(options);
		return NULL;
	}
	// What was said before of the other half stays.
	if (output->clock == OUTPUT_CLOCK_NONE)
		output->clock = OUTPUT_CLOCK_DAY;
	for (;;) {
		size_t length = strcspn(word, ",");

		if (!parse_word(word, length, output))
			return error_create("unknown time format '%s' (known: none, time, unix, "
					    "and s, ms, us, ns behind a comma)",
				argument);
		if (!word[length])
			return NULL;
		word += length + 1;
	}
}

static struct error *set_precision(const char *argument, output_digits *ret)
{
	*ret = MICROSECONDS;
	if (argument && !parse_precision(argument, strlen(argument), ret))
		return error_create("unknown precision '%s' (known: s, ms, us, ns)", argument);
	return NULL;
}

struct error *time_options_relative(struct options *options, const char *argument)
{
	options->session.output.relative = true;
	return set_precision(argument, &options->session.output.relative_digits);
}

struct error *time_options_durations(struct options *options, const char *argument)
{
	options->session.output.duration = true;
	return set_precision(argument, &options->session.output.duration_digits);
}
