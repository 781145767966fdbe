# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Traces real programs and lists the calls they use that are not described.

    run.py [--addresses] [NAME…]

A call is described when its arguments have names. With --addresses also the arguments that
were printed as a bare address although they are read or written: a hint where a variant (an
ioctl code, a socket option) is missing. Some calls really take bare addresses.
"""

import collections
import json
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import records  # noqa: E402
import requires  # noqa: E402
import tap  # noqa: E402
import tracing  # noqa: E402

KEYS = {"NAME", "SETUP", "RUN", "REQUIRES"}
# Arguments that are addresses and nothing else.
BARE = {
    "mmap", "munmap", "mprotect", "madvise", "mremap", "brk", "set_robust_list", "futex",
    "set_tid_address", "arch_prctl", "rseq", "clone", "mlock", "msync", "shmat", "shmdt",
}  # fmt: skip


def trace(record):
    """The events of one program."""
    requires.require(record.words("REQUIRES"))
    with tempfile.TemporaryDirectory(prefix="tracer-", ignore_cleanup_errors=True) as parent:
        # The trace is outside: what a program reads must not grow while it does.
        folder = pathlib.Path(parent) / "run"
        folder.mkdir()
        for setup in record.all("SETUP"):
            subprocess.run(["/bin/sh", "-ec", setup], cwd=folder, check=True, capture_output=True)
        path = pathlib.Path(parent) / "trace.json"
        options = ["-f", "--format=json", "-o", path]
        done = subprocess.run(
            tracing.tracer() + options + ["--", "sh", "-c", record.one("RUN")],
            cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=600, check=False,
        )  # fmt: skip
        assert done.returncode != tracing.SANITIZER_STATUS, done.stderr.decode(errors="replace")
        with open(path, encoding="utf-8") as lines:
            return [json.loads(line) for line in lines]


def is_described(call):
    return "name" in call and all("name" in argument for argument in call["args"])


def bare_addresses(call):
    """Names of arguments that look like an unread pointer."""
    if call["name"] in BARE or call["result"] != "success":
        return
    for argument in call["args"]:
        text = argument.get("text", "")
        if text.startswith("0x") and len(text) >= 10 and text[2:].isalnum():
            yield argument.get("name", "?")


def check_program(record, used, addresses):
    missing = collections.Counter()
    calls = [event for event in trace(record) if event["kind"] == "syscall"]
    assert calls, "no call was traced"
    for call in calls:
        name = call.get("name", f"number {call['number']}")
        used[name] += 1
        if not is_described(call):
            missing[name] += 1
            continue
        for argument in bare_addresses(call):
            codes = [other["text"] for other in call["args"] if "symbol" in other]
            addresses[" ".join([f"{name}: {argument}", *codes])] += 1
    assert not missing, "\n".join(f"{name} ({count} times)" for name, count in missing.items())


def main():
    wanted = [word for word in sys.argv[1:] if not word.startswith("--")]
    used, addresses = collections.Counter(), collections.Counter()
    report = tap.Report()
    for record in records.read_records(HERE / "programs.txt", KEYS):
        if not wanted or record.one("NAME") in wanted:
            report.check(record.one("NAME"), check_program, record, used, addresses)
    print(f"# {len(used)} different calls, {sum(used.values())} in all")
    if "--addresses" in sys.argv:
        for text, count in addresses.most_common():
            print(f"#   {count} {text}")
    return report.finish()


sys.exit(main())
