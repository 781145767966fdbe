# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Part of pass 3: the types of the language itself."""

from dataclasses import replace

import layout
import model
import syntax as s
from errors import DescError


def _of_size(size):
    return (size,) * len(layout.WORD)


# name: (size per ABI, signed, big-endian)
_NUMBERS = {
    "int": (_of_size(4), True, False),
    "uint": (_of_size(4), False, False),
    "long": (layout.WORD, True, False),
    "ulong": (layout.WORD, False, False),
    "klong": (layout.KERNEL_WORD, True, False),
    "kulong": (layout.KERNEL_WORD, False, False),
    **{f"i{bits}": (_of_size(bits // 8), True, False) for bits in (8, 16, 32, 64)},
    **{f"u{bits}": (_of_size(bits // 8), False, False) for bits in (8, 16, 32, 64)},
    **{f"be{bits}": (_of_size(bits // 8), False, True) for bits in (16, 32, 64)},
}
# name: (number it is made of without [T], radix)
_RADIXES = {
    "hex": ("ulong", "HEX"),
    "hexpad": ("ulong", "HEX_PADDED"),
    "dec": ("long", None),
    "mode": ("u16", "MODE"),
    "ptr": ("ulong", "ADDRESS"),
}
# name: number it is made of without [T]
_ROLES = {
    "fd": "int",
    "dirfd": "int",
    "tgid": "int",
    "tid": "int",
    "pgid": "int",
    "sid": "int",
    "pid_or_group": "int",
    "uid": "uint",
    "gid": "uint",
}
_SEQUENCES = ("array", "list", "path", "program", "string", "bytes", "hexbytes", "chars")
_ITEMS = ("each", "messages")
# What a number says about the one in [ ].
_SPANS = ("region", "fds")
# Ways to show a type: name: (fewest expressions after it, most).
_FORMATS = {
    "at": (1, 1),
    "comment": (0, 0),
    "date": (0, 1),
    "dev": (0, 0),
    "duration": (1, 1),
    "explained": (0, 0),
    "halves": (2, 2),
    "htons": (0, 0),
    "inet": (0, 0),
    "inet6_group": (0, 0),
    "mac": (1, 1),
    "macro": (0, 0),
    "multiple": (1, 1),
    "scaled": (1, 1),
    "termios_cc": (0, 0),
    "ticks": (0, 0),
}
_ALL = (_NUMBERS, _RADIXES, _ROLES, _SEQUENCES, _ITEMS, _SPANS, _FORMATS)


class BuiltinTypes:
    def __init__(self, resolver):
        self.resolver = resolver

    @staticmethod
    def has(name):
        return any(name in each for each in _ALL)

    @staticmethod
    def set_radix(base):
        """How a number without a name is shown: in hex, unless the description says otherwise."""
        if base.name.startswith("dec"):
            return base.radix
        return base.radix if base.radix in ("HEX_PADDED", "MODE") else "HEX"

    def make(self, node, args, scope):
        name = node.name
        if name in _NUMBERS:
            self._count(node, args, 0)
            size, signed, big_endian = _NUMBERS[name]
            return self._number(
                name,
                node.pos,
                size=size,
                align=layout.number_align(size),
                is_signed=signed,
                big_endian=big_endian,
                radix="SIGNED" if signed else "UNSIGNED",
            )
        if name in _RADIXES:
            default, radix = _RADIXES[name]
            base = self._base(node, args, default, scope)
            radix = radix or ("SIGNED" if base.is_signed else "UNSIGNED")
            return self._from(base, f"{name}[{base.name}]" if args else name, node.pos, radix=radix)
        if name in _ROLES:
            base = self._base(node, args, _ROLES[name], scope)
            role = name.upper()
            return self._from(base, f"{name}[{base.name}]" if args else name, node.pos, role=role)
        if name in _FORMATS:
            return self._format(node, args, scope)
        return getattr(self, f"_{name}")(node, args, scope)

    def _number(self, name, pos, **fields):
        return self.resolver.pool.type("NUMBER", name, pos, **fields)

    def _from(self, base, name, pos, **changes):
        fields = {
            "size": base.size,
            "align": base.align,
            "is_signed": base.is_signed,
            "big_endian": base.big_endian,
            "radix": base.radix,
            "role": base.role,
        }
        return self._number(name, pos, **{**fields, **changes})

    def _base(self, node, args, default, scope):
        if len(args) > 1:
            raise DescError(node.pos, f"{node.name} takes one type")
        base = self.resolver.type(args[0] if args else s.Named(node.pos, default), scope)
        if base.kind != "NUMBER":
            raise DescError(node.pos, f"{node.name} needs a number, not {base.name}")
        return base

    def _count(self, node, args, count):
        if len(args) != count:
            raise DescError(node.pos, f"{node.name} takes {count} arguments, not {len(args)}")

    def _format(self, node, args, scope):
        least, most = _FORMATS[node.name]
        if len(args) != most + 1 and not least < len(args) <= most:
            self._count(node, args, most + 1)
        base = self.resolver.type(args[0], scope)
        exprs = tuple(self.resolver.exprs.make(arg, scope) for arg in args[1:])
        shown = ", ".join([base.name] + [expr.text for expr in exprs])
        return self.resolver.pool.type(
            "FORMAT",
            f"{node.name}[{shown}]",
            node.pos,
            target=base,
            arguments=exprs,
            format=node.name.upper(),
            size=base.size,
            align=base.align,
            is_signed=base.is_signed,
        )

    # Sequences

    def _text(self, kind, node, length, fixed, **fields):
        name = f"{node.name}[{length.text}]" if length else node.name
        size = length.constant if fixed and length.constant else model.NOTHING
        return self.resolver.pool.type(kind, name, node.pos, length=length, size=size, **fields)

    def _length(self, node, args, scope):
        self._count(node, args, 1)
        return self.resolver.exprs.make(args[0], scope)

    def _string(self, node, args, scope):
        length = self._length(node, args, scope) if args else None
        return self._text("STRING", node, length, fixed=False)

    def _bytes(self, node, args, scope):
        return self._text("BYTES", node, self._length(node, args, scope), fixed=True)

    def _hexbytes(self, node, args, scope):
        length = self._length(node, args, scope)
        return self._text("BYTES", node, length, fixed=True, hex_only=True)

    def _chars(self, node, args, scope):
        length = self._length(node, args, scope)
        return self._text("BYTES", node, length, fixed=True, until_nul=True)

    def _path(self, node, args, scope, **fields):
        dirfd = -1
        name = node.name
        if args:
            expr = self._length(node, args, scope)
            if expr.op == "MEMBER":
                fields["dirfd"] = expr
            elif expr.op == "ARG":
                dirfd = expr.index
            else:
                raise DescError(node.pos, f"{name}[…] needs the argument that is its dirfd")
            name = f"{name}[{expr.text}]"
        for way in ("nofollow", "rooted"):
            condition = getattr(node, way, None)
            if condition:
                fields[way] = self.resolver.exprs.make(condition, scope)
        beside = getattr(node, "beside", None)
        if beside:
            if beside.name not in scope.args:
                raise DescError(beside.pos, f"unknown argument {beside.name}")
            fields["beside_arg"] = scope.args[beside.name]
        return self.resolver.pool.type(
            "STRING", name, node.pos, role="PATH", dirfd_arg=dirfd, **fields
        )

    def _program(self, node, args, scope):
        return self._path(node, args, scope, program=True)

    # Spans

    def _region(self, node, args, scope):
        return self._span(node, args, scope, "ptr", "REGION")

    def _fds(self, node, args, scope):
        return self._span(node, args, scope, "uint", "FD_RANGE")

    def _span(self, node, args, scope, base, role):
        length = self._length(node, args, scope)
        made = self.resolver.type(s.Named(node.pos, base), scope)
        return self._from(made, f"{node.name}[{length.text}]", node.pos, role=role, length=length)

    def _array(self, node, args, scope):
        self._count(node, args, 2)
        element = self._element(node, args, scope)
        length = self.resolver.exprs.make(args[1], scope)
        return self.resolver.pool.type(
            "ARRAY",
            f"array[{element.name}, {length.text}]",
            node.pos,
            target=element,
            length=length,
            size=layout.array_size(element, length.constant),
            align=element.align,
        )

    def _list(self, node, args, scope):
        self._count(node, args, 1)
        element = self._element(node, args, scope)
        return self.resolver.pool.type(
            "LIST", f"list[{element.name}]", node.pos, target=element, align=element.align
        )

    def _each(self, node, args, scope):
        """Attributes that are numbered, all of one type."""
        self._count(node, args, 1)
        inner = replace(scope.in_memory(), in_attribute=True)
        element = self.resolver.type(args[0], inner)
        name = f"each[{element.name}]"
        return self.resolver.pool.type(
            "ATTRS", name, node.pos, otherwise=element, align=_of_size(4)
        )

    def _messages(self, node, args, _scope):
        self._count(node, args, 0)
        return self.resolver.pool.type("MESSAGES", "messages", node.pos, align=_of_size(4))

    def _element(self, node, args, scope):
        element = self.resolver.type(args[0], scope.in_memory())
        if element.size is None:
            raise DescError(node.pos, f"struct {element.name} contains itself")
        if 0 in element.size and element.kind != "HOOK":
            raise DescError(node.pos, f"{element.name} has no fixed size, it cannot be an element")
        return element
