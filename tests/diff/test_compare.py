# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""The normalizer and the comparison, on traces written by hand."""

import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import compare  # noqa: E402
import normalize  # noqa: E402
import records  # noqa: E402
import tap  # noqa: E402

PARENT_FIRST = """\
100 fork( <unfinished ...>
101 getpid() = 101
100 <... fork resumed>)             = 101
100 wait4(-1,  <unfinished ...>
101 exit_group(0)                   = ?
101 +++ exited with 0 +++
100 <... wait4 resumed>[{WIFEXITED(s) && WEXITSTATUS(s) == 0}], 0, NULL) = 101
100 +++ exited with 0 +++
""".splitlines()

CHILD_LATER = """\
2000 fork()                          = 2001
2000 wait4(-1,  <unfinished ...>
2001 getpid()                        = 2001
2001 exit_group(0)                   = ?
2001 +++ exited with 0 +++
2000 <... wait4 resumed>[{WIFEXITED(s) && WEXITSTATUS(s) == 0}], 0, NULL) = 2001
2000 +++ exited with 0 +++
""".splitlines()


def trace(lines, **options):
    return normalize.Normalizer(**options).trace(lines)


def known(text):
    keys = {"ID", "REASON", "SCENARIOS", "STRACE", "TRACER"}
    with tempfile.NamedTemporaryFile("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        return [compare.Known(record) for record in records.read_records(file.name, keys)]


def test_pids_and_interleaving_do_not_matter():
    first, second = trace(PARENT_FIRST), trace(CHILD_LATER)
    assert first == second, f"{first}\n{second}"
    assert list(first) == ["1", "1.1"]
    assert first["1"][0] == "fork() = <1.1>"


def test_a_different_result_matters():
    changed = [line.replace("exit_group(0)", "exit_group(1)") for line in PARENT_FIRST]
    problems = compare.unexplained("x", trace(PARENT_FIRST), trace(changed), [])
    assert problems == ["task 1.1\n- exit_group(0) = ?\n+ exit_group(1) = ?"], problems


def test_a_lost_line_matters():
    lost = [line for line in PARENT_FIRST if "getpid" not in line]
    problems = compare.unexplained("x", trace(PARENT_FIRST), trace(lost), [])
    assert problems == ["task 1.1\n- getpid() = <1.1>"], problems


def test_a_lost_task_matters():
    lost = [line for line in PARENT_FIRST if not line.startswith("101")]
    problems = compare.unexplained("x", trace(PARENT_FIRST), trace(lost), [])
    assert any("task 1.1: only strace" in problem for problem in problems), problems


def test_a_known_difference_is_explained_once_it_fits_whole_lines():
    theirs, ours = trace(["a(1) = 0", "b(1) = 0"]), trace(["a(1) = 0", "b(2) = 0"])
    record = "ID x\nREASON r\nSTRACE b\\(1\\) = 0\nTRACER b\\(2\\) = 0\n"
    assert not compare.unexplained("s", theirs, ours, known(record))
    assert compare.unexplained("s", theirs, ours, known(record.replace("= 0", "")))
    assert compare.unexplained("s", theirs, ours, known(record + "SCENARIOS other\n"))


def test_the_thread_that_executes_goes_on_as_the_leader():
    tasks = trace(
        [
            "10 clone3({...}, 88) = 11",
            "10 pause( <unfinished ...>",
            '11 execve("x" <unfinished ...>',
            "10 <... pause resumed>)             = ?",
            "10 +++ superseded by execve in pid 11 +++",
            "10 <... execve resumed>)            = 0",
        ]
    )
    assert tasks["1"][-1] == 'execve("x") = 0', tasks


def test_volatile_values_are_masked_and_their_neighbours_are_not():
    normalizer = normalize.Normalizer()
    line = normalizer.line('getrandom("\\1\\2", 8, GRND_NONBLOCK)   = 8', {})
    assert line == 'getrandom("R", 8, GRND_NONBLOCK) = 8', line
    line = normalizer.line("x({tv_sec=5, tv_nsec=6}, {st_size=7, st_mtime=8}) = 0", {})
    assert line == "x({tv_sec=T, tv_nsec=T}, {st_size=7, st_mtime=T}) = 0", line


def test_order_is_left_out_only_among_lines_that_strace_has():
    runs = [{"1": ["a", "b", "c"]}, {"1": ["b", "a", "c"]}]
    assert not compare.never_seen(runs, {"1": ["c", "b", "a"]})
    assert compare.never_seen(runs, {"1": ["c", "b"]})
    assert compare.never_seen(runs, {"1": ["c", "b", "a", "d"]})


tap.run(globals())
