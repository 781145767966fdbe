# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Options that choose how stacks are found and how much of them is shown.

The environment gives TRACER and STACKS, the folder of the programs.
"""

import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import tap  # noqa: E402
import tracing  # noqa: E402
from tap import Skip  # noqa: E402

STACKS = pathlib.Path(os.environ["STACKS"])


def stack(options, program, mode):
    """The lines of the stack of the last read()."""
    _, lines = tracing.run(options + ["-e", "trace=read"], [str(STACKS / program), mode])
    start = max(i for i, line in enumerate(lines) if line.startswith("read(0, "))
    found = []
    for line in lines[start + 1:]:
        if not line.startswith(" > "):
            break
        found.append(line)
    return found


def names(lines):
    return [re.sub(r"^ > [^(]*\(|\+0x.*|\) \[.*", "", line) for line in lines]


def refused(options, *words):
    done = subprocess.run(tracing.tracer() + options + ["true"], capture_output=True, text=True,
                          check=False, timeout=tracing.PATIENCE)
    assert done.returncode == 1, done
    for word in words:
        assert word in done.stderr, done.stderr


def test_dwarf_is_what_is_done_without_a_choice():
    plain = stack(["-k"], "stacks-optimized", "handler")
    chosen = stack(["--call-graph=dwarf"], "stacks-optimized", "handler")
    assert names(plain) == names(chosen) and "main" in names(plain), (plain, chosen)
    assert not [line for line in plain if line.endswith(" ?")], plain


def test_frame_pointers():
    lines = stack(["--call-graph=fp"], "stacks-plain", "read")
    found = names(lines)
    place = found.index("wait_here")
    assert found[place:place + 4] == ["wait_here", "middle", "mode_read", "main"], lines
    # The rule of the innermost frame is certain, the rest is plausible.
    assert not lines[place].endswith(" ?"), lines
    assert all(line.endswith(" ?") for line in lines[place + 1:place + 4]), lines


def test_frame_pointers_of_a_program_that_has_none():
    lines = stack(["--call-graph=fp"], "stacks-optimized", "read")
    assert "wait_here" in names(lines), lines
    # Nothing that is not marked, and the end is not called complete.
    place = names(lines).index("wait_here")
    assert all(line.endswith(" ?") for line in lines[place + 1:-1]), lines
    assert lines[-1].startswith(" > end: "), lines


def test_libunwind():
    done = subprocess.run(tracing.tracer() + ["--call-graph=libunwind", "-o", "/dev/null", "true"],
                          capture_output=True, text=True, check=False)
    if "without" in done.stderr and "libunwind" in done.stderr:
        raise Skip("built without libunwind")
    for program, mode in (("stacks-optimized", "altstack"), ("stacks-hardened", "noreturn"),
                          ("shapes-optimized", "realigned")):
        ours = stack(["-k"], program, mode)
        theirs = stack(["--call-graph=libunwind"], program, mode)
        assert names(ours) == names(theirs), (ours, theirs)


def test_refusals():
    refused(["--call-graph=lbr"], "lbr", "dwarf")
    refused(["--call-graph=magic"], "magic", "libunwind")
    refused(["--stack-args", "--call-graph=fp"], "--stack-args", "dwarf")
    refused(["-k", "--stack-trace-frame-limit=1"], "1")
    refused(["-k", "--stack-trace-frame-limit=many"], "many")


def test_a_deep_stack_is_folded():
    lines = stack(["-k"], "stacks-optimized", "deep")
    folded = [line for line in lines if line.startswith(" > ... ")]
    # 20,001 calls; the innermost one is at another line, three and one are shown.
    assert folded == [" > ... 19,996 more of recurse() ..."], lines
    assert "main" in names(lines) and len(lines) < 20, lines


def test_a_limit():
    lines = stack(["-k", "--stack-trace-frame-limit=4"], "stacks-optimized", "read")
    assert len(lines) == 5, lines
    assert lines[2].startswith(" > ... ") and " more " in lines[2], lines
    assert "_start" in names(lines)[-1], lines


tap.run(globals())
