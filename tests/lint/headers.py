# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Every header compiles alone, has the guard of its path, and opens with what is inside."""

import concurrent.futures
import os
import re
import subprocess


def guard_of(name):
    return re.sub(r"[^A-Za-z0-9]", "_", str(name)).upper()


FIRST_COMMENT = re.compile(r"/\*\*(.*?)\*/", re.DOTALL)
# Words for something that was named before: nothing was.
NOTHING_YET = ("It", "Its", "They", "Them", "Their", "This", "These", "That", "Those", "Here")
SENTENCE = 260


def opening_problem(text):
    """What is wrong with the sentence that opens a header, or None."""
    comment = FIRST_COMMENT.search(text)
    if not comment:
        return "no comment says what is inside"
    words = " ".join(re.sub(r"^\s*\* ?", "", comment[1], flags=re.MULTILINE).split())
    sentence = re.match(r"(.*?[^.])[.:](?: |$)", words)
    if not re.match(r"[A-Z\"`/<-]", words):
        return "the first comment begins with no sentence"
    if not sentence or len(sentence[1]) > SENTENCE:
        return f"the first sentence is longer than {SENTENCE} characters"
    if words.split()[0] in NOTHING_YET:
        return f"the first sentence begins with '{words.split()[0]}': nothing was named yet"
    return None


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
        text = (root / name).read_text()
        if f"#ifndef {guard}\n#define {guard}\n" not in text:
            problems.append(f"{name}: the include guard is not {guard}")
        opening = opening_problem(text)
        if opening:
            problems.append(f"{name}: {opening}")
    jobs = os.cpu_count() or 1
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        parts = [headers[i::jobs] for i in range(jobs)]
        for lines in pool.map(compile_alone, [root] * jobs, parts):
            problems += lines
    return problems
