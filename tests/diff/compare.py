# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Compares two normalized traces and takes out the differences that are known and reasoned."""

import difflib
import re

CHILD = re.compile(r"si_pid=\S+")


class Known:
    """A reasoned difference: which lines of strace stand where which of ours do."""

    def __init__(self, record):
        self.id = record.one("ID")
        self.reason = record.one("REASON")
        self.scenarios = record.words("SCENARIOS")
        self.strace = [re.compile(text) for text in record.all("STRACE")]
        self.tracer = [re.compile(text) for text in record.all("TRACER")]
        self.used = 0

    def explains(self, scenario, theirs, ours):
        """Whether this hunk is what the record describes, line by line."""
        if self.scenarios and scenario not in self.scenarios:
            return False
        if len(theirs) != len(self.strace) or len(ours) != len(self.tracer):
            return False
        pairs = list(zip(self.strace + self.tracer, theirs + ours))
        return all(pattern.fullmatch(line) for pattern, line in pairs)


def hunks(theirs, ours):
    """(their lines, our lines) of each place where two lists differ."""
    start = 0
    end = min(len(theirs), len(ours))
    while start < end and theirs[start] == ours[start]:
        start += 1
    tail = 0
    while tail < end - start and theirs[-1 - tail] == ours[-1 - tail]:
        tail += 1
    left = theirs[start : len(theirs) - tail]
    right = ours[start : len(ours) - tail]
    if not left and not right:
        return
    matcher = difflib.SequenceMatcher(None, left, right, autojunk=False)
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "replace" and b - a == d - c:
            # Lines that changed one to one are judged one by one.
            yield from (([left[a + i]], [right[c + i]]) for i in range(b - a))
        elif kind != "equal":
            yield left[a:b], right[c:d]


def unexplained(scenario, theirs, ours, known):
    """Texts of the differences between two traces that no record explains."""
    problems = []
    for name in sorted(theirs.keys() | ours.keys()):
        if name not in ours:
            problems.append(f"task {name}: only strace shows it ({len(theirs[name])} lines)")
            continue
        if name not in theirs:
            problems.append(f"task {name}: only tracer shows it ({len(ours[name])} lines)")
            continue
        for left, right in hunks(theirs[name], ours[name]):
            record = next((one for one in known if one.explains(scenario, left, right)), None)
            if record:
                record.used += 1
                continue
            lines = [f"task {name}"] + [f"- {line}" for line in left]
            problems.append("\n".join(lines + [f"+ {line}" for line in right]))
    return problems


def without_races(lines):
    """Without what only the scheduler knows.

    That is whether a futex call is made, what a poll finds, for which of several children a
    SIGCHLD comes, and behind which call: its result is what rt_sigreturn brings back.
    """
    kept = set()
    for line in lines:
        if line.startswith(("poll(", "rt_sigreturn(")):
            line = line.rpartition(" = ")[0]
        elif line.startswith("--- SIGCHLD "):
            line = CHILD.sub("CHILD", line)
        if not line.startswith("futex("):
            kept.add(line)
    return kept


def never_seen(references, ours):
    """Problems that the order of concurrent tasks cannot explain.

    Of strace's runs `references`, every line that all have must be in ours, somewhere in the
    same task; and every line of ours must be in one of them.
    """
    problems = []
    for name in sorted(set(ours).union(*references)):
        runs = [without_races(reference.get(name, [])) for reference in references]
        mine = without_races(ours.get(name, []))
        missing = set.intersection(*runs) - mine
        extra = mine - set.union(*runs)
        problems += [f"task {name}\n- {line}" for line in sorted(missing)]
        problems += [f"task {name}\n+ {line}" for line in sorted(extra)]
    return problems
