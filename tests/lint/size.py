# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Files stay small enough to be read at once: 800 lines, and 100 columns where we format."""

LINES = 800
COLUMNS = 100
SOURCES = (".c", ".h", ".py", ".sh", ".desc", ".build", "")
# Tables of numbers are data: their length is the kernel's.
DATA = (".tbl", ".const", ".tsv")


def check(root, files, _program):
    problems = []
    for name in files:
        if name.suffix in DATA or name.suffix not in SOURCES or name.name.startswith("."):
            continue
        if name.name == "LICENSE":
            continue
        lines = (root / name).read_text(errors="replace").splitlines()
        if len(lines) > LINES:
            problems.append(f"{name}: {len(lines)} lines; split it by sub-noun")
        if name.suffix in (".c", ".h", ".py"):
            problems += [
                f"{name}:{number}: {len(line.expandtabs())} columns"
                for number, line in enumerate(lines, 1)
                if len(line.expandtabs(8)) > COLUMNS
            ]
    return problems
