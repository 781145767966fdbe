# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Reads the committed tables: numbers/ABI.tbl, numbers/ABI.sub and const/ABI.const."""

import re

import model
from parse import ABIS

# Spelling in the tables: bit of enum syscall_class.
CLASSES = {
    "file": "CLASS_FILE",
    "desc": "CLASS_DESC",
    "process": "CLASS_PROCESS",
    "network": "CLASS_NETWORK",
    "signal": "CLASS_SIGNAL",
    "ipc": "CLASS_IPC",
    "memory": "CLASS_MEMORY",
    "creds": "CLASS_CREDS",
    "clock": "CLASS_CLOCK",
    "pure": "CLASS_PURE",
    "%stat": "CLASS_STAT",
    "%lstat": "CLASS_LSTAT",
    "%fstat": "CLASS_FSTAT",
    "%%stat": "CLASS_STAT_LIKE",
    "%statfs": "CLASS_STATFS",
    "%fstatfs": "CLASS_FSTATFS",
    "%%statfs": "CLASS_STATFS_LIKE",
}


# Numbers of calls that have none: above all real ones, below SYSCALL_SET_NUMBERS.
FIRST_MADE_UP = 900


def lines_of(path):
    """The words of each line that is not a comment."""
    for line in path.read_text().splitlines():
        words = line.split("#")[0].split()
        if words:
            yield words


def read_numbers(folder):
    """Per ABI: {name: model.Row}"""
    numbers = []
    for abi in ABIS:
        rows = {}
        for number, name, count, *classes in lines_of(folder / f"{abi}.tbl"):
            assert name not in rows, f"{abi}: second {name}"
            bits = tuple(CLASSES[each] for each in classes)
            rows[name] = model.Row(int(number), name, int(count), bits)
        if (folder / f"{abi}.sub").exists():
            _read_sub_calls(folder / f"{abi}.sub", rows)
        numbers.append(rows)
    return numbers


def _read_sub_calls(path, rows):
    """Calls within calls; those that the kernel has no number for become rows too."""
    made_up = FIRST_MADE_UP
    for words in lines_of(path):
        colon = words.index(":") if ":" in words else len(words)
        call, number, name, count, *classes = words[:colon]
        if name not in rows:
            bits = tuple(CLASSES[each] for each in classes)
            rows[name] = model.Row(made_up, name, int(count), bits, hidden=True)
            made_up += 1
        number, _, half = number.partition("/")
        assert half in ("", "any"), f"{path}: {half}"
        places, result = _places(words[colon + 1 :], int(count))
        rows[name].within += (
            model.Within(rows[call].number, int(number), half == "any", places, result),
        )


# Room for arguments in struct syscall_sub, and how they are written there: see schema/lookup.h.
_SUB_ARGUMENTS = 6
_BEHIND, _WORD, NOWHERE = 0x08, 0x10, 0xFF


def _places(words, count):
    """(where the arguments are, where the result is)"""
    result = NOWHERE
    if "=" in words:
        result = _place(words[-1])
        words = words[:-2]
    places = [_place(word) for word in words] or [1 | _BEHIND | at * _WORD for at in range(count)]
    return places + [NOWHERE] * (_SUB_ARGUMENTS - len(places)), result


def _place(word):
    match = re.fullmatch(r"(\*?)([0-5])(?:\+(\d))?", word)
    assert match, f"no place: {word}"
    behind = _BEHIND if match[1] else 0
    return int(match[2]) | behind | int(match[3] or 0) * _WORD


def read_constants(folder):
    """{name: value per ABI}; files but the first hold only what differs, `-` for what is absent."""
    first, *others = ({w[0]: w[1] for w in lines_of(folder / f"{abi}.const")} for abi in ABIS)
    values = {}
    for name in dict.fromkeys((*first, *(name for each in others for name in each))):
        text = first.get(name, "-")
        texts = (text, *(each.get(name, text) for each in others))
        values[name] = tuple(None if text == "-" else int(text, 0) for text in texts)
    return values
