// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_DEBUGINFO_DEBUGINFOD_WORKER_H
#define UNWIND_DEBUGINFO_DEBUGINFOD_WORKER_H

/** The process that asks servers, and what it says. Internal to debuginfod.c. */

#include <stdint.h>
#include <sys/types.h>

#include "unwind/debuginfod.h"
#include "unwind/elf/elf_headers.h"

enum {
	DEBUGINFOD_TEXT_MAX = 1024,
};

/** To the worker. */
struct debuginfod_question {
	uint32_t number;
	uint32_t id_size;
	uint8_t id[ELF_BUILD_ID_MAX];
};

enum debuginfod_reply_kind {
	/** @text is the path; the request is done. */
	DEBUGINFOD_REPLY_FOUND,
	/** One server was asked in vain: its address, a newline, a detail or nothing. */
	DEBUGINFOD_REPLY_MISS,
	/** No server is left; the request is done. */
	DEBUGINFOD_REPLY_NOTHING,
	/** Still busy with it: @text is the server. */
	DEBUGINFOD_REPLY_PROGRESS,
};

/** From the worker. */
struct debuginfod_reply {
	uint32_t number;
	uint32_t kind;
	uint32_t reason;
	/** Bytes so far and in all; 0: unknown. */
	uint64_t done, total;
	char text[DEBUGINFOD_TEXT_MAX];
};

/** Answers questions on @socket (SOCK_SEQPACKET) until it is closed, and does not return. */
_Noreturn void debuginfod_work(const struct debuginfod_options *options, int socket, pid_t client);

#endif
