// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "output/json.h"

#include <string.h>
#include <sys/wait.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "output/json_value.h"
#include "output/json_write.h"
#include "output_run.h"
#include "unwind/frame.h"
#include "value_tree.h"

// Expected texts follow doc/json.md and RFC 8259.

static void expect_json(const struct value *value, const char *text)
{
	struct buf buf = {0};

	json_value(&buf, value);
	assert_string_equal(buf_text(&buf), text);
	buf_deinit(&buf);
}

CASE(numbers_are_numbers)
{
	expect_json(INT(-100), "-100,");
	expect_json(UNSIGNED(UINT64_MAX), "18446744073709551615,");
	expect_json(NODE(.kind = VALUE_NUMBER, .number = UINT64_MAX, .size = 8), "-1,");
	expect_json(HEX(0x7f86806e2000), "140215657046016,");
	expect_json(MODE(0644), "420,");
	expect_json(NODE(.kind = VALUE_NUMBER, .radix = RADIX_UNSIGNED, .role = ROLE_UID,
			    .number = UINT32_MAX, .size = 4),
		"-1,");
}

CASE(names_come_with_their_number)
{
	expect_json(NAMED("AT_FDCWD", -100), "{\"value\":-100,\"symbol\":\"AT_FDCWD\"},");
	expect_json(NODE(.kind = VALUE_NAMED, .unknown = "F_???", .number = 99), "99,");
	expect_json(FLAGS(0x48, NAMED("O_CREAT", 0x40), HEX(8)),
		"{\"value\":72,\"symbols\":[\"O_CREAT\",8]},");
	expect_json(NODE(.kind = VALUE_FLAGS), "0,");
}

CASE(ordinary_strings_are_plain)
{
	expect_json(STRING(""), "\"\",");
	expect_json(STRING("/etc/passwd"), "\"/etc/passwd\",");
	expect_json(STRING("caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"),
		"\"caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\",");
	expect_json(COUNTED("a\"b\\\n\t\r\0\33", 9), "\"a\\\"b\\\\\\n\\t\\r\\u0000\\u001b\",");
	// DEL and the C1 controls, which a terminal may obey.
	expect_json(STRING("\x7f\xc2\x9b"), "\"\\u007f\\u009b\",");
}

CASE(other_bytes_come_with_their_hex)
{
	expect_json(COUNTED("a\xff", 2), "{\"value\":\"a\xef\xbf\xbd\",\"value_hex\":\"61ff\"},");
	// Overlong, surrogate, above U+10FFFF, cut off.
	expect_json(COUNTED("\xc0\x80", 2),
		"{\"value\":\"\xef\xbf\xbd\xef\xbf\xbd\",\"value_hex\":\"c080\"},");
	assert_false(json_is_utf8("\xe0\x80\xaf", 3));
	assert_false(json_is_utf8("\xed\xa0\x80", 3));
	assert_false(json_is_utf8("\xf4\x90\x80\x80", 4));
	assert_false(json_is_utf8("\xf5\x80\x80\x80", 4));
	assert_false(json_is_utf8("\xe2\x82", 2));
	assert_false(json_is_utf8("\x80", 1));
	assert_true(json_is_utf8("\xf4\x8f\xbf\xbf\xed\x9f\xbf\xee\x80\x80", 10));
	expect_json(NODE(.kind = VALUE_BYTES, .bytes = (const uint8_t *)"ab", .length = 2,
			    .truncated = true),
		"{\"value\":\"ab\",\"truncated\":true},");
}

CASE(pointers)
{
	expect_json(ADDRESS(0), "null,");
	expect_json(ADDRESS(0x1000), "4096,");
	expect_json(NODE(.kind = VALUE_ADDRESS, .number = 1, .size = 8, .unreadable = true),
		"{\"value\":1,\"unreadable\":true},");
	expect_json(REF(4096, INT(3)), "3,");
	expect_json(REF(4096, STRING("x")), "\"x\",");
	expect_json(REF(4096, CHANGE(INT(128), INT(16))), "{\"value\":16,\"before\":128},");
}

CASE(aggregates)
{
	struct value *long_one = LIST(INT(1), INT(2));
	struct value *all_but = SET(NAMED("KILL", 9), INT(70));
	struct value *partial = STRUCT(labelled("a", INT(1)));

	expect_json(STRUCT(labelled("tv_sec", INT(1)), labelled("tv_nsec", INT(0))),
		"{\"tv_sec\":1,\"tv_nsec\":0},");
	expect_json(NODE(.kind = VALUE_STRUCT), "{},");
	partial->incomplete = true;
	expect_json(partial, "{\"value\":{\"a\":1},\"incomplete\":true},");
	expect_json(LIST(INT(3), STRING("x")), "[3,\"x\"],");
	long_one->truncated = true;
	expect_json(long_one, "{\"value\":[1,2],\"truncated\":true},");
	expect_json(SET(NAMED("INT", 2), NAMED("QUIT", 3)), "[\"INT\",\"QUIT\"],");
	all_but->inverted = true;
	expect_json(all_but, "{\"value\":[\"KILL\",70],\"inverted\":true},");
}

CASE(a_struct_is_never_taken_for_a_value_with_properties)
{
	expect_json(STRUCT(labelled("value", INT(1))), "{\"value\":{\"value\":1}},");
}

CASE(members_without_a_label_get_a_key)
{
	expect_json(STRUCT(CALL("inet_pton", NAMED("AF_INET6", 10), STRING("::1")), INT(5)),
		"{\"inet_pton\":{\"value\":[{\"value\":10,\"symbol\":\"AF_INET6\"},\"::1\"],"
		"\"call\":\"inet_pton\"},\"#1\":5},");
	expect_json(CALL("htons", INT(80)), "{\"value\":80,\"call\":\"htons\"},");
}

CASE(notes_are_properties)
{
	expect_json(NODE(.kind = VALUE_NUMBER, .number = 3,
			    .notes = NOTE(NOTE_PATH, "/tmp/\xff", .next = NOTE(NOTE_DELETED, ""))),
		"{\"value\":3,\"path\":\"/tmp/\xef\xbf\xbd\",\"path_hex\":\"2f746d702fff\","
		"\"deleted\":true},");
	expect_json(NODE(.kind = VALUE_ADDRESS, .number = 16, .size = 8,
			    .notes = NOTE(NOTE_COMMENT, "41 vars")),
		"{\"value\":16,\"comment\":\"41 vars\"},");
	expect_json(
		NODE(.kind = VALUE_BYTES, .name = "@", .bytes = (const uint8_t *)"x", .length = 1),
		"{\"value\":\"x\",\"prefix\":\"@\"},");
	expect_json(NODE(.kind = VALUE_NUMBER, .number = 3,
			    .notes = &(struct value_note){.kind = NOTE_SOCKET,
				    .detail = STRUCT(labelled("protocol", STRING("UDP")),
					    labelled("inode", INT(8)))}),
		"{\"value\":3,\"socket\":{\"protocol\":\"UDP\",\"inode\":8}},");
	expect_json(NODE(.kind = VALUE_NONE), "{\"value\":null,\"unknown\":true},");
}

static const struct syscall openat_row = {.name = "openat", .number = 257};

static struct event call_event(struct call *call)
{
	return (struct event){.kind = EVENT_CALL,
		.task = {.tid = 8, .serial = 1},
		.pid = 7,
		.comm = "cat",
		.wall = {1796005516, 749491123},
		.monotonic = {1131, 5},
		.duration = {0, 12000},
		.call = call};
}

static struct value *path_argument(const char *path)
{
	struct value *text = STRING(path);
	static struct value ref, bytes;

	bytes = *text;
	ref = (struct value){.kind = VALUE_REF, .number = 4096, .size = 8, .first = &bytes};
	bytes.role = ROLE_PATH;
	bytes.dirfd = -100;
	return &ref;
}

CASE(a_call_is_one_line_at_its_end)
{
	struct value *dirfd = NAMED("AT_FDCWD", -100);
	struct call call = {.syscall = &openat_row,
		.number = 257,
		.args = {labelled("dirfd", dirfd), labelled("path", path_argument("/x")),
			labelled("flags",
				FLAGS(0x80000, NAMED("O_RDONLY", 0), NAMED("O_CLOEXEC", 0x80000)))},
		.arg_count = 3,
		.known = 3,
		.result = CALL_ERROR,
		.retval = -2,
		.error = 2};
	struct event event = call_event(&call);
	struct run run;

	dirfd->role = ROLE_DIRFD;
	run_start(&run, "json", &(struct output_options){.align = 40});
	run_begin(&run, &event);
	run_call_end(&run, &event);
	run_end(&run);
	assert_string_equal(run.text,
		"{\"version\":1,\"kind\":\"syscall\",\"pid\":7,\"tid\":8,\"comm\":\"cat\","
		"\"time\":\"2026-11-30T02:25:16.749491123Z\",\"monotonic\":1131.000000005,"
		"\"name\":\"openat\",\"number\":257,\"abi\":\"x86_64\",\"args\":["
		"{\"name\":\"dirfd\",\"role\":\"dirfd\",\"value\":-100,\"symbol\":\"AT_FDCWD\","
		"\"text\":\"AT_FDCWD\"},"
		"{\"name\":\"path\",\"role\":\"path\",\"value\":\"/x\",\"address\":4096,"
		"\"dirfd\":-100,\"text\":\"\\\"/x\\\"\"},"
		"{\"name\":\"flags\",\"value\":524288,\"symbols\":[\"O_RDONLY\",\"O_CLOEXEC\"],"
		"\"text\":\"O_RDONLY|O_CLOEXEC\"}],"
		"\"result\":\"error\",\"return\":-1,\"error\":\"ENOENT\",\"errno\":2,"
		"\"duration\":0.000012000}\n");
}

CASE(a_call_that_still_runs)
{
	struct call call = {.number = 219, .resumes = "poll"};
	struct event event = call_event(&call);
	struct run run;

	event.in_flight = true;
	run_start(&run, "json", &(struct output_options){.align = 40});
	run_begin(&run, &event);
	run_call_runs(&run, &event);
	call.result = CALL_ERROR;
	call.error = 4;
	call.is_disturbed = true;
	run_call_end(&run, &event);
	run_end(&run);
	assert_non_null(strstr(run.text,
		"\"number\":219,\"abi\":\"x86_64\",\"resumes\":\"poll\",\"met\":true,"
		"\"args\":[],\"result\":\"running\",\"duration\":0.000012000}\n"));
	assert_non_null(strstr(run.text, "\"error\":\"EINTR\",\"errno\":4,\"disturbed\":true,"));
}

static void expect_result(struct call *call, const char *text)
{
	struct event event = call_event(call);
	struct run run;

	run_start(&run, "json", &(struct output_options){.align = 40});
	run_call_end(&run, &event);
	run_end(&run);
	assert_non_null(strstr(run.text, text));
}

CASE(results)
{
	struct call call = {.number = 500, .result = CALL_SUCCESS, .retval = 3};

	expect_result(&call, "\"monotonic\":1131.000000005,\"number\":500,\"abi\":\"x86_64\","
			     "\"args\":[],\"result\":\"success\",\"return\":3,\"duration\":");
	call.ret = NODE(.kind = VALUE_NUMBER, .role = ROLE_FD, .number = 3,
		.notes = NOTE(NOTE_PATH, "/x"));
	expect_result(&call, "\"return\":3,\"return_info\":{\"role\":\"fd\",\"value\":3,"
			     "\"path\":\"/x\",\"text\":\"3</x>\"},\"duration\"");
	call.ret = NULL;
	call.note = labelled("flags", FLAGS(2, NAMED("O_RDWR", 2)));
	expect_result(&call, "\"return\":3,\"note\":{\"name\":\"flags\",\"value\":2,"
			     "\"symbols\":[\"O_RDWR\"],\"text\":\"flags O_RDWR\"},\"duration\"");
	call.result = CALL_RESTART;
	call.error = 512;
	expect_result(&call, "\"result\":\"restart\",\"return\":null,\"error\":\"ERESTARTSYS\","
			     "\"errno\":512,\"duration\":");
	call.result = CALL_NO_RESULT;
	expect_result(&call, "\"result\":\"none\",\"return\":null}\n");
	call.result = CALL_UNFINISHED;
	expect_result(&call, "\"result\":\"unfinished\",\"return\":null}\n");
}

static void expect_event(struct event event, const char *tail)
{
	char expected[512];
	struct run run;

	run_start(&run, "json", &(struct output_options){.align = 40});
	run_event(&run, &event);
	run_end(&run);
	snprintf(expected, sizeof(expected), "\"monotonic\":0.000000000,%s}\n", tail);
	assert_non_null(strstr(run.text, expected));
}

CASE(other_events)
{
	expect_event((struct event){.kind = EVENT_SIGNAL,
			     .signal = {.number = 2, .info = STRUCT(labelled("si_pid", INT(1)))}},
		"\"signal\":\"SIGINT\",\"number\":2,\"info\":{\"si_pid\":1}");
	expect_event((struct event){.kind = EVENT_STOPPED, .signal = {.number = 19}},
		"\"signal\":\"SIGSTOP\",\"number\":19");
	expect_event((struct event){.kind = EVENT_EXITED, .exit = {.status = 3}}, "\"status\":3");
	expect_event(
		(struct event){.kind = EVENT_KILLED, .exit = {.status = 11, .core_dumped = true}},
		"\"signal\":\"SIGSEGV\",\"number\":11,\"core_dumped\":true");
	expect_event((struct event){.kind = EVENT_SUPERSEDED, .superseded = {.by = 9}}, "\"by\":9");
	expect_event((struct event){.kind = EVENT_NOTE, .text = "x"}, "\"text\":\"x\"");
}

CASE(stacks)
{
	struct unwind_frame frames[] = {
		{.pc = 4096, .map_name = "[stack]", .origin = FRAME_ORIGIN_REGISTERS},
		{.pc = 8192, .map_name = "", .origin = FRAME_ORIGIN_GUESS, .is_signal_frame = true},
	};
	struct unwind_stack stack = {.frames = frames,
		.count = 2,
		.end = FRAME_END_NO_RULE,
		.end_address = 8192,
		.folded = 5,
		.fold_at = 1};

	expect_event((struct event){.kind = EVENT_EXITED, .stack = &stack},
		"\"status\":0,\"stack\":["
		"{\"pc\":4096,\"mapping\":\"[stack]\",\"origin\":\"registers\"},"
		"{\"frames_left_out\":5},"
		"{\"pc\":8192,\"origin\":\"guess\",\"signal_frame\":true}],"
		"\"stack_end\":\"no_rule\",\"stack_end_address\":8192");
}

static const char reader[] =
	"import json, sys\n"
	"count = 0\n"
	"for line in open(sys.argv[1], encoding='utf-8', newline='\\n'):\n"
	"    event = json.loads(line)\n"
	"    argument = event['args'][0]\n"
	"    if 'value_hex' in argument:\n"
	"        found = bytes.fromhex(argument['value_hex'])\n"
	"        assert found.decode(errors='surrogateescape') != argument['value']\n"
	"    else:\n"
	"        found = argument['value'].encode()\n"
	"    assert found == bytes.fromhex(argument['name']), line\n"
	"    assert event['return'] == event['args'][1]['value'] == int(event['args'][1]['name'])\n"
	"    count += 1\n"
	"assert count == 2000, count\n";

// Bytes of several kinds: ASCII, two- and three-byte sequences (some broken), anything.
static size_t some_bytes(uint8_t *bytes, unsigned *seed)
{
	size_t length = (size_t)rand_r(seed) % 12;
	int kind = rand_r(seed) % 4;

	for (size_t i = 0; i < length; i++) {
		bytes[i] = (uint8_t)rand_r(seed);
		if (kind == 0)
			bytes[i] &= 0x7f;
		else if (kind == 1)
			bytes[i] = i % 2 ? 0x80 | (bytes[i] & 0x3f) : 0xc2 | (bytes[i] & 0x1f);
		else if (kind == 2)
			bytes[i] = i % 3 ? 0x80 | (bytes[i] & 0x3f) : 0xe0 | (bytes[i] & 0x0f);
	}
	return length;
}

static void write_call(struct run *run, unsigned *seed)
{
	uint8_t bytes[16];
	size_t length = some_bytes(bytes, seed);
	uint64_t number = (uint64_t)rand_r(seed) << 33 ^ (uint64_t)rand_r(seed) << 8;
	char hex[64] = "", decimal[32];
	struct call call = {.syscall = &openat_row,
		.args = {labelled(hex, COUNTED((const char *)bytes, length)),
			labelled(decimal, UNSIGNED(number))},
		.arg_count = 2,
		.result = CALL_SUCCESS,
		.ret = UNSIGNED(number)};
	struct event event = call_event(&call);

	for (size_t i = 0; i < length; i++)
		snprintf(hex + 2 * i, 3, "%02x", bytes[i]);
	snprintf(decimal, sizeof(decimal), "%llu", (unsigned long long)number);
	run_call_end(run, &event);
}

CASE(an_independent_reader_gets_every_byte_and_number_back)
{
	unsigned seed = 1;
	cleanup_free char *command = NULL;
	struct run run;

	if (system("python3 -c 'import json'") != 0) {
		print_message("python3 is missing\n");
		skip();
	}
	run_start(&run, "json", &(struct output_options){.align = 40});
	for (int i = 0; i < 2000; i++)
		write_call(&run, &seed);
	sink_flush(run.sink);
	assert_true(asprintf(&command, "python3 - %s", run.path) > 0);

	FILE *python = popen(command, "w");
	assert_non_null(python);
	fputs(reader, python);
	assert_int_equal(pclose(python), 0);
	run_end(&run);
}

RUN_CASES(ADD(numbers_are_numbers), ADD(names_come_with_their_number),
	ADD(ordinary_strings_are_plain), ADD(other_bytes_come_with_their_hex), ADD(pointers),
	ADD(aggregates), ADD(a_struct_is_never_taken_for_a_value_with_properties),
	ADD(members_without_a_label_get_a_key), ADD(notes_are_properties),
	ADD(a_call_is_one_line_at_its_end), ADD(a_call_that_still_runs), ADD(results),
	ADD(other_events), ADD(stacks), ADD(an_independent_reader_gets_every_byte_and_number_back));
