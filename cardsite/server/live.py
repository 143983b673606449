"""One process's copy of a match: its state, its clocks, and what each audience is told of it.

The copy is a cache. The database's moves are the match; ``load`` and ``catch_up`` bring a copy to where they stand.
Whatever the rules raise comes out as RulesFailed, and then the copy is spoilt: the referee forgets it.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import structlog
from django.conf import settings

from cardsite.lobby import services as lobby
from cardsite.lobby.games import find_game
from cardsite.lobby.rows import SEATS
from cardsite.refusal import Refused
from cardsite.server.changes import Known, difference
from cardsite.server.protocol import CHANGES, OutChange, OutPly, OutSnapshot, StageChange, encode
from cardsite.table.dropped import UNPLAYABLE, Dropped, Why
from cardsite.table.ending import UNTOLD, Ending
from cardsite.table.models import Match, Move
from cardsite.table.moves import decided_for, moves_of
from cardsite.table.rows import MATCH
from games import core
from games.core import BadRecord, IllegalMove, SealedChance
from games.core.match import Asking, check_rules
from games.core.view import Stage, View

KEPT_MESSAGES = 20  # plies whose messages are kept for those who were gone for a moment; others get a snapshot
Audience = int | None  # a seat, or None for all watchers


class Reader(NamedTuple):
    """Whom a message is rendered for: an audience, in the protocol that it speaks."""

    audience: Audience
    protocol: int


log = structlog.get_logger(__name__)


def now_ms() -> int:
    """Return the clock that moves and deadlines are written in: milliseconds since 1970."""
    return int(time.time() * 1000)


@dataclass(frozen=True)
class Sitter:
    """Who decides for a seat now."""

    person: int  # Person's number, 0 for none
    bot: str  # the kind of bot that decides when no person does
    away: bool

    @property
    def decides(self) -> bool:
        """Whether a person is expected to decide."""
        return bool(self.person) and not self.away


class LiveMatch:
    """A match under way (or just over) in this process. ``match`` is the match by its rules."""

    def __init__(self, row: Match, code: str, match: core.Match, sitters: list[Sitter]) -> None:
        self.id = row.pk
        self.code = code
        self.table_id = row.table_id
        self.seconds = row.seconds
        self.sealed = row.sealed
        self.seed = row.seed
        self.commitment = SealedChance.commitment(bytes.fromhex(row.seed)) if row.sealed else ""
        self.match = match
        self.by: list[str] = []
        self.sitters = sitters
        self.lock = asyncio.Lock()
        started = int(row.started.timestamp() * 1000)
        self.since = dict.fromkeys(self._waited_for(), started)  # since when each seat to act has been waited for
        self._sent: deque[tuple[int, dict[Reader, str]]] = deque(maxlen=KEPT_MESSAGES)
        self._views: dict[Audience, View] = {}  # as the match stands, of those who have been told
        self._before: dict[Audience, View] = {}  # and as it stood before the last move
        self._shown: list[View] = []  # moments of that move
        self._known: Known = {}  # of the changes from view to view

    # -- the match

    @property
    def version(self) -> int:
        """How many moves are made."""
        return self.match.ply

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return not self.since

    def advance(self, seat: int, move: str, by: str, at: int) -> None:
        """Make a move in the copy. Raises IllegalMove and changes nothing when it is refused; RulesFailed."""
        self.match.advance(seat, move, decided_for(seat, by))
        self.match.note_round()
        self._before, self._views, self._shown, self._known = self._views, {}, [], {}
        self.by.append(by)
        at += int(self.match.hold * settings.STAGE_PACE)  # nobody's time runs while all look at what has happened
        self.since = {s: at if s == seat else self.since.get(s, at) for s in self._waited_for()}

    def follow(self, stored: Move) -> None:
        """Make a move that is stored already. Raises BadRecord when the rules refuse it; RulesFailed."""
        try:
            self.advance(stored.seat, stored.text, stored.by, stored.at)
        except IllegalMove as refusal:
            raise BadRecord(f"Ply {stored.ply} ({stored.text!r} by seat {stored.seat}): {refusal}") from refusal

    def take(self, fresh: LiveMatch) -> None:
        """Become what ``fresh``, just loaded, is: another process has overtaken this copy."""
        self.match, self.by, self.since, self.sitters = fresh.match, fresh.by, fresh.since, fresh.sitters
        self._views, self._before, self._shown, self._known = {}, {}, [], {}

    def result(self) -> tuple[list[float], list[int]]:
        """Return the scores by seat, and who shares the win. Raises RulesFailed, also for what can be no result."""
        seats = range(len(self.sitters))
        with Asking(self.match.game, "asked for the result after move {}", self.version):
            scores, winners = [float(score) for score in self.match.scores()], list(self.match.winners())
            if len(scores) != len(seats) or not all(map(math.isfinite, scores)) or not set(winners) <= set(seats):
                raise ValueError(f"Scores {scores!r} and winners {winners!r} of {len(seats)} seats.")
        return scores, winners

    def ending(self) -> Ending:
        """Return what else there is to say of the end; nothing where the rules fail at that: the result stands."""
        match = self.match
        try:
            text = match.view(None)["result"]["text"]
            return Ending.of(text, match.state.ranks(), match.state.low_wins, len(self.sitters))
        except Exception:  # whatever rules may raise
            log.exception("it cannot be said how a match ended", match=self.id)
            return UNTOLD

    def _waited_for(self) -> tuple[int, ...]:
        """Return who is to act. Raises RulesFailed, also for seats that there are not."""
        with Asking(self.match.game, "asked who is to act after move {}", self.version):
            seats = self.match.to_act()
            if not set(seats) <= set(range(len(self.sitters))):
                raise ValueError(f"Seats {seats!r} of {len(self.sitters)} are to act.")
        return seats

    @property
    def clocked(self) -> bool:
        """Whether a clock runs for people's decisions."""
        return lobby.clock_runs(self.seconds, sum(bool(sitter.person) for sitter in self.sitters))

    def due(self, seat: int) -> int | None:
        """Return when a bot is to decide for a seat that is waited for; None where a person may take any time."""
        if not self.sitters[seat].decides:
            return self.since[seat]
        return self.since[seat] + self.seconds * 1000 if self.clocked else None

    def decision_of(self, seat: int, decision: int) -> tuple[int, str, str]:
        """Return (ply, move, by) of a seat's decision number ``decision``, which has been made."""
        count = -1
        for ply, (mover, move) in enumerate(self.match.moves, 1):
            count += mover == seat
            if count == decision and mover == seat:
                return ply, move, self.by[ply - 1]
        raise LookupError(f"Seat {seat} has not made decision {decision}.")

    def deadlines(self) -> dict[str, int]:
        """Return, for each seat where a person is to decide, when a bot will do it."""
        people = [seat for seat in self.since if self.sitters[seat].decides]
        return {str(seat): due for seat in people if (due := self.due(seat)) is not None}

    def seat_again(self, sitters: list[Sitter]) -> None:
        """Take note of who sits where. Who has just come back gets the whole clock, and whoever had none before."""
        if len(sitters) != len(self.sitters):
            return  # it is over, and the table has got more chairs, or fewer
        before, clocked = self.sitters, self.clocked
        self.sitters = sitters
        begins = self.clocked and not clocked
        for seat in self.since:
            if sitters[seat].decides and (begins or not before[seat].decides):
                self.since[seat] = now_ms()

    # -- what an audience is told

    def revealed_seed(self) -> str:
        """Return the seed if everybody may have it: a sealed match is over."""
        return self.seed if self.sealed and self.over else ""

    def view(self, audience: Audience) -> View:
        """Return what an audience may see now, drawn once. Nobody changes a view. Raises RulesFailed."""
        if audience not in self._views:
            self._views[audience] = self.match.view(audience)
        return self._views[audience]

    def ply_messages(self, readers: Iterable[Reader]) -> dict[Reader, str]:
        """Return the message that tells each of ``readers`` of the last move, rendered once and kept for a while.

        Raises RulesFailed.
        """
        if not self._sent or self._sent[-1][0] != self.version:
            self._sent.append((self.version, {}))
        rendered = self._sent[-1][1]
        told = self._told()
        for reader in readers:
            if reader not in rendered:
                audience = reader.audience
                with Asking(self.match.game, "put into words for {} after move {}", audience, self.version):
                    before = self._before.get(audience) if reader.protocol == CHANGES else None
                    told["log"] = self.match.lines(audience, self.version)
                    message = self._ply(audience, told) if before is None else self._change(audience, before, told)
                    rendered[reader] = encode(message).decode()
        return {reader: rendered[reader] for reader in readers}

    def _ply(self, audience: Audience, told: dict[str, Any]) -> OutPly:
        return OutPly(view=self.view(audience), stages=self._stages(audience), **told)

    def _change(self, audience: Audience, before: View, told: dict[str, Any]) -> OutChange:
        stages = []
        for stage in self._stages(audience):
            change = difference(before, stage["view"], self._known)
            stages.append(StageChange(change=change, hold=stage["hold"], lines=stage["lines"]))
            before = stage["view"]
            self._shown.append(before)
        return OutChange(change=difference(before, self.view(audience), self._known), stages=stages, **told)

    def _told(self) -> dict[str, Any]:
        """Return what everybody is told of the last move beside what is to be seen and read of it."""
        return {
            "match": self.id,
            "version": self.version,
            "seat": self.match.moves[-1][0],
            "by": self.by[-1],
            "now": now_ms(),
            "deadlines": self.deadlines(),
            "seed": self.revealed_seed(),
        }

    def _stages(self, audience: Audience) -> list[Stage]:
        pace = settings.STAGE_PACE
        stages = self.match.stages(audience) if pace else []
        return [Stage(view=one["view"], hold=int(one["hold"] * pace), lines=one["lines"]) for one in stages]

    def since_version(self, reader: Reader, version: int) -> list[str]:
        """Return what brings somebody who has ``version`` up to date: the missing messages, or one snapshot.

        Raises RulesFailed.
        """
        missing = [rendered.get(reader) for sent, rendered in self._sent if sent > version]
        if 0 <= version <= self.version and len(missing) == self.version - version:
            gap = [message for message in missing if message is not None]
            if gap and len(gap) == len(missing):
                return gap
        return [self.snapshot(reader.audience)]

    def snapshot(self, audience: Audience) -> str:
        """Return the message with the whole match as ``audience`` may see it. Raises RulesFailed."""
        with Asking(self.match.game, "put into words for {} after move {}", audience, self.version):
            message = OutSnapshot(
                match=self.id,
                version=self.version,
                view=self.view(audience),
                log=[self.match.lines(audience, ply) for ply in range(self.version + 1)],
                now=now_ms(),
                deadlines=self.deadlines(),
                commitment=self.commitment,
                seed=self.revealed_seed(),
            )
            return encode(message).decode()


def sitters_of(table_id: int, house_bot: str) -> list[Sitter]:
    """Read who decides for each seat of a table."""
    return [
        Sitter(person=seat.person_id or 0, bot=seat.bot or house_bot, away=seat.away) for seat in SEATS.all(table_id)
    ]


def load(match_id: int) -> LiveMatch:
    """Read a match from the database. Raises Match.DoesNotExist; Dropped when its rules cannot go on with it."""
    row = MATCH.first(match_id)
    if row is None:
        raise Match.DoesNotExist
    if row.status == Match.Status.DROPPED:
        raise Dropped(row.dropped)
    try:
        game = find_game(row.game)
    except Refused as gone:
        raise Dropped(Why.NO_GAME) from gone
    sitters = sitters_of(row.table_id, lobby.house_bot(row.game))
    running = row.status == Match.Status.RUNNING
    # Since its end the table may have got more chairs, or fewer.
    if not running and (played := row.players.count()):
        sitters = [*sitters, *[Sitter(person=0, bot="", away=False)] * played][:played]
    moves = moves_of(match_id, running=running)
    try:
        check_rules(game, row.rules_version)
        match = core.Match.start(game, len(sitters), row.options, SealedChance(bytes.fromhex(row.seed)))
        match.note_round()
        live = LiveMatch(row, row.table.code, match, sitters)
        for move in moves:
            live.follow(move)
    except UNPLAYABLE as error:
        raise Dropped.by(error) from error
    if row.credit_ply == live.version:
        # Where clocks disagree more is credited than has passed: no bot is to wait for that, and with it the table.
        now = now_ms()
        for seat, at in live.since.items():
            credited = at + row.credit_ms
            live.since[seat] = credited if live.sitters[seat].decides else max(at, min(credited, now))
    return live
