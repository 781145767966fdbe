# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Part of pass 3: a union is a struct whose members are all at its start.

Which one is shown says a condition for each: that the selector has one of its values.
"""

import dataclasses

import syntax as s


def members(decl):
    """The members of a struct or union as those of a struct."""
    if not decl.is_union:
        return decl.members
    if decl.selector is None:
        return tuple(_over(member, None) for member in decl.members)
    made = []
    for case in decl.members:
        values = case.values
        others = [v for c in decl.members if c.values is not None for v in c.values]
        chosen = _any_of(decl.selector, others if values is None else values)
        if values is None and chosen:
            chosen = s.Unary(case.pos, "!", chosen)
        made.append(_over(case.body, _both(_both(chosen, case.condition), case.body.condition)))
    return tuple(made)


def _over(member, condition):
    words = member.words | {"over"}
    return dataclasses.replace(member, words=words, condition=condition or member.condition)


def _any_of(selector, values):
    chosen = None
    for value in values:
        same = s.Binary(value.pos, "==", selector, value)
        chosen = s.Binary(value.pos, "||", chosen, same) if chosen else same
    return chosen


def _both(left, right):
    return s.Binary(right.pos, "&&", left, right) if left and right else left or right
