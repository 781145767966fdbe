# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Each known difference from strace has its section in the document, and the other way round."""

import re


def check(root, _files, _program):
    data = (root / "tests/diff/known_differences.txt").read_text()
    text = (root / "doc/strace-differences.md").read_text()
    in_data = set(re.findall(r"^ID (\S+)$", data, re.MULTILINE))
    in_text = set(re.findall(r"^### (\S+)$", text, re.MULTILINE))
    return [f"{name}: not in doc/strace-differences.md" for name in sorted(in_data - in_text)] + [
        f"{name}: not in tests/diff/known_differences.txt" for name in sorted(in_text - in_data)
    ]
