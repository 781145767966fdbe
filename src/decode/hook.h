// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_DECODE_HOOK_H
#define SRC_DECODE_HOOK_H

/**
 * The irregular types: `hook[name: T, e, …]` in a description calls the function of
 * that name, which builds a value and never prints. T gives size and alignment; the
 * values of the expressions arrive as @args, missing ones as 0.
 *
 * Behind a pointer or in a struct (they read memory):
 *
 *	sockaddr[len]                 struct sockaddr of len bytes
 *	siginfo                       siginfo_t in the ABI's layout
 *	wait_status                   int as wait4 stores it
 *	iovec[count]                  struct iovec whose buffers go into the kernel
 *	iovec_out[count, total]       … whose buffers were filled with total bytes (ret)
 *	msghdr                        struct msghdr that is sent
 *	msghdr_out[total]             struct msghdr that was received into; behind `in`
 *	cmsg[len]                     control messages of len bytes
 *	dirents[len], dirents64[len]  what getdents, getdents64 stored
 *	sigset[size]                  signals; an address unless size is the kernel's
 *	fd_set[nfds]                  descriptors of select
 *	envp                          the environment: a list with -v, else how many
 *	utimens                       struct timespec with UTIME_NOW and UTIME_OMIT
 *
 * For numbers, in a register or in memory:
 *
 *	ioctl_request                 a request code, named or taken apart
 *	clone_flags                   flags of type->set with the exit signal in the low byte
 *	dev                           makedev(major, minor)
 *	rlimit                        n*1024, RLIM_INFINITY as strace spells it
 *	clock_t                       ticks, with seconds in a comment
 *	date                          seconds since 1970, with the date in a comment
 *
 * For an address in a register:
 *
 *	remaining                     struct timespec stored only if the call was interrupted
 *
 * As notes after the result:
 *
 *	poll_result[fds, nfds]                     ([{fd=0, revents=POLLIN}]), (Timeout)
 *	select_result[nfds, r, w, e, timeout, n]   (in [3], left {…}); n: timeout is a timespec
 *
 * To add one: a function in a hook_*.c, its line in hook.c and in this list, a recorded test.
 */

#include <stdint.h>

struct place;
struct type;
struct value;
struct walk;

enum {
	/** Arguments a hook or a template can have. */
	HOOK_ARGS_MAX = 8,
};

/** Builds the value of @type at @place; NULL when memory could not be read. */
typedef struct value *hook_fn(struct walk *walk, const struct type *type, const struct place *place,
	const uint64_t args[HOOK_ARGS_MAX]);

/** Evaluates the arguments of @type and calls its function. */
struct value *hook_value(struct walk *walk, const struct type *type, const struct place *place);

hook_fn hook_sockaddr;
hook_fn hook_siginfo;
hook_fn hook_wait_status;
hook_fn hook_iovec;
hook_fn hook_iovec_out;
hook_fn hook_msghdr;
hook_fn hook_msghdr_out;
hook_fn hook_cmsg;
hook_fn hook_dirents;
hook_fn hook_dirents64;
hook_fn hook_sigset;
hook_fn hook_fd_set;
hook_fn hook_envp;
hook_fn hook_utimens;
hook_fn hook_ioctl_request;
hook_fn hook_clone_flags;
hook_fn hook_dev;
hook_fn hook_rlimit;
hook_fn hook_clock_t;
hook_fn hook_date;
hook_fn hook_remaining;
hook_fn hook_poll_result;
hook_fn hook_select_result;

#endif
