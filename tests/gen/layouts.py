#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""
Compiles what the generator asserts about structs, a header at a time:

    layouts.py layout_check.c COMPILER [OPTION]...
"""

import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import tap  # noqa: E402


def compiles(compiler, *options, text=None):
    command = [*compiler, "-D_GNU_SOURCE", "-fsyntax-only", *options]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)


def check_header(compiler, source, at, header):
    probe = f"#if !__has_include(<{header}>)\n#error\n#endif"
    found = compiles(compiler, "-x", "c", "-", text=probe)
    if found.returncode:
        raise tap.Skip(f"no header {header}")
    made = compiles(compiler, f"-DLAYOUT={at}", source)
    errors = [line for line in made.stderr.splitlines() if "error" in line]
    assert not made.returncode, "\n".join(errors or [made.stderr])


def main():
    source, *compiler = sys.argv[1:]
    headers = re.findall(r"^// (\d+): (\S+)$", pathlib.Path(source).read_text(), re.M)
    report = tap.Report()
    for at, header in headers:
        report.check(header, check_header, compiler, source, at, header)
    return report.finish()


sys.exit(main())
