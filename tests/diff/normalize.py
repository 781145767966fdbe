# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Turns two traces of the same program into texts that can be compared line by line.

Three things differ between runs and mean nothing: how the tasks interleave, which pids the
kernel chose, and values that depend on time or chance. Interleaving goes away by giving each
task its own list of whole calls; pids become names that say who created whom.
"""

import re

PREFIX = re.compile(r"(\d+) +(.*)")
UNFINISHED = re.compile(r" ?<unfinished \.\.\.>$")
RESUMED = re.compile(r"<\.\.\. \w+ resumed>")
CREATED = re.compile(r"(?:clone|clone3|fork|vfork)\(.* = (\d+)$")
OWN = re.compile(r"set_tid_address\(.* = (\d+)$")
NUMBER = re.compile(r"(?<![\w.])\d{2,}(?![\w.])")
PROC_PATH = re.compile(r"(/proc/)(\d+)")

# Values of time, chance and the kernel's mood, wherever they stand.
VOLATILE = [
    (re.compile(r"\b(tv_sec|tv_nsec|tv_usec|tms_\w+)=-?\d+"), r"\1=T"),
    (re.compile(r"\b(si_utime|si_stime)=\d+( /\* [\d.]+ s \*/)?"), r"\1=T"),
    (re.compile(r"/\* \d{4}-\d\d-\d\dT[\d:.+-]+ \*/"), "/* DATE */"),
    (re.compile(r"\b(st_ino|stx_ino|d_ino)=\d+"), r"\1=N"),
    (re.compile(r"\b(pipe|socket|anon_inode):\[\d+\]"), r"\1:[N]"),
    (re.compile(r"\b(st_[amc]time)=-?[\d.]+( /\* [^*]* \*/)?"), r"\1=T"),
    (re.compile(r"\b(st_[amc]time_nsec)=\d+"), r"\1=T"),
    (re.compile(r"\b(stx_[abcm]time)=\{[^}]*\}( /\* [^*]* \*/)?"), r"\1=T"),
    (re.compile(r"\b(f_bfree|f_bavail|f_ffree|uptime|procs)=[^,}]+"), r"\1=N"),
    (re.compile(r"\bloads=\[[^]]*\]"), "loads=N"),
    (re.compile(r"\b(totalram|freeram|sharedram|bufferram|freeswap)=\d+"), r"\1=N"),
    (re.compile(r"\b(ru_\w+)=(\{[^}]*\}|[^,}]+)"), r"\1=N"),
    # strace 6.1 shows the address of the area, we show what is in it.
    (re.compile(r"^rseq\((?:0x[0-9a-f]+|\{.*\}), (?:0x20|32),"), "rseq(AREA, 32,"),
    (re.compile(r'^getrandom\("[^"]*"'), 'getrandom("R"'),
    (re.compile(r"^(times|time)\((.*)\) += \d+"), r"\1(\2) = T"),
    (re.compile(r"^getppid\(\)( +)= \d+$"), r"getppid()\1= OUTSIDE"),
    # The pointer that the tracer's own child passed to exec.
    (re.compile(r"0x[0-9a-f]+ (/\* \d+ vars \*/)"), r"ENVP \1"),
    (re.compile(r"^(\w+\(.*\)) += "), r"\1 = "),
]  # fmt: skip


class Task:
    """The lines of one task, and its name: "1" is the first, "1.2" its second child."""

    def __init__(self):
        self.lines = []
        self.open = None
        self.name = None

    def add(self, text):
        """Joins the halves of a call that another task's line had come between."""
        if RESUMED.match(text) and self.open is not None:
            text = self.open + RESUMED.sub("", text, count=1)
            self.open = None
        if UNFINISHED.search(text):
            self.open = UNFINISHED.sub("", text)
        else:
            self.lines.append(text)

    def end(self):
        """A call that never came back stays as it is."""
        if self.open is not None:
            self.lines.append(self.open + " <unfinished ...>")
            self.open = None


def split_tasks(lines):
    """pid -> Task, in the order of their first lines."""
    tasks = {}
    for line in lines:
        match = PREFIX.fullmatch(line)
        pid, text = (match[1], match[2]) if match else ("0", line)
        task = tasks.setdefault(pid, Task())
        task.add(text)
        if text.startswith("+++ superseded by execve in pid "):
            # From here on the other thread's call goes on under this pid.
            other = tasks.get(text.split()[6])
            if other and other.open is not None:
                task.open, other.open = other.open, None
    for task in tasks.values():
        task.end()
    return tasks


def name_tasks(tasks):
    """Follows the results of fork-like calls from the first task on.

    Returns pid -> name, also of children that were not traced.
    """
    names = {}
    waiting = list(tasks.items())[:1]
    for _, task in waiting:
        task.name = "1"
    while waiting:
        _, task = waiting.pop()
        children = 0
        for line in task.lines:
            match = CREATED.match(line)
            if not match:
                continue
            children += 1
            child = tasks.get(match[1])
            if child and child.name is None:
                child.name = f"{task.name}.{children}"
                waiting.append((match[1], child))
            names[match[1]] = f"<{task.name}.{children}>"
    for position, (pid, task) in enumerate(tasks.items()):
        task.name = task.name or f"?{position}"
        # A trace of one task has no pids in front, but the task was told its own.
        own = [OWN.match(line) for line in task.lines if pid == "0" and OWN.match(line)]
        names[own[0][1] if own else pid] = f"<{task.name}>"
    return names


class Normalizer:
    """What to replace in one scenario beside what is replaced in all."""

    def __init__(self, replacements=(), addresses=False):
        self.replacements = list(replacements)
        if addresses:
            # Where address randomization cannot be switched off, or threads race for them.
            self.replacements.append((re.compile(r"0x[0-9a-f]{5,}"), "ADDR"))

    def line(self, text, names):
        text = NUMBER.sub(lambda match: names.get(match[0], match[0]), text)
        text = PROC_PATH.sub(lambda match: match[1] + names.get(match[2], match[2]), text)
        for pattern, replacement in VOLATILE + self.replacements:
            text = pattern.sub(replacement, text)
        return text

    def trace(self, lines):
        """Task name -> its lines, ready to be compared."""
        tasks = split_tasks(lines)
        names = name_tasks(tasks)
        return {
            task.name: [self.line(text, names) for text in task.lines] for task in tasks.values()
        }
