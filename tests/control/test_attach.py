# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Attaching to running processes, and leaving them as if nothing had been."""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import tap  # noqa: E402
import target as targets  # noqa: E402
import tracing  # noqa: E402


def seen_tids(tracer):
    return {line.split()[0] for line in tracer.lines()}


def wait_for_all_threads(tracer, target):
    tids = set(os.listdir(f"/proc/{target.pid}/task"))
    tracing.wait_until(lambda: tids <= seen_tids(tracer), "every thread shows a call")


def check_detach_by(number):
    with targets.running() as target:
        with targets.tracing_in_background(["-f", "-p", str(target.pid)]) as tracer:
            wait_for_all_threads(tracer, target)
            tracer.process.send_signal(number)
            tracer.wait()
        target.expect_running()
        assert target.end() == targets.ENDED


def test_sigint_detaches():
    check_detach_by(signal.SIGINT)


def test_sigterm_detaches():
    check_detach_by(signal.SIGTERM)


def test_sighup_detaches():
    check_detach_by(signal.SIGHUP)


def test_kill_9_leaves_nothing_stopped():
    for threads in (1, 3, 20):
        with targets.running(threads) as target:
            with targets.tracing_in_background(["-f", "-p", str(target.pid)]) as tracer:
                wait_for_all_threads(tracer, target)
                tracer.process.kill()
                tracer.wait()
            target.expect_running()
            assert target.end() == targets.ENDED


def test_closed_output_pipe_detaches():
    with targets.running() as target:
        with targets.tracing_in_background(
            ["-f", "-p", str(target.pid)], stderr=subprocess.PIPE
        ) as tracer:
            assert tracer.process.stderr.readline()
            tracer.process.stderr.close()
            tracer.wait()
        target.expect_running()
        assert target.end() == targets.ENDED


def test_the_end_of_the_target_ends_the_tracer():
    with targets.running() as target:
        with targets.tracing_in_background(["-f", "-p", str(target.pid)]) as tracer:
            wait_for_all_threads(tracer, target)
            assert target.end() == targets.ENDED
            tracer.wait()
            ends = sorted(line.split()[4] for line in tracer.lines() if "+++ exited" in line)
            assert ends == ["0", "0", "0", "5"], tracer.lines()[-10:]


def test_without_f_only_the_named_thread_is_traced():
    with targets.running() as target:
        with targets.tracing_in_background(["-p", str(target.pid)]) as tracer:
            tracing.wait_until(lambda: tracing.tracer_pid(target.pid) != 0, "attached")
            target.ask()
            tracer.wait_for("write(1, ")
            others = set(os.listdir(f"/proc/{target.pid}/task")) - {str(target.pid)}
            assert all(tracing.tracer_pid(tid) == 0 for tid in others)
            assert not any("nanosleep" in line for line in tracer.lines())
            tracer.process.terminate()
            tracer.wait()
        target.expect_running()


def test_several_processes_in_one_list():
    with targets.running(1) as first, targets.running(1) as second:
        pids = f"{first.pid},{second.pid}"
        with targets.tracing_in_background(["-p", pids]) as tracer:
            for one in (first, second):
                tracing.wait_until(lambda: tracing.tracer_pid(one.pid) != 0, "attached")
                one.ask()
            tracing.wait_until(
                lambda: {str(first.pid), str(second.pid)} <= seen_tids(tracer), "both are seen"
            )
            tracer.process.terminate()
            tracer.wait()
        first.expect_running()
        second.expect_running()


def test_stop_and_continue_work_under_the_tracer():
    with targets.running() as target:
        with targets.tracing_in_background(["-f", "-p", str(target.pid)]) as tracer:
            wait_for_all_threads(tracer, target)
            os.kill(target.pid, signal.SIGSTOP)
            # The parent hears of the stop as it would without a tracer.
            _, status = os.waitpid(target.pid, os.WUNTRACED)
            assert os.WIFSTOPPED(status) and os.WSTOPSIG(status) == signal.SIGSTOP
            tracer.wait_for("--- stopped by SIGSTOP ---")
            os.kill(target.pid, signal.SIGCONT)
            target.ask()
            tracer.process.terminate()
            tracer.wait()
        target.expect_running()


def test_a_stopped_process_stays_stopped_when_the_tracer_leaves():
    with targets.running() as target:
        with targets.tracing_in_background(["-f", "-p", str(target.pid)]) as tracer:
            wait_for_all_threads(tracer, target)
            os.kill(target.pid, signal.SIGSTOP)
            tracer.wait_for("--- stopped by SIGSTOP ---")
            tracer.process.terminate()
            tracer.wait()
        tracing.wait_until(
            lambda: set(tracing.states(target.pid).values()) == {"T"}, "all threads are stopped"
        )
        os.kill(target.pid, signal.SIGCONT)
        target.expect_running()


def test_attach_to_nobody_is_an_error_that_names_the_pid():
    done = subprocess.run(
        tracing.tracer() + ["-p", "4194303"],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=tracing.PATIENCE,
        check=False,
    )  # fmt: skip
    assert done.returncode == 1, done
    assert "4194303" in done.stderr and "No such process" in done.stderr, done.stderr


def test_attach_to_a_traced_process_is_an_error_and_harmless():
    with targets.running() as target:
        with targets.tracing_in_background(["-f", "-p", str(target.pid)]) as tracer:
            wait_for_all_threads(tracer, target)
            done = subprocess.run(
                tracing.tracer() + ["-p", str(target.pid)],
                stdin=subprocess.DEVNULL, capture_output=True, text=True,
                timeout=tracing.PATIENCE, check=False,
            )  # fmt: skip
            assert done.returncode == 1, done
            assert "not permitted" in done.stderr, done.stderr
            tracer.process.terminate()
            tracer.wait()
        target.expect_running()


def test_a_process_whose_threads_execute_does_not_hold_us():
    # To attach waits for an execve, which waits for the ends of threads that are ours already.
    command = [tracing.program("exec_again")]
    # Each lives for a minute.
    for _ in range(8):
        with subprocess.Popen(command, stdin=subprocess.DEVNULL) as process:
            check_short_visits(process, 3)


def check_short_visits(process, count):
    try:
        for _ in range(count):
            check_short_visit(process)
    finally:
        process.kill()


def check_short_visit(process):
    # The visit is over when it was seen to execute twice, and not before: who is not traced any
    # more after an execve, is not seen to execute again.
    with tempfile.TemporaryDirectory(prefix="tracer-test-") as folder:
        output = os.path.join(folder, "trace")
        words = tracing.tracer() + ["-f", "-e", "trace=execve", "-o", output]
        with subprocess.Popen(
            words + ["-p", str(process.pid)], stderr=subprocess.PIPE, text=True
        ) as tracer:
            try:
                tracing.wait_until(
                    lambda: tracer.poll() is not None or count_in(output, "execve(") >= 2,
                    "two calls of execve",
                )
                ended = tracer.poll()
                tracer.send_signal(signal.SIGINT)
                _, text = tracer.communicate(timeout=tracing.PATIENCE)
            finally:
                tracer.kill()
    assert ended is None and tracer.returncode == -signal.SIGINT, (ended, text[-500:])
    assert process.poll() is None
    state = pathlib.Path(f"/proc/{process.pid}/stat").read_text(encoding="ascii")
    assert state.rsplit(")", 1)[1].split()[0] in "RSDZX", state


def count_in(path, word):
    try:
        return pathlib.Path(path).read_text(encoding="utf-8").count(word)
    except FileNotFoundError:
        return 0


tap.run(globals())
