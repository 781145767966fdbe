# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Processes chosen by user and by control group: all of these and no others."""

import contextlib
import os
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import requires  # noqa: E402
import tap  # noqa: E402
import target  # noqa: E402
import tracing  # noqa: E402
from tap import Skip  # noqa: E402

# Nobody else's, so that nothing of the machine's own is touched.
USER = 54321


@contextlib.contextmanager
def cgroup():
    """A group of our own, in the hierarchy that can be written to."""
    for root in ("/sys/fs/cgroup", "/sys/fs/cgroup/cpu", "/sys/fs/cgroup/pids"):
        path = f"{root}/tracer-test-{os.getpid()}"
        try:
            if os.path.exists(f"{root}/cgroup.procs"):
                os.mkdir(path)
                break
        except OSError:
            continue
    else:
        raise Skip("no control group can be made here")
    try:
        yield path
    finally:
        os.rmdir(path)


def expect_traced(options, traced, free):
    with target.tracing_in_background(options) as tracer:
        tracing.wait_until(
            lambda: all(tracing.tracer_pid(pid) == tracer.process.pid for pid in traced),
            "all of them are traced",
        )
        assert not [pid for pid in free if tracing.tracer_pid(pid)]
        tracer.process.terminate()
        tracer.process.wait(tracing.PATIENCE)


def test_by_user():
    requires.require(["root", "command:setpriv"])
    command = ["setpriv", f"--reuid={USER}", "--clear-groups", "sleep", "1000"]
    with contextlib.ExitStack() as stack:
        sleepers = [stack.enter_context(subprocess.Popen(command)) for _ in range(2)]
        other = stack.enter_context(subprocess.Popen(["sleep", "1000"]))
        try:
            for sleeper in sleepers:
                tracing.wait_until(
                    lambda s=sleeper: os.stat(f"/proc/{s.pid}").st_uid == USER, "it is the user's"
                )
            expect_traced([f"--uid={USER}"], [s.pid for s in sleepers], [other.pid])
        finally:
            for process in [*sleepers, other]:
                process.kill()


def test_by_control_group():
    requires.require(["root"])
    with cgroup() as group, subprocess.Popen(["sleep", "1000"]) as inside:
        try:
            with open(f"{group}/cgroup.procs", "w", encoding="utf-8") as procs:
                procs.write(str(inside.pid))
            with subprocess.Popen(["sleep", "1000"]) as outside:
                expect_traced([f"--cgroup={group}"], [inside.pid], [outside.pid])
                outside.kill()
        finally:
            inside.kill()
            inside.wait()


def test_single_threads():
    with target.running(threads=3) as running:
        tids = sorted(int(tid) for tid in os.listdir(f"/proc/{running.pid}/task"))
        chosen = tids[-2:]
        expect_traced([f"--tid={chosen[0]},{chosen[1]}"], chosen, tids[:-2])
        running.expect_running()


def test_nobody():
    for option in ("--uid=no-such-user", "--cgroup=/nonexistent", "--uid=2000000000"):
        done = subprocess.run(
            tracing.tracer() + [option], capture_output=True, text=True, check=False,
            timeout=tracing.PATIENCE,
        )  # fmt: skip
        name = tracing.tracer()[0]
        assert done.returncode != 0 and done.stderr.startswith(f"{name}: "), done.stderr


tap.run(globals())
