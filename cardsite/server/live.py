"""One process's copy of a match: its clocks and occupants, and the messages it has sent.

The copy is a cache of the moves in the database; ``load`` and ``follow`` bring it up to date. The rules are called
through ``ask``: in this process, or in a worker process for games by visitors. Any exception of theirs becomes
RulesFailed, and then the copy is invalid: the referee evicts it.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Concatenate, NamedTuple, ParamSpec, TypeVar, cast

import structlog
from django.conf import settings

from cardsite import costs
from cardsite.database import in_thread
from cardsite.lobby.games import NO_CLOCK, UNTIL_DEAL_ENDS, clock_runs, find_game, house_bot, is_correspondence
from cardsite.lobby.models import Table
from cardsite.lobby.services.seating import SEATS
from cardsite.refusal import Refused
from cardsite.server.connections import last_address
from cardsite.server.match_copy import (
    Audience,
    End,
    MatchCopy,
    MatchRecord,
    MessageFacts,
    Question,
    StoredMove,
    TurnState,
)
from cardsite.server.match_workers import workers
from cardsite.server.protocol import Decider
from cardsite.table.concession import CONCEDED_SEATS, concession_of
from cardsite.table.delay import as_known, known_moves, known_occupancies
from cardsite.table.dropped import Dropped
from cardsite.table.models import DropReason, Match, Move
from cardsite.table.moves import decided_for, milliseconds, moment_of, moves_of
from cardsite.table.occupants import last_occupants, vacation_of
from cardsite.table.queries import MATCH
from games.core import BadRecord, Game, IllegalMove, SealedChance
from games.core.match import UNPLAYABLE, Concession
from games.core.view import Sentence, Standings

BOOK_AFTER = 0.05  # CPU seconds of a match that are booked together: booking every move would cost 1 %
KEPT_MESSAGES = 20  # plies whose messages are kept for clients that reconnect; others get a snapshot

P = ParamSpec("P")
R = TypeVar("R")

log = structlog.get_logger(__name__)


def now_ms() -> int:
    """Return the time as in moves and deadlines: milliseconds since 1970."""
    return int(time.time() * 1000)


@dataclass(frozen=True)
class SeatDecider:
    """The person or bot that decides for a seat now."""

    person: int  # Person's number, 0 for none
    bot: str  # the kind of bot that decides when no person does
    away: bool
    vacation_until: int = 0  # in milliseconds since 1970: before that, clocks of hours and days do not begin

    @property
    def decides(self) -> bool:
        """Whether a person is expected to decide."""
        return bool(self.person) and not self.away


class LiveMatch:
    """The copy of a running (or just ended) match in this process."""

    def __init__(
        self,
        row: Match,
        code: str,
        game: Game,
        occupants: list[SeatDecider],
        *,
        waited_for: bool = False,
        delayed: bool = False,
    ) -> None:
        """Make a copy without a position: see ``begin_here`` and ``begin_in_worker``.

        ``waited_for``: as in ``lobby.games.clock_runs``. ``delayed``: the copy is for spectators with a delay.
        """
        self.id = row.pk
        self.delayed = delayed
        self.delay = row.spectator_delay if delayed else 0  # seconds, or UNTIL_DEAL_ENDS
        self.code = code
        self.table_id = row.table_id
        self.seconds = row.seconds
        self.sealed = row.sealed
        self.seed = row.seed
        self.commitment = SealedChance.commitment(bytes.fromhex(row.seed)) if row.sealed else ""
        self.game = game
        self.occupants = occupants
        self.waited_for = waited_for
        self.lock = asyncio.Lock()
        self.moves: list[tuple[int, str]] = []  # (seat, move)
        self.by: list[str] = []  # who decided each of them
        self.decisions = [0] * len(occupants)  # made so far, by seat
        self.settled = self.settled_at = 0  # the number of moves when a deal was last scored, and when that was
        self.since: dict[int, int] = {}  # by seat to act: since when it has been to act
        self._seen: set[int] = set()  # the seats whose players have seen the reveals of the last move
        self.must_pass: frozenset[int] = frozenset()  # the seats to act that nobody is asked for: see ``State``
        self.conceded: Concession | None = None  # how it ended, if not by the rules
        self.copy: MatchCopy | None = None  # if its rules run in this process
        self.cpu = 0.0  # CPU seconds of its rules
        self._unbooked: dict[costs.CostKind, float] = {"move": 0.0, "view": 0.0}  # CPU seconds that are not booked yet
        self._row = row
        self._sent: deque[tuple[int, dict[Audience, str]]] = deque(maxlen=KEPT_MESSAGES)

    @property
    def key(self) -> int:
        """The number of this copy: another one than that of a copy with a delay, or without."""
        return -self.id if self.delayed else self.id

    @property
    def standings(self) -> Standings | None:
        """The standings that spectators saw when the last round began; None if unknown here or hidden."""
        return self.copy.match.standings if self.copy else None

    # -- the rules

    async def ask(self, method: Callable[Concatenate[MatchCopy, P], R], *args: P.args, **named: P.kwargs) -> R:
        """Return what a method of ``MatchCopy`` returns, and raise what it raises, in whichever process the rules run.

        Raises Dropped if they need more computing time or memory than a match may use.
        """
        if self.copy is None:
            answer: R = await workers.ask(self, method, args)
            return answer
        began = time.thread_time()
        try:
            return method(self.copy, *args, **named)
        finally:
            self.charge(method, time.thread_time() - began)

    def charge(self, method: Callable[..., object], seconds: float) -> None:
        """Count the CPU seconds of a method of ``MatchCopy``, and book them when there are enough."""
        self.cpu += seconds
        kind: costs.CostKind = "move" if method is MatchCopy.advance else "view"
        self._unbooked[kind] += seconds
        if self._unbooked[kind] >= BOOK_AFTER:
            self.book()

    def book(self) -> None:
        """Book the CPU time of the rules to the table and to all players."""
        for kind, seconds in self._unbooked.items():
            costs.book(kind, self.payers, self.code, seconds)
            self._unbooked[kind] = 0.0

    def record(self) -> MatchRecord:
        """Return the beginning of this match, and its moves."""
        notes = map(decided_for, (seat for seat, _ in self.moves), self.by)
        return MatchRecord(
            game=self.game,
            rules_version=self._row.rules_version,
            seats=len(self.occupants),
            options=self._row.options,
            seed=self.seed,
            pace=settings.REVEAL_PACE,
            moves=[StoredMove(seat, text, note) for (seat, text), note in zip(self.moves, notes, strict=True)],
            conceded=self.conceded,
        )

    def begin_here(self, stored: Sequence[Move]) -> None:
        """Deal and make the stored moves, in this process. Takes a while for a long match.

        Raises as ``MatchCopy.deal`` and ``MatchCopy.start`` do.
        """
        began = time.thread_time()
        try:
            self.copy = MatchCopy.deal(self.record())
            self._begun(stored, self.copy.start(_recorded(stored)))
        finally:
            self.charge(MatchCopy.start, time.thread_time() - began)

    async def begin_in_worker(self, stored: Sequence[Move]) -> None:
        """Do the same in a worker process. Raises the same, and Dropped."""
        self._begun(stored, await workers.begin(self, _recorded(stored)))

    def _begun(self, stored: Sequence[Move], states: list[TurnState]) -> None:
        started = int(self._row.started.timestamp() * 1000)
        self.since, self.must_pass = dict.fromkeys(states[0].to_act, started), states[0].must_pass
        for move, state in zip(stored, states[1:], strict=True):
            self._note(move.seat, move.text, move.by, move.at, state)

    async def concede(self, concession: Concession) -> None:
        """End the copy of a match that was not played to its end. Raises RulesFailed, Dropped."""
        self.conceded = concession
        await self.ask(MatchCopy.concede, concession)
        self.since = {}

    @property
    def version(self) -> int:
        """How many moves are made."""
        return len(self.moves)

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return not self.since

    async def advance(self, seat: int, move: str, by: str, at: int) -> None:
        """Make a move in the copy. Raises IllegalMove and changes nothing when it is refused; RulesFailed, Dropped."""
        self._note(seat, move, by, at, await self.ask(MatchCopy.advance, seat, move, decided_for(seat, by)))

    def _note(self, seat: int, move: str, by: str, at: int, state: TurnState) -> None:
        self.moves.append((seat, move))
        self.by.append(by)
        self.decisions[seat] += 1
        made = at
        at += int(state.hold * settings.REVEAL_PACE)  # no clock runs while reveals are shown
        self.since = {s: at if s == seat else self.since.get(s, at) for s in state.to_act}
        self.must_pass = state.must_pass
        self._seen = set()
        if state.settled == self.version:
            self.settled, self.settled_at = state.settled, made

    async def follow(self, stored: Move) -> None:
        """Make a move that is already stored. Raises BadRecord when the rules refuse it; RulesFailed, Dropped."""
        try:
            await self.advance(stored.seat, stored.text, stored.by, stored.at)
        except IllegalMove as refusal:
            raise BadRecord(f"Ply {stored.ply} ({stored.text!r} by seat {stored.seat}): {refusal}") from refusal

    def replace_with(self, fresh: LiveMatch) -> None:
        """Take over the data of ``fresh``, which was just loaded: another process has made moves."""
        self.copy, self.moves, self.by, self.decisions = fresh.copy, fresh.moves, fresh.by, fresh.decisions
        self.since, self.must_pass = fresh.since, fresh.must_pass
        self.occupants, self.conceded = fresh.occupants, fresh.conceded
        self.settled, self.settled_at = fresh.settled, fresh.settled_at

    async def end(self) -> End:
        """Return how the match ended. Raises RulesFailed, Dropped."""
        try:
            return await self.ask(MatchCopy.end)
        finally:
            self.book()

    async def why_not(self, seat: int, touched: str) -> Sentence | None:
        """Return why something on the table is not in any legal move of ``seat``; None: the game does not say."""
        return await self.ask(MatchCopy.why_not, seat, touched)

    async def question(self, seat: int, bot: str) -> Question:
        """Return the question for a bot that decides for ``seat``. Raises RulesFailed, Dropped."""
        return await self.ask(MatchCopy.question, seat, bot, settings.BOT_BUDGET)

    @property
    def payers(self) -> list[str]:
        """The players and their addresses, to whom the CPU time of this match is booked (``costs.py``)."""
        people = {occupant.person for occupant in self.occupants if occupant.person}
        payers = [one for person in people for one in costs.payers(person, last_address.get(person, ""))]
        return list(dict.fromkeys(payers))  # several may share an address

    @property
    def clocked(self) -> bool:
        """Whether a clock runs for people's decisions."""
        return clock_runs(self.seconds, self.people, waited_for=self.waited_for)

    def loses_by_time(self, seat: int) -> bool:
        """Return whether a person in that seat, whose time is up, has lost the match now. If not, a bot decides.

        If the other player is out of time, too, neither has lost.
        """
        now, dues = now_ms(), self.dues
        if self._row.time_up != Table.TimeUp.LOST or len(self.occupants) != CONCEDED_SEATS:
            return False
        return [one for one, due in dues.items() if due <= now and self.asks(one)] == [seat]

    @property
    def people(self) -> int:
        """How many seats belong to people, who may be away."""
        return sum(bool(occupant.person) for occupant in self.occupants)

    def asks(self, seat: int) -> bool:
        """Return whether a person is asked to decide for a seat to act."""
        return self.occupants[seat].decides and seat not in self.must_pass

    def due(self, seat: int) -> int | None:
        """Return when a bot decides for a seat to act, or the table passes; None if a person may take any time."""
        occupant, since = self.occupants[seat], self.since[seat]
        if not self.asks(seat):
            return since
        if is_correspondence(self.seconds):
            since = max(since, occupant.vacation_until)
        return since + self.seconds * 1000 if self.clocked else None

    def note_seen(self, seat: int, version: int, here: set[int]) -> bool:
        """Note that a player has seen the reveals of move ``version``. ``here``: the seats of all people who are there.

        Return whether all of them have, so that bots move sooner. The time of people begins after the reveals anyway.
        """
        if version != self.version:
            return False
        self._seen.add(seat)
        if not here <= self._seen:
            return False
        now = now_ms()
        bots = [one for one, since in self.since.items() if since > now and not self.asks(one)]
        self.since |= dict.fromkeys(bots, now)
        return bool(bots)

    @property
    def dues(self) -> dict[int, int]:
        """For each seat to act, when a bot decides for it; without those where a person may take any time."""
        return {seat: due for seat in self.since if (due := self.due(seat)) is not None}

    @property
    def turns(self) -> dict[int, datetime | None] | None:
        """For each seat where a person is to decide: when a bot will decide instead; None: never.

        None for a match that cannot wait for days: several people must play, with a clock of hours or days or without.
        """
        if self.people < 2 or not (self.seconds == NO_CLOCK or is_correspondence(self.seconds)):
            return None
        ours = {seat: self.due(seat) for seat in self.since if self.asks(seat)}
        return {seat: None if due is None else moment_of(due) for seat, due in ours.items()}

    def decision_of(self, seat: int, decision: int) -> tuple[int, str, str]:
        """Return (ply, move, by) of a seat's decision number ``decision``, which has been made."""
        count = -1
        for ply, (mover, move) in enumerate(self.moves, 1):
            count += mover == seat
            if count == decision and mover == seat:
                return ply, move, self.by[ply - 1]
        raise LookupError(f"Seat {seat} has not made decision {decision}.")

    def deciders(self) -> list[tuple[int, str]]:
        """Return the seat of each move, and who decided it."""
        return [(seat, by) for (seat, _), by in zip(self.moves, self.by, strict=True)]

    def deadlines(self) -> dict[str, int]:
        """Return, for each seat where a person is to decide, when a bot will decide instead.

        In a copy with a delay that is when its spectators see that the time is up; none until a deal ends.
        """
        if self.delay >= UNTIL_DEAL_ENDS:
            return {}
        later = 1000 * self.delay
        return {str(seat): due + later for seat, due in self.dues.items() if self.asks(seat)}

    def update_occupants(self, occupants: list[SeatDecider]) -> None:
        """Note who sits where. A person who has just come back, or had no clock before, gets the whole clock."""
        if len(occupants) != len(self.occupants):
            return  # it is over, and the table has more or fewer seats now
        before, clocked = self.occupants, self.clocked
        self.occupants = occupants
        begins = self.clocked and not clocked
        for seat in self.since:
            if occupants[seat].decides and (begins or not before[seat].decides):
                self.since[seat] = now_ms()

    # -- messages

    def revealed_seed(self) -> str:
        """Return the seed if everybody may have it: a sealed match is over."""
        return self.seed if self.sealed and self.over else ""

    def _facts(self) -> MessageFacts:
        return MessageFacts(
            match=self.id,
            by=cast("Decider", self.by[-1]) if self.by else "person",
            now=now_ms(),
            deadlines=self.deadlines(),
            commitment=self.commitment,
            seed=self.revealed_seed(),
        )

    async def move_messages(self, audiences: Iterable[Audience]) -> dict[Audience, str]:
        """Return the message about the last move for each audience, rendered once and kept for a while.

        Raises RulesFailed, Dropped.
        """
        if not self._sent or self._sent[-1][0] != self.version:
            self._sent.append((self.version, {}))
        rendered = self._sent[-1][1]
        wanted = list(audiences)
        if missing := [audience for audience in wanted if audience not in rendered]:
            messages = await self.ask(MatchCopy.move_messages, missing, self._facts())
            rendered |= zip(missing, messages, strict=True)
        return {audience: rendered[audience] for audience in wanted}

    async def since_version(self, audience: Audience, version: int) -> list[str]:
        """Return the messages that bring a client at ``version`` up to date: none, the missing ones, or one snapshot.

        Raises RulesFailed, Dropped.
        """
        if self.conceded:  # which does not change the version
            return [await self.snapshot(audience)]
        if version == self.version:
            await self.ask(MatchCopy.prepare, audience)
            return []
        missing = [rendered.get(audience) for sent, rendered in self._sent if sent > version]
        if 0 <= version <= self.version and len(missing) == self.version - version:
            gap = [message for message in missing if message is not None]
            if gap and len(gap) == len(missing):
                return gap
        return [await self.snapshot(audience)]

    async def snapshot(self, audience: Audience) -> str:
        """Return the message with the whole match as ``audience`` may see it. Raises RulesFailed, Dropped."""
        return await self.ask(MatchCopy.snapshot, audience, self._facts())


def _recorded(stored: Sequence[Move]) -> list[StoredMove]:
    return [StoredMove(move.seat, move.text, decided_for(move.seat, move.by)) for move in stored]


def occupants_of(table_id: int, stand_in: str) -> list[SeatDecider]:
    """Read who decides for each seat of a table."""
    return [
        SeatDecider(seat.person_id or 0, seat.bot or stand_in, seat.away, vacation_of(seat.person))
        for seat in SEATS.all(table_id)
    ]


class StoredMatch(NamedTuple):
    """A match from the database: its row, its moves, and a copy; without a position if a visitor wrote the rules."""

    row: Match
    live: LiveMatch
    moves: list[Move]
    due: dict[int, datetime]  # by seat, when the time of a decision is up, if that is hours or days after its beginning
    conceded: Concession | None  # how it ended, if not by the rules


async def load(match_id: int, *, delayed: bool = False, settled: int = 0) -> LiveMatch:
    """Read a match from the database. Raises Match.DoesNotExist; Dropped when its rules cannot continue it.

    ``delayed``, ``settled``: as in ``read``.
    """
    return await played(await in_thread(read)(match_id, delayed=delayed, settled=settled))


async def played(stored: StoredMatch) -> LiveMatch:
    """Return a match that was read, with its moves made. Raises Dropped when its rules cannot continue it."""
    row, live, moves, dues, conceded = stored
    if live.game.untrusted:
        try:
            await live.begin_in_worker(moves)
        except UNPLAYABLE as error:
            raise Dropped.by(error) from error
    if row.compensation_ply == live.version:
        # If the clocks of processes differ, the compensation may be more than has passed. No bot should wait for that.
        now = now_ms()
        for seat, at in live.since.items():
            later = at + row.compensation_ms
            live.since[seat] = later if live.asks(seat) else max(at, min(later, now))
    # A person who took the seat meanwhile, or a site that was down, has moved the deadline. What is stored may be of an
    # earlier decision of the seat.
    for seat, due in dues.items():
        if seat in live.since:
            live.since[seat] = max(live.since[seat], milliseconds(due) - live.seconds * 1000)
    if conceded:
        await live.concede(conceded)
    return live


def read(match_id: int, *, delayed: bool = False, settled: int = 0) -> StoredMatch:
    """Read a match, and make its moves if its rules may run in this process. For a thread.

    ``delayed``: read it as its spectators know it, with ``settled`` as in ``delay.known_moves``.

    Raises Match.DoesNotExist; Dropped for one that was dropped, whose game is gone, or whose rules fail here.
    """
    row = MATCH.first(match_id)
    if row is None:
        raise Match.DoesNotExist
    if row.status == Match.Status.DROPPED:
        raise Dropped(row.dropped)
    stored = row.status
    if delayed:
        row = as_known(row)
    try:
        game = find_game(row.game)
    except Refused as gone:
        raise Dropped(DropReason.NO_GAME) from gone
    occupants = occupants_of(row.table_id, house_bot(row.game))
    if delayed and row.status == Match.Status.RUNNING:
        last = last_occupants(known_occupancies(row)[0])
        stand_in = house_bot(row.game)
        occupants = [SeatDecider(one.person or 0, one.bot or stand_in, one.away) for _, one in sorted(last.items())]
    # Since its end the table may have got more or fewer seats.
    elif stored != Match.Status.RUNNING and (played := row.players.count()):
        occupants = [*occupants, *[SeatDecider(person=0, bot="", away=False)] * played][:played]
    live = LiveMatch(row, row.table.code, game, occupants, waited_for=row.table.tournament, delayed=delayed)
    moves = moves_of(match_id, running=stored == Match.Status.RUNNING)
    if delayed:
        moves = known_moves(row, moves, settled)
    if not game.untrusted:
        try:
            live.begin_here(moves)
        except UNPLAYABLE as error:
            raise Dropped.by(error) from error
    slow = is_correspondence(row.seconds) and not delayed
    dues = {seat.index: seat.due for seat in SEATS.all(row.table_id) if seat.due} if slow else {}
    return StoredMatch(row, live, moves, dues, concession_of(row))
