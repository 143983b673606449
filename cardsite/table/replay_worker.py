"""Replaying a match with its rules, for its replay or to verify its deal.

Runs in the site's process for the site's own games, and in a worker process (``answer``) for games by visitors. So
nothing here imports Django.
"""

from __future__ import annotations

import math
import pickle
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
import structlog

from games import core
from games.core import Game, SealedChance, Witness
from games.core.chance import Draw
from games.core.match import UNPLAYABLE, Concession
from games.core.options import OptionValue
from games.core.view import LogEntry, say, word

log = structlog.get_logger(__name__)

# The last log entry of a replay that is not complete. Without the error, which may name hidden cards.
STOPPED = word("The replay ends here: the rules cannot continue with the moves that were played, or take too long.")


class RecordedMove(NamedTuple):
    """A stored move; ``note`` is a log entry to be shown before it."""

    seat: int
    text: str
    by: str
    note: LogEntry | None


class RecordedMatch(NamedTuple):
    """The data of a match: enough to replay it."""

    match: int
    game: Game
    rules_version: str  # with which it was played
    seats: int
    options: dict[str, OptionValue]
    seed: str
    moves: list[RecordedMove]
    conceded: Concession | None = None  # how it ended, if not by the rules


class Bounds(NamedTuple):
    """The limits at which a replay ends."""

    cpu: float  # seconds
    size: float = math.inf  # bytes


class FramesAsked(NamedTuple):
    """A request for what ``seat`` saw: see ``frames``."""

    seat: int | None
    face_up: bool
    bounds: Bounds


class KindsAsked(NamedTuple):
    """A request for the kinds of moves that people in ``seats`` were offered and chose: see ``kinds``."""

    seats: tuple[int, ...]
    cpu: float  # seconds


class DrawsAsked(NamedTuple):
    """A request for every random draw: see ``draws``."""


Asked = FramesAsked | KindsAsked | DrawsAsked


def frames(
    recorded: RecordedMatch, seat: int | None, bounds: Bounds, *, face_up: bool
) -> tuple[list[msgspec.Raw], bool]:
    """Return what ``seat`` saw, ply by ply, each as JSON: {version, seat, move, by, view, log}, without legal moves.

    Also return whether they are complete: if the rules refuse a move, fail or exceed ``bounds``, the last frame's log
    ends with ``STOPPED``.
    """
    frames: list[msgspec.Raw] = []
    last: dict[str, Any] = {}
    began, size = time.thread_time(), 0
    try:
        for frame in _frames(recorded, seat, face_up=face_up):
            encoded = msgspec.json.encode(frame)  # raises for data of rules that cannot be sent
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
    except Exception:  # rules may raise anything
        log.exception("replay stopped", match=recorded.match, ply=len(frames))
    if frames:
        last["log"] = [*last["log"], LogEntry(kind="info", text=say(STOPPED))]
        frames[-1] = msgspec.Raw(msgspec.json.encode(last))
    return frames, False


def _frames(recorded: RecordedMatch, seat: int | None, *, face_up: bool) -> Iterator[dict[str, Any]]:
    replayed = _begun(recorded, SealedChance(bytes.fromhex(recorded.seed)))
    same = recorded.rules_version == replayed.game.rules_version
    _end_if_conceded(replayed, recorded)
    replayed.note_round()
    yield _frame(replayed, seat, face_up, same, mover=None, move="", by="")
    for played in recorded.moves:
        replayed.advance(played.seat, played.text, played.note)
        _end_if_conceded(replayed, recorded)
        replayed.note_round()
        yield _frame(replayed, seat, face_up, same, mover=played.seat, move=played.text, by=played.by)


def _begun(recorded: RecordedMatch, chance: SealedChance) -> core.Match:
    return core.Match.start(recorded.game, recorded.seats, recorded.options, chance)


def _end_if_conceded(replayed: core.Match, recorded: RecordedMatch) -> None:
    """After the last move of a match that was not played to its end, end it."""
    if recorded.conceded and replayed.ply == len(recorded.moves):
        replayed.concede(recorded.conceded)


def _frame(
    replayed: core.Match, seat: int | None, face_up: bool, same_rules: bool, *, mover: int | None, move: str, by: str
) -> dict[str, Any]:
    # The move itself may contain what only its player knew (a hidden bid). The log has what everybody saw.
    view: dict[str, Any] = {**replayed.view(seat, face_up=face_up), "moves": []}
    view.pop("paths", None)  # more legal moves
    if not (same_rules or replayed.conceded):
        view.pop("result", None)  # it would be that of another match
    return {
        "version": replayed.ply,
        "seat": mover,
        "move": move if face_up or mover == seat else "",
        "by": by,
        "view": view,
        "log": replayed.entries(seat, replayed.ply, face_up=face_up, named=True),
    }


def draws(recorded: RecordedMatch) -> list[Draw]:
    """Return every random draw of a match. Raises RulesFailed, BadRecord, BadOption, IllegalMove."""
    witness = Witness(bytes.fromhex(recorded.seed))
    replayed = _begun(recorded, witness)
    for played in recorded.moves:
        replayed.advance(played.seat, played.text)
    return witness.notes


def kinds(recorded: RecordedMatch, asked: KindsAsked) -> KindsAnswer:
    """Return the kinds of moves (``State.move_kinds``) that people were offered and chose, where there were several."""
    offered: Counter[str] = Counter()
    chosen: Counter[str] = Counter()
    complete = True
    began = time.thread_time()
    try:
        replayed = _begun(recorded, SealedChance(bytes.fromhex(recorded.seed)))
        for played in recorded.moves:
            if played.by == "person" and played.seat in asked.seats:
                all_kinds = replayed.state.move_kinds(played.seat)
                if len(set(all_kinds)) > 1:
                    offered += Counter(set(all_kinds))
                    chosen[all_kinds[replayed.legal_moves(played.seat).index(played.text)]] += 1
            replayed.advance(played.seat, played.text)
            if time.thread_time() - began > asked.cpu:
                complete = False
                break
    except MemoryError:
        raise
    except Exception:  # rules may raise anything
        log.exception("could not count choices", match=recorded.match)
        complete = False
    return KindsAnswer(dict(offered), dict(chosen), complete)


# -- in a worker process


class KindsAnswer(msgspec.Struct):
    """The answer to a request for kinds of moves: how often each was offered beside others, and chosen."""

    offered: dict[str, int]
    chosen: dict[str, int]
    complete: bool  # the rules could replay the match to its end in time


class FramesAnswer(msgspec.Struct):
    """The answer to a request for frames: what ``frames`` returns."""

    frames: list[msgspec.Raw]
    complete: bool


class DrawsAnswer(msgspec.Struct):
    """The answer to a request for draws; None if the rules fail."""

    notes: list[Draw] | None


def answer(request: bytes) -> bytes:
    """Answer a pickled ``(RecordedMatch, Asked)`` in JSON: a ``FramesAnswer``, ``KindsAnswer`` or ``DrawsAnswer``."""
    recorded: RecordedMatch
    asked: Asked
    recorded, asked = pickle.loads(request)  # noqa: S301 - the site sent it
    found: FramesAnswer | KindsAnswer | DrawsAnswer
    match asked:
        case FramesAsked(seat, face_up, bounds):
            found = FramesAnswer(*frames(recorded, seat, bounds, face_up=face_up))
        case KindsAsked():
            found = kinds(recorded, asked)
        case DrawsAsked():
            try:
                found = DrawsAnswer(draws(recorded))
            except UNPLAYABLE:
                found = DrawsAnswer(None)
    return msgspec.json.encode(found)
