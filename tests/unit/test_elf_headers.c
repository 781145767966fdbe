// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unit.h"

#include <elf.h>
#include <string.h>

#include "base/array.h"
#include "unwind/elf/elf_headers.h"

struct bytes {
	const void *data;
	size_t size;
};

static size_t read_bytes(void *context, uint64_t position, void *data, size_t size)
{
	const struct bytes *bytes = context;

	if (position >= bytes->size)
		return 0;
	if (size > bytes->size - position)
		size = bytes->size - (size_t)position;
	memcpy(data, (const char *)bytes->data + position, size);
	return size;
}

struct elf64 {
	Elf64_Ehdr header;
	Elf64_Phdr segments[3];
};

/** Like a program of binutils 2.40: headers, code at 0x1000, notes. */
static const struct elf64 program = {
	.header =
		{
			.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
			.e_machine = EM_X86_64,
			.e_type = ET_DYN,
			.e_entry = 0x1234,
			.e_phoff = sizeof(Elf64_Ehdr),
			.e_phentsize = sizeof(Elf64_Phdr),
			.e_phnum = 3,
		},
	.segments =
		{
			{.p_type = PT_LOAD, .p_flags = PF_R, .p_filesz = 0x1800, .p_memsz = 0x1800},
			{.p_type = PT_LOAD,
				.p_flags = PF_R | PF_X,
				.p_offset = 0x1800,
				.p_vaddr = 0x2800,
				.p_filesz = 0x1000,
				.p_memsz = 0x1000},
			{.p_type = PT_NOTE, .p_offset = 0x300, .p_vaddr = 0x300, .p_filesz = 36},
		},
};

static bool parse(struct elf_headers *headers, const struct elf64 *elf, size_t size)
{
	struct bytes bytes = {elf, size};

	return elf_headers_read(headers, read_bytes, &bytes);
}

CASE(header_and_segments)
{
	struct elf_headers headers;

	assert_true(parse(&headers, &program, sizeof(program)));
	assert_true(headers.is_64);
	assert_int_equal(headers.machine, EM_X86_64);
	assert_int_equal(headers.entry, 0x1234);
	assert_int_equal(headers.count, 3);
	assert_int_equal(headers.extent, sizeof(program));
	assert_int_equal(headers.segments[1].vaddr, 0x2800);
	elf_headers_deinit(&headers);
}

CASE(what_is_no_elf_file)
{
	struct elf_headers headers;
	struct elf64 elf = program;

	for (size_t size = 0; size < sizeof(program); size++)
		assert_false(parse(&headers, &program, size));
	elf.header.e_ident[EI_DATA] = ELFDATA2MSB;
	assert_false(parse(&headers, &elf, sizeof(elf)));
	elf = program;
	elf.header.e_phentsize = 1;
	assert_false(parse(&headers, &elf, sizeof(elf)));
	elf = program;
	elf.header.e_phoff = UINT64_MAX - 8;
	assert_false(parse(&headers, &elf, sizeof(elf)));
}

CASE(debug_information_has_no_segments)
{
	struct elf_headers headers;
	struct elf64 elf = program;

	elf.header.e_phnum = elf.header.e_phentsize = 0;
	elf.header.e_phoff = 0;
	assert_true(parse(&headers, &elf, sizeof(elf.header)));
	assert_int_equal(headers.count, 0);
	elf_headers_deinit(&headers);
}

CASE(bias)
{
	struct elf_headers headers;
	uint64_t bias;

	assert_true(parse(&headers, &program, sizeof(program)));
	// The kernel maps the page of offset 0x1800, which belongs to both segments.
	assert_true(elf_headers_bias(&headers, 0x1000, 0x555500002000, PF_X, &bias));
	assert_int_equal(bias, 0x555500000000);
	assert_true(elf_headers_bias(&headers, 0, 0x555500000000, 0, &bias));
	assert_int_equal(bias, 0x555500000000);
	assert_false(elf_headers_bias(&headers, 0x9000, 0x555500000000, PF_X, &bias));
	elf_headers_deinit(&headers);
}

struct note {
	Elf64_Nhdr header;
	char name[4];
	uint8_t id[20];
};

CASE(build_id)
{
	struct note note = {{4, 20, NT_GNU_BUILD_ID}, "GNU", {1, 2, 3}};
	uint8_t id[ELF_BUILD_ID_MAX];

	assert_int_equal(elf_notes_build_id((void *)&note, sizeof(note), 4, id), 20);
	assert_memory_equal(id, note.id, 20);
	for (size_t size = 0; size < sizeof(note); size++)
		assert_int_equal(elf_notes_build_id((void *)&note, size, 4, id), 0);
	note.header.n_descsz = UINT32_MAX;
	assert_int_equal(elf_notes_build_id((void *)&note, sizeof(note), 4, id), 0);
	note.header.n_descsz = 20;
	note.header.n_namesz = UINT32_MAX;
	assert_int_equal(elf_notes_build_id((void *)&note, sizeof(note), 8, id), 0);
	note = (struct note){{4, 20, NT_GNU_PROPERTY_TYPE_0}, "GNU", {1}};
	assert_int_equal(elf_notes_build_id((void *)&note, sizeof(note), 4, id), 0);
}

CASE(build_id_in_memory)
{
	static uint8_t image[0x1000];
	const struct note note = {{4, 20, NT_GNU_BUILD_ID}, "GNU", {9, 8, 7}};
	struct bytes bytes = {image, sizeof(image)};
	struct elf_headers headers;
	uint8_t id[ELF_BUILD_ID_MAX];

	memcpy(image, &program, sizeof(program));
	memcpy(image + 0x300, &note, sizeof(note));
	assert_true(elf_headers_read(&headers, read_bytes, &bytes));
	assert_int_equal(elf_headers_build_id(&headers, 0, read_bytes, &bytes, id), 20);
	assert_memory_equal(id, note.id, 20);
	assert_int_equal(elf_headers_build_id(&headers, 0x10000, read_bytes, &bytes, id), 0);
	elf_headers_deinit(&headers);
}

RUN_CASES(ADD(header_and_segments), ADD(what_is_no_elf_file),
	ADD(debug_information_has_no_segments), ADD(bias), ADD(build_id), ADD(build_id_in_memory));
