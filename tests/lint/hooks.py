# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Hooks are the last resort: their number may only fall, and each is explained in hook.h."""

import re

HEADER = "src/decode/hook.h"
# Lower this when a hook becomes description.
MOST = 25


def check(root, _files, _program):
    text = (root / HEADER).read_text()
    return problems(text)


def problems(text):
    declared = re.findall(r"^hook_fn hook_(\w+);", text, re.M)
    comment = text.partition("#include")[0]
    found = []
    if len(declared) > MOST:
        found.append(f"{HEADER}: {len(declared)} hooks, at most {MOST}: make it a format")
    if not declared:
        found.append(f"{HEADER}: no hook found: the check is blind")
    for name in declared:
        if not re.search(rf"^ \*\t(?:\w+\[\w+\], )?{name}\b", comment, re.M):
            found.append(f"{HEADER}: hook {name} has no line that says what it is for")
    return found
