# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Pass 1: text to tokens.

A newline separates like `;`, unless it stands inside ( ) or [ ] or after something
that cannot end a declaration, or before a fact (`@`).
"""

import re
from dataclasses import dataclass

from errors import Pos

_TOKEN = re.compile(
    r"""
    (?P<space>[ \t\r]+|\#[^\n]*)
    |(?P<newline>\n)
    |(?P<number>0[xX][0-9a-fA-F]+|[0-9]+)
    |(?P<name>[A-Za-z_][A-Za-z0-9_]*)
    |(?P<string>"[^"\n]*")
    |(?P<op>&&|\|\||==|!=|<=|>=|<<|>>|[-+*/&|~!<>=(){}\[\],;:@.])
    """,
    re.VERBOSE,
)
_CLOSES = {")": "(", "]": "[", "}": "{"}
# A declaration begins at the left margin, and nothing else does but a closing brace.
_DECLARATION_FOLLOWS = re.compile(r"[A-Za-z_]")
_FACTS_FOLLOW = re.compile(r"[ \t]*@")
_GOES_ON = set(", | & && || = == != + - * / << >> < <= > >= : ( [ {".split())


@dataclass(frozen=True)
class Token:
    # name, number, string, op (text tells which), separator, end
    kind: str
    text: str
    pos: Pos
    # Whether it stands at the left margin.
    at_margin: bool = False

    def __str__(self):
        if self.kind == "separator":
            return "end of line"
        if self.kind == "end":
            return "end of file"
        return f"'{self.text}'"


def scan(file, text, errors):
    """The tokens of @text; always ends in a separator and `end`."""
    tokens = []
    open_brackets = []
    line = 1
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        pos = Pos(file, line)
        if not match:
            errors.add(pos, f"unexpected character '{text[at]}'")
            at += 1
            continue
        at = match.end()
        kind, word = match.lastgroup, match.group()
        if kind == "space":
            continue
        if kind == "newline":
            line += 1
            if _DECLARATION_FOLLOWS.match(text, at):
                # Whatever was left open stays so: the error does not eat the rest.
                open_brackets.clear()
            within = open_brackets and open_brackets[-1] != "{"
            goes_on = tokens and tokens[-1].kind == "op" and tokens[-1].text in _GOES_ON
            if not within and not goes_on and not _FACTS_FOLLOW.match(text, at):
                tokens.append(Token("separator", word, pos))
            continue
        if kind == "op":
            if word in "([{":
                open_brackets.append(word)
            elif word in _CLOSES and _CLOSES[word] in open_brackets:
                while open_brackets.pop() != _CLOSES[word]:
                    pass
            elif word == ";":
                kind = "separator"
        if kind == "string":
            word = word[1:-1]
        at_margin = match.start() == 0 or text[match.start() - 1] == "\n"
        tokens.append(Token(kind, word, pos, at_margin))
    pos = Pos(file, line)
    tokens.append(Token("separator", "\n", pos))
    tokens.append(Token("end", "", pos))
    return tokens
