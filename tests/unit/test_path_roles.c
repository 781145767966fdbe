// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "filter/path_roles.h"

#include <string.h>

#include "schema/lookup.h"
#include "schema/syscall.h"
#include "unit.h"

enum {
	IOCTL = 16,
	// Of linux/seccomp.h, linux/kvm.h, linux/sync_file.h, linux/auto_dev-ioctl.h, linux/fs.h,
	// linux/loop.h, linux/sockios.h, asm-generic/ioctls.h and xfs/xfs_fs.h.
	NOTIF_ADDFD = 0x40182103,
	KVM_CREATE_DEVICE_ = (int)0xc00caee0,
	SYNC_IOC_MERGE_ = (int)0xc0303e03,
	AUTOFS_OPENMOUNT = (int)0xc0189374,
	AUTOFS_READY = (int)0xc0189376,
	FIDEDUPERANGE_ = (int)0xc0189436,
	FICLONE_ = 0x40049409,
	LOOP_CONFIGURE_ = 0x4c0a,
	SIOCGIFADDR_ = 0x8915,
	TIOCGPTPEER_ = 0x5441,
	TCGETS_ = 0x5401,
	XFS_OPEN = (int)0xc038586b,
	XFS_BY_PATH = (int)0xc0385869,
};

static const struct signature *request(unsigned code)
{
	const struct signature *ioctl = &syscall_by_number(ABI_X86_64, IOCTL)->desc->signature;

	for (unsigned i = 0; i < ioctl->case_count; i++) {
		if (ioctl->cases[i].value[ABI_X86_64] == code)
			return ioctl->cases[i].signature;
	}
	fail_msg("no request %#x", code);
	return NULL;
}

static void expect_gives(unsigned code, bool expected)
{
	struct path_roles_cache cache = {0};

	if (path_roles_gives_fd(&cache, request(code)) != expected)
		fail_msg("%#x gives %s", code, expected ? "none" : "one");
	hash_deinit(&cache.types);
}

CASE(returned)
{
	expect_gives(TIOCGPTPEER_, true);
	expect_gives(XFS_OPEN, true);
}

CASE(stored_in_the_argument)
{
	expect_gives(AUTOFS_OPENMOUNT, true);
	expect_gives(KVM_CREATE_DEVICE_, true);
	// Takes one, and stores another.
	expect_gives(SYNC_IOC_MERGE_, true);
}

CASE(only_taken)
{
	expect_gives(FICLONE_, false);
	expect_gives(FIDEDUPERANGE_, false);
	expect_gives(LOOP_CONFIGURE_, false);
	expect_gives(AUTOFS_READY, false);
	// What it gives, it gives to another process.
	expect_gives(NOTIF_ADDFD, false);
}

CASE(none_at_all)
{
	expect_gives(TCGETS_, false);
	expect_gives(SIOCGIFADDR_, false);
	expect_gives(XFS_BY_PATH, false);
}

CASE(paths_of_variants)
{
	struct path_roles_cache cache = {0};

	assert_true(path_roles_of_signature(&cache, request(XFS_BY_PATH)) & PATH_ROLE_PATH);
	assert_true(path_roles_of_signature(&cache, request(AUTOFS_OPENMOUNT)) & PATH_ROLE_PATH);
	// The descriptor that it is asked of.
	assert_int_equal(path_roles_of_signature(&cache, request(TCGETS_)), PATH_ROLE_FD);
	hash_deinit(&cache.types);
}

static bool call_gives(const char *name)
{
	struct path_roles_cache cache = {0};
	size_t count;
	const struct syscall *calls = syscall_table(ABI_X86_64, &count);
	bool gives = false;

	for (size_t i = 0; i < count; i++) {
		if (calls[i].desc && strcmp(calls[i].name, name) == 0)
			gives = path_roles_gives_fd(&cache, &calls[i].desc->signature);
	}
	hash_deinit(&cache.types);
	return gives;
}

CASE(whole_calls)
{
	assert_true(call_gives("openat"));
	assert_true(call_gives("recvmsg"));
	assert_true(call_gives("recvmmsg"));
	assert_true(call_gives("pidfd_getfd"));
	assert_true(call_gives("pipe2"));
	assert_true(call_gives("seccomp"));
	assert_false(call_gives("sendmsg"));
	assert_false(call_gives("read"));
	assert_false(call_gives("landlock_add_rule"));
}

RUN_CASES(ADD(returned), ADD(stored_in_the_argument), ADD(only_taken), ADD(none_at_all),
	ADD(paths_of_variants), ADD(whole_calls));
