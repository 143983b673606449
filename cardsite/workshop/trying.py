"""How a text is tried out: what a table would have to do with it is done here before, and measured.

It runs in a process of the sandbox (``sandbox_worker.py``) and imports no Django.
"""

from __future__ import annotations

import mmap
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from cardsite.workshop.described import KIND, MINUTES, SUMMARY, TITLE, describe
from games.core import FastChance, Game, RulesFailed, State
from games.recycle.game import RecycleGame
from games.recycle.labels import BadTableFile
from games.recycle.problems import BadText

KEPT_MEMORY = 64 << 20  # bytes that a game may keep, with its programs for all numbers of players
LONGEST_WHY = 2_000  # characters
TOO_DEEP = "Too many things stand inside each other in this text."

# CPU seconds of this process. A page waits for the first two; for a decision everybody at every table does.
READING = 2.0
COMPILING = 1.5  # for one number of players
DECISION = 0.2  # its options, the move, what each seat is shown of it, and one world for a bot
MATCH = 8.0  # one that is played at random
ENOUGH = 2.0  # after which no more matches are begun than one for each number of players
MATCHES = 3  # for the usual, the fewest and the most players, each
DECISIONS = 5_000  # of one match
LOOKED_AT = 60  # decisions of a match at which all is measured that a table would do


class Unfit(Exception):
    """A text that is not played; why, for its author."""


@dataclass
class Found:
    """As ``trial.Trial``."""

    ok: bool = False
    why: str = ""
    seats: tuple[int, int] = (0, 0)
    title: str = ""
    summary: str = ""
    kind: str = ""
    minutes: int = 0
    description: dict[str, Any] | None = None


def describe_again(source: str, table: str) -> dict[str, Any]:
    """Return what is to be stored of a text that has passed its trial long ago, or why it can be played no more.

    That is ``description``, or None and a sentence as ``why``. Raises MemoryError.
    """
    found = Found()
    try:
        _describe(_read(source, table), found)
    except Unfit as unfit:
        found.why = str(unfit)[:LONGEST_WHY]
    except RecursionError:
        found.why = TOO_DEEP
    return {"description": found.description, "why": found.why}


def try_out(source: str, table: str) -> dict[str, Any]:
    """Return what a trial comes to, as ``trial.Trial``. Raises MemoryError."""
    found = Found()
    try:
        examine(source, table, found)
        found.ok = True
    except Unfit as unfit:
        found.why = str(unfit)[:LONGEST_WHY]
    except RecursionError:
        found.why = TOO_DEEP
    return asdict(found)


def examine(source: str, table: str, found: Found) -> None:
    """Try a text in every way, and note what it says of itself. Raises Unfit."""
    with_time, before = Watch(), _memory()
    game = _read(source, table)
    with_time.spent(READING, "To read this text takes too long for a page that waits for it. Make it shorter.")
    found.seats = (game.min_seats, game.max_seats)
    _head(game, found)
    for seats in range(game.min_seats, game.max_seats + 1):
        try:
            game.program(seats)
        except BadText as bad:
            raise Unfit(f"With {_players(seats)}: {_told(bad)}") from bad
        with_time.spent(
            COMPILING, f"To make a game of this text for {_players(seats)} takes too long. Make it shorter."
        )
    if _memory() - before > KEPT_MEMORY:
        raise Unfit("The game that is made of this text takes too much memory. Make the text shorter.")
    _describe(game, found)
    with_time.spent(READING, "To put these rules into words takes too long. Make the text shorter.")
    total = Watch()
    for seats in dict.fromkeys((game.default_seats, game.min_seats, game.max_seats)):
        for number in range(MATCHES):
            if number and total.seconds > ENOUGH:
                break
            _play(game, seats, number)


def _memory() -> int:
    """Return how many bytes of memory this process holds now, 0 where no system tells."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * mmap.PAGESIZE
    except (OSError, ValueError, IndexError):
        return 0


def _read(source: str, table: str) -> RecycleGame:
    try:
        return RecycleGame("game", source, table)
    except BadText as bad:
        raise Unfit(_told(bad)) from bad
    except BadTableFile as bad:
        raise Unfit(f"The table file says what none can say: {bad}") from bad


def _told(bad: BadText) -> str:
    """Return the first thing that is wrong, and how many more there are."""
    errors = [problem for problem in bad.problems if problem.severity == "error"] or bad.problems
    more = f"\n… and {len(errors) - 1} more." if len(errors) > 1 else ""
    return bad.source.show(errors[0]) + more


def _head(game: RecycleGame, found: Found) -> None:
    """Note what the head of a text says. Raises Unfit for what cannot stand in a list."""
    found.minutes = max(1, min(game.minutes, MINUTES))
    for name, said, most in (
        ("title", game.title, TITLE),
        ("summary", game.summary, SUMMARY),
        ("kind", game.kind, KIND),
    ):
        if len(said) > most:
            raise Unfit(f"The {name} in the head of this text has {len(said):,} letters. It may have {most}.")
        if not said.isprintable():
            raise Unfit(f"The {name} in the head of this text has a sign that cannot be shown.")
        setattr(found, name, " ".join(said.split()))


def _describe(game: RecycleGame, found: Found) -> None:
    """Note what the site has to know of a game. Raises Unfit."""
    try:
        found.description = describe(game)
    except ValueError as error:
        raise Unfit(str(error)) from error


class Watch:
    """Measures CPU time from mark to mark."""

    def __init__(self) -> None:
        self._since = time.process_time()

    @property
    def seconds(self) -> float:
        """CPU time since the last mark."""
        return time.process_time() - self._since

    def spent(self, most: float, why: str) -> None:
        """Set a mark. Raises Unfit when more time was spent since the one before."""
        if self.seconds > most:
            raise Unfit(why)
        self._since = time.process_time()


def _play(game: Game, seats: int, number: int) -> None:
    """Play a match at random, as a table would have it played. Raises Unfit."""
    chance = FastChance(f"trial {seats} {number}")
    where = f"In a match of random moves with {_players(seats)}"
    watch, decisions = Watch(), 0
    slow = f"{where} one decision took too long for a table, where everybody waits for it: %s."
    try:
        state = game.new(seats, {}, chance.stream("deal"))
        watch.spent(COMPILING, f"{where} the deal took too long.")
        played = Watch()
        for decisions in range(DECISIONS):
            if not state.to_act():
                break
            _decide(game, state, seats, chance, watch, slow, look=decisions < LOOKED_AT)
            if played.seconds > MATCH:
                raise Unfit(f"{where} {decisions:,} decisions took {MATCH:g} seconds, and it had not ended.")
        else:
            raise Unfit(
                f"{where} there was no end after {DECISIONS:,} decisions. Let something be used up, or count rounds."
            )
        state.scores()
        state.winners()
        _views(game, state, seats)
        watch.spent(DECISION, slow % "the end of the match")
    except RulesFailed as failed:
        raise Unfit(f"{where} the rules broke down ({failed.kind}): {failed.text}") from failed


def _decide(
    game: Game, state: State[object], seats: int, chance: FastChance, watch: Watch, slow: str, *, look: bool
) -> None:
    """Have a random move made, and measure what a table does around it. Raises Unfit, RulesFailed."""
    mover = state.to_act()[0]
    moves = state.legal_moves(mover)
    watch.spent(DECISION, slow % f"to find what may be done ({len(moves):,} options)")
    if look:
        _views(game, state, seats)
        watch.spent(DECISION, slow % f"to show the table to {_players(seats)}")
        state.determinize(mover, chance)
        watch.spent(DECISION, slow % "to deal a bot what it cannot see")
    state.apply(mover, moves[chance.randbelow(len(moves))])
    watch.spent(DECISION, slow % "to carry it out")


def _views(game: Game, state: State[object], seats: int) -> None:
    for audience in _audiences(seats):
        game.view(state, audience)


def _audiences(seats: int) -> Iterator[int | None]:
    yield None
    yield from range(seats)


def _players(count: int) -> str:
    return "1 player" if count == 1 else f"{count} players"
