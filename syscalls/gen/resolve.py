# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Pass 3: names to what they mean. Makes the model from the tree.

A call is resolved once per ABI that has it. Where nothing in it depends on the ABI
the second time finds the same objects in the pool, and the ABIs share one description.
"""

import dataclasses

import directions
import effects
import extend
import layout
import model
import syntax as s
import unions
from builtin_types import BuiltinTypes
from errors import DescError
from expressions import Expressions, Scope
from parse import ABIS

# In an attribute, what these are without a length.
_ROOM = (s.Name(None, "room"),)
_AS_LONG_AS_IT_IS = {
    "string": ("chars", _ROOM),
    "bytes": ("hexbytes", _ROOM),
    "hexbytes": ("hexbytes", _ROOM),
}
_NEEDS_POINTER = ("STRING", "BYTES")

# What a part of a set of flags may be that is no set.
_NUMBER_PARTS = ("mode", "dec", "hex")


class Resolver:
    def __init__(self, files, constants, numbers, errors):
        self.errors = errors
        self.pool = model.Pool()
        self.numbers = numbers
        self.sets = {}
        self.aliases = {}
        self.structs = {}
        self.struct_types = {}
        self.attrs = {}
        self.attrs_types = {}
        self.signatures = {}
        self.hooks = set()
        self.abi = 0
        self.exprs = Expressions(self.pool, constants, self)
        self.builtins = BuiltinTypes(self)
        self.calls = []
        for file in files:
            self._declare(file)
        extensions = [each for file in files for each in file.extensions]
        named = {**self.aliases, **self.attrs, **self.signatures}
        extend.apply(extensions, self.sets, named, self.calls, errors)
        self._abi_bound = _find_abi_bound({**self.aliases, **self.structs, **self.attrs})

    def run(self):
        """Fills the rows of the numbers tables with descriptions; unused types are resolved too."""
        for name in self.sets:
            self._resolve_set(name)
        for abi, _ in enumerate(ABIS):
            self.abi = abi
            for name, decls in self.structs.items():
                if any(ABIS[abi] in decl.abis for decl in decls):
                    self._guard(lambda n=name, d=decls: self.struct_type(n, d[0].pos))
            for decls in self.aliases.values():
                self._guard(lambda d=decls: self._try_alias(d))
            for decls in self.attrs.values():
                self._guard(lambda d=decls: self._try_attrs(d))
        for call in self.calls:
            self._resolve_call(call)

    def _guard(self, work):
        try:
            return work()
        except DescError as error:
            self.errors.catch(error)
            return None

    # Declarations

    def _declare(self, file):
        for decl in file.sets:
            if decl.name in self.sets:
                self.errors.add(decl.pos, f"second set {decl.name}")
            self.sets.setdefault(decl.name, decl)
            self._define_constants(decl.entries)
        for each in file.extensions:
            self._define_constants(each.items if each.set_kind else ())
        for decls, table, what in (
            (file.aliases, self.aliases, "type"),
            (file.structs, self.structs, "struct"),
            (file.attrs, self.attrs, "attrs"),
            (file.signatures, self.signatures, "signatures"),
        ):
            for decl in decls:
                self._declare_type(decl, table, what)
        self.calls += file.calls

    def _define_constants(self, entries):
        for entry in entries:
            if isinstance(entry, s.Constant) and entry.value:
                self._guard(lambda e=entry: self.exprs.define(e))

    def _declare_type(self, decl, table, what):
        tables = (self.aliases, self.structs, self.attrs, self.signatures)
        others = [other for each in tables for other in each.get(decl.name, [])]
        if BuiltinTypes.has(decl.name):
            self.errors.add(decl.pos, f"{decl.name} is a type of the language")
        elif any(set(other.abis) & set(decl.abis) for other in others):
            self.errors.add(decl.pos, f"second {what} {decl.name}")
        table.setdefault(decl.name, []).append(decl)

    def _pick(self, decls, pos):
        for decl in decls:
            if ABIS[self.abi] in decl.abis:
                return decl
        raise DescError(pos, f"no {decls[0].name} for {ABIS[self.abi]}")

    def _try_alias(self, decls):
        for decl in decls:
            if not decl.params and ABIS[self.abi] in decl.abis:
                self.type(decl.type, Scope())

    def _try_attrs(self, decls):
        for decl in decls:
            if not decl.params and ABIS[self.abi] in decl.abis:
                self._attrs(decl, (), decl.pos, Scope())

    # Sets

    def set(self, name, pos):
        if name not in self.sets:
            raise DescError(pos, f"unknown set {name}")
        return self._resolve_set(name)

    def _resolve_set(self, name):
        decl = self.sets[name]
        if isinstance(decl, model.ConstSet):
            return decl
        made = model.ConstSet(decl.pos, name, decl.kind, decl.unknown)
        self.sets[name] = made
        constants = tuple([] for _ in ABIS)
        for entry in decl.entries:
            self._guard(lambda e=entry: self._set_entry(made, e, constants))
        for each in constants if decl.kind == "enum" else ():
            each.sort(key=lambda constant: constant[0])
        made.constants = constants
        return made

    def _set_entry(self, made, entry, constants):
        if isinstance(entry, s.Include):
            self._include(self.set(entry.set, entry.pos), entry, constants)
        elif isinstance(entry, s.Part):
            mask = self.exprs.constant(entry.mask)
            if made.kind != "flags":
                raise DescError(entry.pos, "only flags have parts")
            made.parts.append(self._part(mask[0], entry))
        else:
            value = entry.value or s.Name(entry.pos, entry.name)
            pair = self.exprs.constant(value)
            for abi, _ in enumerate(ABIS):
                if pair[abi] is not None:
                    constants[abi].append((pair[abi], entry.name, entry.pos))

    def _part(self, mask, entry):
        shift = 0
        if entry.shift:
            shift = self.exprs.constant(s.Name(entry.pos, entry.shift))[0]
            if shift is None or shift > 63:
                raise DescError(entry.pos, f"{entry.shift} is not a number of bits")
        named = None if entry.set in _NUMBER_PARTS else self.set(entry.set, entry.pos)
        radix = entry.set if named is None else None
        return model.Part(mask, named, radix, shift, entry.shift, entry.after)

    def _include(self, other, entry, constants):
        for abi, _ in enumerate(ABIS):
            # What was told before with the same value goes first.
            known = {value for value, *_ in constants[abi]}
            for value, name, _ in other.constants[abi]:
                if entry.how == "shifted":
                    value, name = 1 << value & model.MASK, f"1<<{name}"
                elif entry.how == "negative":
                    value, name = -value & model.MASK, f"-{name}"
                if entry.how != "negative" or value not in known:
                    constants[abi].append((value, name, entry.pos))

    # Types

    def type(self, node, scope):
        """The model.Type of the tree @node."""
        return {
            s.Named: self._named,
            s.Name: self._named,
            s.Path: self._named,
            s.Pointer: self._pointer,
            s.SetType: self._set_type,
            s.Bits: self._bits,
            s.Select: self._select,
            s.Hook: self._hook,
        }.get(type(node), self._not_a_type)(node, scope)

    def _not_a_type(self, node, _scope):
        raise DescError(node.pos, "expected a type")

    def _named(self, node, scope):
        name = node.name
        args = getattr(node, "args", ())
        if scope.in_attribute and name in _AS_LONG_AS_IT_IS and not args:
            node = s.Named(node.pos, *_AS_LONG_AS_IT_IS[name])
            name, args = node.name, node.args
        bound = scope.bound.get(name)
        if isinstance(bound, model.Type):
            return bound
        if BuiltinTypes.has(name):
            return self.builtins.make(node, args, scope)
        if name in self.aliases:
            decl = self._pick(self.aliases[name], node.pos)
            inner = Scope(bound=self._bind(decl, args, node.pos, scope))
            made = self.type(decl.type, inner)
            return self._renamed(made, name) if not args else made
        if name in self.structs:
            return self._apply(name, args, node.pos, scope)
        if name in self.attrs:
            return self._attrs(self._pick(self.attrs[name], node.pos), args, node.pos, scope)
        raise DescError(node.pos, f"unknown type {name}")

    def _renamed(self, made, name):
        if made.kind != "NUMBER":
            return made
        fields = {f.name: getattr(made, f.name) for f in dataclasses.fields(made)}
        for key in ("kind", "name", "pos"):
            del fields[key]
        return self.pool.type(made.kind, name, made.pos, **fields)

    def _bind(self, decl, args, pos, scope):
        if len(args) != len(decl.params):
            raise DescError(pos, f"{decl.name} takes {len(decl.params)} arguments, not {len(args)}")
        bound = {}
        for (name, is_type), arg in zip(decl.params, args):
            bound[name] = self.type(arg, scope) if is_type else self.exprs.make(arg, scope)
        return bound

    def _apply(self, name, args, pos, scope):
        struct = self.struct_type(name, pos)
        decl = struct.struct
        if not decl.params and not args:
            return struct
        values = tuple(self._bind(decl, args, pos, scope).values())
        shown = ", ".join(value.text for value in values)
        return self.pool.type(
            "APPLY",
            f"{name}[{shown}]",
            pos,
            target=struct,
            arguments=values,
            size=struct.size or model.NOTHING,
            align=struct.align,
        )

    def struct_type(self, name, pos, as_out=False):
        """
        The type of struct @name; its size is None while its members are being resolved.
        @as_out: what has no direction of its own is only there after the call.
        """
        decl = self._pick(self.structs[name], pos)
        key = (id(decl), self.abi if name in self._abi_bound else None, as_out)
        if key in self.struct_types:
            return self.struct_types[key]
        made = model.Type("STRUCT", name, decl.pos, struct=decl, size=None)
        self.struct_types[key] = made
        self.pool.types[key] = made
        nodes = unions.members(decl)
        names, shown_count = self._member_order(decl, nodes)
        scope = _struct_scope(decl, nodes, names)
        placed = []
        for member in nodes:
            self._guard(lambda m=member: placed.append(self._member(m, scope, as_out)))
        layout.place_members(made, placed, decl.packed, self.errors)
        made.all_members = tuple(placed)
        made.directed = any(directions.is_directed(member) for member in placed)
        by_name = {member.name: member for member in placed}
        ordered = [by_name[name] for name in names if name in by_name]
        for member in ordered[shown_count:]:
            member.condition = self.exprs.make(s.Number(member.pos, 0), scope)
        made.members = tuple(ordered)
        if decl.given_size:
            made.given_size = self._guard(lambda: self.exprs.make(decl.given_size, scope))
        return made

    def members_scope(self, kind, pos):
        """What names mean within a value of the struct @kind."""
        struct = kind.target if kind.kind == "APPLY" else kind
        if struct.kind != "STRUCT":
            raise DescError(pos, f"{kind.name} is not a struct")
        nodes = unions.members(struct.struct)
        return _struct_scope(struct.struct, nodes, self._member_order(struct.struct, nodes)[0])

    def _attrs(self, decl, args, pos, scope):
        """Attributes with the values @args in their types; those can be the same attributes."""
        bound = self._bind(decl, args, pos, scope)
        key = (id(decl), self.abi if decl.name in self._abi_bound else None, *bound.values())
        if key in self.attrs_types:
            return self.attrs_types[key]
        made = model.Type("ATTRS", decl.name, decl.pos, align=(4,) * len(ABIS))
        made.set = self.set(decl.set, decl.pos)
        self.attrs_types[key] = self.pool.types[key] = made
        inner = dataclasses.replace(scope.in_memory(), bound=bound, in_attribute=True)
        made.cases = self._cases(decl.cases, inner, lambda kind: self.type(kind, inner))
        otherwise = decl.otherwise or s.Named(decl.pos, "bytes")
        made.otherwise = self.type(otherwise, inner)
        return made

    def _member_order(self, decl, nodes):
        """Names in the order of the tables, and how many of them are shown."""
        names = []
        for member in nodes:
            if member.name in names:
                self.errors.add(member.pos, f"second member {member.name}")
            elif member.name != "_":
                names.append(member.name)
        if not decl.show:
            return names, len(names)
        shown = list(dict.fromkeys(name for name in decl.show.names if name in names))
        for name in decl.show.names:
            if name not in names:
                self.errors.add(decl.show.pos, f"unknown member {name}")
        return shown + [name for name in names if name not in shown], len(shown)

    def _member(self, node, scope, as_out):
        kind = self.type(node.type, scope)
        words = node.words
        if as_out and not words & directions.WORDS:
            if directions.is_directed_type(kind):
                kind = self._as_out(kind)
            else:
                words |= {"out"}
        if kind.size is None:
            raise DescError(node.pos, f"struct {kind.name} contains itself")
        if node.bits and not kind.is_scalar:
            raise DescError(node.pos, "only numbers have bit fields")
        condition = directions.condition(node, words)
        condition = self.exprs.make(condition, scope) if condition else None
        return model.Member(
            node.pos, node.name, kind, node.bits or 0, condition, words, node.c_name
        )

    def _as_out(self, kind):
        """@kind where it is given by address and filled in by the call."""
        if kind.kind == "STRUCT":
            return self.struct_type(kind.name, kind.pos, as_out=True)
        fields = {f.name: getattr(kind, f.name) for f in dataclasses.fields(kind)}
        fields["target"] = self._as_out(kind.target)
        return self.pool.type(**fields)

    def _pointer(self, node, scope):
        target = self.type(node.target, scope.in_memory())
        direction = node.direction
        if direction == "out" and directions.is_directed_type(target):
            direction, target = "in", self._as_out(target)
        return self.pointer(direction, target, node.pos)

    def pointer(self, direction, target, pos):
        return self.pool.type(
            "POINTER",
            f"{direction} {target.name}",
            pos,
            direction=direction.upper(),
            target=target,
            size=layout.WORD,
            align=layout.WORD,
        )

    def _set_type(self, node, scope):
        const_set = self.set(node.set, node.pos)
        if (node.kind == "enum") != (const_set.kind == "enum"):
            raise DescError(node.pos, f"{node.set} is a set of {const_set.kind}")
        base = self.type(node.base or s.Named(node.pos, "uint"), scope)
        if base.kind != "NUMBER":
            raise DescError(node.pos, f"{node.kind} needs a number, not {base.name}")
        return self.pool.type(
            "SET",
            f"{node.kind}[{node.set}]",
            node.pos,
            set=const_set,
            size=base.size,
            align=base.align,
            is_signed=base.is_signed,
            big_endian=base.big_endian,
            radix=self.builtins.set_radix(base),
            role=base.role,
        )

    def _bits(self, node, scope):
        length = self.exprs.make(node.length, scope)
        return self.pool.type(
            "BITS",
            f"bits[{node.set}, {length.text}]",
            node.pos,
            set=self.set(node.set, node.pos),
            length=length,
            size=length.constant or model.NOTHING,
            align=layout.WORD,
        )

    def _select(self, node, scope):
        selector = self.exprs.make(node.selector, scope)
        cases = self._cases(node.cases, scope, lambda kind: self._operand_type(kind, scope))
        otherwise = self._operand_type(node.otherwise, scope) if node.otherwise else None
        types = [case[-1] for case in cases] + ([otherwise] if otherwise else [])
        if not types:
            raise DescError(node.pos, "select without a case")
        if any(kind.size is None for kind in types):
            raise DescError(node.pos, "a struct contains itself")
        return self.pool.type(
            "SELECT",
            f"select[{selector.text}]",
            node.pos,
            selector=selector,
            cases=cases,
            otherwise=otherwise,
            size=layout.union_size(types),
            align=layout.union_align(types),
        )

    def _cases(self, nodes, scope, make):
        """(pair of values, condition or None, what @make made of the body) each."""
        made = []
        clashes = extend.Clashes(self.errors)
        for node in nodes:
            body = self._guard(lambda n=node: make(n.body))
            condition = self.exprs.make(node.condition, scope) if node.condition else None
            for value in node.values if body else ():
                pair = self.exprs.constant(value)
                clashes.add(node.pos, pair, condition)
                made.append((pair, condition, body))
        # Of two cases for a value the one with a condition is asked first.
        return tuple(sorted(made, key=lambda case: case[1] is None))

    def _operand_type(self, node, scope):
        made = self.type(node, scope)
        return self._as_argument(made, node.pos) if scope.by_value else made

    def _as_argument(self, made, pos):
        """A type in a register; text and bytes can only be there by their address."""
        if made.kind in _NEEDS_POINTER:
            return self.pointer("in", made, pos)
        if made.kind in ("NUMBER", "SET", "POINTER", "SELECT"):
            return made
        if made.kind in ("FORMAT", "HOOK"):
            return made
        raise DescError(pos, f"{made.name} does not fit in a register, use in, out or inout")

    def _hook(self, node, scope):
        base = self.type(node.base, scope) if node.base else None
        args = tuple(self.exprs.make(arg, scope) for arg in node.args)
        self.hooks.add(node.name)
        shown = ", ".join([node.name] + [arg.text for arg in args])
        fields = {}
        if base:
            fields = {"size": base.size, "align": base.align, "is_signed": base.is_signed}
        elif scope.by_value:
            fields = {"size": layout.WORD, "align": layout.WORD}
        return self.pool.type(
            "HOOK",
            f"hook[{shown}]",
            node.pos,
            target=base,
            arguments=args,
            hook=node.name,
            **fields,
        )

    # Calls

    def _resolve_call(self, call):
        made = {}
        for name in call.names:
            found = False
            for abi, table in enumerate(self.numbers):
                row = table.get(name)
                if not row or ABIS[abi] not in call.abis:
                    continue
                found = True
                self.abi = abi
                if self._loses(row, call):
                    continue
                desc = self._guard(lambda: self._desc(call, made))
                if desc:
                    row.desc = desc
            if not found:
                self.errors.add(call.pos, f"no ABI has a call {name}")

    def _loses(self, row, call):
        """A description for one ABI goes before one for all, in whichever order they come."""
        if row.abis is not None and len(row.abis) == len(call.abis):
            self.errors.add(call.pos, f"second description of {row.name}")
            return True
        if row.abis is not None and len(row.abis) < len(call.abis):
            return True
        row.abis = call.abis
        return False

    def _desc(self, call, made):
        signature = self.signature(call.signature, (), None)
        key = _signature_key(signature)
        if key not in made:
            _assign_all(signature, self.errors)
            known = effects.resolve(call.effects, signature)
            made[key] = model.Desc(call.pos, call.names[0], call.facts, signature, known)
        return made[key]

    def signature(self, node, given, ret, bound=None):
        """
        @given: arguments of the signature that this one varies; @ret: its result; @bound:
        parameters of the signatures that it is one of.
        """
        decl = self._shared(node)
        if decl:
            otherwise = decl.otherwise or node.otherwise
            node = dataclasses.replace(node, cases=decl.cases, otherwise=otherwise)
        own = node.args + (node.otherwise.args if node.otherwise else ())
        scope = Scope(by_value=True, ret=True, bound=bound or {})
        args = list(given)
        for index, arg in enumerate([a for a in (*given, *own) if a.name != "_"]):
            if arg.name in scope.args:
                raise DescError(arg.pos, f"second argument {arg.name}")
            scope.args[arg.name] = index
            if isinstance(arg, s.Argument):
                scope.types[arg.name] = arg.type
        if decl:
            scope.bound = self._bind(decl, node.shared.args, node.shared.pos, scope)
        args += [self._argument(arg, scope) for arg in own]
        base = node.otherwise or node
        ret = self._result(base.ret or node.ret, scope) or ret
        noted = base if base.note else node
        note_node = noted.note
        note = self.type(note_node, scope.in_memory()) if note_node else None
        made = model.Signature(node.pos, tuple(args), ret, note, noted.note_label)
        if node.selector:
            made.selector = self.exprs.make(node.selector, scope)
            fixed = tuple(args[: len(given) + len(node.args)])
            inherited = self._result(node.ret, scope) or ret
            made.cases = self._cases(
                node.cases,
                scope,
                lambda variant: self.signature(variant, fixed, inherited, scope.bound),
            )
            if node.otherwise and node.otherwise.selector:
                made.fallback = self.signature(
                    _as_variant(node.otherwise), fixed, inherited, scope.bound
                )
        return made

    def _shared(self, node):
        if not node.shared:
            return None
        if node.shared.name not in self.signatures:
            raise DescError(node.shared.pos, f"unknown signatures {node.shared.name}")
        return self._pick(self.signatures[node.shared.name], node.shared.pos)

    def _result(self, node, scope):
        if node is None or node == s.Named(node.pos, "none"):
            return None
        made = self.type(node, scope)
        if not made.is_scalar:
            raise DescError(node.pos, f"a result is a number, not {made.name}")
        return made

    def _argument(self, node, scope):
        kind = self.type(node.type, scope)
        condition = self.exprs.make(node.condition, scope) if node.condition else None
        return model.Argument(
            node.pos,
            node.name,
            self._as_argument(kind, node.pos),
            condition,
            node.named,
            node.register,
            node.swapped,
        )


def _struct_scope(decl, nodes, names):
    return Scope(
        members={name: index for index, name in enumerate(names)},
        params={name: index for index, (name, _) in enumerate(decl.params)},
        types={member.name: member.type for member in nodes},
    )


def _as_variant(node):
    """What stands behind else and varies itself: its arguments are those where no case holds."""
    plain = s.Signature(node.pos, node.args, node.ret, node.note, node.note_label)
    return dataclasses.replace(node, args=(), otherwise=node.otherwise or plain)


def _assign_all(signature, errors):
    layout.assign_registers(signature, errors)
    for _, _, variant in signature.cases:
        _assign_all(variant, errors)
    if signature.fallback:
        _assign_all(signature.fallback, errors)


def _signature_key(signature):
    """Equal for signatures that are made of the same objects."""
    args = tuple((a.name, a.type, a.condition, a.register, a.swapped) for a in signature.all_args)
    cases = tuple((*case[:-1], _signature_key(case[-1])) for case in signature.cases)
    note = (signature.note, signature.note_label)
    again = _signature_key(signature.fallback) if signature.fallback else None
    return args, signature.ret, note, signature.selector, cases, again


def _find_abi_bound(decls):
    """Names whose meaning depends on the ABI, themselves or through what they use."""
    uses = {name: set().union(*map(_names_in, each)) for name, each in decls.items()}
    bound = {name for name, each in decls.items() if any(d.abis != ABIS for d in each)}
    while True:
        more = {name for name in decls if name not in bound and uses[name] & bound}
        if not more:
            return bound
        bound |= more


def _names_in(node):
    if isinstance(node, (tuple, list)):
        return set().union(*map(_names_in, node)) if node else set()
    if not dataclasses.is_dataclass(node):
        return set()
    own = {node.name} if isinstance(node, (s.Named, s.Name)) else set()
    return own.union(*(_names_in(getattr(node, f.name)) for f in dataclasses.fields(node)))
