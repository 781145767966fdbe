# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Pass 5: where things are: sizes and offsets in memory, arguments in registers.

To add an ABI: a column in each of the tables here, its name in parse.ABIS.
"""

import model
from errors import DescError
from parse import ABIS

WORD = (8, 4, 4)
# Of the kernel's own long (__kernel_long_t), in structs and calls that an ABI shares with it.
KERNEL_WORD = (8, 4, 8)
# Bytes of a register.
REGISTER = (8, 4, 8)
# What the compiler aligns a number of 8 bytes to in a struct.
_ALIGN_OF_8 = (8, 4, 8)
REGISTERS = 6
_ALL = range(len(ABIS))


def number_align(size):
    return tuple(min(size[abi], _ALIGN_OF_8[abi]) if size[abi] == 8 else size[abi] for abi in _ALL)


def array_size(element, count):
    """@count is one per ABI, or None when only known at run time."""
    if count is None:
        return model.NOTHING
    return tuple(element.size[abi] * count[abi] for abi in _ALL)


def union_size(types):
    """Of a select: room for the largest; 0 if one is not known."""
    if any(0 in t.size for t in types):
        return model.NOTHING
    return tuple(max(t.size[abi] for t in types) for abi in _ALL)


def union_align(types):
    return tuple(max(t.align[abi] for t in types) for abi in _ALL)


def place_members(struct, members, packed, errors):
    """Sets size and align of the Type @struct and the offsets of @members, as the C ABI does."""
    size, align = [], []
    for abi in _ALL:
        end, most = _place(struct, members, packed, abi, errors)
        size.append(_align_up(end, most))
        align.append(most)
    struct.size, struct.align = tuple(size), tuple(align)


def _align_up(value, alignment):
    return (value + alignment - 1) // alignment * alignment


def _place(struct, members, packed, abi, errors):
    bit = 0
    most = 1
    open_tail = None
    before = 0
    for member in members:
        kind = member.type
        align = 1 if packed else kind.align[abi]
        width = kind.size[abi] * 8
        if open_tail:
            errors.add(member.pos, f"'{open_tail}' has no fixed size, nothing can follow it")
            break
        if member.bits:
            if member.bits > width:
                errors.add(member.pos, f"{member.bits} bits do not fit in {kind.name}")
            unit = align * 8
            if bit // width != (bit + member.bits - 1) // width:
                bit = _align_up(bit, unit)
            start = bit // width * width
            _set(member, abi, start // 8, bit - start)
            bit += member.bits
        else:
            start = before if "over" in member.words else _align_up(bit, align * 8)
            _set(member, abi, start // 8, 0)
            bit = max(bit, start + width)
            before = start
            if not width and "over" not in member.words and not _is_empty(kind):
                open_tail = member.name
        most = max(most, align)
    if not members:
        errors.add(struct.pos, f"struct {struct.name} has no members")
    return (bit + 7) // 8, most


def _is_empty(kind):
    """An array of no elements: it stands for what follows the struct."""
    return kind.length is not None and kind.length.constant is not None


def _set(member, abi, offset, shift):
    offsets = list(member.offset)
    offsets[abi] = offset
    member.offset = tuple(offsets)
    member.shift = shift


def assign_registers(signature, errors):
    """Gives each argument its register; a 64-bit one takes two where registers have 32 bits."""
    for abi in _ALL:
        following = 0
        most = 0
        for arg in signature.all_args:
            if arg.register is not None:
                following = arg.register
            if arg.type.kind == "HOOK" and not arg.type.target:
                # It knows itself where to look.
                continue
            two = arg.type.size[abi] > REGISTER[abi]
            _put(arg, abi, following, two)
            following += 2 if two else 1
            most = max(most, following)
        if most > REGISTERS:
            message = f"needs {most} registers on {ABIS[abi]}, there are {REGISTERS}"
            errors.add(signature.pos, message)
        registers = list(signature.registers)
        registers[abi] = most
        signature.registers = tuple(registers)


def _put(arg, abi, reg, two):
    if two and arg.type.size[abi] > 8:
        raise DescError(arg.pos, f"'{arg.name}' does not fit in registers")
    regs, twos = list(arg.reg), list(arg.two_regs)
    regs[abi], twos[abi] = reg, two
    arg.reg, arg.two_regs = tuple(regs), tuple(twos)
