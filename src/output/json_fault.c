// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <string.h>

#include "base/buf.h"
#include "event/fault.h"
#include "event/frame_describer.h"
#include "output/json_stack.h"
#include "output/json_write.h"
#include "unwind/unwind.h"

static void put_text(struct buf *buf, const char *key, const char *text)
{
	if (text)
		json_bytes_member(buf, key, text, strlen(text));
}

static void put_number(struct buf *buf, const char *key, uint64_t number)
{
	json_key(buf, key);
	json_unsigned(buf, number);
}

static void put_kernel_frame(struct buf *buf, const struct kernel_frame *frame)
{
	if (frame->address)
		put_number(buf, "pc", frame->address);
	put_text(buf, "module", frame->module);
	put_text(buf, "function", frame->function);
	if (frame->function)
		put_number(buf, "symbol_offset", frame->offset);
}

void json_kernel_stack_member(struct buf *buf, const struct kernel_stack *stack)
{
	json_key(buf, "kernel_stack");
	json_open(buf, '[');
	for (size_t i = 0; i < stack->count; i++) {
		json_open(buf, '{');
		put_kernel_frame(buf, &stack->frames[i]);
		json_close(buf, '}');
	}
	json_close(buf, ']');
}

static void put_code(
	struct buf *buf, const struct frame_describer *describer, const struct unwind_frame *frame)
{
	const struct unwind_description *what = frame_describe(describer, frame);

	put_number(buf, "pc", frame->pc);
	if (frame->module)
		put_text(buf, "module", frame->path);
	if (!what || !what->count || !what->locations[what->count - 1].function)
		return;
	put_text(buf, "function", what->locations[what->count - 1].function);
	put_number(buf, "symbol_offset", what->symbol_offset);
}

void json_fault_members(
	struct buf *buf, const struct frame_describer *describer, const struct event_fault *fault)
{
	put_text(buf, "fault", fault->is_major ? "major" : "minor");
	put_text(buf, "mode", fault->in_kernel ? "kernel" : "user");
	put_number(buf, "address", fault->address);
	if (fault->is_mapped) {
		put_text(buf, "mapping", fault->map_name);
		json_key(buf, "executable");
		json_bool(buf, fault->is_executable);
	}
	if (fault->is_mapped && fault->path) {
		put_text(buf, "path", fault->path);
		put_number(buf, "offset", fault->file_offset);
	}
	json_key(buf, "code");
	json_open(buf, '{');
	if (fault->in_kernel)
		put_kernel_frame(buf, &fault->kernel_code);
	else
		put_code(buf, describer, &fault->code);
	json_close(buf, '}');
}
