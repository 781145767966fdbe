// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "cli/option_field.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/parse.h"

static void store(const struct option_field *field, struct options *options, uint64_t value)
{
	char *place = (char *)options + field->offset;
	uint32_t word = (uint32_t)value;
	uint8_t byte = (uint8_t)value;

	switch (field->size) {
	case sizeof(byte):
		memcpy(place, &byte, sizeof(byte));
		break;
	case sizeof(word):
		memcpy(place, &word, sizeof(word));
		break;
	default:
		assert(field->size == sizeof(value));
		memcpy(place, &value, sizeof(value));
	}
}

static struct error *set_number(const struct option_field *field, struct options *options,
	const char *name, const char *argument)
{
	const char *cursor = argument;
	uint64_t number;

	if (parse_decimal_at(&cursor, &number) && !*cursor && number >= field->least &&
		number <= field->most) {
		store(field, options, number);
		return NULL;
	}
	if (field->most == UINT64_MAX)
		return error_create("invalid %s argument: '%s' (a number, at least %" PRIu64 ")",
			name, argument, field->least);
	return error_create("invalid %s argument: '%s' (a number from %" PRIu64 " to %" PRIu64 ")",
		name, argument, field->least, field->most);
}

static struct error *set_duration(const struct option_field *field, struct options *options,
	const char *name, const char *argument)
{
	uint64_t duration;

	if (!parse_duration_in(argument, field->unit, &duration) || duration < field->least)
		return error_create(
			"invalid %s argument: '%s' (a time like 500ms or 2s)", name, argument);
	memcpy((char *)options + field->offset, &duration, sizeof(duration));
	return NULL;
}

static struct error *set_choice(const struct option_field *field, struct options *options,
	const char *name, const char *argument)
{
	struct buf known = {0};
	struct error *error;
	uint64_t index = argument ? 0 : field->least;

	while (argument && field->names[index] && strcmp(argument, field->names[index]) != 0)
		index++;
	if (!argument || field->names[index]) {
		store(field, options, index);
		return NULL;
	}
	for (size_t i = 0; field->names[i]; i++) {
		if (i)
			buf_string(&known, field->names[i + 1] ? ", " : " or ");
		buf_string(&known, field->names[i]);
	}
	error = error_create("invalid %s argument: '%s' (%s)", name, argument, buf_text(&known));
	buf_deinit(&known);
	return error;
}

struct error *option_field_set(const struct option_field *field, struct options *options,
	const char *name, const char *argument)
{
	switch (field->kind) {
	case OPTION_FIELD_NONE:
		break;
	case OPTION_FIELD_VALUE:
		store(field, options, field->least);
		return NULL;
	case OPTION_FIELD_TEXT:
		memcpy((char *)options + field->offset, &argument, sizeof(argument));
		return NULL;
	case OPTION_FIELD_NUMBER:
		return set_number(field, options, name, argument);
	case OPTION_FIELD_DURATION:
		return set_duration(field, options, name, argument);
	case OPTION_FIELD_CHOICE:
		return set_choice(field, options, name, argument);
	}
	assert(!"a row of the option table has neither setter nor member");
	return NULL;
}
