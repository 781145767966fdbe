# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Pass 2: tokens to the tree of syntax.py. Recursive descent, one method per construct."""

import re

import syntax as s
from errors import DescError

ABIS = ("x86_64", "i386", "x32")
# What a description may say instead of their names: how wide the long of its programs is.
DATA_MODELS = {"lp64": ("x86_64",), "ilp32": ("i386", "x32")}

_TYPE_WORDS = {"in", "out", "inout", "enum", "flags", "bits", "select", "hook"}
_DECLARATIONS = {
    "type",
    "struct",
    "union",
    "attrs",
    "signatures",
    "enum",
    "flags",
    "extend",
    "abi",
}
_MEMBER_WORDS = ("verbose", "nonzero", "flatten", "over", "in", "out", "inout")
# From loosest to tightest, as in Go.
_BINARY = (
    ("||",),
    ("&&",),
    ("==", "!=", "<", "<=", ">", ">="),
    ("+", "-", "|"),
    ("*", "/", "&", "<<", ">>"),
)


def parse(tokens, errors):
    """A syntax.File of the declarations that could be read."""
    return _Parser(tokens, errors).file()


class _Parser:
    def __init__(self, tokens, errors):
        self.tokens = tokens
        self.at = 0
        self.errors = errors
        self.file_abis = ABIS

    # Tokens

    @property
    def token(self):
        return self.tokens[self.at]

    @property
    def pos(self):
        return self.token.pos

    def fail(self, wanted):
        raise DescError(self.pos, f"expected {wanted}, found {self.token}")

    def is_op(self, *texts):
        return self.token.kind == "op" and self.token.text in texts

    def is_word(self, *texts):
        return self.token.kind == "name" and self.token.text in texts

    def take(self):
        token = self.token
        self.at += 1
        return token

    def take_op(self, text):
        if not self.is_op(text):
            return False
        self.at += 1
        return True

    def take_word(self, text):
        if not self.is_word(text):
            return False
        self.at += 1
        return True

    def want_op(self, text):
        if not self.take_op(text):
            self.fail(f"'{text}'")

    def want(self, kind, what):
        if self.token.kind != kind:
            self.fail(what)
        return self.take().text

    def want_name(self, what="a name"):
        return self.want("name", what)

    def want_number(self):
        return _number(self.want("number", "a number"))

    def skip_separators(self):
        while self.token.kind == "separator":
            self.at += 1

    def skip_declaration(self):
        """From the start of a faulty declaration to the next one."""
        self.at += 1
        while self.token.kind != "end" and not (self.token.kind == "name" and self.token.at_margin):
            self.at += 1

    # Declarations

    def file(self):
        file = s.File()
        while True:
            self.skip_separators()
            if self.token.kind == "end":
                return file
            start = self.at
            try:
                self.declaration(file)
                if self.token.kind != "separator":
                    self.fail("end of line")
            except DescError as error:
                self.errors.catch(error)
                self.at = start
                self.skip_declaration()

    def declaration(self, file):
        follows = self.tokens[self.at + 1].kind
        if self.is_word(*_DECLARATIONS) and follows == "name":
            word = self.token.text
            if word == "type":
                file.aliases.append(self.alias())
            elif word == "struct":
                file.structs.append(self.struct())
            elif word == "union":
                file.structs.append(self.union())
            elif word == "attrs":
                file.attrs.append(self.attrs())
            elif word == "signatures":
                file.signatures.append(self.signatures())
            elif word == "extend":
                file.extensions.append(self.extend())
            elif word == "abi":
                self.file_abis = self.abis()
            else:
                file.sets.append(self.const_set())
        else:
            file.calls.append(self.call())

    def abis(self):
        if not self.take_word("abi"):
            return self.file_abis
        if self.is_word("all"):
            self.take()
            return ABIS
        names = []
        while True:
            name = self.want_name("an ABI")
            if name not in ABIS and name not in DATA_MODELS:
                raise DescError(self.tokens[self.at - 1].pos, f"unknown ABI {name}")
            names += DATA_MODELS.get(name, (name,))
            if not self.take_op(","):
                return tuple(names)

    def params(self):
        """`[name, T type]`: (name, is a type) each."""
        params = []
        if not self.take_op("["):
            return ()
        while True:
            name = self.want_name("a parameter")
            params.append((name, self.take_word("type")))
            if not self.take_op(","):
                break
        self.want_op("]")
        return tuple(params)

    def alias(self):
        pos = self.take().pos
        name = self.want_name()
        params = self.params()
        abis = self.abis()
        self.want_op("=")
        return s.Alias(pos, name, params, self.choice(), abis)

    def struct(self):
        pos = self.take().pos
        decl = s.Struct(pos, self.want_name(), self.params(), (), self.file_abis)
        while not self.is_op("{"):
            if self.is_word("abi"):
                decl.abis = self.abis()
            elif self.take_word("packed"):
                decl.packed = True
            elif self.take_word("parts"):
                decl.parts = True
            elif self.take_word("piecewise"):
                decl.piecewise = True
            elif self.take_word("sized"):
                decl.given_size = self.expression()
            elif self.take_word("from"):
                self.header(decl)
            else:
                self.fail("'{'")
        for item in self.block(self.member):
            if isinstance(item, s.Member):
                decl.members += (item,)
            elif decl.show:
                raise DescError(item.pos, "second show")
            else:
                decl.show = item
        return decl

    def union(self):
        """`union name[params] select e { A: member; else member }`"""
        pos = self.take().pos
        decl = s.Struct(pos, self.want_name(), self.params(), (), self.file_abis, is_union=True)
        while not self.is_op("{"):
            if self.is_word("abi"):
                decl.abis = self.abis()
            elif self.take_word("select"):
                decl.selector = self.expression()
            elif self.take_word("from"):
                self.header(decl)
            else:
                self.fail("'{'")
        if decl.selector:
            decl.members = tuple(self.block(lambda: self.case(self.named_member)))
        else:
            decl.members = tuple(self.block(self.named_member))
        return decl

    def attrs(self):
        """`attrs name[params] of set { A: T; else V }`"""
        pos = self.take().pos
        name = self.want_name()
        params = self.params()
        if not self.take_word("of"):
            self.fail("of")
        const_set = self.want_name("a set")
        abis = self.abis()
        return s.Attrs(pos, name, params, const_set, *self.cases(self.choice), abis)

    def signatures(self):
        """`signatures name[params] { A: (…); else (…) }`"""
        pos = self.take().pos
        name = self.want_name()
        params = self.params()
        abis = self.abis()
        return s.Signatures(pos, name, params, *self.cases(self.signature), abis)

    def header(self, decl):
        """`"linux/fs.h" "struct x" part since "6.8"`"""
        decl.header = self.want("string", "a header in quotes")
        decl.c_type = self.want("string", "a C type in quotes")
        decl.is_part = self.take_word("part")
        if self.take_word("since"):
            version = self.want("string", "a version in quotes")
            if not re.fullmatch(r"\d+\.\d+", version):
                self.fail('a version as in "6.8"')
            decl.since = tuple(int(number) for number in version.split("."))

    def extend(self):
        """`extend name { … }`, `extend enum name { … }`"""
        pos = self.take().pos
        kind = self.take().text if self.is_word("enum", "flags") else None
        name = self.want_name()
        if kind:
            return s.Extend(pos, name, kind, self.set_entries(), self.file_abis)
        abis = self.abis()
        items = self.block(lambda: self.case(self.type_or_signature))
        return s.Extend(pos, name, None, tuple(items), abis)

    def type_or_signature(self):
        return self.signature() if self.is_op("(") else self.choice()

    def block(self, item):
        self.want_op("{")
        items = []
        while True:
            self.skip_separators()
            if self.take_op("}"):
                return items
            items.append(item())
            if not self.is_op("}") and self.token.kind != "separator":
                self.fail("end of line or '}'")

    def member(self):
        pos = self.pos
        return self.show(pos) if self.take_word("show") else self.named_member()

    def named_member(self):
        pos = self.pos
        name = self.want_name("a member")
        kind = self.type()
        bits = self.want_number() if self.take_op(":") else None
        condition = None
        words = set()
        c_name = None
        while self.token.kind == "name":
            if self.take_word("if"):
                kind, condition = self.conditional(kind)
            elif self.take_word("as"):
                c_name = self.want("string", "a C member in quotes")
            elif self.is_word(*_MEMBER_WORDS):
                words.add(self.take().text)
            else:
                self.fail(f"if, as, {', '.join(_MEMBER_WORDS)} or end of line")
        return s.Member(pos, name, kind, bits, condition, frozenset(words), c_name)

    def show(self, pos):
        names = []
        while self.token.kind != "separator" and not self.is_op("}"):
            names.append(self.want_name("a member"))
            self.take_op(",")
        return s.Show(pos, tuple(names))

    def const_set(self):
        kind, pos = self.token.text, self.take().pos
        name = self.want_name()
        unknown = None
        if self.take_word("unknown"):
            unknown = self.want("string", "a text in quotes")
        return s.ConstSet(pos, name, kind, unknown, self.set_entries())

    def set_entries(self):
        self.want_op("{")
        entries = []
        while True:
            self.skip_separators()
            if self.take_op("}"):
                return tuple(entries)
            if not self.take_op(","):
                entries.append(self.set_entry())

    def set_entry(self):
        pos = self.pos
        if self.take_word("part"):
            mask = self.operand()
            name = self.want_name("a set, mode, dec or hex")
            shift = None
            if name in ("dec", "hex") and self.take_op("<<"):
                shift = self.want_name("a constant")
            return s.Part(pos, mask, name, shift, self.take_word("after"))
        if self.is_word("include", "shifted", "negative"):
            how = self.take().text
            return s.Include(pos, self.want_name("a set"), how)
        if self.token.kind not in ("name", "string"):
            self.fail("a constant")
        name = self.take().text
        value = self.expression() if self.take_op("=") else None
        return s.Constant(pos, name, value)

    def call(self):
        pos = self.pos
        names = [self.want_name("a declaration")]
        while self.take_op(","):
            names.append(self.want_name("a call"))
        if not self.is_op("("):
            self.fail("'('")
        call = s.Call(pos, tuple(names), None, self.file_abis, ())
        facts = []
        call.signature = self.signature(call, facts)
        call.facts = tuple(facts)
        return call

    def signature(self, call=None, facts=None):
        """`(args) ret note T abi A @fact select e { … }`"""
        sig = s.Signature(self.pos, tuple(self.arguments()))
        stops = ("note", "abi", "select")
        if self.token.kind == "name" and not self.is_word(*stops):
            sig.ret = self.type()
        while True:
            if self.take_word("note"):
                if self.token.kind == "string":
                    sig.note_label = self.take().text
                sig.note = self.type()
            elif call and self.is_word("abi"):
                call.abis = self.abis()
            elif call and self.is_op("@"):
                pos = self.take().pos
                name = self.want_name("a fact")
                args = self.type_args()
                if args:
                    call.effects += ((pos, name, args),)
                else:
                    facts.append((pos, name))
            elif self.is_word("select"):
                self.take()
                self.signature_cases(sig)
                return sig
            else:
                return sig

    def signature_cases(self, sig):
        sig.selector = self.expression()
        if self.token.kind == "name":
            pos = self.pos
            sig.shared = s.Named(pos, self.want_name(), self.type_args())
        else:
            sig.cases, sig.otherwise = self.cases(self.signature)

    def cases(self, body):
        """A block of cases: those with values, and what stands behind else."""
        cases = []
        otherwise = None
        for case in self.block(lambda: self.case(body)):
            if case.values is not None:
                cases.append(case)
            elif otherwise:
                raise DescError(case.pos, "second else")
            else:
                otherwise = case.body
        return tuple(cases), otherwise

    def case(self, body):
        """`A, B: body`, `A if condition: body` or `else body`: a Case, of else without values."""
        pos = self.pos
        if self.take_word("else"):
            self.take_op(":")
            return s.Case(pos, None, None, body())
        values = [self.expression()]
        while self.take_op(","):
            values.append(self.expression())
        condition = self.expression() if self.take_word("if") else None
        self.want_op(":")
        return s.Case(pos, tuple(values), condition, body())

    def arguments(self):
        self.want_op("(")
        args = []
        if self.take_op(")"):
            return args
        while True:
            args.append(self.argument())
            if not self.take_op(","):
                break
        self.want_op(")")
        return args

    def argument(self):
        pos = self.pos
        name = self.want_name("an argument")
        kind = s.Named(pos, "hex") if name == "_" and self.is_op(",", ")") else self.type()
        condition = register = None
        named = swapped = False
        while self.token.kind == "name":
            if self.take_word("if"):
                kind, condition = self.conditional(kind)
            elif self.take_word("at"):
                register = self.want_number()
            elif self.take_word("named"):
                named = True
            elif self.take_word("swapped"):
                swapped = True
            else:
                self.fail("if, at, named, swapped, ',' or ')'")
        return s.Argument(pos, name, kind, condition, register, named, swapped)

    # Types

    def choice(self):
        """A type, or `T if c else U`."""
        kind = self.type()
        if not self.take_word("if"):
            return kind
        kind, condition = self.conditional(kind)
        if condition:
            self.fail("else")
        return kind

    def conditional(self, kind):
        """Behind `T if`: the type and None for `c else U`, or T and its condition."""
        pos = self.pos
        condition = self.expression()
        if not self.take_word("else"):
            return kind, condition
        never = s.Case(pos, (s.Number(pos, 0),), None, self.choice())
        return s.Select(pos, condition, (never,), kind), None

    def type(self):
        pos = self.pos
        name = self.want_name("a type")
        if name in ("in", "out", "inout"):
            return s.Pointer(pos, name, self.type())
        if name in ("enum", "flags"):
            self.want_op("[")
            const_set = self.want_name("a set")
            base = self.type() if self.take_op(",") else None
            self.want_op("]")
            return s.SetType(pos, name, const_set, base)
        if name == "bits":
            self.want_op("[")
            const_set = self.want_name("a set")
            self.want_op(",")
            length = self.expression()
            self.want_op("]")
            return s.Bits(pos, const_set, length)
        if name == "select":
            return self.select(pos)
        if name == "hook":
            return self.hook(pos)
        if name in ("path", "program"):
            return self.path(pos, name)
        return s.Named(pos, name, self.type_args())

    def path(self, pos, name):
        args = self.type_args()
        ways = {"nofollow": None, "rooted": None}
        while self.is_word("beside", *ways):
            if self.take_word("beside"):
                ways["beside"] = s.Name(self.pos, self.want_name("a path"))
                continue
            way = self.take()
            always = s.Number(way.pos, 1)
            ways[way.text] = self.expression() if self.take_word("if") else always
        return s.Path(pos, name, args, **ways)

    def select(self, pos):
        self.want_op("[")
        selector = self.expression()
        self.want_op("]")
        return s.Select(pos, selector, *self.cases(self.choice))

    def hook(self, pos):
        self.want_op("[")
        name = self.want_name("a hook")
        base = self.type() if self.take_op(":") else None
        args = []
        while self.take_op(","):
            args.append(self.expression())
        self.want_op("]")
        return s.Hook(pos, name, base, tuple(args))

    def type_args(self):
        args = []
        if not self.take_op("["):
            return ()
        while True:
            args.append(self.type_or_expression())
            if not self.take_op(","):
                break
        self.want_op("]")
        return tuple(args)

    def type_or_expression(self):
        """A bare name is given as an expression; who knows the parameter decides."""
        after = self.tokens[self.at + 1]
        indexed = self.token.kind == "name" and after.kind == "op" and after.text == "["
        if self.is_word(*_TYPE_WORDS) or indexed:
            return self.type()
        return self.expression()

    # Expressions

    def expression(self, level=0):
        if level == len(_BINARY):
            return self.operand()
        left = self.expression(level + 1)
        while self.is_op(*_BINARY[level]):
            op = self.take()
            left = s.Binary(op.pos, op.text, left, self.expression(level + 1))
        return left

    def operand(self):
        pos = self.pos
        if self.take_op("("):
            inner = self.expression()
            self.want_op(")")
            return inner
        if self.take_op("*"):
            return s.Target(pos, self.want_name("an argument"))
        if self.is_op("!", "-", "~"):
            return s.Unary(pos, self.take().text, self.operand())
        if self.token.kind == "number":
            return s.Number(pos, self.want_number())
        name = self.want_name("an expression")
        if self.take_op("["):
            index = self.want_number()
            self.want_op("]")
            return s.Word(pos, name, index)
        if self.is_op("."):
            names = [name]
            while self.take_op("."):
                names.append(self.want_name("a member"))
            return s.Dotted(pos, tuple(names))
        if not self.is_op("(") or name not in ("min", "max", "sizeof"):
            return s.Name(pos, name)
        self.take()
        args = [self.type() if name == "sizeof" else self.expression()]
        while self.take_op(","):
            args.append(self.expression())
        self.want_op(")")
        if len(args) != (1 if name == "sizeof" else 2):
            raise DescError(pos, f"wrong number of arguments of {name}()")
        return s.Function(pos, name, tuple(args))


def _number(text):
    if text.lower().startswith("0x"):
        return int(text, 16)
    return int(text, 8) if text.startswith("0") else int(text)
