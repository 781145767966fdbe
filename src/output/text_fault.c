// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "output/text_fault.h"

#include <string.h>

#include "base/buf.h"
#include "event/fault.h"
#include "event/frame_describer.h"
#include "output/quote.h"
#include "unwind/unwind.h"

static void put_place(struct buf *buf, const char *function, uint64_t offset, taddr address)
{
	buf_char(buf, '[');
	if (function) {
		quote_plain(buf, function, strlen(function));
		buf_char(buf, '+');
		buf_hex(buf, offset);
	} else {
		buf_hex(buf, address);
	}
	buf_char(buf, ']');
}

static void put_code(
	struct buf *buf, const struct frame_describer *describer, const struct unwind_frame *frame)
{
	const struct unwind_description *what = frame_describe(describer, frame);
	const char *function =
		what && what->count ? what->locations[what->count - 1].function : NULL;

	put_place(buf, function, function ? what->symbol_offset : 0, frame->pc);
}

static const char *memory_name(const struct event_fault *fault)
{
	return fault->map_name[0] ? fault->map_name : "[anon]";
}

static void put_target(struct buf *buf, const struct event_fault *fault)
{
	const char *name;

	if (!fault->is_mapped) {
		buf_hex(buf, fault->address);
		return;
	}
	name = fault->path ? fault->path : memory_name(fault);
	quote_plain(buf, name, strlen(name));
	buf_char(buf, '@');
	buf_hex(buf, fault->path ? fault->file_offset : fault->address);
}

void text_fault(
	struct buf *buf, const struct frame_describer *describer, const struct event_fault *fault)
{
	const struct kernel_frame *kernel = &fault->kernel_code;

	buf_string(buf, fault->is_major ? "majfault " : "minfault ");
	if (fault->in_kernel)
		put_place(buf, kernel->function, kernel->offset, kernel->address);
	else
		put_code(buf, describer, &fault->code);
	buf_string(buf, " => ");
	put_target(buf, fault);
	buf_string(buf, " (");
	buf_char(buf, !fault->is_mapped ? '?' : fault->is_executable ? 'x' : 'd');
	buf_char(buf, fault->in_kernel ? 'k' : '.');
	buf_char(buf, ')');
}

void text_kernel_stack(struct buf *buf, const struct kernel_stack *stack)
{
	for (size_t i = 0; i < stack->count; i++) {
		const struct kernel_frame *frame = &stack->frames[i];

		buf_string(buf, " > [");
		buf_string(buf, frame->module ? frame->module : "kernel");
		buf_string(buf, "](");
		if (frame->function) {
			buf_string(buf, frame->function);
			buf_char(buf, '+');
			buf_hex(buf, frame->offset);
		}
		buf_string(buf, ")");
		if (frame->address) {
			buf_string(buf, " [");
			buf_hex(buf, frame->address);
			buf_char(buf, ']');
		}
		buf_char(buf, '\n');
	}
}
