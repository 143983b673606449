"""Trees without places: for comparing what was read with what should have been."""

from __future__ import annotations

from typing import Any

from games.recycle.reader import read
from games.recycle.tree import Action, Block, GameNode, Node, Span, Type, Value, Var

AT = Span(0, 0)

SETUP = "(setup (create players 4) (create deck (game iloc STOCK) (deck (RANK (A, TWO)))))"
SCORING = "(scoring max 0)"


def bare(node: object, variables: dict[Var, int] | None = None, *, named: bool = True) -> Any:
    """Return a node as nested tuples without places, each variable by its number in the order of appearance.

    Unless ``named``, the names of variables are left out.
    """
    variables = {} if variables is None else variables
    if isinstance(node, Var):
        number = variables.setdefault(node, len(variables))
        return (number, node.name if named else "", node.type.name, node.how, node.live)
    if isinstance(node, Type):
        return node.name
    if isinstance(node, Node):
        fields = [name for name in node.__dataclass_fields__ if name != "at"]
        return (type(node).__name__, *(bare(getattr(node, name), variables, named=named) for name in fields))
    if isinstance(node, tuple):
        return tuple(bare(one, variables, named=named) for one in node)
    return node


def game(*blocks: str, declares: str = "", setup: str = SETUP, scoring: str = SCORING) -> GameNode:
    """Read a game of some blocks."""
    return read(f"(game {declares} {setup} {' '.join(blocks)} {scoring})")


def block(text: str) -> Block:
    """Read a block."""
    return game(text).blocks[0]


def step(text: str) -> Action:
    """Read a step."""
    read_block = block(f"(do ({text}))")
    return read_block.steps[0]  # type: ignore[union-attr]


# What the variables of ``value`` are bound to: one of each type.
VARIABLES = """
(let 1 'N (let A 'S (let (filter (game vloc Q) 'X (== 1 1)) 'CS (let (game vloc Q) 'LIVE (let (subsets (game vloc Q)) 'G
(all player 'P (all team 'T (all (game vloc Q) 'C %s))))))))
"""


def among_variables(text: str) -> tuple[Action, dict[str, Var]]:
    """Read a step among variables of each type; return it and the variables by name."""
    found = block(VARIABLES % text)
    variables = {}
    for _ in range(8):
        variables[found.var.name] = found.var  # type: ignore[union-attr]
        found = found.step  # type: ignore[union-attr]
    return found, variables  # type: ignore[return-value]


def value(text: str) -> Value:
    """Read a value."""
    return step(f"(let {text} 'Z (turn pass))").value  # type: ignore[union-attr]
