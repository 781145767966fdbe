// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "filter/match.h"

#include <fcntl.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "decode/call.h"
#include "decode/value.h"
#include "filter/query.h"
#include "proc/view.h"
#include "schema/syscall.h"

struct match {
	const struct path_set *paths;
	struct view *view;
	struct arena arena;
	struct buf clean;
};

static bool has_path(struct match *match, const char *base, const char *path)
{
	buf_reset(&match->clean);
	path_clean(&match->clean, base, path);
	return path_set_has(match->paths, buf_text(&match->clean));
}

// The link of a descriptor, without the mark the kernel puts behind a deleted file.
static const char *fd_path(struct match *match, int fd)
{
	static const char mark[] = " (deleted)";
	const char *path = view_fd_path(match->view, &match->arena, fd);
	size_t length = path ? strlen(path) : 0;

	if (length > strlen(mark) && strcmp(path + length - strlen(mark), mark) == 0 &&
		view_fd_deleted(match->view, fd))
		return arena_strndup(&match->arena, path, length - strlen(mark));
	return path;
}

static bool match_fd(struct match *match, int fd)
{
	const char *path = fd == AT_FDCWD ? NULL : fd_path(match, fd);

	return path && path[0] == '/' && has_path(match, "/", path);
}

static bool match_path(struct match *match, const struct value *value)
{
	const char *path = arena_strndup(&match->arena, (const char *)value->bytes, value->length);
	const char *base = "/";

	// An empty path names the descriptor, which is an argument of its own.
	if (!path[0])
		return false;
	if (path[0] != '/') {
		base = value->dirfd == AT_FDCWD ? view_cwd(match->view, &match->arena)
						: fd_path(match, value->dirfd);
		if (!base || base[0] != '/')
			return false;
	}
	return has_path(match, base, path);
}

static bool match_value(struct match *match, const struct value *value)
{
	if (value->role == ROLE_PATH && value->kind == VALUE_BYTES)
		return match_path(match, value);
	if ((value->role == ROLE_FD || value->role == ROLE_DIRFD) && !value->first)
		return match_fd(match, (int)value->number);
	value_for_each (child, value) {
		if (match_value(match, child))
			return true;
	}
	return false;
}

static bool match_values(const struct query *query, const struct call *call, struct view *view,
	unsigned from, unsigned to, bool with_result)
{
	struct match match = {.paths = &query->paths, .view = view};
	bool found = false;

	for (unsigned i = from; i < to && !found; i++)
		found = call->args[i] && match_value(&match, call->args[i]);
	if (!found && with_result && call->ret && call->result == CALL_SUCCESS)
		found = match_value(&match, call->ret);
	buf_deinit(&match.clean);
	arena_deinit(&match.arena);
	return found;
}

static bool returns_fd(const struct call *call)
{
	const struct type *ret = call->signature ? call->signature->ret : NULL;

	return ret && ret->role == ROLE_FD;
}

enum match_verdict match_entry(
	const struct query *query, const struct call *call, struct view *view)
{
	// A call within socketcall is looked for by itself.
	uint64_t number = call->syscall ? call->syscall->number : call->number;

	if (!syscall_set_has(&query->calls, call->abi, number))
		return MATCH_NO;
	if (!query->paths.patterns.count)
		return MATCH_YES;
	if (match_values(query, call, view, 0, call->known, false))
		return MATCH_YES;
	return call->known < call->arg_count || returns_fd(call) ? MATCH_LATER : MATCH_NO;
}

bool match_exit(const struct query *query, const struct call *call, struct view *view)
{
	return match_values(query, call, view, call->known, call->arg_count, true);
}

bool match_status(const struct query *query, const struct call *call)
{
	switch (call->result) {
	case CALL_SUCCESS:
		return query->statuses & QUERY_STATUS_SUCCESSFUL;
	case CALL_ERROR:
	case CALL_RESTART:
		return query->statuses & QUERY_STATUS_FAILED;
	case CALL_UNFINISHED:
		return query->statuses & QUERY_STATUS_UNFINISHED;
	case CALL_NO_RESULT:
		return query->statuses & QUERY_STATUS_UNAVAILABLE;
	}
	return true;
}
