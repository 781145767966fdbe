// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "base/parse.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 16;
}

static bool digits_at(const char **cursor, int base, uint64_t *ret)
{
	const char *at = *cursor;
	uint64_t value = 0;

	for (; digit_of(*at) < base; at++) {
		if (__builtin_mul_overflow(value, (uint64_t)base, &value) ||
			__builtin_add_overflow(value, (uint64_t)digit_of(*at), &value))
			return false;
	}
	if (at == *cursor)
		return false;
	*cursor = at;
	*ret = value;
	return true;
}

bool parse_hex_at(const char **cursor, uint64_t *ret)
{
	return digits_at(cursor, 16, ret);
}

bool parse_decimal_at(const char **cursor, uint64_t *ret)
{
	return digits_at(cursor, 10, ret);
}

bool parse_u64(const char *text, uint64_t *ret)
{
	bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	const char *cursor = hex ? text + 2 : text;
	uint64_t value;

	if (!digits_at(&cursor, hex ? 16 : 10, &value) || *cursor)
		return false;
	*ret = value;
	return true;
}

bool parse_int(const char *text, int *ret)
{
	const char *cursor = text;
	uint64_t value;

	if (!parse_decimal_at(&cursor, &value) || *cursor || value > INT_MAX)
		return false;
	*ret = (int)value;
	return true;
}

// @number in units of the name @unit; without one a unit has @bare nanoseconds.
static bool duration_of(double number, const char *unit, double bare, uint64_t *ret)
{
	const struct {
		const char *name;
		double nanoseconds;
	} units[] = {{"", bare}, {"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		double total = number * units[i].nanoseconds;

		if (strcmp(unit, units[i].name) != 0)
			continue;
		// Also false for what is not a number.
		if (!(total >= 0 && total <= 1e18))
			return false;
		*ret = (uint64_t)total;
		return true;
	}
	return false;
}

bool parse_duration(const char *text, uint64_t *ret)
{
	char *end;
	double number;

	if (!isdigit((unsigned char)text[0]) && text[0] != '.')
		return false;
	number = strtod(text, &end);
	return duration_of(number, end, 1e9, ret);
}

bool parse_duration_in(const char *text, uint64_t unit, uint64_t *ret)
{
	char *end;
	double number = strtod(text, &end);

	return end != text && duration_of(number, end, (double)unit, ret);
}

bool parse_size(const char *text, uint64_t most, uint64_t *ret)
{
	static const char units[] = "kKmMgG";
	const char *cursor = text, *unit;
	uint64_t size;

	if (!parse_decimal_at(&cursor, &size) || size > most)
		return false;
	unit = *cursor ? strchr(units, *cursor) : NULL;
	if (unit) {
		size <<= 10 * ((unit - units) / 2 + 1);
		cursor++;
	}
	if (*cursor || !size || size > most)
		return false;
	*ret = size;
	return true;
}

bool parse_list(const char **cursor, char separator, const char **item, size_t *length)
{
	const char *end;

	if (!*cursor)
		return false;
	end = strchr(*cursor, separator);
	*item = *cursor;
	*length = end ? (size_t)(end - *cursor) : strlen(*cursor);
	*cursor = end ? end + 1 : NULL;
	return true;
}
