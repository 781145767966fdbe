# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Mount namespaces for tests, also in a chroot, where `unshare -m` alone fails."""

import os
import subprocess

import requires
from tap import Skip

# In a chroot to a directory that is no mount point nobody says whether the mount it lies in
# shares what is mounted on it with others. A second mount of it tells: it would share, too.
LOOK = (
    "mount --make-private /proc && mount --bind / /proc/fs &&"
    ' while read -r line; do case $line in *" /proc/fs "*) echo "$line";; esac; done'
    " </proc/self/mountinfo"
)
UNCHANGED = ["unshare", "-m", "--propagation", "unchanged"]


def _run(words):
    return subprocess.run(words, capture_output=True, text=True, check=False)


def own_mounts():
    """What to put before a command whose mounts shall show nowhere else; else raises Skip."""
    requires.require(["root", "command:unshare"])
    if _run(["unshare", "-m", "true"]).returncode == 0:
        return ["unshare", "-m"]
    seen = _run([*UNCHANGED, "sh", "-c", LOOK])
    if seen.returncode or not seen.stdout:
        raise Skip(f"mount namespaces cannot be made here: {seen.stderr.strip()}")
    # 70 69 8:1 /srv/root /proc/fs rw,relatime shared:1 - ext4 /dev/sda1 rw
    if "shared:" in seen.stdout.rpartition(" - ")[0]:
        raise Skip("/ is no mount point, and what is mounted below it would show elsewhere")
    return UNCHANGED


def name_there(path):
    """How the kernel tells us a path in a mount namespace that own_mounts() made.

    In a chroot it begins at the root of that namespace, for our root does not lie in it.
    """
    there = subprocess.Popen([*own_mounts(), "sh", "-c", "echo; read -r end"],
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # fmt: skip
    with there:
        there.stdout.readline()
        root = os.readlink(f"/proc/{there.pid}/root")
        there.stdin.close()
    return root.rstrip("/") + str(path)
