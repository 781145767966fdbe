// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <stdlib.h>
#include <string.h>

#include "abi/abi.h"
#include "abi/errors.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "decode/call.h"
#include "decode/value.h"
#include "event/event.h"
#include "output/deferred.h"
#include "output/json.h"
#include "output/json_stack.h"
#include "output/json_value.h"
#include "output/json_write.h"
#include "output/sink.h"
#include "output/text_value.h"
#include "schema/syscall.h"

struct json {
	struct output output;
	struct output_options options;
	struct deferred deferred;
	/** The line under construction. */
	struct buf buf;
	/** A value's text. */
	struct buf text;
};

static struct json *json_of(struct output *output)
{
	return (struct json *)output;
}

static void render_frame(struct buf *buf, void *context, const struct unwind_frame *frame)
{
	const struct json *json = context;

	json_stack_frame(buf, json->options.describer, frame);
}

static struct output *json_create(const struct output_options *options, struct sink *sink)
{
	struct json *json = xcalloc(1, sizeof(*json));

	json->options = *options;
	json->deferred = (struct deferred){.sink = sink,
		.describer = options->describer,
		.render = render_frame,
		.context = json};
	return &json->output;
}

static void put_text(struct buf *buf, const char *key, const char *text)
{
	if (!text)
		return;
	json_key(buf, key);
	json_text(buf, text);
}

static void put_int(struct buf *buf, const char *key, int64_t number)
{
	json_key(buf, key);
	json_signed(buf, number);
}

// NULL for what is not shown.
static const char *kind_name(enum event_kind kind)
{
	switch (kind) {
	case EVENT_CALL:
		return "syscall";
	case EVENT_SIGNAL:
		return "signal";
	case EVENT_STOPPED:
		return "stopped";
	case EVENT_EXITED:
		return "exited";
	case EVENT_KILLED:
		return "killed";
	case EVENT_SUPERSEDED:
		return "superseded";
	case EVENT_ABI:
		return "abi";
	case EVENT_RUNNING:
		return "running";
	case EVENT_FAULT:
		return "fault";
	case EVENT_LOST:
		return "lost";
	case EVENT_ATTACHED:
		return "attached";
	case EVENT_DETACHED:
		return "detached";
	case EVENT_NOTE:
		return "note";
	case EVENT_CHILD:
	case EVENT_EXEC:
	case EVENT_NAMED:
	case EVENT_SCHEDULED:
	case EVENT_ACCOUNT:
	case EVENT_ASKED:
		return NULL;
	}
	return NULL;
}

static void put_head(struct json *json, const struct event *event)
{
	struct buf *buf = &json->buf;

	json_open(buf, '{');
	put_int(buf, "version", JSON_VERSION);
	put_text(buf, "kind", kind_name(event->kind));
	put_int(buf, "pid", event->pid);
	put_int(buf, "tid", event->task.tid);
	if (event->comm)
		json_bytes_member(buf, "comm", event->comm, strlen(event->comm));
	json_key(buf, "time");
	json_time(buf, event->wall);
	json_key(buf, "monotonic");
	json_seconds(buf, event->monotonic);
}

static void put_tail(struct json *json, const struct event *event)
{
	if (event->kernel)
		json_kernel_stack_member(&json->buf, event->kernel);
	if (event->stack)
		json_stack_members(
			&json->buf, json->options.describer, &json->deferred, event->stack);
	json_close(&json->buf, '}');
	json->buf.data[json->buf.length - 1] = '\n';
	deferred_write(&json->deferred, &json->buf);
}

static void put_value_text(struct json *json, const struct value *value)
{
	buf_reset(&json->text);
	text_value(&json->text, value, &json->options.style);
	json_key(&json->buf, "text");
	json_string(&json->buf, json->text.data, json->text.length);
}

static const char *role_name(enum type_role role)
{
	switch (role) {
	case ROLE_NONE:
	case ROLE_RING_SLOT:
	case ROLE_DATA:
		return NULL;
	case ROLE_FD:
		return "fd";
	case ROLE_DIRFD:
		return "dirfd";
	case ROLE_PATH:
		return "path";
	case ROLE_FD_RANGE:
	case ROLE_REGION:
		return NULL;
	case ROLE_TGID:
		return "tgid";
	case ROLE_TID:
		return "tid";
	case ROLE_PGID:
		return "pgid";
	case ROLE_SID:
		return "sid";
	case ROLE_PID_OR_GROUP:
		return "pid_or_group";
	case ROLE_UID:
		return "uid";
	case ROLE_GID:
		return "gid";
	}
	return NULL;
}

// What is shown of a pointer is the thing behind it, which has the role too.
static enum type_role value_role(const struct value *value)
{
	while (value->role == ROLE_NONE && value->kind == VALUE_REF && value->first)
		value = value->first;
	return value->role;
}

static void put_argument(struct json *json, const struct value *value)
{
	struct buf *buf = &json->buf;
	const struct value *target = value->kind == VALUE_REF ? value->first : NULL;

	json_open(buf, '{');
	put_text(buf, "name", value->label);
	put_text(buf, "role", role_name(value_role(value)));
	json_value_members(buf, value);
	if (target) {
		json_key(buf, "address");
		json_unsigned(buf, value->number);
	}
	if (value_role(value) == ROLE_PATH)
		put_int(buf, "dirfd",
			target && target->role == ROLE_PATH ? target->dirfd : value->dirfd);
	put_value_text(json, value);
	json_close(buf, '}');
}

static const char *result_name(enum call_result result)
{
	switch (result) {
	case CALL_UNFINISHED:
		return "unfinished";
	case CALL_SUCCESS:
		return "success";
	case CALL_ERROR:
		return "error";
	case CALL_RESTART:
		return "restart";
	case CALL_NO_RESULT:
		return "none";
	}
	return NULL;
}

static void put_return(struct json *json, const struct call *call)
{
	struct buf *buf = &json->buf;
	const struct value *ret = call->ret;

	json_key(buf, "return");
	if (!ret)
		json_signed(buf, call->retval);
	else if (ret->kind == VALUE_NUMBER && ret->radix != RADIX_SIGNED)
		json_unsigned(buf, ret->number);
	else
		json_signed(buf, (int64_t)ret->number);
	if (!ret)
		return;
	json_key(buf, "return_info");
	json_open(buf, '{');
	put_text(buf, "role", role_name(ret->role));
	json_value_members(buf, ret);
	put_value_text(json, ret);
	json_close(buf, '}');
}

static void put_note(struct json *json, const struct value *note)
{
	json_key(&json->buf, "note");
	json_open(&json->buf, '{');
	put_text(&json->buf, "name", note->label);
	json_value_members(&json->buf, note);
	buf_reset(&json->text);
	text_note(&json->text, note, &json->options.style);
	json_key(&json->buf, "text");
	json_string(&json->buf, json->text.data, json->text.length);
	json_close(&json->buf, '}');
}

static void put_result(struct json *json, const struct call *call)
{
	struct buf *buf = &json->buf;

	put_text(buf, "result", result_name(call->result));
	switch (call->result) {
	case CALL_SUCCESS:
		put_return(json, call);
		if (call->note)
			put_note(json, call->note);
		break;
	case CALL_ERROR:
		put_int(buf, "return", -1);
		put_text(buf, "error", errno_name(call->error));
		put_int(buf, "errno", call->error);
		if (call->is_disturbed) {
			json_key(buf, "disturbed");
			json_bool(buf, true);
		}
		break;
	case CALL_RESTART:
		json_key(buf, "return");
		json_null(buf);
		put_text(buf, "error", restart_name(call->error));
		put_int(buf, "errno", call->error);
		break;
	case CALL_UNFINISHED:
	case CALL_NO_RESULT:
		json_key(buf, "return");
		json_null(buf);
		break;
	}
}

static void put_tampered(struct buf *buf, unsigned tampered)
{
	if (tampered & (CALL_TAMPERED_RESULT | CALL_TAMPERED_ARGUMENTS)) {
		json_key(buf, "injected");
		json_open(buf, '[');
		if (tampered & CALL_TAMPERED_ARGUMENTS)
			json_text(buf, "args");
		if (tampered & CALL_TAMPERED_RESULT)
			json_text(buf, "retval");
		json_close(buf, ']');
	}
	if (tampered & CALL_DELAYED) {
		json_key(buf, "delayed");
		json_bool(buf, true);
	}
}

static void put_call(struct json *json, const struct event *event, bool runs)
{
	struct buf *buf = &json->buf;
	const struct call *call = event->call;

	put_text(buf, "name", call->syscall ? call->syscall->name : NULL);
	json_key(buf, "number");
	json_unsigned(buf, call->number);
	put_text(buf, "abi", abi_get(call->abi)->name);
	put_text(buf, "resumes", call->resumes);
	if (event->in_flight) {
		json_key(buf, "met");
		json_bool(buf, true);
	}
	json_key(buf, "args");
	json_open(buf, '[');
	for (unsigned i = 0; i < call->arg_count; i++) {
		if (call->args[i])
			put_argument(json, call->args[i]);
	}
	json_close(buf, ']');
	if (runs)
		put_text(buf, "result", "running");
	else
		put_result(json, call);
	put_tampered(buf, call->tampered);
	if (!runs && (call->result == CALL_UNFINISHED || call->result == CALL_NO_RESULT))
		return;
	json_key(buf, "duration");
	json_seconds(buf, event->duration);
}

static void json_call_runs(struct output *output, const struct event *event)
{
	struct json *json = json_of(output);

	put_head(json, event);
	put_call(json, event, /* runs= */ true);
	put_tail(json, event);
}

static void json_call_ends(struct output *output, const struct event *event)
{
	struct json *json = json_of(output);

	put_head(json, event);
	put_call(json, event, /* runs= */ false);
	put_tail(json, event);
}

static void put_signal(struct buf *buf, int number)
{
	put_text(buf, "signal", signal_name(abi_native()->id, number));
	put_int(buf, "number", number);
}

static void put_details(struct json *json, const struct event *event)
{
	struct buf *buf = &json->buf;

	switch (event->kind) {
	case EVENT_CALL:
		break;
	case EVENT_SIGNAL:
		put_signal(buf, event->signal.number);
		if (event->signal.info) {
			json_key(buf, "info");
			json_value(buf, event->signal.info);
		}
		break;
	case EVENT_STOPPED:
		put_signal(buf, event->signal.number);
		break;
	case EVENT_EXITED:
		put_int(buf, "status", event->exit.status);
		break;
	case EVENT_KILLED:
		put_signal(buf, event->exit.status);
		json_key(buf, "core_dumped");
		json_bool(buf, event->exit.core_dumped);
		break;
	case EVENT_SUPERSEDED:
		put_int(buf, "by", event->superseded.by);
		break;
	case EVENT_ABI:
		put_text(buf, "abi", abi_get(event->abi)->name);
		break;
	case EVENT_FAULT:
		json_fault_members(buf, json->options.describer, event->fault);
		break;
	case EVENT_LOST:
		json_key(buf, "lost");
		json_unsigned(buf, event->lost.count);
		break;
	case EVENT_RUNNING:
	case EVENT_ATTACHED:
	case EVENT_DETACHED:
	case EVENT_CHILD:
	case EVENT_EXEC:
	case EVENT_NAMED:
	case EVENT_SCHEDULED:
	case EVENT_ACCOUNT:
	case EVENT_ASKED:
		break;
	case EVENT_NOTE:
		put_text(buf, "text", event->text);
		break;
	}
}

static void json_event(struct output *output, const struct event *event)
{
	struct json *json = json_of(output);

	if (event->kind == EVENT_CALL || !kind_name(event->kind))
		return;
	put_head(json, event);
	put_details(json, event);
	put_tail(json, event);
}

static void json_flush_pending(struct output *output, bool wait)
{
	deferred_flush_pending(&json_of(output)->deferred, wait);
}

static void json_finish(struct output *output)
{
	struct json *json = json_of(output);

	deferred_finish(&json->deferred);
	buf_deinit(&json->buf);
	buf_deinit(&json->text);
	free(json);
}

const struct output_format json_format = {
	.name = "json",
	.is_structured = true,
	.create = json_create,
	.call_runs = json_call_runs,
	.call_end = json_call_ends,
	.event = json_event,
	.flush_pending = json_flush_pending,
	.finish = json_finish,
};
