# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Files that change, lie, or are made to cost much: tracer survives them and says so."""

import pathlib
import subprocess
import sys
import tempfile

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


tap.run(globals())
