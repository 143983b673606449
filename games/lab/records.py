"""Records of matches as files: reading, replaying and printing them."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import cast

from games import catalogue
from games.core import BadOption, BadRecord, Game, Match, Record
from games.core.chance import SEED_BYTES
from games.core.match import check_rules
from games.core.view import plain


def read(text: str) -> Record:
    """Return the record in ``text``, which is JSON. Raises BadRecord, with the reason."""
    try:
        record = json.loads(text)
    except ValueError as error:
        raise BadRecord(f"A record is a JSON object; this is not JSON: {error}.") from None
    except RecursionError:
        raise BadRecord("A record is a JSON object; this one has too many nested brackets.") from None
    if not isinstance(record, dict):
        raise BadRecord("A record is a JSON object.")
    kinds = {"game": str, "seats": int, "options": dict, "seed": str, "moves": list}
    for key, kind in kinds.items():
        if not _is(record.get(key), kind):
            raise BadRecord(f"A record needs {key!r}, which must be {_KINDS[kind]}.")
    for ply, move in enumerate(record["moves"], 1):
        if not (isinstance(move, list) and len(move) == 2 and _is(move[0], int) and _is(move[1], str)):
            raise BadRecord(f'Move {ply} must be a seat and a text, as in [0, "pass"].')
    if not _is(record.get("rules", ""), str):
        raise BadRecord("The rules of a record must be a text: the version of the rules it was played by.")
    names = record.get("names", [])
    if not (isinstance(names, list) and len(names) in (0, record["seats"]) and all(_is(name, str) for name in names)):
        raise BadRecord("The names of a record must be a list of texts, one per seat.")
    if "result" in record and not _is_result(record["result"], record["seats"]):
        raise BadRecord("The result of a record must be a list of objects with a score and a share, one per seat.")
    return cast(Record, record)


def _is_result(value: object, seats: int) -> bool:
    return (
        isinstance(value, list)
        and len(value) == seats
        and all(
            isinstance(each, dict) and _is_number(each.get("score")) and _is_number(each.get("share")) for each in value
        )
    )


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def result_differs(match: Match, record: Record) -> bool:
    """Return whether the scores of a replayed match differ from those in its record."""
    return "result" in record and [each["score"] for each in record["result"]] != match.scores()


def read_file(path: Path) -> Record:
    """Return the record in a file. Raises BadRecord, OSError."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise BadRecord(f"{path} is not a text file in UTF-8: {error}.") from None
    return read(text)


def _is(value: object, kind: type) -> bool:
    """Return whether a value has a type: booleans are not numbers, and strings have no lone surrogates."""
    if isinstance(value, str) and kind is str:
        return not _LONE_SURROGATES.search(value)
    return isinstance(value, kind) and not isinstance(value, bool)


_LONE_SURROGATES = re.compile("[\ud800-\udfff]")  # JSON can contain them, and terminals cannot show them


_KINDS = {str: "a text", int: "a whole number", dict: "an object", list: "a list"}


def replay(record: Record, game: Game | None = None, *, other_rules: bool = False) -> Match:
    """Replay a record. Raises BadRecord, RulesFailed; UnknownGame if there is no such game.

    ``game`` is the game that was played, if the catalogue does not have it. ``other_rules``: replay the match under the
    current rules even if it was played under another version; otherwise that raises OtherRules.
    """
    game = game or catalogue.find(record["game"])
    if not other_rules:
        check_rules(game, record.get("rules", ""))
    if not re.fullmatch(rf"[0-9a-fA-F]{{{SEED_BYTES * 2}}}", record["seed"]):
        raise BadRecord(f"The seed of a record must be {SEED_BYTES * 2} hexadecimal digits.")
    seed = bytes.fromhex(record["seed"])
    try:
        return Match.replay(game, record["seats"], record["options"], seed, record["moves"])
    except BadOption as error:
        raise BadRecord(str(error)) from error


def transcript(match: Match, names: list[str], seat: int | None, *, face_up: bool = False) -> Iterator[str]:
    """Yield the log as lines, as far as ``seat`` (None: a spectator) may read it; ``face_up``: all of it."""
    for ply in range(match.ply + 1):
        for entry in match.entries(seat, ply, face_up=face_up):
            whom = f"({names[entry['only']]}) " if face_up and "only" in entry else ""
            yield f"{ply:4}  {whom}{plain(entry['text'], names)}"
    scores = ", ".join(f"{name} {score:g}" for name, score in zip(names, match.scores(), strict=True))
    yield f"Scores: {scores}" if match.over else f"Not over yet. Scores so far: {scores}"
