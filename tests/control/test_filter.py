# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""The seccomp filter of a command: it changes what a trace costs, and nothing else."""

import difflib
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import requires  # noqa: E402
import tap  # noqa: E402
import tracing  # noqa: E402

ON = "--seccomp-bpf=on"
OFF = "--seccomp-bpf=off"
# Answers each line with what it reads from a file, so it shows whether its calls work.
ECHO = """
import os, signal, sys
signal.signal(signal.SIGTERM, lambda number, frame: None)
print(os.getpid(), flush=True)
for line in sys.stdin:
    open("/etc/hostname").close()
    os.system("cat /etc/hostname")
"""


def same_everywhere(lines):
    """A trace without what differs from run to run."""
    lines = [re.sub(r"0x[0-9a-f]+|(?<![\w.])\d{2,}(?![\w.])", "N", line) for line in lines]
    # Short pids are padded.
    return [re.sub(r"^N +", "N ", line) for line in lines]


def check_same(options, command, same=same_everywhere):
    done_on, lines_on = tracing.run([ON] + options, command)
    done_off, lines_off = tracing.run([OFF] + options, command)
    difference = list(difflib.unified_diff(same(lines_off), same(lines_on), n=0))
    assert not difference, "\n".join(difference[:20])
    assert done_on.returncode == done_off.returncode, (done_on, done_off)
    assert lines_on, "an empty trace shows nothing"


def ends_and_openings(lines):
    """Tasks run in any order, and a signal may interrupt a call: what is left of that, sorted."""
    kept = [line.partition(" ")[2].strip() for line in same_everywhere(lines)]
    kept = [re.sub(r"(\) += | <unfinished).*", "", line) for line in kept]
    return sorted(line for line in kept if line.startswith(("openat", "execve", "+++")))


def test_the_same_calls_are_shown():
    check_same(["-e", "trace=openat,close"], ["cat", "/etc/hostname"])
    check_same(["-e", "trace=!openat,close,getrandom"], ["cat", "/etc/hostname"])
    check_same(["-e", "trace=%file"], ["ls", "-l", "/etc/hostname"])
    check_same(["-e", "trace=execve"], ["true"])
    check_same(["-e", "trace=exit_group"], ["true"])
    check_same(["-z", "-e", "trace=openat"], ["ls", "/nonexistent"])
    check_same(["-Z", "-e", "trace=openat,execve"], ["sh", "-c", "no-such-command; exit 3"])


def test_the_same_calls_of_32_bit_programs():
    program = tracing.program("calls", "i386")
    check_same(["-e", "trace=openat,write"], [program])
    check_same(["-e", "trace=execve,brk"], ["sh", "-c", f"exec {program}"])


def test_the_same_calls_of_children_and_threads():
    calls = ["-f", "-e", "trace=openat,execve,clone3,clone,vfork,wait4"]
    check_same(calls, [tracing.program("many_children"), "20"], ends_and_openings)
    check_same(calls, [tracing.program("many_threads"), "20"], ends_and_openings)
    check_same(calls, [tracing.program("vfork_exec"), "/bin/true"], ends_and_openings)
    check_same(calls, [tracing.program("exec_from_thread"), "/bin/true"], ends_and_openings)


# How a descriptor or mapping of FILE can come into a process, be used there, and go.
TOUCHES = {
    "open": "f = os.open(FILE, 0); os.read(f, 4); os.lseek(f, 0, 0); os.close(f)",
    "again": "f = os.open(FILE, 0); os.close(f); f = os.open(FILE, 0); os.read(f, 4)",
    "dup": "f = os.open(FILE, 0); g = os.dup(f); os.close(f); os.read(g, 4); os.close(g)",
    "dup2": "f = os.open(FILE, 0); os.dup2(f, 9); os.close(f); os.read(9, 4); os.dup2(0, 9)",
    "map": "f = os.open(FILE, 0); m = mmap.mmap(f, 1, prot=1); os.close(f); m.madvise(4);"
    "m.close()",
    "fork": "f = os.open(FILE, 0); os.fork() or os._exit(os.read(f, 1) == b''); os.wait()",
    "exec": "f = os.open(FILE, 0); os.dup2(f, 9); os.execvp('sh', ['sh', '-c', 'read x <&9'])",
    "thread": "f = []; t = threading.Thread(target=lambda: f.append(os.open(FILE, 0))); t.start();"
    "t.join(); os.read(f[0], 4); os.close(f[0])",
    "passed": "a, b = socket.socketpair(); r = os.fork();\n"
    "if r: f = socket.recv_fds(a, 1, 1)[1][0]; os.read(f, 4); os.close(f)\n"
    "else: socket.send_fds(b, [b'x'], [os.open(FILE, 0)]); os._exit(0)",
    "pidfd": "r, w = os.pipe(); c = os.fork();\n"
    "if not c: os.open(FILE, 0); os.write(w, b'x'); os.read(r, 0); signal.pause()\n"
    "os.read(r, 1); l = ctypes.CDLL(None).syscall; d = l(434, c, 0); f = l(438, d, r + 2, 0)\n"
    "os.read(f, 4); os.kill(c, 9); os.wait()",
    "no file": "f = os.open('/etc/passwd', 0); os.read(f, 4); os.close(f)",
}


def without_stacks_of(lines, word):
    """Leaves out the stacks of lines with the word: where a signal meets a task is chance."""
    kept, skipping = [], False
    for line in lines:
        is_frame = line.startswith(" > ")
        skipping = skipping if is_frame else word in line
        if not (is_frame and skipping):
            kept.append(line)
    return kept


def check_touch(name, options):
    imports = "import ctypes, mmap, os, signal, socket, sys, threading\n"
    script = imports + TOUCHES[name].replace("FILE", "'/etc/hostname'")

    def shown(lines):
        lines = without_stacks_of(lines, "SIGCHLD")
        # A call may be torn apart anywhere, so its name and first argument have to do.
        kept = [re.sub(r"(\(\w+)\W.*", r"\1", line) for line in same_everywhere(lines)]
        return sorted(line for line in kept if "resumed" not in line and "SIGCHLD" not in line)

    command = [sys.executable, "-I", "-S", "-c", script]
    check_same(["-P", "/etc/hostname"] + options, command, shown)


def test_paths_are_found_whatever_a_filter_lets_pass():
    for name in TOUCHES:
        for options in (["-f"], [], ["-f", "-e", "trace=read,close"], ["-f", "-k", "-qq"]):
            if name != "no file":
                check_touch(name, options + ["-q"])


def test_a_descriptor_from_before_the_command():
    for options in ([], ["-e", "trace=read"]):
        with open("/etc/hostname", encoding="utf-8") as file:
            done, lines = tracing.run([ON, "-P", "/etc/hostname"] + options, ["cat"], stdin=file)
        assert any(line.startswith("read(0, ") for line in lines), (done, lines)


def test_children_that_are_not_followed_run_as_ever():
    script = "cat /etc/hostname & cat /etc/hostname; wait; (cat /etc/hostname); exit 5"
    done, lines = tracing.run([ON, "-e", "trace=openat"], ["sh", "-c", script])
    host = pathlib.Path("/etc/hostname").read_text(encoding="utf-8")
    assert done.stdout == 3 * host, done
    assert done.returncode == 5, done
    assert not any("hostname" in line for line in lines), lines


def test_signals_come_through():
    for options in (["-e", "trace=openat"], ["-f", "-e", "trace=openat"]):
        command = ["sh", "-c", "trap 'echo caught' USR1; kill -USR1 $$; kill -TERM $$"]
        done, lines = tracing.run([ON] + options, command)
        assert done.stdout == "caught\n" and done.returncode == -signal.SIGTERM, done
        assert "+++ killed by SIGTERM +++" in lines[-1], lines


def test_filters_of_the_program_keep_working():
    program = tracing.program("own_filter")
    for action in ("errno", "trace", "trap", "allow", "untraced", "untraced3"):
        plain = subprocess.run([program, action], capture_output=True, text=True, check=True)
        for options in (["-e", "trace=openat"], ["-f", "-e", "trace=getppid,openat"]):
            done, _ = tracing.run([ON] + options, [program, action])
            assert done.stdout == plain.stdout, f"{action}: {done.stdout} not {plain.stdout}"


def test_a_call_that_its_own_filter_refuses_is_shown():
    program = tracing.program("own_filter")
    _, lines = tracing.run([ON, "-e", "trace=getppid"], [program, "trace"])
    # It has no way to fail, but the kernel says that it did.
    assert re.match(r"getppid\(\) += -1 ENOSYS \(.*\)$", lines[0]), lines


# refuse(NUMBER, ACTION, FLAGS): what a filter of its own does to a call from now on.
OWN_FILTER = """
import ctypes, errno, os, select, signal, struct, sys, threading
libc = ctypes.CDLL(None, use_errno=True)
def refuse(number, action, flags=0):
    steps = b"".join(struct.pack("HBBI", *step) for step in (
        (0x20, 0, 0, 0), (0x15, 0, 1, number), (6, 0, 0, action), (6, 0, 0, 0x7fff0000)))
    steps = ctypes.create_string_buffer(steps)
    program = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", 4, ctypes.addressof(steps)))
    assert libc.prctl(38, 1, 0, 0, 0) == 0
    assert (libc.syscall(317, 1, flags, program) == 0 if flags is not None
            else libc.prctl(22, 2, program, 0, 0) == 0)
"""
RMDIR = """
def rmdir():
    try:
        os.rmdir("/nonexistent")
    except OSError as error:
        assert error.errno == errno.EMLINK, error
begin = threading.Event()
early = threading.Thread(target=lambda: (begin.wait(), rmdir()))
early.start()
refuse(84, 0x50000 | errno.EMLINK, FLAGS)
rmdir()
begin.set(); early.join()
late = threading.Thread(target=rmdir)
late.start(); late.join()
pid = os.fork()
if not pid:
    rmdir()
    os.execvp("rmdir", ["rmdir", "/nonexistent"])
assert os.waitpid(pid, 0)[1] == 256
"""


def test_calls_that_its_own_filter_refuses_are_shown_like_others():
    # By seccomp() with SECCOMP_FILTER_FLAG_TSYNC, and by prctl(); then the first thread has none.
    for flags, script in (("1", RMDIR), ("None", RMDIR.replace("begin.set()", "os._exit(0)"))):
        script = OWN_FILTER + script.replace("FLAGS", flags)
        for which in (["-e", "trace=rmdir"], ["-P", "/nonexistent"]):
            shown = []
            for way in (ON, OFF):
                done, lines = tracing.run(
                    ["-f", "-e", "signal=none", "-qqq", way, *which],
                    [sys.executable, "-I", "-S", "-c", script],
                )
                assert done.returncode == 0, done
                shown.append([line.partition(" ")[2].strip() for line in lines])
            assert shown[0] == shown[1], shown
            assert len(shown[0]) == (5 if flags == "1" else 1), shown


def test_its_own_filter_refuses_what_an_interruption_would_need():
    # restart_syscall (219), by which the kernel goes on with a poll() that was interrupted.
    script = OWN_FILTER + """
found = []
numbers, give = os.pipe()
poll = select.poll()
poll.register(numbers)
thread = threading.Thread(target=lambda: found.append(poll.poll(100000)))
thread.start()
tid = thread.native_id
while open(f"/proc/self/task/{tid}/stat").read().rpartition(")")[2].split()[0] != "S":
    pass
refuse(219, 0x80000000, 1)
os.close(os.open("/etc/hostname", 0))
os.write(give, b"x")
thread.join()
assert found == [[(numbers, select.POLLIN)]], found
"""
    for which in (["-e", "trace=open"], ["-P", "/etc/hostname"]):
        done, _ = tracing.run(
            ["-f", ON, *which], [sys.executable, "-I", "-S", "-c", script]
        )
        assert done.returncode == 0, done


def test_calls_that_a_filter_of_its_surroundings_refuses_are_shown():
    requires.require(["root"])
    with tempfile.NamedTemporaryFile(prefix="tracer-control-") as trace:
        script = OWN_FILTER + f"""
refuse(84, 0x50000 | errno.EMLINK)
os.execv({tracing.tracer()[0]!r}, {[*tracing.tracer(), "-o", trace.name, "-P", "/nonexistent",
                                    "--", "rmdir", "/nonexistent"]!r})
"""
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", script], check=False, timeout=tracing.PATIENCE,
            capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 1 and "Too many links" in done.stderr, done
        assert "rmdir" in pathlib.Path(trace.name).read_text(encoding="utf-8"), done


def check_survives(options, expected, **more):
    """Whatever becomes of the tracer: the command makes its calls."""
    with tempfile.TemporaryDirectory(prefix="tracer-control-") as folder:
        script = """
i=0; while [ $i -lt 400 ]; do i=$((i+1)); [ -e /usr/nonexistent ]; done
cat /proc/self/comm >result && ls /usr >/dev/null && echo done >>result
"""
        for way in (ON, OFF):
            done = subprocess.run(
                [*tracing.tracer(), way, "-f", "-P", "/usr", *options, "--", "sh", "-c", script],
                cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=False,
                timeout=tracing.PATIENCE, **more,
            )  # fmt: skip
            result = pathlib.Path(folder, "result")
            tracing.wait_until(
                lambda: result.exists() and result.read_text(encoding="utf-8") == "cat\ndone\n",
                f"what the command does ({way})",
            )
            assert done.returncode in expected, (way, done)
            result.unlink()


def test_nobody_reads_the_trace():
    reading, writing = os.pipe()
    os.close(reading)
    check_survives([], [-signal.SIGPIPE], stderr=writing)
    check_survives(["-c"], [-signal.SIGPIPE, 0], stderr=writing)
    # The command's own status.
    check_survives(["-o", "/dev/full"], [0], stderr=writing)
    os.close(writing)


def test_the_trace_becomes_too_large():
    size = 4096
    check_survives(
        ["-o", "trace"], [0], stderr=subprocess.DEVNULL,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)),
    )  # fmt: skip


def test_limits_of_time_are_those_of_the_command():
    # Who may not lift its hard limit comes up to that.
    script = """
tracer=$(sed -n 's/^TracerPid:.//p' /proc/self/status)
for pid in self $tracer; do sed -n 's/^Max cpu time *\\([^ ]*\\).*/\\1/p' /proc/$pid/limits; done
"""
    done, _ = tracing.run(
        ["-f", ON, "-P", "/nonexistent"], ["sh", "-c", script],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (1000, 2000)),
    )  # fmt: skip
    assert done.stdout.split() in (["1000", "2000"], ["1000", "unlimited"]), done


def test_privileges_are_not_given_up_unasked():
    command = ["grep", "NoNewPrivs", "/proc/self/status"]
    plain = subprocess.run(command, capture_output=True, text=True, check=True)
    done, _ = tracing.run(["-e", "trace=openat"], command)
    assert done.stdout == plain.stdout, done


def test_set_uid_programs_get_their_privileges():
    requires.require(["root", "command:setpriv"])
    with tempfile.TemporaryDirectory(prefix="tracer-control-") as folder:
        os.chmod(folder, 0o755)
        program = os.path.join(folder, "id")
        shutil.copy("/usr/bin/id", program)
        os.chmod(program, 0o4755)
        command = ["setpriv", "--reuid=65534", program, "-u"]
        plain = subprocess.run(command, capture_output=True, text=True, check=True)
        if plain.stdout != "0\n":
            raise tap.Skip(f"set-uid programs do not work in {folder}")
        for options in ([], ["-f"]):
            done, _ = tracing.run(["-e", "trace=openat"] + options, command)
            assert done.stdout == "0\n", done


def test_what_cannot_have_a_filter_says_so():
    done, _ = tracing.run([ON, "-e", "trace=none", "--pf=maj"], ["true"])
    assert "seccomp" in done.stderr, done


def test_automatic_means_filtered_for_root():
    requires.require(["root"])
    command = ["grep", "Seccomp_filters", "/proc/self/status"]
    plain = subprocess.run(command, capture_output=True, text=True, check=True)
    for options, more in ((["-e", "trace=openat"], 1), (["-e", "trace=openat", OFF], 0), ([], 0)):
        done, _ = tracing.run(options, command)
        count = int(done.stdout.split()[1]) - int(plain.stdout.split()[1])
        assert count == more, f"{options}: {count} filters"


def test_a_debugger_can_run_what_it_is_to_run():
    requires.require(["root", "command:gdb", "command:strace"])
    run = ["gdb", "-nx", "-batch", "-ex", "run", "/bin/true"]
    for command, said in ((run, "exited normally"), (["strace", "/bin/true"], "exit_group(0)")):
        done, _ = tracing.run(["-P", "/no/such/file"], command)
        assert said in done.stdout + done.stderr, done


def test_debug_tells_what_was_chosen():
    requires.require(["root"])
    path = ["-P", "/no/such/file"]
    off = path + [OFF]
    for options, said in ((path, "yes"), (off, "none: --seccomp-bpf=off"), ([], "none: most")):
        done, _ = tracing.run(["-d"] + options, ["true"])
        assert f"seccomp filter: {said}" in done.stderr, done
        stops = re.search(r"scheduling: (\d+) stops .* (\d+) awake", done.stderr)
        assert stops, done
    # Nothing of it unasked.
    done, _ = tracing.run(path, ["true"])
    assert "seccomp" not in done.stderr and "scheduling" not in done.stderr, done


class Echo:
    """The script ECHO under a tracer, to be asked whether it still works."""

    def __init__(self, options):
        command = [sys.executable, "-c", ECHO]
        self.process = subprocess.Popen(
            tracing.tracer() + [ON, "-e", "trace=openat,execve"] + options + command,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        self.pid = int(self.process.stdout.readline())
        self.keeper = tracing.tracer_pid(self.pid)

    def expect_working(self):
        for _ in range(3):
            print("go", file=self.process.stdin, flush=True)
            host = self.process.stdout.readline()
            assert host == pathlib.Path("/etc/hostname").read_text(encoding="utf-8"), host

    def expect_end(self):
        """It ends as it would, and then nothing of the tracer is left."""
        self.process.stdin.close()
        assert self.process.stdout.read() == ""
        for pid in (self.pid, self.keeper):
            tracing.wait_until(lambda pid=pid: not os.path.exists(f"/proc/{pid}"), f"end of {pid}")


def test_kill_9_does_not_break_the_command():
    for options in ([], ["-f"]):
        echo = Echo(options)
        echo.expect_working()
        echo.process.kill()
        echo.process.wait()
        echo.expect_working()
        echo.expect_end()


def test_a_command_that_survives_the_tracer_goes_on():
    for options in ([], ["-f"]):
        echo = Echo(options)
        echo.process.terminate()
        assert echo.process.wait(tracing.PATIENCE) == -signal.SIGTERM, echo.process.returncode
        echo.expect_working()
        echo.expect_end()


def test_a_signal_is_passed_on_and_ends_the_tracer_by_itself():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        process = subprocess.Popen(
            tracing.tracer()
            + [ON, "-e", "trace=openat"]
            + ["sh", "-c", "trap 'echo caught; exit' INT TERM HUP QUIT; echo r; read x; read y"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        assert process.stdout.readline() == "r\n"
        process.send_signal(number)
        assert process.wait(tracing.PATIENCE) == -number, process.returncode
        assert process.stdout.read() == "caught\n"


def test_what_the_command_leaves_running_works_and_keeps_nobody_waiting():
    with tempfile.TemporaryDirectory(prefix="tracer-control-") as folder:
        ask, answer = os.path.join(folder, "ask"), os.path.join(folder, "answer")
        os.mkfifo(ask)
        os.mkfifo(answer)
        daemon = f"(read x <{ask}; cat /etc/hostname >{answer}) </dev/null >/dev/null 2>&1 &"
        done = subprocess.run(
            tracing.tracer() + [ON, "-e", "trace=openat", "sh", "-c", f"{daemon} exit 6"],
            stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=tracing.PATIENCE, check=False,
        )  # fmt: skip
        assert done.returncode == 6, done
        pathlib.Path(ask).write_text("go\n", encoding="utf-8")
        host = pathlib.Path("/etc/hostname").read_text(encoding="utf-8")
        assert pathlib.Path(answer).read_text(encoding="utf-8") == host



def test_calls_through_the_vsyscall_page_are_shown_with_their_result():
    # Only a filter can stop at them, so without one nobody sees them.
    page = " --xp" in pathlib.Path("/proc/self/maps").read_text(encoding="utf-8")
    if not page:
        raise tap.Skip("the kernel has no vsyscall page that can be called")
    command = [tracing.program("own_filter"), "vsyscall"]
    plain = subprocess.run(command, capture_output=True, text=True, check=True)
    done, lines = tracing.run([ON, "-e", "trace=time,getcpu"], command)
    assert done.stdout == plain.stdout, done
    times = [line for line in lines if re.fullmatch(r"time\(\[(\d+) .*\]\) += \1 \(.*\)", line)]
    assert len(times) == 3, lines
    assert re.fullmatch(r"getcpu\(NULL, \[\d+\], NULL\) += 0", lines[3]), lines
    assert lines[4:] == ["+++ exited with 0 +++"], lines
    _, table = tracing.run([ON, "-c", "-U", "calls,name", "-e", "trace=time,getcpu"], command)
    rows = [line.split() for line in table]
    assert ["3", "time"] in rows and ["1", "getcpu"] in rows, table


tap.run(globals())
