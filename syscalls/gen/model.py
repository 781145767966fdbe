# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""What resolve makes and emit writes: the tables, with equal parts shared.

A tuple of values is always one per ABI, in the order of parse.ABIS.
"""

from dataclasses import dataclass, field
from typing import Optional

from errors import Pos
from parse import ABIS

MASK = (1 << 64) - 1
NOTHING = (0,) * len(ABIS)
ONE = (1,) * len(ABIS)


@dataclass(eq=False)
class Expr:
    op: str
    index: int = 0
    constant: Optional[tuple] = None
    left: Optional["Expr"] = None
    right: Optional["Expr"] = None
    text: str = ""
    # Of the argument or member; for checks.
    symbol: str = ""


@dataclass(eq=False)
class Type:
    kind: str
    name: str
    pos: Pos
    size: tuple = NOTHING
    align: tuple = ONE
    radix: str = "SIGNED"
    role: str = "NONE"
    is_signed: bool = False
    big_endian: bool = False
    set: Optional["ConstSet"] = None
    direction: str = "IN"
    target: Optional["Type"] = None
    length: Optional[Expr] = None
    dirfd_arg: int = -1
    dirfd: Optional[Expr] = None
    # How a path is looked up, when not zero.
    nofollow: Optional[Expr] = None
    rooted: Optional[Expr] = None
    # A path: index of the one it is relative to the directory of.
    beside_arg: int = -1
    # A path that is executed.
    program: bool = False
    hex_only: bool = False
    until_nul: bool = False
    # In the order of the tables: shown ones, then hidden ones.
    members: tuple = ()
    # As laid out, padding included.
    all_members: tuple = ()
    given_size: Optional[Expr] = None
    selector: Optional[Expr] = None
    # (pair of values, condition or None, Type)
    cases: tuple = ()
    otherwise: Optional["Type"] = None
    arguments: tuple = ()
    format: str = ""
    hook: str = ""
    # Of a struct: the declaration; whether a member of it is there before the call anyway.
    struct: object = None
    directed: bool = False

    @property
    def is_scalar(self):
        return self.kind in ("NUMBER", "SET")


@dataclass(eq=False)
class Member:
    pos: Pos
    name: str
    type: Type
    bits: int = 0
    condition: Optional[Expr] = None
    words: frozenset = frozenset()
    c_name: Optional[str] = None
    offset: tuple = NOTHING
    shift: int = 0


@dataclass(eq=False)
class Argument:
    pos: Pos
    name: str
    type: Type
    condition: Optional[Expr]
    named: bool
    # Explicit register.
    register: Optional[int]
    swapped: bool = False
    reg: tuple = NOTHING
    two_regs: tuple = (False,) * len(ABIS)


@dataclass(eq=False)
class Signature:
    pos: Pos
    # Shown and hidden (named "_") ones.
    all_args: tuple
    ret: Optional[Type]
    note: Optional[Type]
    note_label: Optional[str]
    selector: Optional[Expr] = None
    # (pair of values, condition or None, Signature)
    cases: tuple = ()
    # What varies by another selector where no case holds.
    fallback: Optional["Signature"] = None
    # Registers used, per ABI.
    registers: tuple = NOTHING

    @property
    def args(self):
        return tuple(arg for arg in self.all_args if arg.name != "_")


@dataclass(frozen=True)
class Part:
    """Bits of a set of flags that are a set of their own, or a number."""

    mask: int
    # None: a number, shown as `radix` (mode, dec, hex) says.
    set: object
    radix: Optional[str]
    # What the number is shifted by, and how that is written.
    shift: int
    shift_name: Optional[str]
    after: bool


@dataclass(eq=False)
class ConstSet:
    pos: Pos
    name: str
    kind: str
    unknown: Optional[str]
    # Per ABI: list of (value, name, pos)
    constants: tuple = ((),) * len(ABIS)
    # Of type Part
    parts: list = field(default_factory=list)


@dataclass(eq=False)
class Desc:
    pos: Pos
    name: str
    facts: tuple
    signature: Signature
    # (name, operands); an operand is the pair of its registers, or None for the result
    effects: tuple = ()


@dataclass(frozen=True)
class Within:
    """How a call is made through another one, see numbers/i386.sub."""

    outer: int
    number: int
    any_version: bool
    places: list
    result: int


@dataclass
class Row:
    number: int
    name: str
    arg_count: int
    classes: tuple
    desc: Optional[Desc] = None
    # Of the description, to choose between two.
    abis: Optional[tuple] = None
    # Can be made through another call.
    within: tuple = ()
    # Only so: the kernel has no number for it, we made one up.
    hidden: bool = False


class Pool:
    """Makes equal expressions and types the same object."""

    def __init__(self):
        self.exprs = {}
        self.types = {}

    def expr(self, op, **fields):
        made = Expr(op, **fields)
        key = (op, made.index, made.constant, made.left, made.right, made.text)
        return self.exprs.setdefault(key, made)

    def type(self, kind, name, pos, **fields):
        key = (kind, name, tuple(sorted(fields.items(), key=lambda item: item[0])))
        if key not in self.types:
            self.types[key] = Type(kind, name, pos, **fields)
        return self.types[key]
