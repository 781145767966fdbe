#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Compares numbers/ABI.tbl with the installed <asm/unistd_*.h>."""

import re
import subprocess
import sys
from pathlib import Path

SYSCALLS = Path(__file__).resolve().parent.parent.parent / "syscalls"
sys.path.insert(0, str(SYSCALLS / "gen"))
sys.dont_write_bytecode = True

# pylint: disable=wrong-import-position
import tables
from parse import ABIS

HEADERS = {"x86_64": "asm/unistd_64.h", "i386": "asm/unistd_32.h", "x32": "asm/unistd_x32.h"}


def header_numbers(header):
    """{name: number}, or None without the header."""
    command = ["cc", "-E", "-dM", "-x", "c", "-include", header, "/dev/null"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode:
        return None
    number = r"(?:\(__X32_SYSCALL_BIT \+ )?(\d+)\)?"
    found = re.findall(rf"^#define __NR_(\w+) {number}$", run.stdout, re.MULTILINE)
    return {name: int(number) for name, number in found}


def differences(rows, numbers):
    names = {row.number: row.name for row in rows.values() if not row.hidden}
    for name, number in numbers.items():
        ours = names.get(number)
        if ours is None:
            yield f"{name} ({number}) is missing"
        elif ours != name:
            yield f"{number} is {name} in the header and {ours} here"


def main():
    tables_by_abi = tables.read_numbers(SYSCALLS / "numbers")
    print(f"1..{len(ABIS)}")
    failed = 0
    for test, (abi, rows) in enumerate(zip(ABIS, tables_by_abi), 1):
        numbers = header_numbers(HEADERS[abi])
        if numbers is None:
            print(f"ok {test} {abi} # SKIP no <{HEADERS[abi]}>")
            continue
        wrong = list(differences(rows, numbers))
        for line in wrong:
            print(f"# {abi}: {line}")
        failed += bool(wrong)
        print("not ok" if wrong else "ok", test, f"{abi}: {len(numbers)} numbers")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
