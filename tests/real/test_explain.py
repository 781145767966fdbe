# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Why is there no name, no line? Each cause is made, and the report must say it."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import zlib

sys.dont_write_bytecode = True
TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS))
sys.path.insert(0, str(TESTS / "real"))

import marked  # noqa: E402
import namespaces  # noqa: E402
import requires  # noqa: E402
import tap  # noqa: E402
import tracing  # noqa: E402

FOLDER = tempfile.TemporaryDirectory(prefix="tracer-explain-")
os.chmod(FOLDER.name, 0o755)
COUNTER = [0]
AS_JSON = ["--format=json", "--explain-symbols"]


def fresh():
    COUNTER[0] += 1
    path = pathlib.Path(FOLDER.name) / str(COUNTER[0])
    path.mkdir()
    return path


def explain(arguments, prefix=(), text=False):
    form = [] if text else ["--format=json"]
    done = subprocess.run(
        [*prefix, *tracing.tracer(), "--explain-symbols", *form, *map(str, arguments)],
        capture_output=True, text=True, timeout=tracing.PATIENCE, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    if text:
        return done.stdout
    return {entry["module"]: entry for entry in map(json.loads, done.stdout.splitlines())}


def of_file(path, *options, prefix=()):
    """The report on one file."""
    return explain([*options, path], prefix)[str(path)]


def tried(entry, path, what="debug_file"):
    """(reason, text) for a path that was tried."""
    found = [one for one in entry["tried"] if one["path"] == str(path) and one["for"] == what]
    assert len(found) == 1, f"{path} not once in {entry['tried']}"
    return found[0]["reason"], found[0]["text"]


def stripped(folder, *options):
    path = marked.build(folder / "prog", "the_mark", *options)
    (folder / "away").mkdir()
    debug = folder / "away" / "prog.debug"
    marked.shell(f"objcopy --only-keep-debug {path} {debug} && objcopy --strip-all {path}")
    return pathlib.Path(path), debug


def debug_path(folder, path):
    build_id = marked.build_id(path)
    where = folder / "d/.build-id" / build_id[:2] / f"{build_id[2:]}.debug"
    where.parent.mkdir(parents=True, exist_ok=True)
    return where


def check_debug_file(make, reason, text, prefix=None):
    """`make` puts something where the debug file by build-id should be."""
    folder = fresh()
    path, debug = stripped(folder)
    where = debug_path(folder, path)
    make(where, debug)
    use = prefix(folder) if prefix else ()
    entry = of_file(path, f"--debug-dir={folder}/d", prefix=use)
    assert entry["lines"] is None and entry["names"]["section"] == ".dynsym"
    found = tried(entry, where)
    assert found == (reason, text.format(id=marked.build_id(path))), found


def test_nothing_is_missing():
    folder = fresh()
    path = marked.build(folder / "prog", "the_mark")
    entry = of_file(path)
    assert entry["build_id"] == marked.build_id(path)
    assert entry["unwinding"] == {"section": ".eh_frame", "file": path}
    assert entry["names"] == {"section": ".symtab", "file": path}
    assert entry["lines"] == {"section": ".debug_line", "file": path}
    assert entry["tried"] == [] and entry["advice"] == []


def test_debug_file_gives_names_and_lines():
    folder = fresh()
    path, debug = stripped(folder)
    where = debug_path(folder, path)
    shutil.copy(debug, where)
    entry = of_file(path, f"--debug-dir={folder}/d")
    assert entry["names"] == {"section": ".symtab", "file": str(where)}
    assert entry["lines"] == {"section": ".debug_line", "file": str(where)}
    assert entry["tried"] == [], "what did not matter is not told"


def test_absent():
    check_debug_file(lambda where, debug: None, "absent", "does not exist")


def test_no_permission():
    def make(where, debug):
        shutil.copy(debug, where)
        os.chmod(where, 0)

    check_debug_file(make, "forbidden", "no permission", marked.as_nobody)


def test_other_error():
    check_debug_file(
        lambda where, debug: os.symlink(where, where),
        "system",
        "Too many levels of symbolic links",
    )


def test_not_regular():
    check_debug_file(lambda where, debug: os.mkfifo(where), "not_regular", "not a regular file")


def test_not_elf():
    check_debug_file(lambda where, debug: where.write_text("x" * 99), "not_elf", "not an ELF file")


def test_other_build_id():
    def make(where, debug):
        shutil.copy("/bin/true", where)

    other = marked.build_id("/bin/true")
    text = f"build-id is {other} and should be {{id}}"
    check_debug_file(make, "other_build_id", text)


def test_no_build_id_in_the_debug_file():
    def make(where, debug):
        marked.shell(f"objcopy -R .note.gnu.build-id {debug} {where}")

    check_debug_file(make, "no_build_id", "has no build-id, should be {id}")


def test_checksum():
    folder = fresh()
    path, debug = stripped(folder, *marked.NO_BUILD_ID)
    marked.shell(f"objcopy --add-gnu-debuglink={debug} {path}")
    right = zlib.crc32(debug.read_bytes())
    (folder / "prog.debug").write_bytes(debug.read_bytes() + b"x")
    wrong = zlib.crc32((folder / "prog.debug").read_bytes())
    entry = of_file(path)
    assert tried(entry, folder / "prog.debug") == (
        "other_crc",
        f"CRC differs: is {wrong:08x} and should be {right:08x}",
    )
    assert tried(entry, folder / ".debug/prog.debug") == ("absent", "does not exist")
    assert tried(entry, f"/usr/lib/debug{folder}/prog.debug") == ("absent", "does not exist")


def test_link_to_itself():
    folder = fresh()
    path, debug = stripped(folder)
    marked.shell(f"cd {folder} && cp {debug} prog.d && objcopy --add-gnu-debuglink=prog.d prog x")
    os.rename(folder / "x", folder / "prog.d")
    entry = of_file(folder / "prog.d")
    assert tried(entry, folder / "prog.d") == ("same_file", "the module itself")


def test_nothing_to_search_by():
    folder = fresh()
    path, _ = stripped(folder, *marked.NO_BUILD_ID)
    entry = of_file(path)
    assert "build_id" not in entry and entry["tried"] == []
    assert any("neither build-id nor debug link" in line for line in entry["advice"]), entry


def test_debug_file_without_debug_information():
    folder = fresh()
    path = marked.build(folder / "prog", "the_mark", "-g0")
    where = debug_path(folder, path)
    marked.shell(f"objcopy --only-keep-debug {path} {where} && strip {path}")
    entry = of_file(path, f"--debug-dir={folder}/d")
    assert entry["names"] == {"section": ".symtab", "file": str(where)}
    assert entry["lines"] is None
    assert tried(entry, where, "contents") == ("no_debug_sections", "has no debug information")


def test_damaged_file():
    def make(where, debug):
        data = bytearray(debug.read_bytes())
        data[5] = 7  # EI_DATA: neither little-endian nor big-endian
        where.write_bytes(data)

    check_debug_file(make, "not_elf", "not an ELF file")


def test_strings_without_an_end_cost_only_themselves():
    folder = fresh()
    path = marked.build(folder / "prog", "the_mark", "-gdwarf-5")
    # What libdw would read beyond.
    marked.shell(f"printf xx >{folder}/s && objcopy --update-section .debug_str={folder}/s {path}")
    assert of_file(path)["lines"]["section"] == ".debug_line"


def damage_packed(path, magic, skipped=0):
    """Makes the packed .debug_info of the file start with what no packer writes."""
    data = bytearray(pathlib.Path(path).read_bytes())
    at = data.find(magic)
    assert at > 0
    data[at + skipped] ^= 0xFF
    pathlib.Path(path).write_bytes(data)


def test_damaged_zlib():
    folder = fresh()
    path = marked.build(folder / "prog", "the_mark")
    marked.shell(f"objcopy --compress-debug-sections=zlib {path}")
    # The header of ELF says zlib (type 1) and the alignment 1, then RFC 1950 starts.
    damage_packed(path, b"\x01\0\0\0\0\0\0\0x", skipped=8)
    entry = of_file(path)
    assert entry["lines"] is None
    reason, text = tried(entry, path, "contents")
    assert reason == "compression"
    assert text == "compressed sections cannot be read: zlib, and the packed data is damaged"


def test_zstd_is_read_or_explained():
    folder = fresh()
    path = marked.build(folder / "prog", "the_mark")
    done = subprocess.run(["objcopy", "--compress-debug-sections=zstd", path], check=False)
    if done.returncode:
        raise tap.Skip("objcopy cannot compress with zstd")
    entry = of_file(path)
    if entry["lines"] is None:
        reason, text = tried(entry, path, "contents")
        assert reason == "compression" and "zstd" in text, text


def test_damaged_zstd():
    folder = fresh()
    path = marked.build(folder / "prog", "the_mark")
    done = subprocess.run(["objcopy", "--compress-debug-sections=zstd", path], check=False)
    if done.returncode:
        raise tap.Skip("objcopy cannot compress with zstd")
    damage_packed(path, b"\x28\xb5\x2f\xfd")  # the magic number of RFC 8878
    entry = of_file(path)
    assert entry["lines"] is None
    reason, text = tried(entry, path, "contents")
    assert reason == "compression" and text.startswith("compressed sections cannot be read: zstd")


def test_damaged_mini_debug_info():
    folder = fresh()
    path, _ = stripped(folder)
    (folder / "mini").write_bytes(b"this is not xz")
    marked.shell(f"objcopy --add-section .gnu_debugdata={folder}/mini {path}")
    reason, _ = tried(of_file(path), ".gnu_debugdata", "mini_symbols")
    assert reason in ("damaged", "compression")


def with_alternate():
    requires.require(["command:dwz"])
    folder = fresh()
    path, debug = stripped(folder)
    _, other = stripped(fresh())
    where = debug_path(folder, path)
    shutil.copy(debug, where)
    shutil.copy(other, folder / "d/other.debug")
    marked.shell(f"cd {folder}/d && dwz -m common.debug -r {where} other.debug")
    return folder, path, where, folder / "d/common.debug"


def test_alternate_file_is_missing():
    folder, path, where, common = with_alternate()
    wanted = marked.build_id(common)
    entry = of_file(path, f"--debug-dir={folder}/d")
    assert entry["tried"] == [] and "limit" not in entry["names"], entry
    common.unlink()
    entry = of_file(path, f"--debug-dir={folder}/d")
    assert entry["lines"]["file"] == str(where), "lines stay"
    assert "alternate file" in entry["names"]["limit"]
    relative = where.parent / os.path.relpath(common, where.parent)
    assert tried(entry, relative, "alternate_file") == ("absent", "does not exist")
    by_id = f"{folder}/d/.build-id/{wanted[:2]}/{wanted[2:]}.debug"
    assert tried(entry, by_id, "alternate_file") == ("absent", "does not exist")


def test_alternate_file_is_another():
    folder, path, where, common = with_alternate()
    wanted, other = marked.build_id(common), marked.build_id("/bin/true")
    shutil.copy("/bin/true", common)
    entry = of_file(path, f"--debug-dir={folder}/d")
    relative = where.parent / os.path.relpath(common, where.parent)
    assert tried(entry, relative, "alternate_file") == (
        "other_build_id",
        f"build-id is {other} and should be {wanted}",
    )


def report_of_run(command, *options, prefix=(), before_step=lambda: None, steps=1, **more):
    """The JSON report at the end of a run with -k."""
    # The report goes where the trace goes.
    run = marked.Run(command, [*AS_JSON, *options], prefix=prefix, **more)
    run.ready()
    before_step()
    for _ in range(steps):
        run.step()
    run.finish()
    events = [json.loads(line) for line in run.text.splitlines()]
    return {event["module"]: event for event in events if event["kind"] == "module"}, events


def test_frames_that_it_cost():
    folder = fresh()
    path, _ = stripped(folder)
    modules, events = report_of_run([path], "--no-cache", steps=3)
    frames = [
        frame
        for event in events
        for frame in event.get("stack", [])
        if frame.get("module") == str(path)
    ]
    assert len(frames) >= 9, "three frames of the program in each of three stacks"
    entry = modules[str(path)]
    assert entry["frames"] == len(frames)
    assert entry["frames_without_name"] == sum("function" not in frame for frame in frames)
    assert entry["frames_without_line"] == len(frames)


def test_text_counts_frames_that_are_alike():
    folder = fresh()
    path, _ = stripped(folder)
    run = marked.Run([path], ["--explain-symbols=prog"])
    run.ready()
    for _ in range(5):
        run.step()
    stacks = run.finish()
    shown = sum(frame.path == str(path) for stack in stacks for frame in stack)
    unnamed = sum(
        frame.path == str(path) and not frame.function for stack in stacks for frame in stack
    )
    line = f"  frames    {shown} shown, {unnamed} without a name, {shown} without a line"
    assert line in run.stderr.splitlines(), run.stderr
    modules = [line for line in run.stderr.splitlines() if line.startswith("/")]
    assert modules == [str(path)], "only the module that was asked for"


def test_file_is_another_one():
    """A library that was replaced, for a user who may not open what is mapped."""
    folder = fresh()
    prefix = marked.as_nobody(folder)
    (folder / "lib.c").write_text(LIBRARY)
    (folder / "main.c").write_text(MAIN)
    marked.shell(
        f"cd {folder} && gcc -shared -fPIC -O1 -o libm.so lib.c && gcc -o prog main.c ./libm.so"
    )
    library = folder / "libm.so"
    old, new = marked.build_id(library), marked.build_id("/bin/true")

    def replace():
        library.unlink()
        shutil.copy("/bin/true", library)

    modules, _ = report_of_run([folder / "prog"], prefix=prefix, before_step=replace, cwd=folder)
    entry = modules[str(library)]
    assert entry["from_memory"] is True
    assert entry["unwinding"]["section"] == ".eh_frame", "the rules are in memory"
    by_reason = {one["reason"]: one for one in entry["tried"] if one["for"] == "file"}
    assert "/map_files/" in by_reason["forbidden"]["path"]
    assert by_reason["forbidden"]["text"] == (
        "no permission: needs CAP_SYS_ADMIN or CAP_CHECKPOINT_RESTORE"
    )
    assert by_reason["other_build_id"]["text"] == f"build-id is {new} and should be {old}"


LIBRARY = """
#include <sys/syscall.h>
#include <unistd.h>
long ask(void);
long ask(void) { return syscall(SYS_getpriority, 0, 0) + 1; }
"""
MAIN = """
#include <unistd.h>
long ask(void);
int main(void)
{
	char byte = 'r';
	if (write(1, &byte, 1) != 1)
		return 1;
	while (read(0, &byte, 1) == 1) {
		ask();
		if (write(1, &byte, 1) != 1)
			return 1;
	}
	return 0;
}
"""


def last_lines(path, *options, terminal=True):
    """What is said of frames at the end on standard error: a terminal, or a file."""
    master, slave = os.openpty()
    with tempfile.TemporaryFile() as file:
        done = subprocess.run(
            [*tracing.tracer(), "-k", "-e", "trace=getpriority", "--no-cache", "-o", "/dev/null",
             *options, "--", str(path)],
            input=b"x", stdout=subprocess.PIPE, stderr=slave if terminal else file, check=False,
            timeout=tracing.PATIENCE,
        )  # fmt: skip
        os.close(slave)
        file.seek(0)
        said = file.read()
    assert done.returncode != tracing.SANITIZER_STATUS, done
    # A terminal that nobody has open any more ends in EIO, not in an end of file.
    try:
        while terminal and (part := os.read(master, 4096)):
            said += part
    except OSError:
        pass
    os.close(master)
    return [line for line in said.decode().splitlines() if "frames" in line]


def test_one_line_at_the_end():
    folder = fresh()
    path, _ = stripped(folder)
    (line,) = last_lines(path)
    assert ": of " in line and str(path) in line, line
    assert line.endswith("--explain-symbols tells why"), line
    assert last_lines(path, terminal=False) == [], "a script would compare it"
    assert last_lines(path, "-q") == []
    assert last_lines(path, "-qq") == []
    assert last_lines(path, "--quiet=symbols") == []


def test_no_line_where_nothing_is_missing():
    libc = "/lib/x86_64-linux-gnu/libc.so.6"
    requires.require([f"debug:{libc}"])
    folder = fresh()
    path = marked.build(folder / "prog", "the_mark")
    # _start of the program has no line, but its module has lines.
    assert last_lines(path) == []


def test_no_object_where_nobody_asked():
    folder = fresh()
    path, _ = stripped(folder)
    done = subprocess.run(
        [*tracing.tracer(), "-k", "--format=json", "-e", "trace=getpriority", "--", str(path)],
        input="x", capture_output=True, text=True, check=False, timeout=tracing.PATIENCE,
    )  # fmt: skip
    events = [json.loads(line) for line in done.stderr.splitlines()]
    assert events and not [event for event in events if event["kind"] == "note"], events


def test_on_signal():
    folder = fresh()
    path, _ = stripped(folder)
    run = marked.Run([path], AS_JSON)
    run.ready()
    run.step()
    run.process.send_signal(signal.SIGUSR1)
    tracing.wait_until(lambda: '"kind":"module"' in run.so_far(), "the report comes")
    run.step()
    run.finish()
    reports = [
        event
        for event in map(json.loads, run.text.splitlines())
        if event["kind"] == "module" and event["module"] == str(path)
    ]
    assert len(reports) == 2
    assert reports[1]["frames"] == 2 * reports[0]["frames"] > 0


def test_running_process():
    folder = fresh()
    path, _ = stripped(folder)
    program = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        program.stdout.read(1)
        os.rename(path, folder / "moved")
        modules = explain(["-p", program.pid])
        text = explain(["-p", program.pid], text=True)
    finally:
        program.kill()
        program.wait()
    # Maps show the file under its new name.
    assert modules[str(folder / "moved")]["names"]["section"] == ".dynsym"
    assert "/usr/lib/x86_64-linux-gnu/libc.so.6" in modules
    assert "[vdso]" in modules and "ld-linux" in " ".join(modules)
    assert f"{folder}/moved\n  build-id  " in text
    assert "  names     .dynsym (only functions that other modules may call)\n" in text
    assert "  lines     none\n  its debug file, tried:\n    /usr/lib/debug/.build-id/" in text


def test_process_of_another_user():
    folder = fresh()
    nobody = marked.as_nobody(folder)
    done = subprocess.run(
        [*nobody, *tracing.tracer(), "--explain-symbols", "-p", str(os.getpid())],
        capture_output=True, text=True, check=False, timeout=tracing.PATIENCE,
    )  # fmt: skip
    assert done.returncode != 0
    assert "CAP_SYS_PTRACE" in done.stderr, done.stderr


def test_no_such_file():
    done = subprocess.run(
        [*tracing.tracer(), "--explain-symbols", "/nowhere/x", "/bin/true", "/etc/passwd"],
        capture_output=True, text=True, check=False, timeout=tracing.PATIENCE,
    )  # fmt: skip
    assert done.returncode != 0
    assert "/nowhere/x: No such file or directory" in done.stderr
    assert "/etc/passwd: not an ELF file" in done.stderr
    assert done.stdout.startswith(os.path.realpath("/bin/true") + "\n"), "the others are told"


def test_three_hundred_modules():
    requires.require(["command:gcc"])
    folder = fresh()
    (folder / "lib.c").write_text("int NAME(void);\nint NAME(void) { return 1; }\n")
    script = "\n".join(
        f"gcc -g -O1 -shared -fPIC -DNAME=f{i} -o l{i}.so lib.c &\n[ $(({i} % 8)) = 7 ] && wait"
        for i in range(300)
    )
    marked.shell(f"cd {folder}\n{script}\nwait")
    (folder / "load.c").write_text(
        "#include <dlfcn.h>\n#include <stdio.h>\n#include <unistd.h>\nint main(void) {\n"
        "for (int i = 0; i < 300; i++) { char n[20]; snprintf(n, 20, \"./l%d.so\", i);\n"
        "if (!dlopen(n, RTLD_NOW)) return 1; }\n"
        'puts("r"); fflush(stdout); pause(); return 0; }\n'
    )
    marked.shell(f"cd {folder} && gcc -o load load.c")
    program = subprocess.Popen(["./load"], cwd=folder, stdout=subprocess.PIPE)
    try:
        assert program.stdout.read(1) == b"r"
        modules = explain(["-p", program.pid])
    finally:
        program.kill()
        program.wait()
    for i in range(300):
        entry = modules[f"{folder}/l{i}.so"]
        assert entry["names"]["section"] == ".symtab" and entry["lines"], entry


def test_package_of_a_system_file():
    requires.require(["file:/var/lib/dpkg/info/coreutils.list"])
    entry = of_file("/usr/bin/sort")
    if entry["lines"]:
        raise tap.Skip("coreutils-dbgsym is installed")
    assert entry["advice"][0].startswith("apt-get install coreutils-dbgsym"), entry["advice"]


def check_package_in_a_jail(prefix):
    # A name of the kernel's from outside is in no list of that system's packages.
    requires.require(["root", "command:chroot", "command:gcc"])
    folder = fresh()
    path = marked.build(folder / "prog", "the_mark", "-static", "-s")
    root = folder / "root"
    for name, text in (
        ("etc/os-release", "ID=debian\n"),
        ("var/lib/dpkg/info/jailed.list", "/.\n/opt\n/opt/prog\n"),
        ("var/lib/dpkg/status", "Package: jailed\nStatus: install ok installed\n"
                                "Architecture: amd64\nVersion: 1.0\n\n"),
    ):  # fmt: skip
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    (root / "opt").mkdir()
    os.rename(path, root / "opt/prog")
    done = subprocess.run(
        [*tracing.tracer(), "-f", "-k", "-e", "trace=write", "-o", folder / "trace",
         "--explain-symbols", *prefix, "chroot", root, "/opt/prog"],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
        timeout=tracing.PATIENCE,
    )  # fmt: skip
    text = done.stdout + done.stderr + (folder / "trace").read_text()
    assert "apt-get install jailed-dbgsym" in text, text


def test_package_of_a_file_in_a_chroot():
    check_package_in_a_jail([])


def test_package_of_a_file_in_a_chroot_of_another_namespace():
    check_package_in_a_jail(namespaces.own_mounts())


tap.run(globals())
