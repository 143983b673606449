"""The replay of a match, and the verification of a sealed deal: computed from seed and moves on request.

Both need the rules that the match was played with. If the rules have changed, the replay is shown with a remark, and
the deal cannot be verified. The stored result counts in any case.
"""

from __future__ import annotations

import pickle
import time
from typing import Any

import msgspec
import structlog
from django.utils.translation import gettext as _

from cardsite import costs
from cardsite.limits import WORK
from cardsite.lobby.games import find_game
from cardsite.lobby.models import Seat
from cardsite.people.models import Person
from cardsite.refusal import Refused
from cardsite.table import replay_worker
from cardsite.table.concession import concession_of
from cardsite.table.dropped import Dropped
from cardsite.table.models import Match, Player
from cardsite.table.moves import decided_for, moves_of
from cardsite.table.replay_queue import busy
from cardsite.table.replay_worker import (
    Asked,
    Bounds,
    DrawsAnswer,
    DrawsAsked,
    FramesAnswer,
    FramesAsked,
    KindsAnswer,
    KindsAsked,
    RecordedMatch,
    RecordedMove,
)
from games.core import Record
from games.core.chance import Draw
from games.core.match import UNPLAYABLE
from games.jobs import Busy, Child, JobFailed, Limits, OutOfMemory, TooMuchCpu
from games.jobs.pool import Pool

CPU = WORK["replay"].cpu
# A replay ends at this limit. A worker process then has some time left to send it.
BUILT_IN_BOUNDS = Bounds(CPU)
VISITORS_BOUNDS = Bounds(0.75 * CPU, size=24 << 20)
LIMITS = Limits(nice=19, memory=512 << 20, confined=True, largest=32 << 20)
# Seconds for which a request that took too much is refused at once: another attempt would cost as much.
REMEMBERED = 3600.0
MOST_REMEMBERED = 1000
WORKERS, WAITING, PATIENCE = 2, 10, 15.0  # processes; requests that wait for one; seconds that they wait

log = structlog.get_logger(__name__)

# A match, its seed, the number of its moves, and what to compute.
ReplayRequest = tuple[int, str, int, Asked]

_too_much: dict[ReplayRequest, float] = {}  # time until which a request is refused
workers = Pool(lambda: Child(replay_worker.answer, LIMITS, name="replay"), WORKERS, WAITING)


def audience_of(match: Match, person: Person | None, *, admin: bool = False) -> tuple[int | None, bool]:
    """Return (seat, face_up): the audience of a match that a person belongs to.

    An ended sealed match is open to all; administrators see all; others see what their seat or a spectator saw. While a
    match is being played, a seat belongs to the person who sits there now, as at the table; a person who stood up is a
    spectator.
    """
    mine = match.players.filter(person=person) if person else match.players.none()
    if match.status == Match.Status.RUNNING:
        mine = mine.filter(seat__in=Seat.objects.filter(table=match.table_id, person=person).values("index"))
    seat = mine.values_list("seat", flat=True).first()
    face_up = admin or (match.sealed and match.status == Match.Status.OVER)
    return seat, face_up


def rules_shown(match: Match) -> str:
    """Return the version of the rules that a match would be shown with now, "" if its game is gone."""
    try:
        return find_game(match.game).rules_version
    except Refused:
        return ""


def is_text(match: Match) -> bool:
    """Return whether the rules of a match are a text that people can copy and change."""
    try:
        return bool(find_game(match.game).text)
    except Refused:
        return False


def remark(match: Match) -> str:
    """Return the remark for a replay that may differ from the match as it was played; "" for others."""
    shown = rules_shown(match)
    if not shown:
        return _("This game is no longer available, so the match cannot be shown.")
    parts = [Dropped(match.dropped).text] if match.status == Match.Status.DROPPED else []
    if match.rules_version != shown:
        versions = {"played": match.rules_version, "shown": shown}
        parts += [
            _("This match was played with version %(played)s of the rules and is shown with version %(shown)s.")
            % versions
            if match.rules_version
            else _("The version of the rules of this match was not stored; it is shown with version %(shown)s.")
            % versions,
            _("What you see here may differ from what happened."),
        ]
        if match.status == Match.Status.OVER:
            parts.append(_("The result that was recorded at the time counts."))
    return " ".join(parts)


def result(match: Match) -> list[dict[str, Any]]:
    """Return the stored results of a match: {seat, name, score, share}. [] unless it is over.

    ``name`` says if a bot made most of a person's decisions.
    """
    if match.status != Match.Status.OVER:
        return []
    rows = Player.objects.filter(match=match)
    return [{"seat": row.seat, "name": row.shown, "score": row.score, "share": row.share} for row in rows]


def frames(match: Match, seat: int | None, *, face_up: bool) -> tuple[list[msgspec.Raw], bool]:
    """Return what ``seat`` saw, ply by ply, each as JSON: {version, seat, move, by, view, log}, without legal moves.

    Also return whether they are complete: if the rules refuse a move, fail or take too long, the last frame's log says
    so. Raises Refused when a visitor's rules give no answer in time, or too many requests are waiting.
    """
    try:
        recorded = _recorded(match)
    except Refused:  # the game is gone
        return [], False
    if not recorded.game.untrusted:
        return replay_worker.frames(recorded, seat, BUILT_IN_BOUNDS, face_up=face_up)
    answer = msgspec.json.decode(_ask_worker(recorded, FramesAsked(seat, face_up, VISITORS_BOUNDS)), type=FramesAnswer)
    return answer.frames, answer.complete


def _recorded(match: Match) -> RecordedMatch:
    """Return the data of a match. Raises Refused when its game is gone."""
    moves = [RecordedMove(row.seat, row.text, row.by, decided_for(row.seat, row.by)) for row in moves_of(match.pk)]
    game, seats, ended = find_game(match.game), match.players.count(), concession_of(match)
    return RecordedMatch(match.pk, game, match.rules_version, seats, match.options, match.seed, moves, ended)


def _ask_worker(recorded: RecordedMatch, asked: Asked) -> bytes:
    """Return the answer of a worker process: see ``replay_worker.answer``. Blocks. Raises Refused."""
    request = recorded.match, recorded.seed, len(recorded.moves), asked
    if _too_much.get(request, 0.0) > time.monotonic():
        raise _takes_too_much()
    try:
        answer = workers.ask(pickle.dumps((recorded, asked)), CPU, recorded.game.name, PATIENCE)
    except Busy as failed:
        raise busy() from failed
    except JobFailed as failed:
        costs.add(failed.cpu)
        log.warning("replay exceeded its limits", match=recorded.match, game=recorded.game.name, why=repr(failed))
        if isinstance(failed, TooMuchCpu | OutOfMemory):
            _remember(request)
        raise _takes_too_much() from failed
    costs.add(answer.cpu)
    return answer.payload


def _remember(request: ReplayRequest) -> None:
    """Remember that a request took too much. Forgets the oldest one if there are many."""
    _too_much.pop(request, None)
    _too_much[request] = time.monotonic() + REMEMBERED
    if len(_too_much) > MOST_REMEMBERED:
        _too_much.pop(next(iter(_too_much)), None)


def _takes_too_much() -> Refused:
    text = _("The rules of this game need too much computing time or memory to replay this match.")
    return Refused("too_much", text)


def names(match: Match) -> list[dict[str, Any]]:
    """Return the players: {seat, name, kind, bot, person}; ``person`` is the public number, 0 for others."""
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
    """Return every random draw of an ended sealed match, for a browser to repeat from the seed.

    Raises Refused, with the reason, when the rules have changed, fail, or take too much.
    """
    if match.rules_version != rules_shown(match):
        raise Refused(
            "other_rules",
            _(
                "The rules of this game have changed since this match was played, so its shuffles cannot be "
                "repeated here. You can still check that the seed matches the published hash."
            ),
        )
    recorded = _recorded(match)
    if recorded.game.untrusted:
        notes = msgspec.json.decode(_ask_worker(recorded, DrawsAsked()), type=DrawsAnswer).notes
    else:
        try:
            notes = replay_worker.draws(recorded)
        except UNPLAYABLE:
            log.exception("could not verify a deal", match=match.pk)
            notes = None
    if notes is None:
        raise Refused(
            "rules_failed",
            _("The rules of this game fail on this match, so its shuffles cannot be repeated here."),
        )
    return notes


def kinds(match: Match, seats: tuple[int, ...]) -> KindsAnswer:
    """Return the kinds of moves that people in some seats of an ended match were offered and chose.

    Computed in a worker process for all games, because it is done for many matches. Blocks. Raises Refused.
    """
    return msgspec.json.decode(_ask_worker(_recorded(match), KindsAsked(seats, 0.75 * CPU)), type=KindsAnswer)


def record(match: Match) -> Record:
    """Return an ended sealed match as a record for ``python -m games replay``.

    Options for administrators are left out: a sealed match has their defaults. Raises Refused when the
    game is gone.
    """
    hidden = {option.name for option in find_game(match.game).options if option.set_by == "administrator"}
    found: Record = {
        "game": match.game,
        "rules": match.rules_version,
        "seats": match.players.count(),
        "options": {name: value for name, value in match.options.items() if name not in hidden},
        "seed": match.seed,
        "moves": [(row.seat, row.text) for row in moves_of(match.pk)],
        "names": [player["name"] for player in names(match)],
    }
    if not match.conceded:  # else it has no scores
        found["result"] = [{"score": player["score"], "share": player["share"]} for player in result(match)]
    return found
