"""Cards that a player takes one by one and may choose together, as it follows from a text whatever its names are."""

from __future__ import annotations

from itertools import combinations, permutations

import pytest

from games import catalogue
from games.core import FastChance, Match
from games.core.view import View, plain
from games.recycle.game import RecycleGame
from tests.games.recycle.tables import NAMES

GAME = """
(game
  (setup (create players 2)
    (create deck (game hloc BOX) (deck (RANK (A, TWO, THREE, FOUR, FIVE)) (SUIT (CLUBS, HEARTS)))))
  (do ((shuffle (game hloc BOX))
       (all player 'P (repeat 4 (move (top (game hloc BOX)) (top ('P iloc FIST)))))))
  {blocks}
  (scoring max (size ((current player) iloc FIST))))
"""
TAKE = "(choice ((any ((current player) iloc FIST) 'C (move 'C (top ((current player) iloc ASIDE))))))"
STAGE = """
(stage player (end (all player 'P (== (size ('P iloc ASIDE)) 2)))
  {take}
  (do (((< (size ((current player) iloc ASIDE)) 2) (cycle next current)) {more})))
"""
# Each of these lets a player choose two cards together.
ALIKE = {
    "the same player again": STAGE.format(take=TAKE, more=""),
    "a number in a store": f"""
        (stage player (end (== (game sto TURNS) 4))
          {TAKE}
          (do ((inc (game sto TURNS) 1) ((== (% (game sto TURNS) 2) 1) (cycle next current)))))""",
    "two choices, one after the other": f"""
        (stage player (end (== (game sto TURNS) 2)) {TAKE} {TAKE} (do ((inc (game sto TURNS) 1))))""",
    "two choices outside of stages": f"{TAKE} {TAKE}",
}
# None of these does.
OTHERWISE = {
    "the other player is between": STAGE.format(take=TAKE, more="").replace("next current", "next next"),
    "a card is turned up between": STAGE.format(take=TAKE, more="(move (top (game hloc BOX)) (top (game vloc UP)))"),
    "a card is looked at": STAGE.format(
        take=TAKE, more="((== (cardatt RANK (top ((current player) iloc ASIDE))) A) (cycle next next))"
    ),
    "a card that nobody sees is looked at": STAGE.format(
        take=TAKE, more="((== (cardatt RANK (top (game hloc BOX))) A) (set (game sto X) 1))"
    ),
    "a secret store is looked at": STAGE.format(take=TAKE, more="((== (game hsto X) 1) (set (game sto Y) 1))"),
    "dice decide": STAGE.format(take=TAKE, more="((== (random 1 .. 2) 1) (cycle next next))"),
    "what may be taken depends on what was": STAGE.format(
        take="""(choice ((any (filter ((current player) iloc FIST) 'C
            (or (== (size ((current player) iloc ASIDE)) 0)
                (== (cardatt SUIT 'C) (cardatt SUIT (top ((current player) iloc ASIDE)))))) 'C
          (move 'C (top ((current player) iloc ASIDE))))
          ((== (size ((current player) iloc ASIDE)) 1) (turn pass))))""",
        more="",
    ),
    "each option does more": STAGE.format(
        take=TAKE.replace(
            "(move 'C (top ((current player) iloc ASIDE)))",
            "(do ((move 'C (top ((current player) iloc ASIDE))) (set (game sto X) 1)))",
        ),
        more="",
    ),
    "the cards are not seen": "(do ((all player 'P (repeat all (move (top ('P iloc FIST)) (top ('P hloc FIST)))))))"
    + STAGE.format(take=TAKE.replace("iloc FIST", "hloc FIST"), more=""),
    "there is one choice": TAKE,
}


def begin(blocks: str) -> Match:
    """Return a match of a game of these blocks."""
    return Match.start(RecycleGame("several", GAME.format(blocks=blocks)), 2, {}, FastChance("3"))


def view_of(match: Match) -> View:
    """Return what the player to act sees."""
    return match.view(match.to_act()[0])


@pytest.mark.parametrize("blocks", ALIKE.values(), ids=list(ALIKE))
def test_cards_of_choices_that_follow_each_other_may_be_chosen_together(blocks: str) -> None:
    match = begin(blocks)
    several = view_of(match)["several"]
    assert several["count"] == 2
    assert match.view(1 - match.to_act()[0]).get("several") is None
    assert match.view(None).get("several") is None
    for moves in permutations([move["move"] for move in view_of(match)["moves"]], 2):
        again = begin(blocks)
        seat = again.to_act()[0]
        for move in moves:  # each of any two, in any order, is there until it is taken
            assert again.to_act() == (seat,)
            again.advance(seat, move)
        assert again.over or again.to_act() != (seat,)


@pytest.mark.parametrize("blocks", OTHERWISE.values(), ids=list(OTHERWISE))
def test_cards_are_chosen_one_by_one_where_anything_may_come_between(blocks: str) -> None:
    match = begin(blocks)
    while not match.over and match.ply < 2:
        assert "several" not in view_of(match)
        match.advance(match.to_act()[0], view_of(match)["moves"][0]["move"])


def test_the_label_has_gaps_for_the_cards_that_are_chosen() -> None:
    blocks = STAGE.format(take=TAKE, more="").replace("== (size ('P iloc ASIDE)) 2", "== (size ('P iloc ASIDE)) 3")
    table = '[verbs]\nASIDE = ["Lay {cards} aside", "{seat} lays {cards} aside.", "lay three cards aside"]'
    text = GAME.format(blocks=blocks.replace("ASIDE)) 2)", "ASIDE)) 3)"))
    match = Match.start(RecycleGame("several", text, table), 2, {}, FastChance("3"))
    seat = match.to_act()[0]
    view = match.view(seat)
    assert view["several"]["count"] == 3
    assert view["several"]["label"]["text"] == "Lay {card1}, {card2} and {card3} aside"
    assert plain(view["prompt"], NAMES) == "Your turn: lay three cards aside"
    match.advance(seat, view["moves"][3]["move"])
    assert match.view(seat)["several"]["count"] == 2
    match.advance(seat, view["moves"][0]["move"])
    assert "several" not in match.view(seat)
    assert plain(match.view(seat)["prompt"], NAMES) == "Your turn: lay three cards aside"


def test_three_cards_to_pass_are_one_choice_of_all_players_at_once() -> None:
    match = Match.start(catalogue.find("hearts"), 4, {}, FastChance("1"))
    assert match.to_act() == (0, 1, 2, 3)
    given: dict[int, list[str]] = {}
    hands = [hand_of(match.view(seat)) for seat in range(4)]
    for seat in (2, 0, 3, 1):
        view = match.view(seat)
        assert "several" not in view
        assert plain(view["prompt"], NAMES) == "Your turn: choose three cards to pass to the left"
        assert {frozenset(move["pieces"]) for move in view["moves"]} == {*map(frozenset, combinations(hands[seat], 3))}
        move = view["moves"][40 * seat + 7]
        assert plain(move["label"], NAMES).startswith("Pass ")
        given[seat] = move["pieces"]
        match.advance(seat, move["move"])
        if len(given) < 4:
            assert hand_of(match.view(seat)) == hands[seat]  # nothing moves before all have chosen
    for seat in range(4):
        kept = {*hands[seat]} - {*given[seat]}
        assert {*hand_of(match.view(seat))} == kept | {*given[(seat - 1) % 4]}
    for seat in (*range(4), None):
        lines = [plain(entry["text"], NAMES) for entry in match.entries(seat, match.ply)]
        *own, everybody = sorted(line for line in lines if line.endswith(" to pass on."))
        assert everybody == "Everybody chooses 3 cards to pass on."
        assert [line.split()[0] for line in own] == ([] if seat is None else [NAMES[seat]])


def test_nobody_is_asked_for_cards_in_the_deal_without_passing() -> None:
    match, chance = Match.start(catalogue.find("hearts"), 4, {}, FastChance("4")), FastChance("4")
    asked: list[int] = []  # how many cards each decision takes
    while not match.over:
        seat = match.to_act()[-1]
        moves = match.legal_moves(seat)
        asked.append(len(moves[0].split()) - 1)
        match.advance(seat, chance.choice(moves))
    assert asked == ([3] * 4 + [1] * 52) * 3 + [1] * 52


def hand_of(view: View) -> list[str]:
    """Return the cards in the hand of who looks."""
    mine = (zone for zone in view["zones"] if zone["layout"] == "hand" and zone.get("seat") == view["seat"])
    return [piece["face"] for piece in next(mine)["pieces"]]


def test_the_president_chooses_both_cards_of_the_gift_together() -> None:
    game = catalogue.find("president")
    match = Match.start(game, 4, {}, FastChance("2"))
    while not match.over:
        view = view_of(match)
        if "several" in view:
            assert view["several"]["count"] == 2
            return
        match.advance(match.to_act()[0], view["moves"][0]["move"])
    raise AssertionError("No gift was given.")


def test_a_hand_lies_in_the_order_of_the_game() -> None:
    """In Hearts the ace is high; in Cribbage it is low; in President the two is the highest."""
    for name, ranks in (("hearts", "2 3 4 5 6 7 8 9 10 J Q K A"), ("cribbage", "A 2 3 4 5 6 7 8 9 10 J Q K")):
        order = ranks.split()
        game = catalogue.find(name)
        view = Match.start(game, game.min_seats, {}, FastChance("5")).view(0)
        hand = next(zone for zone in view["zones"] if zone["layout"] == "hand" and zone.get("seat") == 0)
        faces = [piece["face"] for piece in hand["pieces"]]
        suits = ["H", "D", "C", "S"]
        assert faces == sorted(faces, key=lambda face: (suits.index(face[-1]), order.index(face[:-1])))


def test_a_label_names_the_cards_of_a_hand_in_their_order() -> None:
    match = Match.start(catalogue.find("cribbage"), 2, {}, FastChance("5"))
    view = view_of(match)
    hand = next(zone for zone in view["zones"] if zone["layout"] == "hand" and zone.get("seat") == view["seat"])
    faces = [piece["face"] for piece in hand["pieces"]]
    said = [[arg for arg in move["label"]["args"].values() if isinstance(arg, dict)] for move in view["moves"]]
    pairs = [tuple(arg.get("card") for arg in args) for args in said]
    assert pairs == [(one, two) for at, one in enumerate(faces) for two in faces[at + 1 :]]
    assert [tuple(move["pieces"]) for move in view["moves"]] == pairs
