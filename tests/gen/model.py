#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""What the generator makes of small descriptions: layouts, registers, sharing, constants."""

import sys
import tempfile
import unittest
from pathlib import Path

SYSCALLS = Path(__file__).resolve().parent.parent.parent / "syscalls"
sys.path.insert(0, str(SYSCALLS / "gen"))
sys.dont_write_bytecode = True

# pylint: disable=wrong-import-position
import tables
from emit import emit
from errors import Errors
from main import compile_files

X86_64, I386, X32 = 0, 1, 2


class Made:
    """A compiled description."""

    def __init__(self, text, constants=None):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "test.desc"
            path.write_text(text)
            errors = Errors()
            self.numbers = tables.read_numbers(SYSCALLS / "numbers")
            self.resolver = compile_files([path], self.numbers, constants or {}, errors)
        self.errors = [f"{pos}: {message}" for pos, message in errors]
        assert not self.errors, self.errors

    def call(self, name, abi=X86_64):
        return self.numbers[abi][name].desc

    def args(self, name, abi=X86_64):
        return self.call(name, abi).signature.args

    def struct(self, name):
        return next(t for t in self.resolver.struct_types.values() if t.name == name)

    def offsets(self, name, abi):
        return [member.offset[abi] for member in self.struct(name).members]


class Layout(unittest.TestCase):
    def test_natural_alignment_per_abi(self):
        made = Made("struct s { a u8; b u16; c u64; d ptr; e u8 }")
        self.assertEqual(made.offsets("s", X86_64), [0, 2, 8, 16, 24])
        self.assertEqual(made.struct("s").size[X86_64], 32)
        # The i386 ABI aligns 64-bit members to 4 bytes.
        self.assertEqual(made.offsets("s", I386), [0, 2, 4, 12, 16])
        self.assertEqual(made.struct("s").size[I386], 20)

    def test_packed(self):
        made = Made("struct s packed { a u8; b u32; c u16 }")
        self.assertEqual(made.offsets("s", X86_64), [0, 1, 5])
        self.assertEqual(made.struct("s").size, (7, 7, 7))

    def test_padding_is_laid_out_and_not_shown(self):
        made = Made("struct s { a u32; _ bytes[12]; b u32 }")
        self.assertEqual([m.name for m in made.struct("s").members], ["a", "b"])
        self.assertEqual(made.offsets("s", X86_64), [0, 16])

    def test_bit_fields(self):
        made = Made("struct s { a u32:4; b u32:28; c u32:1; d u8 }")
        members = made.struct("s").members
        self.assertEqual([(m.offset[0], m.shift, m.bits) for m in members[:3]],
                         [(0, 0, 4), (0, 4, 28), (4, 0, 1)])
        self.assertEqual(members[3].offset[0], 5)

    def test_over_is_a_union(self):
        made = Made("struct s { a u64; b u32 over; c u32 over; d u32 }")
        self.assertEqual(made.offsets("s", X86_64), [0, 0, 0, 8])

    def test_a_format_is_as_large_as_its_type(self):
        made = Made("struct s { a u8; b dev[u64]; c date[u32, a]; d u8 }")
        self.assertEqual(made.offsets("s", X86_64), [0, 8, 16, 20])
        kind = made.struct("s").members[2].type
        self.assertEqual((kind.kind, kind.format, kind.target.name), ("FORMAT", "DATE", "u32"))
        self.assertEqual([expr.op for expr in kind.arguments], ["MEMBER"])

    def test_a_part_of_flags_can_be_permissions(self):
        made = Made("flags f { BIT=0x200 part 0777 mode after }\numask(x flags[f]) int")
        (part,) = made.args("umask")[0].type.set.parts
        self.assertEqual((part.mask, part.set, part.radix, part.after), (0o777, None, "mode", True))

    def test_a_part_of_flags_can_be_a_number_that_is_shifted(self):
        text = "flags f { UP=3 part 0x7f8 hex<<UP; part 0xf000 dec after }\numask(x flags[f]) int"
        made = Made(text, {"UP": 3})
        first, last = made.args("umask")[0].type.set.parts
        self.assertEqual((first.radix, first.shift, first.shift_name), ("hex", 3, "UP"))
        self.assertEqual((last.radix, last.shift, last.shift_name), ("dec", 0, None))

    def test_shown_order_differs_from_memory(self):
        made = Made("struct s { a u32; b u64; c u32 if hidden\n hidden u32\n show c a b }")
        members = made.struct("s").members
        self.assertEqual([m.name for m in members], ["c", "a", "b", "hidden"])
        self.assertEqual([m.offset[X86_64] for m in members], [16, 0, 8, 20])
        self.assertEqual(members[3].condition.constant, (0, 0, 0))
        self.assertEqual(members[0].condition.index, 3)

    def test_select_has_room_for_the_largest(self):
        made = Made("struct s { k u32; u select[k] { 1: u64; 2: array[u8, 3]; else u16 }; z u8 }")
        self.assertEqual(made.offsets("s", X86_64), [0, 8, 16])
        self.assertEqual(made.offsets("s", I386), [0, 4, 12])


class Registers(unittest.TestCase):
    def test_64_bit_argument_takes_two_on_i386_without_alignment(self):
        made = Made("pread64(fd fd, buf out bytes[ret], count ulong, pos i64) long")
        pos = made.args("pread64")[3]
        self.assertEqual(pos.reg, (3, 3, 3))
        self.assertEqual(pos.two_regs, (False, True, False))
        made = Made("fallocate(fd fd, mode int, offset i64, len i64) int")
        self.assertEqual([a.reg[I386] for a in made.args("fallocate")], [0, 1, 2, 4])

    def test_halves_the_other_way_round(self):
        made = Made("_llseek(fd fd, offset i64 swapped, result out i64, whence int) int")
        self.assertEqual([a.reg[I386] for a in made.args("_llseek", I386)], [0, 1, 3, 4])
        files = emit(made.resolver, made.numbers)
        self.assertIn(".two_regs = {false, true, false}, .high_first = true", files["calls.c"])

    def test_explicit_and_hidden_registers(self):
        made = Made("clone(stack ptr at 1 named, flags hex at 0, _, tls ptr at 4) int")
        args = made.args("clone")
        self.assertEqual([a.name for a in args], ["stack", "flags", "tls"])
        self.assertEqual([a.reg[0] for a in args], [1, 0, 4])
        self.assertTrue(args[0].named)


class Calls(unittest.TestCase):
    def test_abis_share_what_does_not_differ(self):
        made = Made("struct t { s long }\nutimes(path path, t in t) int")
        self.assertIs(made.call("utimes", X86_64), made.call("utimes", I386))

    def test_struct_per_abi_makes_a_description_per_abi(self):
        made = Made("struct st abi lp64 { a u64 }\nstruct st abi ilp32 { a u32; b u32 }\n"
                    "fstat(fd fd, st out st) int")
        one, two = made.call("fstat", X86_64), made.call("fstat", I386)
        self.assertIsNot(one, two)
        self.assertEqual(len(one.signature.args[1].type.target.members), 1)
        self.assertEqual(len(two.signature.args[1].type.target.members), 2)

    def test_description_for_one_abi_goes_first(self):
        for text in ("mmap(a ptr) ptr abi i386\nmmap(a ptr, b ulong) ptr",
                     "mmap(a ptr, b ulong) ptr abi x86_64\nmmap(a ptr) ptr abi i386"):
            made = Made(text)
            self.assertEqual(len(made.args("mmap", X86_64)), 2)
            self.assertEqual(len(made.args("mmap", I386)), 1)

    def test_text_in_a_register_is_behind_an_address(self):
        made = Made("openat(dirfd dirfd, path path[dirfd], flags int, mode mode) fd")
        path = made.args("openat")[1].type
        self.assertEqual((path.kind, path.direction), ("POINTER", "IN"))
        self.assertEqual((path.target.role, path.target.dirfd_arg), ("PATH", 0))

    def test_variants_add_to_what_is_given(self):
        made = Made("fcntl(fd fd, op int) int select op {\n"
                    "1: () fd\n2, 3: (a int)\nelse (b hex)\n}")
        signature = made.call("fcntl").signature
        self.assertEqual([a.name for a in signature.args], ["fd", "op", "b"])
        names = [(v[0], [a.name for a in s.args], s.ret.name) for v, _, s in signature.cases]
        self.assertEqual(names, [
            (1, ["fd", "op"], "fd"),
            (2, ["fd", "op", "a"], "int"),
            (3, ["fd", "op", "a"], "int"),
        ])

    def test_note_with_a_word_of_a_variant(self):
        made = Made('fcntl(fd fd, op int) int note uint select op {\n'
                    '1: () int note "flags" hex\n2: ()\n}')
        signature = made.call("fcntl").signature
        self.assertEqual((signature.note.name, signature.note_label), ("uint", None))
        notes = [s.note and (s.note.name, s.note_label) for *_, s in signature.cases]
        self.assertEqual(notes, [("hex", "flags"), None])

    def test_members_may_wait_for_the_end(self):
        made = Made("struct s { a int; b int if done }\nread(fd fd, s in s, count ulong) long")
        member = made.args("read")[1].type.target.members[1]
        self.assertEqual(member.condition.op, "DONE")

    def test_two_names_one_description(self):
        made = Made("stat, lstat(path path, st ptr) int")
        self.assertIs(made.call("stat"), made.call("lstat"))

    def test_parameters_of_structs_and_names(self):
        made = Made("struct s[n] { data bytes[n] }\ntype of[T type, n] = array[T, n]\n"
                    "read(fd fd, buf out s[ret], count ulong) long\n"
                    "write(fd fd, buf in of[u16, count / 2], count ulong) long")
        buf = made.args("read")[1].type.target
        self.assertEqual((buf.kind, buf.arguments[0].op), ("APPLY", "RET"))
        self.assertEqual(buf.target.members[0].type.length.op, "PARAM")
        array = made.args("write")[1].type.target
        self.assertEqual((array.kind, array.target.name, array.length.op), ("ARRAY", "u16", "DIV"))


class Extend(unittest.TestCase):
    def test_variants_of_a_call(self):
        made = Made("extend fcntl { 7: (c int) fd\nelse (d hex) }\n"
                    "fcntl, fcntl64(fd fd, op int) int select op { 1: () }")
        signature = made.call("fcntl").signature
        self.assertEqual([(v[0], s.args[-1].name) for v, _, s in signature.cases],
                         [(1, "op"), (7, "c")])
        self.assertEqual(signature.args[-1].name, "d")

    def test_cases_of_a_named_select_use_its_parameters(self):
        made = Made("type t[k, n] = select[k] { 1: int }\nextend t { 2: in bytes[n] }\n"
                    "read(fd int, buf t[fd, count], count ulong) long")
        cases = made.args("read")[1].type.cases
        self.assertEqual([v[0] for v, *_ in cases], [1, 2])
        self.assertEqual(cases[1][2].target.length.op, "ARG")

    def test_of_two_cases_the_one_with_a_condition_is_asked_first(self):
        made = Made("type t[k, n] = select[k] { 1: int }\nextend t { 1 if n: uint }\n"
                    "read(fd int, buf t[fd, count], count ulong) long")
        cases = made.args("read")[1].type.cases
        self.assertEqual([kind.name for *_, kind in cases], ["uint", "int"])
        self.assertEqual((cases[0][1].symbol, cases[1][1]), ("count", None))

    def test_entries_of_a_set(self):
        made = Made("enum e { A=1 }\nextend enum e { B=0 }")
        self.assertEqual([c[1] for c in made.resolver.sets["e"].constants[0]], ["B", "A"])


class Directions(unittest.TestCase):
    TEXT = ("struct s { key u32 in; value u64; both u32 inout; sum u32 out }\n")

    def test_members_go_where_the_pointer_goes(self):
        made = Made(self.TEXT + "read(fd fd, buf out s, count ulong) long")
        buf = made.args("read")[1].type
        self.assertEqual(buf.direction, "IN")
        ops = [m.condition and m.condition.op for m in buf.target.members]
        self.assertEqual(ops, [None, "DONE", None, "DONE"])

    def test_what_is_given_is_shown_before_the_call(self):
        made = Made(self.TEXT + "write(fd fd, buf in s, count ulong) long")
        ops = [m.condition and m.condition.op for m in made.args("write")[1].type.target.members]
        self.assertEqual(ops, [None, None, None, "DONE"])

    def test_nested_structs_have_directions_of_their_own(self):
        made = Made(self.TEXT + "struct outer { first s; second u32 }\n"
                    "read(fd fd, buf out outer, count ulong) long")
        members = made.args("read")[1].type.target.members
        self.assertIsNone(members[0].condition)
        self.assertEqual(members[0].type.members[1].condition.op, "DONE")
        self.assertEqual(members[1].condition.op, "DONE")

    def test_without_directions_the_pointer_decides(self):
        made = Made("struct s { a u32; b u32 out }\nread(fd fd, buf out s, count ulong) long")
        self.assertEqual(made.args("read")[1].type.direction, "OUT")


class Unions(unittest.TestCase):
    def test_members_are_at_the_start_and_chosen(self):
        made = Made("union u[k] select k { 1, 2: a u64; 3: b u32; else c bytes[12] }\n"
                    "struct s { k u32; u u[k] flatten }")
        self.assertEqual(made.offsets("u", X86_64), [0, 0, 0])
        self.assertEqual(made.struct("u").size, (16, 12, 16))
        texts = [m.condition.text for m in made.struct("u").members]
        self.assertEqual(texts[0], "(k == 1) || (k == 2)")
        self.assertEqual(texts[1], "k == 3")
        self.assertEqual(made.struct("u").members[2].condition.op, "NOT")

    def test_without_a_selector_all_are_shown(self):
        made = Made("union u { a u64; b u32 }")
        self.assertEqual([m.condition for m in made.struct("u").members], [None, None])
        self.assertEqual(made.struct("u").size, (8, 8, 8))


class Shared(unittest.TestCase):
    def test_variants_take_types_and_values(self):
        made = Made("signatures ops[T type, n] { 1: (a in T, b out bytes[n])\nelse (c hex) }\n"
                    "fcntl(fd fd, op int) int select op ops[u16, fd]\n"
                    "fcntl64(fd fd, op int) int select op & 7 ops[u32, 3]\n"
                    "extend ops { 2: (d in T) }")
        one, two = made.call("fcntl").signature, made.call("fcntl64", I386).signature
        self.assertEqual([a.name for a in one.args], ["fd", "op", "c"])
        first = one.cases[0][2].args
        self.assertEqual((first[2].type.target.name, first[3].type.target.length.op),
                         ("u16", "ARG"))
        first = two.cases[0][2].args
        self.assertEqual((first[2].type.target.name, first[3].type.target.length.constant),
                         ("u32", (3, 3, 3)))
        self.assertEqual(two.cases[1][2].args[2].type.target.name, "u32")


class Conditional(unittest.TestCase):
    def test_a_type_by_a_condition(self):
        made = Made("struct s { a u32 }\n"
                    "read(fd fd, buf ptr if count < 4 else out s, count ulong) long\n"
                    "write(fd fd, buf in s if count else ptr, count ulong if buf.a) long")
        buf = made.args("read")[1].type
        self.assertEqual((buf.kind, buf.selector.op, buf.otherwise.name), ("SELECT", "LESS", "ptr"))
        self.assertEqual([(v, t.direction) for v, _, t in buf.cases], [((0, 0, 0), "OUT")])
        self.assertEqual(made.args("write")[2].condition.op, "ARG_PATH")


class Effects(unittest.TestCase):
    def test_name_registers_and_the_result(self):
        made = Made("mremap(a ptr, b ulong, c ulong at 2) ptr @maps[a, b] @maps[ret, c, b]")
        self.assertEqual(made.call("mremap").effects,
                         (("maps", ((0, 0, 0), (1, 1, 1))), ("maps", (None, (2, 2, 2), (1, 1, 1)))))
        text = emit(made.resolver, made.numbers)["calls.c"]
        result = ", ".join(["OPERAND_RESULT"] * 3)
        self.assertIn(f"{{EFFECT_MAPS, {{{{{result}}}, {{2, 2, 2}}, {{1, 1, 1}}}}}}", text)


class Attributes(unittest.TestCase):
    TEXT = "enum kinds { A=1 B=2 }\n"

    def test_what_has_no_length_is_as_long_as_the_attribute(self):
        made = Made(self.TEXT + "attrs a of kinds { A: string; B: array[u32, room / 4] }\n"
                    "read(fd fd, buf out a, count ulong) long")
        attrs = made.args("read")[1].type.target
        self.assertEqual((attrs.kind, attrs.set.name), ("ATTRS", "kinds"))
        text, array = (kind for *_, kind in attrs.cases)
        self.assertEqual((text.length.op, text.until_nul, array.length.op), ("ROOM", True, "DIV"))
        self.assertEqual((attrs.otherwise.length.op, attrs.otherwise.hex_only), ("ROOM", True))

    def test_may_hold_themselves(self):
        made = Made(self.TEXT + "attrs a[n] of kinds { A: a[n]; B: each[a[n]] }\n"
                    "read(fd fd, buf out a[count], count ulong) long")
        attrs = made.args("read")[1].type.target
        self.assertIs(attrs.cases[0][2], attrs)
        self.assertIs(attrs.cases[1][2].otherwise, attrs)
        emit(made.resolver, made.numbers)

    def test_are_extended(self):
        made = Made(self.TEXT + "attrs a of kinds { A: u32 }\nextend a { B: u16 }\n"
                    "read(fd fd, buf out a, count ulong) long")
        names = [kind.name for *_, kind in made.args("read")[1].type.target.cases]
        self.assertEqual(names, ["u32", "u16"])


class Paths(unittest.TestCase):
    def test_into_a_member_and_behind_an_argument(self):
        made = Made("struct in_s { a u32; b u16 }\nstruct out_s { s in_s; d bytes[s.b] }\n"
                    "read(fd in out_s, buf out bytes[fd.s.b], count ulong) long")
        length = made.struct("out_s").members[1].type.length
        self.assertEqual((length.op, length.index, length.left.index), ("PATH", 0, 1))
        length = made.args("read")[1].type.target.length
        self.assertEqual((length.op, length.left.op, length.left.left.op),
                         ("ARG_PATH", "PATH", "MEMBER"))


class Constants(unittest.TestCase):
    def test_values_differ_by_abi(self):
        made = Made("enum e { SAME OTHER ONLY }",
                    {"SAME": (1, 1, 1), "OTHER": (2, 9, 2), "ONLY": (3, None, 3)})
        constants = made.resolver.sets["e"].constants
        self.assertEqual([c[:2] for c in constants[X86_64]],
                         [(1, "SAME"), (2, "OTHER"), (3, "ONLY")])
        self.assertEqual([c[:2] for c in constants[I386]], [(1, "SAME"), (9, "OTHER")])
        self.assertEqual(constants[X32], constants[X86_64])

    def test_enums_are_sorted_and_flags_are_not(self):
        made = Made("enum e { B=2 A=1 }\nflags f { BOTH=3 LOW=1 }")
        self.assertEqual([c[1] for c in made.resolver.sets["e"].constants[0]], ["A", "B"])
        self.assertEqual([c[1] for c in made.resolver.sets["f"].constants[0]], ["BOTH", "LOW"])

    def test_computed_with_the_precedence_of_go(self):
        made = Made("enum e { A=1 | 2 << 4\n B=~0 & 0xff - 1\n C=1 + 2 * 3 == 7\n D=-2 }")
        values = {c[1]: c[0] for c in made.resolver.sets["e"].constants[0]}
        self.assertEqual(values, {"A": 0x21, "B": 0xFE, "C": 1, "D": 2**64 - 2})

    def test_negative_unless_told_before(self):
        made = Made("enum e { ONE=1 TWO=2 }\nenum n { \"-UNO\"=-1\nnegative e }")
        names = {c[1]: c[0] for c in made.resolver.sets["n"].constants[0]}
        self.assertEqual(names, {"-UNO": 2**64 - 1, "-TWO": 2**64 - 2})

    def test_shifted(self):
        made = Made("enum e { Z=0 S=40 }\nflags f { shifted e }")
        constants = [c[:2] for c in made.resolver.sets["f"].constants[0]]
        self.assertEqual(constants, [(1, "1<<Z"), (1 << 40, "1<<S")])


class Emit(unittest.TestCase):
    def test_layouts_are_checked_from_a_version_on(self):
        made = Made('struct s from "linux/x.h" "struct y" part since "6.8" { a u32 as "b" }\n'
                    "exit(x in s) none")
        text = emit(made.resolver, made.numbers)["layout_check.c"]
        self.assertIn("// 0: linux/x.h\n#if LAYOUT == 0\n#include <linux/x.h>\n", text)
        self.assertIn("#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 8, 0)\n"
                      "_Static_assert(offsetof(struct y, b) == 0", text)
        self.assertNotIn("sizeof(struct y)", text)

    def test_generated_text_names_its_line(self):
        made = Made("\nclose(fd fd) int @never_fails")
        files = emit(made.resolver, made.numbers)
        self.assertIn("// test.desc:2\nconst struct syscall_desc desc_close", files["calls.c"])
        self.assertIn("FACT_NEVER_FAILS", files["calls.c"])
        self.assertIn('.name = "close", .number = 3', files["tables_x86_64.c"])
        self.assertIn('.name = "close", .number = 6', files["tables_i386.c"])

    def test_recursive_struct(self):
        made = Made("struct node { next in node }\nclose(fd in node) int")
        text = emit(made.resolver, made.numbers)["types.c"]
        self.assertEqual(text.count("const struct type type_node = {"), 1)


if __name__ == "__main__":
    unittest.main()
