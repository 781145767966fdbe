# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Includes may only go down: reads the table of doc/architecture.md and every #include."""

import re

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
ROW = re.compile(r"^\| (\d+) \| `([^`]+)`[^|]*\| ([^|]+) \|$", re.MULTILINE)

# Libraries that the table gives to single folders, by the start of their headers.
LIBRARIES = {
    "libdw": ("dwarf.h", "elfutils/"),
    "libelf": ("libelf.h", "gelf.h"),
    "libunwind": ("libunwind",),
}


def read_table(text):
    """folder -> the set of words it may use, itself included."""
    rows = [(int(layer), folder, uses.strip()) for layer, folder, uses in ROW.findall(text)]
    table = {}
    for layer, folder, uses in rows:
        below = {short(other) for number, other, _ in rows if number < layer}
        words = set(re.findall(r"\w+", uses))
        table[folder] = below if "all" in words else words
        table[folder].add(short(folder))
    return table


def short(folder):
    return folder.rsplit("/", 1)[-1]


def folder_of(name):
    return name.parts[0] if name.parts[0] != "src" else "/".join(name.parts[:2])


def used_by(bracket, target, name, known):
    """What an include uses: the short name of a folder, of a library, or None."""
    if target.startswith("syscalls/"):
        return "schema"  # whose data the generated tables are
    if bracket == '"':
        return target.split("/")[0] if "/" in target else folder_of(name).split("/")[-1]
    if target.split("/")[0] in known and "/" in target:
        return target.split("/")[0]
    for library, starts in LIBRARIES.items():
        if target.startswith(starts):
            return library
    return None


def check(root, files, _program):
    table = read_table((root / "doc/architecture.md").read_text())
    if "src/base" not in table:
        return ["doc/architecture.md: the layer table is gone"]
    problems = []
    known = {short(folder) for folder in table}
    for name in files:
        if name.suffix not in (".c", ".h") or name.parts[0] not in ("src", "unwind"):
            continue
        folder = folder_of(name)
        if folder not in table:
            problems.append(f"{name}: {folder} is not in the layer table")
            continue
        text = (root / name).read_text()
        for match in INCLUDE.finditer(text):
            used = used_by(match[1], match[2], name, known)
            if used is not None and used not in table[folder]:
                line = text.count("\n", 0, match.start()) + 1
                problems.append(f"{name}:{line}: {folder} may not use {used} ({match[2]})")
    return problems
