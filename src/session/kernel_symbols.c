// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "session/kernel_symbols.h"

#include "perf/kallsyms.h"
#include "session/messages.h"
#include "session/state.h"

const struct kallsyms *session_kernel_symbols(struct session *session)
{
	if (session->kernel_symbols)
		return session->kernel_symbols;
	session->kernel_symbols = kallsyms_load();
	if (!kallsyms_count(session->kernel_symbols))
		message_note(session, "the kernel's functions have no names: /proc/kallsyms hides "
				      "their addresses "
				      "(sysctl kernel.kptr_restrict=0 or CAP_SYSLOG shows them)");
	return session->kernel_symbols;
}
