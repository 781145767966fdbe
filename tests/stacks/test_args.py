# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""The values of parameters, compared with gdb's backtrace of the same program.

Addresses differ from run to run and are not compared. The environment gives TRACER, STACKS,
the folder of the programs, and GDB, the debugger or nothing.
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
GDB = os.environ.get("GDB")


def start(name):
    """The program, waiting in read()."""
    path = STACKS / name
    if not path.exists():
        raise Skip(f"{name} was not built")
    process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout.read(1) == b"x"
    tracing.wait_until(
        lambda: " S " in pathlib.Path(f"/proc/{process.pid}/stat").read_text(), "its read()")
    return process


def plain(args):
    """Without what differs between runs: addresses, and how octal escapes are padded."""
    args = re.sub(r"0x[0-9a-f]{4,}", "ADDRESS", args)
    # Whose name gdb knows as well, but not always as a C++ one with parameters.
    args = re.sub(r"ADDRESS <([\w:]+)[^>]*>", r"ADDRESS <\1>", args)
    return re.sub(r"\\0+(?=[\"'])", r"\\0", args)


def frames_of_gdb(pid):
    settings = [
        "set print entry-values no",
        "set print symbol off",
        "set print frame-arguments scalars",
        "set width 0",
        "set backtrace limit 40",
        "bt",
    ]
    command = [GDB, "-nx", "-batch", "-p", str(pid)]
    for setting in settings:
        command += ["-ex", setting]
    done = subprocess.run(command, capture_output=True, text=True, timeout=tracing.PATIENCE,
                          check=False, env={**os.environ, "DEBUGINFOD_URLS": ""})
    frames = []
    for line in done.stdout.splitlines():
        match = re.match(r"#\d+ +(?:0x[0-9a-f]+ in )?(.+?) \((.*)\)(?: at | from |$)", line)
        if match:
            name = re.sub(r"^.*::", "", match[1])
            frames.append((name, plain(match[2])))
    if not frames:
        raise Skip("gdb may not attach here: " + done.stderr.strip().splitlines()[-1])
    return frames


def frames_of_tracer(name):
    """Of the read() in wait_here()."""
    done, lines = tracing.run(
        ["--stack-args", "-e", "trace=read"], [STACKS / name], stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done
    start_at = max(i for i, line in enumerate(lines) if line.startswith("read(0, "))
    frames = []
    for line in lines[start_at + 1:]:
        if not line.startswith(" > "):
            break
        # FILE(FUNCTION(PARAMETERS)+0xOFFSET) (ARGS) [ADDRESS]
        match = re.match(r" > [^(]+\((.*?)(?:\+0x[0-9a-f]+)?\) \((.*)\) \[0x[0-9a-f]+\]", line)
        if match:
            function = re.sub(r"\(anonymous namespace\)::", "", match[1])
            function = re.sub(r"\(.*", "", function)
            frames.append((re.sub(r"^.*::", "", function), plain(match[2])))
    return frames


def compare(name):
    if not GDB:
        raise Skip("gdb is missing")
    ours = frames_of_tracer(name)
    process = start(name)
    try:
        theirs = frames_of_gdb(process.pid)
    finally:
        process.kill()
        process.communicate()
    first = next(i for i, frame in enumerate(ours) if frame[0] == "wait_here")
    theirs = theirs[next(i for i, frame in enumerate(theirs) if frame[0] == "wait_here"):]
    # What was jumped out of is not on the stack; gdb infers it, and what it passed.
    has_jump = "jumps" not in [frame[0] for frame in ours]
    if has_jump:
        theirs = [frame for frame in theirs if frame[0] != "jumps"]
    seen = 0
    for mine, other in zip(ours[first:], theirs):
        if other[0] == "main":
            break
        if has_jump and other[0] == "tail":
            other = ("tail", "argument=<optimized out>, extra=<optimized out>")
        assert mine == other, f"{name}: {mine}, gdb says {other}"
        seen += 1
    assert seen >= 14, f"{name}: only {seen} frames compared"


def test_unoptimized():
    compare("args-plain")


def test_optimized():
    compare("args-optimized")


def test_optimized_for_debugging():
    compare("args-debug")


def test_dwarf_4():
    compare("args-dwarf4")


def test_i386():
    compare("args-i386")


def test_json():
    _, events = tracing.run_json(
        ["--stack-args", "-e", "trace=read"], [STACKS / "args-plain"], stdin=subprocess.DEVNULL)
    frames = {}
    for event in events:
        for frame in event.get("stack", []):
            if "args" in frame:
                name = frame["function"].split("(")[0]
                frames[name] = {arg["name"]: arg for arg in frame["args"]}
    numbers = frames["numbers"]
    assert numbers["yes"]["value"] is True
    assert numbers["letter"]["value"] == ord("z")
    assert numbers["small"]["value"] == -1
    assert numbers["byte"]["value"] == 200
    assert numbers["most"]["value"] == 18000000000000000000
    assert frames["reals"]["real"]["value"] == 0.1
    assert frames["reals"]["negative"]["value"] == -2.25
    assert frames["strings"]["text"]["string"] == "hello"
    assert frames["strings"]["nothing"] == {"name": "nothing", "value": 0}
    assert frames["enums"]["plain"]["names"] == "BLUE"
    assert frames["enums"]["flags"]["names"] == "(FLAG_READ | FLAG_SYNC)"
    assert frames["enums"]["bad"]["value"] == 64
    assert frames["enums"]["negative"]["value"] == -5
    assert frames["references"]["number"]["value"] == 43
    assert frames["references"]["number"]["reference"] > 4096
    assert frames["aggregates"]["small"]["missing"] == "aggregate"
    assert frames["functions"]["function"]["function"].startswith("reals(")


tap.run(globals())
