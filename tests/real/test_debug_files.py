# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Which debug file? Each place where one may be, and each way to write one."""

import os
import pathlib
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

FOLDER = tempfile.TemporaryDirectory(prefix="tracer-debug-")
COUNTER = [0]


def fresh():
    COUNTER[0] += 1
    path = pathlib.Path(FOLDER.name) / str(COUNTER[0])
    path.mkdir()
    return path


def stack_of(command, *options, **more):
    run = marked.Run(command, options, **more)
    run.ready()
    run.step()
    (stack,) = run.finish()
    return stack


def place(stack, function="the_mark"):
    """(source file, line) of the frame of this function; None without the frame."""
    for frame in stack:
        if frame.function == function:
            return frame.file and os.path.basename(frame.file), frame.line and int(frame.line)
    return None


def line_of_call(mark="the_mark"):
    text = marked.SOURCE.splitlines()
    return f"prog.{mark}.c", next(i for i, line in enumerate(text, 1) if "SYS_getpriority" in line)


def stripped(folder, *options):
    """(program without symbols, its debug file); the debug file is where nobody looks."""
    path = marked.build(folder / "prog", "the_mark", *options)
    (folder / "away").mkdir()
    debug = folder / "away" / "prog.debug"
    marked.shell(f"objcopy --only-keep-debug {path} {debug} && objcopy --strip-all {path}")
    assert place(stack_of([path])) is None, "it should have no names without its debug file"
    return pathlib.Path(path), debug


def by_build_id(path):
    build_id = marked.build_id(path)
    return f".build-id/{build_id[:2]}/{build_id[2:]}.debug"


def put(debug, where):
    where.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(debug, where)


def test_debug_dir_by_build_id():
    folder = fresh()
    path, debug = stripped(folder)
    put(debug, folder / "d2" / by_build_id(path))
    options = [f"--debug-dir={folder}/d1", f"--debug-dir={folder}/d2"]
    assert place(stack_of([path], *options)) == line_of_call()


def test_sysroot():
    folder = fresh()
    path, debug = stripped(folder)
    put(debug, folder / "sys/usr/lib/debug" / by_build_id(path))
    assert place(stack_of([path], f"--sysroot={folder}/sys")) == line_of_call()


def test_root_of_the_process_first():
    requires.require(["root", "command:chroot"])
    folder = fresh()
    path, debug = stripped(folder)
    put(debug, folder / "root/usr/lib/debug" / by_build_id(path))
    marked.shell(
        f"cd {folder}/root && cp {path} prog && for f in $(ldd prog | grep -o '/[^ )]*'); do"
        " mkdir -p .$(dirname $f); cp -L $f .$f; done"
    )
    assert place(stack_of(["chroot", folder / "root", "/prog"])) == line_of_call()


def jailed(*options):
    """A folder with jail/usr/bin/prog, which runs in a chroot to root and has a debug link."""
    folder = fresh()
    path, debug = stripped(folder, *options)
    marked.shell(
        f"mkdir -p {folder}/jail/usr/bin && cd {folder}/jail"
        f" && objcopy --add-gnu-debuglink={debug} {path} usr/bin/prog"
        " && for f in $(ldd usr/bin/prog | grep -o '/[^ )]*'); do"
        " mkdir -p .$(dirname $f); cp -L $f .$f; done"
    )
    return folder, debug


def check_link_in_a_jail(where, prefix):
    folder, debug = jailed(*marked.NO_BUILD_ID)
    put(debug, folder / where)
    assert place(stack_of([*prefix, "chroot", folder / "jail", "/usr/bin/prog"])) == line_of_call()


def test_debug_link_in_a_chroot():
    requires.require(["root", "command:chroot"])
    for where in ("usr/bin", "usr/bin/.debug", "usr/lib/debug/usr/bin"):
        check_link_in_a_jail(f"jail/{where}/prog.debug", [])


def test_debug_link_in_a_chroot_of_another_namespace():
    # There the kernel names files from a root that neither we nor the program have.
    requires.require(["command:chroot"])
    prefix = namespaces.own_mounts()
    for where in ("usr/bin", "usr/bin/.debug", "usr/lib/debug/usr/bin"):
        check_link_in_a_jail(f"jail/{where}/prog.debug", prefix)


def linked(where, *options):
    """A stripped program with a debug link; its debug file is put at `where`."""
    folder = fresh()
    path, debug = stripped(folder, *options)
    marked.shell(f"objcopy --add-gnu-debuglink={debug} {path}")
    put(debug, folder / where.format(folder=str(folder).lstrip("/")))
    return folder, path


def test_debug_link_beside_the_file():
    for options in [(), marked.NO_BUILD_ID]:
        _, path = linked("prog.debug", *options)
        assert place(stack_of([path])) == line_of_call()


def test_debug_link_in_debug():
    for options in [(), marked.NO_BUILD_ID]:
        _, path = linked(".debug/prog.debug", *options)
        assert place(stack_of([path])) == line_of_call()


def test_debug_link_in_a_debug_dir_by_the_real_path():
    folder, path = linked("d/{folder}/prog.debug", *marked.NO_BUILD_ID)
    os.symlink(folder, folder / "link")
    assert place(stack_of([folder / "link/prog"], f"--debug-dir={folder}/d")) == line_of_call()


def test_checksum_does_not_count_with_a_build_id():
    folder, path = linked("prog.debug")
    with open(folder / "prog.debug", "ab") as debug:
        debug.write(b"x")
    assert place(stack_of([path])) == line_of_call()


def test_wrong_checksum_is_refused_without_a_build_id():
    folder, path = linked("prog.debug", *marked.NO_BUILD_ID)
    with open(folder / "prog.debug", "ab") as debug:
        debug.write(b"x")
    assert place(stack_of([path])) is None


def test_debug_link_to_the_program_itself_is_skipped():
    folder = fresh()
    path, debug = stripped(folder)
    # The name of the link is that of the program.
    marked.shell(f"cd {folder} && cp {debug} prog.d && objcopy --add-gnu-debuglink=prog.d prog x")
    os.rename(folder / "x", folder / "prog.d")
    put(debug, folder / ".debug/prog.d")
    assert place(stack_of([folder / "prog.d"])) == line_of_call()


def test_cache_of_debuginfod():
    folder = fresh()
    path, debug = stripped(folder)
    put(debug, folder / "cache" / marked.build_id(path) / "debuginfo")
    environment = dict(os.environ, DEBUGINFOD_CACHE_PATH=str(folder / "cache"))
    environment.pop("DEBUGINFOD_URLS", None)
    assert place(stack_of([path], env=environment)) == line_of_call()


def test_mini_debug_info_and_dynamic_symbols():
    requires.require(["command:xz"])
    folder = fresh()
    path = marked.build(folder / "prog", "the_mark", "-rdynamic")
    # As GDB's manual does it: only what .dynsym has not.
    marked.shell(
        f"cd {folder} && nm -D prog --format=posix --defined-only | awk '{{print $1}}' | sort >dyn"
        " && nm prog --format=posix --defined-only | awk '$2 ~ /[Tt]/ {print $1}' | sort >all"
        " && comm -13 dyn all >keep && sed -i /the_mark/d keep && echo _init >>keep"
        " && objcopy --only-keep-debug prog d && objcopy -S --remove-section .comment"
        " --keep-symbols=keep d mini && xz mini && objcopy --strip-all prog"
        " && objcopy --add-section .gnu_debugdata=mini.xz prog"
    )
    stack = stack_of([path])
    # One is from .dynsym, _start is exported as well; the other is local.
    assert place(stack) == (None, None), "the name without a line"
    assert place(stack, "main") == (None, None)


def check_compression(kind):
    for version in (2, 3, 4, 5):
        folder = fresh()
        path = marked.build(folder / "prog", "the_mark", f"-gdwarf-{version}")
        done = subprocess.run(
            ["objcopy", f"--compress-debug-sections={kind}", path],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode:
            raise tap.Skip(f"objcopy cannot compress with {kind}")
        sections = marked.shell(f"readelf -SW {path}")
        compressed = ".zdebug_info" if kind == "zlib-gnu" else " C "
        assert compressed in sections, "nothing was compressed"
        assert place(stack_of([path])) == line_of_call(), f"{kind}, DWARF {version}"


def test_zlib():
    check_compression("zlib")


def test_zdebug():
    check_compression("zlib-gnu")


def test_zstd():
    version = subprocess.run(
        [*tracing.tracer(), "--version"], capture_output=True, text=True, check=True
    ).stdout
    if "libzstd" not in version:
        raise tap.Skip("built without libzstd")
    check_compression("zstd")


def with_alternate(*names):
    """A stripped program with a debug file by build-id that shares strings with another."""
    requires.require(["command:dwz"])
    folder = fresh()
    path, debug = stripped(folder)
    other = fresh()
    _, other_debug = stripped(other)
    where = folder / "d" / by_build_id(path)
    put(debug, where)
    put(other_debug, folder / "d" / "other.debug")
    common = folder / "d" / ".dwz" / "common.debug"
    common.parent.mkdir()
    marked.shell(f"cd {folder}/d && dwz -m {common} -r {where} other.debug")
    assert "debugaltlink" in marked.shell(f"readelf -SW {where}")
    return folder, path, common


def test_alternate_file_by_relative_path():
    folder, path, _ = with_alternate()
    assert place(stack_of([path], f"--debug-dir={folder}/d")) == line_of_call()


def test_alternate_file_by_build_id():
    folder, path, common = with_alternate()
    put(common, folder / "d" / by_build_id(common))
    common.unlink()
    assert place(stack_of([path], f"--debug-dir={folder}/d")) == line_of_call()


def test_without_alternate_file_lines_stay():
    folder, path, common = with_alternate()
    common.unlink()
    assert place(stack_of([path], f"--debug-dir={folder}/d")) == line_of_call()


def check_package(program, command, functions):
    """Frames of a real program, whose debug file is from a package, have names and lines."""
    requires.require([f"file:{program}", f"debug:{program}"])
    _, lines = tracing.run(["-k", "-e", "trace=openat,newfstatat,exit_group"], command)
    frames = [
        marked.Frame(line)
        for line in lines
        if line.startswith(" > ") and not line.startswith(" > end:")
    ]
    ours = [frame for frame in frames if frame.path == os.path.realpath(program)]
    assert ours, "no frames"
    named = [frame for frame in ours if frame.function]
    assert len(named) == len(ours), "frames without names"
    # What is written in assembler may have no lines.
    without = {frame.function for frame in ours if not frame.line} - {"_start"}
    assert not without, f"frames without lines: {without}"
    missing = set(functions) - {frame.function for frame in ours}
    assert not missing, missing


def test_libc():
    check_package("/lib/x86_64-linux-gnu/libc.so.6", ["ls", "/"], ["__libc_start_main_impl"])


def test_dynamic_linker():
    check_package("/lib64/ld-linux-x86-64.so.2", ["true"], ["dl_main", "_dl_start"])


def test_python():
    check_package("/usr/bin/python3.11", ["/usr/bin/python3.11", "-Sc", "0"], ["Py_BytesMain"])


def test_libbfd_with_an_alternate_file():
    objdump = ["objdump", "-h", "/bin/true"]
    check_package("/usr/bin/objdump", objdump, ["main", "display_file"])


tap.run(globals())
