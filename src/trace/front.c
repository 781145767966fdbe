// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "trace/front.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"

static const int passed_on[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1};

// Whether we are to end, as the child told us or as it ended itself.
static bool ends(int child, int pipe, struct front_end *ret)
{
	int status;

	if (read(pipe, ret, sizeof(*ret)) == sizeof(*ret))
		return true;
	if (waitpid(child, &status, WNOHANG) != child)
		return false;
	*ret = (struct front_end){
		.status = WIFEXITED(status) ? WEXITSTATUS(status) : 0,
		.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
	};
	return true;
}

// What came too late must not decide how we end.
static void drop_pending(const sigset_t *set)
{
	const struct timespec at_once = {0};

	while (sigtimedwait(set, NULL, &at_once) > 0)
		;
}

static void wait_for_end(int child, int pipe, const sigset_t *set, struct front_end *ret)
{
	while (!ends(child, pipe, ret)) {
		siginfo_t info;
		int signal = sigwaitinfo(set, &info);

		if (signal > 0 && signal != SIGCHLD)
			kill(child, signal);
	}
	drop_pending(set);
}

static void become_child(int front_pid)
{
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGURG);
	// Not among those that killall(1) ends by the tracer's name.
	prctl(PR_SET_NAME, "trace-keeper");
	if (front_is_gone(front_pid))
		_exit(1);
}

struct error *front_split(
	int asking_signal, struct front *ret, bool *is_front_ret, struct front_end *end_ret)
{
	int front_pid = getpid(), pipe[2], child;
	const struct sigaction by_default = {.sa_handler = SIG_DFL};
	struct sigaction old_sigchld;
	sigset_t set, old;

	if (pipe2(pipe, O_CLOEXEC | O_NONBLOCK) != 0)
		return error_errno(errno, "create a pipe");
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	for (size_t i = 0; i < ARRAY_SIZE(passed_on); i++)
		sigaddset(&set, passed_on[i]);
	if (asking_signal)
		sigaddset(&set, asking_signal);
	sigprocmask(SIG_BLOCK, &set, &old);
	// Ignored, it would take our child's end with it.
	sigaction(SIGCHLD, &by_default, &old_sigchld);
	child = fork();
	if (child <= 0)
		sigaction(SIGCHLD, &old_sigchld, NULL);
	if (child < 0) {
		struct error *error = error_errno(errno, "fork");

		close(pipe[0]);
		close(pipe[1]);
		sigprocmask(SIG_SETMASK, &old, NULL);
		return error;
	}
	close(pipe[child == 0 ? 0 : 1]);
	*is_front_ret = child != 0;
	*ret = (struct front){.pid = front_pid, .pipe = pipe[1]};
	if (child == 0) {
		become_child(front_pid);
	} else {
		wait_for_end(child, pipe[0], &set, end_ret);
		close(pipe[0]);
	}
	sigprocmask(SIG_SETMASK, &old, NULL);
	return NULL;
}

void front_dismiss(const struct front *front, const struct front_end *end)
{
	// It reads when the next signal comes. Without a reader this raises SIGPIPE.
	signal(SIGPIPE, SIG_IGN);
	if (write(front->pipe, end, sizeof(*end)) == sizeof(*end) && !front_is_gone(front->pid))
		kill(front->pid, SIGCHLD);
}

bool front_is_gone(int front_pid)
{
	return getppid() != front_pid;
}
