// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/debuginfod.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "unwind/debuginfo/debuginfod_worker.h"

enum {
	/** debuginfod_wait() takes no longer, in milliseconds. */
	WAIT_MAX = 200,
	DEFAULT_SILENCE = 10,
	DEFAULT_TIME = 60,
};

struct request {
	char *label;
	char *path;
	bool is_done;
	ARRAY(struct lookup_failure) failures;
};

struct debuginfod {
	struct debuginfod_options options;
	/** -1 once the worker is gone. */
	int socket;
	ARRAY(struct request) requests;
	bool has_news;
};

// Ours would hold pipes open that others wait on.
static void leave_files(int *socket)
{
	int null = open("/dev/null", O_RDWR);

	for (int fd = 0; fd < 3; fd++)
		dup2(null, fd);
	if (*socket != 3)
		*socket = dup2(*socket, 3);
	close_range(4, ~0U, 0);
}

// Not our child: a tracer waits for all children, and ends when it has none left.
static pid_t fork_worker(const struct debuginfod_options *options, int ours, int theirs)
{
	pid_t client = getpid(), middle = fork();
	sigset_t none;

	if (middle)
		return middle;
	if (fork())
		_exit(0);
	close(ours);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGCHLD, SIG_DFL);
	signal(SIGPIPE, SIG_IGN);
	// Ctrl-C is for the tracer, who tells us.
	setsid();
	leave_files(&theirs);
	debuginfod_work(options, theirs, client);
}

struct error *debuginfod_start(const struct debuginfod_options *options, struct debuginfod **ret)
{
	struct debuginfod *debuginfod = xcalloc(1, sizeof(*debuginfod));
	int sockets[2];
	pid_t middle;

	debuginfod->options = *options;
	if (!options->silence_most)
		debuginfod->options.silence_most = DEFAULT_SILENCE;
	if (!options->time_most)
		debuginfod->options.time_most = DEFAULT_TIME;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets)) {
		free(debuginfod);
		return error_errno(errno, "cannot start asking servers");
	}
	middle = fork_worker(&debuginfod->options, sockets[0], sockets[1]);
	close(sockets[1]);
	debuginfod->socket = sockets[0];
	while (middle > 0 && waitpid(middle, NULL, 0) < 0 && errno == EINTR)
		;
	if (middle < 0) {
		int code = errno;

		debuginfod_stop(debuginfod);
		return error_errno(code, "cannot start asking servers");
	}
	*ret = debuginfod;
	return NULL;
}

void debuginfod_stop(struct debuginfod *debuginfod)
{
	if (!debuginfod)
		return;
	if (debuginfod->socket >= 0)
		close(debuginfod->socket);
	array_for_each (request, &debuginfod->requests) {
		array_for_each (failure, &request->failures)
			lookup_failure_deinit(failure);
		array_deinit(&request->failures);
		free(request->label);
		free(request->path);
	}
	array_deinit(&debuginfod->requests);
	free(debuginfod);
}

static void add_miss(
	struct request *request, enum lookup_reason reason, const char *path, const char *detail)
{
	*array_add(&request->failures) = (struct lookup_failure){
		.wanted = LOOKUP_OF_DEBUG_FILE,
		.reason = reason,
		.path = xstrdup(path),
		.detail = detail && *detail ? xstrdup(detail) : NULL,
	};
}

// All that is not answered ends so.
static void give_up(struct debuginfod *debuginfod, enum lookup_reason reason, const char *detail)
{
	if (debuginfod->socket >= 0)
		close(debuginfod->socket);
	debuginfod->socket = -1;
	array_for_each (request, &debuginfod->requests) {
		if (request->is_done)
			continue;
		request->is_done = true;
		add_miss(request, reason, "debuginfod", detail);
		debuginfod->has_news = true;
	}
}

static void tell_progress(const struct debuginfod *debuginfod, const struct request *request,
	const struct debuginfod_reply *reply)
{
	cleanup_free char *line = NULL;

	if (!debuginfod->options.progress)
		return;
	if (reply->total)
		line = xasprintf("%s: %.1f of %.1f MB of the debug file of %s", reply->text,
			(double)reply->done / 1e6, (double)reply->total / 1e6, request->label);
	else
		line = xasprintf(
			"waiting for %s: the debug file of %s", reply->text, request->label);
	debuginfod->options.progress(debuginfod->options.context, line);
}

static void take_reply(struct debuginfod *debuginfod, struct debuginfod_reply *reply)
{
	struct request *request;
	char *newline;

	reply->text[sizeof(reply->text) - 1] = '\0';
	if (reply->number >= debuginfod->requests.count)
		return;
	request = &debuginfod->requests.data[reply->number];
	switch ((enum debuginfod_reply_kind)reply->kind) {
	case DEBUGINFOD_REPLY_FOUND:
		request->path = xstrdup(reply->text);
		request->is_done = debuginfod->has_news = true;
		break;
	case DEBUGINFOD_REPLY_MISS:
		newline = strchrnul(reply->text, '\n');
		if (*newline)
			*newline++ = '\0';
		if (reply->reason < LOOKUP_REASONS)
			add_miss(request, (enum lookup_reason)reply->reason, reply->text, newline);
		break;
	case DEBUGINFOD_REPLY_NOTHING:
		request->is_done = debuginfod->has_news = true;
		break;
	case DEBUGINFOD_REPLY_PROGRESS:
		tell_progress(debuginfod, request, reply);
		break;
	}
}

static void receive(struct debuginfod *debuginfod)
{
	struct debuginfod_reply reply;

	while (debuginfod->socket >= 0) {
		ssize_t size = recv(debuginfod->socket, &reply, sizeof(reply), MSG_DONTWAIT);

		if (size == sizeof(reply)) {
			take_reply(debuginfod, &reply);
		} else if (size < 0 && errno == EINTR) {
			continue;
		} else if (size < 0 && errno == EAGAIN) {
			return;
		} else {
			give_up(debuginfod, LOOKUP_SERVER_ERROR, "the process that asks is gone");
		}
	}
}

size_t debuginfod_request(
	struct debuginfod *debuginfod, const uint8_t *id, size_t size, const char *label)
{
	struct debuginfod_question question = {.number = (uint32_t)debuginfod->requests.count};
	struct request *request = array_add(&debuginfod->requests);

	*request = (struct request){.label = xstrdup(label)};
	question.id_size = (uint32_t)size;
	memcpy(question.id, id, size);
	if (debuginfod->socket < 0 ||
		send(debuginfod->socket, &question, sizeof(question), MSG_NOSIGNAL) < 0) {
		request->is_done = true;
		add_miss(request, LOOKUP_SERVER_SKIPPED, "debuginfod", "given up");
	}
	return question.number;
}

bool debuginfod_poll(struct debuginfod *debuginfod, size_t number, struct debuginfod_answer *ret)
{
	const struct request *request;

	receive(debuginfod);
	request = &debuginfod->requests.data[number];
	if (!request->is_done)
		return false;
	*ret = (struct debuginfod_answer){
		request->path, request->failures.data, request->failures.count};
	return true;
}

static bool is_asked_to_end(void)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
	sigset_t pending;

	sigpending(&pending);
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++) {
		if (sigismember(&pending, signals[i]))
			return true;
	}
	return false;
}

void debuginfod_wait(struct debuginfod *debuginfod)
{
	struct pollfd poller = {.fd = debuginfod->socket, .events = POLLIN};

	if (debuginfod->socket >= 0)
		poll(&poller, 1, WAIT_MAX);
	receive(debuginfod);
	if (is_asked_to_end())
		debuginfod_cancel(debuginfod);
}

bool debuginfod_has_news(struct debuginfod *debuginfod)
{
	bool news;

	receive(debuginfod);
	news = debuginfod->has_news;
	debuginfod->has_news = false;
	return news;
}

void debuginfod_cancel(struct debuginfod *debuginfod)
{
	give_up(debuginfod, LOOKUP_INTERRUPTED, NULL);
}
