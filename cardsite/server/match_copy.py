"""A match and its rules: makes moves, and renders the messages for each audience.

Everything that the match server asks of rules is here, with plain values, so that it can run in any process: in the
server's own for the site's games, in a worker process for games by visitors (``match_workers.py``). Nothing here
imports Django.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Iterable
from typing import Any, NamedTuple, cast

import msgspec
import structlog

from cardsite.server.bot_worker import question
from cardsite.server.changes import DiffCache, difference
from cardsite.server.protocol import Decider, OutChange, OutSnapshot, RevealChange, encode
from cardsite.table.ending import NO_ENDING, Ending
from games import catalogue, core
from games.core import BadRecord, Game, IllegalMove, Information, RulesFailed, SealedChance
from games.core.chance import SEED_BYTES
from games.core.match import Concession, RulesCall, check_rules, not_asked
from games.core.options import OptionValue
from games.core.view import LogEntry, View

Audience = int | None  # a seat, or None for all spectators

log = structlog.get_logger(__name__)


class StoredMove(NamedTuple):
    """A stored move; ``note`` is a log entry to be shown before it."""

    seat: int
    text: str
    note: LogEntry | None


class MatchRecord(NamedTuple):
    """The beginning of a match and the moves so far: enough to rebuild it in any process."""

    game: Game
    rules_version: str  # with which it was started
    seats: int
    options: dict[str, OptionValue]
    seed: str
    pace: float  # how long reveals are shown, as a factor; 0: not at all
    moves: list[StoredMove]
    conceded: Concession | None = None  # how it ended after these moves, if not by the rules


class TurnState(NamedTuple):
    """The facts about a position that the match server knows."""

    to_act: tuple[int, ...]
    hold: int  # milliseconds for which the reveals of the last move are shown
    settled: int  # the number of moves when a round was last scored; 0: none was
    must_pass: frozenset[int] = frozenset()  # those to act who must pass, as everybody can see: nobody is asked


class MessageFacts(NamedTuple):
    """The contents of a message that do not come from the rules."""

    match: int
    by: Decider  # who decided the last move
    now: int  # milliseconds since 1970
    deadlines: dict[str, int]
    commitment: str
    seed: str  # "" while it is secret


class End(NamedTuple):
    """The result of a match: the scores by seat, and the winners."""

    scores: list[float]
    winners: list[int]
    ending: Ending


class EncodedPosition(NamedTuple):
    """The view and the log of a position, encoded: many spectators may arrive between two moves."""

    view: msgspec.Raw
    log: msgspec.Raw


class Question(NamedTuple):
    """A decision for a bot: its legal moves, and the message for a bot process; b"" if no bot can or need be asked."""

    legal: list[str]
    message: bytes


class MatchCopy:
    """A running or just ended match. Any exception of its rules becomes RulesFailed, and then the copy is invalid."""

    def __init__(self, match: core.Match, pace: float) -> None:
        """Take over a match; ``pace`` as in ``MatchRecord``."""
        self.match = match
        self._seats = len(match.decisions)
        self._pace = pace
        self._views: dict[Audience, View] = {}  # the current view of each audience that has been sent one
        self._before: dict[Audience, View] = {}  # the views before the last move
        self._encoded: tuple[Audience, EncodedPosition] | None = None  # of the last snapshot of this position
        self._reveals: list[View] = []  # of the last move; kept because ``_diff_cache`` refers to them by identity
        self._diff_cache: DiffCache = {}

    @classmethod
    def deal(cls, record: MatchRecord) -> MatchCopy:
        """Start a match, without its moves. Raises RulesFailed; BadOption and BadRecord when its rules have changed."""
        check_rules(record.game, record.rules_version)
        match = core.Match.start(record.game, record.seats, record.options, SealedChance(bytes.fromhex(record.seed)))
        match.note_round()
        return cls(match, record.pace)

    @property
    def version(self) -> int:
        """The number of moves made."""
        return self.match.ply

    def start(self, moves: Iterable[StoredMove]) -> list[TurnState]:
        """Make the stored moves. Return the states after the deal and after each move.

        Raises BadRecord when the rules refuse one of them; RulesFailed.
        """
        states = [self._turn_state()]
        for seat, text, note in moves:
            try:
                states.append(self.advance(seat, text, note))
            except IllegalMove as refusal:
                raise BadRecord(f"Ply {self.version + 1} ({text!r} by seat {seat}): {refusal}") from refusal
        return states

    def advance(self, seat: int, text: str, note: LogEntry | None) -> TurnState:
        """Make a move. Raises IllegalMove and changes nothing when it is refused; RulesFailed."""
        self.match.advance(seat, text, note)
        self.match.note_round()
        self._before, self._views, self._reveals, self._diff_cache = self._views, {}, [], {}
        self._encoded = None
        return self._turn_state()

    def concede(self, concession: Concession) -> None:
        """End the match here, whatever the rules say."""
        self.match.concede(concession)
        self._views, self._encoded = {}, None

    def _turn_state(self) -> TurnState:
        with RulesCall(self.match.game, "asked who is to act after move {}", self.version):
            seats = self.match.to_act()
            if not set(seats) <= set(range(self._seats)):
                raise ValueError(f"The seats to act are {seats!r}, of {self._seats} seats.")
            must_pass = frozenset(filter(self.match.must_pass, seats))
        return TurnState(seats, self.match.hold, self.match.settled, must_pass)

    def end(self) -> End:
        """Return the result of the match. Raises RulesFailed, also for an invalid result."""
        with RulesCall(self.match.game, "asked for the result after move {}", self.version):
            scores, winners = [float(score) for score in self.match.scores()], list(self.match.winners())
            seats = set(range(self._seats))
            if len(scores) != self._seats or not all(map(math.isfinite, scores)) or not set(winners) <= seats:
                raise ValueError(f"The scores are {scores!r} and the winners {winners!r}, of {self._seats} seats.")
        return End(scores, winners, self._ending())

    def _ending(self) -> Ending:
        """Return the game's own sentence about the end; none if the rules fail at that, because the result stands."""
        match = self.match
        try:
            text = match.view(None)["result"]["text"]
            return Ending.of(text, match.state.ranks(), match.state.low_wins, self._seats)
        except Exception:  # whatever rules may raise
            log.exception("could not describe the end of a match", game=match.game.name)
            return NO_ENDING

    # -- messages for an audience: all of these may raise RulesFailed

    def view(self, audience: Audience) -> View:
        """Return the current view of an audience, rendered once. Callers do not change it."""
        if audience not in self._views:
            view = self.match.view(audience)
            if audience is not None and self.match.must_pass(audience):
                view = not_asked(view)
            self._views[audience] = view
        return self._views[audience]

    def prepare(self, audience: Audience) -> None:
        """Render the view of an audience that has it from another copy, so the next move can be sent as a change."""
        self.view(audience)

    def move_messages(self, audiences: Iterable[Audience], facts: MessageFacts) -> list[str]:
        """Return the message about the last move for each audience; a snapshot for one that has no earlier view."""
        return [
            self.snapshot(audience, facts) if audience not in self._before else self._change(audience, facts)
            for audience in audiences
        ]

    def _change(self, audience: Audience, facts: MessageFacts) -> str:
        with RulesCall(self.match.game, "asked for a message to {} after move {}", audience, self.version):
            before = self._before[audience]
            reveals = []
            for reveal in self.match.reveals(audience) if self._pace else []:
                change = difference(before, reveal["view"], self._diff_cache)
                hold = int(reveal["hold"] * self._pace)
                reveals.append(RevealChange(change=change, hold=hold, entries=reveal["entries"]))
                before = reveal["view"]
                self._reveals.append(before)
            message = OutChange(
                match=facts.match,
                version=self.version,
                seat=self.match.moves[-1][0],
                by=facts.by,
                change=difference(before, self.view(audience), self._diff_cache),
                now=facts.now,
                log=self.match.entries(audience, self.version),
                deadlines=facts.deadlines,
                seed=facts.seed,
                reveals=reveals,
            )
            return encode(message).decode()

    def snapshot(self, audience: Audience, facts: MessageFacts) -> str:
        """Return the message with the whole match as ``audience`` may see it."""
        if self._encoded is None or self._encoded[0] != audience:
            self._encoded = audience, self._encode(audience)
        encoded = self._encoded[1]
        message = OutSnapshot(
            match=facts.match,
            version=self.version,
            view=cast("View", encoded.view),
            log=cast("list[Any]", encoded.log),
            now=facts.now,
            deadlines=facts.deadlines,
            commitment=facts.commitment,
            seed=facts.seed,
        )
        return encode(message).decode()

    def _encode(self, audience: Audience) -> EncodedPosition:
        with RulesCall(self.match.game, "asked for a message to {} after move {}", audience, self.version):
            log = [self.match.entries(audience, ply) for ply in range(self.version + 1)]
            return EncodedPosition(msgspec.Raw(encode(self.view(audience))), msgspec.Raw(encode(log)))

    def why_not(self, seat: int, touched: str) -> Any:
        """Return why something on the table is not in any legal move, as a Sentence; None if the game does not say.

        Returns None, too, if the rules fail: no match depends on this.
        """
        try:
            return self.match.why_not(seat, touched)
        except RulesFailed:
            log.exception("could not explain why a move is illegal", game=self.match.game.name)
            return None

    # -- bots

    def question(self, seat: int, bot: str, budget: int) -> Question:
        """Return the question for a bot that decides for ``seat``, which is to act; ``bot`` "": the legal moves only.

        ``budget``: the number of roll-outs for a bot that searches.
        Raises RulesFailed, also when there is no legal move.
        """
        match = self.match
        legal = match.legal_moves(seat)
        if not legal:
            raise RulesFailed("no moves", f"Seat {seat} is to act but has no legal move.")
        if len(legal) == 1 or not bot:
            return Question(legal, b"")
        try:
            chance = SealedChance(secrets.token_bytes(SEED_BYTES))  # cheap to make and to send
            needs = catalogue.bot(match.game, bot).needs
            info = Information.of(match.game, match.state, seat, chance, needs, legal, budget)
            return Question(legal, question(match.game, bot, info))
        except Exception:  # whatever rules may raise: any legal move will do
            log.exception("could not collect the observation for a bot", game=match.game.name, bot=bot)
            return Question(legal, b"")
