# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Commands that the tracer starts: their end becomes its own, their streams stay theirs."""

import os
import pathlib
import signal
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import tap  # noqa: E402
import tracing  # noqa: E402


def traced(words, **more):
    return subprocess.run(
        tracing.tracer() + ["-o", os.devnull] + words,
        timeout=tracing.PATIENCE, check=False, capture_output=True, **more,
    )  # fmt: skip


def test_exit_statuses():
    for status in (0, 1, 77, 255):
        done = traced(["sh", "-c", f"exit {status}"])
        assert done.returncode == status, done


def test_death_by_signal():
    for number in (signal.SIGTERM, signal.SIGKILL, signal.SIGSEGV, signal.SIGUSR1, signal.SIGPIPE):
        done = traced(["sh", "-c", f"ulimit -c 0; kill -{int(number)} $$"])
        assert done.returncode == -number, done


def test_a_command_that_cannot_be_run():
    assert traced(["/nonexistent/program"]).returncode == 1
    assert traced(["/etc/passwd"]).returncode == 1
    assert traced(["no-such-program-in-path"]).returncode == 1


def test_a_command_without_slash_is_looked_for_in_path():
    done = traced(["true"], env={"PATH": "/nonexistent:/usr/bin:/bin"})
    assert done.returncode == 0, done


def test_input_and_output_belong_to_the_command():
    done = traced(["cat"], input=b"hello\n")
    assert done.stdout == b"hello\n" and done.stderr == b"", done


def test_options_after_the_command_are_its_own():
    assert traced(["echo", "-f", "--help"]).stdout == b"-f --help\n"
    assert traced(["--", "echo", "-o"]).stdout == b"-o\n"


def test_the_environment_and_signals_of_the_command_are_as_without_a_tracer():
    status = "grep -E '^Sig(Blk|Ign|Cgt)' /proc/self/status"
    show = ["sh", "-c", f"env | sort; {status}; ulimit -a; umask"]
    env = {"PATH": os.environ["PATH"], "A": "b"}
    env.update((key, value) for key, value in os.environ.items() if key.endswith("SAN_OPTIONS"))
    plain = subprocess.run(show, capture_output=True, check=True, env=env)
    assert traced(show, env=env).stdout == plain.stdout


def test_no_descriptor_leaks_into_the_command():
    show = ["ls", "-l", "/proc/self/fd"]
    plain = subprocess.run(show, capture_output=True, check=True)
    assert len(traced(show).stdout.splitlines()) == len(plain.stdout.splitlines())


def test_lines_and_what_the_command_writes_stand_in_order():
    command = ["sh", "-c", "exec >&2; echo 1; echo 2"]
    for number in (1, 2):
        text = subprocess.run(
            tracing.tracer() + ["-e", "trace=write"] + command,
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True,
        ).stderr  # fmt: skip
        assert f'write(1, "{number}\\n", 2{number}\n)' in text, text


def test_where_and_how_the_command_runs_is_as_without_a_tracer():
    # After enough calls that the tracer has tried everything with itself.
    script = """
import os, subprocess
for i in range(20000):
    os.getppid()
print(sorted(os.sched_getaffinity(0)), os.sched_getscheduler(0), os.getpriority(0, 0), flush=True)
subprocess.run(["grep", "-E", "^(Cpus|Mems)_allowed", "/proc/self/status"])
"""
    command = [sys.executable, "-c", script]
    plain = subprocess.run(command, capture_output=True, check=True)
    for way in ("auto", "follow", "off"):
        for follow in ([], ["-f"]):
            done = traced([f"--scheduling={way}"] + follow + command)
            assert done.stdout == plain.stdout, (way, done)


def test_ctrl_c_reaches_the_command_which_decides():
    # As a terminal does: the whole process group gets the signal. The command handles it.
    command = ["sh", "-c", "trap 'echo caught; exit 9' INT; echo ready; while :; do sleep 1; done"]
    process = subprocess.Popen(
        tracing.tracer() + ["-f", "-o", os.devnull] + command,
        stdout=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    try:
        assert process.stdout.readline() == b"ready\n"
        os.killpg(process.pid, signal.SIGINT)
        output, _ = process.communicate(timeout=tracing.PATIENCE)
        assert output == b"caught\n", output
        assert process.returncode == 9, process.returncode
    finally:
        process.kill()
        process.wait()



def test_where_nothing_can_be_written_the_command_ends_as_it_would():
    # More than what is held back at once. Said once; the command runs on to its end.
    command = "for i in $(seq 1000); do : < /dev/null; done; echo done; "
    for options in ([], ["-f", "--seccomp-bpf=on"], ["--format=json"], ["-c"]):
        for end, status in (("exit 7", 7), ("kill -TERM $$", -signal.SIGTERM)):
            done = subprocess.run(
                tracing.tracer() + ["-o", "/dev/full"] + options + ["sh", "-c", command + end],
                timeout=tracing.PATIENCE, check=False, capture_output=True, text=True,
            )  # fmt: skip
            assert done.returncode == status, (options, done)
            assert done.stdout == "done\n", (options, done)
            assert done.stderr.count("No space left on device") == 1, (options, done)



def test_a_signal_to_the_whole_process_group_is_for_the_command():
    # It is sent once, and the command gets it once; the trace goes on to the end.
    script = """
import os, signal, sys
got = []
signal.signal(int(sys.argv[1]), lambda *_: got.append(1))
signal.signal(signal.SIGWINCH, lambda *_: None)
os.kill(0, int(sys.argv[1]))
for _ in range(50):
    os.kill(os.getpid(), signal.SIGWINCH)
print(len(got))
sys.exit(3)
"""
    numbers = (signal.SIGUSR1, signal.SIGALRM, signal.SIGABRT, signal.SIGTERM, signal.SIGRTMIN)
    for options in ([], ["-f", "--seccomp-bpf=on"]):
        for number in numbers:
            done = subprocess.run(
                tracing.tracer() + options + [sys.executable, "-c", script, str(int(number))],
                timeout=tracing.PATIENCE, check=False, capture_output=True, text=True,
                start_new_session=True,
            )  # fmt: skip
            assert done.returncode == 3 and done.stdout == "1\n", (options, number, done)
            assert done.stderr.endswith("+++ exited with 3 +++\n"), (options, number, done)



def test_messages_escape_what_comes_from_outside():
    name = "no\x1b[31msuch\nfile"
    for words in ([name], ["-o", f"/nonexistent/{name}", "true"], ["-e", f"trace={name}", "true"]):
        done = subprocess.run(
            tracing.tracer() + words,
            timeout=tracing.PATIENCE, check=False, capture_output=True,
        )  # fmt: skip
        first = done.stderr.splitlines()[0]
        assert done.returncode == 1 and b"\x1b" not in done.stderr, done
        assert rb"no\033[31msuch\012file" in first, done


def test_what_lacks_a_name_is_counted_for_a_person_only():
    command = ["-k", "-e", "trace=exit_group", "sh", "-c", "exit 0"]
    piped = subprocess.run(
        tracing.tracer() + ["-o", os.devnull] + command,
        timeout=tracing.PATIENCE, check=False, capture_output=True,
    )  # fmt: skip
    assert piped.stderr == b"", piped
    master, terminal = os.openpty()
    subprocess.run(
        tracing.tracer() + ["-o", os.devnull] + command,
        timeout=tracing.PATIENCE, check=True, stderr=terminal,
    )  # fmt: skip
    os.close(terminal)
    try:
        shown = os.read(master, 4096)
    except OSError as error:
        raise tap.Skip("every frame has a name: the shell is not stripped") from error
    finally:
        os.close(master)
    assert b"lack a name" in shown, shown


tap.run(globals())
