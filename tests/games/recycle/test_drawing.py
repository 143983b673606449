"""Drawing is linear: a view of twice as much takes twice the work, not four times; so do the log entries of a move.

Work is counted, not timed: the bytecodes that Python runs, and the members that a search through a place looks at.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, SupportsIndex

import pytest

from games.core import FastChance
from games.recycle import log_entries
from games.recycle.game import RecycleGame
from games.recycle.rules import RecycleState
from tests.games.recycle.played import START
from tests.tiers import sampled, tiered

FEW, MANY = 40, 80
MOST = 2.3  # times the work for twice as much; 2 would be exact, 4 is what must not be

Make = Callable[[int], str]


def names(count: int) -> list[str]:
    return [f"N{chr(65 + number // 26)}{chr(65 + number % 26)}" for number in range(count)]


def made(count: int) -> str:
    """Return names that a text goes through, and of which nobody can read off that places are called so."""
    return f"(filter ({', '.join(names(count))}) 'N (== 1 1)) 'N"


def text(count: int, blocks: str, *, seats: int = 3, vis: str = "vloc", scoring: str = "max 0") -> str:
    """Return a text with a deck of so many cards, each with one of the names."""
    deck = f"(create deck (game {vis} D) (deck (K ({', '.join(names(count))}))))"
    return f"(game (setup (create players {seats}) {deck}) {blocks} (scoring {scoring}))"


def alike(count: int, blocks: str, vis: str) -> str:
    """Return a text with so many cards of one face."""
    decks = f"(repeat {count} (create deck (game {vis} D) (deck (K (A)))))"
    return f"(game (setup (create players 3) {decks}) {blocks} (scoring max 0))"


class Searched(list[int]):
    """The cards of a place. Counts how many a search through them looks at, which takes Python one bytecode."""

    work = 0

    def index(self, value: int, start: SupportsIndex = 0, stop: SupportsIndex = sys.maxsize) -> int:
        found = super().index(value, start, stop)
        Searched.work += found + 1
        return found

    def __contains__(self, value: object) -> bool:
        Searched.work += len(self)
        return super().__contains__(value)

    def count(self, value: int) -> int:
        Searched.work += len(self)
        return super().count(value)


def work(do: Callable[[], object]) -> int:
    """Return how much work something is."""
    done = Searched.work = 0

    def count(frame: Any, event: str, arg: object) -> Any:
        nonlocal done
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        done += event == "opcode"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        do()
    finally:
        sys.settrace(before)
    return done + Searched.work


def begun(source: str, table: str, moves: int) -> tuple[RecycleGame, RecycleState]:
    """Return a match of a text after so many moves, each the first there is."""
    game = RecycleGame("made", source, table)
    state = game.new(game.min_seats, {}, FastChance("x"))
    assert isinstance(state, RecycleState)
    for _ in range(moves):
        seat = state.to_act()[0]
        state.apply(seat, state.legal_moves(seat)[0])
    state.L = [Searched(cards) for cards in state.L]
    return game, state


def assert_linear(few: int, many: int) -> None:
    assert many / few < MOST, f"{few:,} for {FEW}, {many:,} for {MANY}: {many / few:.2f} times"


def choice(option: str) -> str:
    return f"(choice ({option}))"


def after(step: str) -> str:
    """Return blocks that do something after a choice, and ask again."""
    return f"{START} (do ({step})) {START}"


SHOWN: dict[str, Make] = {
    "places of the table": lambda n: text(n, after(f"(all {made(n)} (move (top (game vloc D)) (top (game vloc 'N))))")),
    "places of players": lambda n: text(
        n, after(f"(all {made(n)} (move (top (game vloc D)) (top ((1 player) vloc 'N))))")
    ),
    "hidden places": lambda n: text(
        n, after(f"(all {made(n)} (move (top (game hloc D)) (top (game hloc 'N))))"), vis="hloc"
    ),
    "open places over hidden ones": lambda n: text(
        2 * n,
        after(
            f"(all {made(n)} (do ((move (top (game vloc D)) (top (game hloc 'N)))"
            " (move (top (game vloc D)) (top (game vloc 'N))))))"
        ),
    ),
    "places that the text names": lambda n: text(
        n, after("".join(f"(move (top (game vloc D)) (top (game vloc {name})))" for name in names(n)))
    ),
    "empty places": lambda n: text(
        n,
        after(
            f"(all {made(n)} (do ((move (top (game vloc D)) (top (game vloc 'N)))"
            " (move (top (game vloc 'N)) (top (game vloc D))))))"
        ),
    ),
    "cards of a place": lambda n: text(n, START + START),
    "cards of a hand": lambda n: text(
        n, after("(repeat all (move (top (game hloc D)) (top ((0 player) iloc HAND))))"), vis="hloc"
    ),
    "memories": lambda n: text(n, after(f"(all {made(n)} (remember (top (game vloc D)) (top (game mem 'N))))")),
    "notes of a memory": lambda n: text(n, after("(all (game vloc D) 'C (remember 'C (top (game mem M))))")),
    "stores": lambda n: text(n, after(f"(all {made(n)} (all player 'P (set ('P sto 'N) 1)))")),
    "words": lambda n: text(n, after(f"(all {made(n)} (all player 'P (set ('P str 'N) A)))")),
    "players": lambda n: text(
        n,
        after("(all player 'P (do ((set ('P sto X) 1) (move (top (game vloc D)) (top ('P vloc X))))))"),
        seats=n // 4,
    ),
    "options": lambda n: text(n, after("(turn pass)") + choice("(any (game vloc D) 'C (move 'C (top (game vloc X))))")),
    "options with hidden cards": lambda n: text(
        n, after("(turn pass)") + choice("(any (game hloc D) 'C (move 'C (top (game vloc X))))"), vis="hloc"
    ),
    "options with a place each": lambda n: text(
        n, after("(turn pass)") + choice("(any (game vloc D) 'C (move 'C (top (game vloc (cardatt K 'C)))))")
    ),
    "options with a point map each": lambda n: text(
        1, after("(turn pass)") + choice(f"(any (range 1 .. {n}) 'A (set (game points P) (((K : NAA) 'A))))")
    ),
    "cards of an option": lambda n: text(
        n, after("(turn pass)") + choice("(all (game vloc D) 'C (move 'C (bottom (game vloc X)))) (turn pass)")
    ),
    "hidden cards of an option": lambda n: text(
        n,
        after("(turn pass)") + choice("(all (game hloc D) 'C (move 'C (bottom (game vloc X)))) (turn pass)"),
        vis="hloc",
    ),
    "ways of an option": lambda n: text(
        n,
        after("(turn pass)") + choice("(all (game vloc D) 'C (move 'C (top (game vloc (cardatt K 'C))))) (turn pass)"),
    ),
    "stores of an option": lambda n: text(
        n, after("(turn pass)") + choice(f"(all {made(n)} (set (game str 'N) A)) (turn pass)")
    ),
}


@pytest.mark.parametrize("seat", tiered([0, 1, None], lambda seat: seat == 0))
@pytest.mark.parametrize("what", sampled(list(SHOWN), 2))
def test_a_view_takes_twice_the_work_for_twice_as_much(what: str, seat: int | None) -> None:
    def view(count: int) -> int:
        layout = "".join(f'{name} = "row"\n' for name in ["M", *names(count)]) if "memor" in what else ""
        source = SHOWN[what](count)
        game, state = begun(source, f"[layout]\n{layout}", 2 if "option" in what else 1)
        state.legal_moves(state.to_act()[0])  # is rules, not drawing
        return work(lambda: game.view(state, seat))

    view(10)  # what is worked out once for a program, such as what its cards are called
    assert_linear(view(FEW), view(MANY))


@pytest.mark.parametrize("what", [what for what in SHOWN if "option" in what])
def test_options_are_found_with_twice_the_work_for_twice_as_many(what: str) -> None:
    def found(count: int) -> int:
        _, state = begun(SHOWN[what](count), "", 2)
        return work(lambda: state.legal_moves(state.cur))

    assert_linear(found(FEW), found(MANY))


DONE: dict[str, Make] = {
    "cards that go to places": lambda n: text(
        n, after(f"(all {made(n)} (move (top (game vloc D)) (top (game vloc 'N))))")
    ),
    "cards that go to a player": lambda n: text(
        n, after("(repeat all (move (top (game hloc D)) (top ((1 player) iloc HAND))))"), vis="hloc"
    ),
    "cards that go round the table": lambda n: text(
        n,
        after(f"(repeat {n // 4} (all player 'P (move (top (game hloc D)) (top ('P iloc HAND)))))"),
        vis="hloc",
        seats=4,
    ),
    "numbers that change": lambda n: text(n, after(f"(all {made(n)} (all player 'P (set ('P sto 'N) 1)))")),
    "cards of one face": lambda n: alike(
        n, after("(repeat all (move (top (game hloc D)) (top (game vloc X))))"), "hloc"
    ),
    "cards of one face that are shuffled": lambda n: alike(n, after("(shuffle (game vloc D))"), "vloc"),
    "shuffles": lambda n: text(2, after(f"(repeat {n} (shuffle (game vloc D)))")),
    "cards of an option": lambda n: text(
        n, START + choice("(all (game hloc D) 'C (move 'C (top ((current player) iloc HAND))))") + START, vis="hloc"
    ),
    "options": lambda n: text(n, START + choice("(any (game vloc D) 'C (move 'C (top (game vloc X))))") + START),
}


def test_a_deal_takes_twice_the_work_for_twice_as_many_cards() -> None:
    def deal(count: int) -> int:
        game = RecycleGame("made", alike(count, START, "vloc"))
        return work(lambda: game.new(3, {}, FastChance("x")))

    deal(10)
    assert_linear(deal(FEW), deal(MANY))


@pytest.mark.parametrize("what", DONE)
def test_describing_a_move_takes_twice_the_work_for_twice_as_much(what: str) -> None:
    def cost(count: int) -> int:
        _, state = begun(DONE[what](count), "", 1 if "option" in what else 0)
        assert state.log is not None
        move = state.legal_moves(state.cur)[0]
        return work(lambda: state.apply(state.cur, move))

    cost(10)
    assert_linear(cost(FEW), cost(MANY))


def test_the_log_of_a_move_has_an_end() -> None:
    many = log_entries.MOST_ENTRIES + 50
    there, back = (f"(move (top (game vloc {a})) (top (game vloc {b})))" for a, b in ("DE", "ED"))
    steps = f"{there} (shuffle (game vloc D)) {back} (shuffle (game vloc E))"
    _, state = begun(text(2, after(f"(repeat {many} (do ({steps})))")), "", 1)
    assert state.log is not None
    lines = [line["text"]["text"] for line in state.log]
    assert lines.count("{place} is shuffled.") == 2  # once for each place
    assert len(lines) == log_entries.MOST_ENTRIES + 1  # and what the player has chosen
    assert lines[-1] == "More happened than the log can show."
