// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "session/wanted.h"

#include "filter/match.h"
#include "filter/query.h"
#include "schema/lookup.h"
#include "schema/syscall.h"
#include "session/session.h"

// Calls with any of the @facts, which are shown by no query but change what we know.
static void add_facts(struct syscall_set *set, unsigned facts)
{
	for (enum abi_id abi = 0; abi < ABI_COUNT; abi++) {
		size_t count;
		const struct syscall *calls = syscall_table(abi, &count);

		for (size_t i = 0; i < count; i++) {
			if (calls[i].desc && calls[i].desc->facts & facts)
				syscall_set_add(set, abi, calls[i].number);
		}
	}
}

static void add_all(struct syscall_set *set, const struct syscall_set *more)
{
	for (enum abi_id abi = 0; abi < ABI_COUNT; abi++) {
		for (size_t i = 0; i < BITS_WORDS(SYSCALL_SET_NUMBERS); i++)
			set->words[abi][i] |= more->words[abi][i];
	}
	set->unknown |= more->unknown;
}

static void remove_all(struct syscall_set *set, const struct syscall_set *less)
{
	for (enum abi_id abi = 0; abi < ABI_COUNT; abi++) {
		for (size_t i = 0; i < BITS_WORDS(SYSCALL_SET_NUMBERS); i++)
			set->words[abi][i] &= ~less->words[abi][i];
	}
}

// The calls of mmap's kind, of which most have nothing to do with code.
static struct syscall_set mapping_calls(void)
{
	struct syscall_set set = {0};

	// The i386 call named mmap has its arguments in memory.
	syscall_set_add(&set, ABI_X86_64, syscall_by_name(ABI_X86_64, "mmap")->number);
	syscall_set_add_name(&set, "mmap2");
	syscall_set_add_name(&set, "mprotect");
	syscall_set_add_name(&set, "pkey_mprotect");
	return set;
}

void session_wanted_init(struct session_wanted *wanted, const struct session_options *options)
{
	const struct query *query = options->query;
	struct syscall_set code = mapping_calls();
	struct syscall_set for_maps = {0};

	*wanted = (struct session_wanted){.calls = match_calls(query)};
	// Where paths begin is kept from call to call.
	if (query->paths.patterns.count)
		add_facts(&wanted->calls, FACT_CHANGES_ROOT);
	// execve changes the name too, but is an event of its own.
	add_facts(&wanted->calls, FACT_CHANGES_COMM);
	// Faults are shown while what was mapped then still is.
	if (options->faults.minor || options->faults.major)
		add_facts(&wanted->calls, FACT_CHANGES_MAPS | FACT_EXEC | FACT_NO_RETURN);
	if (options->output.stack != OUTPUT_STACK_NONE)
		add_facts(&for_maps, FACT_CHANGES_MAPS | FACT_PROTECTS_MAPS);
	wanted->traps.calls = wanted->calls;
	add_all(&wanted->calls, &for_maps);
	wanted->traps.code = for_maps;
	remove_all(&for_maps, &code);
	remove_all(&wanted->traps.code, &for_maps);
	add_all(&wanted->traps.calls, &for_maps);
}

// A filter that stops at most calls only adds to the price of the few it lets pass.
static bool pays(const struct session_options *options)
{
	struct session_wanted wanted;
	size_t count, trapped = 0;
	const struct syscall *calls = syscall_table(ABI_X86_64, &count);

	session_wanted_init(&wanted, options);
	for (size_t i = 0; i < count; i++)
		trapped += syscall_set_has(&wanted.traps.calls, ABI_X86_64, calls[i].number);
	return trapped < count / 2;
}

const char *session_filter_refusal(const struct session_options *options)
{
	if (options->pid_count || !options->command)
		return "only a command can have a seccomp filter, not processes attached to";
	if (options->faults.minor || options->faults.major)
		return "page faults are traced without a seccomp filter";
	if (seccomp_permission() == SECCOMP_NOT_PERMITTED)
		return "the kernel does not offer seccomp filters here";
	return NULL;
}

bool session_filters(const struct session_options *options, bool *no_new_privs_ret)
{
	if (options->filter == SESSION_FILTER_OFF || session_filter_refusal(options))
		return false;
	*no_new_privs_ret = seccomp_permission() != SECCOMP_PERMITTED;
	// Who could gain privileges without a tracer must be able to once we are gone.
	return options->filter == SESSION_FILTER_ON || (!*no_new_privs_ret && pays(options));
}
