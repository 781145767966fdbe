# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Part of pass 3: which way the members of a struct go.

A member goes where the pointer to its struct goes, unless it has a word of its own: `in` is
there before the call, `out` after it, `inout` both times. A struct with such members that is
given as `out` is looked at before and after the call, as `in` is.
"""

import syntax as s

WORDS = frozenset(("in", "out", "inout"))


def is_directed(member):
    """Whether something of the model.Member is there before the call in any case."""
    return bool(member.words & {"in", "inout"}) or is_directed_type(member.type)


def is_directed_type(kind):
    if kind.kind in ("APPLY", "ARRAY"):
        return is_directed_type(kind.target)
    return kind.kind == "STRUCT" and kind.directed


def condition(node, words):
    """What must hold for a member to be shown; `out` means that the call has succeeded."""
    if "out" not in words:
        return node.condition
    done = s.Name(node.pos, "done")
    return s.Binary(node.pos, "&&", done, node.condition) if node.condition else done
