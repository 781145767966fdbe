# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""run.py TEST [ARGUMENT]... runs a unit test and makes what cmocka says proper TAP.

cmocka says "not ok" of a case that was skipped, which counts as failed, and the reason, which the
case has printed, stands on a line before.
"""

import os
import re
import subprocess
import sys

SKIPPED = re.compile(r"(?:not )?ok (\d+)(?: -)? # SKIP (.*)")
TAP = re.compile(r"(not )?ok\b|1\.\.|#|Bail out!|TAP version")


def translate(lines):
    said = []
    for line in lines:
        skipped = SKIPPED.fullmatch(line)
        if skipped:
            reason = said.pop() if said else "it does not say why"
            line = f"ok {skipped[1]} - {skipped[2]} # SKIP {reason}"
        elif not TAP.match(line):
            said.append(line)
            continue
        yield from (f"# {text}" for text in said)
        said = []
        yield line
    yield from (f"# {text}" for text in said)


def main():
    os.environ["CMOCKA_MESSAGE_OUTPUT"] = "TAP"
    with subprocess.Popen(
        sys.argv[1:], stdout=subprocess.PIPE, encoding="utf-8", errors="backslashreplace"
    ) as test:
        for line in translate(text.rstrip("\n") for text in test.stdout):
            print(line, flush=True)
    sys.exit(test.returncode if test.returncode >= 0 else 128 - test.returncode)


main()
