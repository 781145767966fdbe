# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""The list of rooms in doc/architecture.md and the tree agree.

A line without indent names a folder, ending in a slash, or files; two spaces in front are what
is in the folder; more continue the line before. A name without ending is a pair of .c and .h,
or has the ending that stands in parentheses.
"""

import fnmatch
import re

DOCUMENT = "doc/architecture.md"
# Folders whose files must all be listed, and with which endings; others list what they like.
COMPLETE = {
    "src": (".c", ".h", ".S"),
    "unwind": (".c", ".h", ".S"),
    "doc": (".md", ".scd"),
    "syscalls": (".desc", ".py", ".tbl", ".const", ".sub"),
    "tests": (".py",),
}


def block_of(text):
    """The lines of the list, each with its number."""
    lines = text.split("\n")
    try:
        start = next(i for i, line in enumerate(lines) if re.match(r"## \d+\. Rooms", line))
        first = lines.index("```", start) + 1
        end = lines.index("```", first)
    except (StopIteration, ValueError):
        return []
    return [(number + 1, lines[number]) for number in range(first, end)]


def names_of(words, folder):
    """Paths that the words before a description stand for."""
    ending = re.search(r"\((\.\w+)\)", words)
    for word in re.sub(r"\(.*?\)", "", words).replace(",", " ").split():
        if word.endswith("/") or "." in word or not folder:
            yield folder + word
        elif ending:
            yield folder + word + ending[1]
        else:
            yield f"{folder}{word}.c"
            yield f"{folder}{word}.h"


def listed(text):
    """[(line number, path or pattern)]"""
    found = []
    folder = ""
    for number, line in block_of(text):
        words = re.split(r" {2,}", line.strip())[0]
        indent = len(line) - len(line.lstrip())
        if not words or indent > 2:
            continue
        if indent == 0:
            folder = words if words.endswith("/") and " " not in words else ""
            found += [(number, folder)] if folder else [(number, p) for p in names_of(words, "")]
        else:
            found += [(number, path) for path in names_of(words, folder)]
    return found


def must_be_listed(name):
    return name.suffix in COMPLETE.get(name.parts[0], ())


def compare(text, names):
    """Problems of the document with these paths of the tree."""
    entries = listed(text)
    if not entries:
        return [f"{DOCUMENT}: the list of rooms is gone"]
    folders = {f"{parent}/" for name in names for parent in name.parents} - {"./"}
    files = [str(name) for name in names]
    problems, seen = [], set()
    for number, pattern in entries:
        if pattern in seen:
            problems.append(f"{DOCUMENT}:{number}: {pattern} is listed twice")
        seen.add(pattern)
        if pattern not in folders and not fnmatch.filter(files, pattern):
            problems.append(f"{DOCUMENT}:{number}: there is no {pattern}")
    # A * does not reach into folders below.
    known = [re.compile(fnmatch.translate(p).replace(".*", "[^/]*")) for p in seen]
    within = tuple(p for p in seen if re.fullmatch("tests/.+/", p))
    for name in names:
        path = str(name)
        if not must_be_listed(name) or path.startswith(within):
            continue
        if not any(pattern.match(path) for pattern in known):
            problems.append(f"{DOCUMENT}: {name} is in no room")
    return problems


def check(root, files, _program):
    return compare((root / DOCUMENT).read_text(), files)
