// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "session/access_check.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "filter/query.h"
#include "session/messages.h"
#include "session/state.h"

// By a link that every process has: only this tells a denial from what is not there.
static bool is_hidden(int tid)
{
	char path[32], text[1];

	snprintf(path, sizeof(path), "/proc/%d/cwd", tid);
	return readlink(path, text, sizeof(text)) < 0 && (errno == EACCES || errno == EPERM);
}

void session_access_check(struct session *session, const struct session_task *task)
{
	if (session->messages.said & MESSAGE_NO_ACCESS ||
		!session->options->query->paths.patterns.count)
		return;
	if (!session->paths.filter.unknown && !task->live.mem.denied)
		return;
	if (!is_hidden(task->id.tid))
		return;
	if (message_is_new(&session->messages, MESSAGE_NO_ACCESS))
		message_say("process %d (%s) may not be looked into (it changed its user, runs a "
			    "file that its user may not read, or asked for it by "
			    "PR_SET_DUMPABLE): what it does with files cannot be seen; that needs "
			    "root or CAP_SYS_PTRACE",
			task->tgid, task->comm);
}
