# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Part of pass 3: facts about arguments, `@maps[ret, length, prot]`."""

import syntax as s
from errors import DescError

# name: how many operands, at least and at most
EFFECTS = {
    "maps": (2, 3),
    "needs_address": (1, 1),
    "ends_thread": (1, 1),
    "ends_process": (1, 1),
}


def resolve(nodes, signature):
    """(name, operands) of each (pos, name, expressions); the registers must be assigned."""
    return tuple((name, _operands(*node, signature)) for node in nodes for name in (node[1],))


def _operands(pos, name, args, signature):
    if name not in EFFECTS:
        raise DescError(pos, f"unknown fact @{name}[]")
    least, most = EFFECTS[name]
    if not least <= len(args) <= most:
        raise DescError(pos, f"wrong number of arguments of @{name}")
    return tuple(_operand(arg, signature) for arg in args)


def _operand(node, signature):
    if not isinstance(node, s.Name):
        raise DescError(node.pos, "expected an argument or ret")
    if node.name == "ret":
        return None
    found = [arg for arg in signature.args if arg.name == node.name]
    if not found:
        raise DescError(node.pos, f"unknown argument {node.name}")
    return found[0].reg
