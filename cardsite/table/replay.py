"""A match step by step, and the proof of a sealed deal: made afresh from seed and moves whenever somebody asks.

Both are only as true as the rules are the same. A match that was played by another version of them is shown with a
remark that says so, and its deal is not proved; what counts is the result that was written down when it was played.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import msgspec
import structlog
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from cardsite.lobby.games import find_game
from cardsite.lobby.models import Seat
from cardsite.people.models import Person
from cardsite.refusal import Refused
from cardsite.table.dropped import UNPLAYABLE, Dropped
from cardsite.table.models import Match, Move, Player
from cardsite.table.moves import decided_for, moves_of
from games import core
from games.core import Record, SealedChance, Witness
from games.core.chance import Draw
from games.core.view import Line, say

# Never why: that may name hidden cards.
STOPPED = gettext_noop("Here the replay ends: the rules cannot go on with what was played, or take too long.")
LONGEST = 20.0  # CPU seconds that a match may take to be laid out: a long one of the house takes half a second

log = structlog.get_logger(__name__)


def audience_of(match: Match, person: Person | None, *, admin: bool = False) -> tuple[int | None, bool]:
    """Return (seat, face_up): from where a person may look at a match.

    A sealed match that is over is open to all; administrators see all; others see what their seat or a watcher saw.
    While a match is played a seat is theirs who sit there now, as at the table itself: who stands up watches.
    """
    mine = match.players.filter(person=person) if person else match.players.none()
    if match.status == Match.Status.RUNNING:
        mine = mine.filter(seat__in=Seat.objects.filter(table=match.table_id, person=person).values("index"))
    seat = mine.values_list("seat", flat=True).first()
    face_up = admin or (match.sealed and match.status == Match.Status.OVER)
    return seat, face_up


def rules_shown(match: Match) -> str:
    """Return the version of the rules by which a match would be shown now, "" when its game is gone."""
    try:
        return find_game(match.game).rules_version
    except Refused:
        return ""


def is_text(match: Match) -> bool:
    """Whether the rules of a match are a text that people write, of which copies are made and changed."""
    try:
        return bool(find_game(match.game).text)
    except Refused:
        return False


def remark(match: Match) -> str:
    """Return what must stand beside a replay of this match: why it is not what was seen then. "" if it is."""
    shown = rules_shown(match)
    if not shown:
        return _("This game is not in the house any more, so the match cannot be laid out.")
    parts = [Dropped(match.dropped).text] if match.status == Match.Status.DROPPED else []
    if match.rules_version != shown:
        versions = {"played": match.rules_version, "shown": shown}
        parts += [
            _("This match was played by version %(played)s of the rules, and is laid out by version %(shown)s.")
            % versions
            if match.rules_version
            else _("It was not noted by which rules this match was played; it is laid out by version %(shown)s.")
            % versions,
            _("What you see here may not be what happened."),
        ]
        if match.status == Match.Status.OVER:
            parts.append(_("The result that was written down then is the one that counts."))
    return " ".join(parts)


def result(match: Match) -> list[dict[str, Any]]:
    """Return how a match ended, as it was written down: {seat, name, score, share}. [] unless it is over."""
    if match.status != Match.Status.OVER:
        return []
    rows = Player.objects.filter(match=match)
    return [{"seat": row.seat, "name": row.name, "score": row.score, "share": row.share} for row in rows]


def frames(match: Match, seat: int | None, *, face_up: bool) -> tuple[list[dict[str, Any]], bool]:
    """Return what ``seat`` saw, ply by ply: {version, seat, move, by, view, log}, without the legal moves.

    And whether that is all: where the rules refuse a move, break down or take more than ``LONGEST``, the last frame's
    log says so.
    """
    told: list[dict[str, Any]] = []
    began = time.thread_time()
    rows = moves_of(match.pk)
    seats = match.players.count()
    try:
        for frame in _frames(match, seats, rows, seat, face_up=face_up):
            msgspec.json.encode(frame)  # rules may put in what cannot be sent
            told.append(frame)
            if time.thread_time() - began > LONGEST:
                raise TimeoutError(f"To lay this match out takes more than {LONGEST:g} seconds of CPU.")
    except Exception:  # whatever rules may raise: the database has been read
        log.exception("a replay stops", match=match.pk, ply=len(told))
        if told:
            told[-1]["log"] = [*told[-1]["log"], Line(kind="info", text=say(STOPPED))]
        return told, False
    return told, True


def _frames(match: Match, seats: int, rows: list[Move], seat: int | None, *, face_up: bool) -> Iterator[dict[str, Any]]:
    chance = SealedChance(bytes.fromhex(match.seed))
    replayed = core.Match.start(find_game(match.game), seats, match.options, chance)
    replayed.note_round()
    same = match.rules_version == replayed.game.rules_version
    yield _frame(replayed, seat, face_up, same, mover=None, move="", by="")
    for row in rows:
        replayed.advance(row.seat, row.text, decided_for(row.seat, row.by))
        replayed.note_round()
        yield _frame(replayed, seat, face_up, same, mover=row.seat, move=row.text, by=row.by)


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
        "log": replayed.lines(seat, replayed.ply, face_up=face_up, named=True),
    }


def names(match: Match) -> list[dict[str, Any]]:
    """Return who played: {seat, name, kind, bot, person}; the last is the person's public number, 0 for others."""
    return [
        {
            "seat": p.seat,
            "name": p.name,
            "kind": "bot" if p.bot else "person",
            "bot": p.bot,
            "person": p.person_id or 0,
        }
        for p in Player.objects.filter(match=match)
    ]


def draws(match: Match) -> list[Draw]:
    """Return every draw of a finished sealed match, for a browser to make again from the seed.

    Raises Refused, with the reason, when the rules are not those it was played by, or break down.
    """
    if match.rules_version != rules_shown(match):
        raise Refused(
            "other_rules",
            _(
                "The rules of this game are not those by which this match was played, so the shuffles cannot be made "
                "again here. That the seed is the one that was promised can be checked all the same."
            ),
        )
    witness = Witness(bytes.fromhex(match.seed))
    moves, seats = moves_of(match.pk), match.players.count()
    try:
        replayed = core.Match.start(find_game(match.game), seats, match.options, witness)
        for row in moves:
            replayed.advance(row.seat, row.text)
    except UNPLAYABLE as error:
        log.exception("a deal cannot be verified", match=match.pk)
        raise Refused(
            "rules_failed",
            _("The rules of this game break down over this match, so its shuffles cannot be made again here."),
        ) from error
    return witness.notes


def record(match: Match) -> Record:
    """Return a finished sealed match as a record that ``python -m games replay`` plays again.

    Options that administrators set are left out: a sealed match has none but the defaults. Raises Refused when the
    game is gone.
    """
    hidden = {option.name for option in find_game(match.game).options if option.set_by == "administrator"}
    return {
        "game": match.game,
        "rules": match.rules_version,
        "seats": match.players.count(),
        "options": {name: value for name, value in match.options.items() if name not in hidden},
        "seed": match.seed,
        "moves": [(row.seat, row.text) for row in moves_of(match.pk)],
        "names": [player["name"] for player in names(match)],
        "result": [{"score": player["score"], "share": player["share"]} for player in result(match)],
    }
