# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""-P and a seccomp filter in processes with threads.

They run past their calls until one of them opens what is asked for. Then the others are
interrupted: they must show every call that they make with the descriptor, and notice nothing.
"""

import collections
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import requires  # noqa: E402
import tap  # noqa: E402
import tracing  # noqa: E402

ON = ["-f", "--seccomp-bpf=on"]
OFF = ["-f", "--seccomp-bpf=off"]
FEW_WHERE_NOTHING_IS_HELD = """before: few
held: many
held by another: many
after: few
after, another: few
after, one that was there: few
"""


def begun(lines):
    """The calls of a trace, each where it begins, by name and the text of its first arguments."""
    lines = [re.sub(r"^\d+ +", "", line) for line in lines]
    lines = [re.sub(r"(\) += | <unfinished).*", "", line) for line in lines]
    return [line for line in lines if re.match(r"\w+\(", line)]


def beginning(call):
    """Which number a descriptor gets is chance where threads open others."""
    name, second = re.match(r"(\w+)\(\w+(, \w+)?", call).groups()
    return name + (second or "")


def check_sleepers(abi, options=()):
    program = tracing.program("sleepers", abi)
    with tempfile.NamedTemporaryFile(prefix="tracer-test-") as file:
        where = ["-P", file.name, *options]
        done, lines = tracing.run(ON + where, [program, file.name])
        _, without = tracing.run(OFF + where, [program, file.name])
    assert (done.returncode, done.stderr) == (0, ""), done
    assert done.stdout == FEW_WHERE_NOTHING_IS_HELD, done.stdout
    # 4 threads, 50 calls each with numbers of their own (sleepers.c).
    calls = collections.Counter(map(beginning, begun(lines)))
    seeks = [call for call in calls if "seek" in call]
    assert len(seeks) == 200, f"{len(seeks)} of 200 calls"
    assert set(calls.values()) == {1}, calls
    expected = collections.Counter(map(beginning, begun(without)))
    assert calls == expected, (calls - expected, expected - calls)


def test_nobody_notices_that_a_file_is_opened():
    check_sleepers("x86_64")


def test_nobody_notices_in_32_bit_programs():
    check_sleepers("i386")


def test_nobody_notices_while_stacks_are_taken():
    check_sleepers("x86_64", ["-k"])


ROUNDS = 20
# See stirred.c.
OPENINGS = 7


def check_stirred(abi, options):
    program = tracing.program("stirred", abi)
    with tempfile.NamedTemporaryFile(prefix="tracer-test-") as file:
        done, lines = tracing.run(
            options + ["-P", file.name], [program, file.name, str(ROUNDS)]
        )
    assert (done.returncode, done.stderr) == (0, ""), done
    count = collections.Counter(call.partition("(")[0] for call in begun(lines))
    assert count.pop("_llseek" if abi == "i386" else "lseek") == OPENINGS * ROUNDS, count
    assert count["close"] == OPENINGS * ROUNDS, count
    assert count["openat"] == OPENINGS * ROUNDS, count


def test_again_and_again_beside_calls_that_may_break():
    check_stirred("x86_64", ON)
    check_stirred("i386", ON)
    check_stirred("x86_64", OFF)


def test_again_and_again_without_following():
    program = tracing.program("stirred")
    with tempfile.NamedTemporaryFile(prefix="tracer-test-") as file:
        done, _ = tracing.run(
            ["--seccomp-bpf=on", "-P", file.name], [program, file.name, "5"]
        )
    assert (done.returncode, done.stderr) == (0, ""), done


HELPERS = """
import ctypes, os, resource, subprocess, sys, threading
libc = ctypes.CDLL(None, use_errno=True)
FILE = sys.argv[1]
def stops():
    before = resource.getrusage(resource.RUSAGE_THREAD).ru_nvcsw
    for _ in range(1000):
        os.getppid()
    after = resource.getrusage(resource.RUSAGE_THREAD).ru_nvcsw
    return "few" if after - before < 100 else "many"
def in_thread(function):
    thread = threading.Thread(target=function)
    thread.start(); thread.join()
# A second thread that sleeps until the end.
end = threading.Event()
other = threading.Thread(target=end.wait)
other.start()
"""
TRAILER = """
end.set(); other.join()
"""


def shown(script, options, extra=()):
    with tempfile.NamedTemporaryFile(prefix="tracer-test-") as file:
        file.write(b"some text")
        file.flush()
        done, lines = tracing.run(
            options + ["-q", "-P", file.name, *extra],
            [sys.executable, "-I", "-S", "-c", HELPERS + script + TRAILER, file.name],
        )
    assert done.returncode == 0, done
    # A program that is started knows its name.
    calls = [call for call in begun(lines) if "execve" not in call]
    # Numbers of descriptors are chance where threads open others.
    return done.stdout.split(), [call.partition("(")[0] for call in calls]


def check(script, expected=None, extra=()):
    said, calls = shown(script, ON, extra)
    _, without = shown(script, OFF, extra)
    assert sorted(calls) == sorted(without), (calls, without)
    assert expected is None or said == expected, said


def test_who_opens_often_stays_watched():
    # Until it executes another program: the threads of that one are new.
    check("""
for _ in range(20):
    os.close(os.open(FILE, 0))
    if _ == 2:
        print(stops())
print(stops(), flush=True)
end.set(); other.join()
os.execv(sys.executable, [sys.executable, "-I", "-S", "-c", '''
import os, resource, threading
before = resource.getrusage(resource.RUSAGE_THREAD).ru_nvcsw
for _ in range(1000):
    os.getppid()
after = resource.getrusage(resource.RUSAGE_THREAD).ru_nvcsw
print("few" if after - before < 100 else "many")
'''])
""", ["few", "many", "few"])  # fmt: skip


def test_a_copy_is_made_while_the_last_is_closed():
    check("""
for _ in range(5):
    fd = os.open(FILE, 0)
    copies = []
    thread = threading.Thread(target=lambda: copies.append(os.dup(fd)))
    thread.start(); thread.join()
    os.close(fd)
    in_thread(lambda: os.pread(copies[0], 1, 0))
    os.close(copies[0])
print(stops())
""", ["few"])  # fmt: skip


def test_a_copy_is_made_unseen_while_the_last_is_closed():
    # dup is not asked for.
    check("""
fd = os.open(FILE, 0)
copy = os.dup(fd)
os.close(fd)
in_thread(lambda: os.pread(copy, 1, 0))
""", extra=["-e", "trace=pread64,close"])  # fmt: skip


def test_a_mapping_is_watched_after_its_descriptor():
    check("""
import mmap
fd = os.open(FILE, 0)
memory = mmap.mmap(fd, 4, prot=mmap.PROT_READ)
os.close(fd)
in_thread(lambda: memory.madvise(mmap.MADV_WILLNEED))
memory.close()
print(stops())
""", ["few"])  # fmt: skip


def test_a_child_maps_the_file_in_its_parents_memory():
    program = tracing.program("vfork_maps")
    with tempfile.NamedTemporaryFile(prefix="tracer-test-") as file:
        file.write(b"some text")
        file.flush()
        for options in (ON, OFF):
            done, lines = tracing.run([*options, "-P", file.name], [program, file.name])
            assert (done.returncode, done.stderr) == (0, ""), done
            calls = [call.partition("(")[0] for call in begun(lines)]
            calls = [call for call in calls if call != "execve"]
            assert calls == ["openat", "mmap", "close", "mprotect", "munmap"], (options, calls)
            # Nothing of this is asked for, but for the last.
            options = [*options, "-e", "trace=munmap"]
            _, lines = tracing.run([*options, "-P", file.name], [program, file.name])
            assert [call.partition("(")[0] for call in begun(lines)] == ["munmap"], lines


def test_a_thread_parts_from_the_descriptors_of_others():
    # CLONE_FILES; CLOSE_RANGE_UNSHARE of nothing. Then one has it and the other has not.
    for part in ("libc.unshare(0x400)", "libc.syscall(436, 1000, 1000, 2)"):
        check(f"""
opened, closed = threading.Event(), threading.Event()
def work():
    opened.wait()
    assert {part} == 0
    closed.set(); finished.wait()
    os.pread(fd, 1, 0)
finished = threading.Event()
thread = threading.Thread(target=work)
thread.start()
fd = os.open(FILE, 0)
opened.set(); closed.wait()
os.close(fd)
finished.set(); thread.join()
""")


def test_a_thread_parts_before_anything_is_held():
    check("""
ready, opened, closed = threading.Event(), threading.Event(), threading.Event()
def work():
    assert libc.syscall(436, 1000, 1000, 2) == 0
    ready.set()
    fd = os.open(FILE, 0)
    opened.set(); closed.wait()
    os.pread(fd, 1, 0)
thread = threading.Thread(target=work)
thread.start()
ready.wait(); opened.wait()
fd = os.open(FILE, 0)
os.close(fd)
closed.set(); thread.join()
""")


def test_another_process_shares_the_descriptors():
    # clone with CLONE_FILES and SIGCHLD.
    check("""
numbers, give = os.pipe()
pid = libc.syscall(56, 0x400 | 17, 0, 0, 0, 0)
if not pid:
    os.write(give, bytes([os.open(FILE, 0)]))
    os._exit(0)
fd = os.read(numbers, 1)[0]
os.waitpid(pid, 0)
in_thread(lambda: os.pread(fd, 1, 0))
os.close(fd)
""")


def test_processes_are_started_by_threads():
    # What a new process inherits, and closes first, is chance.
    check("""
def start():
    for _ in range(3):
        assert subprocess.run(["cat", FILE], stdout=subprocess.DEVNULL).returncode == 0
threads = [threading.Thread(target=start) for _ in range(2)]
for thread in threads:
    thread.start()
for _ in range(5):
    fd = os.open(FILE, 0)
    os.pread(fd, 1, 0)
    os.close(fd)
for thread in threads:
    thread.join()
""", extra=["-e", "trace=openat,fadvise64,read,pread64"])


def test_a_thread_executes_a_program_while_another_opens():
    check("""
def leave():
    fd = os.open(FILE, 0)
    os.dup2(fd, 9)
    os.execvp("sh", ["sh", "-c", "read x <&9; exit 0"])
thread = threading.Thread(target=leave)
thread.start()
thread.join()
""")


def test_a_stopped_process_stays_stopped():
    # SIGSTOP while all sleep, SIGCONT, and then the file is opened.
    check("""
import signal, time
pid = os.getpid()
child = os.fork()
if not child:
    os.kill(pid, signal.SIGSTOP)
    while open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()[0] not in "Tt":
        time.sleep(0.01)
    os.kill(pid, signal.SIGCONT)
    os._exit(0)
os.waitpid(child, 0)
fd = os.open(FILE, 0)
in_thread(lambda: os.pread(fd, 1, 0))
os.close(fd)
print(stops())
""", ["few"])  # fmt: skip


def leave_in_the_middle(number):
    """The program goes on when the tracer is told to end, whatever its threads are in then."""
    program = tracing.program("stirred")
    with tempfile.TemporaryDirectory(prefix="tracer-test-") as folder:
        file, result = os.path.join(folder, "file"), os.path.join(folder, "result")
        trace = os.path.join(folder, "trace")
        pathlib.Path(file).write_text("text", encoding="utf-8")
        script = f"trap '' INT; '{program}' '{file}' 15 2>'{result}.err'; echo $? >'{result}'"
        process = subprocess.Popen(
            [*tracing.tracer(), "-qq", *ON, "-o", trace, "-P", file, "--", "sh", "-c", script],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        tracing.wait_until(
            lambda: os.path.exists(trace) and os.path.getsize(trace) > 200, "the first calls"
        )
        process.send_signal(number)
        process.wait(tracing.PATIENCE)
        tracing.wait_until(lambda: os.path.exists(result), "the end of the program")
        tracing.wait_until(lambda: os.path.getsize(result), "its status")
        said = pathlib.Path(result + ".err").read_text(encoding="utf-8")
        assert pathlib.Path(result).read_text(encoding="utf-8") == "0\n", said


def test_a_tracer_that_is_killed_leaves_threads_as_they_were():
    for _ in range(5):
        leave_in_the_middle(signal.SIGKILL)
        leave_in_the_middle(signal.SIGINT)


def same_calls(command, path, folder):
    def calls(options):
        done, lines = tracing.run(options + ["-P", path], command, cwd=folder)
        # What is in the file may differ, and addresses do.
        names = collections.Counter(call.partition("(")[0] for call in begun(lines))
        return done.returncode, names

    status, found = calls(ON)
    expected_status, expected = calls(OFF)
    assert status == expected_status == 0, (status, expected_status)
    assert found == expected and found, (found - expected, expected - found)


def test_real_programs_with_threads():
    requires.require(["command:xz", "command:git"])
    with tempfile.TemporaryDirectory(prefix="tracer-test-") as folder:
        big = pathlib.Path(folder, "big")
        big.write_bytes(b"".join(b"%d\n" % i for i in range(1000000)))
        same_calls(["xz", "-T2", "-0", "-k", "-f", "--block-size=1MiB", "big"], "big", folder)
        repository = pathlib.Path(folder, "repository")
        repository.mkdir()
        for i in range(40):
            (repository / f"file{i}").write_text("text\n" * i, encoding="utf-8")
        for words in (["init", "-q"], ["add", "-A"]):
            subprocess.run(["git", *words], cwd=repository, check=True)
        same_calls(
            ["git", "-C", "repository", "grep", "--threads=4", "-c", "text"],
            "repository/file7", folder,
        )  # fmt: skip


JAVA = """
import java.nio.file.*;
import java.util.concurrent.*;
public class Reads {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(4);
        for (int i = 0; i < 40; i++) {
            final int n = i;
            pool.submit(() -> Files.readAllBytes(Paths.get(n % 10 == 0 ? "asked" : "other")));
        }
        pool.shutdown();
        System.exit(pool.awaitTermination(100, TimeUnit.SECONDS) ? 0 : 1);
    }
}
"""


def test_java():
    requires.require(["command:java", "command:javac"])
    with tempfile.TemporaryDirectory(prefix="tracer-test-") as folder:
        pathlib.Path(folder, "Reads.java").write_text(JAVA, encoding="utf-8")
        for name in ("asked", "other"):
            pathlib.Path(folder, name).write_text("text\n" * 100, encoding="utf-8")
        subprocess.run(["javac", "Reads.java"], cwd=folder, check=True)
        same_calls(["java", "-cp", ".", "Reads"], "asked", folder)


NODE = """
const { Worker, isMainThread } = require("worker_threads");
const fs = require("fs");
const all = [];
for (let i = 0; i < 30; i++)
    all.push(fs.promises.readFile(i % 5 ? "other" : "asked"));
if (isMainThread)
    for (let i = 0; i < 3; i++)
        new Worker(__filename).on("error", () => process.exit(1));
Promise.all(all).then(() => setTimeout(() => fs.readFileSync("asked"), 2));
"""


def test_node():
    requires.require(["command:node"])
    with tempfile.TemporaryDirectory(prefix="tracer-test-") as folder:
        pathlib.Path(folder, "main.js").write_text(NODE, encoding="utf-8")
        for name in ("asked", "other"):
            pathlib.Path(folder, name).write_text("text\n" * 1000, encoding="utf-8")
        same_calls(["node", "main.js"], "asked", folder)


tap.run(globals())
