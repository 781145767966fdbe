# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Files that change, lie, or are made to cost much: tracer survives them and says so."""

import json
import lzma
import os
import pathlib
import resource
import struct
import subprocess
import sys
import tempfile
import zlib

sys.dont_write_bytecode = True
TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS))

import tap  # noqa: E402
import tracing  # noqa: E402

FOLDER = tempfile.TemporaryDirectory(prefix="tracer-hostile-")
COUNTER = [0]


def fresh():
    COUNTER[0] += 1
    path = pathlib.Path(FOLDER.name) / str(COUNTER[0])
    path.mkdir()
    return path


def build(path, text, *options):
    command = ["gcc", "-x", "c", "-", "-x", "none", "-o", str(path), *options]
    subprocess.run(command, input=text, text=True, check=True)
    return path


LIBRARY = """
#include <unistd.h>
// Not loaded, and before .symtab: files beyond 64 MiB are mapped instead of read.
__asm__(".pushsection .padding,\\"\\",@progbits; .zero 70 * 1024 * 1024; .popsection");
int first_of_library(void) { char byte; return (int)read(0, &byte, 1) + 0; }
int second_of_library(void) { char byte; return (int)read(0, &byte, 1) + 0; }
"""
PROGRAM = """
int first_of_library(void), second_of_library(void);
int main(void) { return first_of_library() + second_of_library() - 2; }
"""


def test_a_mapped_library_that_is_cut():
    folder = fresh()
    library = build(folder / "libcut.so", LIBRARY, "-shared", "-fPIC", "-O0")
    program = build(folder / "program", PROGRAM, str(library))
    trace = folder / "trace"
    report = ["--explain-symbols=libcut.so"]
    with subprocess.Popen(
        [*tracing.tracer(), "-k", "-e", "trace=read", *report, "-o", trace, "--", program],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0,
    ) as process:  # fmt: skip
        process.stdin.write(b"x")
        tracing.wait_until(
            lambda: trace.exists() and "first_of_library" in trace.read_text(), "the first stack"
        )
        with open(library, "r+b") as file:
            file.truncate(1024 * 1024)
        said, wrong = process.communicate(b"x", timeout=tracing.PATIENCE)
        assert process.returncode == 0, (process.returncode, wrong)
    assert trace.read_text().count("libcut.so") >= 2
    report = (said + wrong).decode() + trace.read_text()
    assert "was truncated while it was read" in report, report


# A sanitizer keeps more memory and takes more time than the program: what is refused here would
# take many times as much.
MEMORY_MAX = 1 << 30
SECONDS_MAX = 60
SHF_COMPRESSED = 0x800


def limited():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS_MAX, SECONDS_MAX))


def bounded(options):
    """Runs tracer to its end, within bounds of memory and processor time."""
    with subprocess.Popen(
        [*tracing.tracer(), *map(str, options)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, preexec_fn=limited,
    ) as process:  # fmt: skip
        said = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, (process.returncode, said)
    assert used.ru_maxrss * 1024 < MEMORY_MAX, used.ru_maxrss
    return said


def failures(path):
    report = json.loads(bounded(["--explain-symbols", "--format=json", path]))
    return [(one["path"], one["reason"], one["text"]) for one in report["tried"]]


def elf(path, sections, blobs):
    """An ELF file of section headers (name, type, flags, blob), which may share blobs."""
    names, offsets, data = b"\0", [], b""
    for blob in blobs:
        offsets.append(64 + len(data))
        data += blob + bytes(-len(blob) % 16)
    headers = bytes(64)
    for name, kind, flags, blob in [*sections, (".shstrtab", 3, 0, None)]:
        at, size = (offsets[blob], len(blobs[blob])) if blob is not None else (0, 0)
        place = names.find(b"\0" + name.encode() + b"\0") + 1
        if not place:
            place = len(names)
            names += name.encode() + b"\0"
        headers += struct.pack("<IIQQQQIIQQ", place, kind, flags, 0, at, size, 0, 0, 1, 24)
    start = 64 + len(data)
    headers = headers[:-40] + struct.pack("<QQIIQQ", start, len(names), 0, 0, 1, 0)
    count = len(headers) // 64
    table = start + len(names)
    head = struct.pack(
        "<16sHHIQQQIHHHHHH", b"\x7fELF\2\1\1", 3, 62, 1, 0, 0, table, 0, 64, 0, 0, 64, count,
        count - 1,
    )  # fmt: skip
    path.write_bytes(head + data + names + headers)
    return path


def test_packed_symbols_that_are_a_bomb():
    folder = fresh()
    program = build(folder / "program", "int main(void) { return 0; }")
    bomb = folder / "bomb"
    bomb.write_bytes(lzma.compress(b"\x7fELF\2\1\1" + bytes(64 * 1024 * 1024), preset=1))
    subprocess.run(["strip", program], check=True)
    subprocess.run(
        ["objcopy", f"--add-section=.gnu_debugdata={bomb}", program], check=True
    )
    assert (".gnu_debugdata", "unpacks_to_too_much", "unpacks to too much") in failures(program)


def test_one_packed_section_that_is_a_bomb():
    bomb = struct.pack("<IIQQ", 1, 0, 64 << 20, 1) + zlib.compress(bytes(64 << 20))
    sections = [(".debug_info", 1, SHF_COMPRESSED, 0), (".debug_abbrev", 1, 0, 0)]
    path = elf(fresh() / "bomb", [*sections, (".debug_line", 1, 0, 0)], [bomb])
    assert [one for one in failures(path) if one[1] == "unpacks_to_too_much"]


def test_many_headers_of_one_name():
    """Only the first counts; all together would be 7 GiB, or 8,000 times the file."""
    packed = struct.pack("<IIQQ", 1, 0, 1 << 20, 1) + zlib.compress(bytes(1 << 20))
    sections = [(".debug_info", 1, SHF_COMPRESSED, 0)] * 7000
    failures(elf(fresh() / "packed", [*sections, (".debug_line", 1, 0, 0)], [packed]))
    sections = [(".debug_info", 1, 0, 0)] * 8000
    failures(elf(fresh() / "plain", [*sections, (".debug_line", 1, 0, 0)], [bytes(1 << 19)]))


def test_a_debug_link_to_a_hole():
    folder = fresh()
    program = build(folder / "program", "int main(void) { return 0; }", "-Wl,--build-id=none")
    debug = folder / "program.debug"
    subprocess.run(["objcopy", "--only-keep-debug", program, debug], check=True)
    subprocess.run(["strip", program], check=True)
    subprocess.run(["objcopy", f"--add-gnu-debuglink={debug}", program], check=True)
    try:
        os.truncate(debug, 4 << 40)
    except OSError as error:
        raise tap.Skip(f"the file system has no files of 4 TiB ({error})") from error
    assert [one for one in failures(program) if "mostly a hole" in one[2]], failures(program)


CFI = """
.globl main
main: .cfi_startproc
.cfi_escape 0x05, 0xff, 0xff, 0xff, 0x03, 0x00
.rept 60
.cfi_remember_state
.endr
mov $39, %eax
syscall
xor %eax, %eax
ret
.cfi_endproc
"""


def test_registers_that_there_are_not():
    """60 times 8 million registers are 8 GB."""
    folder = fresh()
    program = folder / "program"
    command = ["gcc", "-x", "assembler", "-", "-no-pie", "-o", str(program)]
    subprocess.run(command, input=CFI, text=True, check=True)
    options = ["-k", "-e", "trace=getpid", "--explain-symbols=program", "--", program]
    said = bounded(options)
    assert "getpid()" in said, said
    assert "unpacks to too much: the registers and states in .eh_frame" in said, said


tap.run(globals())
