// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "proc/recording.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/error.h"

/** A recording being read. */
struct reader {
	struct recording *recording;
	/** Bytes of the block that is being given, and where they go. */
	struct buf bytes;
	bool in_block;
	bool is_change;
	uint64_t address;
};

static char *skip_space(char *text)
{
	while (isspace((unsigned char)*text))
		text++;
	return text;
}

static bool read_number(char **cursor, uint64_t *ret)
{
	char *start = skip_space(*cursor);
	char *end;

	if (!*start)
		return false;
	*ret = *start == '-' ? (uint64_t)strtoll(start, &end, 0) : strtoull(start, &end, 0);
	if (end == start || (*end && !isspace((unsigned char)*end)))
		return false;
	*cursor = end;
	return true;
}

static void end_block(struct reader *reader)
{
	struct recording *recording = reader->recording;
	const char *data = buf_text(&reader->bytes);
	size_t size = reader->bytes.length;

	if (reader->in_block && reader->is_change) {
		struct recording_change change = {reader->address, xmalloc(size + 1), size};

		memcpy(change.data, data, size);
		*array_add(&recording->changes) = change;
	} else if (reader->in_block) {
		view_recorded_store(&recording->task, reader->address, data, size);
	}
	buf_reset(&reader->bytes);
	reader->in_block = false;
}

static int digit(char c)
{
	return c <= '9' ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

// A string as in C, its \0, \n, \t, \", \\ and \x.. ; false if it does not end.
static bool read_string(char *text, struct buf *bytes)
{
	for (text++; *text && *text != '"'; text++) {
		if (*text != '\\') {
			buf_char(bytes, *text);
			continue;
		}
		switch (*++text) {
		case '0':
			buf_char(bytes, '\0');
			break;
		case 'n':
			buf_char(bytes, '\n');
			break;
		case 't':
			buf_char(bytes, '\t');
			break;
		case 'x':
			if (!isxdigit((unsigned char)text[1]) || !isxdigit((unsigned char)text[2]))
				return false;
			buf_char(bytes, (char)(digit(text[1]) << 4 | digit(text[2])));
			text += 2;
			break;
		case '\0':
			return false;
		default:
			buf_char(bytes, *text);
		}
	}
	return *text == '"' && !*skip_space(text + 1);
}

static bool read_hex(char *text, struct buf *bytes)
{
	for (text = skip_space(text); *text; text = skip_space(text + 2)) {
		if (!isxdigit((unsigned char)text[0]) || !isxdigit((unsigned char)text[1]))
			return false;
		buf_char(bytes, (char)(digit(text[0]) << 4 | digit(text[1])));
	}
	return true;
}

static bool read_integers(char *text, size_t size, struct buf *bytes)
{
	uint64_t number;

	while (read_number(&text, &number))
		buf_bytes(bytes, &number, size);
	return !*skip_space(text);
}

static bool read_fill(char *text, struct buf *bytes)
{
	uint64_t count;

	if (!read_number(&text, &count) || count > 1 << 20)
		return false;
	text = skip_space(text);
	for (uint64_t i = 0; i < count; i++)
		buf_char(bytes, *text ? *text : '\0');
	return true;
}

// A line of a block: "text", hex 00 01, u8 u16 u32 u64 numbers, fill COUNT [CHARACTER].
static bool read_contents(char *line, struct buf *bytes)
{
	static const struct {
		const char *word;
		size_t size;
	} integers[] = {{"u8 ", 1}, {"u16 ", 2}, {"u32 ", 4}, {"u64 ", 8}};
	char *text = skip_space(line);

	if (*text == '"')
		return read_string(text, bytes);
	if (strncmp(text, "hex ", 4) == 0)
		return read_hex(text + 4, bytes);
	if (strncmp(text, "fill ", 5) == 0)
		return read_fill(text + 5, bytes);
	for (size_t i = 0; i < ARRAY_SIZE(integers); i++) {
		size_t length = strlen(integers[i].word);

		if (strncmp(text, integers[i].word, length) == 0)
			return read_integers(text + length, integers[i].size, bytes);
	}
	return false;
}

static bool set_text(char **field, const char *text)
{
	free(*field);
	*field = xstrdup(text);
	return true;
}

static bool set_args(struct reader *reader, char *text)
{
	size_t count = 0;

	while (count < RECORDING_ARGS && read_number(&text, &reader->recording->args[count]))
		count++;
	return !*skip_space(text);
}

static bool set_fd(struct reader *reader, char *text)
{
	static const char mark[] = " (deleted)";
	uint64_t fd;
	size_t length;

	if (!read_number(&text, &fd))
		return false;
	text = skip_space(text);
	length = strlen(text);
	view_recorded_open(&reader->recording->task, (int)fd, text,
		length > strlen(mark) && strcmp(text + length - strlen(mark), mark) == 0);
	return *text != '\0';
}

static bool set_options(struct reader *reader, char *text)
{
	struct recording *recording = reader->recording;
	char *saved;

	for (char *word = strtok_r(text, " ", &saved); word; word = strtok_r(NULL, " ", &saved)) {
		if (strcmp(word, "verbose") == 0)
			recording->verbose = true;
		else if (strcmp(word, "paths") == 0)
			recording->fd_paths = true;
		else if (strncmp(word, "limit=", 6) == 0)
			recording->string_limit = strtoul(word + 6, NULL, 0);
		else
			return false;
	}
	return true;
}

static bool set_result(struct reader *reader, char *text)
{
	uint64_t result;

	if (!read_number(&text, &result))
		return false;
	reader->recording->has_result = true;
	reader->recording->result = (int64_t)result;
	return true;
}

static bool set_netlink(struct reader *reader, char *text)
{
	struct view_recorded *task = &reader->recording->task;
	uint64_t fd, protocol;

	if (!read_number(&text, &fd) || !read_number(&text, &protocol))
		return false;
	task->netlink_fd = (int)fd;
	task->netlink_protocol = (int)protocol;
	return !*skip_space(text);
}

static bool set_block(struct reader *reader, char *text, bool is_change)
{
	reader->in_block = true;
	reader->is_change = is_change;
	return read_number(&text, &reader->address) && !*skip_space(text);
}

static bool set_field(struct reader *reader, const char *word, char *rest)
{
	struct recording *recording = reader->recording;
	uint64_t number;

	end_block(reader);
	if (strcmp(word, "ABI") == 0)
		return set_text(&recording->abi, rest);
	if (strcmp(word, "ARGS") == 0)
		return set_args(reader, rest);
	if (strcmp(word, "MEMORY") == 0)
		return set_block(reader, rest, /* is_change= */ false);
	if (strcmp(word, "STORES") == 0)
		return set_block(reader, rest, /* is_change= */ true);
	if (strcmp(word, "FD") == 0)
		return set_fd(reader, rest);
	if (strcmp(word, "NETLINK") == 0)
		return set_netlink(reader, rest);
	if (strcmp(word, "CWD") == 0)
		return view_recorded_chdir(&recording->task, rest), true;
	if (strcmp(word, "TID") == 0 && read_number(&rest, &number))
		return recording->task.tid = (int)number, true;
	if (strcmp(word, "OPTIONS") == 0)
		return set_options(reader, rest);
	if (strcmp(word, "RESULT") == 0)
		return set_result(reader, rest);
	if (strcmp(word, "ENTRY") == 0)
		return set_text(&recording->entry, rest);
	if (strcmp(word, "TEXT") == 0)
		return set_text(&recording->text, rest);
	if (strcmp(word, "JSON") == 0)
		return set_text(&recording->json, rest);
	return false;
}

static struct error *read_line(struct reader *reader, char *line)
{
	char *rest;

	if (isspace((unsigned char)*line)) {
		if (reader->in_block && read_contents(line, &reader->bytes))
			return NULL;
		return error_create("bad contents of a block: %s", line);
	}
	rest = line + strcspn(line, " ");
	if (*rest)
		*rest++ = '\0';
	if (set_field(reader, line, rest))
		return NULL;
	return error_create("bad line: %s %s", line, rest);
}

static void recording_init(struct recording *recording, const char *call, unsigned line)
{
	*recording = (struct recording){
		.line = line,
		.call = xstrdup(call),
		.string_limit = 32,
	};
	view_recorded_init(&recording->task);
}

static void cleanup_reader(struct reader *reader)
{
	buf_deinit(&reader->bytes);
	recording_destroy(reader->recording);
}

static bool is_nothing(const char *line)
{
	return line[0] == '#' || line[strspn(line, " \t")] == '\0';
}

struct error *recording_read(FILE *file, unsigned *line, struct recording **ret)
{
	__attribute__((cleanup(cleanup_reader))) struct reader reader = {0};
	cleanup_free char *text = NULL;
	size_t capacity = 0;
	ssize_t length;

	while ((length = getline(&text, &capacity, file)) >= 0) {
		struct error *error;

		++*line;
		if (length && text[length - 1] == '\n')
			text[length - 1] = '\0';
		if (text[0] == '\0' && reader.recording)
			break;
		if (is_nothing(text))
			continue;
		if (!reader.recording && strncmp(text, "CALL ", 5) == 0) {
			reader.recording = xmalloc(sizeof(*reader.recording));
			recording_init(reader.recording, text + 5, *line);
			continue;
		}
		error = reader.recording ? read_line(&reader, text)
					 : error_create("expected CALL: %s", text);
		if (error)
			return error_wrap(error, "line %u", *line);
	}
	if (reader.recording)
		end_block(&reader);
	*ret = take_ptr(reader.recording);
	return NULL;
}

void recording_destroy(struct recording *recording)
{
	if (!recording)
		return;
	array_for_each (change, &recording->changes)
		free(change->data);
	array_deinit(&recording->changes);
	view_recorded_deinit(&recording->task);
	free(recording->call);
	free(recording->abi);
	free(recording->entry);
	free(recording->text);
	free(recording->json);
	free(recording);
}

void recording_return(struct recording *recording)
{
	array_for_each (change, &recording->changes)
		view_recorded_store(&recording->task, change->address, change->data, change->size);
}
