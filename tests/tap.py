# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Test Anything Protocol for our Python tests: meson and tools/test count its points.

A test file is functions named test_* and `tap.run(globals())`. A point fails by any
exception, is skipped by `raise Skip("what is missing")`, and passes otherwise.
"""

import sys
import traceback


class Skip(Exception):
    """The reason says what is missing."""


class Report:
    """Prints one line per point and remembers whether all went well."""

    def __init__(self):
        self.count = 0
        self.failed = 0

    def _point(self, ok, text, details=""):
        self.count += 1
        self.failed += not ok
        name = text.replace("\n", " ")
        print(f"{'ok' if ok else 'not ok'} {self.count} - {name}")
        for line in details.splitlines():
            print(f"#   {line}")
        sys.stdout.flush()

    def ok(self, name):
        self._point(True, name.replace("#", ""))

    def fail(self, name, details):
        self._point(False, name.replace("#", ""), details)

    def skip(self, name, reason):
        self._point(True, f"{name.replace('#', '')} # SKIP {reason}")

    def check(self, name, function, *args):
        """One point: calls the function, which raises AssertionError or Skip."""
        try:
            function(*args)
        except Skip as reason:
            self.skip(name, reason)
        except AssertionError as error:
            self.fail(name, str(error) or traceback.format_exc())
        except Exception:  # a broken test is a failed test, and the others still run
            self.fail(name, traceback.format_exc())
        else:
            self.ok(name)

    def finish(self):
        """The plan; returns the exit status."""
        print(f"1..{self.count}")
        return 1 if self.failed or not self.count else 0


def run(names):
    """Runs the test_* functions of a module in the order they stand, or those in argv."""
    report = Report()
    wanted = sys.argv[1:]
    for name, function in list(names.items()):
        if name.startswith("test_") and (not wanted or name[5:] in wanted):
            report.check(name[5:], function)
    sys.exit(report.finish())
