"""A match step by step, and the proof of a sealed deal: made afresh from seed and moves whenever somebody asks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cardsite.people.models import Person
from cardsite.table.models import Match, Player
from games import catalogue
from games.core import Match as Play
from games.core import Record, SealedChance, Witness
from games.core.chance import Draw


def audience_of(match: Match, person: Person | None, *, admin: bool = False) -> tuple[int | None, bool]:
    """Return (seat, face_up): from where a person may look at a match.

    A sealed match that is over is open to all; administrators see all; others see what their seat or a watcher saw.
    """
    seat = match.players.filter(person=person).values_list("seat", flat=True).first() if person else None
    face_up = admin or (match.sealed and match.status == Match.Status.OVER)
    return seat, face_up


def frames(match: Match, seat: int | None, *, face_up: bool) -> list[dict[str, Any]]:
    """Return what ``seat`` saw, ply by ply: {version, seat, move, by, view, log}, without the legal moves."""
    return list(_frames(match, seat, face_up=face_up))


def _frames(match: Match, seat: int | None, *, face_up: bool) -> Iterator[dict[str, Any]]:
    game = catalogue.find(match.game)
    play = Play.start(game, match.players.count(), match.options, SealedChance(bytes.fromhex(match.seed)))
    yield _frame(play, seat, face_up, mover=None, move="", by="")
    for row in match.moves.order_by("ply"):
        play.play(row.seat, row.text)
        yield _frame(play, seat, face_up, mover=row.seat, move=row.text, by=row.by)


def _frame(play: Play, seat: int | None, face_up: bool, *, mover: int | None, move: str, by: str) -> dict[str, Any]:
    # The text of a move may hold what only its mover knew (a hidden bid): the log says what everybody saw.
    view: dict[str, Any] = {**play.view(seat, face_up=face_up), "moves": []}
    view.pop("trail", None)
    return {
        "version": play.ply,
        "seat": mover,
        "move": move if face_up or mover == seat else "",
        "by": by,
        "view": view,
        "log": play.lines(seat, play.ply, face_up=face_up),
    }


def names(match: Match) -> list[dict[str, Any]]:
    """Return who played: {seat, name, kind, bot}."""
    return [
        {"seat": p.seat, "name": p.name, "kind": "bot" if p.bot else "person", "bot": p.bot}
        for p in Player.objects.filter(match=match)
    ]


def draws(match: Match) -> list[Draw]:
    """Return every draw of a finished sealed match, for a browser to make again from the seed."""
    witness = Witness(bytes.fromhex(match.seed))
    play = Play.start(catalogue.find(match.game), match.players.count(), match.options, witness)
    for row in match.moves.order_by("ply"):
        play.play(row.seat, row.text)
    return witness.notes


def record(match: Match) -> Record:
    """Return a finished sealed match as a record that ``python -m games replay`` plays again.

    Secret options are left out: a sealed match has none but the defaults.
    """
    secret = {option.name for option in catalogue.find(match.game).options if option.secret}
    return {
        "game": match.game,
        "seats": match.players.count(),
        "options": {name: value for name, value in match.options.items() if name not in secret},
        "seed": match.seed,
        "moves": [(row.seat, row.text) for row in match.moves.order_by("ply")],
        "names": [player["name"] for player in names(match)],
    }
