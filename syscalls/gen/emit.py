# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Pass 6: the model to C: const tables, each with the line it comes from."""

import re

from parse import ABIS

_HEAD = "// Generated from syscalls/ by syscalls/gen; do not edit.\n"
_INCLUDES = _HEAD + '\n#include "syscalls/descriptions.h"\n'


def emit(resolver, numbers):
    """{file name: text}"""
    writer = _Writer()
    for const_set in resolver.sets.values():
        writer.const_set(const_set)
    tables = {}
    for abi, name in enumerate(ABIS):
        for row in numbers[abi].values():
            if row.desc:
                writer.desc(row.desc)
        tables[f"tables_{name}.c"] = _table(writer, name, abi, numbers[abi])
    roots = _roots(writer, resolver)
    return {
        "descriptions.h": writer.header(),
        "hooks.h": _hooks(resolver.hooks),
        "sets.c": _INCLUDES + writer.sets + _set_list(resolver.sets),
        "types.c": _INCLUDES + writer.types + roots,
        "calls.c": _INCLUDES + writer.calls,
        **tables,
        "tables.c": _INCLUDES + _table_list(ABIS),
        "layout_check.c": _layout_check(resolver.struct_types),
    }


def _quote(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _word(text, limit=48):
    return re.sub(r"_+", "_", re.sub(r"[^A-Za-z0-9]", "_", text)).strip("_")[:limit].strip("_")


def _value(value):
    value = 0 if value is None else value
    return str(value) if value < 10 else f"{value:#x}"


def _pair(values, to_text=str):
    return "{" + ", ".join(to_text(value) for value in values) + "}"


def _bools(values):
    return _pair(values, lambda value: "true" if value else "false")


class _Fields:
    """The initialiser of a struct: only what is not zero."""

    def __init__(self):
        self.lines = []

    def add(self, name, text, wanted=True):
        if wanted:
            self.lines.append(f".{name} = {text}")
        return self

    def block(self, indent="\t"):
        return "".join(f"{indent}{line},\n" for line in self.lines)

    def inline(self):
        return "{" + ", ".join(self.lines) + "}"


class _Writer:
    def __init__(self):
        self.sets = self.types = self.calls = ""
        self.declarations = []
        self.names = {}
        self.taken = set()

    def header(self):
        guard = "SYSCALLS_DESCRIPTIONS_H"
        lines = "".join(f"extern const {line};\n" for line in self.declarations)
        return (
            f"{_HEAD}#ifndef {guard}\n#define {guard}\n\n"
            '#include "schema/const_set.h"\n#include "schema/relation.h"\n'
            '#include "schema/syscall.h"\n#include "schema/tables.h"\n#include "schema/type.h"\n'
            f'#include "syscalls/hooks.h"\n\n{lines}\n#endif\n'
        )

    def _name(self, thing, prefix, hint):
        base = name = f"{prefix}_{_word(hint)}"
        count = 1
        while name in self.taken:
            count += 1
            name = f"{base}_{count}"
        self.taken.add(name)
        self.names[thing] = name
        return name

    # Sets

    def const_set(self, const_set):
        if const_set in self.names:
            return
        for part in const_set.parts:
            if part.set:
                self.const_set(part.set)
        name = self._name(const_set, "set", const_set.name)
        self.declarations.append(f"struct const_set {name}")
        values = [[c[:2] for c in each] for each in const_set.constants]
        shared = all(each == values[0] for each in values)
        arrays = []
        for abi, constants in enumerate(const_set.constants):
            array = f"{const_set.name}_{ABIS[abi]}" if not shared else const_set.name
            arrays.append(array if constants else "NULL")
            if constants and not (shared and abi):
                lines = "".join(f"\t{{{v:#x}, {_quote(n)}}},\n" for v, n, _ in constants)
                self.sets += f"\nstatic const struct constant {array}[] = {{\n{lines}}};\n"
        fields = _Fields().add("name", _quote(const_set.name))
        fields.add("kind", f"CONST_SET_{const_set.kind.upper()}")
        fields.add("unknown", _quote(const_set.unknown or ""), const_set.unknown)
        fields.add("constants", _pair(arrays))
        fields.add("count", _pair(len(each) for each in const_set.constants))
        if const_set.parts:
            parts = ""
            for part in const_set.parts:
                parts += f"\t{{{self._part(part)}}},\n"
            array = f"{const_set.name}_parts"
            self.sets += f"\nstatic const struct const_part {array}[] = {{\n{parts}}};\n"
            fields.add("parts", array).add("part_count", len(const_set.parts))
        self.sets += f"\n// {const_set.pos}\nconst struct const_set {name} = {{\n"
        self.sets += f"{fields.block()}}};\n"

    def _part(self, part):
        named = f"&{self.names[part.set]}" if part.set else "NULL"
        text = f"{part.mask:#x}, {named}, CONST_PART_{(part.radix or 'named').upper()}"
        if part.shift_name:
            text += f", .shift = {part.shift}, .shift_name = {_quote(part.shift_name)}"
        return text + (", .after = true" if part.after else "")

    # Expressions

    def expr(self, expr):
        """`&expr_…`, after writing it if it is new."""
        if expr is None:
            return "NULL"
        if expr in self.names:
            return f"&{self.names[expr]}"
        left, right = self.expr(expr.left), self.expr(expr.right)
        name = self._name(expr, "expr", expr.text)
        self.declarations.append(f"struct expr {name}")
        fields = _Fields().add("op", f"EXPR_{expr.op}").add("index", expr.index, expr.index)
        if expr.constant is not None:
            fields.add("constant", _pair(expr.constant, _value))
        fields.add("left", left, expr.left).add("right", right, expr.right)
        self.types += f"\n// {expr.text}\nconst struct expr {name} = {fields.inline()};\n"
        return f"&{name}"

    # Types

    def type(self, kind):
        if kind is None:
            return "NULL"
        if kind in self.names:
            return f"&{self.names[kind]}"
        name = self._name(kind, "type", kind.name)
        self.declarations.append(f"struct type {name}")
        fields = _Fields().add("kind", f"TYPE_{kind.kind}").add("name", _quote(kind.name))
        fields.add("size", _pair(kind.size), any(kind.size)).add("align", _pair(kind.align))
        if kind.is_scalar:
            fields.add("radix", f"RADIX_{kind.radix}")
        fields.add("role", f"ROLE_{kind.role}", kind.role != "NONE")
        fields.add("is_signed", "true", kind.is_signed)
        fields.add("big_endian", "true", kind.big_endian)
        fields.add("set", f"&{self.names[kind.set]}" if kind.set else "", kind.set)
        fields.add("direction", f"DIRECTION_{kind.direction}", kind.kind == "POINTER")
        fields.add("target", self.type(kind.target), kind.target)
        fields.add("length", self.expr(kind.length), kind.length)
        fields.add("dirfd_arg", kind.dirfd_arg)
        fields.add("dirfd", self.expr(kind.dirfd), kind.dirfd)
        fields.add("nofollow", self.expr(kind.nofollow), kind.nofollow)
        fields.add("rooted", self.expr(kind.rooted), kind.rooted)
        fields.add("beside", kind.beside_arg + 1, kind.beside_arg >= 0)
        fields.add("program", "true", kind.program)
        fields.add("hex_only", "true", kind.hex_only).add("until_nul", "true", kind.until_nul)
        before = self._members(kind, name, fields) + self._cases(kind, name, fields)
        fields.add("otherwise", self.type(kind.otherwise), kind.otherwise)
        before += self._arguments(kind, name, fields)
        fields.add("format", f"FORMAT_{kind.format}", kind.format)
        fields.add("hook", f"HOOK_{kind.hook.upper()}", kind.hook)
        self.types += f"{before}\n// {kind.pos}: {kind.name}\nconst struct type {name} = {{\n"
        self.types += f"{fields.block()}}};\n"
        return f"&{name}"

    def _members(self, kind, name, fields):
        if not kind.members:
            return ""
        text = ""
        for member in kind.members:
            each = _Fields().add("name", _quote(member.name)).add("type", self.type(member.type))
            each.add("condition", self.expr(member.condition), member.condition)
            each.add("offset", _pair(member.offset))
            each.add("shift", member.shift, member.bits).add("bits", member.bits, member.bits)
            for word in ("verbose", "nonzero", "flatten", "inout"):
                each.add(word, "true", word in member.words)
            text += f"\t{each.inline()},\n"
        fields.add("members", f"members_{name}").add("member_count", len(kind.members))
        fields.add("parts", "true", kind.struct and kind.struct.parts)
        fields.add("piecewise", "true", kind.struct and kind.struct.piecewise)
        fields.add("given_size", self.expr(kind.given_size), kind.given_size)
        return f"\nstatic const struct member members_{name}[] = {{\n{text}}};\n"

    def _cases(self, kind, name, fields):
        fields.add("selector", self.expr(kind.selector), kind.selector)
        fields.add("cases", f"cases_{name}", kind.cases)
        fields.add("case_count", len(kind.cases), kind.cases)
        text = ""
        for values, condition, each in kind.cases:
            text += self._case(values, self.type(each), condition)
        return f"\nstatic const struct select_case cases_{name}[] = {{\n{text}}};\n" if text else ""

    def _case(self, values, body, condition):
        tail = f", {self.expr(condition)}" if condition else ""
        lacking = sum(1 << abi for abi, value in enumerate(values) if value is None)
        tail += f", .lacking = {lacking}" if lacking else ""
        return f"\t{{{_pair(values, _value)}, {body}{tail}}},\n"

    def _arguments(self, kind, name, fields):
        if not kind.arguments:
            return ""
        text = "".join(f"\t{self.expr(each)},\n" for each in kind.arguments)
        fields.add("arguments", f"arguments_{name}").add("argument_count", len(kind.arguments))
        return f"\nstatic const struct expr *const arguments_{name}[] = {{\n{text}}};\n"

    # Calls

    def desc(self, desc):
        if desc in self.names:
            return
        name = self._name(desc, "desc", desc.name)
        self.declarations.append(f"struct syscall_desc {name}")
        before, fields = self._signature(desc.signature, name)
        facts = " | ".join(f"FACT_{fact.upper()}" for _, fact in desc.facts)
        outer = _Fields().add("name", _quote(desc.name)).add("facts", facts, facts)
        if desc.effects:
            before += _effects(desc, name)
            outer.add("effects", f"effects_{name}").add("effect_count", len(desc.effects))
        outer.add("signature", "{\n" + fields.block("\t\t") + "\t}")
        outer.add("source", _quote(str(desc.pos)))
        self.calls += before
        self.calls += f"\n// {desc.pos}\nconst struct syscall_desc {name} = {{\n"
        self.calls += f"{outer.block()}}};\n"

    def _signature(self, signature, name):
        """Text of what a signature refers to, and its fields."""
        text = ""
        fields = _Fields()
        if signature.args:
            for arg in signature.args:
                each = _Fields().add("name", _quote(arg.name)).add("type", self.type(arg.type))
                each.add("condition", self.expr(arg.condition), arg.condition)
                each.add("reg", _pair(arg.reg))
                each.add("two_regs", _bools(arg.two_regs), any(arg.two_regs))
                each.add("high_first", "true", arg.swapped)
                each.add("named", "true", arg.named)
                text += f"\t{each.inline()},\n"
            text = f"\nstatic const struct argument args_{name}[] = {{\n{text}}};\n"
            fields.add("args", f"args_{name}").add("arg_count", len(signature.args))
        fields.add("ret", self.type(signature.ret), signature.ret)
        fields.add("note", self.type(signature.note), signature.note)
        fields.add("note_label", _quote(signature.note_label or ""), signature.note_label)
        if signature.selector:
            text += self._variants(signature, name, fields)
        return text, fields

    def _variants(self, signature, name, fields):
        fields.add("selector", self.expr(signature.selector))
        fields.add("cases", f"cases_{name}", signature.cases)
        fields.add("case_count", len(signature.cases), signature.cases)
        text = self._fallback(signature, name, fields)
        lines = ""
        made = {}
        for values, condition, variant in signature.cases:
            if variant not in made:
                made[variant] = f"{name}_case{len(made) + 1}"
                before, inner = self._signature(variant, made[variant])
                text += f"{before}\n// {variant.pos}\n"
                text += f"static const struct signature {made[variant]} = {{\n{inner.block()}}};\n"
            lines += self._case(values, f"&{made[variant]}", condition)
        text += f"\nstatic const struct signature_case cases_{name}[] = {{\n{lines}}};\n"
        return text + _case_order(signature.cases, name, fields)

    def _fallback(self, signature, name, fields):
        if not signature.fallback:
            return ""
        text, inner = self._signature(signature.fallback, f"{name}_else")
        fields.add("otherwise", f"&{name}_else")
        return f"{text}\nstatic const struct signature {name}_else = {{\n{inner.block()}}};\n"


def _case_order(cases, name, fields):
    """The cases of each ABI in order of their values, to be searched by bisection."""
    text = ""
    arrays = {}
    orders = []
    for abi, abi_name in enumerate(ABIS):
        here = [at for at, case in enumerate(cases) if case[0][abi] is not None]
        # The sort is stable, so those with a condition stay in front.
        order = tuple(sorted(here, key=lambda at, abi=abi: cases[at][0][abi]))
        orders.append(order)
        if order and order not in arrays:
            arrays[order] = f"order_{name}_{abi_name}"
            text += f"\nstatic const uint16_t {arrays[order]}[] = {{\n{_numbers(order)}}};\n"
    fields.add("order", _pair(arrays.get(order, "NULL") for order in orders), arrays)
    fields.add("order_count", _pair(len(order) for order in orders))
    return text


def _effects(desc, name):
    lines = ""
    for effect, operands in desc.effects:
        each = [_pair(reg or ("OPERAND_RESULT",) * len(ABIS)) for reg in operands]
        each += [_pair(("OPERAND_NONE",) * len(ABIS))] * (3 - len(each))
        lines += f"\t{{EFFECT_{effect.upper()}, {{{', '.join(each)}}}}},\n"
    return f"\nstatic const struct syscall_effect effects_{name}[] = {{\n{lines}}};\n"


def _table(writer, name, abi, rows):
    rows = sorted(rows.values(), key=lambda row: row.number)
    count = sum(not row.hidden for row in rows)
    lines = ""
    for row in rows:
        fields = _Fields().add("name", _quote(row.name)).add("number", row.number)
        fields.add("arg_count", row.arg_count)
        fields.add("classes", " | ".join(row.classes), row.classes)
        fields.add("desc", f"&{writer.names[row.desc]}" if row.desc else "", row.desc)
        lines += f"\t{fields.inline()},\n"
    by_name = sorted(range(len(rows)), key=lambda at: rows[at].name)
    index = [0] * (rows[count - 1].number + 1)
    for at, row in enumerate(rows[:count]):
        index[row.number] = at + 1
    within = [(each, at) for at, row in enumerate(rows) for each in row.within]
    within.sort(key=lambda pair: (pair[0].outer, pair[0].number, pair[0].any_version))
    subs = "".join(_sub(each, at) for each, at in within)
    sub_array = f"\nstatic const struct syscall_sub subs[] = {{\n{subs}}};\n" if within else ""
    sub_fields = f"\t.subs = subs,\n\t.sub_count = {len(within)},\n" if within else ""
    return (
        f"{_INCLUDES}\nstatic const struct syscall rows[] = {{\n{lines}}};\n"
        f"\nstatic const uint16_t by_number[] = {{\n{_numbers(index)}}};\n"
        f"\nstatic const uint16_t by_name[] = {{\n{_numbers(by_name)}}};\n"
        f"{sub_array}"
        f"\nextern const struct syscall_rows syscall_rows_{name};\n"
        f"const struct syscall_rows syscall_rows_{name} = {{\n"
        f"\t.rows = rows,\n\t.count = {len(rows)},\n\t.by_number = by_number,\n"
        f"\t.numbers = {len(index)},\n\t.by_name = by_name,\n"
        f"{sub_fields}}};\n"
    )


def _sub(within, row):
    version = "true" if within.any_version else "false"
    places = ", ".join(map(str, within.places))
    return (
        f"\t{{{within.outer}, {within.number}, {row}, {version}, {{{places}}}, "
        f"{within.result}}},\n"
    )


def _table_list(abis):
    """The tables by enum abi_id, so that no C file has to list them."""
    declared = "".join(f"extern const struct syscall_rows syscall_rows_{abi};\n" for abi in abis)
    lines = "".join(f"\t[ABI_{abi.upper()}] = &syscall_rows_{abi},\n" for abi in abis)
    return (
        f"\n{declared}"
        f"\nconst struct syscall_rows *const syscall_rows[ABI_COUNT] = {{\n{lines}}};\n"
    )


def _numbers(numbers):
    lines = ""
    for at in range(0, len(numbers), 16):
        lines += "\t" + " ".join(f"{number}," for number in numbers[at : at + 16]) + "\n"
    return lines


def _set_list(sets):
    names = sorted(sets)
    lines = "".join(f"\t&set_{name},\n" for name in names) or "\tNULL,\n"
    return (
        f"\nconst struct const_set *const const_sets[] = {{\n{lines}}};\n"
        f"const size_t const_set_count = {len(names)};\n"
    )


def _roots(writer, resolver):
    """Structs that the decoder starts with where no call names them."""
    found = [t for t in resolver.struct_types.values() if t.name == "netlink_message"]
    root = writer.type(found[0]) if found else "NULL"
    return f"\nconst struct type *const netlink_message_type = {root};\n"


def _hooks(hooks):
    names = sorted(hooks)
    lines = "".join(f"\tHOOK_{name.upper()},\n" for name in names)
    entries = "".join(f" \\\n\tENTRY({name.upper()}, {name})" for name in names)
    return (
        f"{_HEAD}#ifndef SYSCALLS_HOOKS_H\n#define SYSCALLS_HOOKS_H\n\n"
        "/** The types that a function of decode/hook builds: hook[name] in a description. */\n"
        f"enum hook_id {{\n{lines}\tHOOK_COUNT,\n}};\n\n"
        "/** ENTRY(ID, name) for each. */\n"
        f"#define HOOKS(ENTRY){entries}\n\n#endif\n"
    )


def _layout_check(struct_types):
    """
    Asserts that hold if our layouts are those of the installed headers. Headers contradict
    each other, so each is a compilation of its own: -DLAYOUT=n for the n of "// n: header".
    """
    checked = [(key[1], each) for key, each in _plain(struct_types) if each.struct.header]
    text = _HEAD + "\n#include <linux/version.h>\n#include <stddef.h>\n"
    for at, header in enumerate(sorted({each.struct.header for _, each in checked})):
        text += f"\n// {at}: {header}\n#if LAYOUT == {at}\n#include <{header}>\n"
        mine = [(only, each) for only, each in checked if each.struct.header == header]
        for abi, name in enumerate(ABIS):
            here = [each for only, each in mine if only in (None, abi)]
            lines = "".join(_struct_asserts(each, abi) for each in here)
            text += f"#ifdef __{name}__\n{lines}#endif\n" if lines else ""
        text += "#endif\n"
    return text


def _plain(struct_types):
    """Without those that differ only in when their members are there."""
    return [(key, each) for key, each in struct_types.items() if not key[2]]


def _struct_asserts(struct, abi):
    c_type = struct.struct.c_type
    what = _quote(str(struct.pos))
    text = ""
    if not struct.given_size and not struct.struct.is_part:
        text += f"_Static_assert(sizeof({c_type}) == {struct.size[abi]}, {what});\n"
    for member in struct.all_members:
        name = member.c_name or member.name
        if member.bits or name == "_":
            continue
        at = f"offsetof({c_type}, {name})"
        text += f"_Static_assert({at} == {member.offset[abi]}, {_quote(str(member.pos))});\n"
    if struct.struct.since:
        major, minor = struct.struct.since
        return f"#if LINUX_VERSION_CODE >= KERNEL_VERSION({major}, {minor}, 0)\n{text}#endif\n"
    return text
