# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""What the option table says, what --help says and what the manual says is the same."""

import re
import subprocess

from tap import Skip

# An option where it is defined: at the start of a line of --help, of an entry of the manual.
HELP = re.compile(r"^  (-\S.*?)(?:  |$)", re.MULTILINE)
MANUAL = re.compile(r"^\*(-.*)$", re.MULTILINE)
NAME = re.compile(r"(?<![\w-])--?[a-zA-Z][\w-]*")


def names_in(pattern, text):
    plain = text.replace("\\-", "-")
    return {
        name
        for entry in pattern.findall(plain)
        for name in NAME.findall(entry.replace("*", ""))
    }


def check(root, files, program):
    manual = root / "doc/tracer.1.scd"
    if not program:
        raise Skip("no program was given")
    if not manual.exists():
        raise Skip("doc/tracer.1.scd is not written yet")
    done = subprocess.run([program, "--help"], capture_output=True, text=True, check=True, timeout=20)
    in_help = names_in(HELP, done.stdout)
    in_manual = names_in(MANUAL, manual.read_text())
    if not in_help:
        return ["--help lists no option"]
    return [f"{name}: in --help, not in the manual" for name in sorted(in_help - in_manual)] + [
        f"{name}: in the manual, not in --help" for name in sorted(in_manual - in_help)
    ]
