"""One process's copy of a match: its state, its clocks, and what each audience is told of it.

The copy is a cache. The database's moves are the match; ``load`` and ``catch_up`` bring a copy to where they stand.
Whatever the rules raise comes out as RulesFailed, and then the copy is spoilt: the referee forgets it.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import deque
from dataclasses import dataclass
from typing import cast

import msgspec

from cardsite.lobby import services as lobby
from cardsite.lobby.games import find_game
from cardsite.lobby.models import Seat
from cardsite.refusal import Refused
from cardsite.table.dropped import UNPLAYABLE, Dropped, Why
from cardsite.table.models import Match, Move
from cardsite.table.moves import moves_of
from cardsite.table.protocol import Decider, OutPly, OutSnapshot
from games import core
from games.core import BadRecord, IllegalMove, SealedChance
from games.core.match import Asking, check_rules

KEPT_MESSAGES = 20  # plies whose messages are kept for those who were gone for a moment; others get a snapshot
Audience = int | None  # a seat, or None for all watchers

encode = msgspec.json.Encoder().encode


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
        self._sent: deque[tuple[int, dict[Audience, str]]] = deque(maxlen=KEPT_MESSAGES)

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
        self.match.advance(seat, move)
        self.by.append(by)
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

    def result(self) -> tuple[list[float], list[int]]:
        """Return the scores by seat, and who shares the win. Raises RulesFailed, also for what can be no result."""
        seats = range(len(self.sitters))
        with Asking(self.match.game, "asked for the result after move {}", self.version):
            scores, winners = [float(score) for score in self.match.scores()], list(self.match.winners())
            if len(scores) != len(seats) or not all(map(math.isfinite, scores)) or not set(winners) <= set(seats):
                raise ValueError(f"Scores {scores!r} and winners {winners!r} of {len(seats)} seats.")
        return scores, winners

    def _waited_for(self) -> tuple[int, ...]:
        """Return who is to act. Raises RulesFailed, also for seats that there are not."""
        with Asking(self.match.game, "asked who is to act after move {}", self.version):
            seats = self.match.to_act()
            if not set(seats) <= set(range(len(self.sitters))):
                raise ValueError(f"Seats {seats!r} of {len(self.sitters)} are to act.")
        return seats

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
        return {str(seat): at + self.seconds * 1000 for seat, at in self.since.items() if self.sitters[seat].decides}

    def seat_again(self, sitters: list[Sitter]) -> None:
        """Take note of who sits where. Who has just come back gets the whole clock."""
        for seat, (before, after) in enumerate(zip(self.sitters, sitters, strict=True)):
            if after.decides and not before.decides and seat in self.since:
                self.since[seat] = now_ms()
        self.sitters = sitters

    # -- what an audience is told

    def revealed_seed(self) -> str:
        """Return the seed if everybody may have it: a sealed match is over."""
        return self.seed if self.sealed and self.over else ""

    def ply_message(self, audience: Audience) -> str:
        """Return the message that tells ``audience`` of the last move, rendered once and kept for a while.

        Raises RulesFailed.
        """
        if not self._sent or self._sent[-1][0] != self.version:
            self._sent.append((self.version, {}))
        rendered = self._sent[-1][1]
        if audience not in rendered:
            with Asking(self.match.game, "put into words for {} after move {}", audience, self.version):
                message = OutPly(
                    match=self.id,
                    version=self.version,
                    seat=self.match.moves[-1][0],
                    by=cast("Decider", self.by[-1]),
                    view=self.match.view(audience),
                    log=self.match.lines(audience, self.version),
                    now=now_ms(),
                    deadlines=self.deadlines(),
                    seed=self.revealed_seed(),
                )
                rendered[audience] = encode(message).decode()
        return rendered[audience]

    def since_version(self, audience: Audience, version: int) -> list[str]:
        """Return what brings somebody who has ``version`` up to date: the missing messages, or one snapshot.

        Raises RulesFailed.
        """
        missing = [rendered.get(audience) for sent, rendered in self._sent if sent > version]
        if 0 <= version <= self.version and len(missing) == self.version - version:
            gap = [message for message in missing if message is not None]
            if gap and len(gap) == len(missing):
                return gap
        return [self.snapshot(audience)]

    def snapshot(self, audience: Audience) -> str:
        """Return the message with the whole match as ``audience`` may see it. Raises RulesFailed."""
        with Asking(self.match.game, "put into words for {} after move {}", audience, self.version):
            message = OutSnapshot(
                match=self.id,
                version=self.version,
                view=self.match.view(audience),
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
        Sitter(person=seat.person_id or 0, bot=seat.bot or house_bot, away=seat.away)
        for seat in Seat.objects.filter(table=table_id).order_by("index")
    ]


def load(match_id: int) -> LiveMatch:
    """Read a match from the database. Raises Match.DoesNotExist; Dropped when its rules cannot go on with it."""
    row = Match.objects.select_related("table").get(pk=match_id)
    if row.status == Match.Status.DROPPED:
        raise Dropped(row.dropped)
    try:
        game = find_game(row.game)
    except Refused as gone:
        raise Dropped(Why.NO_GAME) from gone
    sitters = sitters_of(row.table_id, lobby.house_bot(row.game))
    moves = moves_of(match_id)
    try:
        check_rules(game, row.rules_version)
        match = core.Match.start(game, len(sitters), row.options, SealedChance(bytes.fromhex(row.seed)))
        live = LiveMatch(row, row.table.code, match, sitters)
        for move in moves:
            live.follow(move)
    except UNPLAYABLE as error:
        raise Dropped.by(error) from error
    if row.credit_ply == live.version:
        live.since = {seat: at + row.credit_ms for seat, at in live.since.items()}
    return live
