"""Small games that were made to have one fault each, as texts. ``FAULTS`` names the finding that must be made.

A sound game of the same size is among them: what all have in common is no fault.
"""

from __future__ import annotations

from games.recycle.game import RecycleGame

_DECK = "(deck (RANK (A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R)))"
_VALUES = " ".join(f"((RANK : {letter}) {number})" for number, letter in enumerate("ABCDEFGHIJKLMNOPQR"))
_DEAL = f"""(set (game points VALUE) ({_VALUES}))
     (shuffle (game iloc STOCK))
     (call DEAL 6 (game iloc STOCK) HAND)"""


def _cards(turn: str) -> str:
    """Return a game in which players lay down their six cards in turn."""
    return f"""(game
  (setup (create players 3) (create deck (game iloc STOCK) {_DECK}))
  (do
    ({_DEAL}))
  (stage player
    (end (call EMPTY HAND))
    {turn})
  (scoring max (sum ((current player) vloc KEPT) using (game points VALUE))))
"""


def _points(turn: str, turns: int = 12) -> str:
    """Return a game in which players take points in turn, ``turns`` in all. Who begins is drawn by lot."""
    return f"""(game
  (setup (create players 2) (create deck (game iloc STOCK) (deck (RANK (A)))))
  (do
    ((repeat (random 1) (cycle current next))
     (set (game sto TURNS) {turns})))
  (stage player
    (end (== (game sto TURNS) 0))
    {turn}
    (do ((dec (game sto TURNS) 1))))
  (scoring max ((current player) sto POINTS)))
"""


# Each player lays one of its cards on its row, or away; three cards may be kept, and the highest sum wins.
SOUND = _cards(
    """(choice
      (((< (size ((current player) vloc KEPT)) 3)
        (any ((current player) iloc HAND) 'C (move 'C (top ((current player) vloc KEPT)))))
       ((< (size ((current player) hloc GONE)) 3)
        (any ((current player) iloc HAND) 'C (move 'C (top ((current player) hloc GONE)))))))"""
)
# The top card of the hand is turned, and nothing is chosen.
NO_DECISIONS = _cards("(choice ((move (top ((current player) iloc HAND)) (top ((current player) vloc KEPT)))))")
# All cards are kept, in any order: the deal has decided.
NO_STAKES = _cards("(choice ((any ((current player) iloc HAND) 'C (move 'C (top ((current player) vloc KEPT))))))")
# The first player begins with more than the others can catch up.
UNFAIR = (
    SOUND.replace("(call DEAL 6", "(set ((current player) sto HEAD) 20)\n     (call DEAL 6")
    .replace("(scoring max (sum", "(scoring max (+ ((current player) sto HEAD) (sum")
    .replace("using (game points VALUE)))", "using (game points VALUE))))")
)
# The turn is passed on for ever.
ENDLESS = """(game
  (setup (create players 2) (create deck (game iloc STOCK) (deck (RANK (A)))))
  (stage player
    (end (== 1 2))
    (choice
      ((turn pass)
       (inc ((current player) sto POINTS) 1))))
  (scoring max ((current player) sto POINTS)))
"""
# Points double with each turn, so what was gained first outweighs all that comes later.
RUNAWAY = _points(
    """(choice
      ((set ((current player) sto GAIN) 0)
       (set ((current player) sto GAIN) 1)))
    (do
      ((inc ((current player) sto POINTS) ((current player) sto POINTS))
       (inc ((current player) sto POINTS) ((current player) sto GAIN))
       (inc ((current player) sto POINTS) (random 9))))""",
    turns=24,
)
# The first player may only turn the top card.
DEAD_SEAT = (
    SOUND.replace("(call DEAL 6", "(set ((current player) sto BOUND) 1)\n     (call DEAL 6")
    .replace(
        "(choice\n      (",
        "(choice\n      (((== ((current player) sto BOUND) 1)\n"
        "        (move (top ((current player) iloc HAND)) (top ((current player) vloc KEPT))))\n       ",
    )
    .replace("((< (size", "((and (== ((current player) sto BOUND) 0) (< (size")
    .replace("3)\n        (any", "3))\n        (any")
)
# Three cards are on offer, each player takes one, and the last one takes what is left. Who begins changes.
DEAD_PLACE = f"""(game
  (setup (create players 3) (create deck (game iloc STOCK) {_DECK}))
  (do ((set (game points VALUE) ({_VALUES})) (shuffle (game iloc STOCK))))
  (stage player
    (end (== (size (game iloc STOCK)) 0))
    (do ((repeat 3 (move (top (game iloc STOCK)) (top (game vloc OFFER))))))
    (stage player
      (end (== (size (game vloc OFFER)) 0))
      (choice ((any (game vloc OFFER) 'C (move 'C (top ((current player) vloc KEPT)))))))
    (do ((cycle next (next player)))))
  (scoring max (sum ((current player) vloc KEPT) using (game points VALUE))))
"""
# One may lose nine points instead of gaining three or gambling for up to six.
DOMINATED = _points(
    """(choice
      ((inc ((current player) sto POINTS) 3)
       (inc ((current player) sto POINTS) (random 6))
       (dec ((current player) sto POINTS) 9)))""",
    turns=6,
)
# Nine points are certain; all else there is gives less.
DOMINANT = _points(
    """(choice
      ((inc ((current player) sto POINTS) 9)
       (inc ((current player) sto POINTS) (random 1))
       (inc ((current player) sto POINTS) 1)))""",
    turns=4,
)
# Two of thirty turns, before half of them, count a hundred times what all others do.
DECIDED = _points(
    """(choice
      ((inc ((current player) sto POINTS) (random 6))
       (inc ((current player) sto POINTS) 3)
       ((and (>= (game sto TURNS) 19) (<= (game sto TURNS) 20))
        (inc ((current player) sto POINTS) (random 900)))))""",
    turns=30,
)
LONG = _points(
    """(choice
      ((inc ((current player) sto POINTS) (random 6))
       (inc ((current player) sto POINTS) 3)))""",
    turns=1200,
)

FAULTS = {
    "no decisions": NO_DECISIONS,
    "no stakes": NO_STAKES,
    "seat": UNFAIR,
    "endless": ENDLESS,
    "runaway leader": RUNAWAY,
    "dead seat": DEAD_SEAT,
    "dead place": DEAD_PLACE,
    "dead option": DOMINATED,
    "dominant option": DOMINANT,
    "decided early": DECIDED,
    "long": LONG,
}


def game(text: str) -> RecycleGame:
    """Return the game of a text."""
    return RecycleGame("faulty", text)
