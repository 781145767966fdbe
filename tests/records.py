# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Reads record files: what golden cases, differential scenarios and known differences are.

A record is lines `KEY value`; a line that starts with a tab continues the value above; an
empty line ends the record; a line that starts with # is a comment.
"""


class Record:
    """Values by key, each a list in the order of the lines."""

    def __init__(self, path, line):
        self.place = f"{path}:{line}"
        self.values = {}

    def all(self, key):
        return self.values.get(key, [])

    def one(self, key, default=None):
        values = self.all(key)
        if len(values) > 1:
            raise ValueError(f"{self.place}: {key} stands more than once")
        if not values and default is None:
            raise ValueError(f"{self.place}: {key} is missing")
        return values[0] if values else default

    def words(self, key):
        return [word for value in self.all(key) for word in value.split()]


def continue_value(place, record, key, text):
    if record is None:
        raise ValueError(f"{place}: a continuation of nothing")
    record.values[key][-1] += "\n" + text


def read_records(path, keys):
    """All records of a file; a key that is not among the known ones is an error."""
    records = []
    record = last = None
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            line = line.rstrip("\n")
            if line.startswith("#"):
                continue
            if not line:
                record = None
                continue
            if line.startswith("\t"):
                continue_value(f"{path}:{number}", record, last, line[1:])
                continue
            last, _, value = line.partition(" ")
            if last not in keys:
                raise ValueError(f"{path}:{number}: unknown key {last}")
            if record is None:
                record = Record(path, number)
                records.append(record)
            record.values.setdefault(last, []).append(value)
    return records
