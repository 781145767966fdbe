# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Pass 4: what is well-formed but wrong: sets, selectors, times, registers."""

import model
from parse import ABIS

FACTS = (
    "never_fails",
    "changes_maps",
    "no_return",
    "exec",
    "changes_comm",
    "changes_root",
    "protects_maps",
    "block",
    "brings_fd",
    "hides_fds",
    "drops_fd",
    "moves_names",
    "numbers_rings",
    "variants_bring_fd",
    "makes_ring",
    "splits_fds",
    "done_anyway",
    "moves_bytes",
    "invites_fds",
    "filters_calls",
    "reads_data",
    "writes_data",
    "shares_memory",
)


# What can turn out to be a struct.
_FLAT = ("STRUCT", "APPLY", "FORMAT", "HOOK", "SELECT")


class Checker:
    def __init__(self, errors):
        self.errors = errors
        self.seen = set()

    def sets(self, sets):
        for each in sets:
            for constants in each.constants:
                self._unique(constants)

    def _unique(self, constants):
        names, values = {}, {}
        for value, name, pos in constants:
            if name in names:
                self.errors.add(pos, f"second {name}")
            elif value in values:
                self.errors.add(pos, f"{name} and {values[value]} are both {value:#x}")
            names[name] = values[value] = name

    def types(self, types):
        """Types by themselves; what their expressions refer to is checked where they are used."""
        for each in types:
            if each.kind == "SET":
                self._fits(each)
            elif each.kind == "STRUCT":
                self._members(each)

    def _fits(self, kind):
        for abi, _ in enumerate(ABIS):
            bits = kind.size[abi] * 8
            for value, name, _ in kind.set.constants[abi]:
                low = value & ((1 << bits) - 1)
                negative = value >= 1 << 63
                whole = low | (model.MASK >> bits << bits) if negative else low
                if whole != value or (negative and not kind.is_signed and bits < 64):
                    self.errors.add(kind.pos, f"{name} ({value:#x}) does not fit in {kind.name}")
                    return

    def _members(self, struct):
        for member in struct.members:
            if "flatten" in member.words and member.type.kind not in _FLAT:
                self.errors.add(member.pos, "only a struct can be flattened")
            for expr in _exprs(member.type, member.condition, struct.given_size):
                if expr.op == "MEMBER":
                    self._is_number(struct.members, expr, member.pos)

    def _is_number(self, things, expr, pos):
        if expr.index < len(things) and not _number_like(things[expr.index].type):
            self.errors.add(pos, f"{expr.text} is not a number")

    def row(self, row, abi):
        """A call with the number of registers that its number table gives it."""
        if not row.desc:
            return
        in_block = "block" in (fact for _, fact in row.desc.facts)
        used = 1 if in_block else row.desc.signature.registers[abi]
        if used > row.arg_count:
            self.errors.add(
                row.desc.pos,
                f"{row.name} has {row.arg_count} arguments on {ABIS[abi]}, not {used}",
            )
        for pos, fact in row.desc.facts:
            if fact not in FACTS:
                self.errors.add(pos, f"unknown fact @{fact}")
        self._signature(row.desc.signature)

    def _signature(self, signature):
        if signature in self.seen:
            return
        self.seen.add(signature)
        args = signature.args
        for arg in args:
            for expr in _exprs(arg.type, arg.condition):
                self._argument_expr(args, arg, expr)
            self._time(arg.type, arg, entry=True)
            self._dirfd(args, arg)
        for *_, variant in signature.cases:
            self._signature(variant)

    def _argument_expr(self, args, arg, expr):
        if expr.op == "ARG":
            self._is_number(args, expr, arg.pos)
        elif expr.op == "ARG_TARGET":
            target = args[expr.index].type
            if target.kind != "POINTER" or not _number_like(target.target):
                self.errors.add(arg.pos, f"{expr.symbol} does not point to a number")

    def _time(self, kind, arg, entry):
        """`ret` in something that is read at entry."""
        if kind.kind == "POINTER" and kind.direction != "IN":
            return
        if kind.kind in ("STRING", "BYTES", "ARRAY", "BITS"):
            for top in (kind.length, *kind.arguments):
                if top and any(expr.op == "RET" for expr in _walk(top)):
                    self.errors.add(arg.pos, "ret is not known at entry")
        for child in _children(kind):
            if child.kind != "STRUCT":
                self._time(child, arg, entry)

    def _dirfd(self, args, arg):
        for kind in _tree(arg.type):
            if kind.dirfd_arg < 0:
                continue
            roles = [each.role for each in _tree(args[kind.dirfd_arg].type)]
            if "DIRFD" not in roles and "FD" not in roles:
                self.errors.add(arg.pos, f"{args[kind.dirfd_arg].name} is not a dirfd")


def _number_like(kind):
    return kind.is_scalar or kind.kind in ("FORMAT", "HOOK", "POINTER", "SELECT")


def _children(kind):
    children = [kind.target, kind.otherwise, *(case[-1] for case in kind.cases)]
    return [child for child in children if child]


def _tree(kind):
    """@kind and what it is made of, up to structs, which are contexts of their own."""
    found, todo = [], [kind]
    while todo:
        each = todo.pop()
        if each in found or each.kind == "STRUCT":
            continue
        found.append(each)
        todo += _children(each)
    return found


def _exprs(kind, *more):
    """Expressions that are evaluated where @kind stands."""
    tops = list(more)
    for each in _tree(kind):
        tops += [each.length, each.selector, *each.arguments]
        tops += [condition for _, condition, _ in each.cases]
        tops += [each.dirfd, each.nofollow, each.rooted]
    return [expr for top in tops if top for expr in _walk(top)]


def _walk(expr):
    yield expr
    if expr.op in ("PATH", "ARG_PATH"):
        # What is below is about another struct.
        return
    for child in (expr.left, expr.right):
        if child:
            yield from _walk(child)
