# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""No two object files need each other, but for the groups listed in cycles.txt.

Read from the objects of the build with nm: who defines what others need. The list may only
shrink: a file that is in no cycle any more must leave it.
"""

import json
import pathlib
import re
import subprocess

from tap import Skip

LIST = "tests/lint/cycles.txt"
FOLDERS = ("src", "unwind")
UNDEFINED = ("U", "w", "v")


def objects_of(build):
    """source -> object, of what the build compiles today: old objects stay in the folder."""
    commands = build / "compile_commands.json"
    if not commands.exists():
        raise Skip(f"{build} is no build folder of meson with ninja")
    found = {}
    for command in json.loads(commands.read_text()):
        folder = pathlib.Path(command["directory"])
        source = (folder / command["file"]).resolve()
        made = folder / command.get("output", "")
        # Tests build some sources again, below their own folder.
        if made.relative_to(folder).parts[0] in FOLDERS + ("tracer.p",):
            found[source] = made
    return found


def symbols(objects):
    """object -> (names defined, names needed)"""
    tables = {str(made): (set(), set()) for made in objects}
    done = subprocess.run(
        ["nm", "-A", "-P", "-g", *tables], capture_output=True, text=True, check=True
    )
    for line in done.stdout.splitlines():
        made, rest = line.split(": ", 1)
        name, kind = rest.split()[:2]
        tables[made][kind in UNDEFINED].add(name)
    return tables


def uses_of(objects):
    """name of a source -> {name of a source it needs: one symbol that shows it}"""
    made = symbols(objects.values())
    tables = {name: made[str(path)] for name, path in objects.items()}
    owner = {symbol: name for name, (defined, _) in tables.items() for symbol in defined}
    uses = {}
    for name, (_, needed) in tables.items():
        uses[name] = {}
        for symbol in sorted(needed):
            if owner.get(symbol, name) != name:
                uses[name].setdefault(owner[symbol], symbol)
    return uses


def reached(uses, start):
    seen, todo = set(), [start]
    while todo:
        for name in uses[todo.pop()]:
            if name not in seen:
                seen.add(name)
                todo.append(name)
    return seen


def components(uses):
    """The strongly connected components of more than one file, each as a sorted tuple."""
    below = {name: reached(uses, name) for name in uses}
    groups = {
        tuple(sorted(other for other in below[name] if name in below[other]))
        for name in uses
        if name in below[name]
    }
    return sorted(group for group in groups if len(group) > 1)


def read_list(text):
    """[(files, reason)]: paragraphs of a REASON and one file a line."""
    groups = []
    for paragraph in re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).split("\n\n"):
        lines = paragraph.split("\n")
        reasons = [line[7:].strip() for line in lines if line.startswith("REASON ")]
        files = {line.strip() for line in lines if line.strip() and not line.startswith("REASON ")}
        if reasons or files:
            groups.append((files, " ".join(reasons)))
    return groups


def describe(component, uses):
    lines = [
        f"  {name} needs {other} ({uses[name][other]})"
        for name in component
        for other in sorted(set(uses[name]) & set(component))
    ]
    return "\n".join(lines)


def compare(uses, listed, exists):
    """Problems of these uses with the list; exists(name) tells what is in the tree at all."""
    problems = []
    found = components(uses)
    for component in found:
        if not any(set(component) <= files for files, _ in listed):
            problems.append(
                f"cycle, not in {LIST}: {' '.join(component)}\n{describe(component, uses)}"
            )
    for files, reason in listed:
        if not reason:
            problems.append(f"{LIST}: no REASON for {' '.join(sorted(files))}")
        if any(name not in uses and exists(name) for name in files):
            continue  # Not all of this group is built here, without an optional library say.
        within = [set(component) for component in found if set(component) <= files]
        problems += [
            f"{LIST}: {name} is in no cycle of this group, take it off the list"
            for name in sorted(files - set().union(*within))
        ]
    return problems


def check(root, _files, program):
    if not program:
        raise Skip("no built tracer was given")
    build = pathlib.Path(program).resolve().parent
    objects = {
        source.relative_to(root).as_posix(): made
        for source, made in objects_of(build).items()
        if source.is_relative_to(root)
    }
    missing = [str(made) for made in objects.values() if not made.exists()]
    if missing or not objects:
        raise Skip(f"not built: {missing[0] if missing else build}")
    uses = uses_of(objects)
    if not any(uses.values()):
        raise Skip("these objects have no symbols that nm can read (built with -flto?)")
    listed = read_list((root / LIST).read_text())
    return compare(uses, listed, lambda name: (root / name).exists())
