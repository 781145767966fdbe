// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "filter/inject.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "schema/lookup.h"
#include "schema/syscall.h"
#include "unit.h"

// The rule that @text makes; the caller frees the list.
static const struct inject_rule *add(struct inject_rules *rules, const char *text)
{
	struct error *error = inject_add(rules, text);

	if (error)
		fail_msg("%s: %s", text, error->message);
	return &rules->list.data[rules->list.count - 1];
}

static void expect_refusal(bool fault, const char *text)
{
	struct inject_rules rules = {0};
	struct error *error = (fault ? inject_add_fault : inject_add)(&rules, text);

	if (!error)
		fail_msg("'%s' was taken", text);
	assert_int_equal(rules.list.count, 0);
	error_destroy(error);
	inject_deinit(&rules);
}

CASE(errors_are_names_or_numbers)
{
	struct inject_rules rules = {0};

	assert_int_equal(add(&rules, "chdir:error=ENOENT")->value, ENOENT);
	assert_int_equal(add(&rules, "chdir:error=enoent")->value, ENOENT);
	assert_int_equal(add(&rules, "chdir:error=4095")->value, 4095);
	assert_int_equal(add(&rules, "chdir:error=ERESTARTSYS")->value, 512);
	assert_int_equal(rules.list.data[0].result, INJECT_RESULT_ERROR);
	inject_deinit(&rules);
	expect_refusal(false, "chdir:error=0");
	expect_refusal(false, "chdir:error=4096");
	expect_refusal(false, "chdir:error=-1");
	expect_refusal(false, "chdir:error=0x2");
	expect_refusal(false, "chdir:error=");
	expect_refusal(false, "chdir:error=ENOTHING");
}

CASE(values_are_numbers_of_64_bits)
{
	struct inject_rules rules = {0};

	assert_int_equal(add(&rules, "chdir:retval=0x10")->value, 16);
	assert_int_equal(inject_looks_like_error(&rules.list.data[0]), 0);
	assert_int_equal(add(&rules, "chdir:retval=18446744073709551615")->value, UINT64_MAX);
	assert_int_equal(add(&rules, "chdir:retval=-2")->value, UINT64_MAX - 1);
	assert_int_equal(inject_looks_like_error(&rules.list.data[2]), 2);
	inject_deinit(&rules);
	expect_refusal(false, "chdir:retval=");
	expect_refusal(false, "chdir:retval=99999999999999999999");
	expect_refusal(false, "chdir:retval=1x");
}

CASE(there_is_one_of_each_part)
{
	expect_refusal(false, "chdir:error=1:retval=2");
	expect_refusal(false, "chdir:error=1:error=1");
	expect_refusal(false, "chdir:signal=1:signal=2");
	expect_refusal(false, "chdir:delay_enter=1:delay_enter=1");
	expect_refusal(false, "chdir:poke_enter=@arg1=00:poke_enter=@arg2=00");
	expect_refusal(false, "chdir:error=1:syscall=getpid:syscall=getpid");
}

CASE(something_has_to_be_done)
{
	struct inject_rules rules = {0};

	expect_refusal(false, "");
	expect_refusal(false, "chdir");
	expect_refusal(false, "chdir:");
	expect_refusal(false, "chdir:when=1");
	expect_refusal(false, "chdir:syscall=getpid");
	expect_refusal(false, "chdir:colour=red");
	expect_refusal(false, "nosuchcall:error=1");
	add(&rules, "chdir::error=1:");
	inject_deinit(&rules);
}

CASE(a_fault_is_enosys_unless_said)
{
	struct inject_rules rules = {0};

	assert_null(inject_add_fault(&rules, "chdir"));
	assert_null(inject_add_fault(&rules, "chdir:when=2:error=EPERM"));
	assert_int_equal(rules.list.data[0].value, ENOSYS);
	assert_int_equal(rules.list.data[1].value, EPERM);
	inject_deinit(&rules);
	expect_refusal(true, "chdir:retval=1");
	expect_refusal(true, "chdir:signal=1");
	expect_refusal(true, "chdir:delay_exit=1");
	expect_refusal(true, "chdir:poke_exit=@arg1=00");
}

CASE(signals_are_names_or_numbers)
{
	struct inject_rules rules = {0};

	assert_int_equal(add(&rules, "chdir:signal=SIGUSR1")->signal, 10);
	assert_int_equal(add(&rules, "chdir:signal=usr1")->signal, 10);
	assert_true(inject_has_signals(&rules));
	assert_int_equal(add(&rules, "chdir:signal=64")->signal, 64);
	inject_deinit(&rules);
	expect_refusal(false, "chdir:signal=0");
	expect_refusal(false, "chdir:signal=65");
	expect_refusal(false, "chdir:signal=none");
	expect_refusal(false, "chdir:signal=!USR1");
}

CASE(only_calls_without_effects_replace_others)
{
	struct inject_rules rules = {0};
	const struct inject_rule *rule = add(&rules, "chdir:error=1:syscall=getpid");

	assert_int_equal(rule->number[ABI_X86_64], 39);
	assert_int_equal(rule->number[ABI_I386], 20);
	// The bit by which x32 marks its numbers (asm/unistd.h).
	assert_int_equal(rule->number[ABI_X32], 0x40000000 + 39);
	inject_deinit(&rules);
	expect_refusal(false, "chdir:error=1:syscall=chdir");
	expect_refusal(false, "chdir:error=1:syscall=nosuchcall");
	expect_refusal(false, "chdir:error=1:syscall=%pure");
}

CASE(delays_count_microseconds)
{
	struct inject_rules rules = {0};

	assert_int_equal(add(&rules, "chdir:delay_enter=15")->delay_entry, 15000);
	assert_int_equal(add(&rules, "chdir:delay_exit=1.5s")->delay_exit, 1500000000);
	assert_int_equal(add(&rules, "chdir:delay_exit=+8e2ns")->delay_exit, 800);
	assert_true(add(&rules, "chdir:delay_exit=0")->delays_exit);
	inject_deinit(&rules);
	expect_refusal(false, "chdir:delay_enter=-1");
	expect_refusal(false, "chdir:delay_enter=");
	expect_refusal(false, "chdir:delay_enter=nan");
	expect_refusal(false, "chdir:delay_enter=inf");
	expect_refusal(false, "chdir:delay_exit=soon");
}

CASE(pokes_name_arguments_and_bytes)
{
	struct inject_rules rules = {0};
	const struct inject_rule *rule =
		add(&rules, "chdir:poke_enter=@arg1=00aAff,@arg7=0x12:poke_exit=@arg2=01");

	assert_int_equal(rule->poke_entry.list.count, 2);
	assert_int_equal(rule->poke_entry.list.data[0].argument, 0);
	assert_int_equal(rule->poke_entry.list.data[0].length, 3);
	assert_memory_equal(rule->poke_entry.list.data[0].bytes, "\0\xaa\xff", 3);
	assert_int_equal(rule->poke_entry.list.data[1].argument, 6);
	assert_memory_equal(rule->poke_entry.list.data[1].bytes, "\x12", 1);
	assert_int_equal(rule->poke_exit.list.data[0].argument, 1);
	inject_deinit(&rules);
	expect_refusal(false, "chdir:poke_enter=");
	expect_refusal(false, "chdir:poke_enter=arg1=00");
	expect_refusal(false, "chdir:poke_enter=@arg0=00");
	expect_refusal(false, "chdir:poke_enter=@arg8=00");
	expect_refusal(false, "chdir:poke_enter=@arg1=");
	expect_refusal(false, "chdir:poke_enter=@arg1=0");
	expect_refusal(false, "chdir:poke_enter=@arg1=zz");
	expect_refusal(false, "chdir:poke_enter=@arg1=00,@arg1=11");
}

// The invocations from 1 to 9 that @when means, as a text of digits.
static void expect_due(const char *when, const char *digits)
{
	struct inject_rules rules = {0};
	char text[64], due[10] = "";
	const struct inject_rule *rule;

	snprintf(text, sizeof(text), "chdir:error=1%s", when);
	rule = add(&rules, text);
	for (uint64_t i = 1; i <= 9; i++) {
		if (inject_is_due(rule, i))
			due[strlen(due)] = (char)('0' + i);
	}
	assert_string_equal(due, digits);
	inject_deinit(&rules);
}

CASE(when_says_at_which_calls)
{
	expect_due("", "123456789");
	expect_due(":when=3", "3");
	expect_due(":when=3+", "3456789");
	expect_due(":when=3+2", "3579");
	expect_due(":when=+4", "159");
	expect_due(":when=3..5", "345");
	expect_due(":when=3..5+", "345");
	expect_due(":when=2..7+3", "25");
	expect_due(":when=3..3", "3");
	expect_due(":when=65535", "");
	expect_due(":when=1:when=2", "2");
	expect_refusal(false, "chdir:error=1:when=");
	expect_refusal(false, "chdir:error=1:when=+");
	expect_refusal(false, "chdir:error=1:when=0");
	expect_refusal(false, "chdir:error=1:when=65536");
	expect_refusal(false, "chdir:error=1:when=3..2");
	expect_refusal(false, "chdir:error=1:when=3..");
	expect_refusal(false, "chdir:error=1:when=..3");
	expect_refusal(false, "chdir:error=1:when=3..65535");
	expect_refusal(false, "chdir:error=1:when=3+0");
	expect_refusal(false, "chdir:error=1:when=3+65536");
	expect_refusal(false, "chdir:error=1:when=3+1+1");
}

CASE(the_last_rule_about_a_call_is_found)
{
	struct inject_rules rules = {0};
	uint64_t chdir = syscall_by_name(ABI_X86_64, "chdir")->number;

	add(&rules, "chdir,rmdir:error=1");
	add(&rules, "%file:error=2:when=5");
	add(&rules, "getpid:error=3");
	assert_int_equal(inject_find(&rules, ABI_X86_64, chdir)->value, 2);
	assert_null(inject_find(&rules, ABI_X86_64, syscall_by_name(ABI_X86_64, "close")->number));
	assert_false(inject_has_signals(&rules));
	inject_deinit(&rules);
}

RUN_CASES(ADD(errors_are_names_or_numbers), ADD(values_are_numbers_of_64_bits),
	ADD(there_is_one_of_each_part), ADD(something_has_to_be_done),
	ADD(a_fault_is_enosys_unless_said), ADD(signals_are_names_or_numbers),
	ADD(only_calls_without_effects_replace_others), ADD(delays_count_microseconds),
	ADD(pokes_name_arguments_and_bytes), ADD(when_says_at_which_calls),
	ADD(the_last_rule_about_a_call_is_found));
