# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""What a test needs from the machine, by name. A missing thing is a skip that says so."""

import os
import shutil
import subprocess

from tap import Skip


def _command(name):
    if not shutil.which(name):
        raise Skip(f"{name} is not installed")


def _file(path):
    if not os.path.exists(path):
        raise Skip(f"{path} does not exist")


def _debug(path):
    """The debug file of a program or library, by build-id."""
    notes = subprocess.run(
        ["readelf", "-n", os.path.realpath(path)], capture_output=True, text=True, check=False
    ).stdout
    _, _, build_id = notes.partition("Build ID: ")
    build_id = build_id.split()[0] if build_id else "none"
    debug = f"/usr/lib/debug/.build-id/{build_id[:2]}/{build_id[2:]}.debug"
    if not os.path.exists(debug):
        raise Skip(f"no debug file for {path} ({debug})")


def _root(_):
    if os.geteuid() != 0:
        raise Skip("not root")


def _strace(version):
    _command("strace")
    text = subprocess.run(["strace", "-V"], capture_output=True, text=True, check=True).stdout
    found = text.split("\n")[0].split()[-1]
    if found != version:
        raise Skip(f"compared with strace {version}, this is {found}")


def _program(name):
    if not os.path.exists(os.path.join(os.environ.get("TEST_PROGRAMS", ""), name)):
        raise Skip(f"{name} was not built")


KINDS = {"command": _command, "file": _file, "debug": _debug, "program": _program,
         "root": _root, "strace": _strace}  # fmt: skip


def require(words):
    """Each word is KIND or KIND:WHAT; raises Skip for the first that is missing."""
    for word in words:
        kind, _, what = word.partition(":")
        KINDS[kind](what)
