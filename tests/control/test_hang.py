# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Attaching to a process that hangs: one look must tell where."""

import contextlib
import itertools
import json
import os
import pathlib
import re
import signal
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import tap  # noqa: E402
import target as targets  # noqa: E402
import tracing  # noqa: E402

# In what the kernel shows a thread to wait, by its way to hang (and the first thread).
NUMBERS = {
    "main": {"0", "3"},
    "read": {"0", "3"},
    "sleep": {"230", "35", "407", "267", "162"},
    "poll": {"7", "168"},
    "epoll": {"232", "256"},
    "vfork": {"58", "190"},
}


class Hanging:
    """The program `hang`, with the tid of each way."""

    def __init__(self, process, ways, ends):
        self.process = process
        self.pid = process.pid
        self.tids = {}
        for _ in ways + ["main"]:
            name, tid = process.stdout.readline().split()
            self.tids[name.decode()] = tid.decode()
        for name, tid in self.tids.items():
            if name in NUMBERS and not (ends and name == "main"):
                tracing.wait_until(lambda: self._sleeps(name, tid), f"{name} hangs")

    def _sleeps(self, name, tid):
        with open(f"/proc/{self.pid}/task/{tid}/syscall", encoding="utf-8") as call:
            return call.read().split()[0] in NUMBERS[name]

    def say(self, text):
        self.process.stdin.write(text)
        self.process.stdin.flush()

    def hears(self, pattern):
        line = self.process.stdout.readline().decode()
        assert re.search(pattern, line), line


@contextlib.contextmanager
def hanging(*ways, abi="x86_64", leave=False):
    """With `leave` the first thread ends."""
    process = targets.spawn([tracing.program("hang", abi), *ways] + ["leave"] * leave)
    try:
        yield Hanging(process, list(ways), leave)
    finally:
        process.kill()
        process.wait()


def lines_of(tracer, tid):
    lines = [line.split(None, 1) for line in tracer.lines()]
    return [rest for first, rest in lines if first == tid and "bit mode" not in rest]


def wait_for_line(tracer, tid, pattern):
    tracing.wait_until(
        lambda: any(re.search(pattern, line) for line in lines_of(tracer, tid)),
        f"thread {tid} shows {pattern} in {tracer.lines()}",
    )


def children_of(tid):
    with open(f"/proc/{tid}/task/{tid}/children", encoding="utf-8") as children:
        return [int(child) for child in children.read().split()]


def stop(tracer):
    tracer.process.terminate()
    tracer.wait()


def check_all_at_once(abi):
    ways = ["read", "sleep", "poll", "loop"]
    with hanging(*ways, abi=abi) as target:
        with targets.tracing_in_background(["-f", "-p", str(target.pid)]) as tracer:
            tids = target.tids
            wait_for_line(tracer, tids["main"], r"^read\(0,  <unfinished \.\.\.>$")
            wait_for_line(tracer, tids["read"], r"^read\(\d+,  <unfinished \.\.\.>$")
            wait_for_line(
                tracer, tids["sleep"],
                r"^clock_nanosleep(_time64)?\(CLOCK_REALTIME, 0, "
                r"\{tv_sec=1000, tv_nsec=0\},  <unfinished \.\.\.>$",
            )  # fmt: skip
            wait_for_line(
                tracer, tids["poll"],
                r"^poll\(\[\{fd=\d+, events=POLLPRI\}\], 1, 1000000 <unfinished \.\.\.>$",
            )  # fmt: skip
            wait_for_line(tracer, tids["loop"], "^--- running ---$")
            # The call goes on and ends once, as the one that was shown.
            target.say(b"x")
            wait_for_line(tracer, tids["read"], r'^<\.\.\. read resumed>"x", 1\) += 1$')
            wait_for_line(tracer, tids["main"], r'^<\.\.\. read resumed>"x", 16\) += 1$')
            target.hears("^read returned 1")
            stop(tracer)
            shown = lines_of(tracer, tids["read"])
            assert sum("read(" in line for line in shown) == 1, shown
            assert len(lines_of(tracer, tids["sleep"])) == 1, lines_of(tracer, tids["sleep"])
            assert len(lines_of(tracer, tids["poll"])) == 1, lines_of(tracer, tids["poll"])


def test_the_call_of_every_thread_is_shown_at_once():
    check_all_at_once("x86_64")


def test_the_call_of_every_thread_is_shown_at_once_in_32_bit():
    check_all_at_once("i386")


def stack_after(tracer, start):
    """The lines of the stack behind the first line that matches."""
    lines = tracer.lines()
    for number, line in enumerate(lines):
        if re.search(start, line):
            frames = itertools.takewhile(lambda text: text.startswith(" > "), lines[number + 1 :])
            return "\n".join(frames)
    return ""


def test_with_its_stack():
    with hanging("sleep", "loop") as target:
        with targets.tracing_in_background(["-k", "-f", "-p", str(target.pid)]) as tracer:
            tids = target.tids
            wait_for_line(tracer, tids["sleep"], "nanosleep")
            wait_for_line(tracer, tids["loop"], "running")
            wait_for_line(tracer, tids["main"], "read")
            stop(tracer)
            for name, functions in (
                ("sleep", ("(hang_in_sleep+", "(run+")),
                ("loop", ("(hang_in_loop+", "(run+")),
                ("main", ("(main+", "(_start+")),
            ):
                stack = stack_after(tracer, f"^{tids[name]} ")
                assert all(function in stack for function in functions), (name, tracer.lines())
                assert "hang.c:" in stack, stack


def test_a_thread_that_cannot_be_stopped():
    with hanging("vfork", "sleep") as target:
        with targets.tracing_in_background(["-k", "-f", "-p", str(target.pid)]) as tracer:
            tid = target.tids["vfork"]
            wait_for_line(tracer, tid, r"^vfork\( <unfinished \.\.\.>$")
            tracer.wait_for("(hang_in_vfork+")
            (child,) = children_of(tid)
            os.kill(child, signal.SIGKILL)
            target.hears(f"^vfork returned {child} Success")
            wait_for_line(tracer, tid, rf"^<\.\.\. vfork resumed>\) += {child}$")
            stop(tracer)
            shown = lines_of(tracer, tid)
            assert sum(line.startswith(("vfork(", "<... vfork")) for line in shown) == 2, shown


def test_one_thread_alone():
    with hanging("sleep") as target:
        with targets.tracing_in_background(["-k", "-p", target.tids["sleep"]]) as tracer:
            tracer.wait_for("(hang_in_sleep+")
            stop(tracer)
            assert tracer.lines()[0].startswith("clock_nanosleep("), tracer.lines()


def test_in_a_process_whose_first_thread_has_ended():
    with hanging("sleep", "read", leave=True) as target:
        tracing.wait_until(lambda: tracing.states(target.pid)[target.pid] == "Z", "it has ended")
        options = ["-k", "-f", "-p", str(target.pid)]
        with targets.tracing_in_background(options) as tracer:
            wait_for_line(tracer, target.tids["sleep"], "nanosleep")
            wait_for_line(tracer, target.tids["read"], "read")
            stop(tracer)
            assert "(hang_in_sleep+" in stack_after(tracer, "nanosleep"), tracer.lines()
            assert "(hang_in_read+" in stack_after(tracer, r"read\("), tracer.lines()


def test_that_the_first_thread_has_ended_is_said():
    with hanging("sleep", leave=True) as target:
        tracing.wait_until(lambda: tracing.states(target.pid)[target.pid] == "Z", "it has ended")
        options = ["--format=json", "-f", "-p", str(target.pid)]
        with targets.tracing_in_background(options) as tracer:
            tracer.wait_for("the first thread of process")
            tracer.wait_for("nanosleep")
            stop(tracer)
            (note,) = [line for line in tracer.lines() if '"kind":"note"' in line]
            assert f"process {target.pid} has exited" in note, note


def test_what_is_not_asked_for_is_not_shown():
    with hanging("sleep", "read") as target:
        options = ["-e", "trace=read", "-f", "-p", str(target.pid)]
        with targets.tracing_in_background(options) as tracer:
            wait_for_line(tracer, target.tids["read"], r"^read\(")
            target.say(b"x")
            wait_for_line(tracer, target.tids["read"], "resumed")
            stop(tracer)
            assert not lines_of(tracer, target.tids["sleep"]), tracer.lines()


def test_a_call_that_cannot_go_on_is_marked():
    with hanging("epoll") as target:
        with targets.tracing_in_background(["-f", "-p", str(target.pid)]) as tracer:
            target.hears("^epoll returned -1 Interrupted system call")
            wait_for_line(
                tracer, target.tids["epoll"],
                r"^<\.\.\. epoll_p?wait resumed>.* = -1 EINTR \(Interrupted system call\) "
                r"\(by attaching to it\)$",
            )  # fmt: skip
            stop(tracer)


def test_a_signal_that_comes_before_the_call_goes_on():
    # It is stopped, so the signal is there when it is let go.
    with hanging("poll") as target:
        os.kill(target.pid, signal.SIGSTOP)
        tracing.wait_until(lambda: set(tracing.states(target.pid).values()) == {"T"}, "stops")
        with targets.tracing_in_background(["-f", "-p", str(target.pid)]) as tracer:
            tid = target.tids["poll"]
            wait_for_line(tracer, tid, "^--- stopped by SIGSTOP ---$")
            subprocess.run(
                [sys.executable, "-c", "import ctypes, sys; sys.exit(ctypes.CDLL(None)"
                 f".tgkill({target.pid}, {tid}, {int(signal.SIGUSR1)}))"], check=True,
            )  # fmt: skip
            os.kill(target.pid, signal.SIGCONT)
            target.hears("^poll returned -1 Interrupted system call")
            stop(tracer)
            shown = lines_of(tracer, tid)
            assert shown[0].startswith("poll("), shown
            resumed = [line for line in shown if line.startswith("<... poll resumed>")]
            assert len(resumed) == 1 and "= ? ERESTART" in resumed[0], shown
            assert any(line.startswith("--- SIGUSR1 ") for line in shown), shown


def test_a_call_that_the_kernel_resumes():
    with hanging("sleep") as target:
        with targets.tracing_in_background(["-f", "-p", str(target.pid)]) as tracer:
            tid = target.tids["sleep"]
            wait_for_line(tracer, tid, "^clock_nanosleep")
            os.kill(target.pid, signal.SIGSTOP)
            tracer.wait_for("--- stopped by SIGSTOP ---")
            os.kill(target.pid, signal.SIGCONT)
            wait_for_line(
                tracer, tid,
                r"^restart_syscall\(<\.\.\. resuming interrupted clock_nanosleep \.\.\.>",
            )  # fmt: skip
            stop(tracer)
            shown = lines_of(tracer, tid)
            assert re.search("^<... clock_nanosleep resumed>.* = [?] ERESTART_R", shown[1]), shown
        # It is in the call that resumes the other now; which one that is nobody saw.
        with targets.tracing_in_background(["-f", "-p", str(target.pid)]) as tracer:
            wait_for_line(
                tracer, tid,
                r"^restart_syscall\(<\.\.\. resuming interrupted system call \.\.\.> "
                r"<unfinished \.\.\.>$",
            )  # fmt: skip
            stop(tracer)


def events_of(tracer, tid):
    events = [json.loads(line) for line in tracer.lines() if line.endswith("}")]
    return [event for event in events if event["tid"] == int(tid)]


def test_in_json():
    with hanging("read", "loop") as target:
        options = ["--format=json", "-k", "-f", "-p", str(target.pid)]
        with targets.tracing_in_background(options) as tracer:
            tracer.wait_for('"kind":"running"')
            tracing.wait_until(
                lambda: len(events_of(tracer, target.tids["read"])) >= 2, "the read is shown"
            )
            target.say(b"x")
            target.hears("^read returned 1")
            tracing.wait_until(
                lambda: len(events_of(tracer, target.tids["read"])) >= 3, "the read has ended"
            )
            stop(tracer)
            attached, met, ended = events_of(tracer, target.tids["read"])[:3]
            assert attached["kind"] == "attached", attached
            assert met["kind"] == ended["kind"] == "syscall"
            assert met["result"] == "running" and met["met"] is True and "return" not in met, met
            assert ended["result"] == "success" and ended["met"] is True, ended
            assert ended["return"] == 1 and ended["args"][1]["value"] == "x", ended
            assert met["time"] == ended["time"] and met["duration"] < ended["duration"]
            for event in (met, ended):
                assert any(f.get("function") == "hang_in_read" for f in event["stack"]), event
            running = events_of(tracer, target.tids["loop"])[1]
            assert running["kind"] == "running", running
            assert running["stack"][0]["function"] == "hang_in_loop", running


def functions(event):
    return [frame.get("function") for frame in event.get("stack", [])]


def test_stack_after_while_the_call_runs():
    with hanging("poll") as target:
        options = ["--stack-after=20ms", "-f", "-p", str(target.pid)]
        with targets.tracing_in_background(options) as tracer:
            tid = target.tids["poll"]
            tracing.wait_until(lambda: len(lines_of(tracer, tid)) == 2, "it is shown again")
            tracer.wait_for("(hang_in_poll+")
            stop(tracer)
            first, second = lines_of(tracer, tid)
            assert first == second, tracer.lines()
            # The first time is when we attach: without a stack.
            place = [line.endswith(first) for line in tracer.lines()].index(True)
            assert not tracer.lines()[place + 1].startswith(" > "), tracer.lines()


def test_stack_after_does_not_disturb():
    # If the task were stopped, its call would fail with EINTR.
    options = ["--stack-after=1ms", "--format=json", "-f", tracing.program("hang"), "epoll"]
    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with targets.tracing_in_background(options, **streams) as tracer:
        tracer.wait_for('"result":"running"')
        tracer.wait_for("hang_in_epoll")
        tracer.process.stdin.close()
        tracer.wait()
        events = [json.loads(line) for line in tracer.lines()]
        waits = [e for e in events if e.get("name", "").startswith("epoll_") and e["args"][1:]]
        assert [e["result"] for e in waits] == ["running", "none"], waits
        assert "hang_in_epoll" in functions(waits[0]), waits
        assert "run" in functions(waits[0]), waits


def test_stack_if_error():
    _, events = tracing.run_json(["--stack-if=error"], ["cat", "/no/such/file"])
    calls = [event for event in events if event["kind"] == "syscall"]
    assert any(call["result"] == "error" for call in calls)
    for call in calls:
        assert bool(call.get("stack")) == (call["result"] == "error"), call


def test_stack_if_slow():
    _, events = tracing.run_json(["--stack-if=slow:50ms"], ["sleep", "0.1"])
    calls = [event for event in events if event["kind"] == "syscall"]
    sleep = next(call for call in calls if call["name"] == "clock_nanosleep")
    assert sleep["stack"], sleep
    for call in calls:
        assert not call.get("stack") or call["duration"] >= 0.05, call


def test_stack_if_either_in_text():
    _, lines = tracing.run(["--stack-if=error,slow:50ms"], ["sh", "-c", "sleep 0.1; cat /no/such"])
    followed = [line for line, next in zip(lines, lines[1:]) if next.startswith(" > ")]
    followed = [line for line in followed if not line.startswith(" > ")]
    assert any(line.startswith("wait4(") for line in followed), followed
    assert all(" = -1 E" in line or line.startswith("wait4(") for line in followed), followed


tap.run(globals())
