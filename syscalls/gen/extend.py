# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Part of pass 3: `extend name { … }` adds to what another file declares.

A call gets variants, a named select gets cases, a set gets entries. Two cases for one
value are told apart by their conditions, or are an error that names both places.
"""

import dataclasses

import syntax as s


def apply(extensions, sets, aliases, calls, errors):
    """Puts the items of all @extensions into the declarations they name."""
    for each in extensions:
        if each.set_kind:
            found = _extend_set(each, sets, errors)
        else:
            found = _extend_alias(each, aliases, errors) or _extend_call(each, calls, errors)
        if not found:
            what = f"{each.set_kind} set" if each.set_kind else "call or select"
            errors.add(each.pos, f"no {what} {each.name} to extend")


def _extend_set(each, sets, errors):
    decl = sets.get(each.name)
    if decl and decl.kind != each.set_kind:
        errors.add(each.pos, f"{each.name} is a set of {decl.kind}")
    elif decl:
        decl.entries += each.items
    return decl


def _extend_alias(each, aliases, errors):
    found = [decl for decl in aliases.get(each.name, []) if set(decl.abis) & set(each.abis)]
    for decl in found:
        if isinstance(decl, (s.Attrs, s.Signatures)):
            wanted = "type" if isinstance(decl, s.Attrs) else "signature"
            cases, decl.otherwise = _sorted(each, decl.otherwise, wanted, errors)
            decl.cases += cases
            continue
        if not isinstance(decl.type, s.Select):
            errors.add(each.pos, f"{each.name} is not a select")
            continue
        cases, otherwise = _sorted(each, decl.type.otherwise, "type", errors)
        decl.type = dataclasses.replace(
            decl.type, cases=decl.type.cases + cases, otherwise=otherwise
        )
    return found


def _extend_call(each, calls, errors):
    found = [c for c in calls if each.name in c.names and set(c.abis) & set(each.abis)]
    for call in found:
        signature = call.signature
        if not signature.selector:
            errors.add(each.pos, f"{each.name} has no variants")
            continue
        cases, signature.otherwise = _sorted(each, signature.otherwise, "signature", errors)
        signature.cases += cases
    return found


def _sorted(each, otherwise, wanted, errors):
    """The cases of the extension, and what is behind else then."""
    cases = []
    for case in each.items:
        if wanted != ("signature" if isinstance(case.body, s.Signature) else "type"):
            errors.add(case.pos, f"expected a {wanted}")
        elif case.values is not None:
            cases.append(case)
        elif otherwise:
            errors.add(case.pos, "second else")
        else:
            otherwise = case.body
    return tuple(cases), otherwise


class Clashes:
    """Finds two cases that hold for the same value."""

    def __init__(self, errors):
        self.errors = errors
        # (ABI, value, condition): where
        self.seen = {}

    def add(self, pos, pair, condition):
        for abi, value in enumerate(pair):
            if value is None:
                continue
            first = self.seen.setdefault((abi, value, condition), pos)
            if first is not pos:
                self.errors.add(pos, f"two cases for {value:#x}, the first at {first}")
                return
