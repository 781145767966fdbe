# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Counts the calls that have a description, for each ABI; every one has to."""

import pathlib
import sys

sys.dont_write_bytecode = True
TESTS = pathlib.Path(__file__).resolve().parent.parent
SYSCALLS = TESTS.parent / "syscalls"
sys.path.insert(0, str(TESTS))
sys.path.insert(0, str(SYSCALLS / "gen"))

import main as generator  # noqa: E402
import tables  # noqa: E402
import tap  # noqa: E402
from errors import Errors  # noqa: E402
from parse import ABIS  # noqa: E402


def check_abi(abi, rows):
    missing = sorted(row.name for row in rows.values() if not row.desc)
    print(f"# {abi}: {len(rows) - len(missing)} of {len(rows)} calls are described")
    assert not missing, " ".join(missing)


def main():
    numbers = tables.read_numbers(SYSCALLS / "numbers")
    constants = tables.read_constants(SYSCALLS / "const")
    files = sorted(SYSCALLS.glob("*.desc")) + sorted(SYSCALLS.glob("sets/*.desc"))
    errors = Errors()
    generator.compile_files(files, numbers, constants, errors)
    assert not errors, "the descriptions have errors: build first"
    report = tap.Report()
    for abi, rows in zip(ABIS, numbers):
        report.check(abi, check_abi, abi, rows)
    return report.finish()


sys.exit(main())
