# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Runs golden cases: run.py FILE.case… The format is explained in doc/testing.md."""

import json
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import records  # noqa: E402
import requires  # noqa: E402
import tap  # noqa: E402
import tracing  # noqa: E402

KEYS = {
    "NAME", "RUN", "EXPECT", "EXPECT_JSON", "EXPECT_EXIT", "EXPECT_NOT", "REQUIRES", "ABI",
    "TIMEOUT",
}  # fmt: skip

PLACEHOLDERS = {
    "pid": r"\d+",
    "num": r"-?\d+",
    "addr": r"0x[0-9a-f]+",
    "str": r'"(?:[^"\\]|\\.)*"(?:\.\.\.)?',
    "time": r"\d+\.\d{6}",
    "any": r".*",
}


def pattern_of(text, bound):
    """A regular expression for an EXPECT line; `bound` maps names to texts seen before."""
    pattern = ""
    fresh = set()
    for i, piece in enumerate(re.split(r"@(\w+(?:=\w+)?)@", text)):
        kind, _, name = piece.partition("=")
        if i % 2 == 0 and text != piece:
            # How far the result is indented depends on how long the placeholders' texts are.
            piece = re.sub(r"(?:\\ ){2,}=", r"\\ +=", re.escape(piece))
            # A pid in front fills five columns.
            pattern += piece.replace("\\ ", "\\ +", 1) if i == 2 and text[0] == "@" else piece
        elif i % 2 == 0:
            pattern += re.escape(piece)
        elif not name:
            pattern += f"(?:{PLACEHOLDERS[kind]})"
        elif name in bound:
            pattern += re.escape(bound[name])
        elif name in fresh:
            pattern += f"(?P={name})"
        else:
            fresh.add(name)
            pattern += f"(?P<{name}>{PLACEHOLDERS[kind]})"
    return re.compile(pattern)


def compare_lines(expected, lines):
    """None if the whole output is as expected; else what is wrong. "..." skips lines."""
    bound = {}
    at = 0
    skip = False
    for text in expected:
        if text == "...":
            skip = True
            continue
        pattern = pattern_of(text, bound)
        found = None
        while at < len(lines) and not found:
            found = pattern.fullmatch(lines[at])
            if not found and not skip:
                return f"expected: {text}\nline {at + 1} is: {lines[at]}"
            at += 1
        if not found:
            return f"expected: {text}\nnot found before the end of the output"
        bound.update(found.groupdict())
        skip = False
    if at < len(lines) and not skip:
        return f"expected: the end\nline {at + 1} is: {lines[at]}"
    return None


def contains(actual, wanted):
    """Objects may have more members than wanted; everything else is equal."""
    if isinstance(wanted, dict):
        return isinstance(actual, dict) and all(
            key in actual and contains(actual[key], value) for key, value in wanted.items()
        )
    if isinstance(wanted, list):
        return (
            isinstance(actual, list)
            and len(actual) == len(wanted)
            and all(map(contains, actual, wanted))
        )
    return type(actual) is type(wanted) and actual == wanted


def compare_json(expected, lines):
    """The wanted objects stand among the lines, in this order."""
    events = [json.loads(line) for line in lines]
    at = 0
    for text in expected:
        wanted = json.loads(text)
        while at < len(events) and not contains(events[at], wanted):
            at += 1
        if at == len(events):
            return f"expected: {text}\nno such event (in this order)"
        at += 1
    return None


def run_once(record, abi, options):
    """Runs the case in an empty folder that has links to all programs of the ABI."""
    with tempfile.TemporaryDirectory(prefix="tracer-golden-") as folder:
        suffix = "" if abi == "x86_64" else "-" + abi
        for path in tracing.PROGRAMS.resolve().glob("*" + suffix):
            if path.is_file() and (suffix or "-" not in path.name):
                name = path.name.removesuffix(suffix) if suffix else path.name
                os.symlink(path, os.path.join(folder, name))
        command = record.one("RUN").replace(
            "$TRACER", " ".join(map(shlex.quote, tracing.tracer() + options))
        )
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, check=False,
            timeout=int(record.one("TIMEOUT", "60")),
            env={"PATH": os.environ["PATH"], "LC_ALL": "C", "TZ": "UTC", **sanitizer_options()},
        )
        trace = os.path.join(folder, "out")
        if os.path.exists(trace):
            with open(trace, "rb") as lines:
                return done, lines.read().decode(errors="surrogateescape").splitlines()
        return done, done.stderr.decode(errors="surrogateescape").splitlines()


def end_of(done):
    """The exit status, or the name of the signal."""
    code = done.returncode
    return str(code) if code >= 0 else signal.Signals(-code).name


def sanitizer_options():
    return {key: value for key, value in os.environ.items() if key.endswith("SAN_OPTIONS")}


def without_mode_note(lines):
    """The one line that says that a program is not of the tracer's own ABI must be there."""
    note = re.compile(r"(?:\d+ +)?\[ Process PID=\d+ runs in 32 bit mode\. \]")
    found = [i for i, line in enumerate(lines) if note.fullmatch(line)]
    assert len(found) == 1, "expected once: runs in 32 bit mode"
    return lines[: found[0]] + lines[found[0] + 1 :]


def check_case(record, abi):
    requires.require(record.words("REQUIRES"))
    if abi != "x86_64":
        tracing.program("calls", abi)
    tracing.tracer()
    for kind, compare, options in (
        ("EXPECT", compare_lines, []),
        ("EXPECT_JSON", compare_json, ["--format=json"]),
    ):
        if not record.all(kind):
            continue
        if options and tracing.tracer()[0].endswith("strace"):
            continue
        done, lines = run_once(record, abi, options)
        if abi == "i386" and not options:
            lines = without_mode_note(lines)
        wrong = compare(record.all(kind), lines)
        for text in record.all("EXPECT_NOT"):
            if any(re.search(text, line) for line in lines):
                wrong = f"must not appear: {text}"
        status = record.one("EXPECT_EXIT", "0")
        if not wrong and end_of(done) != status:
            wrong = f"the run ended with {end_of(done)}, not {status}"
        output = "\n".join(lines + ["stderr:", done.stderr.decode(errors="replace")])
        assert not wrong, f"{record.place} {kind}\n{wrong}\noutput:\n{output}"


def main():
    report = tap.Report()
    for path in sys.argv[1:]:
        for record in records.read_records(path, KEYS):
            for abi in record.words("ABI") or ["x86_64"]:
                name = f"{pathlib.Path(path).stem}: {record.one('NAME')} ({abi})"
                report.check(name, check_case, record, abi)
    return report.finish()


sys.exit(main())
