// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <string.h>

#include "trace/ab_trial.h"
#include "unit.h"

enum {
	US = 1000,
	MS = 1000 * US,
};

/** A machine on which a stop costs so much, by the way that is gone. */
struct machine {
	uint64_t plain, other;
	struct ab_trial trial;
	/** Time that passed, and how much of it the other way was gone. */
	uint64_t time, other_time;
};

static void run_for(struct machine *machine, uint64_t ns)
{
	for (uint64_t end = machine->time + ns; machine->time < end;) {
		uint64_t cost = machine->trial.other ? machine->other : machine->plain;

		machine->time += cost;
		machine->other_time += machine->trial.other ? cost : 0;
		ab_trial_step(&machine->trial, cost);
	}
}

// Time for so many stops, as a part of what it takes without a choice.
static double price(struct machine *machine, unsigned stops)
{
	uint64_t start = machine->time;

	for (unsigned i = 0; i < stops; i++) {
		uint64_t cost = machine->trial.other ? machine->other : machine->plain;

		machine->time += cost;
		ab_trial_step(&machine->trial, cost);
	}
	return (double)(machine->time - start) / ((double)machine->plain * stops);
}

CASE(the_plain_way_is_where_it_starts)
{
	struct machine machine = {.plain = 9 * US, .other = 1 * US};

	for (int i = 0; i < 100; i++) {
		assert_false(machine.trial.other);
		ab_trial_step(&machine.trial, machine.plain);
	}
}

CASE(what_is_much_cheaper_is_soon_chosen)
{
	struct machine machine = {.plain = 75 * US, .other = 10 * US};

	assert_true(price(&machine, 10000) < 0.2);
	assert_true(machine.trial.other);
}

CASE(what_is_dearer_costs_little_to_find_out)
{
	const uint64_t dear[] = {9 * US, 10 * US, 20 * US, 100 * US, 1 * MS, 5 * MS};

	for (size_t i = 0; i < sizeof(dear) / sizeof(dear[0]); i++) {
		struct machine machine = {.plain = 9 * US, .other = dear[i]};
		double paid = price(&machine, 200000);

		if (paid > 1.05)
			fail_msg("%llu us: %f", (unsigned long long)dear[i] / US, paid);
	}
}

CASE(a_small_gain_is_not_worth_it)
{
	struct machine machine = {.plain = 10 * US, .other = 9 * US};

	run_for(&machine, 1000 * MS);
	assert_false(machine.trial.other && !machine.trial.compares);
	assert_true(machine.other_time < machine.time / 20);
}

CASE(when_the_answer_changes_it_is_noticed)
{
	struct machine machine = {.plain = 75 * US, .other = 10 * US};

	run_for(&machine, 2000 * MS);
	assert_true(machine.other_time > machine.time * 9 / 10);
	// Now the other way is the bad one.
	machine.plain = 15 * US;
	machine.other = 200 * US;
	assert_true(price(&machine, 200000) < 1.1);
	machine.plain = 75 * US;
	machine.other = 10 * US;
	run_for(&machine, UINT64_C(4000) * MS);
	assert_true(machine.trial.other || machine.trial.compares);
}

CASE(a_long_wait_within_a_window_does_not_count)
{
	struct machine machine = {.plain = 75 * US, .other = 10 * US};

	for (unsigned i = 0; i < 20000; i++) {
		uint64_t cost = machine.trial.other ? machine.other : machine.plain;

		// Every now and then the task has something to do.
		ab_trial_step(&machine.trial, i % 50 ? cost : 3 * MS);
		machine.other_time += machine.trial.other;
	}
	assert_true(machine.other_time > 15000);
}

// As where tasks compute between their calls, and every third wake-up finds a CPU asleep.
CASE(what_is_rare_but_dear_decides)
{
	struct machine machine = {0};

	for (unsigned i = 0; i < 100000; i++) {
		bool dear = i % 3 == 0 && !machine.trial.other;

		ab_trial_step(&machine.trial, i % 40 == 7 ? 1 * MS : dear ? 35 * US : 10 * US);
		machine.other_time += machine.trial.other;
	}
	assert_true(machine.other_time > 90000);
}

CASE(refused_means_the_plain_way)
{
	struct machine machine = {.plain = 75 * US, .other = 10 * US};

	run_for(&machine, 500 * MS);
	assert_true(machine.trial.other);
	ab_trial_refuse(&machine.trial);
	assert_false(machine.trial.other);
	run_for(&machine, 20 * MS);
	assert_false(machine.trial.other);
}

RUN_CASES(ADD(the_plain_way_is_where_it_starts), ADD(what_is_much_cheaper_is_soon_chosen),
	ADD(what_is_dearer_costs_little_to_find_out), ADD(a_small_gain_is_not_worth_it),
	ADD(when_the_answer_changes_it_is_noticed), ADD(a_long_wait_within_a_window_does_not_count),
	ADD(what_is_rare_but_dear_decides), ADD(refused_means_the_plain_way));
