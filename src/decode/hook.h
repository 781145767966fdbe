// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_DECODE_HOOK_H
#define SRC_DECODE_HOOK_H

/**
 * The irregular types: `hook[name: T, e, …]` in a description calls the function of
 * that name, which builds a value and never prints. T gives size and alignment, and
 * often more; the values of the expressions arrive as @args, missing ones as 0.
 *
 * Behind a pointer or in a struct (they read memory):
 *
 *	sockaddr[len]                 struct sockaddr of len bytes
 *	siginfo                       siginfo_t in the ABI's layout
 *	wait_status                   int as wait4 stores it
 *	iovec[count]                  array of struct iovec; its buffers go into the kernel
 *	iovec_out[count, total]       … its buffers were filled with total bytes (ret)
 *	msghdr[fd + 1]                struct msghdr that is sent by fd
 *	msghdr_out[total, fd + 1]     struct msghdr that was received into; behind `in`
 *	packet[fd, len]               what a socket sends or receives: len bytes, or messages
 *	cmsg[len]                     control messages of len bytes
 *	dirents[len], dirents64[len]  what getdents, getdents64 stored
 *	sigset[size]                  signals; an address unless size is that of T
 *	fd_set[nfds]                  descriptors of select
 *	envp                          the environment: a list with -v, else how many
 *	utimens[unit]: timespec       UTIME_NOW, UTIME_OMIT, or T with its date; unit:
 *	                              nanoseconds of its second member, 1000 for a timeval
 *	inet                          struct in_addr as inet_addr("…")
 *	mac[n]                        n bytes of a hardware address
 *	termios_cc: array             the characters of a terminal, each with its name
 *	inet6_group                   struct in6_addr as inet_pton(…), to be flattened
 *
 * For numbers, in a register or in memory:
 *
 *	ioctl_request: enum[set]      a request code, named or taken apart
 *	dev: T                        makedev(major, minor)
 *	rlimit: T                     n*1024, RLIM_INFINITY (RLIM64_… if its argument is not 0)
 *	ticks: T                      clock ticks, with seconds in a comment
 *	date[nsec]: T                 seconds since 1970, with the date in a comment; T may be a
 *	                              struct of seconds and nanoseconds
 *	mode_flags: flags[set]        flags of set and the permissions of a file
 *	halves[low, high]: flags[set, u64]  32 bits at offset low, 32 more at high
 *	futex_wake_op                 FUTEX_OP_…<<28|…|FUTEX_OP_CMP_…<<24|…
 *	pages: T                      an offset in pages of 4096 bytes, shown in bytes
 *	htons: enum[set, T]           a number in the order of the network
 *
 * For an address in a register:
 *
 *	remaining: out timespec       what is stored only if the call was interrupted
 *
 * For no register at all:
 *
 *	sigreturn[old]                {mask=[…]} from the frame on the stack; old: not rt_sigreturn
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
 * As notes after the result:
 *
 *	poll_result[fds, nfds, timeout]: T      ([{fd=0, revents=POLLIN}], left {…}), (Timeout)
 *	date_only: T                            the date of a number of seconds
 *	entry_number[desc]: int                 (entry_number=12) of struct user_desc
 *	left[timeout]: T                        (left {…})
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
hook_fn hook_inet;
hook_fn hook_mac;
hook_fn hook_termios_cc;
hook_fn hook_inet6_group;
hook_fn hook_htons;
hook_fn hook_utimens;
hook_fn hook_ioctl_request;
hook_fn hook_dev;
hook_fn hook_rlimit;
hook_fn hook_ticks;
hook_fn hook_date;
hook_fn hook_pages;
hook_fn hook_mode_flags;
hook_fn hook_halves;
hook_fn hook_futex_wake_op;
hook_fn hook_date_only;
hook_fn hook_entry_number;
hook_fn hook_remaining;
hook_fn hook_submissions;
hook_fn hook_ring_files;
hook_fn hook_ring_slot;
hook_fn hook_ring_flags;
hook_fn hook_poll_result;
hook_fn hook_left;
hook_fn hook_select_result;
hook_fn hook_sigreturn;

#endif
