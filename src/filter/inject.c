// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "filter/inject.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <strings.h>

#include "abi/abi.h"
#include "abi/errors.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/parse.h"
#include "base/time_units.h"
#include "filter/query.h"
#include "schema/lookup.h"
#include "schema/syscall.h"

enum {
	/** Bytes that can be written behind an argument. */
	POKE_MOST = 1024,
	WHEN_MOST = 65535,
	/** The last number of all: so that `when=1..` has one above. */
	WHEN_LAST_MOST = WHEN_MOST - 1,
};

static const char result_help[] = "one of error= and retval= once, error= with a name like ENOENT "
				  "or a number from 1 to 4095, retval= with a number";
static const char signal_help[] = "signal= once, with a name like SIGUSR1 or a number from 1 to 64";
static const char syscall_help[] =
	"syscall= once, with the name of a call without effects (class %pure)";
static const char delay_help[] =
	"delay_enter= and delay_exit= once each, with a time like 20ms or 1s; without a unit it "
	"counts microseconds";
static const char poke_help[] =
	"poke_enter= and poke_exit= once each, with @argN=BYTES,… where N "
	"is from 1 to 7 and different, BYTES pairs of hex digits, at most 1024";
static const char when_help[] = "when=FIRST[..LAST][+[STEP]] with numbers from 1 to 65535, LAST "
				"at least FIRST and at most 65534";
static const char parts_help[] =
	"known are error=, retval=, signal=, syscall=, delay_enter=, delay_exit=, poke_enter=, "
	"poke_exit= and when=";
static const char fault_parts_help[] = "known are error=, syscall= and when=";

static bool set_error(struct inject_rule *rule, const char *text)
{
	const char *cursor = text;
	uint64_t number;

	if (rule->result != INJECT_RESULT_NONE)
		return false;
	rule->result = INJECT_RESULT_ERROR;
	if (parse_decimal_at(&cursor, &number)) {
		rule->value = number;
		return !*cursor && number >= 1 && number <= ERROR_CODE_MAX;
	}
	for (int code = 1; code <= ERROR_CODE_MAX; code++) {
		const char *name = errno_name(code) ? errno_name(code) : restart_name(code);

		if (name && strcasecmp(name, text) == 0) {
			rule->value = (uint64_t)code;
			return true;
		}
	}
	return false;
}

static bool set_retval(struct inject_rule *rule, const char *text)
{
	bool negative = text[0] == '-';

	if (rule->result != INJECT_RESULT_NONE || !parse_u64(text + negative, &rule->value))
		return false;
	rule->result = INJECT_RESULT_VALUE;
	if (negative)
		rule->value = -rule->value;
	return true;
}

static bool set_signal(struct inject_rule *rule, const char *text)
{
	return !rule->signal && query_signal_by_name(text, &rule->signal);
}

static bool set_syscall(struct inject_rule *rule, const char *text)
{
	uint32_t pure = syscall_class_by_name("%pure");
	bool found = false;

	if (rule->has_number)
		return false;
	rule->has_number = true;
	for (enum abi_id abi = 0; abi < ABI_COUNT; abi++) {
		const struct syscall *call = syscall_by_name(abi, text);

		rule->number[abi] = UINT64_MAX;
		if (!call)
			continue;
		if (!(call->classes & pure))
			return false;
		rule->number[abi] = call->number | abi_get(abi)->number_mark;
		found = true;
	}
	return found;
}

static bool set_delay(bool *has, uint64_t *delay, const char *text)
{
	if (*has)
		return false;
	*has = true;
	return parse_duration_in(text, NS_PER_US, delay);
}

static bool set_delay_enter(struct inject_rule *rule, const char *text)
{
	return set_delay(&rule->delays_entry, &rule->delay_entry, text);
}

static bool set_delay_exit(struct inject_rule *rule, const char *text)
{
	return set_delay(&rule->delays_exit, &rule->delay_exit, text);
}

static bool parse_bytes(const char *text, size_t length, struct inject_poke *poke)
{
	if (length > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
		text += 2;
		length -= 2;
	}
	if (!length || length % 2 || length / 2 > POKE_MOST)
		return false;
	poke->length = length / 2;
	for (size_t i = 0; i < length; i++) {
		if (!isxdigit((unsigned char)text[i]))
			return false;
	}
	poke->bytes = xcalloc(poke->length, 1);
	for (size_t i = 0; i < poke->length; i++) {
		char digits[3] = {text[2 * i], text[2 * i + 1]};

		poke->bytes[i] = (uint8_t)strtoul(digits, NULL, 16);
	}
	return true;
}

// @argN=BYTES
static bool parse_poke(const char *text, size_t length, struct inject_poke *poke)
{
	static const char prefix[] = "@arg";
	const size_t head = strlen(prefix) + strlen("N=");

	if (length < head || memcmp(text, prefix, strlen(prefix)) != 0 || text[head - 1] != '=')
		return false;
	poke->argument = (unsigned)(text[head - 2] - '1');
	return poke->argument < INJECT_ARGUMENTS && parse_bytes(text + head, length - head, poke);
}

static bool set_pokes(struct inject_pokes *pokes, const char *text)
{
	const char *cursor = text, *item;
	unsigned seen = 0;
	size_t length;

	if (pokes->list.count)
		return false;
	while (parse_list(&cursor, ',', &item, &length)) {
		struct inject_poke poke = {0};

		if (!length)
			continue;
		if (!parse_poke(item, length, &poke))
			return false;
		*array_add(&pokes->list) = poke;
		if (seen >> poke.argument & 1)
			return false;
		seen |= 1U << poke.argument;
	}
	return pokes->list.count;
}

static bool set_poke_enter(struct inject_rule *rule, const char *text)
{
	return set_pokes(&rule->poke_entry, text);
}

static bool set_poke_exit(struct inject_rule *rule, const char *text)
{
	return set_pokes(&rule->poke_exit, text);
}

// FIRST[..LAST][+[STEP]]; without FIRST it is 1.
static bool set_when(struct inject_rule *rule, const char *text)
{
	uint64_t first = 1, last = UINT64_MAX, step = 0;

	if (!parse_decimal_at(&text, &first) && (text[0] != '+' || !text[1]))
		return false;
	if (strncmp(text, "..", 2) == 0) {
		text += 2;
		step = 1;
		if (!parse_decimal_at(&text, &last) || last > WHEN_LAST_MOST || last < first)
			return false;
	}
	if (*text == '+') {
		text++;
		step = 1;
		if (*text && !parse_decimal_at(&text, &step))
			return false;
		if (step < 1 || step > WHEN_MOST)
			return false;
	}
	if (*text || first < 1 || first > WHEN_MOST)
		return false;
	rule->first = first;
	rule->last = last;
	rule->step = step;
	return true;
}

static const struct part {
	const char *name;
	bool (*set)(struct inject_rule *rule, const char *text);
	/** --fault has it too. */
	bool of_fault;
	const char *help;
} parts[] = {
	{"error=", set_error, true, result_help},
	{"retval=", set_retval, false, result_help},
	{"signal=", set_signal, false, signal_help},
	{"syscall=", set_syscall, true, syscall_help},
	{"delay_enter=", set_delay_enter, false, delay_help},
	{"delay_exit=", set_delay_exit, false, delay_help},
	{"poke_enter=", set_poke_enter, false, poke_help},
	{"poke_exit=", set_poke_exit, false, poke_help},
	{"when=", set_when, true, when_help},
};

// NULL, or what would have been right.
static const char *set_part(struct inject_rule *rule, const char *text, bool is_fault)
{
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		size_t length = strlen(parts[i].name);

		if (strncmp(parts[i].name, text, length) != 0 || (is_fault && !parts[i].of_fault))
			continue;
		return parts[i].set(rule, text + length) ? NULL : parts[i].help;
	}
	return is_fault ? fault_parts_help : parts_help;
}

static bool does_something(const struct inject_rule *rule)
{
	return rule->result != INJECT_RESULT_NONE || rule->signal || rule->delays_entry ||
	       rule->delays_exit || rule->poke_entry.list.count || rule->poke_exit.list.count;
}

// NULL, or what would have been right.
static const char *finish(struct inject_rule *rule, bool is_fault)
{
	if (is_fault && rule->result == INJECT_RESULT_NONE) {
		rule->result = INJECT_RESULT_ERROR;
		rule->value = ENOSYS;
	}
	if (!does_something(rule))
		return "say what is to be done after the calls, as in open:error=ENOENT";
	return NULL;
}

static void pokes_deinit(struct inject_pokes *pokes)
{
	array_for_each (poke, &pokes->list) {
		free(poke->bytes);
	}
	array_deinit(&pokes->list);
}

static void rule_deinit(struct inject_rule *rule)
{
	pokes_deinit(&rule->poke_entry);
	pokes_deinit(&rule->poke_exit);
}

static struct error *add(struct inject_rules *rules, const char *text, bool is_fault)
{
	struct inject_rule rule = {.first = 1, .last = UINT64_MAX, .step = 1};
	const char *cursor = text, *item, *help = NULL;
	cleanup_free char *calls = NULL;
	struct error *error;
	size_t length;

	parse_list(&cursor, ':', &item, &length);
	calls = xstrndup(item, length);
	error = query_parse_calls(calls, &rule.calls);
	if (error)
		return error;
	while (!help && parse_list(&cursor, ':', &item, &length)) {
		cleanup_free char *part = xstrndup(item, length);

		if (length)
			help = set_part(&rule, part, is_fault);
	}
	if (!help)
		help = finish(&rule, is_fault);
	if (help) {
		rule_deinit(&rule);
		return error_create(
			"invalid %s argument '%s': %s", is_fault ? "fault" : "inject", text, help);
	}
	*array_add(&rules->list) = rule;
	return NULL;
}

struct error *inject_add(struct inject_rules *rules, const char *text)
{
	return add(rules, text, /* is_fault= */ false);
}

struct error *inject_add_fault(struct inject_rules *rules, const char *text)
{
	return add(rules, text, /* is_fault= */ true);
}

void inject_deinit(struct inject_rules *rules)
{
	array_for_each (rule, &rules->list) {
		rule_deinit(rule);
	}
	array_deinit(&rules->list);
}

const struct inject_rule *inject_find(
	const struct inject_rules *rules, enum abi_id abi, uint64_t number)
{
	for (size_t i = rules->list.count; i-- > 0;) {
		const struct inject_rule *rule = &rules->list.data[i];

		if (syscall_set_has(&rule->calls, abi, number))
			return rule;
	}
	return NULL;
}

bool inject_is_due(const struct inject_rule *rule, uint64_t count)
{
	if (count < rule->first || count > rule->last)
		return false;
	return rule->step ? (count - rule->first) % rule->step == 0 : count == rule->first;
}

bool inject_has_signals(const struct inject_rules *rules)
{
	for (size_t i = 0; i < rules->list.count; i++) {
		if (rules->list.data[i].signal)
			return true;
	}
	return false;
}

int inject_looks_like_error(const struct inject_rule *rule)
{
	if (rule->result != INJECT_RESULT_VALUE || !result_is_error((int64_t)rule->value))
		return 0;
	return (int)-(int64_t)rule->value;
}
