// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "session/access_check.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "filter/query.h"
#include "output/quote.h"
#include "session/internal.h"
#include "trace/tracee.h"

// By a link that every process has: only this tells a denial from what is not there.
static bool is_hidden(int tid)
{
	char path[32], text[1];

	snprintf(path, sizeof(path), "/proc/%d/cwd", tid);
	return readlink(path, text, sizeof(text)) < 0 && (errno == EACCES || errno == EPERM);
}

void session_access_check(struct session *session, const struct session_task *task)
{
	struct buf comm = {0};

	if (session->told_hidden || !session->options->query->paths.patterns.count)
		return;
	if (!session->paths.filter.unknown && !task->live.mem.denied)
		return;
	if (!is_hidden(task->id.tid))
		return;
	session->told_hidden = true;
	quote_plain(&comm, task->comm, strlen(task->comm));
	fprintf(stderr,
		"tracer: process %d (%s) may not be looked into (it changed its user, runs a file "
		"that its user may not read, or asked for it by PR_SET_DUMPABLE): what it does "
		"with files cannot be seen; that needs root or CAP_SYS_PTRACE\n",
		task->tgid, buf_text(&comm));
	buf_deinit(&comm);
}
