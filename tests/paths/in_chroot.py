# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""in_chroot.py [--above] TEST [ARGUMENT]... runs a test, and so the tracer, in a chroot to a
directory that is no mount point. Such a task does not see the mount that its root lies in.

The directory is on a new file system, in a mount namespace of its own, and has what ours has but
for an empty /tmp. With --above, /above shows the directory that the root is in.
"""

import os
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS))

import requires  # noqa: E402
import tap  # noqa: E402
import tracing  # noqa: E402

# $1: directories to show, $2: anything for /above.
# What is mounted in /proc can always be kept from showing elsewhere.
ENTER = """
set -e
mount --make-private /proc
mount -t tmpfs none /proc/fs
root=/proc/fs/root
mkdir $root $root/tmp $root/proc
for at in $1; do
    if [ -L $at ]; then
        cp -d $at $root$at
    elif [ -d $at ]; then
        mkdir -p $root$at
        mount --rbind $at $root$at
        mount --make-rprivate $root$at
    fi
done
mount -t proc proc $root/proc
if [ $2 ]; then
    mkdir $root/above
    mount --bind /proc/fs $root/above
fi
shift 2
exec chroot $root "$@"
"""
OWN = ("tmp", "proc")


def words(above):
    """What to put before a command."""
    shown = [f"/{name}" for name in sorted(os.listdir("/")) if name not in OWN]
    tracers = [pathlib.Path(word).parent for word in tracing.tracer() if word.startswith("/")]
    for path in [TESTS, tracing.PROGRAMS.resolve(), *tracers]:
        if path.parts[1] in OWN and str(path) not in shown:
            shown.append(str(path))
    return ["unshare", "-m", "--propagation", "unchanged", "sh", "-c", ENTER, "-", " ".join(shown),
            above]  # fmt: skip


def main():
    report = tap.Report()
    above = "yes" if "--above" in sys.argv else ""
    test, *arguments = [word for word in sys.argv[1:] if word != "--above"]
    try:
        requires.require(["root", "command:unshare", "command:chroot"])
        tried = subprocess.run([*words(above), "true"], capture_output=True, text=True, check=False)
        if tried.returncode:
            raise tap.Skip(f"no chroot can be made here: {tried.stderr.strip()}")
    except tap.Skip as reason:
        report.skip("in a chroot", reason)
        sys.exit(report.finish())
    os.environ["TMPDIR"] = "/tmp"
    sys.stdout.flush()
    test = str(pathlib.Path(test).resolve())
    os.execvp("unshare", [*words(above), sys.executable, test, *arguments])


main()
