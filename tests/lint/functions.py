# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Functions fit a screen (60 lines) and indent at most 4 levels, their own included."""

import ast
import re

LINES = 60
LEVELS = 4
# Functions that are not yet shorter or flatter: "file function". May only shrink.
LEFT = {"src/session/session.c session_run", "syscalls/gen/scan.py scan"}

TOKEN = re.compile(
    r"""
    (?P<skip>[ \t]+|//[^\n]*|/\*.*?\*/|^[ \t]*\#(?:\\\n|[^\n])*)
  | (?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
  | (?P<word>[A-Za-z_]\w*)
  | (?P<mark>[{}();])
  | (?P<lines>\n+)
  | (?P<rest>/|[^\w\s{}();"'/]+|.)
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
BLOCKS = ("if", "for", "while", "switch", "do")


def tokens_of(text):
    """[(token, line)] of what shapes the code: words, braces, parentheses, semicolons."""
    line = 1
    found = []
    for match in TOKEN.finditer(text):
        if match.lastgroup in ("word", "mark"):
            found.append((match[0], line))
        elif match.lastgroup == "rest":
            found.append((".", line))
        if match.lastgroup in ("lines", "skip"):
            line += match[0].count("\n")
    return found


class Body:
    """The body of a function: walks its statements, and remembers the deepest one."""

    def __init__(self, tokens, start):
        self.tokens = tokens
        self.next = start
        self.depth = 0
        self.deepest = tokens[start][1]
        self.block(0)
        self.end = tokens[self.next - 1][1]

    def peek(self, ahead=0):
        place = self.next + ahead
        return self.tokens[place][0] if place < len(self.tokens) else "}"

    def skip_pair(self, opening, closing):
        level = 0
        while self.next < len(self.tokens):
            level += (self.peek() == opening) - (self.peek() == closing)
            self.next += 1
            if level == 0:
                return

    def block(self, depth):
        self.next += 1
        while self.next < len(self.tokens) and self.peek() != "}":
            self.statement(depth)
        self.next += 1

    def inner(self, depth):
        if depth + 1 > self.depth:
            self.depth = depth + 1
            self.deepest = self.tokens[self.next - 1][1]
        self.statement(depth + 1)

    def branch(self, depth):
        self.next += 1
        self.skip_pair("(", ")")
        self.inner(depth)
        if self.peek() == "else":
            self.next += 1
            if self.peek() == "if":  # a chain is as deep as its first condition
                self.branch(depth)
            else:
                self.inner(depth)

    def statement(self, depth):
        word = self.peek()
        if word == "{":
            self.block(depth)
        elif word == "if":
            self.branch(depth)
        elif word == "do":
            self.next += 1
            self.inner(depth)
            self.simple()
        elif word in BLOCKS:
            self.next += 1
            self.skip_pair("(", ")")
            self.inner(depth)
        else:
            self.simple(depth)

    def simple(self, depth=None):
        """To the semicolon; a macro like `array_each(…) {` is a loop."""
        start = self.next
        while self.next < len(self.tokens) and self.peek() not in (";", "}"):
            if self.peek() == "(":
                self.skip_pair("(", ")")
                is_loop = depth is not None and self.tokens[start + 1][0] == "("
                if is_loop and self.peek() == "{":
                    self.inner(depth)
                    return
            elif self.peek() == "{":  # an initializer
                self.skip_pair("{", "}")
            else:
                self.next += 1
        if self.peek() == ";":
            self.next += 1


def c_functions(text):
    """(name, line, lines, depth, line of the deepest statement) of each function."""
    tokens = tokens_of(text)
    place = 0
    while place < len(tokens):
        token, line = tokens[place]
        if token == "{" and place and tokens[place - 1][0] == ")":
            body = Body(tokens, place)
            name = name_before(tokens, place)
            yield name, line, body.end - line + 1, body.depth, body.deepest
            place = body.next
        elif token == "{":
            place = end_of_braces(tokens, place)
        else:
            place += 1


def name_before(tokens, place):
    level = 0
    while place > 0:
        place -= 1
        level += (tokens[place][0] == ")") - (tokens[place][0] == "(")
        if level == 0:
            return tokens[place - 1][0]
    return "?"


def end_of_braces(tokens, place):
    level = 0
    while place < len(tokens):
        level += (tokens[place][0] == "{") - (tokens[place][0] == "}")
        place += 1
        if level == 0:
            break
    return place


def python_depth(node, depth=0):
    """(depth, line) of the deepest statement below a function."""
    deepest = (depth, node.lineno)
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue  # counted for themselves
        if not isinstance(child, (ast.stmt, ast.ExceptHandler)):
            continue
        below = depth
        # `elif` is an `if` in the else branch of another.
        chained = isinstance(node, ast.If) and node.orelse == [child] and isinstance(child, ast.If)
        if isinstance(child, (ast.If, ast.For, ast.While, ast.With, ast.Try)) and not chained:
            below += 1
        deepest = max(deepest, python_depth(child, below), key=lambda found: found[0])
    return deepest


def python_functions(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            depth, line = python_depth(node)
            yield node.name, node.lineno, node.end_lineno - node.lineno + 1, depth, line


def is_python(name, text):
    return name.suffix == ".py" or text.startswith("#!/usr/bin/env python3")


def functions_of(name, text):
    if name.suffix in (".c", ".h"):
        return c_functions(text)
    return python_functions(text) if is_python(name, text) else []


def check(root, files, _program):
    problems = []
    left = set(LEFT)
    for name in files:
        if name.suffix not in (".c", ".h", ".py", ""):
            continue
        text = (root / name).read_text(errors="replace")
        for function, line, lines, depth, deepest in functions_of(name, text):
            told = []
            if lines > LINES:
                told.append(f"{name}:{line}: {function} has {lines} lines, more than {LINES}")
            if depth + 1 > LEVELS:
                told.append(f"{name}:{deepest}: {function} indents {depth + 1} levels, "
                            f"more than {LEVELS}")
            if told and f"{name} {function}" in LEFT:
                left.discard(f"{name} {function}")
            else:
                problems += told
    return problems + [f"{entry}: is short and flat now, take it out of LEFT" for entry in left]
