// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SCHEMA_SYSCALL_H
#define SRC_SCHEMA_SYSCALL_H

/** Call descriptors: arguments, variants, result, and facts about the call. */

#include <stdbool.h>
#include <stdint.h>

#include "schema/abi_id.h"
#include "schema/type.h"

/** What `-e trace=%CLASS` selects; a call may be in several. */
enum syscall_class {
	CLASS_FILE = 1 << 0,
	CLASS_DESC = 1 << 1,
	CLASS_PROCESS = 1 << 2,
	CLASS_NETWORK = 1 << 3,
	CLASS_SIGNAL = 1 << 4,
	CLASS_IPC = 1 << 5,
	CLASS_MEMORY = 1 << 6,
	CLASS_CREDS = 1 << 7,
	CLASS_CLOCK = 1 << 8,
	CLASS_PURE = 1 << 9,
	/** %stat, %lstat, %fstat, %%stat, %statfs, %fstatfs, %%statfs */
	CLASS_STAT = 1 << 10,
	CLASS_LSTAT = 1 << 11,
	CLASS_FSTAT = 1 << 12,
	CLASS_STAT_LIKE = 1 << 13,
	CLASS_STATFS = 1 << 14,
	CLASS_FSTATFS = 1 << 15,
	CLASS_STATFS_LIKE = 1 << 16,
};

/** Facts, written @word in a description. */
enum syscall_fact {
	/** Every result is a success (getpid, umask). */
	FACT_NEVER_FAILS = 1 << 0,
	/** May change what is mapped executable (munmap, mremap …). */
	FACT_CHANGES_MAPS = 1 << 1,
	/** Does not come back when it succeeds (exit, exit_group). */
	FACT_NO_RETURN = 1 << 2,
	/** Replaces the program (execve, execveat). */
	FACT_EXEC = 1 << 3,
	/** May change the task's name (prctl, execve). */
	FACT_CHANGES_COMM = 1 << 4,
	/** May change cwd, root or a mount (chdir, fchdir, chroot, setns …). */
	FACT_CHANGES_ROOT = 1 << 5,
	/** Changes what is mapped executable only if the third argument has PROT_EXEC (mmap). */
	FACT_PROTECTS_MAPS = 1 << 6,
	/** The first register points to a block of words with the arguments. */
	FACT_BLOCK = 1 << 7,
	/** A descriptor of a file may come into the process by it. */
	FACT_BRINGS_FD = 1 << 8,
	/** From then on descriptors may come without a call that says so (fanotify, io_uring). */
	FACT_HIDES_FDS = 1 << 9,
	/** A descriptor or a mapping of a file may go by it. */
	FACT_DROPS_FD = 1 << 10,
	/** A file that is open may get another name by it (rename, link, mount). */
	FACT_MOVES_NAMES = 1 << 11,
	/** Rings of io_uring may get or lose numbers of their own by it (io_uring_register). */
	FACT_NUMBERS_RINGS = 1 << 12,
	/**
	 * Only some variants take a path or give a descriptor, by which one of a file may come:
	 * return it, or store it (ioctl).
	 */
	FACT_VARIANTS_BRING_FD = 1 << 13,
	/** A ring of io_uring is made by it, arguments as io_uring_setup. */
	FACT_MAKES_RING = 1 << 14,
	/** A thread may have descriptors of its own from then on (unshare). */
	FACT_SPLITS_FDS = 1 << 15,
	/** Is done even if it fails with EINTR: not to be repeated (close). */
	FACT_DONE_ANYWAY = 1 << 16,
	/**
	 * Moves bytes in order, of the buffer that is its second argument as many as the third
	 * says; a signal makes it return when it has moved some (write, recvfrom).
	 */
	FACT_MOVES_BYTES = 1 << 17,
	/**
	 * Who has the descriptor that a variant returns may put others into the process, into
	 * what it creates and executes, without a call of theirs (seccomp).
	 */
	FACT_INVITES_FDS = 1 << 18,
	/** The kernel may refuse calls of the task from then on, by its own seccomp filter. */
	FACT_FILTERS_CALLS = 1 << 19,
	/** The second argument is, or leads to, what was read from the first, a descriptor. */
	FACT_READS_DATA = 1 << 20,
	/** The same of what is written. */
	FACT_WRITES_DATA = 1 << 21,
	/** Its flags, or the first word that it points to, may make a task with the same memory. */
	FACT_SHARES_MEMORY = 1 << 22,
};

struct argument {
	const char *name;
	const struct type *type;
	/** Shown only if not zero; NULL means always. */
	const struct expr *condition;
	/** Index of its register among the ABI's argument registers. */
	uint8_t reg[ABI_COUNT];
	/** Takes this register and the next. */
	bool two_regs[ABI_COUNT];
	/** Of two registers the first has the high half (_llseek): `swapped` in a description. */
	bool high_first;
	/** Shown with its name (the arguments of clone): `named` in a description. */
	bool named;
};

struct signature_case;

/** Arguments and result of a call or of one of its variants. */
struct signature {
	const struct argument *args;
	uint8_t arg_count;
	/** A scalar type: TYPE_NUMBER or TYPE_SET; NULL for a call that returns nothing. */
	const struct type *ret;
	/** Decoded at exit and shown in parentheses after the result; may be NULL. */
	const struct type *note;
	/** What the note says about the result ("flags", "seals"); may be NULL. */
	const char *note_label;
	/** Variants: the case whose value equals the selector replaces this signature. */
	const struct expr *selector;
	const struct signature_case *cases;
	uint16_t case_count;
	/**
	 * Indexes into @cases of those that the ABI has, in order of their value there; of one
	 * value those with a condition go first.
	 */
	const uint16_t *order[ABI_COUNT];
	uint16_t order_count[ABI_COUNT];
	/** The same with another selector, asked where no case holds; NULL: there is none. */
	const struct signature *otherwise;
};

struct signature_case {
	uint64_t value[ABI_COUNT];
	const struct signature *signature;
	/** Holds only if it is not zero; NULL: always. */
	const struct expr *condition;
	/** ABIs that have no such value, a bit 1 << abi each: it never holds there. */
	uint8_t lacking;
};

/** Facts about arguments, written @word[argument, …] in a description. */
enum effect_kind {
	/** Changes what is mapped, start and length, executable if the third has PROT_EXEC. */
	EFFECT_MAPS,
	/** Has no path and brings no descriptor if this address is NULL (recvfrom). */
	EFFECT_NEEDS_ADDRESS,
	/** Ends the thread, or all of its process, with this status. */
	EFFECT_ENDS_THREAD,
	EFFECT_ENDS_PROCESS,
};

enum {
	EFFECT_OPERANDS = 3,
	/** In place of a register: the result; nothing. */
	OPERAND_RESULT = -1,
	OPERAND_NONE = -2,
};

struct syscall_effect {
	enum effect_kind kind;
	/** Index of the argument register that holds it, or OPERAND_*. */
	int8_t operands[EFFECT_OPERANDS][ABI_COUNT];
};

/** A description; shared by all ABIs that it fits. */
struct syscall_desc {
	const char *name;
	/** FACT_* */
	uint32_t facts;
	const struct syscall_effect *effects;
	uint8_t effect_count;
	struct signature signature;
	/** Where the description stands: "file.desc:12". */
	const char *source;
};

/** A row of an ABI's table. */
struct syscall {
	/** As strace spells it. */
	const char *name;
	uint32_t number;
	/** Number of argument registers the kernel reads. */
	uint8_t arg_count;
	/** CLASS_* */
	uint32_t classes;
	/** NULL when the call is not described yet: arguments are then shown as numbers. */
	const struct syscall_desc *desc;
};

#endif
