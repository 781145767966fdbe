# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""The two lines every source starts with, and words that belong to one machine only."""

import re

HEAD = "SPDX-License-Identifier: MIT\n{0}Copyright the tracer authors\n"
COMMENT = {".c": "// ", ".h": "// ", ".py": "# ", ".sh": "# ", ".build": "# "}
# A path of somebody's home in a source or a document works nowhere else.
MACHINE = re.compile(r"(?<![\w./])/(?:work|root|home/[a-z]+)/[\w.]+")


def comment_of(name, text):
    if name.suffix in COMMENT:
        return COMMENT[name.suffix]
    return "# " if text.startswith("#!") else None


def check(root, files, _program):
    problems = []
    for name in files:
        try:
            text = (root / name).read_text()
        except UnicodeDecodeError:
            continue
        mark = comment_of(name, text)
        body = text.split("\n", 1)[1] if text.startswith("#!") else text
        if mark and not body.startswith(mark + HEAD.format(mark)):
            problems.append(f"{name}:1: the two-line head is missing")
        for match in MACHINE.finditer(text):
            if name.parts[:2] == ("tests", "lint"):
                continue
            line = text.count("\n", 0, match.start()) + 1
            problems.append(f"{name}:{line}: a path of one machine: {match[0]}")
    return problems
