# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Thousands of stacks of real programs, by our rules and by libunwind.

tests/stacks/engines.c walks both ways at each call and sorts the differences by their reason; one
without a known reason fails the test. The environment gives ENGINES, its path.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import tap  # noqa: E402
from tap import Skip  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MOST = 2000

C_SOURCE = "#include <stdio.h>\nint main(void) { return printf(\"hello\\n\") < 0; }\n"
# Calls from generated code, from the interpreter, and from both.
JAVA_SOURCE = """
import java.io.RandomAccessFile;
public class Calls {
    static int seek(RandomAccessFile file, int count) throws Exception {
        int sum = 0;
        for (int i = 0; i < count; i++) { file.seek(i); sum += file.read(); }
        return sum;
    }
    public static void main(String[] arguments) throws Exception {
        RandomAccessFile file = new RandomAccessFile("/proc/self/stat", "r");
        for (int i = 0; i < 40; i++) seek(file, 500);
    }
}
"""
NODE_SOURCE = """
const fs = require('fs');
function inner(i) { return fs.statSync('/').size + i; }
function outer(count) { let sum = 0; for (let i = 0; i < count; i++) sum += inner(i); return sum; }
for (let i = 0; i < 30; i++) outer(100);
"""
PYTHON_SOURCE = """
import json, os
def stat(depth):
    return stat(depth - 1) if depth else os.stat('/')
for i in range(300):
    stat(i % 30)
"""


def compare(command, least, share=0.97):
    """@least: so many stacks there must be. @share of them must be the same."""
    if not shutil.which(command[0]):
        raise Skip(f"{command[0]} is missing")
    done = subprocess.run(
        [os.environ["ENGINES"], str(MOST)] + command, capture_output=True, text=True,
        timeout=500, check=False, stdin=subprocess.DEVNULL)
    if done.returncode == 77:
        raise Skip(done.stderr.strip())
    report = done.stdout.splitlines()[-1] if done.stdout else done.stderr
    assert done.returncode == 0, done.stdout
    total = int(re.match(r"(\d+) stacks", report)[1])
    same = int(re.search(r"(\d+) same", report)[1])
    print(f"# {command[0]}: {report}")
    assert total >= least and same >= share * total, report


def test_dd():
    compare(["dd", "if=/dev/zero", "of=/dev/null", "bs=1", "count=1500"], 1900)


def test_python():
    compare(["/usr/bin/python3", "-c", PYTHON_SOURCE], 500)


def test_gcc():
    with tempfile.TemporaryDirectory(prefix="engines-") as folder:
        source = pathlib.Path(folder, "hello.c")
        source.write_text(C_SOURCE)
        compare(["gcc", "-o", f"{folder}/hello", str(source)], 1000)


def test_perl():
    compare(["perl", "-e", "use POSIX; sub f { stat('/') } f() for (1..500)"], 700)


def test_git():
    compare(["git", "-C", str(ROOT), "--version"], 20)
    compare(["git", "help", "-a"], 20)


def test_gdb():
    compare(["gdb", "-nx", "-batch", "-ex", "info line main", os.environ["ENGINES"]], 1000)


def test_node():
    compare(["node", "-e", NODE_SOURCE], 1900)


def test_java():
    with tempfile.TemporaryDirectory(prefix="engines-") as folder:
        pathlib.Path(folder, "Calls.java").write_text(JAVA_SOURCE)
        if not shutil.which("javac"):
            raise Skip("javac is missing")
        subprocess.run(["javac", "-d", folder, f"{folder}/Calls.java"], check=True)
        compare(["java", "-XX:+PreserveFramePointer", "-cp", folder, "Calls"], 1900, 0.9)


tap.run(globals())
