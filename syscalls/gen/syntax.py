# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""What parse makes: the tree of a description as it was written."""

from dataclasses import dataclass, field
from typing import Optional

from errors import Pos

# Expressions


@dataclass(frozen=True)
class Number:
    pos: Pos
    value: int


@dataclass(frozen=True)
class Name:
    pos: Pos
    name: str


@dataclass(frozen=True)
class Target:
    """`*name`"""

    pos: Pos
    name: str


@dataclass(frozen=True)
class Word:
    """`name[index]`"""

    pos: Pos
    name: str
    index: int


@dataclass(frozen=True)
class Dotted:
    """`a.b.c`: a member of a struct that a member is or an argument points to"""

    pos: Pos
    names: tuple


@dataclass(frozen=True)
class Function:
    """`min(a, b)`, `max(a, b)`, `sizeof(type)`"""

    pos: Pos
    name: str
    args: tuple


@dataclass(frozen=True)
class Unary:
    pos: Pos
    op: str
    operand: object


@dataclass(frozen=True)
class Binary:
    pos: Pos
    op: str
    left: object
    right: object


# Types


@dataclass(frozen=True)
class Named:
    """`name` or `name[args]`; an argument is a type or an expression."""

    pos: Pos
    name: str
    args: tuple = ()


@dataclass(frozen=True)
class Path:
    """`path` or `program`, and how its name is looked up: an expression each, or None."""

    pos: Pos
    name: str
    args: tuple = ()
    nofollow: object = None
    rooted: object = None
    # The path it is relative to the directory of.
    beside: object = None


@dataclass(frozen=True)
class Pointer:
    pos: Pos
    direction: str
    target: object


@dataclass(frozen=True)
class SetType:
    """`enum[set, T]`, `flags[set, T]`"""

    pos: Pos
    kind: str
    set: str
    base: object


@dataclass(frozen=True)
class Bits:
    pos: Pos
    set: str
    length: object


@dataclass(frozen=True)
class Select:
    """`select[e] { A, B if c: T; else V }`."""

    pos: Pos
    selector: object
    # Case each, of types.
    cases: tuple
    otherwise: object


@dataclass(frozen=True)
class Case:
    """`A, B if condition: body`; the body is a type, a Signature or a Member."""

    pos: Pos
    values: tuple
    condition: object
    body: object


@dataclass(frozen=True)
class Hook:
    """`hook[name: T, e, …]`"""

    pos: Pos
    name: str
    base: object
    args: tuple


# Declarations


@dataclass(frozen=True)
class Member:
    pos: Pos
    name: str
    type: object
    bits: Optional[int] = None
    condition: object = None
    # Words after the type: verbose, nonzero, flatten, over, in, out, inout.
    words: frozenset = frozenset()
    # What C calls it, for the layout check; "_" is not checked.
    c_name: Optional[str] = None


@dataclass(frozen=True)
class Argument:
    pos: Pos
    name: str
    type: object
    condition: object = None
    # Register, where it is not the next one.
    register: Optional[int] = None
    named: bool = False
    # Of two registers the first has the high half.
    swapped: bool = False


@dataclass
class Signature:
    pos: Pos
    args: tuple
    # None: as the signature it varies.
    ret: object = None
    note: object = None
    note_label: Optional[str] = None
    selector: object = None
    # Case each, of signatures.
    cases: tuple = ()
    # Named, of Signatures, instead of cases.
    shared: object = None
    otherwise: Optional["Signature"] = None


@dataclass(eq=False)
class Signatures:
    """`signatures name[params] { A: (…); else (…) }`: variants that calls share."""

    pos: Pos
    name: str
    params: tuple
    # Case each, of signatures.
    cases: tuple
    otherwise: Optional[Signature]
    abis: tuple


@dataclass
class Call:
    pos: Pos
    names: tuple
    signature: Signature
    abis: tuple
    # (pos, name) each
    facts: tuple
    # Facts about arguments: (pos, name, expressions) each
    effects: tuple = ()


@dataclass(eq=False)
class Struct:
    pos: Pos
    name: str
    params: tuple
    members: tuple
    abis: tuple
    packed: bool = False
    # Shown as a list of its members, what follows the headers of a message.
    parts: bool = False
    piecewise: bool = False
    # Members in the order they are shown, the others are not; None: all as they come.
    show: Optional["Show"] = None
    given_size: object = None
    # A union: the member is chosen by it, or (None) all are shown.
    is_union: bool = False
    selector: object = None
    # Header and C type to compare with.
    header: Optional[str] = None
    c_type: Optional[str] = None
    # Only the first members of it; the kernel (major, minor) whose headers have it first.
    is_part: bool = False
    since: Optional[tuple] = None


@dataclass(eq=False)
class Attrs:
    """`attrs name[params] of set { A: T; else V }`: attributes of netlink."""

    pos: Pos
    name: str
    params: tuple
    set: str
    # Case each, of types.
    cases: tuple
    otherwise: object
    abis: tuple


@dataclass(eq=False)
class Alias:
    pos: Pos
    name: str
    params: tuple
    type: object
    abis: tuple


@dataclass(frozen=True)
class Constant:
    """A line of a set; without a value, the constants file has it."""

    pos: Pos
    name: str
    value: object = None


@dataclass(frozen=True)
class Part:
    pos: Pos
    mask: object
    # A set, or a number as mode, dec, hex
    set: str
    # The constant that dec or hex is shifted by
    shift: Optional[str]
    after: bool


@dataclass(frozen=True)
class Include:
    """Constants of another set; shifted as `1<<NAME`, negative as `-NAME`."""

    pos: Pos
    set: str
    # include, shifted or negative
    how: str


@dataclass(eq=False)
class ConstSet:
    pos: Pos
    name: str
    # enum or flags
    kind: str
    unknown: Optional[str]
    entries: tuple


@dataclass(frozen=True)
class Extend:
    """`extend name { … }`: cases for a call or a named select, or entries for a set."""

    pos: Pos
    name: str
    # enum or flags, or None.
    set_kind: Optional[str]
    # Case each, or entries of a set.
    items: tuple
    abis: tuple


@dataclass(frozen=True)
class Show:
    pos: Pos
    names: tuple


@dataclass
class File:
    aliases: list = field(default_factory=list)
    structs: list = field(default_factory=list)
    attrs: list = field(default_factory=list)
    signatures: list = field(default_factory=list)
    sets: list = field(default_factory=list)
    calls: list = field(default_factory=list)
    extensions: list = field(default_factory=list)
