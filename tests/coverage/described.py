# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""
Counts the calls that have a description, for each ABI; every one has to.

A description can be shallow: arguments, also those of variants, of which only the address
is told are counted too, and their number may only fall. `described.py --list` names them.
"""

import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
TESTS = pathlib.Path(__file__).resolve().parent.parent
SYSCALLS = TESTS.parent / "syscalls"
sys.path.insert(0, str(TESTS))
sys.path.insert(0, str(SYSCALLS / "gen"))

import main as generator  # noqa: E402
import tables  # noqa: E402
import tap  # noqa: E402
from errors import Errors  # noqa: E402
from parse import ABIS  # noqa: E402


# Arguments that are a bare address, for each ABI. Lower it when one is described. Some are
# addresses and nothing else (of munmap, brk), so it does not end at zero.
MOST = {"x86_64": 50, "i386": 64, "x32": 50}


def is_bare(kind):
    return kind.kind == "NUMBER" and kind.radix == "ADDRESS" and kind.role == "NONE"


def ends_bare(kind, seen=()):
    """A bare address whatever the values are. What is described but for a length that does not
    fit (a select within a case) is not."""
    if kind is None or kind in seen:
        return False
    seen = (*seen, kind)
    if kind.kind in ("POINTER", "APPLY"):
        return ends_bare(kind.target, seen)
    if kind.kind == "SELECT":
        cases = [case for *_, case in kind.cases] + ([kind.otherwise] if kind.otherwise else [])
        return all(ends_bare(case, seen) for case in cases)
    return is_bare(kind)


def is_refusal(kind):
    """Either what is behind the address or, where the kernel does not look, the address."""
    ends = [case for *_, case in kind.cases] + ([kind.otherwise] if kind.otherwise else [])
    return len(ends) == 2 and sum(map(ends_bare, ends)) == 1


def bare_cases(kind):
    """Which values of its select an argument is a bare address for: "" means for all."""
    while kind.kind == "APPLY":
        kind = kind.target
    if ends_bare(kind):
        yield ""
    elif kind.kind == "SELECT" and not is_refusal(kind):
        for (value, *_), _, case in kind.cases:
            if ends_bare(case):
                yield f"[{value or 0:#x}]"
        if ends_bare(kind.otherwise):
            yield "[else]"


def bare_arguments(signature, name):
    """Each argument of a call or of a variant that ends in a bare address, by a name of its own."""
    for arg in signature.args:
        for case in bare_cases(arg.type):
            yield f"{name}.{arg.name}{case}"
    common = {arg.name for arg in signature.args}
    for (value, *_), _, variant in signature.cases:
        for each in bare_arguments(variant, f"{name}[{value or 0:#x}]"):
            if each.rpartition(".")[2].partition("[")[0] not in common:
                yield each


def all_bare(rows):
    found = set()
    for row in rows.values():
        found.update(bare_arguments(row.desc.signature, row.desc.name) if row.desc else ())
    return sorted(found)


def check_depth(abi, rows):
    found = all_bare(rows)
    print(f"# {abi}: {len(found)} arguments are bare addresses")
    assert len(found) <= MOST[abi], (
        f"{len(found)} arguments are bare addresses, at most {MOST[abi]}: see described.py --list"
    )
    assert len(found) == MOST[abi], f"only {len(found)} are left: lower MOST in described.py"


def check_abi(abi, rows):
    missing = sorted(row.name for row in rows.values() if not row.desc)
    print(f"# {abi}: {len(rows) - len(missing)} of {len(rows)} calls are described")
    assert not missing, " ".join(missing)


def check_walk():
    """On a description of its own: one bare argument shared by variants, one of a variant, one
    in a select; none behind a pointer that is followed, or is not where a length is wrong."""
    text = (
        "struct s { a ptr }\n"
        "fcntl(fd fd, shared ptr,\n"
        "\tx select[fd] { 7: ptr; 8: select[fd < 2] { 1: ptr; else in s }; else int })"
        " int select fd {\n"
        "\t1: (own ptr) int; 2: (own in s) int\n}\n"
        "mprotect(refused ptr if length < 3 else in s, length ulong, prot ulong) int\n"
    )
    numbers = tables.read_numbers(SYSCALLS / "numbers")
    errors = Errors()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "test.desc"
        path.write_text(text)
        generator.compile_files([path], numbers, {}, errors)
    assert not errors, [str(each) for each in errors]
    found = all_bare(numbers[0])
    assert found == ["fcntl.shared", "fcntl.x[0x7]", "fcntl[0x1].own"], found


def main():
    numbers = tables.read_numbers(SYSCALLS / "numbers")
    constants = tables.read_constants(SYSCALLS / "const")
    files = sorted(SYSCALLS.glob("*.desc")) + sorted(SYSCALLS.glob("sets/*.desc"))
    errors = Errors()
    generator.compile_files(files, numbers, constants, errors)
    assert not errors, "the descriptions have errors: build first"
    if sys.argv[1:] == ["--list"]:
        for abi, rows in zip(ABIS, numbers):
            print("".join(f"{abi} {each}\n" for each in all_bare(rows)), end="")
        return 0
    report = tap.Report()
    report.check("variants and selects are looked into", check_walk)
    for abi, rows in zip(ABIS, numbers):
        report.check(abi, check_abi, abi, rows)
        report.check(f"depth of {abi}", check_depth, abi, rows)
    return report.finish()


sys.exit(main())
