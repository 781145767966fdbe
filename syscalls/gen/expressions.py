# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Part of pass 3: expressions. Constants are computed here, the rest is left to the decoder."""

from dataclasses import dataclass, field, replace

import model
import syntax as s
from errors import DescError

_OPS = {
    "+": "ADD",
    "-": "SUB",
    "*": "MUL",
    "/": "DIV",
    "&": "AND",
    "|": "OR",
    "<<": "SHIFT_LEFT",
    ">>": "SHIFT_RIGHT",
    "==": "EQUAL",
    "!=": "NOT_EQUAL",
    "<": "LESS",
    "<=": "LESS_EQUAL",
    "&&": "BOTH",
    "||": "EITHER",
}
_COMPUTE = {
    "ADD": lambda a, b: a + b,
    "SUB": lambda a, b: a - b,
    "MUL": lambda a, b: a * b,
    "DIV": lambda a, b: a // b if b else 0,
    "AND": lambda a, b: a & b,
    "OR": lambda a, b: a | b,
    "SHIFT_LEFT": lambda a, b: a << b if b < 64 else 0,
    "SHIFT_RIGHT": lambda a, b: a >> b if b < 64 else 0,
    "EQUAL": lambda a, b: a == b,
    "NOT_EQUAL": lambda a, b: a != b,
    "LESS": lambda a, b: a < b,
    "LESS_EQUAL": lambda a, b: a <= b,
    "BOTH": lambda a, b: bool(a and b),
    "EITHER": lambda a, b: bool(a or b),
    "MIN": min,
    "MAX": max,
}


@dataclass
class Scope:
    """What names mean where an expression stands."""

    args: dict = field(default_factory=dict)
    members: dict = field(default_factory=dict)
    params: dict = field(default_factory=dict)
    # Of arguments and members: their types as written.
    types: dict = field(default_factory=dict)
    # Parameters of an alias: already resolved by whoever used it.
    bound: dict = field(default_factory=dict)
    # Whether `ret` means something.
    ret: bool = False
    # Whether types here are those of registers.
    by_value: bool = False
    # Whether they are in an attribute, which says how long they are.
    in_attribute: bool = False

    def in_memory(self):
        """The same names, for what stands behind a pointer."""
        return replace(self, by_value=False)


class Expressions:
    def __init__(self, pool, constants, types):
        self.pool = pool
        self.constants = constants
        self.types = types
        # Names looked up in the constants files.
        self.used = set()
        # Constants that sets define: their expressions.
        self.defined = {}

    def make(self, node, scope):
        """The model.Expr of the tree @node."""
        if isinstance(node, s.Number):
            return self._constant((node.value & model.MASK,) * len(model.ABIS), str(node.value))
        if isinstance(node, s.Name):
            return self._name(node, scope)
        if isinstance(node, s.Target):
            if node.name not in scope.args:
                raise DescError(node.pos, f"unknown argument {node.name}")
            return self.pool.expr(
                "ARG_TARGET", index=scope.args[node.name], text=f"*{node.name}", symbol=node.name
            )
        if isinstance(node, s.Word):
            return self._word(node, scope)
        if isinstance(node, s.Dotted):
            return self._dotted(node, scope)
        if isinstance(node, s.Function):
            return self._function(node, scope)
        if isinstance(node, s.Unary):
            return self._unary(node, scope)
        if isinstance(node, s.Binary):
            left, right = self.make(node.left, scope), self.make(node.right, scope)
            op = node.op
            if op in (">", ">="):
                left, right, op = right, left, op.replace(">", "<")
            return self._binary(_OPS[op], left, right, op)
        raise DescError(node.pos, "expected an expression")

    def define(self, entry):
        """A line of a set that gives its value."""
        other = self.defined.setdefault(entry.name, entry.value)
        if other is not entry.value and self.constant(other) != self.constant(entry.value):
            raise DescError(entry.pos, f"second value of {entry.name}")

    def constant(self, node):
        """The values per ABI of a constant expression; None where an ABI lacks it."""
        made = self.make(node, Scope())
        if made.constant is None:
            raise DescError(node.pos, f"{made.text} is not a constant")
        return made.constant

    def _constant(self, pair, text):
        return self.pool.expr("CONSTANT", constant=pair, text=text)

    def _name(self, node, scope):
        name = node.name
        if name in scope.bound:
            bound = scope.bound[name]
            if isinstance(bound, model.Type):
                raise DescError(node.pos, f"{name} is a type")
            return bound
        if name in scope.members:
            return self.pool.expr("MEMBER", index=scope.members[name], text=name, symbol=name)
        if name in scope.params:
            return self.pool.expr("PARAM", index=scope.params[name], text=name)
        if name in scope.args:
            return self.pool.expr("ARG", index=scope.args[name], text=name, symbol=name)
        if name == "ret" and scope.ret:
            return self.pool.expr("RET", text=name)
        if name in ("done", "room"):
            return self.pool.expr(name.upper(), text=name)
        if name in self.defined:
            return self._constant(self.constant(self.defined[name]), name)
        self.used.add(name)
        if name not in self.constants:
            raise DescError(node.pos, f"unknown constant {name}")
        return self._constant(self.constants[name], name)

    def _word(self, node, scope):
        if node.name not in scope.args:
            raise DescError(node.pos, f"unknown argument {node.name}")
        return self.pool.expr(
            "ARG_WORD",
            index=scope.args[node.name],
            left=self._constant((node.index,) * len(model.ABIS), str(node.index)),
            text=f"{node.name}[{node.index}]",
        )

    def _dotted(self, node, scope):
        """Where the first name is found, the rest is in the struct that is there."""
        first, *rest = node.names
        index = scope.members.get(first, scope.args.get(first))
        if index is None or first not in scope.types:
            raise DescError(node.pos, f"unknown struct {first}")
        kind = self.types.type(scope.types[first], scope.in_memory())
        is_arg = first not in scope.members
        if is_arg:
            kind = _pointed_to(kind)
        inner = self.types.members_scope(kind, node.pos)
        last = s.Name(node.pos, rest[0]) if len(rest) == 1 else s.Dotted(node.pos, tuple(rest))
        if rest[0] not in inner.members:
            raise DescError(node.pos, f"{kind.name} has no member {rest[0]}")
        op = "ARG_PATH" if is_arg else "PATH"
        text = ".".join(node.names)
        return self.pool.expr(op, index=index, left=self.make(last, inner), text=text)

    def _function(self, node, scope):
        if node.name == "sizeof":
            made = self.types.type(node.args[0], scope)
            if not made.size or 0 in made.size:
                raise DescError(node.pos, f"{made.name} has no fixed size")
            return self._constant(made.size, f"sizeof({made.name})")
        left, right = (self.make(arg, scope) for arg in node.args)
        return self._binary(node.name.upper(), left, right, node.name)

    def _unary(self, node, scope):
        operand = self.make(node.operand, scope)
        if node.op == "-":
            zero = self._constant(model.NOTHING, "0")
            made = self._binary("SUB", zero, operand, "-")
            return made
        if node.op == "~":
            if operand.constant is None:
                raise DescError(node.pos, "~ needs a constant")
            pair = tuple(None if v is None else ~v & model.MASK for v in operand.constant)
            return self._constant(pair, f"~{operand.text}")
        if operand.constant is not None:
            return self._constant(tuple(int(not v) for v in operand.constant), f"!{operand.text}")
        return self.pool.expr("NOT", left=operand, text=f"!{operand.text}")

    def _binary(self, op, left, right, shown):
        if shown in ("min", "max"):
            text = f"{shown}({left.text}, {right.text})"
        else:
            text = f"{_bracket(left)} {shown} {_bracket(right)}"
        if left.constant is not None and right.constant is not None:
            pair = tuple(
                None if None in (a, b) else int(_COMPUTE[op](a, b)) & model.MASK
                for a, b in zip(left.constant, right.constant)
            )
            return self._constant(pair, text)
        return self.pool.expr(op, left=left, right=right, text=text)


def _pointed_to(kind):
    """What an argument points to; of a select, the first that points to a struct."""
    if kind.kind == "SELECT":
        kinds = [case[-1] for case in kind.cases] + [kind.otherwise]
        pointers = [each for each in kinds if each and each.kind == "POINTER"]
        kind = pointers[0] if pointers else kind
    return kind.target if kind.kind == "POINTER" else kind


def _bracket(expr):
    return f"({expr.text})" if " " in expr.text and "(" != expr.text[-1] else expr.text
