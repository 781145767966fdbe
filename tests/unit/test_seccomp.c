// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "schema/syscall_set.h"
#include "trace/seccomp.h"
#include "unit.h"

// What the kernel would answer, for the few instructions that filters of ours are made of.
static uint32_t answer_to(const struct seccomp_program *program, const struct seccomp_data *data)
{
	uint32_t value = 0;

	for (size_t i = 0; i < program->steps.count; i++) {
		const struct sock_filter *step = &program->steps.data[i];

		switch (step->code) {
		case BPF_LD | BPF_W | BPF_ABS:
			assert_true(step->k % 4 == 0 && step->k < sizeof(*data));
			memcpy(&value, (const char *)data + step->k, sizeof(value));
			break;
		case BPF_JMP | BPF_JEQ | BPF_K:
			i += value == step->k ? step->jt : step->jf;
			break;
		case BPF_JMP | BPF_JGE | BPF_K:
			i += value >= step->k ? step->jt : step->jf;
			break;
		case BPF_JMP | BPF_JSET | BPF_K:
			i += value & step->k ? step->jt : step->jf;
			break;
		case BPF_JMP | BPF_JA:
			i += step->k;
			break;
		case BPF_RET | BPF_K:
			return step->k;
		default:
			fail_msg("step %zu has code %#x", i, step->code);
		}
	}
	fail_msg("ran off the end");
	return 0;
}

static bool stops(const struct seccomp_traps *traps, struct seccomp_data data)
{
	struct seccomp_program program;
	uint32_t answer;

	seccomp_build(traps, &program);
	answer = answer_to(&program, &data);
	seccomp_program_deinit(&program);
	if (answer == SECCOMP_RET_ALLOW)
		return false;
	assert_int_equal(answer, SECCOMP_RET_TRACE | SECCOMP_MARK);
	return true;
}

static void check_all_numbers(const struct seccomp_traps *traps, enum abi_id abi, uint32_t arch)
{
	struct seccomp_program program;

	seccomp_build(traps, &program);
	assert_true(program.steps.count <= BPF_MAXINSNS);
	for (uint32_t number = 0; number < 2 * SYSCALL_SET_NUMBERS; number++) {
		struct seccomp_data data = {.nr = (int)number, .arch = arch};
		bool expected = syscall_set_has(&traps->calls, abi, number) || number == 435;

		if ((answer_to(&program, &data) != SECCOMP_RET_ALLOW) != expected)
			fail_msg("abi %d, number %u: not %d", abi, number, expected);
	}
	seccomp_program_deinit(&program);
}

static void check_both(const struct seccomp_traps *traps)
{
	check_all_numbers(traps, ABI_X86_64, AUDIT_ARCH_X86_64);
	check_all_numbers(traps, ABI_I386, AUDIT_ARCH_I386);
}

CASE(every_number_is_judged_as_the_set_says)
{
	struct seccomp_traps traps = {0};

	check_both(&traps);
	syscall_set_add_name(&traps.calls, "openat");
	syscall_set_add_name(&traps.calls, "read");
	check_both(&traps);
	syscall_set_invert(&traps.calls);
	check_both(&traps);
	syscall_set_fill(&traps.calls);
	check_both(&traps);
}

CASE(as_many_runs_of_numbers_as_there_can_be)
{
	struct seccomp_traps traps = {0};

	for (uint64_t number = 0; number < 500; number += 2) {
		syscall_set_add(&traps.calls, ABI_X86_64, number);
		syscall_set_add(&traps.calls, ABI_I386, number + 1);
	}
	check_both(&traps);
}

CASE(an_outer_call_stops_for_those_it_makes)
{
	struct seccomp_traps traps = {0};
	struct seccomp_data data = {.nr = 102, .arch = AUDIT_ARCH_I386};

	assert_false(stops(&traps, data));
	syscall_set_add_name(&traps.calls, "connect");
	assert_true(stops(&traps, data));
}

CASE(foreign_abis_stop)
{
	const struct seccomp_traps none = {0};

	assert_true(stops(&none, (struct seccomp_data){.nr = 0, .arch = AUDIT_ARCH_AARCH64}));
	assert_true(
		stops(&none, (struct seccomp_data){.nr = 0x40000000, .arch = AUDIT_ARCH_X86_64}));
}

CASE(mapping_stops_for_code_only)
{
	struct seccomp_traps traps = {0};
	struct seccomp_data data = {.nr = SYS_mmap, .arch = AUDIT_ARCH_X86_64};

	syscall_set_add(&traps.code, ABI_X86_64, SYS_mmap);
	data.args[2] = PROT_READ | PROT_WRITE;
	data.args[3] = MAP_PRIVATE | MAP_ANONYMOUS;
	assert_false(stops(&traps, data));
	data.args[2] = PROT_READ | PROT_EXEC;
	assert_true(stops(&traps, data));
	data.args[2] = PROT_READ;
	data.args[3] = MAP_PRIVATE | MAP_FIXED;
	assert_true(stops(&traps, data));
	data.nr = SYS_munmap;
	assert_false(stops(&traps, data));
}

CASE(tasks_that_would_escape_stop)
{
	const struct seccomp_traps none = {0};
	struct seccomp_data data = {.nr = SYS_clone, .arch = AUDIT_ARCH_X86_64};

	data.args[0] = CLONE_VM | CLONE_THREAD;
	assert_false(stops(&none, data));
	data.args[0] |= CLONE_UNTRACED;
	assert_true(stops(&none, data));
	data.nr = 120;
	data.arch = AUDIT_ARCH_I386;
	assert_true(stops(&none, data));
}

CASE(pointers_that_are_null)
{
	struct seccomp_traps traps = {0};
	struct seccomp_data data = {.nr = SYS_recvfrom, .arch = AUDIT_ARCH_X86_64};

	syscall_set_add(&traps.pointer[4], ABI_X86_64, SYS_recvfrom);
	assert_false(stops(&traps, data));
	data.args[4] = 4;
	assert_true(stops(&traps, data));
	data.args[4] = UINT64_C(1) << 32;
	assert_true(stops(&traps, data));
}

CASE(values_that_matter)
{
	struct seccomp_traps traps = {
		.choices = {{ABI_X86_64, SYS_ioctl, 1, 0x5441}, {ABI_X86_64, SYS_ioctl, 1, 0xb701},
			{ABI_X86_64, SYS_ioctl, 2, 7}, {ABI_X86_64, SYS_pread64, 0, 3},
			{ABI_I386, 54, 1, 0xae01}},
		.choice_count = 5,
	};
	struct seccomp_data data = {.nr = SYS_ioctl, .arch = AUDIT_ARCH_X86_64};

	assert_false(stops(&traps, data));
	data.args[1] = 0xae01;
	assert_false(stops(&traps, data));
	data.args[1] = 0xb701;
	assert_true(stops(&traps, data));
	// The kernel takes the low half only.
	data.args[1] = UINT64_C(0xffffffff00005441);
	assert_true(stops(&traps, data));
	data.args[1] = 0;
	data.args[2] = 7;
	assert_true(stops(&traps, data));
	// The next number is another call.
	data.nr = SYS_pread64;
	assert_false(stops(&traps, data));
	data.args[0] = 3;
	assert_true(stops(&traps, data));
	data.nr = 54;
	data.arch = AUDIT_ARCH_I386;
	data.args[1] = 0x5441;
	assert_false(stops(&traps, data));
	data.args[1] = 0xae01;
	assert_true(stops(&traps, data));
}

CASE(as_many_values_as_there_can_be)
{
	struct seccomp_traps traps = {.choice_count = SECCOMP_CHOICES_MAX};
	struct seccomp_data data = {.nr = SYS_ioctl, .arch = AUDIT_ARCH_X86_64};

	// Each asks for another argument than the one before.
	for (unsigned i = 0; i < SECCOMP_CHOICES_MAX; i++) {
		traps.choices[i] =
			(struct seccomp_choice){ABI_X86_64, SYS_ioctl, 1 + i % 2, 100 + i};
	}
	for (unsigned i = 0; i < SECCOMP_CHOICES_MAX; i++) {
		data.args[1 + i % 2] = 100 + i;
		assert_true(stops(&traps, data));
		data.args[1 + i % 2] = 0;
		assert_false(stops(&traps, data));
	}
}

RUN_CASES(ADD(every_number_is_judged_as_the_set_says), ADD(as_many_runs_of_numbers_as_there_can_be),
	ADD(an_outer_call_stops_for_those_it_makes), ADD(foreign_abis_stop),
	ADD(mapping_stops_for_code_only), ADD(tasks_that_would_escape_stop),
	ADD(pointers_that_are_null), ADD(values_that_matter), ADD(as_many_values_as_there_can_be));
