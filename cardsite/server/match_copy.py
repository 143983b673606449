"""A match by its rules: it makes moves, and renders the messages that each audience is sent.

All that the match server asks of rules stands here, in plain values, so that it does not matter where it is asked: in
the server's own process for games of the house, in a worker process for games that visitors have written (see
``match_workers.py``). Nothing here imports Django.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Iterable
from typing import Any, NamedTuple

import structlog

from cardsite.server.bot_worker import question
from cardsite.server.changes import Known, difference
from cardsite.server.protocol import Decider, OutChange, OutSnapshot, StageChange, encode
from cardsite.table.ending import UNTOLD, Ending
from games import catalogue, core
from games.core import BadRecord, Game, IllegalMove, Information, RulesFailed, SealedChance
from games.core.chance import SEED_BYTES
from games.core.match import Asking, check_rules
from games.core.options import OptionValue
from games.core.view import LogEntry, View

Audience = int | None  # a seat, or None for all spectators

log = structlog.get_logger(__name__)


class Made(NamedTuple):
    """A move that is stored; ``note`` is a log entry that is shown before it."""

    seat: int
    text: str
    note: LogEntry | None


class Plan(NamedTuple):
    """How a match begins, and the moves made so far: enough to have it again, anywhere."""

    game: Game
    rules_version: str  # by which it was begun
    seats: int
    options: dict[str, OptionValue]
    seed: str
    pace: float  # how long reveals are shown, as a factor; 0: not at all
    moves: list[Made]


class Standing(NamedTuple):
    """What the match server knows of a position."""

    to_act: tuple[int, ...]
    hold: int  # milliseconds for which the reveals of the last move are shown


class Facts(NamedTuple):
    """What a message says beside what the rules say."""

    match: int
    by: Decider  # who decided the last move
    now: int  # milliseconds since 1970
    deadlines: dict[str, int]
    commitment: str
    seed: str  # once everybody may have it


class End(NamedTuple):
    """How a match ended: the scores by seat, and who shares the win."""

    scores: list[float]
    winners: list[int]
    ending: Ending


class Question(NamedTuple):
    """A decision for a bot: its legal moves, and what a bot process is sent; b"" where no bot can or need be asked."""

    legal: list[str]
    message: bytes


class MatchCopy:
    """A match under way or just over. Whatever its rules raise is RulesFailed, and then the copy is invalid."""

    def __init__(self, match: core.Match, pace: float) -> None:
        """Take over a match; ``pace`` as in ``Plan``."""
        self.match = match
        self._seats = len(match.decisions)
        self._pace = pace
        self._views: dict[Audience, View] = {}  # the current view of each audience that has been sent one
        self._before: dict[Audience, View] = {}  # and those before the last move
        self._reveals: list[View] = []  # of that move: kept while ``_diff_cache`` names them by identity
        self._diff_cache: Known = {}

    @classmethod
    def deal(cls, plan: Plan) -> MatchCopy:
        """Begin a match, without its moves. Raises RulesFailed; BadOption and BadRecord when its rules have changed."""
        check_rules(plan.game, plan.rules_version)
        match = core.Match.start(plan.game, plan.seats, plan.options, SealedChance(bytes.fromhex(plan.seed)))
        match.note_round()
        return cls(match, plan.pace)

    @property
    def version(self) -> int:
        """How many moves are made."""
        return self.match.ply

    def start(self, moves: Iterable[Made]) -> list[Standing]:
        """Make the moves that are stored. Return how the match stood after the deal, and after each of them.

        Raises BadRecord when the rules refuse one of them; RulesFailed.
        """
        standings = [self._standing()]
        for seat, text, note in moves:
            try:
                standings.append(self.advance(seat, text, note))
            except IllegalMove as refusal:
                raise BadRecord(f"Ply {self.version + 1} ({text!r} by seat {seat}): {refusal}") from refusal
        return standings

    def advance(self, seat: int, text: str, note: LogEntry | None) -> Standing:
        """Make a move. Raises IllegalMove and changes nothing when it is refused; RulesFailed."""
        self.match.advance(seat, text, note)
        self.match.note_round()
        self._before, self._views, self._reveals, self._diff_cache = self._views, {}, [], {}
        return self._standing()

    def _standing(self) -> Standing:
        with Asking(self.match.game, "asked who is to act after move {}", self.version):
            seats = self.match.to_act()
            if not set(seats) <= set(range(self._seats)):
                raise ValueError(f"Seats {seats!r} of {self._seats} are to act.")
        return Standing(seats, self.match.hold)

    def end(self) -> End:
        """Return how the match ended. Raises RulesFailed, also for what can be no result."""
        with Asking(self.match.game, "asked for the result after move {}", self.version):
            scores, winners = [float(score) for score in self.match.scores()], list(self.match.winners())
            seats = set(range(self._seats))
            if len(scores) != self._seats or not all(map(math.isfinite, scores)) or not set(winners) <= seats:
                raise ValueError(f"Scores {scores!r} and winners {winners!r} of {self._seats} seats.")
        return End(scores, winners, self._ending())

    def _ending(self) -> Ending:
        """Return the game's own sentence about the end; nothing where the rules fail at that: the result stands."""
        match = self.match
        try:
            text = match.view(None)["result"]["text"]
            return Ending.of(text, match.state.ranks(), match.state.low_wins, self._seats)
        except Exception:  # whatever rules may raise
            log.exception("could not describe the end of a match", game=match.game.name)
            return UNTOLD

    # -- what an audience is sent: all of it may raise RulesFailed

    def view(self, audience: Audience) -> View:
        """Return what an audience may see now, rendered once. Nobody changes a view."""
        if audience not in self._views:
            self._views[audience] = self.match.view(audience)
        return self._views[audience]

    def prepare(self, audience: Audience) -> None:
        """Render the view of an audience that has it from another copy: the next move can be sent as a change of it."""
        self.view(audience)

    def move_messages(self, audiences: Iterable[Audience], facts: Facts) -> list[str]:
        """Return the message about the last move for each audience: a snapshot where it has had no view from here."""
        return [
            self.snapshot(audience, facts) if audience not in self._before else self._change(audience, facts)
            for audience in audiences
        ]

    def _change(self, audience: Audience, facts: Facts) -> str:
        with Asking(self.match.game, "put into words for {} after move {}", audience, self.version):
            before = self._before[audience]
            stages = []
            for stage in self.match.reveals(audience) if self._pace else []:
                change = difference(before, stage["view"], self._diff_cache)
                stages.append(StageChange(change=change, hold=int(stage["hold"] * self._pace), lines=stage["lines"]))
                before = stage["view"]
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
                stages=stages,
            )
            return encode(message).decode()

    def snapshot(self, audience: Audience, facts: Facts) -> str:
        """Return the message with the whole match as ``audience`` may see it."""
        with Asking(self.match.game, "put into words for {} after move {}", audience, self.version):
            message = OutSnapshot(
                match=facts.match,
                version=self.version,
                view=self.view(audience),
                log=[self.match.entries(audience, ply) for ply in range(self.version + 1)],
                now=facts.now,
                deadlines=facts.deadlines,
                commitment=facts.commitment,
                seed=facts.seed,
            )
            return encode(message).decode()

    def why_not(self, seat: int, touched: str) -> Any:
        """Return a Text, why something on the table is no part of a legal move; None where the game does not say.

        A game that fails at this answers nothing: no match depends on it.
        """
        try:
            return self.match.why_not(seat, touched)
        except RulesFailed:
            log.exception("could not explain why a move is illegal", game=self.match.game.name)
            return None

    # -- bots

    def question(self, seat: int, bot: str, budget: int) -> Question:
        """Return what a bot of that kind must be asked to decide for ``seat``, which is to act; ``bot`` "": nobody.

        ``budget``: how many roll-outs a bot that searches may spend.
        Raises RulesFailed, also when there is no legal move.
        """
        match = self.match
        legal = match.legal_moves(seat)
        if not legal:
            raise RulesFailed("no moves", f"Seat {seat} is to act, and has no legal move.")
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
