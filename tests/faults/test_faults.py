# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Page faults of real programs: all of them, in order, at the right place, with stacks."""

import contextlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import requires  # noqa: E402
import tap  # noqa: E402
import tracing  # noqa: E402
from tap import Skip  # noqa: E402


def need_faults():
    """Skips with the tracer's own words where the machine forbids perf events."""
    done, _ = tracing.run(["--pf=all"], ["/bin/true"])
    if "cannot be watched" in done.stderr or "no perf events" in done.stderr:
        raise Skip(done.stderr.strip().split("\n")[0])


def need_kernel():
    """Skips where faults inside system calls may not be seen."""
    done, _ = tracing.run(["--pf=all"], ["/bin/true"])
    if "kernel frames are not shown" in done.stderr:
        raise Skip(done.stderr.strip().split("\n")[0])


def counted(done):
    """{word: (minor, major)} as the program's getrusage said."""
    lines = [line.split() for line in done.stdout.splitlines() if line.count(" ") == 2]
    return {word: (int(minor), int(major)) for word, minor, major in lines}


def faults(events, code=None):
    return [
        event
        for event in events
        if event["kind"] == "fault" and (not code or event["code"].get("function") == code)
    ]


def functions(event):
    return [frame.get("function") for frame in event["stack"]]


def between(events, word):
    """Faults of the program's process while it did a word: getrusage calls enclose it."""
    marks = [
        i
        for i, event in enumerate(events)
        if event["kind"] == "syscall" and event["name"] == "getrusage"
    ]
    index = 2 * word
    return faults(events[marks[index] : marks[index + 1]])


def lost_note(events):
    """How many faults the tracer said at the end that it lost, or None."""
    texts = [event["text"] for event in events if event["kind"] == "note"]
    found = [re.match(r"(\d+) page faults were lost", text) for text in texts]
    return next((int(match[1]) for match in found if match), None)


def expect_nothing_lost(events):
    assert lost_note(events) is None, lost_note(events)
    assert not [event for event in events if event["kind"] == "lost"]


def run(options, *words, trace=True):
    need_faults()
    calls = [] if trace else ["--no-syscalls"]
    return tracing.run_json(
        ["--pf=all"] + calls + options, [tracing.program("faults"), *words]
    )


def test_counts_equal_getrusage():
    done, events = run([], "touch:500", "touch:1")
    for index, word in enumerate(["touch:500", "touch:1"]):
        minor, major = counted(done)[word]
        seen = between(events, index)
        assert len([f for f in seen if f["fault"] == "minor"]) == minor, (word, len(seen), minor)
        assert len([f for f in seen if f["fault"] == "major"]) == major
    assert len(faults(events, "touch")) == 501


def test_counts_equal_perf_stat():
    need_faults()
    requires.require(["command:perf"])
    command = [tracing.program("faults"), "touch:3000"]
    with tempfile.NamedTemporaryFile() as file:
        try:
            subprocess.run(
                ["perf", "stat", "-x,", "-e", "minor-faults", "-o", file.name] + command,
                check=True, stdout=subprocess.DEVNULL, timeout=tracing.PATIENCE,
            )  # fmt: skip
        except subprocess.CalledProcessError:
            raise Skip("perf stat does not work here") from None
        text = pathlib.Path(file.name).read_text(encoding="utf-8")
    known = int([line for line in text.splitlines() if "minor-faults" in line][0].split(",")[0])
    _, events = run([], "touch:3000", trace=False)
    seen = len([f for f in faults(events) if f["fault"] == "minor"])
    # Where the loader puts things decides about a few.
    assert abs(seen - known) <= 8, (seen, known)


def test_nothing_is_lost_with_stacks():
    _, events = run(["-k"], "touch:20000", trace=False)
    expect_nothing_lost(events)
    touched = faults(events, "touch")
    assert len(touched) == 20000, len(touched)
    assert all(functions(f)[:4] == ["touch", "touch_fresh", "act", "main"] for f in touched)
    addresses = [f["address"] for f in touched]
    assert addresses == list(range(addresses[0], addresses[0] + 20000 * 4096, 4096))


def test_nothing_is_lost_of_threads():
    _, events = run(["-f", "-k"], "threads:4:5000", trace=False)
    expect_nothing_lost(events)
    touched = faults(events, "touch")
    assert len(touched) == 20000, len(touched)
    assert len({f["tid"] for f in touched}) == 4
    assert all("thread" in functions(f) for f in touched)
    times = [f["monotonic"] for f in touched]
    assert times == sorted(times)


def test_the_smallest_ring_loses_no_fault_of_user_code():
    # Those of the kernel, while it starts the program, may find no room.
    _, events = run(["-k", "--ring-size=64k"], "touch:2000", trace=False)
    assert len(faults(events, "touch")) == 2000


def test_what_is_lost_is_counted():
    need_kernel()
    done, events = run(["-k", "--ring-size=64k"], "read:4000", trace=False)
    # A signal of the governor ends a read early: fewer pages, fewer faults.
    happened, _ = counted(done)["read:4000"]
    # The last of them are lost for good: only the kernel's counter knows of these.
    marked = sum(event["lost"] for event in events if event["kind"] == "lost")
    seen = len(faults(events))
    said = lost_note(events) or 0
    assert said >= marked
    assert happened <= said + seen <= happened + 200, (happened, said, seen)
    if not said:
        raise Skip("nothing was lost: the ring was emptied faster than it was filled")


def test_what_happens_in_a_call_is_seen_or_counted():
    need_kernel()
    done, events = run(["-k"], "read:5000", trace=False)
    happened, _ = counted(done)["read:5000"]
    assert len(faults(events)) + (lost_note(events) or 0) >= happened
    seen = len([f for f in faults(events) if "read_into" in functions(f)])
    assert seen >= 500


def test_children_are_covered_from_their_first_instruction():
    need_kernel()
    done, events = run(["-f"], "fork:50")
    parent = [e for e in events if e["kind"] == "exited"][-1]["tid"]
    child = {e["tid"] for e in events if e["kind"] == "fault"} - {parent}
    assert len(child) == 1
    child = child.pop()
    assert len([f for f in faults(events, "touch") if f["tid"] == child]) == 50
    exits = [e for e in events if e["kind"] == "exited" and e["tid"] == child]
    assert len(exits) == 1
    # What the kernel writes for the child before it runs: a fault before its first call.
    first = next(e for e in events if e["tid"] == child and e["kind"] in ("fault", "syscall"))
    assert first["kind"] == "fault", first
    assert counted(done)["fork:50"][1] == 0


def test_a_thread_is_not_followed_without_f():
    _, events = run([], "threads:1:40", trace=False)
    assert not faults(events, "touch")


def test_faults_stand_between_calls():
    _, events = run([], "touch:3")
    names = [
        e["name"] if e["kind"] == "syscall" else e["code"].get("function")
        for e in events
        if e["kind"] in ("syscall", "fault")
    ]
    start = names.index("getrusage")
    assert names[start + 1 :][:2] == ["mmap", "madvise"] or "mmap" in names[start + 1 :][:9], names
    tail = names[names.index("madvise") + 1 :]
    assert [n for n in tail if n in ("touch", "getrusage")][:4] == ["touch"] * 3 + ["getrusage"]
    times = [e["monotonic"] for e in events if e["kind"] == "fault"]
    assert times == sorted(times)


def test_text_lines():
    need_faults()
    _, lines = tracing.run(["--pf=all"], [tracing.program("faults"), "touch:2"])
    line = re.compile(r"^minfault \[touch\+0x[0-9a-f]+\] => \[anon\]@0x[0-9a-f]+000 \(d\.\)$")
    assert len([text for text in lines if line.match(text)]) == 2
    code = re.compile(r"^m(in|aj)fault \[_start\+0x0\] => /\S+@0x[0-9a-f]+ \(x\.\)$")
    assert [text for text in lines if code.match(text)], lines


def test_no_syscalls_shows_none():
    _, events = run([], "touch:2", trace=False)
    assert not [e for e in events if e["kind"] == "syscall"]
    assert len(faults(events, "touch")) == 2


def test_kinds():
    need_faults()
    for option, kinds in (("min", {"minor"}), ("all", {"minor", "major"})):
        _, events = tracing.run_json(
            [f"--pf={option}", "--no-syscalls"], [tracing.program("faults"), "touch:2"]
        )
        assert {f["fault"] for f in faults(events)} <= kinds
        assert len(faults(events, "touch")) == 2
    _, events = tracing.run_json(["--pf", "--no-syscalls"], [tracing.program("faults"), "touch:2"])
    assert not [f for f in faults(events) if f["fault"] == "minor"]


@contextlib.contextmanager
def two_files():
    with tempfile.TemporaryDirectory(prefix="tracer-faults-", dir=os.getcwd()) as folder:
        paths = [os.path.join(folder, name) for name in ("first", "second")]
        for path in paths:
            with open(path, "wb") as file:
                file.write(b"x" * 3 * 4096)
                file.flush()
                os.fsync(file.fileno())
        yield paths


def test_major():
    with two_files() as (path, _):
        done, events = run([], "major:" + path)
    if counted(done)["major:" + path][1] == 0:
        raise Skip("the file system does not let go of a cached page")
    wanted = [f for f in faults(events) if f.get("path") == path]
    assert [(f["fault"], f["offset"]) for f in wanted] == [("major", 0)], wanted


def test_mapped_again_at_the_same_place():
    with two_files() as (first, second):
        _, events = run([], f"remap:{first}:{second}")
        seen = [(f["path"], f["offset"]) for f in faults(events, "look")]
    places = {f["address"] for f in faults(events, "look")}
    assert seen == [(first, 0), (second, 0)], seen
    assert len(places) == 1


def test_only_faults_in_a_file():
    with two_files() as (first, second):
        _, events = run(["-P", second], f"remap:{first}:{second}", trace=False)
        assert [f["path"] for f in faults(events)] == [second]
        _, events = run(["-P", os.path.dirname(first)], f"remap:{first}:{second}", trace=False)
        assert [f["path"] for f in faults(events)] == [first, second]


def test_kernel_frames_of_a_read():
    need_kernel()
    _, events = run(["-k"], "read:10")
    seen = [f for f in faults(events) if f["mode"] == "kernel" and "read_into" in functions(f)]
    assert len(seen) >= 10, len(seen)
    kernel = [frame.get("function") for frame in seen[-1]["kernel_stack"]]
    if None in kernel:
        raise Skip("/proc/kallsyms hides addresses (kernel.kptr_restrict)")
    assert "vfs_read" in kernel and "ksys_read" in kernel, kernel
    assert kernel[-1].startswith("entry_SYSCALL_64"), kernel
    user = functions(seen[-1])
    assert user[1:4] == ["read_into", "act", "main"], user
    # They happened inside the call: after it began and before it ended.
    call = [e for e in events if e["kind"] == "syscall" and e["name"] == "read"][-1]
    inside = [f for f in seen if f["address"] in range(call["args"][1]["address"], 1 << 47)]
    end = call["monotonic"] + call["duration"]
    assert inside and all(call["monotonic"] <= f["monotonic"] <= end for f in inside)


def test_signal_frames_are_crossed():
    _, events = run(["-k"], "signal", trace=False)
    stack = faults(events, "touch")[-1]["stack"]
    names = [frame.get("function") for frame in stack]
    assert names[:2] == ["touch", "handler"], names
    assert "from_signal" in names and names[names.index("from_signal") + 1 :][:2] == ["act", "main"]
    assert any(frame.get("signal_frame") for frame in stack), stack


def test_a_stack_deeper_than_what_was_recorded_says_so():
    _, events = run(["-k"], "deep:20:1", trace=False)
    assert functions(faults(events, "touch")[0]).count("deep") == 20
    _, events = run(["-k"], "deep:200:1", trace=False)
    fault = faults(events, "touch")[0]
    assert fault["stack_end"] == "unreadable", fault["stack_end"]
    assert functions(fault).count("deep") > 20


def test_call_graph_sizes():
    _, events = run(["--call-graph=dwarf,1k"], "deep:20:1", trace=False)
    fault = faults(events, "touch")[0]
    assert fault["stack_end"] == "unreadable", fault["stack_end"]
    assert 1 <= functions(fault).count("deep") < 10
    _, events = run(["--call-graph=dwarf,63k"], "deep:100:1", trace=False)
    assert functions(faults(events, "touch")[0]).count("deep") == 100


def test_call_graph_by_frame_pointers():
    _, events = run(["--call-graph=fp"], "deep:20:1", trace=False)
    fault = faults(events, "touch")[0]
    assert functions(fault)[:2] == ["touch", "touch_fresh"]
    assert functions(fault).count("deep") == 20
    assert functions(fault)[22:24] == ["act", "main"]
    assert {frame["origin"] for frame in fault["stack"][1:]} == {"frame_pointer"}


def test_branch_records_are_refused():
    done = subprocess.run(
        tracing.tracer() + ["--call-graph=lbr", "/bin/true"],
        capture_output=True, text=True, check=False, timeout=tracing.PATIENCE,
    )  # fmt: skip
    assert done.returncode != 0
    assert "use dwarf or fp" in done.stderr


def need_kernel_stacks():
    try:
        with open("/proc/self/stack", encoding="utf-8") as stack:
            stack.read()
    except (OSError, PermissionError) as error:
        raise Skip(f"/proc/self/stack: {error}") from None


def test_kernel_stack_of_calls():
    need_kernel_stacks()
    _, events = tracing.run_json(
        ["--kernel-stack", "-e", "trace=getppid"], [tracing.program("calls"), "getppid", "exit:0"]
    )
    call = next(e for e in events if e["kind"] == "syscall")
    names = [frame["function"] for frame in call["kernel_stack"]]
    assert names[-1].startswith("entry_SYSCALL"), names
    assert not [name for name in names if "ptrace" in name], names


def contains(path, text):
    with contextlib.suppress(FileNotFoundError), open(path, encoding="utf-8") as file:
        return text in file.read()
    return False


def test_where_an_attached_task_sleeps():
    need_kernel_stacks()
    with tempfile.TemporaryDirectory(prefix="tracer-faults-") as folder:
        path = os.path.join(folder, "trace")
        with subprocess.Popen(
            [tracing.program("faults"), "wait"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as target:
            assert target.stdout.readline() == b"ready\n"
            tracing.wait_until(
                lambda: tracing.states(target.pid)[target.pid] == "S", "the program waits"
            )
            options = ["--kernel-stack", "-k", "--format=json", "-o", path, "-p", str(target.pid)]
            with subprocess.Popen(tracing.tracer() + options, stderr=subprocess.PIPE) as tracer:
                tracing.wait_until(lambda: contains(path, '"running"'), "its call is shown")
                target.stdin.close()
                target.wait(tracing.PATIENCE)
                tracer.wait(tracing.PATIENCE)
        with open(path, encoding="utf-8") as lines:
            events = [json.loads(line) for line in lines]
    sleep = next(e for e in events if e.get("result") == "running")
    kernel = [frame["function"] for frame in sleep["kernel_stack"]]
    assert any("pipe_read" in name for name in kernel), kernel
    assert "main" in functions(sleep), functions(sleep)


def test_attached_threads():
    need_faults()
    with tempfile.TemporaryDirectory(prefix="tracer-faults-") as folder:
        path = os.path.join(folder, "trace")
        with subprocess.Popen(
            [tracing.program("faults"), "wait", "threads:3:200"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        ) as target:  # fmt: skip
            assert target.stdout.readline() == b"ready\n"
            options = ["-f", "--pf=all", "-k", "--format=json", "-o", path, "-p", str(target.pid)]
            with subprocess.Popen(tracing.tracer() + options, stderr=subprocess.PIPE) as tracer:
                tracing.wait_until(
                    lambda: tracing.tracer_pid(target.pid) == tracer.pid, "the tracer attaches"
                )
                target.stdin.write(b"\n")
                target.stdin.close()
                assert target.wait(tracing.PATIENCE) == 0
                assert tracer.wait(tracing.PATIENCE) == 0
        with open(path, encoding="utf-8") as lines:
            events = [json.loads(line) for line in lines]
    touched = faults(events, "touch")
    assert len(touched) == 600, len(touched)
    assert len({f["tid"] for f in touched}) == 3


def test_signals_of_our_own_are_not_seen():
    need_faults()
    done, lines = tracing.run(
        ["-f", "--pf=min", "-k"], [tracing.program("faults"), "threads:4:3000"]
    )
    assert done.returncode == 0
    assert not [line for line in lines if "SIGURG" in line]


def test_a_set_user_id_program_is_watched_again():
    requires.require(["root"])
    need_faults()
    with tempfile.TemporaryDirectory(prefix="tracer-faults-", dir=os.getcwd()) as folder:
        program = os.path.join(folder, "faults")
        shutil.copy(tracing.program("faults"), program)
        os.chown(program, 54321, 54321)
        os.chmod(program, 0o4755)
        os.chmod(folder, 0o755)
        _, events = tracing.run_json(
            ["-f", "--pf=all", "-k"], ["sh", "-c", f"{program} touch:30 fork:20; true"]
        )
    touched = faults(events, "touch")
    assert len(touched) == 30 + 20 + 20, len(touched)
    assert len({(f["tid"], f["monotonic"]) for f in touched}) == len(touched)


def test_a_crash_is_shown_after_its_fault():
    _, events = run([], "crash")
    assert [e["kind"] for e in events][-2:] == ["signal", "killed"]


def test_32_bit_programs():
    need_faults()
    _, events = tracing.run_json(
        ["--pf=all", "-k", "--no-syscalls"], [tracing.program("faults", "i386"), "touch:20"]
    )
    touched = faults(events, "touch")
    assert len(touched) == 20
    assert all(functions(f)[:4] == ["touch", "touch_fresh", "act", "main"] for f in touched)


# What faults where in libraries depends on where they are loaded; here it does not.
OWN = re.compile(r"(m..fault) \[(touch|look)(\+0x[0-9a-f]+)\] => (\S+)@0x([0-9a-f]+) \(")


def own_faults(lines):
    """Kind, code, mapping and place in it, but for where the mapping is in memory."""
    found = [m.groups() for m in map(OWN.search, lines) if m]
    return [
        (kind, code, offset, path.replace("//anon", "[anon]"), place[-3:])
        for kind, code, offset, path, place in found
    ]



def test_same_as_perf_trace():
    need_faults()
    requires.require(["command:perf"])
    with two_files() as (first, second):
        command = [tracing.program("faults"), "touch:30", f"remap:{first}:{second}", "signal"]
        try:
            done = subprocess.run(
                ["perf", "trace", "-F", "all", "--no-syscalls"] + command,
                capture_output=True, text=True, check=True, timeout=tracing.PATIENCE,
            )  # fmt: skip
        except subprocess.CalledProcessError as error:
            raise Skip(f"perf trace does not work here: {error.stderr.strip()}") from None
        theirs = own_faults(done.stderr.splitlines())
        if not theirs:
            raise Skip("perf trace shows no faults here")
        _, lines = tracing.run(["--pf=all", "--no-syscalls"], command)
    assert len(own_faults(lines)) == 33
    assert own_faults(lines) == theirs


def gdb_frames(program, words, function):
    """Functions from the innermost out, by gdb, when `function` is entered."""
    with tempfile.NamedTemporaryFile("w", suffix=".gdb") as script:
        script.write("set pagination off\nhandle SIGUSR1 nostop noprint\n")
        script.write(f"break {function}\nrun\nbt\nkill\n")
        script.flush()
        try:
            done = subprocess.run(
                ["gdb", "-nx", "-batch", "-x", script.name, "--args", program, *words],
                stdin=subprocess.DEVNULL, capture_output=True, text=True,
                timeout=tracing.PATIENCE, check=False,
                env={**os.environ, "DEBUGINFOD_URLS": ""},
            )  # fmt: skip
        except FileNotFoundError:
            raise Skip("gdb is not installed") from None
    return re.findall(r"^#\d+ .*?(?:in )?(<signal handler called>|[\w_]+) ?(?:\(|$)",
                      done.stdout, re.MULTILINE)  # fmt: skip


def test_stack_as_gdb_sees_it():
    program = tracing.program("faults")
    for words in (["touch:1"], ["deep:5:1"], ["signal"]):
        known = gdb_frames(program, words, "touch")
        if "main" not in known:
            raise Skip("gdb does not stop in the program here")
        known = [name for name in known[: known.index("main") + 1] if "raise" not in name]
        _, events = run(["-k"], *words, trace=False)
        stack = faults(events, "touch")[0]["stack"]
        ours = [
            "<signal handler called>" if frame.get("signal_frame") else frame.get("function")
            for frame in stack
        ]
        ours = ours[: ours.index("main") + 1]
        drop = ("raise", "pthread_kill", "__GI_raise")
        ours = [n for n in ours if n and not any(d in n for d in drop)]
        known = [n for n in known if not any(d in n for d in drop)]
        assert ours == known, (ours, known)


tap.run(globals())
