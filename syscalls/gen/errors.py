# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Errors in descriptions: collected, so that one run reports all of them."""

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Pos:
    """Where something stands: a file's base name and a line."""

    file: str
    line: int

    def __str__(self):
        return f"{self.file}:{self.line}"


class DescError(Exception):
    """Ends the current declaration; the error is reported and the pass goes on."""

    def __init__(self, pos, message):
        super().__init__(message)
        self.pos = pos
        self.message = message


class Errors:
    """The errors of all passes, each once, in order of file and line."""

    def __init__(self):
        self._found = set()

    def add(self, pos, message):
        self._found.add((pos, message))

    def catch(self, error):
        self.add(error.pos, error.message)

    def __bool__(self):
        return bool(self._found)

    def __iter__(self):
        return iter(sorted(self._found))
