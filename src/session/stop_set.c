// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "session/stop_set.h"

#include <sys/prctl.h>

#include "abi/abi.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "filter/inject.h"
#include "filter/match.h"
#include "filter/path_roles.h"
#include "filter/query.h"
#include "schema/lookup.h"
#include "schema/relation.h"
#include "schema/syscall.h"
#include "session/fd_watch.h"
#include "session/session.h"
#include "trace/command.h"
#include "unwind/unwind.h"

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

static void keep_only(struct syscall_set *set, const struct syscall_set *others)
{
	for (enum abi_id abi = 0; abi < ABI_COUNT; abi++) {
		for (size_t i = 0; i < BITS_WORDS(SYSCALL_SET_NUMBERS); i++)
			set->words[abi][i] &= others->words[abi][i];
	}
	set->unknown &= others->unknown;
}

static void remove_all(struct syscall_set *set, const struct syscall_set *less)
{
	for (enum abi_id abi = 0; abi < ABI_COUNT; abi++) {
		for (size_t i = 0; i < BITS_WORDS(SYSCALL_SET_NUMBERS); i++)
			set->words[abi][i] &= ~less->words[abi][i];
	}
}

// What is needed besides the calls to show.
static void add_known(struct syscall_set *set, const struct session_options *options)
{
	// Where paths begin, and what rings are like, is kept from call to call.
	if (options->query->paths.patterns.count)
		add_facts(set, FACT_CHANGES_ROOT | FACT_MAKES_RING | FACT_NUMBERS_RINGS);
	// execve changes the name too, but is an event of its own.
	add_facts(set, FACT_CHANGES_COMM | FACT_FILTERS_CALLS);
	// Faults are shown while what was mapped then still is.
	if (options->faults.minor || options->faults.major)
		add_facts(set, FACT_CHANGES_MAPS | FACT_PROTECTS_MAPS | FACT_EXEC | FACT_NO_RETURN);
	// How a task ends is only known by the call that ends it.
	if (options->observe.enabled)
		add_facts(set, FACT_EXEC | FACT_NO_RETURN);
}

// Calls that change what is mapped, for the stacks: some of them only in some cases. And those
// that make tasks which may do so unseen.
static void add_maps(struct stop_set *wanted)
{
	add_facts(&wanted->traps.code, FACT_PROTECTS_MAPS);
	add_facts(&wanted->traps.calls, FACT_CHANGES_MAPS | FACT_SHARES_MEMORY);
	add_facts(&wanted->calls, FACT_CHANGES_MAPS | FACT_PROTECTS_MAPS | FACT_SHARES_MEMORY);
}

// Without an address these have no path, and a descriptor does not come by them.
static void pass_without_address(struct seccomp_traps *traps)
{
	struct syscall_set passing = {0};

	for (enum abi_id abi = 0; abi < ABI_COUNT; abi++) {
		size_t count;
		const struct syscall *calls = syscall_table(abi, &count);

		for (size_t i = 0; i < count; i++) {
			const struct syscall_effect *needs =
				syscall_effect(&calls[i], EFFECT_NEEDS_ADDRESS, NULL);

			if (!needs || !syscall_set_has(&traps->calls, abi, calls[i].number))
				continue;
			syscall_set_add(
				&traps->pointer[needs->operands[0][abi]], abi, calls[i].number);
			syscall_set_add(&passing, abi, calls[i].number);
		}
	}
	remove_all(&traps->calls, &passing);
}

// With a path, or something by which a descriptor may come.
static bool matters(struct path_roles_cache *cache, const struct signature *signature)
{
	return path_roles_of_signature(cache, signature) & PATH_ROLE_PATH ||
	       path_roles_gives_fd(cache, signature);
}

// The variants of a call that matter; false if no filter can tell them.
static bool add_variants(struct seccomp_traps *traps, struct path_roles_cache *cache,
	enum abi_id abi, const struct syscall *call)
{
	const struct signature *signature = &call->desc->signature;

	if (!signature->selector || signature->selector->op != EXPR_ARG)
		return false;
	if (signature->otherwise && matters(cache, signature->otherwise))
		return false;
	for (unsigned i = 0; i < signature->case_count; i++) {
		const struct signature_case *variant = &signature->cases[i];

		if (variant->lacking >> abi & 1 || !matters(cache, variant->signature))
			continue;
		if (variant->value[abi] > UINT32_MAX || variant->signature->selector ||
			traps->choice_count == SECCOMP_CHOICES_MAX)
			return false;
		traps->choices[traps->choice_count++] = (struct seccomp_choice){
			.abi = abi,
			.number = call->number,
			.argument = signature->args[signature->selector->index].reg[abi],
			.value = (uint32_t)variant->value[abi],
		};
	}
	return true;
}

static void stop_at_variants(struct seccomp_traps *traps)
{
	struct path_roles_cache cache = {0};
	struct syscall_set varied = {0};

	add_facts(&varied, FACT_VARIANTS_BRING_FD);
	remove_all(&traps->calls, &varied);
	for (enum abi_id abi = 0; abi < ABI_COUNT; abi++) {
		size_t count;
		const struct syscall *calls = syscall_table(abi, &count);

		// Calls that their number marks stop always (seccomp.h): no need to choose.
		for (size_t i = 0; i < count && !abi_get(abi)->number_mark; i++) {
			const struct syscall *call = &calls[i];

			if (call->desc && (call->desc->facts & FACT_VARIANTS_BRING_FD) &&
				!add_variants(traps, &cache, abi, call))
				syscall_set_add(&traps->calls, abi, call->number);
		}
	}
	hash_deinit(&cache.types);
}

// With -P: calls by descriptors need not stop where there is none that matters.
static void watch(struct stop_set *wanted)
{
	const unsigned stop_always = FACT_BRINGS_FD | FACT_HIDES_FDS | FACT_SPLITS_FDS |
				     FACT_INVITES_FDS | FACT_MOVES_NAMES;
	struct syscall_set paths = {0};

	wanted->watches = true;
	path_roles_calls(PATH_ROLE_PATH, &paths);
	keep_only(&wanted->traps.calls, &paths);
	pass_without_address(&wanted->traps);
	add_facts(&wanted->traps.calls, stop_always);
	stop_at_variants(&wanted->traps);
	add_facts(&wanted->calls, stop_always | FACT_DROPS_FD | FACT_VARIANTS_BRING_FD);
}

void stop_set_init(struct stop_set *wanted, const struct session_options *options)
{
	*wanted = (struct stop_set){.calls = match_calls(options->query)};
	wanted->traps.calls = wanted->calls;
	if (options->query->paths.patterns.count && options->query->paths.includes &&
		!options->query->has_fds)
		watch(wanted);
	add_known(&wanted->calls, options);
	add_known(&wanted->traps.calls, options);
	if (options->output.stack != OUTPUT_STACK_NONE)
		add_maps(wanted);
}

// A filter that stops at most calls only adds to the price of the few it lets pass.
static bool pays(const struct session_options *options)
{
	const struct path_set *paths = &options->query->paths;
	struct stop_set wanted;
	size_t count, trapped = 0;
	const struct syscall *calls = syscall_table(abi_native()->id, &count);

	// Then most calls pass most of the time.
	if (paths->patterns.count && paths->includes && !options->query->has_fds)
		return true;
	stop_set_init(&wanted, options);
	for (size_t i = 0; i < count; i++)
		trapped += syscall_set_has(&wanted.traps.calls, abi_native()->id, calls[i].number);
	return trapped < count / 2;
}

const char *session_filter_refusal(const struct session_options *options)
{
	if (options->pid_count || !options->command)
		return "only a command can have a seccomp filter, not processes attached to";
	if (options->observe.enabled)
		return "what is observed is never stopped";
	if (options->faults.minor || options->faults.major)
		return "page faults are traced without a seccomp filter";
	// At the stop of a filter a signal that comes with PTRACE_SYSCALL is lost.
	if (options->inject && inject_has_signals(options->inject))
		return "a signal can be injected only without a seccomp filter";
	// Tasks with a filter cannot be let go.
	if (options->thresholds.events || options->thresholds.calls)
		return "--max-events and --syscall-limit let tasks go, and with a seccomp filter "
		       "they cannot";
	if (options->detach_on_exec)
		return "-b execve lets tasks go, and with a seccomp filter they cannot";
	if (seccomp_permission() == SECCOMP_NOT_PERMITTED)
		return "the kernel does not offer seccomp filters here";
	return NULL;
}

// A filter that we were started with, as in many containers: what that refuses never comes to a
// stop by ours.
static bool is_refused_by_others(void)
{
	return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) > 0;
}

// A debugger's children have our filter, so we trace them, and it cannot. With -f we do anyway.
static bool traces_others(const struct session_options *options)
{
	cleanup_free char *path = NULL;
	struct error *error;

	if (options->follow)
		return false;
	error = command_find(options->command[0], &path);
	if (error) {
		error_destroy(error);
		return false;
	}
	return elf_imports(path, "ptrace");
}

const char *session_filter_absence(const struct session_options *options, bool *no_new_privs_ret)
{
	const char *refusal = session_filter_refusal(options);

	if (options->filter == SESSION_FILTER_OFF)
		return "--seccomp-bpf=off";
	if (refusal)
		return refusal;
	*no_new_privs_ret = seccomp_permission() != SECCOMP_PERMITTED;
	if (options->filter == SESSION_FILTER_ON)
		return NULL;
	// Who could gain privileges without a tracer must be able to once we are gone.
	if (*no_new_privs_ret)
		return "the command would lose its right to gain privileges (--seccomp-bpf takes "
		       "it)";
	if (is_refused_by_others())
		return "tracer runs under a filter itself, and what that refuses would not be seen";
	if (!pays(options))
		return "most calls have to stop anyway";
	if (traces_others(options))
		return "the command is a debugger, which could not trace its children any more";
	return NULL;
}
