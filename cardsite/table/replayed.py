"""A match that is played again by its rules, for its replay or the proof of its deal.

It runs in the site's process for games of the house, and in a worker process, which ``answer`` serves, for games that
visitors have written. So nothing here imports Django.
"""

from __future__ import annotations

import math
import pickle
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
import structlog

from games import core
from games.core import Game, SealedChance, Witness
from games.core.chance import Draw
from games.core.match import UNPLAYABLE
from games.core.options import OptionValue
from games.core.view import LogEntry, say

log = structlog.get_logger(__name__)


class Played(NamedTuple):
    """A move as it was stored; ``note`` is a log entry that is shown before it."""

    seat: int
    text: str
    by: str
    note: LogEntry | None


class Recorded(NamedTuple):
    """All that a match is: enough to play it again."""

    match: int
    game: Game
    rules_version: str  # by which it was played
    seats: int
    options: dict[str, OptionValue]
    seed: str
    moves: list[Played]


class Bounds(NamedTuple):
    """Where a replay ends that costs too much."""

    stopped: str  # what its last log says then
    cpu: float  # seconds
    size: float = math.inf  # bytes


def frames(recorded: Recorded, seat: int | None, bounds: Bounds, *, face_up: bool) -> tuple[list[msgspec.Raw], bool]:
    """Return what ``seat`` saw, ply by ply, each as JSON: {version, seat, move, by, view, log}, without legal moves.

    And whether that is all: where the rules refuse a move, break down or go beyond ``bounds``, the last frame's log
    says so.
    """
    frames: list[msgspec.Raw] = []
    last: dict[str, Any] = {}
    began, size = time.thread_time(), 0
    try:
        for frame in _frames(recorded, seat, face_up=face_up):
            encoded = msgspec.json.encode(frame)  # raises for what cannot be sent: rules may put it in
            size += len(encoded)
            frames.append(msgspec.Raw(encoded))
            last = frame
            if time.thread_time() - began > bounds.cpu or size > bounds.size:
                log.warning("replay exceeded its limits", match=recorded.match, ply=len(frames) - 1)
                break
        else:
            return frames, True
    except MemoryError:
        raise
    except Exception:  # whatever rules may raise
        log.exception("replay stopped", match=recorded.match, ply=len(frames))
    if frames:
        last["log"] = [*last["log"], LogEntry(kind="info", text=say(bounds.stopped))]
        frames[-1] = msgspec.Raw(msgspec.json.encode(last))
    return frames, False


def _frames(recorded: Recorded, seat: int | None, *, face_up: bool) -> Iterator[dict[str, Any]]:
    replayed = _begun(recorded, SealedChance(bytes.fromhex(recorded.seed)))
    replayed.note_round()
    same = recorded.rules_version == replayed.game.rules_version
    yield _frame(replayed, seat, face_up, same, mover=None, move="", by="")
    for played in recorded.moves:
        replayed.advance(played.seat, played.text, played.note)
        replayed.note_round()
        yield _frame(replayed, seat, face_up, same, mover=played.seat, move=played.text, by=played.by)


def _begun(recorded: Recorded, chance: SealedChance) -> core.Match:
    return core.Match.start(recorded.game, recorded.seats, recorded.options, chance)


def _frame(
    replayed: core.Match, seat: int | None, face_up: bool, same_rules: bool, *, mover: int | None, move: str, by: str
) -> dict[str, Any]:
    # The text of a move may hold what only its mover knew (a hidden bid): the log says what everybody saw.
    view: dict[str, Any] = {**replayed.view(seat, face_up=face_up), "moves": []}
    view.pop("paths", None)
    if not same_rules:
        view.pop("result", None)  # it would be another match's
    return {
        "version": replayed.ply,
        "seat": mover,
        "move": move if face_up or mover == seat else "",
        "by": by,
        "view": view,
        "log": replayed.entries(seat, replayed.ply, face_up=face_up, named=True),
    }


def draws(recorded: Recorded) -> list[Draw]:
    """Return every draw of a match. Raises RulesFailed, BadRecord, BadOption, IllegalMove."""
    witness = Witness(bytes.fromhex(recorded.seed))
    replayed = _begun(recorded, witness)
    for played in recorded.moves:
        replayed.advance(played.seat, played.text)
    return witness.notes


# -- in a worker process


class Frames(msgspec.Struct):
    """The answer to a request for frames: what ``frames`` returns."""

    frames: list[msgspec.Raw]
    complete: bool


class Draws(msgspec.Struct):
    """The answer to a request for draws; None where the rules break down."""

    notes: list[Draw] | None


def answer(request: bytes) -> bytes:
    """Answer a pickled ``(Recorded, how)`` in JSON: frames for ``(seat, face_up, bounds)``, draws for None."""
    recorded, how = pickle.loads(request)  # noqa: S301 - the site sent it
    if how is not None:
        seat, face_up, bounds = how
        return msgspec.json.encode(Frames(*frames(recorded, seat, bounds, face_up=face_up)))
    try:
        return msgspec.json.encode(Draws(draws(recorded)))
    except UNPLAYABLE:
        return msgspec.json.encode(Draws(None))
