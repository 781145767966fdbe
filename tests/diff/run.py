# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Runs strace and the tracer on the same program and compares what they print.

    run.py [NAME…]          the scenarios of scenarios.txt, or only these
    run.py --list           their names

A scenario passes when in one of a few rounds no difference is left that
known_differences.txt does not explain; a round is one run of each. Chance (scheduling,
timing) may spoil a round, a wrong decoder spoils all. In CONCURRENT scenarios the place of a
line within its task is left out where it differs, and a line counts as strace's if one of its
runs had it.
"""

import contextlib
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE))

import compare  # noqa: E402
import normalize  # noqa: E402
import records  # noqa: E402
import requires  # noqa: E402
import tap  # noqa: E402
import tracing  # noqa: E402

SCENARIO_KEYS = {
    "NAME", "OPTIONS", "SETUP", "SERVE", "RUN", "REQUIRES", "REPLACE", "TIMEOUT",
    "CONCURRENT",
}  # fmt: skip
KNOWN_KEYS = {"ID", "REASON", "SCENARIOS", "STRACE", "TRACER"}
ROUNDS = 3
# Where tasks race there are more outcomes to see.
CONCURRENT_ROUNDS = 12
SHOWN = 20


def environment(folder):
    """The same for both runs, so that even stacks and tables of variables have equal sizes."""
    return {
        "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "LC_ALL": "C",
        "TZ": "UTC",
        "HOME": folder,
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "GIT_CONFIG_NOSYSTEM": "1",
        # Without a name git asks the network for one.
        "GIT_AUTHOR_NAME": "n",
        "GIT_AUTHOR_EMAIL": "n@example.org",
        "GIT_COMMITTER_NAME": "n",
        "GIT_COMMITTER_EMAIL": "n@example.org",
        "TEST_PROGRAMS": str(tracing.PROGRAMS.resolve()),
        **{key: value for key, value in os.environ.items() if key.endswith("SAN_OPTIONS")},
    }


def fixed_addresses():
    """["setarch", "-R"] where the kernel lets us, else nothing."""
    words = ["setarch", "-R"]
    try:
        works = subprocess.run(words + ["true"], capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        works = False
    return words if works else []


@contextlib.contextmanager
def server(record, folder):
    """A program that serves the run, such as a web server; ready when it says so."""
    if not record.all("SERVE"):
        yield
        return
    process = subprocess.Popen(
        ["/bin/sh", "-c", "exec " + record.one("SERVE")],
        cwd=folder, env=environment(folder), stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        process.stdout.readline()
        yield
    finally:
        process.kill()
        process.communicate()


def run_one(record, command, folder):
    """One run in a fresh folder of always the same name; returns the trace's lines."""
    shutil.rmtree(folder, ignore_errors=True)
    os.mkdir(folder)
    trace = folder + ".trace"
    env = environment(folder)
    for setup in record.all("SETUP"):
        subprocess.run(
            ["/bin/sh", "-ec", setup], cwd=folder, env=env, check=True, capture_output=True
        )
    words = fixed_addresses() + command + ["-o", trace] + record.words("OPTIONS") + ["--"]
    run = record.one("RUN").replace("$TEST_PROGRAMS", env["TEST_PROGRAMS"])
    words += shlex.split(run.replace("$PWD", folder))
    with server(record, folder):
        done = subprocess.run(
            words, cwd=folder, env=env, stdin=subprocess.DEVNULL, capture_output=True,
            timeout=int(record.one("TIMEOUT", "120")), check=False,
        )  # fmt: skip
    assert done.returncode != tracing.SANITIZER_STATUS, done.stderr.decode(errors="replace")
    with open(trace, encoding="utf-8", errors="surrogateescape") as lines:
        return lines.read().splitlines()


def check_scenario(record, known):
    requires.require(["strace:6.1"] + record.words("REQUIRES"))
    ours = tracing.tracer()
    replacements = []
    for line in record.all("REPLACE"):
        pattern, _, text = line.partition(" => ")
        replacements.append((re.compile(pattern), text))
    # Who of several maps first gets the first address.
    races = bool(record.all("CONCURRENT"))
    normalizer = normalize.Normalizer(replacements, addresses=races or not fixed_addresses())
    best = None
    references = []
    with tempfile.TemporaryDirectory(prefix="tracer-diff-") as parent:
        folder = os.path.join(parent, "run")
        for _ in range(CONCURRENT_ROUNDS if races else ROUNDS):
            theirs = normalizer.trace(run_one(record, ["strace"], folder))
            mine = normalizer.trace(run_one(record, ours, folder))
            assert theirs, "strace printed nothing"
            references.append(theirs)
            problems = compare.unexplained(record.one("NAME"), theirs, mine, known)
            if problems and len(references) > 1 and races:
                problems = compare.never_seen(references, mine)
            if not problems:
                return
            if best is None or len(problems) < len(best):
                best = problems
    more = f"\n… and {len(best) - SHOWN} more" if len(best) > SHOWN else ""
    raise AssertionError("\n".join(best[:SHOWN]) + more)


def main():
    scenarios = records.read_records(HERE / "scenarios.txt", SCENARIO_KEYS)
    known = [
        compare.Known(record)
        for record in records.read_records(HERE / "known_differences.txt", KNOWN_KEYS)
    ]
    wanted = sys.argv[1:]
    if wanted == ["--list"]:
        print("\n".join(record.one("NAME") for record in scenarios))
        return 0
    report = tap.Report()
    for record in scenarios:
        if not wanted or record.one("NAME") in wanted:
            report.check(record.one("NAME"), check_scenario, record, known)
    for one in known:
        if one.used:
            print(f"# {one.used} times {one.id}: {one.reason}")
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
