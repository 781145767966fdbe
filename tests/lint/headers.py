# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Every header compiles alone, and has the guard its path asks for."""

import concurrent.futures
import os
import re
import subprocess


def guard_of(name):
    return re.sub(r"[^A-Za-z0-9]", "_", str(name)).upper()


def compile_alone(root, names):
    command = ["cc", "-fsyntax-only", "-std=c17", "-Wall", "-Wextra", "-D_GNU_SOURCE"]
    command += ["-Wno-missing-field-initializers", "-Isrc", "-I.", "-Itests/unit", "-x", "c"]
    done = subprocess.run(
        command + [str(name) for name in names],
        cwd=root, capture_output=True, text=True, check=False,
    )
    return done.stderr.splitlines() if done.returncode or done.stderr else []


def check(root, files, _program):
    headers = [name for name in files if name.suffix == ".h"]
    problems = []
    for name in headers:
        guard = guard_of(name)
        if f"#ifndef {guard}\n#define {guard}\n" not in (root / name).read_text():
            problems.append(f"{name}: the include guard is not {guard}")
    jobs = os.cpu_count() or 1
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        parts = [headers[i::jobs] for i in range(jobs)]
        for lines in pool.map(compile_alone, [root] * jobs, parts):
            problems += lines
    return problems
