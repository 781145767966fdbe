# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Which file is mapped? Whatever stands at its path, names come from the file that runs."""

import os
import pathlib
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

FOLDER = tempfile.TemporaryDirectory(prefix="tracer-identity-")
os.chmod(FOLDER.name, 0o755)
COUNTER = [0]


def fresh():
    """A new folder for one test."""
    COUNTER[0] += 1
    path = pathlib.Path(FOLDER.name) / str(COUNTER[0])
    path.mkdir()
    return path


def expect(stack, mark, path=None, has_line=True):
    assert marked.marks(stack) == [mark], marked.marks(stack)
    frame = next(frame for frame in stack if frame.function == mark)
    assert not path or frame.path == str(path), frame.path
    assert not has_line or frame.line, "no source line"
    assert any(frame.function == "main" for frame in stack)


def in_namespace(script):
    return [*namespaces.own_mounts(), "sh", "-c", script]


def check_namespace(*options):
    folder = fresh()
    ours = marked.build(folder / "prog", "ours_mark", *options)
    theirs = marked.build(folder / "theirs", "theirs_mark", *options)
    run = marked.Run(in_namespace(f"mount --bind {theirs} {ours} && exec {ours}"))
    run.ready()
    run.step()
    (stack,) = run.finish()
    expect(stack, "theirs_mark", namespaces.name_there(ours))


def test_another_file_at_the_same_path_in_a_mount_namespace():
    check_namespace()


def test_another_file_at_the_same_path_without_build_id():
    check_namespace(*marked.NO_BUILD_ID)


def test_two_namespaces_with_different_files_at_one_path_in_one_run():
    unshare = " ".join(namespaces.own_mounts())
    folder = fresh()
    for options in [(), marked.NO_BUILD_ID]:
        path = marked.build(folder / "prog", "ours_mark", *options)
        one = marked.build(folder / "one", "one_mark", *options)
        two = marked.build(folder / "two", "two_mark", *options)
        script = "; ".join(
            f"{unshare} sh -c 'mount --bind {other} {path} && exec {path} once'"
            for other in (one, two)
        )
        # The third in our own namespace.
        script += f"; {path} once"
        done = marked.Run(["sh", "-c", script])
        for _ in range(3):
            done.ready()
            done.step()
        stacks = done.finish()
        assert [marked.marks(stack) for stack in stacks] == [
            ["one_mark"],
            ["two_mark"],
            ["ours_mark"],
        ], [marked.marks(stack) for stack in stacks]
        names = [namespaces.name_there(path), namespaces.name_there(path), str(path)]
        assert all(name in marked.paths(stack) for name, stack in zip(names, stacks))


def make_root(folder, program):
    """A root directory with the program at /prog and the libraries it needs."""
    root = folder / "root"
    root.mkdir()
    marked.shell(
        f"cp {program} {root}/prog; for f in $(ldd {program} | grep -o '/[^ )]*'); do"
        f" mkdir -p {root}$(dirname $f); cp -L $f {root}$f; done"
    )
    return root


def test_chroot():
    requires.require(["root", "command:chroot"])
    folder = fresh()
    root = make_root(folder, marked.build(folder / "inside", "inside_mark"))
    run = marked.Run(["chroot", str(root), "/prog"])
    run.ready()
    run.step()
    (stack,) = run.finish()
    # The kernel shows the path as we see it from outside the root.
    expect(stack, "inside_mark", root / "prog")


def check_gone(change, mark="old_mark", options=()):
    """The file changes before a first call, and again in the middle of the run."""
    folder = fresh()
    path = marked.build(folder / "prog", "old_mark", *options)
    marked.build(folder / "new", "new_mark", *options)
    run = marked.Run([path])
    run.ready()
    change(folder, path)
    run.step()
    run.step()
    stacks = run.finish()
    assert len(stacks) == 2
    for stack in stacks:
        expect(stack, mark, path)


def test_deleted_before_the_first_call():
    check_gone(lambda folder, path: os.unlink(path))


def test_deleted_before_the_first_call_without_build_id():
    check_gone(lambda folder, path: os.unlink(path), options=marked.NO_BUILD_ID)


def test_replaced_by_rename():
    check_gone(lambda folder, path: os.rename(folder / "new", path))


def test_replaced_by_rename_without_build_id():
    check_gone(lambda folder, path: os.rename(folder / "new", path), options=marked.NO_BUILD_ID)


def put_decoy(folder, path):
    os.unlink(path)
    os.rename(folder / "new", path + " (deleted)")


def test_decoy_called_deleted():
    check_gone(put_decoy)


def test_decoy_called_deleted_without_build_id():
    check_gone(put_decoy, options=marked.NO_BUILD_ID)


def test_upgraded_in_the_middle_and_run_again():
    """As a package upgrade does: the old program goes on, new processes run the new file."""
    folder = fresh()
    path = marked.build(folder / "prog", "old_mark")
    marked.build(folder / "new", "new_mark")
    run = marked.Run(["sh", "-c", f"{path} once; {path}"])
    run.ready()
    os.rename(folder / "new", path)
    run.step()
    run.ready()
    run.step()
    stacks = run.finish()
    assert [marked.marks(stack) for stack in stacks] == [["old_mark"], ["new_mark"]]


def test_replaced_between_two_calls_of_one_process():
    folder = fresh()
    path = marked.build(folder / "prog", "old_mark")
    marked.build(folder / "new", "new_mark")
    run = marked.Run([path])
    run.ready()
    run.step()
    os.rename(folder / "new", path)
    run.step()
    for stack in run.finish():
        expect(stack, "old_mark", path)


def test_program_whose_name_ends_in_deleted():
    folder = fresh()
    path = marked.build(folder / "prog (deleted)", "odd_mark")
    run = marked.Run([path])
    run.ready()
    run.step()
    (stack,) = run.finish()
    expect(stack, "odd_mark", path)


MEMFD = """
import os, sys
fd = os.memfd_create("inmemory")
os.write(fd, open(sys.argv[1], "rb").read())
os.execve(fd, ["x"], {})
"""


def test_memfd():
    folder = fresh()
    path = marked.build(folder / "prog", "memfd_mark")
    run = marked.Run(["/usr/bin/python3", "-c", MEMFD, path])
    run.ready()
    run.step()
    (stack,) = run.finish()
    expect(stack, "memfd_mark", "/memfd:inmemory")


def test_memfd_as_nobody():
    """Without CAP_SYS_ADMIN map_files is closed; /proc/PID/exe is not."""
    folder = fresh()
    path = marked.build(folder / "prog", "memfd_mark")
    run = marked.Run(["/usr/bin/python3", "-c", MEMFD, path], prefix=marked.as_nobody(folder))
    run.ready()
    run.step()
    (stack,) = run.finish()
    expect(stack, "memfd_mark", "/memfd:inmemory")


def test_deleted_as_nobody():
    folder = fresh()
    path = marked.build(folder / "prog", "old_mark")
    run = marked.Run([path], prefix=marked.as_nobody(folder))
    run.ready()
    os.unlink(path)
    run.step()
    (stack,) = run.finish()
    expect(stack, "old_mark", path)


def test_started_through_the_dynamic_linker():
    marked.needs_mapped()
    folder = fresh()
    path = marked.build(folder / "prog", "linked_mark")
    linker = marked.shell(f"readelf -l {path}").partition("interpreter: ")[2].partition("]")[0]
    run = marked.Run([linker, path])
    run.ready()
    os.rename(marked.build(folder / "new", "new_mark"), path)
    run.step()
    (stack,) = run.finish()
    expect(stack, "linked_mark", path)


def check_overlay(*options):
    folder = fresh()
    (folder / "lower").mkdir()
    (folder / "merged").mkdir()
    marked.build(folder / "lower" / "prog", "lower_mark", *options)
    mount = (
        f"cd {folder} && mkdir t && mount -t tmpfs none t && mkdir t/u t/w && mount -t overlay"
        f" overlay -o lowerdir=lower,upperdir=t/u,workdir=t/w merged"
    )
    tried = subprocess.run(in_namespace(mount), capture_output=True, check=False)
    if tried.returncode:
        raise tap.Skip("overlayfs cannot be mounted here")
    marked.shell(f"rmdir {folder}/t")
    run = marked.Run(in_namespace(f"{mount} && exec {folder}/merged/prog"))
    run.ready()
    run.step()
    (stack,) = run.finish()
    expect(stack, "lower_mark", namespaces.name_there(folder / "merged" / "prog"))


def test_overlayfs():
    check_overlay()


def test_overlayfs_without_build_id():
    check_overlay(*marked.NO_BUILD_ID)


def library_replaced(options="", prefix=None):
    """The stack of a program whose library was replaced after it was mapped."""
    folder = fresh()
    (folder / "lib.c").write_text(
        "#include <unistd.h>\n#include <sys/syscall.h>\nlong ask(void);\n"
        "__attribute__((noinline)) static long MARK(void)\n"
        "{ return syscall(SYS_getpriority, 0, 0) + 1; }\n"
        "long ask(void) { return MARK() + 1; }\n"
    )
    source = marked.SOURCE.partition("__attribute__")[0] + "long ask(void);\n"
    source += marked.SOURCE.partition("}\n")[2].replace("MARK", "ask")
    (folder / "main.c").write_text(source)
    marked.shell(
        f"cd {folder} && gcc -g -O1 -fPIC -shared {options} -DMARK=old_mark -o libm.so lib.c"
        f" && gcc -g -O1 -fPIC -shared {options} -DMARK=new_mark -o new.so lib.c"
        " && gcc -g -o prog main.c ./libm.so"
    )
    run = marked.Run(["./prog"], cwd=folder, prefix=prefix(folder) if prefix else ())
    run.ready()
    os.rename(folder / "new.so", folder / "libm.so")
    run.step()
    (stack,) = run.finish()
    assert folder / "libm.so" in map(pathlib.Path, marked.paths(stack))
    assert "main" in [frame.function for frame in stack], "the walk is whole anyway"
    return stack


def test_library_replaced_while_it_is_mapped():
    marked.needs_mapped()
    expect(library_replaced(), "old_mark")


def test_library_replaced_as_nobody_gets_no_wrong_names():
    """The old file cannot be had without privilege; the new one is another one."""
    assert marked.marks(library_replaced(prefix=marked.as_nobody)) == []


def test_library_without_build_id_replaced_as_nobody_gets_no_wrong_names():
    stack = library_replaced(marked.NO_BUILD_ID[0], marked.as_nobody)
    assert marked.marks(stack) == []


tap.run(globals())
