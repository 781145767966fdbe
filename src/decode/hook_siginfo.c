// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <signal.h>

#include "abi/abi.h"
#include "abi/errors.h"
#include "base/arena.h"
#include "base/array.h"
#include "decode/aggregate.h"
#include "decode/annotate.h"
#include "decode/call.h"
#include "decode/decoder.h"
#include "decode/fetch.h"
#include "decode/hook.h"
#include "decode/scalar.h"
#include "decode/value.h"
#include "decode/walk.h"
#include "schema/lookup.h"
#include "schema/syscall.h"

enum { SIGINFO_SIZE = 128 };

/** Where the members stand; those of a union overlap. From include/uapi/asm-generic/siginfo.h. */
struct layout {
	unsigned word, ticks;
	unsigned pid, uid, timer_id, overrun, kill_value, timer_value, status, utime, stime;
	unsigned addr, addr_lsb, lower, upper, pkey, band, fd, call_addr, syscall, arch;
};

static const struct layout layout_64 = {
	.word = 8,
	.ticks = 8,
	.pid = 16,
	.uid = 20,
	.timer_id = 16,
	.overrun = 20,
	.kill_value = 24,
	.timer_value = 24,
	.status = 24,
	.utime = 32,
	.stime = 40,
	.addr = 16,
	.addr_lsb = 24,
	.lower = 32,
	.upper = 40,
	.pkey = 32,
	.band = 16,
	.fd = 24,
	.call_addr = 16,
	.syscall = 24,
	.arch = 28,
};

static const struct layout layout_32 = {
	.word = 4,
	.ticks = 4,
	.pid = 12,
	.uid = 16,
	.timer_id = 12,
	.overrun = 16,
	.kill_value = 20,
	.timer_value = 20,
	.status = 20,
	.utime = 24,
	.stime = 28,
	.addr = 12,
	.addr_lsb = 16,
	.lower = 20,
	.upper = 24,
	.pkey = 20,
	.band = 12,
	.fd = 16,
	.call_addr = 12,
	.syscall = 16,
	.arch = 20,
};

static const struct layout layout_32_long_times = {
	.word = 4,
	.ticks = 8,
	.pid = 12,
	.uid = 16,
	.timer_id = 12,
	.overrun = 16,
	.kill_value = 20,
	.timer_value = 20,
	.status = 20,
	.utime = 24,
	.stime = 32,
	.addr = 12,
	.addr_lsb = 16,
	.lower = 20,
	.upper = 24,
	.pkey = 20,
	.band = 12,
	.fd = 16,
	.call_addr = 12,
	.syscall = 16,
	.arch = 20,
};

struct code {
	/** 0: of any signal. */
	int signal;
	int code;
	const char *name;
};

// From include/uapi/asm-generic/siginfo.h.
static const struct code codes[] = {
	{0, 0, "SI_USER"},
	{0, 128, "SI_KERNEL"},
	{0, -1, "SI_QUEUE"},
	{0, -2, "SI_TIMER"},
	{0, -3, "SI_MESGQ"},
	{0, -4, "SI_ASYNCIO"},
	{0, -5, "SI_SIGIO"},
	{0, -6, "SI_TKILL"},
	{0, -7, "SI_DETHREAD"},
	{0, -60, "SI_ASYNCNL"},
	{SIGILL, 1, "ILL_ILLOPC"},
	{SIGILL, 2, "ILL_ILLOPN"},
	{SIGILL, 3, "ILL_ILLADR"},
	{SIGILL, 4, "ILL_ILLTRP"},
	{SIGILL, 5, "ILL_PRVOPC"},
	{SIGILL, 6, "ILL_PRVREG"},
	{SIGILL, 7, "ILL_COPROC"},
	{SIGILL, 8, "ILL_BADSTK"},
	{SIGILL, 9, "ILL_BADIADDR"},
	{SIGFPE, 1, "FPE_INTDIV"},
	{SIGFPE, 2, "FPE_INTOVF"},
	{SIGFPE, 3, "FPE_FLTDIV"},
	{SIGFPE, 4, "FPE_FLTOVF"},
	{SIGFPE, 5, "FPE_FLTUND"},
	{SIGFPE, 6, "FPE_FLTRES"},
	{SIGFPE, 7, "FPE_FLTINV"},
	{SIGFPE, 8, "FPE_FLTSUB"},
	{SIGFPE, 14, "FPE_FLTUNK"},
	{SIGFPE, 15, "FPE_CONDTRAP"},
	{SIGSEGV, 1, "SEGV_MAPERR"},
	{SIGSEGV, 2, "SEGV_ACCERR"},
	{SIGSEGV, 3, "SEGV_BNDERR"},
	{SIGSEGV, 4, "SEGV_PKUERR"},
	{SIGSEGV, 5, "SEGV_ACCADI"},
	{SIGSEGV, 6, "SEGV_ADIDERR"},
	{SIGSEGV, 7, "SEGV_ADIPERR"},
	{SIGSEGV, 8, "SEGV_MTEAERR"},
	{SIGSEGV, 9, "SEGV_MTESERR"},
	{SIGSEGV, 10, "SEGV_CPERR"},
	{SIGBUS, 1, "BUS_ADRALN"},
	{SIGBUS, 2, "BUS_ADRERR"},
	{SIGBUS, 3, "BUS_OBJERR"},
	{SIGBUS, 4, "BUS_MCEERR_AR"},
	{SIGBUS, 5, "BUS_MCEERR_AO"},
	{SIGTRAP, 1, "TRAP_BRKPT"},
	{SIGTRAP, 2, "TRAP_TRACE"},
	{SIGTRAP, 3, "TRAP_BRANCH"},
	{SIGTRAP, 4, "TRAP_HWBKPT"},
	{SIGTRAP, 5, "TRAP_UNK"},
	{SIGTRAP, 6, "TRAP_PERF"},
	{SIGCHLD, 1, "CLD_EXITED"},
	{SIGCHLD, 2, "CLD_KILLED"},
	{SIGCHLD, 3, "CLD_DUMPED"},
	{SIGCHLD, 4, "CLD_TRAPPED"},
	{SIGCHLD, 5, "CLD_STOPPED"},
	{SIGCHLD, 6, "CLD_CONTINUED"},
	{SIGIO, 1, "POLL_IN"},
	{SIGIO, 2, "POLL_OUT"},
	{SIGIO, 3, "POLL_MSG"},
	{SIGIO, 4, "POLL_ERR"},
	{SIGIO, 5, "POLL_PRI"},
	{SIGIO, 6, "POLL_HUP"},
	{SIGSYS, 1, "SYS_SECCOMP"},
	{SIGSYS, 2, "SYS_USER_DISPATCH"},
};

static const char *code_name(int signal, int code)
{
	for (size_t i = 0; i < ARRAY_SIZE(codes); i++) {
		if ((codes[i].signal == 0 || codes[i].signal == signal) && codes[i].code == code)
			return codes[i].name;
	}
	return NULL;
}

/** A siginfo being taken apart. */
struct info {
	struct walk *walk;
	const uint8_t *data;
	const struct layout *layout;
	struct value *value;
	struct value *last;
	int signal;
	int code;
};

static uint64_t member(const struct info *info, unsigned offset, unsigned size, bool is_signed)
{
	return bytes_to_number(info->data + offset, size, is_signed, false);
}

static void add(struct info *info, const char *label, struct value *child)
{
	aggregate_add(info->value, &info->last, label, child);
}

static void add_int(struct info *info, const char *label, unsigned offset)
{
	add(info, label,
		value_number(info->walk->arena, member(info, offset, 4, true), RADIX_SIGNED, 4));
}

static void add_address(struct info *info, const char *label, unsigned offset)
{
	uint64_t address = member(info, offset, info->layout->word, false);

	add(info, label, value_address(info->walk->arena, address, false));
}

static struct value *signal_value(struct walk *walk, uint64_t signal)
{
	const char *name = signal_name(walk->abi, (int)signal);

	if (!name)
		return value_number(walk->arena, signal, RADIX_SIGNED, 4);
	return value_named(walk->arena, signal, name);
}

static void add_sender(struct info *info)
{
	struct arena *arena = info->walk->arena;
	struct value *pid =
		value_number(arena, member(info, info->layout->pid, 4, true), RADIX_SIGNED, 4);
	uint64_t number = member(info, info->layout->uid, 4, false);
	struct value *uid = value_number(arena, number, RADIX_UNSIGNED, 4);

	pid->role = ROLE_TGID;
	annotate_pid(info->walk, pid);
	uid->role = ROLE_UID;
	if (number == UINT32_MAX) {
		uid->number = UINT64_MAX;
		uid->radix = RADIX_SIGNED;
	}
	add(info, "si_pid", pid);
	add(info, "si_uid", uid);
}

static void add_sigval(struct info *info, unsigned offset)
{
	add_int(info, "si_int", offset);
	add_address(info, "si_ptr", offset);
}

// A union sigval of zeroes was most likely not given at all.
static void add_sent_value(struct info *info)
{
	if (member(info, info->layout->kill_value, info->layout->word, false))
		add_sigval(info, info->layout->kill_value);
}

static void add_poll(struct info *info)
{
	unsigned word = info->layout->word;
	uint64_t band = member(info, info->layout->band, word, true);

	add(info, "si_band", value_number(info->walk->arena, band, RADIX_SIGNED, word));
	add_int(info, "si_fd", info->layout->fd);
}

static void add_user_part(struct info *info)
{
	switch (info->code) {
	case SI_USER:
	case SI_TKILL:
		add_sender(info);
		break;
	case SI_TIMER:
		add(info, "si_timerid",
			value_number(info->walk->arena,
				member(info, info->layout->timer_id, 4, false), RADIX_HEX, 4));
		add_int(info, "si_overrun", info->layout->overrun);
		add_sigval(info, info->layout->timer_value);
		break;
	case SI_SIGIO:
		add_poll(info);
		break;
	default:
		add_sender(info);
		add_sent_value(info);
		break;
	}
}

static void add_child(struct info *info)
{
	const struct layout *layout = info->layout;
	uint64_t status = member(info, layout->status, 4, true);

	add_sender(info);
	if (info->code == CLD_EXITED)
		add_int(info, "si_status", layout->status);
	else
		add(info, "si_status", signal_value(info->walk, status));
	add(info, "si_utime",
		scalar_ticks(info->walk, member(info, layout->utime, layout->ticks, true),
			layout->ticks));
	add(info, "si_stime",
		scalar_ticks(info->walk, member(info, layout->stime, layout->ticks, true),
			layout->ticks));
}

static void add_fault(struct info *info)
{
	const struct layout *layout = info->layout;

	add_address(info, "si_addr", layout->addr);
	if (info->signal == SIGBUS && (info->code == BUS_MCEERR_AR || info->code == BUS_MCEERR_AO))
		add(info, "si_addr_lsb",
			value_number(info->walk->arena, member(info, layout->addr_lsb, 2, true),
				RADIX_SIGNED, 2));
	if (info->signal == SIGSEGV && info->code == SEGV_BNDERR) {
		add_address(info, "si_lower", layout->lower);
		add_address(info, "si_upper", layout->upper);
	}
	if (info->signal == SIGSEGV && info->code == SEGV_PKUERR)
		add(info, "si_pkey",
			value_number(info->walk->arena, member(info, layout->pkey, 4, false),
				RADIX_UNSIGNED, 4));
}

static const char *syscall_constant(struct info *info, uint32_t arch, uint64_t number)
{
	const struct abi *abi = abi_by_audit_arch(arch, number);
	const struct syscall *call =
		abi ? syscall_by_number(abi->id, abi_number(abi, number)) : NULL;

	return call ? arena_printf(info->walk->arena, "__NR_%s", call->name) : NULL;
}

static void add_syscall(struct info *info)
{
	const struct layout *layout = info->layout;
	struct arena *arena = info->walk->arena;
	uint64_t number = member(info, layout->syscall, 4, true);
	uint32_t arch = (uint32_t)member(info, layout->arch, 4, false);
	const char *name = syscall_constant(info, arch, number);

	add_address(info, "si_call_addr", layout->call_addr);
	add(info, "si_syscall",
		name ? value_named(arena, number, name)
		     : value_number(arena, number, RADIX_SIGNED, 4));
	name = abi_audit_name(arch);
	add(info, "si_arch",
		name ? value_named(arena, arch, name) : value_number(arena, arch, RADIX_HEX, 4));
}

static void add_kernel_part(struct info *info)
{
	switch (info->signal) {
	case SIGCHLD:
		add_child(info);
		break;
	case SIGILL:
	case SIGFPE:
	case SIGSEGV:
	case SIGBUS:
	case SIGTRAP:
		add_fault(info);
		break;
	case SIGIO:
		if (info->code >= POLL_IN && info->code <= POLL_HUP)
			add_poll(info);
		break;
	case SIGSYS:
		add_syscall(info);
		break;
	default:
		if (member(info, info->layout->pid, 4, false) ||
			member(info, info->layout->uid, 4, false))
			add_sender(info);
		add_sent_value(info);
		break;
	}
}

static void add_error(struct info *info)
{
	uint64_t code = member(info, 4, 4, true);
	const char *name = errno_name((int)code);

	if (code == 0)
		return;
	add(info, "si_errno",
		name ? value_named(info->walk->arena, code, name)
		     : value_number(info->walk->arena, code, RADIX_SIGNED, 4));
}

static struct value *siginfo_value(
	struct walk *walk, const uint8_t *data, const struct layout *layout)
{
	struct info info = {walk, data, layout, value_create(walk->arena, VALUE_STRUCT)};
	struct value *code;

	info.signal = (int)member(&info, 0, 4, true);
	info.code = (int)member(&info, 8, 4, true);
	if (info.signal == 0)
		return info.value;
	add(&info, "si_signo", signal_value(walk, (uint64_t)info.signal));
	code = value_named(walk->arena, (uint64_t)info.code, code_name(info.signal, info.code));
	if (!code->name)
		code->unknown = "SI_???";
	code->size = 4;
	add(&info, "si_code", code);
	add_error(&info);
	if (info.code <= 0)
		add_user_part(&info);
	else
		add_kernel_part(&info);
	return info.value;
}

struct value *hook_siginfo(struct walk *walk, const struct type *type, const struct place *place,
	const uint64_t args[HOOK_ARGS_MAX])
{
	const uint8_t *data = fetch_bytes(walk, place, SIGINFO_SIZE);

	(void)type;
	(void)args;
	if (!data)
		return NULL;
	if (walk->word == 8)
		return siginfo_value(walk, data, &layout_64);
	return siginfo_value(
		walk, data, walk->kernel_word == 8 ? &layout_32_long_times : &layout_32);
}

struct value *decode_siginfo(struct call *scratch, enum abi_id abi, const void *siginfo)
{
	static const struct decode_options options = {0};
	struct walk walk = {
		.call = scratch,
		.arena = &scratch->arena,
		.options = &options,
		.abi = abi,
		.word = 8,
	};

	return siginfo_value(&walk, siginfo, &layout_64);
}
