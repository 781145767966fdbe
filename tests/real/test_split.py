# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Split DWARF: inlined calls are in .dwo or .dwp files, wherever these are."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS))
sys.path.insert(0, str(TESTS / "real"))

import marked  # noqa: E402
import tap  # noqa: E402
import tracing  # noqa: E402

FOLDER = tempfile.TemporaryDirectory(prefix="tracer-split-")
COUNTER = [0]
# Several ranges in the inlined call, so that its list of ranges is read. Not from the first
# byte of the unit on: gcc 12 would write an empty range there, which before DWARF 5 is the end.
ONE = """
#include <sys/syscall.h>
#include <unistd.h>

long before(long x);
__attribute__((noinline)) long before(long x)
{
	return x * x;
}

static inline __attribute__((always_inline)) long inlined_one(long x)
{
	if (x > 3) {
		long ret = syscall(SYS_getpriority, 0, 0);
		return ret == 77 ? x * 3 : ret + 1;
	}
	return x;
}

__attribute__((noinline)) long one(long x)
{
	long first = inlined_one(x);
	return first + inlined_one(x - 10) * 7;
}
"""
TWO = """
long one(long x);

static inline __attribute__((always_inline)) long inlined_two(long x)
{
	return one(x + 1) + 1;
}

int main(int argc, char **argv)
{
	(void)argv;
	return inlined_two(argc + 4) == 99;
}
"""
KINDS = [("gcc", 4), ("gcc", 5), ("clang", 4), ("clang", 5)]


def fresh():
    COUNTER[0] += 1
    path = pathlib.Path(FOLDER.name) / str(COUNTER[0])
    path.mkdir()
    return path


def available():
    kinds = [kind for kind in KINDS if shutil.which(kind[0])]
    if not kinds:
        raise tap.Skip("neither gcc nor clang is installed")
    return kinds


def build(compiler, version):
    """The folder of a program of two split units."""
    folder = fresh()
    for name, text in [("one", ONE), ("two", TWO)]:
        (folder / f"{name}.c").write_text(text)
    flags = f"-O2 -g -gdwarf-{version} -gsplit-dwarf"
    marked.shell(
        f"cd {folder} && {compiler} {flags} -c one.c && {compiler} {flags} -c two.c"
        f" && {compiler} one.o two.o -o prog && rm one.o two.o"
    )
    return folder


def line_of(text, what):
    return next(i for i, line in enumerate(text.splitlines(), 1) if what in line)


def frames_of(program, *options):
    _, lines = tracing.run(
        ["-k", "--no-cache", "-e", "trace=getpriority", *options], [str(program)]
    )
    frames = [marked.Frame(line) for line in lines if line.startswith(" > ")]
    return [
        (frame.function, os.path.basename(frame.file or ""), frame.line)
        for frame in frames
        if frame.path == str(program) and frame.function != "_start"
    ]


def complete():
    return [
        ("inlined_one", "one.c", str(line_of(ONE, "syscall("))),
        ("one", "one.c", str(line_of(ONE, "first = inlined_one"))),
        ("inlined_two", "two.c", str(line_of(TWO, "return one("))),
        ("main", "two.c", str(line_of(TWO, "return inlined_two"))),
    ]


def without_inlined_calls():
    return [("one", "one.c", complete()[0][2]), ("main", "two.c", complete()[2][2])]


def move(folder, files, where):
    where.mkdir(parents=True, exist_ok=True)
    for name in files:
        shutil.move(folder / name, where / name)


UNITS = ["one.dwo", "two.dwo"]


def test_in_the_folder_of_compilation():
    for kind in available():
        folder = build(*kind)
        assert frames_of(folder / "prog") == complete(), (kind, frames_of(folder / "prog"))


def test_below_a_debug_dir():
    for kind in available():
        folder = build(*kind)
        move(folder, UNITS, folder / f"d/{folder}")
        assert frames_of(folder / "prog") == without_inlined_calls(), kind
        assert frames_of(folder / "prog", f"--debug-dir={folder}/d") == complete(), kind


def test_moved_together_with_the_program():
    for kind in available():
        folder = build(*kind)
        move(folder, [*UNITS, "prog"], folder / "moved")
        assert frames_of(folder / "moved/prog") == complete(), kind


def packaged():
    """Folders of programs with a .dwp file: dwp is for DWARF 4, llvm-dwp for 5."""
    made = []
    for compiler, version in available():
        tool = "llvm-dwp" if version == 5 else "dwp"
        # llvm-dwp 14 does not come to an end with two units of gcc.
        if not shutil.which(tool) or (compiler, version) == ("gcc", 5):
            continue
        folder = build(compiler, version)
        marked.shell(
            f"cd {folder} && timeout 60 {tool} one.dwo two.dwo -o prog.dwp && rm one.dwo two.dwo"
        )
        made.append(folder)
    if not made:
        raise tap.Skip("dwp is not installed")
    return made


def test_package_beside_the_program():
    for folder in packaged():
        assert frames_of(folder / "prog") == complete(), frames_of(folder / "prog")


def test_package_below_a_debug_dir():
    for folder in packaged():
        move(folder, ["prog.dwp"], folder / f"d/{folder}")
        assert frames_of(folder / "prog") == without_inlined_calls()
        assert frames_of(folder / "prog", f"--debug-dir={folder}/d") == complete()


def report(program):
    done = subprocess.run(
        [*tracing.tracer(), "--explain-symbols", "--format=json", str(program)],
        capture_output=True, text=True, check=True, timeout=tracing.PATIENCE,
    )  # fmt: skip
    return json.loads(done.stdout)


def misses(entry):
    return [(one["path"], one["reason"], one["text"]) for one in entry["tried"]]


def test_missing_files_are_told_once():
    for kind in available():
        folder = build(*kind)
        assert "limit" not in report(folder / "prog")["names"]
        move(folder, UNITS, folder / "away")
        assert frames_of(folder / "prog") == without_inlined_calls(), "lines and names stay"
        entry = report(folder / "prog")
        assert entry["lines"], entry
        assert entry["names"]["limit"] == "inlined calls are in files that are missing"
        assert all(one["for"] == "split_units" for one in entry["tried"])
        absent = [path for path, reason, _ in misses(entry) if reason == "absent"]
        assert f"{folder}/prog.dwp" in absent
        units = [path for path in absent if path.endswith(".dwo")]
        assert f"{folder}/one.dwo" in units or f"{folder}/two.dwo" in units
        names = {os.path.basename(path) for path in units}
        assert len(names) == 1, "of many units, one is told"


def test_file_of_another_unit():
    for kind in available():
        folder = build(*kind)
        shutil.copy(folder / "one.dwo", folder / "two.dwo")
        shutil.copy(folder / "two.dwo", folder / "one.dwo")
        other = build(*kind)
        # The same names, other units: made from another source.
        for name in UNITS:
            source = (other / name.replace("dwo", "c")).read_text() + "\nint more;\n"
            (other / name.replace("dwo", "c")).write_text(source)
        flags = f"-O2 -g -gdwarf-{kind[1]} -gsplit-dwarf"
        marked.shell(f"cd {other} && {kind[0]} {flags} -c one.c two.c")
        for name in UNITS:
            shutil.copy(other / name, folder / name)
        assert frames_of(folder / "prog") == without_inlined_calls(), kind
        found = misses(report(folder / "prog"))
        assert any(
            reason == "no_unit" and text.startswith("does not hold the unit: ")
            for _, reason, text in found
        ), found


tap.run(globals())
