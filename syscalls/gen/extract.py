#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Fills const/ABI.const with the constants that descriptions use. For maintainers.

A name that is there already keeps its value. Others are looked up in a table of
facts (header, name, value; tab-separated), then in the installed headers. --check
compares what is there with the installed headers instead, where these have it.
"""

import argparse
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import tables
from errors import Errors
from main import compile_files
from model import MASK
from parse import ABIS

_FLAGS = {"x86_64": ["-m64"], "i386": ["-m32"], "x32": ["-mx32"]}
_HEAD = (
    "# SPDX-License-Identifier: MIT\n# Copyright the tracer authors\n"
    "# name value header; written by gen/extract.py, values may be edited\n"
)
# Where to look first for what a table of facts lacks; then wherever it is defined.
_FIRST_HEADERS = (
    "unistd.h",
    "fcntl.h",
    "sys/stat.h",
    "sys/mman.h",
    "sys/wait.h",
    "sys/socket.h",
    "signal.h",
)
_INCLUDE = Path("/usr/include")
_FOLDERS = (
    "linux",
    "asm-generic",
    "mtd",
    "scsi",
    "sound",
    "x86_64-linux-gnu/asm",
    "x86_64-linux-gnu/bits",
    "x86_64-linux-gnu/sys",
)
# Headers that say "do not include me" are reached through these.
_THROUGH = {
    "bits/socket.h": "sys/socket.h",
    "bits/socket_type.h": "sys/socket.h",
    "bits/in.h": "netinet/in.h",
    "bits/sched.h": "sched.h",
    "bits/waitflags.h": "sys/wait.h",
    "bits/mman-shared.h": "sys/mman.h",
    "bits/resource.h": "sys/resource.h",
    "bits/statvfs.h": "sys/statvfs.h",
    "bits/epoll.h": "sys/epoll.h",
    "bits/eventfd.h": "sys/eventfd.h",
    "bits/inotify.h": "sys/inotify.h",
    "bits/sem.h": "sys/sem.h",
    "bits/ipc.h": "sys/ipc.h",
    "bits/shm.h": "sys/shm.h",
    "bits/ioctls.h": "sys/ioctl.h",
    "bits/ioctl-types.h": "sys/ioctl.h",
    "bits/poll.h": "poll.h",
    "bits/sigaction.h": "signal.h",
    "bits/siginfo-consts.h": "signal.h",
    "bits/signum-generic.h": "signal.h",
    "bits/signum-arch.h": "signal.h",
    "bits/ss_flags.h": "signal.h",
    "bits/time.h": "time.h",
    "bits/timex.h": "sys/timex.h",
    "bits/stat.h": "sys/stat.h",
    "bits/fcntl-linux.h": "fcntl.h",
}


def installed(header, names, abi):
    """{name: value} of those of @names that the installed @header has; {} without it."""
    found = _compile("#include <linux/types.h>\n#include <linux/ioctl.h>\n", header, names, abi)
    return found or _compile("#include <stdint.h>\n#include <sys/socket.h>\n", header, names, abi)


def _compile(first, header, names, abi):
    names = sorted(names)
    command = ["gcc", *_FLAGS[abi], "-D_GNU_SOURCE", "-D_FILE_OFFSET_BITS=32", "-S", "-o", "-"]
    command += ["-fmax-errors=0", "-fno-pie", "-x", "c", "-"]
    while names:
        body = "".join(
            f'void at{i}(void) {{ __asm__("@@{name} %0 %1" :: "n"((unsigned long long)({name})'
            f' >> 32), "n"((unsigned long long)({name}) & 0xffffffff)); }}\n'
            for i, name in enumerate(names)
        )
        source = f"#define inline\n{first}#include <{header}>\n#line 1\n{body}"
        run = subprocess.run(command, input=source, capture_output=True, text=True, check=False)
        if run.returncode == 0:
            found = re.findall(r"@@(\w+) \$(-?\d+) \$(-?\d+)", run.stdout)
            return {name: unsigned(join(high, low)) for name, high, low in found}
        bad = {int(line) for line in re.findall(r"<stdin>:(\d+):\d+: error", run.stderr)}
        left = [name for line, name in enumerate(names, 1) if line not in bad]
        if len(left) == len(names):
            return {}
        names = left
    return {}


def join(high, low):
    return (int(high) & 0xFFFFFFFF) << 32 | int(low) & 0xFFFFFFFF


def read_facts(path):
    """{name: {header: value}}"""
    facts = defaultdict(dict)
    for line in path.read_text().splitlines():
        if line and not line.startswith("#"):
            header, name, value = line.split("\t")
            facts[name][header] = int(value, 0)
    return facts


def unsigned(value):
    """Bit 31 as a flag: headers write 1 << 31, which is negative in C."""
    return 1 << 31 if value & MASK == MASK - (1 << 31) + 1 else value & MASK


def choose(name, headers):
    """The header to believe: the architecture's, else all must agree."""
    own = {header: value for header, value in headers.items() if header.startswith("asm/")}
    values = set((own or headers).values())
    if len(values) > 1:
        shown = ", ".join(f"{header} {value:#x}" for header, value in headers.items())
        print(f"{name}: headers disagree, write the value in the set: {shown}", file=sys.stderr)
        return None
    return sorted(own or headers)[0]


def read_rows(folder, abi):
    return {words[0]: tuple(words[1:]) for words in tables.lines_of(folder / f"{abi}.const")}


def write_rows(folder, abi, rows):
    lines = "".join(" ".join((name, *rows[name])) + "\n" for name in sorted(rows))
    (folder / f"{abi}.const").write_text(_HEAD + lines)


def used_names(data, files):
    """Constants that the descriptions name."""
    errors = Errors()
    numbers = tables.read_numbers(data / "numbers")
    resolver = compile_files(files, numbers, tables.read_constants(data / "const"), errors)
    return resolver.exprs.used


def find(names, facts):
    """{name: (value, header)} on the 64-bit ABI."""
    found = {}
    for name in sorted(names):
        if name in facts:
            header = choose(name, facts[name])
            if header:
                found[name] = (unsigned(facts[name][header]), header)
    left = names - set(facts)
    places = [(header, left) for header in _FIRST_HEADERS]
    for header, wanted in places + list(defining_headers(left).items()):
        for name, value in installed(header, wanted - set(found), "x86_64").items():
            found[name] = (value, header)
    return found


def defining_headers(names):
    """{header: names} by the text of the installed headers."""
    pattern = r"^\s*#\s*define\s+(\w+)\s|^\s*(\w+)\s*(?:=.*)?,?\s*(?:/\*.*)?$"
    roots = [_INCLUDE / folder for folder in _FOLDERS]
    paths = [*_INCLUDE.glob("*.h"), *_INCLUDE.glob("net*/*.h")]
    for root in roots:
        paths += sorted(root.rglob("*.h"))
    found = defaultdict(set)
    for path in paths:
        text = path.read_text(errors="replace")
        here = {one or two for one, two in re.findall(pattern, text, re.MULTILINE)} & names
        if here:
            header = str(path.relative_to(_INCLUDE)).removeprefix("x86_64-linux-gnu/")
            found[_THROUGH.get(header, header)] |= here
    return found


def by_header(rows):
    groups = defaultdict(set)
    for name, (_, header, *_) in rows.items():
        groups[header].add(name)
    return groups


def that_differ(new, abi):
    """Rows of those constants that have another value on @abi."""
    return {
        name: (f"{value:#x}", header)
        for header, names in by_header(new).items()
        for name, value in installed(header, names, abi).items()
        if value != new[name][0]
    }


def refresh(data, files, facts, prune):
    folder = data / "const"
    used = used_names(data, files)
    main_rows, *other_rows = (read_rows(folder, abi) for abi in ABIS)
    new = find(used.difference(main_rows, *other_rows), facts)
    # Read again: finding takes a while, and somebody else may have added theirs.
    main_rows, *other_rows = (read_rows(folder, abi) for abi in ABIS)
    for name, (value, header) in new.items():
        main_rows[name] = (f"{value:#x}", header)
    for abi, rows in zip(ABIS[1:], other_rows):
        rows.update(that_differ(new, abi))
    if prune:
        main_rows = {name: row for name, row in main_rows.items() if name in used}
        other_rows = [{n: row for n, row in rows.items() if n in used} for rows in other_rows]
    for abi, rows in zip(ABIS, (main_rows, *other_rows)):
        write_rows(folder, abi, rows)
    missing = sorted(used.difference(main_rows, *other_rows))
    for name in missing:
        print(f"{name}: not found", file=sys.stderr)
    return 1 if missing else 0


def is_same(text, value):
    """Whether a constant of ours is this value in the compiler's 64 bits."""
    ours = int(text, 0)
    # A negative pointer of 32 bits comes out of the compiler in 64.
    extended = ours | 0xFFFFFFFF << 32 if ours >> 31 == 1 else ours
    return value in (ours, extended)


def compare(each, abi):
    """How many of these rows could be compared, and how many differ from the header's value."""
    wrong = compared = 0
    for header, names in by_header(each).items():
        for name, value in installed(header, names, abi).items():
            compared += 1
            if not is_same(each[name][0], value):
                print(f"{abi}: {name} is {each[name][0]}, but {value:#x} in <{header}>")
                wrong += 1
    return compared, wrong


def check(data):
    wrong = compared = 0
    rows = [read_rows(data / "const", abi) for abi in ABIS]
    for abi, each in zip(ABIS, ({**rows[0], **each} for each in rows)):
        counts = compare({name: row for name, row in each.items() if row[0] != "-"}, abi)
        compared += counts[0]
        wrong += counts[1]
    print(f"{compared} constants compared, {wrong} differ")
    if not compared:
        print("no headers to compare with")
        return 77
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    data = Path(__file__).resolve().parent.parent
    parser.add_argument("--facts", type=Path, help="constants.tsv")
    parser.add_argument("--check", action="store_true", help="compare with installed headers")
    parser.add_argument("--prune", action="store_true", help="drop what no description uses")
    options = parser.parse_args()
    if options.check:
        return check(data)
    files = sorted(data.rglob("*.desc"))
    facts = read_facts(options.facts) if options.facts else {}
    return refresh(data, files, facts, options.prune)


if __name__ == "__main__":
    sys.exit(main())
