#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""The commands and examples in README.md, the manual and doc/ are right: they are run.

A command in the README or among the manual's EXAMPLES that has no line in RUNS fails, so
that a new one is tried as well. Of all other commands in doc/ the options are parsed.
"""

import json
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

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
MANUAL = (ROOT / "doc/tracer.1.scd").read_text(encoding="utf-8")
DOCUMENTS = sorted((ROOT / "doc").glob("*.md")) + [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
INTERPRET = "/usr/lib/heaptrack/libexec/heaptrack_interpret"


def shell(command, folder, status=0):
    """Runs a command of a document in a folder; returns standard error, where traces go."""
    words = f"tracer() {{ {' '.join(tracing.tracer())} \"$@\"; }}\n"
    done = subprocess.run(
        ["bash", "-c", words + re.sub(r"\btools/run\b", "tracer", command)],
        cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL,
        timeout=5 * tracing.PATIENCE, check=False,
    )  # fmt: skip
    assert done.returncode == status, (command, done.returncode, done.stderr[-2000:])
    return done.stderr


def runs_heaptrack(command, folder):
    requires.require(["command:heaptrack", "command:zstd", "file:" + INTERPRET])
    trace = shell(command, folder)
    assert re.search(r'^openat\(AT_FDCWD, "/usr/lib/debug/\.build-id/', trace, re.M), trace
    assert re.search(r"^ > " + INTERPRET + r"\(", trace, re.M), trace


def makes_a_recording(command, folder):
    requires.require(["command:heaptrack", "command:zstd"])
    shell(command, folder)
    assert (pathlib.Path(folder) / "h.raw").exists()


def runs_gdb(command, folder):
    requires.require(["command:gdb", "file:/usr/bin/objdump"])
    trace = shell(command, folder)
    assert re.search(r'^[a-z0-9]+\(.*"/usr/lib/debug', trace, re.M), trace
    assert re.search(r"^ > /usr/bin/gdb\(", trace, re.M), trace


def attaches(command, folder):
    """The process 1234 of the example is one that sleeps, and Ctrl-C a SIGINT."""
    with subprocess.Popen(["sleep", "1000"], cwd=folder) as target:
        words = tracing.tracer() + command.replace("1234", str(target.pid)).split()[1:]
        try:
            with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as tracer:
                lines = list(iter_until(tracer.stderr.readline, "nanosleep"))
                tracer.send_signal(signal.SIGINT)
                lines.append(tracer.communicate()[0])
        finally:
            target.kill()
    assert tracer.returncode == -signal.SIGINT, (tracer.returncode, lines)


def iter_until(read_line, part):
    """Lines up to the one with this part, or to the end."""
    line = "-"
    while line and part not in line:
        line = read_line()
        yield line


def finds_failures(command, folder):
    requires.require(["command:make"])
    (pathlib.Path(folder) / "Makefile").write_text("all:\n\ttest ! -e missing\n")
    shell(command, folder)
    with open(os.path.join(folder, "trace.json"), encoding="utf-8") as lines:
        calls = [event for event in map(json.loads, lines) if event["kind"] == "syscall"]
    assert calls and all(call["result"] in ("error", "restart") for call in calls), calls
    paths = [arg.get("value") for call in calls for arg in call["args"]]
    assert "missing" in paths, paths


def is_this_suite(command, _folder):
    assert os.access(ROOT / command, os.X_OK), command


def builds_no_tests(command, folder):
    requires.require(["command:meson", "command:ninja"])
    setup = command.split(" && ")[0].replace("meson setup build", f"meson setup {folder}/build")
    done = subprocess.run(
        setup.split(), cwd=ROOT, capture_output=True, text=True, timeout=tracing.PATIENCE,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    listed = subprocess.run(
        ["ninja", "-C", f"{folder}/build", "-n"], capture_output=True, text=True, check=True
    ).stdout
    assert "tracer" in listed and "tests/" not in listed, listed


RUNS = {
    "heaptrack --raw -o h ls && zstd -d h.raw.zst": makes_a_recording,
    f"tools/run -f -k -P /usr/lib/debug {INTERPRET} <h.raw >/dev/null": runs_heaptrack,
    "tools/run -k -P /usr/lib/debug gdb -batch /usr/bin/objdump": runs_gdb,
    "tools/test": is_this_suite,
    "meson setup build --buildtype=release && meson install -C build": builds_no_tests,
    "tools/run -f -p 1234": attaches,
    "tools/run -f -Z --format=json -o trace.json make": finds_failures,
    "tracer -f -k -P /usr/lib/debug gdb -batch /usr/bin/objdump": runs_gdb,
    "tracer -f -p 1234": attaches,
    "tracer -f -Z --format=json -o trace.json make": finds_failures,
}


def readme_commands():
    return re.findall(r"^    (\S.*)$", README, re.MULTILINE)


def manual_commands():
    examples = MANUAL[MANUAL.index("# EXAMPLES") : MANUAL.index("# EXIT STATUS")]
    return re.findall(r"^\t(\S.*)$", examples, re.MULTILINE)


def run_all(commands):
    assert commands
    missing = []
    with tempfile.TemporaryDirectory(prefix="tracer-test-") as folder:
        for command in commands:
            try:
                RUNS[command](command, folder)
            except tap.Skip as reason:
                missing.append(f"{command}: {reason}")
    if missing:
        raise tap.Skip("; ".join(missing))


def test_commands_of_the_readme():
    run_all(readme_commands())


def test_commands_of_the_manual():
    run_all(manual_commands())


def test_the_example_of_help():
    text = subprocess.run(
        tracing.tracer() + ["--help"], capture_output=True, text=True, check=True
    ).stdout
    assert text.rstrip().split("\n")[-1].strip() in RUNS, text


def documented_commands():
    """(document, options) of each `tracer …` in a block of code."""
    for path in DOCUMENTS:
        text = path.read_text(encoding="utf-8")
        blocks = re.findall(r"^```\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
        blocks += re.findall(r"^(?:    .*\n)+", text, re.MULTILINE)
        for line in "".join(blocks).split("\n"):
            match = re.match(r"(?:\$ |    )?(?:timeout \S+ \S+ \S+ )?tracer (-.*)", line)
            if match:
                yield path.name, re.split(r"  |[|>#]", match[1])[0].strip()


def test_options_in_the_documents_exist():
    # --help in front: the options are parsed up to the command, and nothing is run.
    wrong, count = [], 0
    for name, options in documented_commands():
        words = re.sub(r"\$\(.*?\)|\bPID\b", "1", options)
        done = subprocess.run(
            ["bash", "-c", 'exec "$@" --help ' + words, "bash", *tracing.tracer()],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        count += 1
        if done.returncode:
            wrong.append(f"{name}: tracer {options}: {done.stderr}")
    assert count > 10 and not wrong, (count, wrong)


def test_links_in_the_documents_lead_somewhere():
    broken = []
    for path in DOCUMENTS:
        for target in re.findall(r"\]\(([^)#:]+)\)", path.read_text(encoding="utf-8")):
            if not (path.parent / target).exists():
                broken.append(f"{path.name}: {target}")
    assert not broken, broken


def test_files_in_the_documents_exist():
    """`src/…`, `tests/…` and the like in backquotes, with their ending or as a pair."""
    missing = []
    pattern = re.compile(r"`((?:src|unwind|tests|syscalls|doc|tools)/[\w./-]+)`")
    for path in DOCUMENTS:
        for name in pattern.findall(path.read_text(encoding="utf-8")):
            found = (ROOT / name).exists() or (ROOT / f"{name}.c").exists()
            if not found and not re.search(r"NOUN|NAME|TEST|ABI", name):
                missing.append(f"{path.name}: {name}")
    assert not missing, missing


def test_worked_examples_are_compiled():
    """C in a page that names a file of tests/unit stands in that file to the letter."""
    compared = 0
    for document in DOCUMENTS:
        text = document.read_text(encoding="utf-8")
        for block in re.finditer(r"^```c\n(.*?)^```", text, re.M | re.S):
            files = re.findall(r"`(tests/unit/\w+\.c)`", text[: block.start()])
            if not files:
                continue
            source = (ROOT / files[-1]).read_text(encoding="utf-8")
            for part in block[1].split("\n\n"):
                assert part.strip("\n") in source, (document.name, files[-1], part)
            compared += 1
    assert compared >= 2, compared


def test_the_checklist_for_an_abi_is_complete():
    """Files of the program and of the tests' tools that name x32 are named in the page, too."""
    page = (ROOT / "doc/add-an-abi.md").read_text(encoding="utf-8")
    folders = ("src", "unwind", "syscalls/gen", "syscalls/numbers", "tests/gen", "tests/unit")
    files = [ROOT / "syscalls/meson.build"]
    for folder in folders:
        files += [path for path in (ROOT / folder).rglob("*") if path.is_file()]
    naming = [
        str(path.relative_to(ROOT))
        for path in files
        if "__pycache__" not in path.parts
        and re.search(r"(?i)(?<![a-z0-9])x32\b", path.name + path.read_text(encoding="utf-8"))
    ]
    assert "src/abi/x32.c" in naming, naming
    missing = [name for name in naming if f"`{name}`" not in page]
    assert not missing, missing


def test_the_manual_names_installed_documents():
    listed = re.search(r"share/doc/tracer/_.*", MANUAL, re.DOTALL)[0]
    named = set(re.findall(r"[\w-]+\.md", MANUAL))
    assert named == set(re.findall(r"[\w-]+\.md", listed)), named
    installed = set(re.findall(r"'([\w-]+\.md)'", (ROOT / "doc/meson.build").read_text()))
    assert named == installed, (named, installed)


def keys(value):
    """The names of all members, whatever they hold; of arrays in order."""
    if isinstance(value, dict):
        return {name: keys(member) for name, member in value.items()}
    return [keys(member) for member in value] if isinstance(value, list) else None


HELLO = """#include <fcntl.h>
static inline int open_greeting(const char *path)
{
	return open(path, O_RDONLY | O_CLOEXEC);
}
int main(void)
{
	return open_greeting("greeting") < 0 || open_greeting("missing") < 0;
}
"""


def test_the_example_of_json():
    requires.require(["command:gcc"])
    text = (ROOT / "doc/json.md").read_text(encoding="utf-8")
    shown = json.loads(re.search(r"^```json\n(.*?)^```", text, re.MULTILINE | re.DOTALL)[1])
    commands = re.findall(r"^\$ ((?:touch|tracer).*)$", text, re.MULTILINE)
    with tempfile.TemporaryDirectory(prefix="tracer-test-") as folder:
        (pathlib.Path(folder) / "hello.c").write_text(HELLO)
        shell("gcc -O2 -g -o hello hello.c", folder)
        shell(commands[0], folder)
        shell(commands[1], folder, status=1)
        with open(os.path.join(folder, "out.json"), encoding="utf-8") as lines:
            (event,) = [e for e in map(json.loads, lines) if e.get("error") == "ENOENT"]
    # The example is without the C library's frames.
    event["stack"] = [f for f in event["stack"] if f["module"].endswith("/hello")]
    assert keys(event) == keys(shown), (event, shown)
    assert list(event) == list(shown), "order of members"


tap.run(globals())
