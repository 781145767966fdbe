// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "trace/seccomp.h"

#include <limits.h>
#include <linux/capability.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "abi/abi.h"
#include "abi/regs.h"
#include "trace/ptrace.h"

enum {
	// From here on numbers have a mark (struct abi, number_mark).
	NUMBERS_END = 0x40000000,
	STOP = SECCOMP_RET_TRACE | SECCOMP_MARK,
	PASS = (int)SECCOMP_RET_ALLOW,
};

/** What the filter does with a call. */
enum filter_action {
	ACTION_PASS,
	ACTION_STOP,
	/** Looks at the arguments, see seccomp_traps.code. */
	ACTION_CODE,
	/** Looks for CLONE_UNTRACED in the first argument. */
	ACTION_CLONE,
	/** And those after it: looks whether argument 0, 1 … is 0. */
	ACTION_POINTER,
	/** And those after it: looks at the choices of call 0, 1 … */
	ACTION_CHOICE = ACTION_POINTER + 6,
};

static void add(struct seccomp_program *program, uint16_t code, uint8_t yes, uint8_t no, uint32_t k)
{
	*array_add(&program->steps) =
		(struct sock_filter){.code = code, .jt = yes, .jf = no, .k = k};
}

static void load(struct seccomp_program *program, size_t offset)
{
	add(program, BPF_LD | BPF_W | BPF_ABS, 0, 0, (uint32_t)offset);
}

static void answer(struct seccomp_program *program, int ret)
{
	add(program, BPF_RET | BPF_K, 0, 0, (uint32_t)ret);
}

// The low half of an argument, which comes first where we run.
static size_t argument_offset(unsigned index)
{
	return offsetof(struct seccomp_data, args) + index * sizeof(uint64_t);
}

static bool is_choice(const struct seccomp_choice *choice, enum abi_id abi, uint32_t number)
{
	return choice->abi == abi && choice->number == number;
}

static void add_choices(struct seccomp_program *program, const struct seccomp_traps *traps,
	enum abi_id abi, uint32_t number)
{
	size_t start = program->steps.count;
	unsigned loaded = UINT_MAX;

	for (unsigned i = 0; i < traps->choice_count; i++) {
		const struct seccomp_choice *choice = &traps->choices[i];

		if (!is_choice(choice, abi, number))
			continue;
		if (choice->argument != loaded)
			load(program, argument_offset(choice->argument));
		loaded = choice->argument;
		add(program, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, choice->value);
	}
	answer(program, PASS);
	for (size_t i = start; i < program->steps.count; i++) {
		if (program->steps.data[i].code == (BPF_JMP | BPF_JEQ | BPF_K))
			program->steps.data[i].jt = (uint8_t)(program->steps.count - i - 1);
	}
	answer(program, STOP);
}

// A few steps that answer; they end where the next number's begin.
static void add_action(struct seccomp_program *program, const struct seccomp_traps *traps,
	enum abi_id abi, unsigned action)
{
	if (action >= ACTION_CHOICE) {
		add_choices(program, traps, abi, action - ACTION_CHOICE);
		return;
	}
	switch (action) {
	case ACTION_PASS:
		answer(program, PASS);
		break;
	case ACTION_STOP:
		answer(program, STOP);
		break;
	case ACTION_CODE:
		load(program, argument_offset(2));
		add(program, BPF_JMP | BPF_JSET | BPF_K, 3, 0, PROT_EXEC);
		load(program, argument_offset(3));
		add(program, BPF_JMP | BPF_JSET | BPF_K, 1, 0, MAP_FIXED);
		answer(program, PASS);
		answer(program, STOP);
		break;
	case ACTION_CLONE:
		load(program, argument_offset(0));
		add(program, BPF_JMP | BPF_JSET | BPF_K, 1, 0, CLONE_UNTRACED);
		answer(program, PASS);
		answer(program, STOP);
		break;
	default:
		load(program, argument_offset(action - ACTION_POINTER));
		add(program, BPF_JMP | BPF_JEQ | BPF_K, 0, 3, 0);
		load(program, argument_offset(action - ACTION_POINTER) + sizeof(uint32_t));
		add(program, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0);
		answer(program, PASS);
		answer(program, STOP);
	}
}

static unsigned action_of(const struct seccomp_traps *traps, const struct abi *abi, uint32_t number)
{
	// The flags of clone3 are in memory, where no filter can look.
	if (syscall_set_has(&traps->calls, abi->id, number) || number == abi->numbers.clone3)
		return ACTION_STOP;
	if (syscall_set_has(&traps->code, abi->id, number))
		return ACTION_CODE;
	for (unsigned i = 0; i < ARRAY_SIZE(traps->pointer); i++) {
		if (syscall_set_has(&traps->pointer[i], abi->id, number))
			return ACTION_POINTER + i;
	}
	for (unsigned i = 0; i < traps->choice_count; i++) {
		if (is_choice(&traps->choices[i], abi->id, number))
			return ACTION_CHOICE + number;
	}
	return number == abi->numbers.clone ? ACTION_CLONE : ACTION_PASS;
}

// "If the number is at least @first, that is the action": runs of numbers, the highest first.
static void add_run(struct seccomp_program *program, const struct seccomp_traps *traps,
	enum abi_id abi, uint32_t first, unsigned action)
{
	size_t jump = program->steps.count;

	add(program, BPF_JMP | BPF_JGE | BPF_K, 0, 0, first);
	add_action(program, traps, abi, action);
	program->steps.data[jump].jf = (uint8_t)(program->steps.count - jump - 1);
}

static void add_abi(
	struct seccomp_program *program, const struct seccomp_traps *traps, const struct abi *abi)
{
	uint32_t number = SYSCALL_SET_NUMBERS;
	unsigned action;

	load(program, offsetof(struct seccomp_data, nr));
	add_run(program, traps, abi->id, NUMBERS_END, ACTION_STOP);
	add_run(program, traps, abi->id, number, traps->calls.unknown ? ACTION_STOP : ACTION_PASS);
	action = action_of(traps, abi, number - 1);
	while (number--) {
		unsigned before = number ? action_of(traps, abi, number - 1) : UINT_MAX;

		if (before != action)
			add_run(program, traps, abi->id, number, action);
		action = before;
	}
}

void seccomp_build(const struct seccomp_traps *traps, struct seccomp_program *ret)
{
	struct seccomp_program program = {0};

	load(&program, offsetof(struct seccomp_data, arch));
	for (enum abi_id id = 0; id < ABI_COUNT; id++) {
		const struct abi *abi = abi_get(id);
		size_t jump = program.steps.count + 1;

		// Its calls have numbers beyond those of the ABI without a mark, and stop there.
		if (abi->number_mark)
			continue;

		// A conditional jump reaches 255 steps only.
		add(&program, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, abi->audit_arch);
		add(&program, BPF_JMP | BPF_JA, 0, 0, 0);
		add_abi(&program, traps, abi);
		program.steps.data[jump].k = (uint32_t)(program.steps.count - jump - 1);
	}
	answer(&program, STOP);
	*ret = program;
}

void seccomp_program_deinit(struct seccomp_program *program)
{
	array_deinit(&program->steps);
}

static bool may_administrate(void)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[2];

	return syscall(SYS_capget, &header, data) == 0 &&
	       data[CAP_TO_INDEX(CAP_SYS_ADMIN)].effective & CAP_TO_MASK(CAP_SYS_ADMIN);
}

enum seccomp_permission seccomp_permission(void)
{
	const uint32_t action = SECCOMP_RET_TRACE;

	if (syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) != 0)
		return SECCOMP_NOT_PERMITTED;
	if (may_administrate() || prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1)
		return SECCOMP_PERMITTED;
	return SECCOMP_WITHOUT_PRIVILEGES;
}

bool seccomp_install(const struct seccomp_program *program, bool no_new_privs)
{
	const struct sock_fprog fprog = {
		.len = (unsigned short)program->steps.count,
		.filter = program->steps.data,
	};

	if (no_new_privs && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return false;
	// SPEC_ALLOW: the task is no less trusted than before; it keeps its speed.
	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW,
		       &fprog) == 0;
}

// clone3 has its flags first in memory (struct clone_args of linux/sched.h).
static void follow_clone3(int tid, uint64_t address)
{
	uint64_t flags = 0;
	struct iovec local = {.iov_base = &flags, .iov_len = sizeof(flags)};
	struct iovec remote = {.iov_base = (void *)address, .iov_len = sizeof(flags)};

	if (process_vm_readv(tid, &local, 1, &remote, 1, 0) != sizeof(flags) ||
		!(flags & CLONE_UNTRACED))
		return;
	flags &= ~(uint64_t)CLONE_UNTRACED;
	process_vm_writev(tid, &local, 1, &remote, 1, 0);
}

static void set_register(int tid, const struct abi *abi, enum reg_role role, uint64_t value)
{
	struct regs regs;

	if (!ptrace_regs(tid, &regs))
		return;
	abi = abi ? abi : abi_by_regs(&regs);
	if (!abi)
		return;
	regs_set(&regs, abi, role, value);
	ptrace_set_regs(tid, &regs);
}

void seccomp_settle(int tid, const struct ptrace_place *place)
{
	const struct abi *abi = abi_by_audit_arch(place->audit_arch, place->number);

	// No call has the number -1: the kernel skips it, and the result is ENOSYS already.
	if (place->mark != SECCOMP_MARK)
		set_register(tid, abi, REG_NUMBER, UINT64_MAX);
	else if (abi && abi_number(abi, place->number) == abi->numbers.clone3)
		follow_clone3(tid, place->args[0]);
	else if (abi && abi_number(abi, place->number) == abi->numbers.clone &&
		 place->args[0] & CLONE_UNTRACED)
		set_register(tid, abi, REG_ARGUMENT, place->args[0] & ~(uint64_t)CLONE_UNTRACED);
}
