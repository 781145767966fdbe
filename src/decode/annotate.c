// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "decode/annotate.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/time_units.h"
#include "decode/decoder.h"
#include "decode/signal_set.h"
#include "decode/value.h"
#include "decode/walk.h"
#include "proc/fd_detail.h"
#include "proc/view.h"
#include "schema/const_set.h"
#include "schema/lookup.h"

static const char deleted_mark[] = " (deleted)";

static bool is_marked(const char *path)
{
	size_t length = strlen(path), mark = strlen(deleted_mark);

	return length > mark && strcmp(path + length - mark, deleted_mark) == 0;
}

static void note_path(struct walk *walk, struct value *value, const char *path, bool deleted)
{
	size_t length = strlen(path);

	if (deleted) {
		value_add_note(walk->arena, value, NOTE_DELETED, "", 0);
		length -= strlen(deleted_mark);
	}
	value_add_note(walk->arena, value, NOTE_PATH, path, length);
}

static void add_member(
	struct value *record, struct value **last, const char *label, struct value *member)
{
	member->label = label;
	value_append(record, last, member);
}

static struct value *text_member(struct walk *walk, const char *text)
{
	return value_bytes(walk->arena, text, strlen(text), false);
}

static struct value *number_member(struct walk *walk, uint64_t number)
{
	return value_number(walk->arena, number, RADIX_UNSIGNED, 8);
}

static struct value *device_value(struct walk *walk, const struct fd_detail *detail)
{
	struct value *value = value_create(walk->arena, VALUE_STRUCT);
	struct value *last = NULL;

	add_member(value, &last, "type",
		text_member(walk, detail->device.is_block ? "block" : "char"));
	add_member(value, &last, "major", number_member(walk, detail->device.major));
	add_member(value, &last, "minor", number_member(walk, detail->device.minor));
	if (detail->device.terminal >= 0)
		add_member(value, &last, "terminal",
			text_member(walk,
				arena_printf(walk->arena, "/dev/pts/%d", detail->device.terminal)));
	return value;
}

static struct value *netlink_name(struct walk *walk, unsigned protocol)
{
	const struct const_set *set = const_set_by_name("netlink_protocol");

	return value_named(
		walk->arena, protocol, set ? const_set_name(set, walk->abi, protocol) : NULL);
}

static struct value *unix_name(struct walk *walk, const struct sockinfo *socket)
{
	bool abstract = socket->path[0] == '\0';
	struct value *name = value_bytes(
		walk->arena, socket->path + abstract, socket->path_length - abstract, false);

	if (abstract)
		name->name = "@";
	return name;
}

static struct value *socket_value(struct walk *walk, const struct sockinfo *socket)
{
	struct value *value = value_create(walk->arena, VALUE_STRUCT);
	struct value *last = NULL;

	add_member(value, &last, "protocol", text_member(walk, socket->protocol));
	add_member(value, &last, "inode", number_member(walk, socket->inode));
	switch (socket->family) {
	case SOCKINFO_OTHER:
		break;
	case SOCKINFO_INET:
		add_member(value, &last, "local", text_member(walk, socket->local));
		if (socket->remote[0])
			add_member(value, &last, "remote", text_member(walk, socket->remote));
		break;
	case SOCKINFO_UNIX:
		if (socket->peer)
			add_member(value, &last, "peer", number_member(walk, socket->peer));
		if (socket->path_length)
			add_member(value, &last, "path", unix_name(walk, socket));
		break;
	case SOCKINFO_NETLINK:
		add_member(value, &last, "netlink", netlink_name(walk, socket->netlink_protocol));
		add_member(value, &last, "port", number_member(walk, socket->netlink_port));
		break;
	}
	return value;
}

static struct value *eventfd_value(struct walk *walk, const struct fd_detail *detail)
{
	struct value *value = value_create(walk->arena, VALUE_STRUCT);
	struct value *last = NULL;

	add_member(value, &last, "eventfd-count",
		value_number(walk->arena, detail->eventfd.count, RADIX_HEX, 8));
	if (detail->eventfd.id >= 0)
		add_member(value, &last, "eventfd-id",
			number_member(walk, (uint64_t)detail->eventfd.id));
	if (detail->eventfd.semaphore >= 0)
		add_member(value, &last, "eventfd-semaphore",
			number_member(walk, (uint64_t)detail->eventfd.semaphore));
	return value;
}

static struct value *pidfd_value(struct walk *walk, const struct fd_detail *detail)
{
	struct value *value =
		value_number(walk->arena, (uint64_t)detail->pid, RADIX_SIGNED, sizeof(int));

	value->role = ROLE_TGID;
	return value;
}

void annotate_pid(struct walk *walk, struct value *value)
{
	int pid = (int)value->number;
	const char *comm = NULL;

	if (walk->options->comms && pid > 0)
		comm = view_comm(walk->view, walk->arena, pid);
	if (comm)
		value_add_note(walk->arena, value, NOTE_COMM, comm, strlen(comm));
}

static void note_detail(struct walk *walk, struct value *value, const struct fd_detail *detail)
{
	enum value_note_kind kind = NOTE_DEVICE;
	struct value *known = NULL;

	switch (detail->kind) {
	case FD_DETAIL_DEVICE:
		known = device_value(walk, detail);
		break;
	case FD_DETAIL_SOCKET:
		kind = NOTE_SOCKET;
		known = socket_value(walk, &detail->socket);
		break;
	case FD_DETAIL_PIDFD:
		kind = NOTE_PIDFD;
		known = pidfd_value(walk, detail);
		annotate_pid(walk, known);
		break;
	case FD_DETAIL_EVENTFD:
		kind = NOTE_EVENTFD;
		known = eventfd_value(walk, detail);
		break;
	case FD_DETAIL_SIGNALFD:
		kind = NOTE_SIGNALFD;
		known = signal_set_value(
			walk->arena, walk->abi, detail->signals, 8 * sizeof(detail->signals));
		break;
	case FD_DETAIL_NONE:
	case FD_DETAIL_ALL:
		break;
	}
	if (known)
		value_add_detail(walk->arena, value, kind, known);
}

static void note_descriptor(struct walk *walk, struct value *value, int fd)
{
	const struct decode_options *options = walk->options;
	const char *path = view_fd_path(walk->view, walk->arena, fd);
	struct fd_detail detail = {0};
	bool deleted, has_detail, is_wanted;

	if (!path)
		return;
	// The kernel marks the names of all deleted files; of others the file is not asked about,
	// which takes time, and for ever where its server has stopped to answer.
	deleted = path[0] == '/' && is_marked(path) && view_fd_deleted(walk->view, fd);
	has_detail = options->fd_details && !deleted &&
		     view_fd_detail(walk->view, fd, path, options->fd_details, &detail);
	if (has_detail)
		note_detail(walk, value, &detail);
	is_wanted = detail.kind & options->fd_details;
	// All that has a path may be a device.
	if (detail.kind == FD_DETAIL_DEVICE)
		is_wanted = has_detail;
	if (options->fd_paths || is_wanted)
		note_path(walk, value, path, deleted);
}

void annotate_fd(struct walk *walk, struct value *value)
{
	int fd = (int)value->number;
	const char *path;

	if (fd >= 0 && (walk->options->fd_paths || walk->options->fd_details)) {
		note_descriptor(walk, value, fd);
	} else if (value->name && fd == AT_FDCWD && walk->options->fd_paths) {
		path = view_cwd(walk->view, walk->arena);
		if (path)
			note_path(walk, value, path, false);
	}
}

void annotate_date(struct walk *walk, struct value *value, int64_t seconds, uint64_t nanoseconds,
	bool microseconds)
{
	time_t when = (time_t)seconds;
	struct tm parts;
	char text[64];
	size_t length;

	if (seconds == 0 && nanoseconds == 0)
		return;
	if (!localtime_r(&when, &parts))
		return;
	length = strftime(text, sizeof(text), "%FT%T", &parts);
	if (nanoseconds && microseconds)
		length += (size_t)snprintf(text + length, sizeof(text) - length, ".%06llu",
			(unsigned long long)(nanoseconds / 1000 % 1000000));
	else if (nanoseconds)
		length += (size_t)snprintf(text + length, sizeof(text) - length, ".%09llu",
			(unsigned long long)(nanoseconds % NS_PER_S));
	length += strftime(text + length, sizeof(text) - length, "%z", &parts);
	value_add_note(walk->arena, value, NOTE_COMMENT, text, length);
}
