// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/debuginfo/debuginfod_worker.h"

#include <dlfcn.h>
#include <elfutils/debuginfod.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "unwind/elf/elf_file.h"

/** What is used of libdebuginfod, which is only loaded here: it brings half a browser. */
struct library {
	debuginfod_client *(*begin)(void);
	int (*find_debuginfo)(debuginfod_client *, const unsigned char *, int, char **);
	void (*set_progressfn)(debuginfod_client *, debuginfod_progressfn_t);
	void (*set_user_data)(debuginfod_client *, void *);
	void (*end)(debuginfod_client *);
};

struct server {
	char *url;
	/** It is not asked again: why. */
	const char *skipped;
};

enum abort_cause {
	ABORT_NOT,
	ABORT_SILENCE,
	ABORT_TIME,
	ABORT_CLIENT,
};

struct worker {
	const struct debuginfod_options *options;
	struct library library;
	int socket;
	pid_t client;
	ARRAY(struct server) servers;
	/** CLOCK_MONOTONIC in seconds: used up when; of the request under way: last byte, line. */
	double spent, last_byte, last_line, start;
	long bytes;
	enum abort_cause abort;
	const struct debuginfod_question *question;
	const struct server *server;
};

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static bool load(struct library *library)
{
	void *handle = dlopen(DEBUGINFOD_SONAME, RTLD_LAZY | RTLD_LOCAL);

	if (!handle)
		return false;
	*(void **)&library->begin = dlsym(handle, "debuginfod_begin");
	*(void **)&library->find_debuginfo = dlsym(handle, "debuginfod_find_debuginfo");
	*(void **)&library->set_progressfn = dlsym(handle, "debuginfod_set_progressfn");
	*(void **)&library->set_user_data = dlsym(handle, "debuginfod_set_user_data");
	*(void **)&library->end = dlsym(handle, "debuginfod_end");
	return library->begin && library->find_debuginfo && library->set_progressfn &&
	       library->set_user_data && library->end;
}

static void reply(struct worker *worker, struct debuginfod_reply *reply)
{
	reply->number = worker->question->number;
	// Without a client there is nothing left to do.
	if (send(worker->socket, reply, sizeof(*reply), MSG_NOSIGNAL) < 0)
		_exit(0);
	if (reply->kind == DEBUGINFOD_REPLY_FOUND || reply->kind == DEBUGINFOD_REPLY_NOTHING)
		kill(worker->client, SIGCHLD);
}

static void reply_text(struct worker *worker, enum debuginfod_reply_kind kind, const char *text)
{
	struct debuginfod_reply message = {.kind = kind};

	strncpy(message.text, text, sizeof(message.text) - 1);
	reply(worker, &message);
}

static void append_id(struct buf *buf, const struct debuginfod_question *question)
{
	for (uint32_t i = 0; i < question->id_size; i++)
		buf_printf(buf, "%02x", question->id[i]);
}

static void reply_failure(struct worker *worker, const struct server *server,
	enum lookup_reason reason, const char *detail)
{
	struct debuginfod_reply message = {.kind = DEBUGINFOD_REPLY_MISS, .reason = reason};
	size_t length = strlen(server->url);
	struct buf text = {0};

	while (length && server->url[length - 1] == '/')
		length--;
	buf_printf(&text, "%.*s/buildid/", (int)length, server->url);
	append_id(&text, worker->question);
	buf_printf(&text, "/debuginfo\n%s", detail ? detail : "");
	strncpy(message.text, buf_text(&text), sizeof(message.text) - 1);
	reply(worker, &message);
	buf_deinit(&text);
}

static bool is_left(const struct worker *worker)
{
	struct pollfd poller = {.fd = worker->socket, .events = POLLRDHUP};

	return poll(&poller, 1, 0) > 0 && poller.revents & (POLLRDHUP | POLLHUP | POLLERR);
}

static int progress_of(struct worker *worker, long done, long total)
{
	double now = seconds();

	// Until the first byte the number counts the library's rounds.
	if (total > 0 && done != worker->bytes) {
		worker->bytes = done;
		worker->last_byte = now;
	}
	if (is_left(worker))
		worker->abort = ABORT_CLIENT;
	else if (worker->spent + now - worker->start > worker->options->time_most)
		worker->abort = ABORT_TIME;
	else if (now - worker->last_byte > worker->options->silence_most)
		worker->abort = ABORT_SILENCE;
	if (worker->abort == ABORT_NOT && now - worker->last_line >= 1) {
		struct debuginfod_reply message = {.kind = DEBUGINFOD_REPLY_PROGRESS};

		worker->last_line = now;
		message.done = total > 0 ? (uint64_t)done : 0;
		message.total = total > 0 ? (uint64_t)total : 0;
		strncpy(message.text, worker->server->url, sizeof(message.text) - 1);
		reply(worker, &message);
	}
	return worker->abort != ABORT_NOT;
}

static int on_progress(debuginfod_client *client, long done, long total)
{
	// Nothing else carries the address to here.
	void *handle = dlopen(DEBUGINFOD_SONAME, RTLD_LAZY | RTLD_NOLOAD);
	void *(*get_user_data)(debuginfod_client *);

	*(void **)&get_user_data = dlsym(handle, "debuginfod_get_user_data");
	dlclose(handle);
	return progress_of(get_user_data(client), done, total);
}

/** The library remembers that nobody had it, and would not ask the next server. */
static void forget_negative(const struct worker *worker)
{
	struct buf path = {0};
	struct stat status;

	if (!worker->options->cache)
		return;
	buf_printf(&path, "%s/", worker->options->cache);
	append_id(&path, worker->question);
	buf_string(&path, "/debuginfo");
	if (!stat(buf_text(&path), &status) && S_ISREG(status.st_mode) && !status.st_size)
		unlink(buf_text(&path));
	buf_deinit(&path);
}

/** Takes over @fd. Whether it is what was asked for; a liar's file is removed from the cache. */
static bool is_right(struct worker *worker, int fd, const char *path)
{
	const struct debuginfod_question *question = worker->question;
	enum lookup_reason reason = LOOKUP_NONE;
	struct elf_file *file = elf_file_open(fd, path, &reason);
	cleanup_free char *detail = NULL;

	if (file && elf_file_has_build_id(file, question->id, question->id_size)) {
		elf_file_destroy(file);
		return true;
	}
	if (file) {
		detail = lookup_failure_build_id_detail(
			file->build_id, file->build_id_size, question->id, question->id_size);
		reason = file->build_id_size ? LOOKUP_OTHER_BUILD_ID : LOOKUP_NO_BUILD_ID;
	}
	elf_file_destroy(file);
	unlink(path);
	reply_failure(worker, worker->server, reason, detail);
	return false;
}

static void judge_failure(struct worker *worker, struct server *server, int error)
{
	cleanup_free char *detail = NULL;

	switch (worker->abort) {
	case ABORT_CLIENT:
		_exit(0);
	case ABORT_TIME:
		detail = xasprintf(
			"the %u seconds for all requests are used up", worker->options->time_most);
		reply_failure(worker, server, LOOKUP_SERVER_TIMEOUT, detail);
		return;
	case ABORT_SILENCE:
		break;
	case ABORT_NOT:
		if (error == ENOENT) {
			reply_failure(worker, server, LOOKUP_NOT_ON_SERVER, NULL);
			return;
		}
		if (error == ETIME || error == ETIMEDOUT)
			break;
		server->skipped = "it failed before";
		reply_failure(worker, server, LOOKUP_SERVER_ERROR, strerror(error));
		return;
	}
	server->skipped = "it did not answer before";
	detail = xasprintf("%u seconds", worker->options->silence_most);
	reply_failure(worker, server, LOOKUP_SERVER_TIMEOUT, detail);
}

/** Asks one server; true if it had the file, which the client then knows. */
static bool ask(struct worker *worker, struct server *server)
{
	const struct debuginfod_question *question = worker->question;
	cleanup_free char *path = NULL;
	debuginfod_client *client;
	int fd;

	worker->server = server;
	worker->abort = ABORT_NOT;
	worker->bytes = 0;
	worker->start = worker->last_byte = worker->last_line = seconds();
	setenv("DEBUGINFOD_URLS", server->url, 1);
	client = worker->library.begin();
	if (!client)
		return false;
	worker->library.set_user_data(client, worker);
	worker->library.set_progressfn(client, on_progress);
	fd = worker->library.find_debuginfo(client, question->id, (int)question->id_size, &path);
	worker->library.end(client);
	worker->spent += seconds() - worker->start;
	// The library may notice the end of all time before it calls on_progress().
	if (worker->abort == ABORT_NOT && (fd == -ETIME || fd == -ETIMEDOUT) &&
		worker->spent >= worker->options->time_most)
		worker->abort = ABORT_TIME;
	if (fd < 0) {
		if (worker->abort != ABORT_NOT || fd != -ENOENT ||
			server + 1 < worker->servers.data + worker->servers.count)
			forget_negative(worker);
		judge_failure(worker, server, -fd);
		return false;
	}
	if (!is_right(worker, fd, path))
		return false;
	reply_text(worker, DEBUGINFOD_REPLY_FOUND, path);
	return true;
}

static void answer(struct worker *worker)
{
	array_for_each (server, &worker->servers) {
		if (server->skipped)
			reply_failure(worker, server, LOOKUP_SERVER_SKIPPED, server->skipped);
		else if (worker->spent > worker->options->time_most)
			reply_failure(worker, server, LOOKUP_SERVER_SKIPPED,
				"the time for all requests is used up");
		else if (ask(worker, server))
			return;
	}
	reply_text(worker, DEBUGINFOD_REPLY_NOTHING, "");
}

static void split_urls(struct worker *worker, const char *urls)
{
	while (*urls) {
		size_t length = strcspn(urls, " \t\n");

		if (length)
			*array_add(&worker->servers) =
				(struct server){.url = xstrndup(urls, length)};
		urls += length + (urls[length] != '\0');
	}
}

static void configure(const struct debuginfod_options *options)
{
	cleanup_free char *silence = xasprintf("%u", options->silence_most);
	cleanup_free char *time_most = xasprintf("%u", options->time_most);

	// Its own limits are the same, for what happens between calls of on_progress().
	setenv("DEBUGINFOD_TIMEOUT", silence, 1);
	setenv("DEBUGINFOD_MAXTIME", time_most, 1);
	setenv("DEBUGINFOD_RETRY_LIMIT", "0", 1);
	if (options->cache)
		setenv("DEBUGINFOD_CACHE_PATH", options->cache, 1);
	unsetenv("DEBUGINFOD_PROGRESS");
	unsetenv("DEBUGINFOD_VERBOSE");
}

_Noreturn void debuginfod_work(const struct debuginfod_options *options, int socket, pid_t client)
{
	struct worker worker = {.options = options, .socket = socket, .client = client};
	struct debuginfod_question question;
	bool can_ask = load(&worker.library);

	configure(options);
	split_urls(&worker, options->urls);
	while (recv(socket, &question, sizeof(question), 0) == sizeof(question) &&
		question.id_size <= ELF_BUILD_ID_MAX) {
		worker.question = &question;
		array_for_each (server, &worker.servers) {
			if (!can_ask)
				server->skipped = DEBUGINFOD_SONAME " cannot be loaded";
		}
		answer(&worker);
	}
	_exit(0);
}
