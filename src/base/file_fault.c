// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "base/file_fault.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

// Of the machine; sysconf() may not be called in a handler.
enum { PAGE = 4096 };

// By system calls that are safe in a handler. What it interrupted was a read of memory.
static void on_fault(int signal, siginfo_t *info, void *context)
{
	void *page = (void *)((uintptr_t)info->si_addr & ~(uintptr_t)(PAGE - 1));
	struct sigaction by_default = {.sa_handler = SIG_DFL};
	int error = errno;

	(void)context;
	// Sent by somebody, or not about a file: the same happens again, and then for good.
	if (info->si_code != BUS_ADRERR ||
		mmap(page, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
			-1, 0) == MAP_FAILED) {
		sigaction(signal, &by_default, NULL);
		if (info->si_code <= 0)
			raise(signal);
	}
	errno = error;
}

void file_fault_survive(void)
{
	struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_RESTART};

	sigemptyset(&action.sa_mask);
	sigaction(SIGBUS, &action, NULL);
}
