// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "trace/supervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"

static const int forwarded[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1};

void supervisor_add_group_signals(sigset_t *set)
{
	static const int standard[] = {SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGABRT,
		SIGIO, SIGPWR, SIGSTKFLT, SIGXCPU, SIGXFSZ};

	for (size_t i = 0; i < ARRAY_SIZE(standard); i++)
		sigaddset(set, standard[i]);
	for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
		sigaddset(set, number);
}

int supervisor_sender(const siginfo_t *info, int supervisor_pid)
{
	if (supervisor_pid && info->si_code == SI_QUEUE && info->si_pid == supervisor_pid)
		return info->si_value.sival_int;
	return info->si_code == SI_KERNEL ? 0 : info->si_pid;
}

// Whether we are to end, as the child told us or as it ended itself.
static bool ends(int child, int pipe, struct supervisor_end *ret)
{
	int status;

	if (read(pipe, ret, sizeof(*ret)) == sizeof(*ret))
		return true;
	if (waitpid(child, &status, WNOHANG) != child)
		return false;
	*ret = (struct supervisor_end){
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

static void wait_for_end(int child, int pipe, const sigset_t *set, const sigset_t *blocked,
	struct supervisor_end *ret)
{
	while (!ends(child, pipe, ret)) {
		siginfo_t info;
		int signal = sigwaitinfo(set, &info);

		// With its sender: the command may have sent it, or have got it too.
		if (signal > 0 && signal != SIGCHLD)
			sigqueue(child, signal,
				(union sigval){.sival_int = supervisor_sender(&info, 0)});
	}
	drop_pending(blocked);
}

static void become_child(int supervisor_pid)
{
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGURG);
	// Not among those that killall(1) ends by the tracer's name.
	prctl(PR_SET_NAME, "trace-keeper");
	if (supervisor_is_gone(supervisor_pid))
		_exit(1);
}

struct error *supervisor_split(int asking_signal, struct supervisor *ret, bool *is_supervisor_ret,
	struct supervisor_end *end_ret)
{
	int supervisor_pid = getpid(), pipe[2], child;
	const struct sigaction by_default = {.sa_handler = SIG_DFL};
	struct sigaction old_sigchld;
	sigset_t set, blocked, old;

	if (pipe2(pipe, O_CLOEXEC | O_NONBLOCK) != 0)
		return error_errno(errno, "create a pipe");
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	for (size_t i = 0; i < ARRAY_SIZE(forwarded); i++)
		sigaddset(&set, forwarded[i]);
	if (asking_signal)
		sigaddset(&set, asking_signal);
	blocked = set;
	supervisor_add_group_signals(&blocked);
	sigprocmask(SIG_BLOCK, &blocked, &old);
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
	*is_supervisor_ret = child != 0;
	*ret = (struct supervisor){.pid = supervisor_pid, .pipe = pipe[1]};
	if (child == 0) {
		become_child(supervisor_pid);
	} else {
		wait_for_end(child, pipe[0], &set, &blocked, end_ret);
		close(pipe[0]);
	}
	sigprocmask(SIG_SETMASK, &old, NULL);
	return NULL;
}

void supervisor_dismiss(const struct supervisor *supervisor, const struct supervisor_end *end)
{
	// It reads when the next signal comes. Without a reader this raises SIGPIPE.
	signal(SIGPIPE, SIG_IGN);
	if (write(supervisor->pipe, end, sizeof(*end)) == sizeof(*end) &&
		!supervisor_is_gone(supervisor->pid))
		kill(supervisor->pid, SIGCHLD);
}

void supervisor_let_go_of_files(void)
{
	int null = open("/dev/null", O_RDWR);

	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO && null >= 0; fd++)
		dup2(null, fd);
	close_range(STDERR_FILENO + 1, ~0U, 0);
	if (chdir("/") != 0)
		return;
}

bool supervisor_is_gone(int supervisor_pid)
{
	return getppid() != supervisor_pid;
}
