#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Compiles each errors_*.desc and compares the errors with the `#! …` comments in it."""

import sys
from pathlib import Path

SYSCALLS = Path(__file__).resolve().parent.parent.parent / "syscalls"
sys.path.insert(0, str(SYSCALLS / "gen"))
sys.dont_write_bytecode = True

# pylint: disable=wrong-import-position
import tables
from errors import Errors
from main import compile_files


def expected_errors(path):
    expected = set()
    for number, line in enumerate(path.read_text().splitlines(), 1):
        expected |= {(number, message.strip()) for message in line.split("#!")[1:]}
    return expected


def found_errors(path):
    errors = Errors()
    numbers = tables.read_numbers(SYSCALLS / "numbers")
    compile_files([path], numbers, {}, errors)
    return {(pos.line, message) for pos, message in errors}


def main():
    paths = sorted(Path(__file__).parent.glob("errors_*.desc"))
    print(f"1..{len(paths)}")
    failed = 0
    for number, path in enumerate(paths, 1):
        expected, found = expected_errors(path), found_errors(path)
        for line, message in sorted(expected - found):
            print(f"# {path.name}:{line}: expected: {message}")
        for line, message in sorted(found - expected):
            print(f"# {path.name}:{line}: unexpected: {message}")
        failed += expected != found
        print("not ok" if expected != found else "ok", number, path.stem)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
