// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <string.h>

#include "abi/abi.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/hash.h"
#include "decode/call.h"
#include "decode/decoder.h"
#include "decode/value.h"
#include "output/json_value.h"
#include "output/text_call.h"
#include "proc/view.h"
#include "schema/lookup.h"
#include "schema/syscall.h"
#include "unit.h"

// Every call of every ABI on registers and memory of noise: the sanitizers watch. Memory is made
// as it is asked for, so the same seed gives the same bytes.

enum {
	ROUNDS = 12,
	/** What is above, and every fourth page, is unreadable. */
	MEMORY_END = 0x40000,
};

struct noise {
	struct view view;
	uint64_t seed;
};

static uint64_t noise_at(const struct noise *noise, uint64_t position)
{
	uint64_t number = hash_u64(noise->seed ^ position * 0x9e3779b97f4a7c15);

	// Many small numbers and pointers into the memory; few wild ones.
	switch (number >> 60) {
	case 0:
		return number;
	case 1:
	case 2:
		return 0;
	case 3:
	case 4:
	case 5:
		return number % MEMORY_END;
	case 6:
		return UINT64_C(0xffffffff00000000) | number;
	default:
		return number % 40;
	}
}

static size_t noise_read(struct view *view, taddr address, void *data, size_t size)
{
	const struct noise *noise = (const struct noise *)view;
	uint8_t *bytes = data;

	for (size_t i = 0; i < size; i++) {
		uint64_t at = address + i;
		uint64_t word;

		if (at >= MEMORY_END || at / 4096 % 4 == 0)
			return i;
		word = noise_at(noise, at / 8);
		bytes[i] = (uint8_t)(word >> 8 * (at % 8));
	}
	return size;
}

static const char *noise_fd_path(struct view *view, struct arena *arena, int fd)
{
	(void)view;
	return arena_printf(arena, "/fd/%d (deleted)", fd);
}

static bool noise_fd_deleted(struct view *view, int fd)
{
	(void)view;
	return fd & 1;
}

static const char *noise_cwd(struct view *view, struct arena *arena)
{
	(void)view;
	(void)arena;
	return NULL;
}

static int noise_netlink_protocol(struct view *view, int fd)
{
	(void)view;
	return (unsigned)fd % 3 ? 0 : -1;
}

static int noise_tid(struct view *view)
{
	(void)view;
	return 1;
}

static const struct view_ops noise_ops = {
	.read = noise_read,
	.fd_path = noise_fd_path,
	.fd_deleted = noise_fd_deleted,
	.cwd = noise_cwd,
	.tid = noise_tid,
	.netlink_protocol = noise_netlink_protocol,
};

static void write_out(struct buf *buf, const struct call *call, bool verbose)
{
	const struct text_style style = {.verbose = verbose};

	buf_reset(buf);
	text_call_begin(buf, call, &style);
	text_call_rest(buf, call, &style);
	text_call_result(buf, call, &style);
	for (unsigned i = 0; i < call->arg_count; i++)
		json_value(buf, call->args[i]);
}

static int64_t some_result(uint64_t round, const struct noise *noise)
{
	switch (round % 4) {
	case 0:
		return 0;
	case 1:
		return (int64_t)(noise_at(noise, 77) % 40);
	case 2:
		return (int64_t)noise_at(noise, 78);
	default:
		return -4;
	}
}

static void decode_noise(
	struct call *call, struct buf *buf, enum abi_id abi, uint64_t number, uint64_t round)
{
	struct noise noise = {{&noise_ops}, number * 1000 + round};
	const struct decode_options options = {
		.string_limit = round % 5 ? 32 : 5000,
		.verbose = round & 1,
		.fd_paths = round & 2,
	};
	uint64_t regs[6];
	int64_t result = some_result(round, &noise);

	for (unsigned i = 0; i < 6; i++)
		regs[i] = noise_at(&noise, UINT64_MAX - i);
	call_reset(call);
	decode_entry(call, &options, &noise.view, abi, number, regs);
	assert_true(call->known <= call->arg_count && call->arg_count <= CALL_ARGS_MAX);
	write_out(buf, call, options.verbose);
	noise.seed ^= round % 3;
	decode_exit(call, &options, &noise.view, result, result < 0 && result >= -4095);
	assert_true(call->known <= call->arg_count && call->arg_count <= CALL_ARGS_MAX);
	write_out(buf, call, options.verbose);
}

CASE(every_call_on_noise)
{
	struct call call = {0};
	struct buf buf = {0};

	for (unsigned abi = 0; abi < ABI_COUNT; abi++) {
		size_t count;
		const struct syscall *table = syscall_table((enum abi_id)abi, &count);

		for (size_t i = 0; i < count; i++) {
			for (unsigned round = 0; round < ROUNDS; round++)
				decode_noise(&call, &buf, (enum abi_id)abi, table[i].number, round);
		}
	}
	call_deinit(&call);
	buf_deinit(&buf);
}

CASE(every_siginfo_on_noise)
{
	struct call call = {0};
	struct buf buf = {0};

	for (int signal = -1; signal < 70; signal++) {
		for (int code = -8; code < 12; code++) {
			int siginfo[32];
			struct noise noise = {{&noise_ops}, (uint64_t)(signal * 100 + code)};
			struct value *value;

			for (unsigned i = 0; i < 32; i++)
				siginfo[i] = (int)noise_at(&noise, i);
			siginfo[0] = signal;
			siginfo[2] = code;
			call_reset(&call);
			value = decode_siginfo(&call, ABI_X86_64, siginfo);
			assert_int_equal(value->kind, VALUE_STRUCT);
			json_value(&buf, value);
			buf_reset(&buf);
		}
	}
	call_deinit(&call);
	buf_deinit(&buf);
}

RUN_CASES(ADD(every_call_on_noise), ADD(every_siginfo_on_noise));
