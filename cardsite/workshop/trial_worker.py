"""How a trial is run: everything that a table would do with a text is done and measured.

The verdict does not depend on the load of the machine. The same matches are played each time, with limits on decisions
and options instead of time. Tables must answer quickly, so each step is measured, in CPU time of this process. CPU
times vary, for example with the processor's caches, but only upwards: a step that took too long is repeated on an equal
position, and the shortest time counts. A text is never refused because the time for all matches has run out: the
remaining matches are not played then.

It runs in a process of the sandbox (``sandbox_worker.py``) and imports no Django.
"""

from __future__ import annotations

import mmap
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

from cardsite.workshop.described import KIND_LENGTH, MOST_MINUTES, SUMMARY_LENGTH, TITLE_LENGTH, describe
from games.core import FastChance, Game, RulesFailed, State
from games.core.messages import NONE, Message, as_written, in_lines, message, template
from games.recycle.game import RecycleGame
from games.recycle.labels import BadTableFile
from games.recycle.problems import BadText, players_of

KEPT_MEMORY = 64 << 20  # bytes that a compiled game may keep, for all numbers of players
TOO_DEEP = message("This text is nested too deeply. Simplify it.")

# CPU seconds, the shortest of several tries. A page waits for the first two, a table for the third.
READING = 2.0
COMPILING = 1.5  # for one number of players; also the deal
DECISION = 0.2  # each: find the options; make the move; render all views; determinize for a bot
TRIES = 4
HOPELESS = 4  # a step that took this many times the limit is not repeated

# How much is played.
MATCHES = 3  # each for the usual, the fewest and the most players
ENOUGH = 3_000  # decisions and options, after which only one match is played for each number of players
DECISIONS = 5_000  # of one match
OPTIONS = 200_000  # of all its decisions
LOOKED_AT = 60  # decisions of a match at which everything is measured
PLAYING = 12.0  # CPU seconds for all matches: the rest is not played then

T = TypeVar("T")
S = TypeVar("S")


class Unfit(Exception):
    """A text that fails its trial. ``why`` tells its author the reason."""

    def __init__(self, why: Message) -> None:
        super().__init__(why)
        self.why = why


@dataclass
class Found:
    """As ``trial.Trial``."""

    ok: bool = False
    why: Message = NONE
    seats: tuple[int, int] = (0, 0)
    title: str = ""
    summary: str = ""
    kind: str = ""
    minutes: int = 0
    description: dict[str, Any] | None = None


def describe_again(source: str, table: str) -> dict[str, Any]:
    """Return the ``description`` of a text that passed its trial before, or None and ``why`` it no longer compiles.

    Raises MemoryError.
    """
    found = Found()
    try:
        _describe(_read(source, table), found)
    except Unfit as unfit:
        found.why = unfit.why
    except RecursionError:
        found.why = TOO_DEEP
    return {"description": found.description, "why": found.why}


def try_out(source: str, table: str) -> dict[str, Any]:
    """Return the result of a trial, as for ``trial.Trial``. Raises MemoryError."""
    found = Found()
    try:
        examine(source, table, found)
        found.ok = True
    except Unfit as unfit:
        found.why = unfit.why
    except RecursionError:
        found.why = TOO_DEEP
    return {each.name: getattr(found, each.name) for each in fields(found)}


def examine(source: str, table: str, found: Found) -> None:
    """Run all checks of a text and store its facts in ``found``. Raises Unfit."""
    before = _memory()

    def again() -> RecycleGame:
        return _read(source, table)

    long = message("Reading this text takes too long. Shorten it.")
    game = _quick(READING, long, lambda _: again(), None, lambda: None)
    found.seats = (game.min_seats, game.max_seats)
    _head(game, found)
    for seats in range(game.min_seats, game.max_seats + 1):
        long = message("Compiling this text for {players} takes too long. Shorten it.", players=players_of(seats))
        try:
            _quick(COMPILING, long, lambda game, seats=seats: game.program(seats), game, again)  # type: ignore[misc]
        except BadText as bad:
            said = message("With {players}: {text}", players=players_of(seats), text=_summary(bad))
            raise Unfit(said) from bad
    if _memory() - before > KEPT_MEMORY:
        raise Unfit(message("The compiled game takes too much memory. Shorten the text."))
    played, began = 0, time.process_time()
    for seats in dict.fromkeys((game.default_seats, game.min_seats, game.max_seats)):
        for number in range(MATCHES):
            if number and played > ENOUGH:
                break
            played += _play(game, seats, number, until=began + PLAYING)

    def with_example(game: RecycleGame) -> RecycleGame:
        _ = game.begun  # its match is no part of writing the page: what a decision may cost has been measured
        return game

    long = message("Writing the rules page takes too long. Shorten the text.")
    _quick(READING, long, lambda game: _describe(game, found), with_example(game), lambda: with_example(again()))


def _quick(most: float, why: Message, do: Callable[[S], T], on: S, again: Callable[[], S]) -> T:
    """Return ``do(on)``. Raises Unfit if that takes more than ``most`` seconds of CPU time.

    If it takes longer, it is repeated on what ``again`` returns: see the module's docstring.
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
    """Return the resident memory of this process in bytes, 0 where the system does not report it."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * mmap.PAGESIZE
    except (OSError, ValueError, IndexError):
        return 0


def _read(source: str, table: str) -> RecycleGame:
    try:
        return RecycleGame("game", source, table)
    except BadText as bad:
        raise Unfit(_summary(bad)) from bad
    except BadTableFile as bad:
        raise Unfit(message("The table file is invalid: {text}", text=bad.text)) from bad


def _summary(bad: BadText) -> Message:
    """Return the first problem of a text, and the number of further ones."""
    errors = [problem for problem in bad.problems if problem.severity == "error"] or bad.problems
    first = bad.source.show(errors[0])
    return in_lines([first, message("… and {n} more.", n=len(errors) - 1)]) if len(errors) > 1 else first


TOO_LONG = {
    "title": template("The title of this game has {n:,} characters. The limit is {most}. Shorten it."),
    "summary": template("The summary of this game has {n:,} characters. The limit is {most}. Shorten it."),
    "kind": template("The kind of this game has {n:,} characters. The limit is {most}. Shorten it."),
}
UNPRINTABLE = {
    "title": template("The title of this game contains a character that cannot be shown. Remove it."),
    "summary": template("The summary of this game contains a character that cannot be shown. Remove it."),
    "kind": template("The kind of this game contains a character that cannot be shown. Remove it."),
}


def _head(game: RecycleGame, found: Found) -> None:
    """Store the facts in the head of a text. Raises Unfit if they cannot be shown in a list."""
    found.minutes = max(1, min(game.minutes, MOST_MINUTES))
    for name, said, most in (
        ("title", game.title, TITLE_LENGTH),
        ("summary", game.summary, SUMMARY_LENGTH),
        ("kind", game.kind, KIND_LENGTH),
    ):
        if len(said) > most:
            raise Unfit(message(TOO_LONG[name], n=len(said), most=most))
        if not said.isprintable():
            raise Unfit(message(UNPRINTABLE[name]))
        setattr(found, name, " ".join(said.split()))


def _describe(game: RecycleGame, found: Found) -> None:
    """Store the description of a game. Raises Unfit."""
    try:
        found.description = describe(game)
    except ValueError as error:
        raise Unfit(as_written(error.args[0])) from error


SLOW = {
    "options": template("{where} finding the legal moves took too long for a table, where everybody waits."),
    "views": template("{where} showing the table to {players} took too long for a table, where everybody waits."),
    "bot": template("{where} dealing hidden cards for a bot took too long for a table, where everybody waits."),
    "move": template("{where} making a move took too long for a table, where everybody waits."),
    "result": template("{where} computing the result took too long for a table, where everybody waits."),
}
NO_END = template(
    "{where} there was no end after {decisions:,} decisions with {options:,} options. "
    "Make sure that every match ends: use up cards, or count rounds."
)


def _play(game: Game, seats: int, number: int, until: float) -> int:
    """Play a random match with all that a table does. Returns the number of decisions and options. Raises Unfit.

    The match is abandoned when the CPU time of this process reaches ``until``.
    """
    chance = FastChance(f"trial {seats} {number}")
    where = message("In a random match with {players},", players=players_of(seats))
    try:
        state = _quick(
            COMPILING,
            message("{where} the deal took too long.", where=where),
            lambda _: game.new(seats, {}, chance.stream("deal")),
            None,
            lambda: None,
        )
        decisions = options = 0
        while state.to_act():
            if time.process_time() > until:
                return decisions + options
            if decisions == DECISIONS or options > OPTIONS:
                raise Unfit(message(NO_END, where=where, decisions=decisions, options=options))
            options += _decide(game, state, seats, chance, where, look=decisions < LOOKED_AT)
            decisions += 1
        _quick(
            DECISION, message(SLOW["result"], where=where), lambda state: _end(game, state, seats), state, state.clone
        )
    except RulesFailed as failed:
        kind, text = Message(failed.kind, {}), as_written(failed.text)
        raise Unfit(message("{where} the rules failed ({kind}): {text}", where=where, kind=kind, text=text)) from failed
    return decisions + options


def _decide(game: Game, state: State[object], seats: int, chance: FastChance, where: Message, *, look: bool) -> int:
    """Make a random move and measure what a table does around it. Returns the number of options.

    Raises Unfit, RulesFailed.
    """
    mover = state.to_act()[0]
    before = state.clone()
    moves = _quick(DECISION, message(SLOW["options"], where=where), lambda s: s.legal_moves(mover), state, before.clone)

    def asked() -> State[object]:
        """Return an equal position with its options computed."""
        equal = before.clone()
        equal.legal_moves(mover)
        equal.log = []
        return equal

    if look:
        slow = message(SLOW["views"], where=where, players=players_of(seats))
        _quick(DECISION, slow, lambda s: _views(game, s, seats), state, asked)
        cards = chance.stream("world")
        _quick(DECISION, message(SLOW["bot"], where=where), lambda s: s.determinize(mover, cards.clone()), state, asked)
    move = moves[chance.randbelow(len(moves))]
    _quick(DECISION, message(SLOW["move"], where=where), lambda s: s.apply(mover, move), state, asked)
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
