"""Points for cards and the reason, as they follow from a text whatever its names are."""

from __future__ import annotations

import random

import pytest

from games import catalogue
from games.core import FastChance, Match
from games.core.view import plain
from tests.games.recycle.tables import Sitting, say_all

# Each is what a text does for some cards of the UP place, which are the two aces and the two of clubs.
COUNTS = {
    """(all (subsets (game vloc UP)) 'X ((== (sum 'X using (game points P)) 4) (inc ((current player) sto S) 3)))""": [
        "Anna scores 3: A♥, A♣ and 2♣ make 4."
    ],
    """(all (tuples 2 (game vloc UP) using (game points P)) 'X (inc ((current player) sto S) 2))""": [
        "Anna scores 2: A♥ and A♣ are a pair."
    ],
    """(do ((set (game sto T) 0)
            (all (runs largest 2 (game vloc UP) using (game points P)) 'X (inc (game sto T) (size 'X)))
            (inc ((next player) sto S) (game sto T))))""": [
        "Bram scores 2: A♣ and 2♣ are a run.",
        "Bram scores 2: A♥ and 2♣ are a run.",
    ],
    """(all (game vloc UP) 'C ((== (cardatt RANK 'C) TWO) (inc ((current player) sto S) 1)))""": [
        "Anna scores 1 for 2♣."
    ],
    """(do ((set (game sto T) (sum (game vloc UP) using (game points P)))
            ((== (game sto T) 4) (inc ((current player) sto S) 1))))""": ["Anna scores 1: A♥, A♣ and 2♣ make 4."],
    """(repeat 2 (all (tuples 2 (game vloc UP) using (game points P)) 'X (inc ((current player) sto S) 2)))""": [
        "Anna scores 2: A♥ and A♣ are a pair.",
        "Anna scores 2: A♥ and A♣ are a pair.",
    ],
    """((all (game vloc UP) 'C (== (cardatt HUE 'C) (cardatt HUE (top (game vloc UP)))))
        (inc ((current player) sto S) 3))""": ["Anna scores 3: A♥, A♣ and 2♣ are alike."],
    """((all (game vloc UP) 'C (== (cardatt HUE 'C) (cardatt SHADE (top (game vloc UP)))))
        (inc ((current player) sto S) 3))""": [],
    # What was stored is no longer what the cards make.
    """(do ((set (game sto T) (sum (game vloc UP) using (game points P))) (inc (game sto T) 3)
            ((== (game sto T) 7) (inc ((current player) sto S) 1))))""": [],
    """(do ((set (game sto T) (sum (game vloc UP) using (game points P)))
            (move (top (game vloc UP)) (bottom (game vloc STOCK)))
            ((== (game sto T) 4) (inc ((current player) sto S) 1))))""": [],
    """(do ((all (subsets (game vloc UP)) 'X (set (game sto T) (sum 'X using (game points P))))
            ((== (game sto T) 4) (inc ((current player) sto S) 1))))""": [],
    """(all (tuples 2 (game hloc UP) using (game points P)) 'X (inc ((current player) sto S) 2))""": [],
    """(all (tuples 2 (game vloc UP) using (game points P)) 'X (inc ((current player) sto OTHER) 2))""": [],
    """(all (tuples 2 (game vloc UP) using (game points P)) 'X (inc ((current player) sto S) 0))""": [],
}
BLOCKS = """
(do ((set (game points P) (((RANK : A) 1) ((RANK : TWO) 2)))
     (repeat 3 (move (top (game vloc STOCK)) (top (game {vis} UP))))))
{first}
(do ({count}))
(choice ((turn pass)))
"""


def counted(count: str) -> list[str]:
    """Return what the log says about points."""
    vis = "hloc" if "hloc UP" in count else "vloc"
    sitting = Sitting(
        BLOCKS.format(vis=vis, first="(choice ((turn pass)))", count=count),
        deck="(SUIT (HEARTS, CLUBS)) (RANK (TWO, A)) (HUE (DARK)) (SHADE (DARK))",
        stock="vloc",
        scoring="max ((current player) sto S)",
    )
    return [line for line in say_all(sitting.play()) if "scores" in line]


@pytest.mark.parametrize("count", COUNTS)
def test_the_log_says_which_cards_score_and_why(count: str) -> None:
    assert counted(count) == COUNTS[count]


def test_the_points_of_a_match_of_cribbage_are_those_that_the_log_explains() -> None:
    """All but those for the last card and for the starter's jack, which say no cards of a hand."""
    match = Match.start(catalogue.find("cribbage"), 2, {}, FastChance("4"))
    chooser = random.Random(1)
    while not match.over:
        view = match.view(match.to_act()[0])
        match.advance(match.to_act()[0], chooser.choice(view["moves"])["move"])
    points = 0
    for ply in range(match.ply + 1):
        for entry in match.entries(None, ply):
            line = plain(entry["text"], ("Anna", "Bram"))
            assert "scores" not in line or "♣" in line or "♥" in line or "♠" in line or "♦" in line
            points += entry["text"]["args"]["points"] if " scores " in line else 0  # type: ignore[operator]
    assert 0.6 * sum(match.scores()) < points <= sum(match.scores())


def test_the_table_shows_the_cards_of_each_award_before_the_rules_go_on() -> None:
    match, dice = Match.start(catalogue.find("cribbage"), 2, {}, FastChance("counts")), random.Random("counts")
    shown = 0
    while not match.over:
        [seat, *_] = match.to_act()
        match.advance(seat, dice.choice(match.legal_moves(seat)))
        entries = match.entries(None, match.ply)
        said = [entry["text"] for entry in entries if " scores " in entry["text"]["text"]]
        reveals = [one for one in match.reveals(None) if " scores " in one["view"]["prompt"]["text"]]
        assert [one["view"]["prompt"] for one in reveals] == said
        for one in reveals:
            pieces = [piece for zone in one["view"]["zones"] for piece in zone["pieces"]]
            marked = {piece["face"] for piece in pieces if piece.get("mark")}
            named = {
                arg["card"] for arg in one["view"]["prompt"]["args"].values() if isinstance(arg, dict) and "card" in arg
            }
            assert marked == named
            assert entries[one["entries"] - 1]["text"] == one["view"]["prompt"]
        assert [one["entries"] for one in reveals] == sorted(one["entries"] for one in reveals)
        assert not any(piece.get("mark") for zone in match.view(None)["zones"] for piece in zone["pieces"])
        shown += len(reveals)
    assert shown > 50
