# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Prints the last line of tools/test from meson's log; fails if a test did or if none ran."""

import json
import re
import sys

TAP = re.compile(r"^(not )?ok\b[^#\n]*(#\s*skip\b.*)?", re.IGNORECASE | re.MULTILINE)


def count_test(test):
    """(passed, failed, skipped) of one test: its points if it speaks TAP, else itself."""
    passed = failed = skipped = 0
    for failure, skip in TAP.findall(test.get("stdout", "")):
        if skip:
            skipped += 1
        elif failure:
            failed += 1
        else:
            passed += 1
    if test["result"] in ("OK", "EXPECTEDFAIL"):
        passed += 0 if passed + skipped else 1
    elif test["result"] == "SKIP":
        skipped += 0 if skipped else 1
    elif not failed:
        failed = 1
    return passed, failed, skipped


def main():
    with open(sys.argv[1], encoding="utf-8") as log:
        counts = [count_test(json.loads(line)) for line in log if line.strip()]
    passed, failed, skipped = map(sum, zip(*counts)) if counts else (0, 0, 0)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


sys.exit(main())
