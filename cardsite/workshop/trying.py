"""How a text is tried out: what a table would have to do with it is done here before, and measured.

The verdict does not depend on what else the machine does. The same matches are played each time, and they end after so
many decisions and options, not after a time. That a table answers quickly is a promise to its players, so it is
measured, in CPU time of this process. That time varies, with the caches of the processor for example, but only
upwards: what took too long is done again, on an equal position, and the shortest time counts. No text is refused
because the time for its matches has run out: then those that are left are not played.

It runs in a process of the sandbox (``sandbox_worker.py``) and imports no Django.
"""

from __future__ import annotations

import mmap
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

from cardsite.workshop.described import KIND, MINUTES, SUMMARY, TITLE, describe
from games.core import FastChance, Game, RulesFailed, State
from games.recycle.game import RecycleGame
from games.recycle.labels import BadTableFile
from games.recycle.problems import BadText

KEPT_MEMORY = 64 << 20  # bytes that a game may keep, with its programs for all numbers of players
LONGEST_WHY = 2_000  # characters
TOO_DEEP = "Too many things stand inside each other in this text."

# CPU seconds, the shortest of so many tries. A page waits for the first two, a table for the third.
READING = 2.0
COMPILING = 1.5  # for one number of players; also the deal
DECISION = 0.2  # to find its options; to make the move; to show it to all; to deal a world for a bot
TRIES = 4
HOPELESS = 4  # times as long as allowed: not tried again

# How much is played.
MATCHES = 3  # for the usual, the fewest and the most players, each
ENOUGH = 3_000  # decisions and options, after which only one match is played for each number of players
DECISIONS = 5_000  # of one match
OPTIONS = 200_000  # of all its decisions
LOOKED_AT = 60  # decisions of a match at which all is measured that a table would do
PLAYING = 12.0  # CPU seconds for all matches: what is left of them then is not played

T = TypeVar("T")
S = TypeVar("S")


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
    before = _memory()

    def again() -> RecycleGame:
        return _read(source, table)

    long = "To read this text takes too long for a page that waits for it. Make it shorter."
    game = _quick(READING, long, lambda _: again(), None, lambda: None)
    found.seats = (game.min_seats, game.max_seats)
    _head(game, found)
    for seats in range(game.min_seats, game.max_seats + 1):
        long = f"To make a game of this text for {_players(seats)} takes too long. Make it shorter."
        try:
            _quick(COMPILING, long, lambda game, seats=seats: game.program(seats), game, again)  # type: ignore[misc]
        except BadText as bad:
            raise Unfit(f"With {_players(seats)}: {_told(bad)}") from bad
    if _memory() - before > KEPT_MEMORY:
        raise Unfit("The game that is made of this text takes too much memory. Make the text shorter.")
    long = "To put these rules into words takes too long. Make the text shorter."
    _quick(READING, long, lambda game: _describe(game, found), game, again)
    played, began = 0, time.process_time()
    for seats in dict.fromkeys((game.default_seats, game.min_seats, game.max_seats)):
        for number in range(MATCHES):
            if number and played > ENOUGH:
                break
            played += _play(game, seats, number, until=began + PLAYING)


def _quick(most: float, why: str, do: Callable[[S], T], on: S, again: Callable[[], S]) -> T:
    """Return what ``do`` returns on something. Raises Unfit if that takes more than ``most`` seconds of CPU time.

    What takes longer is tried again on what ``again`` returns: see above.
    """
    began = time.process_time()
    found = do(on)
    shortest = time.process_time() - began
    for _ in range(TRIES - 1):
        if not most < shortest <= HOPELESS * most:
            break
        equal = again()
        began = time.process_time()
        do(equal)
        shortest = min(shortest, time.process_time() - began)
    if shortest > most:
        raise Unfit(why)
    return found


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


def _play(game: Game, seats: int, number: int, until: float) -> int:
    """Play a match at random, as a table would have it played. Returns the number of decisions and options.

    Raises Unfit. At ``until``, by the CPU time of this process, the match is left as it is.
    """
    chance = FastChance(f"trial {seats} {number}")
    where = f"In a match of random moves with {_players(seats)}"
    slow = f"{where} one decision took too long for a table, where everybody waits for it: %s."
    try:
        state = _quick(
            COMPILING,
            f"{where} the deal took too long.",
            lambda _: game.new(seats, {}, chance.stream("deal")),
            None,
            lambda: None,
        )
        decisions = options = 0
        while state.to_act():
            if time.process_time() > until:
                return decisions + options
            if decisions == DECISIONS or options > OPTIONS:
                raise Unfit(
                    f"{where} there was no end after {decisions:,} decisions with {options:,} options. "
                    "Let something be used up, or count rounds."
                )
            options += _decide(game, state, seats, chance, slow, look=decisions < LOOKED_AT)
            decisions += 1
        _quick(DECISION, slow % "the end of the match", lambda state: _end(game, state, seats), state, state.clone)
    except RulesFailed as failed:
        raise Unfit(f"{where} the rules broke down ({failed.kind}): {failed.text}") from failed
    return decisions + options


def _decide(game: Game, state: State[object], seats: int, chance: FastChance, slow: str, *, look: bool) -> int:
    """Have a random move made, and measure what a table does around it. Returns the number of options.

    Raises Unfit, RulesFailed.
    """
    mover = state.to_act()[0]
    before = state.clone()
    found = slow % "to find what may be done"
    moves = _quick(DECISION, found, lambda s: s.legal_moves(mover), state, before.clone)

    def asked() -> State[object]:
        """Return an equal position whose options have been found."""
        equal = before.clone()
        equal.legal_moves(mover)
        equal.lines = []
        return equal

    if look:
        _quick(
            DECISION, slow % f"to show the table to {_players(seats)}", lambda s: _views(game, s, seats), state, asked
        )
        world = chance.stream("world")
        bot = slow % "to deal a bot what it cannot see"
        _quick(DECISION, bot, lambda s: s.determinize(mover, world.clone()), state, asked)
    move = moves[chance.randbelow(len(moves))]
    _quick(DECISION, slow % "to carry it out", lambda s: s.apply(mover, move), state, asked)
    return len(moves)


def _end(game: Game, state: State[object], seats: int) -> None:
    state.scores()
    state.winners()
    _views(game, state, seats)


def _views(game: Game, state: State[object], seats: int) -> None:
    for audience in _audiences(seats):
        game.view(state, audience)


def _audiences(seats: int) -> Iterator[int | None]:
    yield None
    yield from range(seats)


def _players(count: int) -> str:
    return "1 player" if count == 1 else f"{count} players"
