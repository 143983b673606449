"""The pack of a text as the workshop shows it: how each value, each deck and each token is drawn, and why."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any

from games.core.view import Piece
from games.recycle.compiler import Program
from games.recycle.labels import Labels, Picture

MOST_ATTRIBUTES, MOST_VALUES = 20, 60  # that are listed, of each attribute


def pack(program: Program) -> dict[str, Any]:
    """Return the pack of a text as plain data.

    ``attributes``: each with its ``key``, and its ``values``: the ``name`` of a value, its ``word``, the first
    ``piece`` that has it, and what the table file has ``said``: any of corner, symbol, colour, number. ``more``: how
    many values are not listed. ``backs``: the ``name`` of each deck, what is said, and a ``piece``. ``own``: the
    symbols of the author's pictures by name; ``pictures``: the pictures by symbol, also those that nothing uses.
    ``words``: whether cards show words because they cannot be drawn.
    """
    cards, labels, faces = program.cards, program.labels, program.faces
    first: dict[str, dict[str, int]] = {}
    for card, attributes in enumerate(cards.attributes):
        for key, value in attributes.items():
            first.setdefault(key, {}).setdefault(value, card)
    decks = dict.fromkeys(back for back, kind in zip(cards.backs, cards.kinds, strict=True) if kind == "deck")
    opened = (faces.open(face, "") for card, face in cards.faces.items() if cards.kinds[card] == "deck")
    return {
        "attributes": [
            {
                "key": key,
                "values": [
                    {
                        "name": value,
                        "word": labels.value(value),
                        "said": _said(labels.faces, value, labels),
                        "kind": cards.kinds[card],
                        "piece": faces.open(cards.faces[card], f"{key}.{value}"),
                    }
                    for value, card in islice(found.items(), MOST_VALUES)
                ],
                "more": max(0, len(found) - MOST_VALUES),
            }
            for key, found in islice(first.items(), MOST_ATTRIBUTES)
        ],
        "backs": [
            {
                "name": name,
                "said": _said(labels.backs, name, labels),
                "piece": faces.closed(Piece(id=f"back.{name}", back=name)),
            }
            for name in decks
        ],
        "own": labels.own,
        "pictures": labels.pictures,
        "words": any("label" in piece and not ("corner" in piece or "symbol" in piece) for piece in opened),
    }


def _said(pictures: Mapping[str, Picture], name: str, labels: Labels) -> dict[str, str | int]:
    """Return what the table file says of a value or a deck, in the names that the file has."""
    picture = pictures.get(name, Picture())
    names = {key: own for own, key in labels.own.items()}
    symbol = names.get(picture.symbol, picture.symbol) if picture.symbol else None
    said = {"corner": picture.corner, "symbol": symbol, "colour": picture.colour, "number": picture.number}
    return {kind: value for kind, value in said.items() if value}
