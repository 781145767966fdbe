// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unit.h"

#include <string.h>

#include "output/frame_texts.h"
#include "unwind/frame.h"

/** Modules are only compared here. */
static char modules[2];

static struct unwind_frame frame_at(unsigned module, uint64_t pc)
{
	return (struct unwind_frame){
		.module = (const struct unwind_module *)&modules[module],
		.module_pc = pc,
		.file_offset = pc,
		.address = FRAME_ADDRESS_RETURN,
	};
}

static void assert_text(
	struct frame_texts *texts, const struct unwind_frame *frame, const char *text)
{
	const struct frame_text *found = frame_texts_find(texts, frame);

	assert_non_null(found);
	assert_int_equal(found->length, strlen(text));
	assert_memory_equal(found->text, text, found->length);
}

CASE(each_place_has_its_own)
{
	struct unwind_frame frame = frame_at(0, 0x1000), other;
	struct frame_texts texts = {0};

	assert_null(frame_texts_find(&texts, &frame));
	frame_texts_add(&texts, &frame, NULL, "one\n", 4);
	assert_text(&texts, &frame, "one\n");
	other = frame_at(1, 0x1000);
	assert_null(frame_texts_find(&texts, &other));
	frame_texts_add(&texts, &other, NULL, "two\n", 4);
	// Where the process has the module does not matter.
	frame.pc = other.pc = 0x7f0000001000;
	assert_text(&texts, &frame, "one\n");
	assert_text(&texts, &other, "two\n");
	frame_texts_deinit(&texts);
}

CASE(all_that_is_shown_counts)
{
	struct unwind_frame frame = frame_at(0, 0x1000), other;
	struct frame_texts texts = {0};

	frame_texts_add(&texts, &frame, NULL, "one\n", 4);
	other = frame;
	other.origin = FRAME_ORIGIN_GUESS;
	assert_null(frame_texts_find(&texts, &other));
	other = frame;
	other.address = FRAME_ADDRESS_EXACT;
	assert_null(frame_texts_find(&texts, &other));
	other = frame;
	other.is_signal_frame = true;
	assert_null(frame_texts_find(&texts, &other));
	other = frame;
	other.file_offset = 0;
	assert_null(frame_texts_find(&texts, &other));
	frame_texts_deinit(&texts);
}

CASE(without_a_module_nothing_is_kept)
{
	struct unwind_frame frame = {.pc = 0x1000};
	struct frame_texts texts = {0};

	frame_texts_add(&texts, &frame, NULL, "one\n", 4);
	assert_null(frame_texts_find(&texts, &frame));
	frame_texts_deinit(&texts);
}

CASE(memory_is_bounded)
{
	enum { LENGTH = 4096, COUNT = 10000, BYTES_MOST = 8 * 1024 * 1024 };
	static char text[LENGTH];
	struct frame_texts texts = {0};
	struct unwind_frame frame;

	for (uint64_t i = 0; i < COUNT; i++) {
		frame = frame_at(0, i);
		frame_texts_add(&texts, &frame, NULL, text, LENGTH);
		assert_true(texts.size <= BYTES_MOST + LENGTH);
	}
	assert_non_null(frame_texts_find(&texts, &frame));
	frame = frame_at(0, 0);
	assert_null(frame_texts_find(&texts, &frame));
	frame_texts_deinit(&texts);
}

RUN_CASES(ADD(each_place_has_its_own), ADD(all_that_is_shown_counts),
	ADD(without_a_module_nothing_is_kept), ADD(memory_is_bounded));
