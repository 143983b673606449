"""Texts in RECYCLE that are as expensive as the workshop's trial lets through: see ``bench.siege``.

Each is slow in one respect. ``play`` lists the moves by which its author makes it slow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
DECK = "(deck (N (A, B, C, D, E)) (M (A, B, C, D, E)) (K (A, B, C, D)))"  # 100 cards
UNLOCKING = 7  # the option that must be chosen LOCKS times in a row
LOCKS = 5  # with 10 options each, random play unlocks one match in 100,000


@dataclass(frozen=True)
class AttackText:
    """A text, how its author plays it, and with which bots. Matches are short, so that they pass the trial."""

    name: str
    source: str
    seats: int
    bots: str = "random"
    play: Sequence[str] = ()  # the author's first moves; later ones are random

    def variant(self, number: int) -> str:
        """Return the source with another title, so that it is another text that costs the same."""
        return f";; Title: {self.name.capitalize()} {number}\n{self.source}"


def loop(rounds: int) -> str:
    """Return an expression that takes about ``rounds`` squared steps to evaluate."""
    return f"(size (filter (range 1 .. {rounds}) 'LA (any (range 1 .. {rounds}) 'LB (== 'LA 0))))"


def names(count: int) -> str:
    """Return ``count`` names, 676 at most, as a list in RECYCLE."""
    return f"({', '.join(f'N{LETTERS[number // 26]}{LETTERS[number % 26]}' for number in range(count))})"


def text(blocks: str, *, players: str = "2", decks: str = "", scoring: str = "max 0", rounds: int = 100) -> str:
    """Return a text that runs ``blocks`` for ``rounds`` turns."""
    return f"""(game
  (setup (create players {players}) {decks or f"(create deck (game vloc DECK) {DECK})"})
  (stage player (end (>= (game sto ROUND) {rounds}))
    (do ((inc (game sto ROUND) 1)))
    {blocks})
  (scoring {scoring}))
"""


SAY = "(choice ((any (range 0 .. 9) 'D (set (game sto SAID) 'D))))"
PLAIN = "(choice ((any (range 1 .. 3) 'D (set (game sto SAID) 'D))))"

# Some texts are cheap until an option has been chosen LOCKS times in a row, which the trial hardly ever does. The same
# seat keeps the turn meanwhile, so that only the moves of the author count.
LOCK = f"""(do ((cycle next current)))
    {SAY}
    (do (
      ((== (game sto SAID) {UNLOCKING}) (inc (game sto LOCK) 1))
      ((!= (game sto SAID) {UNLOCKING}) (set (game sto LOCK) 0))))"""
OPEN = f"(== (game sto LOCK) {LOCKS})"


def _places(name: str, each: int) -> AttackText:
    """Return a text that creates ``each`` places for each of 20 players."""
    return AttackText(
        name,
        text(
            f"""{LOCK}
    (do (({OPEN} (all (game vloc POT) 'C (all player 'P (all {names(each)} 'N (move 'C (top ('P vloc 'N)))))))))""",
            players="20",
            decks="(create deck (game vloc POT) (deck (KIND (A))))",
        ),
        seats=20,
        play=[f"SAID={UNLOCKING}"] * LOCKS,
    )


TOO_MANY_PLACES = _places("places", 98)  # 1,960, more than games.recycle.machine.MOST_PLACES
MOST_PLACES = _places("most places", 19)  # 380, just below it

SLOW = AttackText(
    "slow",
    text(
        f"""{LOCK}
    (do (((>= (game sto LOCK) {LOCKS}) (do (
      (inc (game sto LOCK) 1)
      (all (range 1 .. 10000) 'R (shuffle (game vloc DECK))))))))"""
    ),
    seats=2,
    play=[f"SAID={UNLOCKING}"] * (LOCKS + 4),  # the turns after the lock are slow
)

# This text does not disguise what it costs: every move takes about as long.
HONEST = AttackText(
    "honest",
    text(
        f"""(choice (
      ((< {loop(250)} 0) (turn pass))
      (any (game vloc DECK) 'A (any (range 1 .. 7) 'B
        (do ((set (game sto SAID) 'B) (move 'A (top (game vloc DECK)))))))))
    (do ((set (game sto X) {loop(600)})))""",
        scoring=f"max (+ ((current player) sto X) {loop(400)})",
    ),
    seats=2,
)

OPTIONS = AttackText(
    "options",
    text(
        f"""(choice (
      ((< {loop(400)} 0) (turn pass))
      (any (range 1 .. 30) 'A (any (range 1 .. 30) 'B (do ((set (game sto X) 'A) (set (game sto Y) 'B)))))))"""
    ),
    seats=2,
)

# The legal moves depend on where every hidden card lies, so that hardly any determinization gives the same ones.
DETERMINIZE = AttackText(
    "determinize",
    text(
        f"""(do ((shuffle (game hloc DECK))))
    (choice (
      ((< {loop(550)} 0) (turn pass))
      (any (filter (game hloc DECK) 'C (== (cardatt N 'C) A)) 'D (move 'D (top (game hloc DECK))))))""",
        players="4",
        decks=f"(create deck (game hloc DECK) {DECK})",
    ),
    seats=4,
    bots="easy",
)

# A card moves between places all the time, and every move is an entry of the log.
LOG = AttackText(
    "log",
    text(
        f"""{PLAIN}
    (do (
      (all (game vloc POT) 'C (all {names(26)} 'N (all {names(26)} 'M
        (do ((move 'C (top (game vloc 'N))) (move 'C (top (game vloc 'M))))))))
      (all (game vloc NAZ) 'C (move 'C (top (game vloc POT))))))""",  # NAZ is the last of names(26)
        decks="(create deck (game vloc POT) (deck (KIND (A))))",
        rounds=60,
    ),
    seats=2,
)

SCORES = AttackText(
    "scores",
    text(PLAIN, players="4", scoring=f"max (+ ((current player) sto X) {loop(280)})"),
    seats=4,
)

TEXTS = {one.name: one for one in (TOO_MANY_PLACES, MOST_PLACES, SLOW, HONEST, OPTIONS, DETERMINIZE, LOG, SCORES)}
