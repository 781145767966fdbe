// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_DECODE_HOOK_H
#define SRC_DECODE_HOOK_H

/**
 * The irregular types: `hook[name: T, e, …]` in a description calls the function of
 * that name, which builds a value and never prints. T gives size and alignment, and
 * often more; the values of the expressions arrive as @args, missing ones as 0.
 *
 * There are at most 25, each with its reason (after the "-"); tests/lint counts them. A number
 * that is only shown in a way of its own is a format (decode/format.h), not a hook.
 *
 * Behind a pointer or in a struct (they read memory):
 *
 *	sockaddr[len]                 struct sockaddr of len bytes - cut anywhere, by family
 *	siginfo                       siginfo_t - its union depends on signal, code and ABI
 *	wait_status                   int as wait4 stores it - macros of wait.h, not a set of bits
 *	iovec[count]                  array of struct iovec; its buffers go into the kernel -
 *	                              a buffer's share follows from all buffers before it
 *	iovec_out[count, total]       … its buffers were filled with total bytes (ret) - as iovec
 *	msghdr[fd + 1]                struct msghdr that is sent by fd - iovec and cmsg at
 *	                              addresses in it
 *	msghdr_out[total, fd + 1]     struct msghdr that was received into; behind `in` - as msghdr,
 *	                              with lengths of before the call
 *	packet[fd, len]               what a socket sends or receives: len bytes, or messages - asks
 *	                              of what kind the socket is
 *	cmsg[len]                     control messages of len bytes - aligned records until len ends
 *	dirents[len], dirents64[len]  what getdents, getdents64 stored - each as long as it says,
 *	                              the old ones with their type in the last byte
 *	sigset[size]                  signals; an address unless size is that of T - inverted when
 *	                              most are set, names by ABI
 *	fd_set[nfds]                  descriptors of select - each with its path
 *	envp                          the environment: a list with -v, else how many - by option
 *	utimens[unit]: timespec       UTIME_NOW, UTIME_OMIT, or T with its date; unit: nanoseconds
 *	                              of its second member, 1000 for a timeval - a struct that is
 *	                              a constant by one member
 *
 * For numbers, in a register or in memory:
 *
 *	ioctl_request[fd]: enum[set]  a request code, named or taken apart - four fields of bits,
 *	                              one of them flags, one often a size; drivers share codes, so
 *	                              it asks what the descriptor is
 *	futex_wake_op                 FUTEX_OP_…<<28|…|FUTEX_OP_CMP_…<<24|… - names with shifts
 *
 * For an address in a register:
 *
 *	remaining: out timespec       what is stored only if the call was interrupted - asks how
 *	                              the call ended
 *
 * For no register at all:
 *
 *	sigreturn[old]                {mask=[…]} from the frame on the stack; old: not that of
 *	                              rt_sigreturn - read at the stack pointer
 *
 * For io_uring (they read the ring, which no argument points to):
 *
 *	submissions[fd, n]: in T      a number of entries of ring fd, which is a number of the
 *	                              ring's own if n is not 0; the T of those that wait become
 *	                              its children
 *	ring_files[fd, n, s, k]: T    for arguments that take the place of k files registered with
 *	                              ring fd (n: as above), from slot s on, which become a child
 *	ring_slot[bias, n]: T         within these: bias more than the number of a file that is
 *	                              registered with the ring, and of the n - 1 after it
 *	ring_flags: T                 the flags of a ring; notices that the kernel polls it
 *
 * As notes after the result (only what is ready is shown, and that may take many reads):
 *
 *	poll_result[fds, nfds, timeout]: T      ([{fd=0, revents=POLLIN}], left {…}), (Timeout)
 *	select_result[nfds, r, w, e, timeout]: T  (in [3], left {…}); T: struct of the timeout
 *
 * To add one: a function in a hook_*.c, its line here, a recorded test. The table of
 * hooks is generated from the descriptions: a name without a function does not link.
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

hook_fn hook_packet;
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
hook_fn hook_futex_wake_op;
hook_fn hook_remaining;
hook_fn hook_submissions;
hook_fn hook_ring_files;
hook_fn hook_ring_slot;
hook_fn hook_ring_flags;
hook_fn hook_poll_result;
hook_fn hook_select_result;
hook_fn hook_sigreturn;

#endif
