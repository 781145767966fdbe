#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""The checks of tests/lint find what they look for."""

import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import cpus  # noqa: E402
import cycles  # noqa: E402
import functions  # noqa: E402
import headers  # noqa: E402
import hooks  # noqa: E402
import layers  # noqa: E402
import rooms  # noqa: E402
import tap  # noqa: E402

# a and b need each other through c; d is needed by them and needs nobody.
USES = {"a": {"b": "f", "d": "i"}, "b": {"c": "g"}, "c": {"a": "h"}, "d": {}}


def existing(_name):
    return True


def test_a_cycle_is_one_group():
    assert cycles.components(USES) == [("a", "b", "c")]


def test_a_listed_cycle_is_no_problem():
    listed = cycles.read_list("# what it is\n\nREASON so\na\nb\nc\n")
    assert cycles.compare(USES, listed, existing) == []


def test_an_unlisted_file_of_a_cycle_is_told_with_its_symbols():
    (problem,) = cycles.compare(USES, [], existing)
    assert "a b c" in problem and "b needs c (g)" in problem, problem


def test_a_list_that_is_too_long_must_shrink():
    listed = [({"a", "b", "c", "d"}, "so")]
    (problem,) = cycles.compare(USES, listed, existing)
    assert "d is in no cycle" in problem, problem


def test_a_group_that_is_built_in_part_is_not_judged():
    without_c = {"a": {"b": "f"}, "b": {}}
    listed = [({"a", "b", "c"}, "so")]
    assert cycles.compare(without_c, listed, existing) == []
    problems = cycles.compare(without_c, listed, lambda name: name != "c")
    assert len(problems) == 3, problems


def test_a_group_says_why():
    problems = cycles.compare(USES, [({"a", "b", "c"}, "")], existing)
    assert problems == [f"{cycles.LIST}: no REASON for a b c"], problems


C_CODE = """
#define MANY(x) do { if (x) { } } while (0)
static const struct foo table[] = {{1, "("}, {2, "}"}};
struct error *deep(int a)
{
	for (;;) {
		if (a == '{')
			while (a)
				switch (a) { case 1: a = 2; }
		else if (a)
			return (struct foo){.a = 1};
	}
	array_each(list, item) {
		if (item) return;
	}
	do a--; while (a); // if {
}

static void flat(void (*call)(int)) { call(1); }
"""


def test_the_depth_of_c():
    found = [(name, lines, depth) for name, _, lines, depth, _ in functions.c_functions(C_CODE)]
    assert found == [("deep", 13, 4), ("flat", 1, 0)], found


def test_the_line_of_the_deepest_statement():
    (_, line, _, _, deepest), _ = functions.c_functions(C_CODE)
    assert C_CODE.split("\n")[line - 1] == "{", line
    assert "switch" in C_CODE.split("\n")[deepest - 1], deepest


def test_the_depth_of_python():
    code = "def f():\n  for a in b:\n    if a:\n      c\n    elif d:\n      e\n    else:\n      g\n"
    assert list(functions.python_functions(code)) == [("f", 1, 8, 2, 3)]


def test_how_a_header_opens():
    assert headers.opening_problem("/**\n * Bytes, e.g. of\n * a file. It is.\n */\n") is None
    assert headers.opening_problem("/** --sched: how long threads ran. */") is None
    assert "no comment" in headers.opening_problem("// One.\nint a;\n")
    assert "no sentence" in headers.opening_problem("/** bytes of a file. */")
    assert "longer" in headers.opening_problem("/** Bytes of a file */")
    assert "'This'" in headers.opening_problem("/** This reads a file. */")


TABLE = """
| 0 | `src/base` | libc |
| 1 | `lib` | base |
| 1.1 | `lib/low` | lib, base |
| 1.2 | `lib/high` | low, lib, base |
| 2 | `src/top` | all above |
"""


def test_rooms_of_a_library_are_not_all_above():
    table, problems = layers.read_table(TABLE)
    assert problems == []
    assert table["src/top"] == {"base", "lib", "top"}, table
    assert table["lib/high"] == {"low", "lib", "base", "high"}, table


def test_a_room_may_not_use_one_that_is_not_lower():
    _, problems = layers.read_table(TABLE.replace("| lib, base |", "| high, lib, base |"))
    assert problems == ["layer table: lib/low uses high, which is not lower"]


def test_what_a_library_keeps_for_itself():
    assert layers.is_private("src/output", "unwind/frame.h")
    assert not layers.is_private("src/output", "unwind/unwind.h")
    assert not layers.is_private("unwind/walk", "unwind/frame.h")
    assert not layers.is_private("src/output", "decode/value.h")


ROOMS = """## 3. Rooms

```
README.md, LICENSE    what it is
src/base/             words with a colon: no names
  buf                 text
  bits.h hook_*.c     two spaces end the names
                      and this goes on
syscalls/
  file net (.desc)    by topic
tests/
  unit/               all below
```
"""
TREE = [
    "README.md", "LICENSE", "src/base/buf.c", "src/base/buf.h", "src/base/bits.h",
    "src/base/hook_a.c", "src/base/meson.build", "syscalls/file.desc", "syscalls/net.desc",
    "tests/unit/run.py",
]  # fmt: skip


def test_names_of_cpus():
    for line in ("case EM_X86_64:", "regs.rip = 0;", "AUDIT_ARCH_I386", "x32", "orig_eax"):
        assert cpus.names_in(line) == [line], line
    for line in ("abi->audit_arch", "AUDIT_ARCH_*", "description", "strip(x)", "ABI_COUNT"):
        assert cpus.names_in(line) == [], line


def test_hooks_that_are_explained():
    text = " *\ta[n], b   what\n#include\nhook_fn hook_a;\nhook_fn hook_b;\n"
    assert hooks.problems(text) == []


def test_a_hook_without_a_line():
    (problem,) = hooks.problems(" *\ta   what\n#include\nhook_fn hook_a;\nhook_fn hook_c;\n")
    assert "hook c" in problem, problem


def test_too_many_hooks():
    lines = "".join(f" *\th{i}   what\n" for i in range(hooks.MOST + 1))
    text = lines + "#include\n" + "".join(f"hook_fn hook_h{i};\n" for i in range(hooks.MOST + 1))
    (problem,) = hooks.problems(text)
    assert "at most" in problem, problem


def rooms_of(names):
    return rooms.compare(ROOMS, [pathlib.PurePath(name) for name in names])


def test_rooms_that_are_true():
    assert rooms_of(TREE) == []


def test_rooms_that_are_not_there():
    problems = rooms_of([name for name in TREE if name not in ("src/base/buf.h", "LICENSE")])
    assert problems == [
        f"{rooms.DOCUMENT}:4: there is no LICENSE",
        f"{rooms.DOCUMENT}:6: there is no src/base/buf.h",
    ], problems


def test_files_in_no_room():
    more = ["src/base/x.c", "src/base/deep/hook_b.c", "syscalls/x.desc", "tests/tap.py"]
    problems = rooms_of(TREE + more)
    assert problems == [f"{rooms.DOCUMENT}: {name} is in no room" for name in more], problems


tap.run(globals())
