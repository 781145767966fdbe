// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <signal.h>
#include <stddef.h>

#include "abi/abi.h"
#include "base/array.h"

// x86-64 and i386 share asm/signal.h. Real-time signals start at 32 here: the kernel's view,
// not that of a C library which keeps the first ones for itself.
static const char *const signal_names[] = {
	[SIGHUP] = "SIGHUP",
	[SIGINT] = "SIGINT",
	[SIGQUIT] = "SIGQUIT",
	[SIGILL] = "SIGILL",
	[SIGTRAP] = "SIGTRAP",
	[SIGABRT] = "SIGABRT",
	[SIGBUS] = "SIGBUS",
	[SIGFPE] = "SIGFPE",
	[SIGKILL] = "SIGKILL",
	[SIGUSR1] = "SIGUSR1",
	[SIGSEGV] = "SIGSEGV",
	[SIGUSR2] = "SIGUSR2",
	[SIGPIPE] = "SIGPIPE",
	[SIGALRM] = "SIGALRM",
	[SIGTERM] = "SIGTERM",
	[SIGSTKFLT] = "SIGSTKFLT",
	[SIGCHLD] = "SIGCHLD",
	[SIGCONT] = "SIGCONT",
	[SIGSTOP] = "SIGSTOP",
	[SIGTSTP] = "SIGTSTP",
	[SIGTTIN] = "SIGTTIN",
	[SIGTTOU] = "SIGTTOU",
	[SIGURG] = "SIGURG",
	[SIGXCPU] = "SIGXCPU",
	[SIGXFSZ] = "SIGXFSZ",
	[SIGVTALRM] = "SIGVTALRM",
	[SIGPROF] = "SIGPROF",
	[SIGWINCH] = "SIGWINCH",
	[SIGIO] = "SIGIO",
	[SIGPWR] = "SIGPWR",
	[SIGSYS] = "SIGSYS",
	[32] = "SIGRTMIN",
	[33] = "SIGRT_1",
	[34] = "SIGRT_2",
	[35] = "SIGRT_3",
	[36] = "SIGRT_4",
	[37] = "SIGRT_5",
	[38] = "SIGRT_6",
	[39] = "SIGRT_7",
	[40] = "SIGRT_8",
	[41] = "SIGRT_9",
	[42] = "SIGRT_10",
	[43] = "SIGRT_11",
	[44] = "SIGRT_12",
	[45] = "SIGRT_13",
	[46] = "SIGRT_14",
	[47] = "SIGRT_15",
	[48] = "SIGRT_16",
	[49] = "SIGRT_17",
	[50] = "SIGRT_18",
	[51] = "SIGRT_19",
	[52] = "SIGRT_20",
	[53] = "SIGRT_21",
	[54] = "SIGRT_22",
	[55] = "SIGRT_23",
	[56] = "SIGRT_24",
	[57] = "SIGRT_25",
	[58] = "SIGRT_26",
	[59] = "SIGRT_27",
	[60] = "SIGRT_28",
	[61] = "SIGRT_29",
	[62] = "SIGRT_30",
	[63] = "SIGRT_31",
	[64] = "SIGRT_32",
};

const char *signal_name(enum abi_id abi, int signal)
{
	(void)abi;
	return signal > 0 && (size_t)signal < ARRAY_SIZE(signal_names) ? signal_names[signal]
								       : NULL;
}
