# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""What the option table says, what --help prints and what the manual explains is the same."""

import re
import subprocess

# A row of the table: {'f', "follow-forks", …
ROW = re.compile(r"^\t\{(?:'(.)'|0), (?:\"([\w-]+)\"|NULL),", re.MULTILINE)
# An option where it is explained: at the start of a line of --help, of a paragraph of the manual.
HELP = re.compile(r"^ +(-\S.*?)(?:  |$)", re.MULTILINE)
MANUAL = re.compile(r"^\*(-.*)$", re.MULTILINE)
NAME = re.compile(r"(?<![\w-])(--[a-z][\w-]+|-[a-zA-Z])(?![\w-])")


def in_table(text):
    short = {f"-{letter}" for letter, _ in ROW.findall(text) if letter}
    return short | {f"--{name}" for _, name in ROW.findall(text) if name}


def explained(pattern, text):
    plain = text.replace("\\-", "-")
    entries = [entry.replace("*", "") for entry in pattern.findall(plain)]
    return {name for entry in entries for name in NAME.findall(entry)}


def differences(one, names, other, others):
    return [f"{name}: in {one}, not in {other}" for name in sorted(names - others)] + [
        f"{name}: in {other}, not in {one}" for name in sorted(others - names)
    ]


def check(root, _files, program):
    table = in_table((root / "src/cli/option_table.c").read_text())
    manual = explained(MANUAL, (root / "doc/tracer.1.scd").read_text())
    if not table:
        return ["src/cli/option_table.c: no row was found"]
    problems = differences("the table", table, "the manual", manual)
    if program:
        done = subprocess.run(
            [program, "--help"], capture_output=True, text=True, check=True, timeout=20
        )
        problems += differences("the table", table, "--help", explained(HELP, done.stdout))
    return problems
