"""Dice and tokens: pieces that are handled as cards are, and drawn as what they are."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from games import catalogue
from games.core import FastChance
from games.core.game import EXACT_WORDING
from games.core.moves import RulesFailed
from games.recycle.example import beginning, example
from games.recycle.problems import BadText
from games.recycle.reader import read
from games.recycle.rules import RecycleState
from tests.games.recycle.played import Played, begun, take, text_of
from tests.games.recycle.tables import Sitting, say_all

PASS = "(choice ((turn pass)))"
SIX = "(deck (PIPS (ONE, TWO, THREE, FOUR, FIVE, SIX)))"
DIE = f"(create die (game vloc DICE) {SIX})"
PIPS = """(set (game points PIPS) (((PIPS : ONE) 1) ((PIPS : TWO) 2) ((PIPS : THREE) 3) ((PIPS : FOUR) 4)
    ((PIPS : FIVE) 5) ((PIPS : SIX) 6)))"""


def faces(
    state: RecycleState, name: str, owner: int = -1, audience: int | None = None, *, up: bool = True
) -> list[str]:
    """Return the faces in a place: "" for a back."""
    (found,) = [each for each in state.observe(audience, face_up=up).places
                if (each.where.name, each.where.owner) == (name, owner)]  # fmt: skip
    return [card.face for card in found.cards]


# -- what a die is


def test_a_die_is_one_piece_that_shows_its_first_face() -> None:
    state = begun(text_of(PASS, decks=f"(repeat 2 {DIE})"))
    assert faces(state, "DICE") == ["one", "one"]
    assert sum(place >= 0 for place in state.W) == 2


def test_a_roll_shows_each_face_as_often() -> None:
    shown: Counter[str] = Counter()
    for seed in range(1200):
        shown.update(faces(begun(text_of(f"(do ((roll (game vloc DICE)))) {PASS}", decks=DIE), seed=str(seed)), "DICE"))
    assert set(shown) == {"one", "two", "three", "four", "five", "six"}
    assert all(150 < count < 250 for count in shown.values())


def test_dice_are_rolled_one_by_one_and_stay_where_they_are() -> None:
    decks = f"(repeat 3 {DIE}) (create deck (game vloc DICE) (deck (PIPS (ACE))))"
    seen = set()
    for seed in range(40):
        state = begun(text_of(f"(do ((roll (game vloc DICE)))) {PASS}", decks=decks, players="1"), seed=str(seed))
        assert faces(state, "DICE")[0] == "ace", "a card is no die, and was created first"
        seen.add(tuple(faces(state, "DICE")[1:]))
        assert all(state.L[state.W[card]].count(card) == 1 for card in range(len(state.W)) if state.W[card] >= 0)
    assert len(seen) > 30


@pytest.mark.parametrize("cards", ["(top (game vloc DICE))", "(filter (game vloc DICE) 'D (== (cardatt PIPS 'D) ONE))"])
def test_a_single_die_and_some_dice_can_be_rolled(cards: str) -> None:
    state = begun(text_of(f"(do ((roll {cards}))) {PASS}", decks=f"(repeat 2 {DIE})"), seed="b")
    assert (faces(state, "DICE")[0] == "one") is cards.startswith("(top")


def test_all_that_can_be_done_with_cards_can_be_done_with_dice() -> None:
    steps = f"""{PIPS} (repeat 20 (roll (game vloc DICE)))
        (set (game sto SUM) (sum (game vloc DICE) using (game points PIPS)))
        (set (game sto PAIRS) (size (tuples 2 (game vloc DICE) using (game points PIPS))))
        (move (max (game vloc DICE) using (game points PIPS)) (top ((1 player) vloc MINE)))"""
    played = Played(f"(do ({steps}))", decks=f"(repeat 3 {DIE})", seed="4")
    worth = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
    shown = sorted(worth[face] for face in faces(played.state, "DICE") + faces(played.state, "MINE", 1))
    assert played.number("SUM") == sum(shown)
    assert played.number("PAIRS") == sum(count * (count - 1) // 2 for count in Counter(shown).values())
    assert [worth[face] for face in faces(played.state, "MINE", 1)] == [shown[-1]]


def test_a_variable_means_a_face_which_is_not_there_after_a_roll_that_shows_another() -> None:
    blocks = "(do ((let (top (game vloc DICE)) 'D (do ((roll (game vloc DICE)) (move 'D (top (game vloc OUT))))))))"
    ends = set()
    for seed in range(40):
        try:
            begun(text_of(blocks + PASS, decks=DIE), seed=str(seed))
            ends.add("moved")
        except RulesFailed as failed:
            ends.add(failed.kind)
    assert ends == {"moved", "no such card"}


# -- in a choice


def test_a_roll_that_is_tried_shows_nothing_of_the_roll_that_comes() -> None:
    option = "(do ((roll (game vloc DICE)) ((== (cardatt PIPS (top (game vloc DICE))) SIX) (inc (game sto SIXES) 1))))"
    offered, rolled = set(), set()
    for seed in range(60):
        state = begun(text_of(f"(choice ({option} (turn pass))) {PASS}", decks=DIE), seed=str(seed))
        before = faces(state, "DICE")
        moves = state.legal_moves(0)
        assert faces(state, "DICE") == before
        take(state, moves[0])
        offered.add(moves[0])
        rolled.add((moves[0], faces(state, "DICE")[0] == "six"))
    assert len(rolled) > len(offered), "what was tried does not say what comes"


def test_each_of_several_dice_can_be_chosen_to_be_rolled() -> None:
    deck = f"(repeat 3 {DIE})"
    blocks = "(choice ((any (game vloc DICE) 'D (roll 'D)) (roll (game vloc DICE)) (turn pass)))"
    rolled = "(do ((repeat 9 (roll (game vloc DICE)))))"
    tables = (Sitting(f"{rolled} {blocks} {PASS}", seed=str(seed), more=deck) for seed in range(50))
    table = next(table for table in tables if len(set(faces(table.state, "DICE"))) == 3)
    moves = table.view()["moves"]
    dice = [piece["id"] for piece in table.zone("vloc:DICE")["pieces"]]
    assert [move["pieces"] for move in moves if len(move["pieces"]) == 1] == [[one] for one in dice]
    assert [move["pieces"] for move in moves if len(move["pieces"]) > 1] == [dice]
    assert table.labels()[-2:] == ["Roll 3 dice", "Pass"]


def test_dice_that_are_rolled_twice_in_an_option_are_those_that_are_there_then() -> None:
    again = "(do ((roll (game vloc DICE)) (roll (filter (game vloc DICE) 'D (!= (cardatt PIPS 'D) SIX)))))"
    for seed in range(30):
        state = begun(text_of(f"(choice ({again})) {PASS}", decks=f"(repeat 3 {DIE})"), seed=str(seed))
        take(state, state.legal_moves(0)[0])
        assert len(faces(state, "DICE")) == 3


# -- who knows what


CUPS = f"""(repeat 2 (create die ((0 player) iloc CUP) {SIX})) (repeat 2 (create die ((1 player) iloc CUP) {SIX}))"""
SHAKEN = "(do ((all player 'P (roll ('P iloc CUP)))))"


def test_dice_under_a_cup_are_seen_by_their_owner_and_rolled_again_by_those_who_wonder() -> None:
    state = begun(text_of(f"{SHAKEN} {PASS} (do ((roll ((1 player) iloc CUP)))) {PASS}", decks=CUPS), seed="7")
    assert faces(state, "CUP", 0, 0, up=False) == faces(state, "CUP", 0)
    assert faces(state, "CUP", 0, 1, up=False) == ["", ""]
    believed = set()
    for number in range(200):
        sample = state.determinize(1, FastChance(str(number)))
        assert faces(sample, "CUP", 1) == faces(state, "CUP", 1)
        assert repr(sample.observe(1)) == repr(state.observe(1))
        believed.add(tuple(faces(sample, "CUP", 0)))
    assert len(believed) > 30, "any of the 36 rolls, whatever the faces are in truth"


def test_what_was_seen_of_a_die_is_forgotten_when_it_is_rolled() -> None:
    blocks = f"""(do ((roll (game vloc DICE)) (move (top (game vloc DICE)) (top ((0 player) iloc CUP))))) {PASS}
        (do ((roll ((0 player) iloc CUP)))) {PASS}"""
    state = begun(text_of(blocks, decks=DIE), seed="3")
    assert faces(state, "CUP", 0, 1, up=False) == faces(state, "CUP", 0), "it was seen to go there"
    take(state, "pass")
    assert faces(state, "CUP", 0, 1, up=False) == [""]


# -- tokens, and how all of it is drawn


def test_tokens_are_moved_like_cards_and_drawn_as_tokens() -> None:
    tokens = "(create tokens (game vloc BANK) (deck (COLOUR (RED, BLUE))))"
    tokens += "(create tokens (game hloc BAG) (deck (KIND (GOLD))))"
    table = Sitting(f"(choice ((move (top (game vloc BANK)) (top ((current player) vloc MINE))))) {PASS}", more=tokens)
    assert [piece["face"] for piece in table.zone("vloc:BANK")["pieces"]] == ["token-red", "token-blue"]
    (hidden,) = table.zone("hloc:BAG")["pieces"]
    assert hidden["back"] == "tokens DEFAULT"
    table.play()
    assert [piece["face"] for piece in table.zone("vloc:MINE:0", 0)["pieces"]] == ["token-blue"]


def test_dice_are_drawn_with_their_pips_or_with_what_is_written_on_them() -> None:
    dice = f"""{DIE} (create die (game vloc DICE) (deck (SIGN (STAR, MOON))))
        (create die (game vloc DICE) (deck (N (TEN)))) (create die (game vloc DICE) (deck (COLOUR (RED)) (N (TWELVE))))
        (create die ((1 player) iloc CUP) {SIX})"""
    table = Sitting(PASS, more=dice)
    assert solids(table) == [
        ("die-1", "", ""),
        ("cube-white-blank", "", "star"),
        ("cube-white", "10", ""),
        ("cube-red", "12", ""),
    ]
    (hidden,) = table.zone("iloc:CUP:1", 0)["pieces"]
    assert (hidden["back"], say_all([{"kind": "info", "text": hidden["label"]}])) == ("die DEFAULT", ["hidden die"])


def solids(table: Sitting) -> list[tuple[str, str, str]]:
    """Return the dice on the table: as which figure they are drawn, with what on the corner and in the middle."""
    pieces = table.zone("vloc:DICE")["pieces"]
    return [(piece.get("face", ""), piece.get("badge", ""), piece.get("symbol", "")) for piece in pieces]


def test_a_table_file_says_how_dice_and_tokens_are_drawn() -> None:
    dice = """(create die (game vloc DICE) (deck (HIT (LOW, HIGH)))) (create die (game vloc DICE) (deck (HIT (HIGH))))
        (create tokens (game vloc DICE) (deck (KIND (CHEESE)))) (create tokens (game vloc DICE) (deck (KIND (SEED))))"""
    lines = """LOW = {number = 2}\nHIGH = {symbol = "bolt", colour = "teal"}
        CHEESE = {symbol = "hole", colour = "yellow", corner = "+1"}\nSEED = {colour = "brown"}
        [pictures]\nhole = '<svg viewBox="0 0 9 9"><circle r="3"/></svg>'"""
    table = Sitting(PASS, f"[faces]\n{lines}", more=dice)
    own = next(iter(table.view()["pictures"]))
    assert solids(table) == [
        ("die-2", "", ""),
        ("cube-teal-blank", "", "bolt"),
        ("token-yellow-blank", "+1", own),
        ("token-brown", "Seed", ""),
    ]


def test_the_log_says_who_has_rolled_and_to_everybody_what_if_all_see_it() -> None:
    dice = f"(repeat 2 {DIE}) (create die ((0 player) iloc CUP) {SIX})"
    rolls = "(choice ((roll (game vloc DICE)))) (choice ((roll ((current player) iloc CUP))))"
    table = Sitting(f"{rolls} (do ((roll (game vloc DICE)))) {PASS}", more=dice, seed="5")
    first = [text.split(" rolls ")[0] for text in say_all(table.play())]
    assert first[0] == "Anna"
    lines = say_all(table.play())
    assert lines[0] == "Anna rolls a die."
    assert lines[1].startswith("The dice: ")


def test_dice_and_tokens_are_no_cards_in_the_log_and_on_the_rules_page() -> None:
    game = catalogue.find("liars-dice")
    rules = game.rules_page().partition(f"\n## {EXACT_WORDING}\n")[0]
    assert "Deal five dice from the place *Not in play* to each player's cup." in rules
    assert "## Where dice and tokens lie, and who sees them" in rules
    said = example(game, beginning(game), "en")
    assert said[:3] == ["5 dice go to each player's cup.", "Everybody gets 3 tokens.", "Dice are rolled."], (
        "dice that nobody has rolled yet show nothing"
    )
    assert [sentence for sentence in (rules, *said) if re.search(r"\bcards?\b", sentence)] == []


# -- what is wrong


@pytest.mark.parametrize(
    ("step", "text"),
    [
        ("(roll 3)", "Expected cards here, but 3 is a number."),
        ("(roll)", "roll takes 1 part, but none was found."),
        ("(create dice (game vloc D) (deck (N (A))))", "Expected players, teams, deck, tokens or die after create."),
        ("(create die (game vloc DICE))", "Expected a place and a deck after create die, but found 1 part."),
    ],
)  # fmt: skip
def test_a_mistake_with_dice_is_reported(step: str, text: str) -> None:
    with pytest.raises(BadText) as found:
        read(text_of(f"(do ({step}))"))
    assert [problem.text for problem in found.value.problems] == [text]
