# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""What is true of one CPU stands in src/abi, in files called arch_* or after the CPU, and in
descriptions; no other file of the program names a CPU, an ABI or a register."""

import re

NAME = re.compile(
    r"""x86|i[3-6]86|amd64|aarch64|arm64|riscv|\bx32|_X32|_I386|orig_[re]?ax
    |AUDIT_ARCH_[A-Z0-9]|\bEM_(?:386|X|A)
    |\b[re](?:ip|sp|bp|[a-d]x|[sd]i)\b|\bREG_R(?:IP|SP|[A-D]X)""",
    re.X | re.I,
)
# Files that are about one CPU, or are the list of them.
OWNERS = re.compile(
    r"^src/abi/|/arch(?:_\w+)?\.[ch]$|_(?:x86_64|i386|x32)\.S$|^src/schema/abi_id\.h$"
)
# Every file here is looked at again when it has no such name any more.
EXCEPTIONS = {
    "src/filter/query.h": "the words of strace(1): -e trace=CALL@x32",
    "src/filter/query_calls.c": "the same",
    "unwind/debuginfo/package.c": "names of Debian's packages",
}


def is_program(name):
    return name.parts[0] in ("src", "unwind") and name.suffix in (".c", ".h", ".S")


def names_in(text):
    return [line for line in text.splitlines() if NAME.search(line)]


def check(root, files, _program):
    found, excused = [], set()
    for name in filter(is_program, files):
        if OWNERS.search(str(name)) or not (root / name).exists():
            continue
        for line in names_in((root / name).read_text(encoding="utf-8")):
            if str(name) in EXCEPTIONS:
                excused.add(str(name))
            else:
                found.append(f"{name}: names a CPU: {line.strip()}")
    for name in EXCEPTIONS.keys() - excused:
        found.append(f"tests/lint/cpus.py: {name} needs no exception")
    return found
