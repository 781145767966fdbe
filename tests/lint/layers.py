# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Includes may only go down: reads the table of doc/architecture.md and every #include."""

import re

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
ROW = re.compile(r"^\| (\d+(?:\.\d+)?) \| `([^`]+)`[^|]*\| ([^|]+) \|$", re.MULTILINE)

# Libraries that the table gives to single folders, by the start of their headers.
LIBRARIES = {
    "libdw": ("dwarf.h", "elfutils/"),
    "libelf": ("libelf.h", "gelf.h"),
    "libunwind": ("libunwind",),
}

# All that others include of a library.
PUBLIC = {"unwind": ("unwind/unwind.h", "unwind/report.h")}


def read_table(text):
    """folder -> the set of words it may use, itself included; and what is wrong with the table.

    Rooms of a folder that has a row itself are its own affair: "all above" does not mean them.
    """
    rows = [(float(layer), folder, uses.strip()) for layer, folder, uses in ROW.findall(text)]
    layers = {short(folder): layer for layer, folder, _ in rows}
    outer = {folder for _, folder, _ in rows}
    table, problems = {}, []
    for layer, folder, uses in rows:
        below = {
            short(other)
            for number, other, _ in rows
            if number < layer and other.rpartition("/")[0] not in outer
        }
        words = set(re.findall(r"\w+", uses))
        table[folder] = below if "all" in words else words
        problems += [
            f"layer table: {folder} uses {word}, which is not lower"
            for word in sorted(table[folder])
            if layers.get(word, -1) >= layer
        ]
        table[folder].add(short(folder))
    return table, problems


def short(folder):
    return folder.rsplit("/", 1)[-1]


def folder_of(name):
    """src/decode, unwind, unwind/walk."""
    return "/".join(name.parts[:-1][:2])


def used_by(bracket, target, name, known):
    """What an include uses: the short name of a folder, of a library, or None."""
    if target.startswith("syscalls/"):
        return "schema"  # whose data the generated tables are
    # What is not in src is written from the top: "unwind/walk/fallback.h".
    folders = target.split("/")[:-1][:2]
    if bracket == '"':
        return folders[-1] if folders else short(folder_of(name))
    if folders and folders[0] in known:
        return folders[-1]
    for library, starts in LIBRARIES.items():
        if target.startswith(starts):
            return library
    return None


def is_private(folder, target):
    """Whether an include is of a header that its library keeps for itself."""
    library = target.split("/")[0]
    return (
        library in PUBLIC
        and folder.split("/")[0] != library
        and target not in PUBLIC[library]
    )


def check(root, files, _program):
    table, problems = read_table((root / "doc/architecture.md").read_text())
    if "src/base" not in table:
        return ["doc/architecture.md: the layer table is gone"]
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
            line = text.count("\n", 0, match.start()) + 1
            if used is not None and used not in table[folder]:
                problems.append(f"{name}:{line}: {folder} may not use {used} ({match[2]})")
            elif is_private(folder, match[2]):
                public = " or ".join(PUBLIC[match[2].split("/")[0]])
                problems.append(f"{name}:{line}: not {match[2]}, but {public}")
    return problems
