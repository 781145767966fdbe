# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""How do programs look for debug files, and what would help? --explain-lookups."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS))
sys.path.insert(0, str(TESTS / "real"))

import marked  # noqa: E402
import namespaces  # noqa: E402
import requires  # noqa: E402
import tap  # noqa: E402
import tracing  # noqa: E402

FOLDER = tempfile.TemporaryDirectory(prefix="tracer-lookups-")
COUNTER = [0]
COMMANDS = "Commands that would make them be found (none was run):"


def fresh():
    COUNTER[0] += 1
    path = pathlib.Path(FOLDER.name) / str(COUNTER[0])
    path.mkdir()
    return path


class Report:
    """The parts of a report: wanted files, codes, commands."""

    def __init__(self, text):
        self.text = text
        body, _, rest = text.partition("\nThe code that tried:\n")
        codes, _, commands = rest.partition("\n" + COMMANDS + "\n")
        self.commands = [line.strip() for line in commands.splitlines()]
        self.codes = {
            int(number): lines.splitlines()
            for number, lines in re.findall(
                r"^  \[(\d+)\] (.*\n(?:      .*\n?)*)", codes, re.MULTILINE
            )
        }
        self.wanted = {}
        for line in body.splitlines():
            if not line.startswith(" "):
                name = line.partition(",")[0]
                self.wanted[name] = [line]
            else:
                self.wanted[name].append(line.strip())


def lookups(command, *options, **more):
    with tempfile.NamedTemporaryFile(prefix="tracer-lookups-") as out:
        done = subprocess.run(
            [*tracing.tracer(), "--explain-lookups", "-o", out.name, *options, "--",
             *map(str, command)],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
            timeout=tracing.PATIENCE, **more,
        )  # fmt: skip
        assert done.returncode != tracing.SANITIZER_STATUS, done.stderr
        return done, Report(pathlib.Path(out.name).read_text())


def stripped(folder, *options):
    path = marked.build(folder / "prog", "the_mark", *options)
    debug = folder / "prog.whole"
    marked.shell(f"objcopy --only-keep-debug {path} {debug} && objcopy --strip-all {path}")
    return pathlib.Path(path), debug


SEARCHER = """
#include <fcntl.h>
#include <unistd.h>

static int try_folder(const char *path)
{
	return open(path, O_RDONLY); // LINE
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		try_folder(argv[i]);
	return 7;
}
"""


def searcher(folder):
    (folder / "searcher.c").write_text(SEARCHER)
    marked.shell(f"cd {folder} && gcc -g -O0 -o searcher searcher.c")
    line = next(i for i, text in enumerate(SEARCHER.splitlines(), 1) if "LINE" in text)
    return folder / "searcher", f"try_folder {folder}/searcher.c:{line} in {folder}/searcher"


def test_tries_code_and_the_right_file():
    folder = fresh()
    path, debug = stripped(folder)
    build_id = marked.build_id(path)
    name = f"{build_id[2:]}.debug"
    where = folder / "d/.build-id" / build_id[:2] / name
    where.parent.mkdir(parents=True)
    shutil.copy(debug, where)
    program, code = searcher(folder)
    tries = [f"/usr/lib/debug//nowhere/{name}", f"{folder}/{name}", f"{folder}/{name}"]
    done, report = lookups([program, path, *tries], f"--debug-dir={folder}/d")
    assert done.returncode == 7, "it ends as the command"
    head, *lines = report.wanted[name]
    assert head == f"{name}, debug file of {path}, build-id {build_id}"
    assert lines == [
        f"/usr/lib/debug//nowhere/{name}: ENOENT [1]",
        f"{folder}/{name}: ENOENT [1]",
        f"the right file is {where}",
    ], lines
    # The C library's part of the stack is left out; one code, told once.
    assert list(report.codes) == [1]
    assert report.codes[1][:2] == ["searcher", f"      {code}"], report.codes
    assert report.codes[1][2].startswith(f"      main {folder}/searcher.c:")
    assert report.commands == [
        f"mkdir -p /usr/lib/debug/nowhere && ln -s {where} /usr/lib/debug/nowhere/{name}"
    ], report.commands


def test_wrong_file():
    folder = fresh()
    path, _ = stripped(folder)
    build_id, other = marked.build_id(path), marked.build_id("/bin/true")
    name = f"{build_id[2:]}.debug"
    shutil.copy("/bin/true", folder / name)
    program, _ = searcher(folder)
    _, report = lookups([program, path, folder / name])
    assert (
        f"wrong: the build-id of {folder}/{name} is {other} and should be {build_id}"
        in report.wanted[name]
    ), report.text


def test_found():
    folder = fresh()
    path, debug = stripped(folder)
    name = f"{marked.build_id(path)[2:]}.debug"
    shutil.copy(debug, folder / name)
    program, _ = searcher(folder)
    # A name relative to the working directory.
    _, report = lookups([program, path, name], cwd=folder)
    assert report.wanted[name][1:] == [f"{folder}/{name}: found [1]", f"found: {folder}/{name}"]
    assert report.commands == []


def test_names_that_nobody_asked_for():
    folder = fresh()
    program, _ = searcher(folder)
    _, report = lookups([program, "/nowhere/x.dwp", "/nowhere/y.dwo", "/usr/lib/debug/zzz"])
    assert set(report.wanted) == {"x.dwp", "y.dwo"}
    assert report.wanted["x.dwp"][1] == "/nowhere/x.dwp: ENOENT [1]"
    assert "not on this system" in report.wanted["x.dwp"][2]


def test_what_is_no_debug_file():
    """Libraries and scripts that are looked for below /usr/lib/debug, as by valgrind and gdb."""
    folder = fresh()
    program, _ = searcher(folder)
    real = os.path.realpath("/bin/sh")
    tries = ["/usr/lib/debug/tls/libc.so.6", f"/usr/lib/debug{real}-gdb.py"]
    _, report = lookups([program, *tries, f"/usr/lib/debug{real}"])
    assert list(report.wanted) == [os.path.basename(real)], report.wanted


def test_a_program_that_needs_no_debug_file():
    folder = fresh()
    path = pathlib.Path(marked.build(folder / "prog", "the_mark", "-g"))
    program, _ = searcher(folder)
    name = f"{marked.build_id(path)[2:]}.debug"
    _, report = lookups([program, path, f"/usr/lib/debug/nowhere/{name}"])
    last = report.wanted[name][-1]
    assert last == f"not needed: its debug information is in {path}", last
    assert not report.commands


def test_names_reach_no_terminal_raw():
    folder = fresh()
    path, debug = stripped(folder)
    build_id = marked.build_id(path)
    given = folder / "a'\x1b[31m\n"
    where = given / ".build-id" / build_id[:2] / f"{build_id[2:]}.debug"
    where.parent.mkdir(parents=True)
    shutil.copy(debug, where)
    program, _ = searcher(folder)
    missing = f"/usr/lib/debug/nowhere/{where.name}"
    with tempfile.NamedTemporaryFile(prefix="tracer-lookups-") as out:
        subprocess.run(
            [*tracing.tracer(), "--explain-lookups", "-o", out.name, f"--debug-dir={given}",
             "--", program, path, missing], check=False,
        )  # fmt: skip
        text = pathlib.Path(out.name).read_text()
    assert "\x1b" not in text, text
    command = next(line for line in text.splitlines() if " ln -s " in line)
    word = command.split(" ln -s ")[1]
    said = subprocess.run(
        ["bash", "-c", f"printf '%s' {word.rpartition(' ')[0]}"], capture_output=True, check=True
    ).stdout
    assert said == os.fsencode(where), (said, where)


def test_nothing_was_looked_for():
    _, report = lookups(["true"])
    assert report.text == "No debug file was looked for.\n", report.text


def in_a_copy_of_the_system(folder, script):
    """Runs a script where /usr/lib/debug may be changed without changing ours."""
    unshare = namespaces.own_mounts()
    setup = (
        f"mkdir -p {folder}/t && mount -t tmpfs none {folder}/t && mkdir {folder}/t/u {folder}/t/w"
        f" && mkdir -p /usr/lib/debug && mount -t overlay overlay -o"
        f" lowerdir=/usr/lib/debug,upperdir={folder}/t/u,workdir={folder}/t/w /usr/lib/debug"
    )
    tried = subprocess.run([*unshare, "sh", "-c", setup], capture_output=True, check=False)
    if tried.returncode:
        raise tap.Skip("overlayfs cannot be mounted here")
    return subprocess.run(
        [*unshare, "sh", "-c", f"{setup} && {script}"],
        capture_output=True, text=True, check=False, timeout=tracing.PATIENCE,
    )  # fmt: skip


def test_commands_make_addr2line_find_it():
    requires.require(["command:addr2line"])
    folder = fresh()
    path, debug = stripped(folder)
    symbols = marked.shell(f"nm {debug}")
    address = next(line.split()[0] for line in symbols.splitlines() if "the_mark" in line)
    build_id = marked.build_id(path)
    where = folder / "d/.build-id" / build_id[:2] / f"{build_id[2:]}.debug"
    where.parent.mkdir(parents=True)
    shutil.copy(debug, where)
    command = ["addr2line", "-f", "-e", str(path), f"0x{address}"]
    done, report = lookups(command, f"--debug-dir={folder}/d")
    assert "the_mark" not in done.stdout
    assert report.commands, report.text
    script = " && ".join([*report.commands, " ".join(command)])
    again = in_a_copy_of_the_system(folder, script)
    assert again.stdout.startswith("the_mark\n"), again.stdout + again.stderr


INTERPRET = "/usr/lib/heaptrack/libexec/heaptrack_interpret"


def test_heaptrack():
    """As its script feeds the interpreter, on a program whose debug file is elsewhere."""
    requires.require(["command:heaptrack", "command:zstd", "file:" + INTERPRET])
    folder = fresh()
    source = folder / "leak.c"
    source.write_text(
        "#include <stdlib.h>\nstatic void *leak(void) { return malloc(1000); }\n"
        "int main(void) { return leak() == 0; }\n"
    )
    path = folder / "leak"
    marked.shell(f"gcc -g -O0 -o {path} {source}")
    build_id = marked.build_id(path)
    name = f"{build_id[2:]}.debug"
    # With a debug link, as Debian's packages are made.
    marked.shell(
        f"mkdir {folder}/away && cd {folder}/away && objcopy --only-keep-debug {path} {name}"
        f" && objcopy --strip-all --add-gnu-debuglink={name} {path}"
    )
    where = folder / "d/.build-id" / build_id[:2] / name
    where.parent.mkdir(parents=True)
    shutil.copy(folder / "away" / name, where)
    marked.shell(f"cd {folder} && heaptrack --raw -o h {path} && zstd -qd h*.zst -o plain")
    feed = f"{INTERPRET} <{folder}/plain"
    done, report = lookups(["sh", "-c", f"exec {feed}"], f"--debug-dir={folder}/d")
    assert str(source) not in done.stdout, "it has no lines without the debug file"
    head, *lines = report.wanted[name]
    assert head == f"{name}, debug file of {path}, build-id {build_id}"
    places = [
        f"/usr/lib/debug/.build-id/{build_id[:2]}/{name}",
        f"{folder}/{name}",
        f"{folder}/.debug/{name}",
        f"/usr/lib/debug/{folder}/{name}",
    ]
    for place in places:
        assert any(line.startswith(f"{place}: ENOENT [") for line in lines), (place, lines)
    assert f"the right file is {where}" in lines
    assert all("heaptrack_inter" == code[0] for code in report.codes.values())
    assert all(any(INTERPRET in line for line in code) for code in report.codes.values())
    links = [command for command in report.commands if " ln -s " in command]
    assert len(links) == 1, report.commands
    again = in_a_copy_of_the_system(folder, f"{links[0]} && {feed}")
    assert str(source) in again.stdout, "the command made it find the lines"


def test_alternate_file():
    """heaptrack looks for /usr/lib/debug/.dwz/… below other folders."""
    requires.require(["command:heaptrack", "command:zstd", "file:/usr/bin/ls"])
    sections = marked.shell("readelf -SW /usr/bin/ls")
    if ".gnu_debugaltlink" not in sections:
        raise tap.Skip("ls has no alternate file")
    folder = fresh()
    marked.shell(f"cd {folder} && heaptrack --raw -o h ls / && zstd -qd h*.zst -o plain")
    _, report = lookups(["sh", "-c", f"exec {INTERPRET} <{folder}/plain >/dev/null"])
    head, *lines = report.wanted["coreutils.debug"]
    assert head.startswith("coreutils.debug, shared debug information of /usr/bin/ls, build-id ")
    tries = [line for line in lines if line.startswith("/usr/bin//usr/lib/debug/.dwz/")]
    if lines[-1].startswith("not on this system"):
        assert tries and "coreutils-dbgsym" in lines[-1], lines
        assert "apt-get install coreutils-dbgsym" in report.commands


def test_gdb():
    requires.require(["command:gdb"])
    folder = fresh()
    path, _ = stripped(folder)
    build_id = marked.build_id(path)
    _, report = lookups(["gdb", "-nx", "-batch", "-ex", "info line main", path])
    head, *lines = report.wanted[f"{build_id[2:]}.debug"]
    assert head.endswith(f", debug file of {path}, build-id {build_id}")
    where = f"/usr/lib/debug/.build-id/{build_id[:2]}/{build_id[2:]}.debug"
    assert any(line.startswith(f"{where}: ENOENT [") for line in lines), lines
    assert any("/gdb" in line for code in report.codes.values() for line in code)


tap.run(globals())
