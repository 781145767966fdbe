# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""clang-format with the project's settings would change nothing."""

import concurrent.futures
import os
import shutil
import subprocess

from tap import Skip

# Each version formats a little differently; this is that of Debian 12.
VERSION = 14


def dry_run(root, names):
    if not names:
        return []
    done = subprocess.run(
        ["clang-format", "--dry-run", "-Werror", *map(str, names)],
        cwd=root, capture_output=True, text=True, check=False,
    )
    return [line for line in done.stderr.splitlines() if "error:" in line]


def check(root, files, _program):
    if not shutil.which("clang-format"):
        raise Skip("clang-format is not installed")
    words = subprocess.run(
        ["clang-format", "--version"], capture_output=True, text=True, check=True
    )
    if f" {VERSION}." not in words.stdout:
        raise Skip(f"clang-format {VERSION} decides, this is another: {words.stdout.strip()}")
    sources = [name for name in files if name.suffix in (".c", ".h")]
    jobs = os.cpu_count() or 1
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        parts = [sources[i::jobs] for i in range(jobs)]
        return [line for lines in pool.map(dry_run, [root] * jobs, parts) for line in lines]
