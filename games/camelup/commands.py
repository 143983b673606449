"""Camel Up on the command line: ``python -m games camelup odds POSITION.json``."""

from __future__ import annotations

import argparse
import json
import re
from math import factorial
from pathlib import Path
from typing import Any

from games.camelup.odds import Placement, track_odds
from games.core import BadOption

ABOUT = "Camel Up: the odds of a leg"  # in the list of commands
MOST_CAMELS = 8
LONGEST = 1000  # squares
MOST_SEQUENCES = 300_000_000  # eight camels with the usual dice: some ten seconds, and two gigabytes


def add_to(parser: argparse.ArgumentParser) -> None:
    """Add the commands of Camel Up: each sets ``run``, which gets the parsed arguments."""
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    one = commands.add_parser("odds", help="count how a leg can end, from POSITION.json")
    one.add_argument("file", type=Path, metavar="POSITION.json")
    one.set_defaults(run=_print_odds)


def _print_odds(args: argparse.Namespace) -> None:
    try:
        position = json.loads(args.file.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise BadOption(f"{args.file} is not JSON: {error}.") from None
    print(json.dumps(odds(position)))


def odds(position: Any) -> dict[str, Any]:
    """Return the odds of a leg, as whole numbers out of ``sequences``.

    ``position``: ``{"finish": 16, "track": {"4": ["c_2", "c_0"]}, "tiles": {"7": 1, "9": -1}, "left": ["c_0"]}``;
    squares are numbered from 0, stacks are from bottom to top, ``left`` are the camels still to move in this leg.
    ``tiles`` may be left out, and so may ``die``, the lowest and highest face: [1, 3]. Raises BadOption.
    """
    if not isinstance(position, dict) or not {"finish", "track", "left"} <= set(position):
        raise BadOption('A position is an object with "finish", "track" and "left"; "tiles" and "die" may be left out.')
    unknown = set(position) - {"finish", "track", "tiles", "left", "die"}
    if unknown:
        raise BadOption(f"A position has no {', '.join(sorted(unknown))}.")
    finish = position["finish"]
    if not _whole(finish, 1, LONGEST):
        raise BadOption(f"finish must be a whole number from 1 to {LONGEST}, not {finish!r}.")
    low, high = _die(position.get("die", [1, 3]))
    stacks = _track(position["track"], finish)
    names = sorted(camel for stack in stacks.values() for camel in stack)
    if not 0 < len(names) <= MOST_CAMELS or len(set(names)) < len(names):
        raise BadOption(f"There must be 1 to {MOST_CAMELS} camels on the track, each of them once.")
    number = {camel: index for index, camel in enumerate(names)}
    tiles = _tiles(position.get("tiles", {}), stacks, finish)
    left = position["left"]
    camels = isinstance(left, list) and all(isinstance(camel, str) for camel in left)
    if not camels or len(set(left)) < len(left) or not set(left) <= set(names):
        raise BadOption(f"left must be a list of camels on the track, each at most once, not {left!r}.")
    sequences = factorial(len(left)) * (high - low + 1) ** len(left)
    if sequences > MOST_SEQUENCES:
        raise BadOption(
            f"The dice that are left have {sequences:,} sequences; more than {MOST_SEQUENCES:,} are too many."
        )
    place = {number[camel]: square for square, stack in stacks.items() for camel in stack}
    placement = Placement(
        finish=finish,
        order=tuple(number[camel] for square in sorted(stacks) for camel in stacks[square]),
        place=tuple(place[index] for index in range(len(names))),
        left=tuple(sorted(number[camel] for camel in left)),
        tiles=tuple(sorted(tiles.items())),
        die=(low, high),
    )
    computed = track_odds(placement)
    return {
        "sequences": computed.sequences,
        "ranks": {camel: computed.ranks[index].tolist() for camel, index in number.items()},
        "tile_hits": {str(square): computed.tile_hits(square) for square in tiles},
        "race_ends": computed.race_ends,
    }


def _whole(value: object, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _square(text: str) -> int:
    if not re.fullmatch("0|[1-9][0-9]{0,5}", text):
        raise BadOption(f"A square is a whole number from 0, not {text!r}.")
    return int(text)


def _die(faces: Any) -> tuple[int, int]:
    whole = isinstance(faces, list) and len(faces) == 2 and all(_whole(face, 1, 9) for face in faces)
    if not whole or faces[0] > faces[1]:
        raise BadOption(f"die must be its lowest and its highest face, as in [1, 3], not {faces!r}.")
    return faces[0], faces[1]


def _track(track: Any, finish: int) -> dict[int, list[str]]:
    if not isinstance(track, dict):
        raise BadOption('track must be an object of squares and stacks, as in {"4": ["c_2", "c_0"]}.')
    stacks: dict[int, list[str]] = {}
    for square, stack in track.items():
        if not isinstance(stack, list) or not all(isinstance(camel, str) for camel in stack):
            raise BadOption(f"The stack on square {square} must be a list of camels, bottom first, not {stack!r}.")
        if _square(square) >= finish:
            raise BadOption(f"Square {square} is past the finish: the race is over.")
        if stack:
            stacks[_square(square)] = stack
    return stacks


def _tiles(tiles: Any, stacks: dict[int, list[str]], finish: int) -> dict[int, int]:
    if not isinstance(tiles, dict) or not all(_whole(side, -1, 1) and side for side in tiles.values()):
        raise BadOption('tiles must be an object of squares and 1 or -1, as in {"7": 1, "9": -1}.')
    sides = {_square(square): side for square, side in tiles.items()}
    for square in sides:
        if square in stacks or not 0 < square < finish:
            raise BadOption(
                f"No tile can lie on square {square}: it is the first, has camels on it, or is off the track."
            )
        if square + 1 in sides:
            raise BadOption(f"No tiles can lie next to each other, as on squares {square} and {square + 1}.")
    return sides
