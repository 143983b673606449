"""Texts that would stop the site, or inject something into its pages."""

from __future__ import annotations

from games import catalogue
from games.recycle.game import RecycleGame

SCRIPT = '<script>alert("x")</script>'
TAKE = """(move (top (game iloc STOCK)) (top ((current player) iloc HAND)))
       (move (top (game iloc STOCK)) (top (game vloc AWAY)))"""
RANKS = "(RANK (A, B, C, D, E, F, G, H, I))"
SMALL = """;; Title: {title}
;; Players: 2-3
;; Summary: {summary}
;; Minutes: {minutes}

(game
  (setup
    (create players 2 .. 3)
    {deck})
  (do ((shuffle (game iloc STOCK))))
  {stage}
  (stage player
    (end (== (size (game iloc STOCK)) 0))
    (choice
      ({options})))
  (scoring max (size ((current player) iloc HAND))))
"""


def small(
    title: str = "Pick or Drop",
    summary: str = "Take a card, or throw it away.",
    minutes: str = "5",
    deck: str = f"(create deck (game iloc STOCK) (deck {RANKS}))",
    stage: str = "",
    options: str = TAKE,
) -> str:
    """Return a game that plays in a second, with something in it."""
    return SMALL.format(title=title, summary=summary, minutes=minutes, deck=deck, stage=stage, options=options)


def library(name: str) -> tuple[str, str]:
    """Return a text of the house, and its table file."""
    game = catalogue.find(name)
    assert isinstance(game, RecycleGame)
    return game.text, game.table


def _any_of_all(depth: int) -> str:
    """Return a choice of 512 to the power of ``depth`` options."""
    variables = "ABCDEFGH"[:depth]
    opening = " ".join(f"(any (subsets (game iloc STOCK)) '{name}" for name in variables)
    return f"{opening} (turn pass){')' * depth}"


# What cannot be kept at all, and a part of what its author is shown.
UNKEPT = {
    "a megabyte": (small() + " " * 1_000_000, "far too large"),
    "a hundred kilobytes": (small() + "x" * 100_000, "at most 65536 characters"),
    "a sign that no database takes": ("\0" * 10, "NUL character"),
    "half a sign": ("\ud800", "UTF-8"),
}
# What is kept and not played, and a part of why.
UNPLAYED = {
    "no game": ("hello", "error"),
    "nothing": ("", "error"),
    "a loop for ever": (small(stage="(stage player (end (== 1 2)) (do ((turn pass))))"), "it may never end"),
    "a match without end": (
        small(options="(move (top (game iloc STOCK)) (bottom (game iloc STOCK)))"),
        "no end after 5,000 decisions",
    ),
    "a million cards": (
        small(deck=f"(repeat 1000000 (create deck (game iloc STOCK) (deck {RANKS})))"),
        "A game may have at most 1,000 cards, not 9,000,000",
    ),
    "10^9 faces": (
        small(deck="(create deck (game iloc STOCK) (deck " + " ".join(
            f"(L{'X' * n} (A, B, C, D, E, F, G, H, I, J))" for n in range(9)) + "))"),
        "500 different cards",
    ),
    "10^9 options": (small(options=_any_of_all(3)), "too many options"),
    "10^9 rounds": (small(stage="(do ((repeat 1000000000 (turn pass))))"), "1,000,000,000"),
    "brackets in brackets": ("(" * 50_000, "never closed"),
    "a million players": (small().replace("2 .. 3", "1000000"), "from 1 to 20"),
    "blanks in the head": (small(title=f"a{' ' * 60_000}b"), "The limit is 80"),
    "an arrow that turns letters": (small(title="a \N{RIGHT-TO-LEFT OVERRIDE} b"), "cannot be shown"),
    "a card from nowhere": (
        small(options="(move (top (game iloc NOWHERE)) (top (game iloc STOCK)))"),
        "There is no card here to take",
    ),
}  # fmt: skip
