// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <errno.h>
#include <linux/audit.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>

#include "abi/abi.h"
#include "abi/errors.h"
#include "unit.h"

CASE(each_abi_is_found_by_its_audit_number)
{
	assert_ptr_equal(abi_by_audit_arch(AUDIT_ARCH_X86_64, 0), abi_get(ABI_X86_64));
	assert_ptr_equal(abi_by_audit_arch(AUDIT_ARCH_I386, 0), abi_get(ABI_I386));
	assert_null(abi_by_audit_arch(AUDIT_ARCH_AARCH64, 0));
	for (int id = 0; id < ABI_COUNT; id++)
		assert_int_equal(abi_get((enum abi_id)id)->id, id);
}

// x32 calls have the audit number of x86-64 and bit 30 set (asm/unistd.h __X32_SYSCALL_BIT).
CASE(x32_is_told_by_its_numbers)
{
	assert_ptr_equal(abi_by_audit_arch(AUDIT_ARCH_X86_64, 0x40000000), abi_get(ABI_X32));
	assert_ptr_equal(abi_by_audit_arch(AUDIT_ARCH_X86_64, 0x40000207), abi_get(ABI_X32));
	assert_int_equal(abi_number(abi_get(ABI_X32), 0x40000207), 0x207);
	// syscall(-1), as a seccomp sandbox makes it.
	assert_ptr_equal(abi_by_audit_arch(AUDIT_ARCH_X86_64, UINT64_MAX), abi_get(ABI_X86_64));
	assert_ptr_equal(abi_by_audit_arch(AUDIT_ARCH_I386, 0x40000000), abi_get(ABI_I386));
}

CASE(sizes)
{
	assert_int_equal(abi_get(ABI_X86_64)->word_size, 8);
	assert_int_equal(abi_get(ABI_I386)->word_size, 4);
#ifdef __x86_64__
	assert_int_equal(abi_get(ABI_X86_64)->numbers.clone, SYS_clone);
	assert_int_equal(abi_get(ABI_X86_64)->numbers.clone3, SYS_clone3);
	assert_int_equal(abi_get(ABI_X86_64)->numbers.fork, SYS_fork);
	assert_int_equal(abi_get(ABI_X86_64)->numbers.vfork, SYS_vfork);
#endif
}

CASE(errors_have_names)
{
	assert_string_equal(errno_name(EPERM), "EPERM");
	assert_string_equal(errno_name(ENOENT), "ENOENT");
	assert_string_equal(errno_name(EWOULDBLOCK), "EAGAIN");
	assert_string_equal(errno_name(EDEADLOCK), "EDEADLK");
	assert_string_equal(errno_name(ENOTSUP), "EOPNOTSUPP");
	assert_string_equal(errno_name(EHWPOISON), "EHWPOISON");
	assert_string_equal(errno_name(524), "ENOTSUPP");
	assert_string_equal(errno_name(530), "ERECALLCONFLICT");
}

// The C library knows the same names, and no others below its end.
CASE(errors_agree_with_the_c_library)
{
	for (int code = 1; code < 200; code++) {
		const char *theirs = strerrorname_np(code);

		if (theirs && errno_name(code))
			assert_string_equal(errno_name(code), theirs);
		else
			assert_true(!theirs == !errno_name(code));
	}
}

CASE(what_is_no_error_has_no_name)
{
	const int none[] = {
		-1, 0, 41, 58, 134, 511, 512, 516, 520, 532, 4096, INT32_MIN, INT32_MAX};

	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		assert_null(errno_name(none[i]));
}

CASE(restart_codes)
{
	assert_string_equal(restart_name(512), "ERESTARTSYS");
	assert_string_equal(restart_text(512), "To be restarted if SA_RESTART is set");
	assert_string_equal(restart_name(513), "ERESTARTNOINTR");
	assert_string_equal(restart_text(513), "To be restarted");
	assert_string_equal(restart_name(514), "ERESTARTNOHAND");
	assert_string_equal(restart_text(514), "To be restarted if no handler");
	assert_string_equal(restart_name(516), "ERESTART_RESTARTBLOCK");
	assert_string_equal(restart_text(516), "Interrupted by signal");
	assert_null(restart_name(EINTR));
	assert_null(restart_name(515));
	assert_null(restart_name(517));
	assert_null(restart_text(-512));
}

CASE(signals_have_names)
{
	assert_string_equal(signal_name(ABI_X86_64, SIGHUP), "SIGHUP");
	assert_string_equal(signal_name(ABI_X86_64, SIGCHLD), "SIGCHLD");
	assert_string_equal(signal_name(ABI_X86_64, SIGPOLL), "SIGIO");
	assert_string_equal(signal_name(ABI_X86_64, SIGSYS), "SIGSYS");
	// The kernel's real-time signals begin at 32, below those a program gets.
	assert_string_equal(signal_name(ABI_I386, 32), "SIGRTMIN");
	assert_string_equal(signal_name(ABI_I386, 33), "SIGRT_1");
	assert_string_equal(signal_name(ABI_I386, 64), "SIGRT_32");
	for (int number = 1; number <= 64; number++)
		assert_non_null(signal_name(ABI_X86_64, number));
	assert_null(signal_name(ABI_X86_64, 0));
	assert_null(signal_name(ABI_X86_64, 65));
	assert_null(signal_name(ABI_X86_64, -1));
}

RUN_CASES(ADD(each_abi_is_found_by_its_audit_number), ADD(x32_is_told_by_its_numbers), ADD(sizes),
	ADD(errors_have_names), ADD(errors_agree_with_the_c_library),
	ADD(what_is_no_error_has_no_name), ADD(restart_codes), ADD(signals_have_names));
