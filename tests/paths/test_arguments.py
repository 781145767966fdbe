# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Each path, descriptor and region that any description speaks of is given a file once:
`tracer -P FILE` must show the call. test_arguments.py LISTER, the program of arguments.c.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import tap  # noqa: E402
import tracing  # noqa: E402

# Calls after which the process cannot go on, or that start others.
NOT_HERE = {
    "clone": "starts a process",
    "clone3": "starts a process",
}


def list_arguments(lister):
    """(call, its argument and role, words for raw_calls or None, why not), no two the same."""
    text = subprocess.run([lister], capture_output=True, text=True, check=True).stdout
    found = {}
    for line in text.splitlines():
        call, number, argument, role, *rest = line.split()
        why = " ".join(rest[1:]) if rest[0] == "skip" else NOT_HERE.get(call)
        found[line] = (call, f"{argument} ({role})", None if why else [number] + rest, why)
    return list(found.values())


def make_calls(folder, points):
    """Runs the calls under the tracer; the calls shown of each, in order."""
    target = os.path.join(folder, "target")
    with open(target, "w", encoding="utf-8") as file:
        file.write("x" * 8192)
    os.chmod(folder, 0o755)
    os.chmod(target, 0o644)
    lines = "".join(" ".join(words) + "\n" for _, _, words, _ in points)
    trace = os.path.join(folder, "trace")
    done = subprocess.run(
        tracing.tracer() + ["-f", "-o", trace, "-P", target, "--",
                            tracing.program("raw_calls"), target],
        input=lines, capture_output=True, text=True, check=False, timeout=tracing.PATIENCE,
    )  # fmt: skip
    assert done.returncode == 0, (done.returncode, done.stderr)
    shown = {}
    with open(trace, encoding="utf-8", errors="surrogateescape") as file:
        for line in file:
            pid, _, rest = line.partition(" ")
            shown.setdefault(pid, []).append(rest.strip())
    return [shown.get(pid, []) for pid in done.stdout.split()]


def check(call, words, shown):
    assert any(line.startswith(call + "(") for line in shown), f"not shown: {call} {words}"


def skip(why):
    raise tap.Skip(why)


def main():
    report = tap.Report()
    points = list_arguments(sys.argv[1])
    made = [point for point in points if point[2]]
    with tempfile.TemporaryDirectory(prefix="tracer-test-") as folder:
        shown = make_calls(folder, made)
    for (call, argument, words, _), lines in zip(made, shown, strict=True):
        report.check(f"{call}: {argument} {' '.join(words[1:])}", check, call, words, lines)
    for call, argument, words, why in points:
        if not words:
            report.check(f"{call}: {argument}", skip, why)
    sys.exit(report.finish())


main()
