# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Descriptions to C tables: runs the passes in order. Started by syscalls/meson.build.

scan -> parse -> resolve (with layout) -> check -> emit
"""

import argparse
import sys
from pathlib import Path

import tables
from check import Checker
from emit import emit
from errors import Errors
from parse import parse
from resolve import Resolver
from scan import scan


def compile_files(paths, numbers, constants, errors):
    """Runs all passes but the last; the resolver holds the model."""
    files = []
    for path in paths:
        files.append(parse(scan(path.name, path.read_text(), errors), errors))
    resolver = Resolver(files, constants, numbers, errors)
    resolver.run()
    checker = Checker(errors)
    checker.sets(resolver.sets.values())
    checker.types(list(resolver.pool.types.values()))
    for abi, rows in enumerate(numbers):
        for row in rows.values():
            checker.row(row, abi)
    return resolver


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of numbers/ and const/")
    parser.add_argument("--out", type=Path, required=True, help="folder for the C files")
    parser.add_argument("files", type=Path, nargs="+", help="the descriptions")
    options = parser.parse_args()

    errors = Errors()
    numbers = tables.read_numbers(options.data / "numbers")
    constants = tables.read_constants(options.data / "const")
    resolver = compile_files(options.files, numbers, constants, errors)
    if errors:
        for pos, message in errors:
            print(f"{pos}: {message}", file=sys.stderr)
        return 1
    for name, text in emit(resolver, numbers).items():
        (options.out / name).write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
