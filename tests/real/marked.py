# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Programs that differ only in the name of a function, run under the tracer step by step.

The function `MARK` calls getpriority(), which shells do not call, once for each byte on
standard input, so that a test can change the file system between two calls, and a wrong file
shows as a wrong name.
"""

import os
import pathlib
import re
import subprocess
import tempfile

import requires
import tap
import tracing

SOURCE = """
#include <sys/syscall.h>
#include <unistd.h>

__attribute__((noinline)) long MARK(void)
{
	return syscall(SYS_getpriority, 0, 0) + 1;
}

int main(int argc, char **argv)
{
	char byte = 'r';
	(void)argv;

	if (write(1, &byte, 1) != 1)
		return 1;
	while (read(0, &byte, 1) == 1) {
		MARK();
		if (write(1, &byte, 1) != 1)
			return 1;
		if (argc > 1)
			break;
	}
	return 0;
}
"""
NO_BUILD_ID = ["-Wl,--build-id=none"]
FRAME = re.compile(
    r"^ > (.*?)\((<?[\w ,:<>~*&.@-]*?>?)(?:\+0x[0-9a-f]+)?\) \[0x[0-9a-f]+\](?: (\S.*?):(\d+))?"
)


class Frame:
    def __init__(self, line):
        match = FRAME.match(line)
        assert match, f"not a frame: {line}"
        self.path, self.function, self.file, self.line = match.groups()


def shell(script, **more):
    done = subprocess.run(
        script, shell=True, capture_output=True, text=True, check=False, timeout=300, **more
    )
    assert done.returncode == 0, f"{script}\n{done.stdout}{done.stderr}"
    return done.stdout


def build(path, mark, *options):
    """The program with the function `mark`; returns its path as text."""
    requires.require(["command:gcc"])
    source = pathlib.Path(path).with_suffix(f".{mark}.c")
    source.write_text(SOURCE.replace("MARK", mark))
    subprocess.run(
        ["gcc", "-g", "-O1", "-o", path, source, *options], check=True, capture_output=True
    )
    return str(path)


class Run:
    """The tracer with a marked program; `step` lets the program make one more call."""

    def __init__(self, command, options=(), prefix=(), **more):
        self.folder = tempfile.TemporaryDirectory(prefix="tracer-real-")
        os.chmod(self.folder.name, 0o777)
        self.trace = os.path.join(self.folder.name, "trace")
        self.process = subprocess.Popen(
            [*prefix, *tracing.tracer(), "-f", "-k", "-e", "trace=getpriority", "--no-cache",
             "-e", "signal=none", "-o", self.trace, *options, "--", *command],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more,
        )  # fmt: skip

    def _expect(self, byte):
        got = self.process.stdout.read(1)
        if got != byte:
            raise AssertionError(self.process.stderr.read().decode(errors="replace"))

    def ready(self):
        """Waits until the program (the next one) runs."""
        self._expect(b"r")

    def step(self):
        self.process.stdin.write(b"x")
        self.process.stdin.flush()
        self._expect(b"x")

    def so_far(self):
        """What is written of the trace."""
        with open(self.trace, encoding="utf-8", errors="surrogateescape") as lines:
            return lines.read()

    def finish(self):
        """Ends the program; the stacks of its calls (not of JSON), each a list of frames."""
        _, self.stderr = self.process.communicate(timeout=tracing.PATIENCE)
        self.stderr = self.stderr.decode(errors="replace")
        assert self.process.returncode != tracing.SANITIZER_STATUS, self.stderr
        stacks = []
        self.text = self.so_far()
        self.folder.cleanup()
        for line in self.text.splitlines():
            if "getpriority(" in line and "resumed" not in line:
                stacks.append([])
            elif line.startswith(" > ") and not line.startswith(" > end:"):
                stacks[-1].append(Frame(line))
        return stacks


def marks(stack):
    """The names of the program's own function in a stack: one, if all is well."""
    return [frame.function for frame in stack if frame.function.endswith("_mark")]


def paths(stack):
    return [frame.path for frame in stack]


def needs_mapped():
    """For files that have no name any more."""
    first = os.path.join("/proc/self/map_files", min(os.listdir("/proc/self/map_files")))
    try:
        os.close(os.open(first, os.O_RDONLY))
    except OSError as error:
        raise tap.Skip(f"mapped files cannot be opened: {error}") from None


def as_nobody(folder):
    """A prefix that runs a command as a user who owns nothing but may use `folder`."""
    requires.require(["root", "command:setpriv"])
    os.chmod(folder, 0o755)
    nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    words = tracing.tracer()
    if subprocess.run([*nobody, "test", "-x", words[0]], check=False).returncode:
        raise tap.Skip(f"nobody may not run {words[0]}")
    return nobody


def build_id(path):
    """The build-id of a file as hex digits."""
    return shell(f"readelf -n {path}").partition("Build ID: ")[2].split()[0]
