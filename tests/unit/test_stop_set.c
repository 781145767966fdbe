// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "session/stop_set.h"

#include "filter/query.h"
#include "schema/lookup.h"
#include "schema/syscall_set.h"
#include "session/session.h"
#include "unit.h"

enum {
	IOCTL = 16,
	IOCTL_I386 = 54,
	SECCOMP = 317,
	READ = 0,
	OPENAT = 257,
	// Of asm-generic/ioctls.h and linux/auto_dev-ioctl.h.
	TCGETS_ = 0x5401,
	TIOCGPTPEER_ = 0x5441,
	AUTOFS_OPENMOUNT = (int)0xc0189374,
};

static struct stop_set stops_by(const char *path)
{
	struct query query;
	struct session_options options = {.query = &query};
	struct stop_set wanted;
	const char *resolved;

	query_init(&query);
	assert_null(path_set_add(&query.paths, path, &resolved));
	stop_set_init(&wanted, &options);
	query_deinit(&query);
	return wanted;
}

static bool is_choice(
	const struct seccomp_traps *traps, enum abi_id abi, uint32_t number, uint32_t value)
{
	for (unsigned i = 0; i < traps->choice_count; i++) {
		const struct seccomp_choice *choice = &traps->choices[i];

		if (choice->abi == abi && choice->number == number && choice->value == value)
			return true;
	}
	return false;
}

CASE(only_some_requests_stop)
{
	struct stop_set wanted = stops_by("/nowhere");
	const struct seccomp_traps *traps = &wanted.traps;

	// Were there too many to choose from, every one would stop.
	assert_false(syscall_set_has(&traps->calls, ABI_X86_64, IOCTL));
	assert_false(syscall_set_has(&traps->calls, ABI_I386, IOCTL_I386));
	// Those of x32 stop anyway: choices of theirs would take the room of others.
	assert_false(is_choice(traps, ABI_X32, 514, TIOCGPTPEER_));
	for (enum abi_id abi = 0; abi < ABI_X32; abi++) {
		uint32_t number = abi == ABI_X86_64 ? IOCTL : IOCTL_I386;

		assert_true(is_choice(traps, abi, number, TIOCGPTPEER_));
		assert_true(is_choice(traps, abi, number, AUTOFS_OPENMOUNT));
		assert_false(is_choice(traps, abi, number, TCGETS_));
	}
}

CASE(calls_with_descriptors_pass)
{
	struct stop_set wanted = stops_by("/nowhere");

	assert_true(wanted.watches);
	assert_false(syscall_set_has(&wanted.traps.calls, ABI_X86_64, READ));
	assert_true(syscall_set_has(&wanted.traps.calls, ABI_X86_64, OPENAT));
	assert_true(syscall_set_has(&wanted.traps.calls, ABI_X86_64, SECCOMP));
}

CASE(exclusions_alone_watch_nobody)
{
	struct stop_set wanted = stops_by("!/nowhere");

	assert_false(wanted.watches);
	assert_true(syscall_set_has(&wanted.traps.calls, ABI_X86_64, IOCTL));
	assert_true(syscall_set_has(&wanted.traps.calls, ABI_X86_64, READ));
}

RUN_CASES(ADD(only_some_requests_stop), ADD(calls_with_descriptors_pass),
	ADD(exclusions_alone_watch_nobody));
