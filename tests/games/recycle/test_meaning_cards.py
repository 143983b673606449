"""What places, cards and groups of cards mean, by ``docs/recycle.md``, worked out by hand."""

# ruff: noqa: E501  # a text is easier to read in one line than in pieces

from __future__ import annotations

import pytest

from games.core.moves import RulesFailed
from tests.games.recycle.played import Played, cards, groups, number

DECK = "(game vloc DECK)"  # a b c d e, of which e lies on top
P = "using (game points P)"
# Of 3, 4, 4, 5, 6, 9 and 9 pips: the example of ``docs/recycle.md`` for runs.
PIPS = """(set (game points R) (((N : THREE) 3) ((N : FOUR) 4) ((N : FIVE) 5) ((N : SIX) 6) ((N : NINE) 9)))"""
RUNS = """(create deck (game vloc DECK) (deck (N (THREE, FOUR)))) (create deck (game vloc DECK) (deck (N (FOUR, FIVE, SIX,
    NINE)))) (create deck (game vloc DECK) (deck (N (NINE))))"""
R = "using (game points R)"


def faces_of(decks: str, name: str = "DECK") -> str:
    """Return the faces of a place after the setup."""
    return Played("(do ((turn pass)))", decks=decks).cards(name)


# -- decks


@pytest.mark.parametrize(
    ("deck", "expected"),
    [
        ("(RANK (A, TWO)) (COLOUR (RED, BLUE))", "a red, a blue, two red, two blue"),  # the first varies slowest
        ("(RANK (A))", "a"),
        ("(COLOUR (RED (KIND (H, D))) (BLACK (KIND (C))))", "h, d, c"),  # the leaves, with what they lie under
        ("(COLOUR (RED, BLUE)) (SIZE (BIG (MARK (X, Y))) (SMALL (MARK (Z))))",
         "red big x, red big y, red small z, blue big x, blue big y, blue small z"),
        ("(A (X (B (Y (C (P, Q))))))", "p, q"),
    ],
)  # fmt: skip
def test_a_deck_is_every_combination_of_its_attributes(deck: str, expected: str) -> None:
    played = Played("(do ((turn pass)))", decks=f"(create deck (game vloc DECK) (deck {deck}))")
    lie = played.state.L[0]
    shown = [" ".join(value.lower() for value in played.program.cards.attributes[card].values()) for card in lie]
    assert [text.split()[-len(one.split()) :] for text, one in zip(shown, expected.split(", "), strict=True)] == [
        one.split() for one in expected.split(", ")
    ]


def test_a_card_carries_every_attribute_on_its_path() -> None:
    deck = "(create deck (game vloc DECK) (deck (COLOUR (RED (KIND (H, D))) (BLACK (KIND (C))))))"
    played = Played("(do ((turn pass)))", decks=deck)
    assert played.program.cards.attributes == [
        {"COLOUR": "RED", "KIND": "H"}, {"COLOUR": "RED", "KIND": "D"}, {"COLOUR": "BLACK", "KIND": "C"},
    ]  # fmt: skip


def test_plain_decks_are_made_before_repeated_ones() -> None:
    one, two = "(create deck (game vloc DECK) (deck (N (A))))", "(create deck (game vloc DECK) (deck (N (B, C))))"
    assert faces_of(f"(repeat 2 {one}) {two}") == "b c a a"
    assert faces_of(f"(repeat 2 (repeat 2 {two}))") == "b c b c b c b c"
    assert faces_of(f"{two} (repeat 0 {one})") == "b c"
    assert (
        Played("(do ((turn pass)))", decks=f"(repeat 'N {two})", declares="(declare 2 'N)").cards("DECK") == "b c b c"
    )


def test_a_deck_may_be_made_in_play_again_and_again() -> None:
    played = Played("""(do ((create deck (game vloc DECK) (deck (N (F, G)))) (repeat 2 (create deck ((1 player) vloc MINE)
        (deck (N (A))))) (let (game vloc DECK) 'D (create deck 'D (deck (N (H)))))))""")
    assert played.cards("DECK") == "a b c d e f g h"
    assert played.cards("MINE", 1) == "a a"
    assert len({card for place in played.state.L for card in place}) == 10


def test_decks_of_one_name_have_one_back_and_others_have_others() -> None:
    decks = """(create deck RED (game vloc A) (deck (N (X)))) (create deck BLUE (game vloc B) (deck (N (X))))
        (create deck RED (game vloc C) (deck (N (Y)))) (create deck 'NAME (game vloc D) (deck (N (Y))))
        (create deck (game vloc E) (deck (N (Y))))"""
    played = Played("(do ((turn pass)))", decks=decks, declares="(declare RED 'NAME)")
    red, blue, again, named, plain = played.program.cards.backs
    assert red == again == named
    assert len({red, blue, plain}) == 3


# -- places and where in them a card is


@pytest.mark.parametrize(
    ("step", "deck", "heap"),
    [
        ("(move (top (game vloc DECK)) (top (game vloc HEAP)))", "a b c d", "z y e"),
        ("(move (bottom (game vloc DECK)) (bottom (game vloc HEAP)))", "b c d e", "a z y"),
        ("(move (1 (game vloc DECK)) (1 (game vloc HEAP)))", "a c d e", "z b y"),  # counted from 0 at the bottom
        ("(move (0 (game vloc DECK)) (2 (game vloc HEAP)))", "b c d e", "z y a"),
        ("(move ((- 4 1) (game vloc DECK)) ((+ 0 1) (game vloc HEAP)))", "a b c e", "z d y"),
        ("(move (actual (top (game vloc DECK))) (top (game vloc HEAP)))", "a b c d", "z y e"),
        ("(move (top (game vloc DECK)) (bottom (game vloc DECK)))", "e a b c d", "z y"),
        ("(move (top (game vloc DECK)) (1 (game vloc DECK)))", "a e b c d", "z y"),
        ("(move (bottom (game vloc DECK)) ((- (size (game vloc DECK)) 1) (game vloc DECK)))", "b c d e a", "z y"),
        ("(move (max (game vloc DECK) using (game points P)) (top (game vloc HEAP)))", "a b c d", "z y e"),
        ("(move (min (game vloc DECK) using (game points P)) (top (game vloc HEAP)))", "b c d e", "z y a"),
        ("(repeat 2 (move (top (game vloc DECK)) (top (game vloc HEAP))))", "a b c", "z y e d"),
        ("(repeat 2 (move (max (game vloc DECK) using (game points P)) (bottom (game vloc HEAP))))", "a b c", "d e z y"),
        ("(repeat all (move (top (game vloc DECK)) (top (game vloc HEAP))))", "", "z y e d c b a"),
        ("(repeat all (move (bottom (game vloc DECK)) (top (game vloc HEAP))))", "", "z y a b c d e"),
        ("(repeat all (move (top (game vloc DECK)) (bottom (game vloc HEAP))))", "", "a b c d e z y"),
        ("(repeat all (move (bottom (game vloc DECK)) (bottom (game vloc HEAP))))", "", "e d c b a z y"),
        ("(repeat all (move (top (game vloc DECK)) (1 (game vloc HEAP))))", "", "z a b c d e y"),
        ("(repeat all (move (top (game vloc DECK)) (top (game vloc DECK))))", "a b c d e", "z y"),
        ("(repeat all (move (bottom (game vloc DECK)) (top (game vloc DECK))))", "a b c d e", "z y"),
        ("(repeat all (move (top (game vloc DECK)) (1 (game vloc DECK))))", "a e b c d", "z y"),  # five times over
        ("(repeat all (move (top (game vloc EMPTY)) (top (game vloc HEAP))))", "a b c d e", "z y"),
        ("(repeat all (move (min (game vloc DECK) using (game points P)) (bottom (game vloc HEAP))))", "", "e d c b a z y"),
        ("""(repeat all (move (top (filter (game vloc DECK) 'C (> (score 'C using (game points P)) 2))) (top (game vloc HEAP))))""",
         "a b", "z y e d c"),
        ("""(let (filter (game vloc DECK) 'C (> (score 'C using (game points P)) 2)) 'F
            (repeat all (move (bottom 'F) (top (game vloc HEAP)))))""", "a b", "z y c d e"),
        ("(repeat all (move (top (top 2 (game vloc DECK))) (top (game vloc HEAP))))", "a b c", "z y d e"),
        ("(repeat all (move (top (top (partition N (game vloc DECK)))) (top (game vloc HEAP))))", "b c d e", "z y a"),
        ("(repeat all (move (bottom (sort (game vloc DECK) using (game points P))) (top (game vloc HEAP))))", "", "z y a b c d e"),
        ("(repeat all (move (top (union (game vloc DECK) (game vloc HEAP))) (top (game vloc DECK))))", "y z e d c b a", ""),
        ("(all (game vloc DECK) 'C (move 'C (top (game vloc HEAP))))", "", "z y a b c d e"),  # as it was at the start
        ("(any (game vloc DECK) 'C ((!= (cardatt N 'C) C) (move 'C (bottom (game vloc HEAP)))))", "c", "e d b a z y"),
        ("""(let (game vloc DECK) 'D (all 'D 'C (move 'C (bottom 'D))))""", "e d c b a", "z y"),
        ("""(let (filter (game vloc DECK) 'C (!= (cardatt N 'C) C)) 'F
            (repeat 2 (move (top 'F) (top (game vloc HEAP)))))""", "a b c", "z y e d"),  # out of the list, too
        ("""(let (tuples 1 (game vloc DECK) using (game points P)) 'G (do ((move (top (2 'G)) (top (game vloc HEAP)))
            (move 'G (top (game vloc HEAP))))))""", "b d e", "z y c a"),  # groups stand for the top card of the first
        ("""(let (partition K (game vloc DECK)) 'G (repeat 2 (move (top (top 'G)) (top (game vloc HEAP)))))""",
         "a b c", "z y e d"),  # out of the group that the variable holds
        ("""(all (partition N (game vloc DECK)) 'G (move 'G (bottom (game vloc HEAP))))""", "", "e d c b a z y"),
        ("""(all (partition K (game vloc DECK)) 'G (repeat all (move (bottom 'G) (top (game vloc HEAP)))))""",
         "", "z y a b c d e"),
        ("(move (top (intersect (game vloc DECK) (top 3 (game vloc DECK)))) (top (game vloc HEAP)))", "a b c d", "z y e"),
    ],
)  # fmt: skip
def test_cards_move_from_where_to_where_the_page_says(step: str, deck: str, heap: str) -> None:
    pips = "(set (game points P) (((N : A) 1) ((N : B) 2) ((N : C) 3) ((N : D) 4) ((N : E) 5)))"
    decks = "(create deck (game vloc DECK) (deck (N (A, B, C, D, E)))) (create deck (game vloc HEAP) (deck (N (Z, Y))))"
    played = Played(f"(do ({pips} {step}))", decks=decks)
    assert (played.cards("DECK"), played.cards("HEAP")) == (deck, heap)


@pytest.mark.parametrize(
    "step",
    [
        "(move (top (game vloc EMPTY)) (top (game vloc HEAP)))",
        "(move (7 (game vloc DECK)) (top (game vloc HEAP)))",
        "(move (top (game vloc DECK)) (2 (game vloc HEAP)))",
        "(repeat 6 (move (top (game vloc DECK)) (top (game vloc HEAP))))",
        "(let (filter (game vloc DECK) 'C (== (cardatt N 'C) A)) 'F (repeat 2 (move (top 'F) (top (game vloc HEAP)))))",
        "(move (top (game vloc DECK)) ((- 0 1) (game vloc HEAP)))",
    ],
)
def test_moving_what_is_not_there_ends_the_match(step: str) -> None:
    with pytest.raises(RulesFailed, match="line 1") as failed:
        Played(f"(do ({step}))")
    assert "engine failed" not in failed.value.text


def test_a_card_that_was_moved_to_no_such_position_is_an_error_in_an_option_too() -> None:
    played = Played("(choice ((move (top (game vloc DECK)) (2 (game vloc HEAP)))))")
    with pytest.raises(RulesFailed, match="no such position"):
        played.state.clone().rollout(played.state.chance)
    with pytest.raises(RulesFailed, match="no such position"):
        played.state.apply(0, played.moves()[0])


def test_one_name_under_two_words_or_of_two_owners_is_two_places() -> None:
    played = Played("""(do ((move (top (game vloc DECK)) (top (game iloc X))) (move (top (game vloc DECK)) (top (game hloc X)))
        (move (top (game vloc DECK)) (top ((1 player) oloc X))) (move (top (game vloc DECK)) (top (game oloc X)))))""")
    assert [played.cards("X", None, vis) for vis in ("iloc", "hloc", "vloc", "oloc")] == ["e", "d", "", "b"]
    assert played.cards("X", 1, "oloc") == "c"


@pytest.mark.parametrize(
    ("word", "owner", "sees"),
    [("vloc", "game", "012w"), ("iloc", "game", ""), ("hloc", "game", ""), ("oloc", "game", "012w"), ("vloc", "(1 player)", "012w"),
     ("iloc", "(1 player)", "1"), ("hloc", "(1 player)", ""), ("oloc", "(1 player)", "02w")],
)  # fmt: skip
def test_who_sees_the_cards_of_a_place_is_said_by_its_word(word: str, owner: str, sees: str) -> None:
    played = Played(
        f"(do ((move (top (game hloc DECK)) (top ({owner} {word} X))))) {'(choice ((turn pass)))'}",
        decks="(create deck (game hloc DECK) (deck (N (A, B))))",
        players="3",
    )
    found = ""
    for seat in (0, 1, 2, None):
        for place in played.state.observe(seat).places:
            if place.cards and place.where.name == "X" and place.cards[0].id:
                assert place.cards[0].face == "b"
                found += "w" if seat is None else str(seat)
    assert found == sees


# -- cards of cards


@pytest.mark.parametrize(
    ("collection", "expected"),
    [
        (DECK, "a b c d e"),
        (f"(top 3 {DECK})", "e d c"),  # listed from the top downwards
        (f"(bottom 3 {DECK})", "a b c"),
        (f"(top 0 {DECK})", ""),
        (f"(top (- 4 2) (bottom 4 {DECK}))", "d c"),
        (f"(union (top 2 {DECK}) (bottom 1 {DECK}))", "e d a"),
        (f"(union (bottom 2 {DECK}) (bottom 3 {DECK}))", "a b a b c"),  # duplicates are kept
        ("(union (all player 'Q ('Q vloc HAND)))", ""),
        (f"(union (all (X, Y) 'N (filter {DECK} 'C (== (cardatt N 'C) 'N))))", ""),
        (f"(union (all (D, A) 'N (filter {DECK} 'C (== (cardatt N 'C) 'N))))", "d a"),
        (f"(union (all (range 1 .. 2) 'K (bottom 'K {DECK})))", "a a b"),
        (f"(union (all (filter player 'Q (== 1 2)) 'Q {DECK}))", ""),
        (f"(union (partition N {DECK}))", "a b c d e"),
        (f"(intersect (top 3 {DECK}) {DECK})", "e d c"),
        (f"(intersect (top 3 {DECK}) (bottom 3 {DECK}))", "c"),
        (f"(intersect (top 3 {DECK}) {DECK} (bottom 4 {DECK}))", "d c"),
        (f"(intersect (all (range 2 .. 4) 'K (top 'K {DECK})))", "e d"),
        (f"(disjunction (top 3 {DECK}) (bottom 3 {DECK}))", "e d a b"),
        (f"(disjunction (all (range 2 .. 4) 'K (top 'K {DECK})))", "b"),
        (f"(disjunction {DECK} {DECK})", ""),
        (f"(sort (top 5 {DECK}) {P})", "a b c d e"),
        (f"(top (partition N {DECK}))", "a"),  # of groups the top one is the first
        (f"(bottom (partition N {DECK}))", "e"),
        (f"(1 (partition N {DECK}))", "b"),
        (f"((+ 1 1) (partition N {DECK}))", "c"),
        (f"(top (all (range 2 .. 4) 'K (top 'K {DECK})))", "e d"),
        (f"(run top 3 {DECK} {P})", "a b c d e"),
        (f"(run top 3 (union {DECK} (top 1 {DECK})) {P})", ""),  # the topmost two are one card: of no use in a run
        (f"(run bottom 2 (union (bottom 3 {DECK}) (top 1 {DECK})) {P})", "a b c"),
        (f"(run top 2 (union (1 (partition N {DECK})) (top (partition N {DECK})) (2 (partition N {DECK}))) {P})", "a b c"),
        (f"(run top 1 (top 1 {DECK}) {P})", "e"),
        (f"(run top 6 {DECK} {P})", ""),
        (f"(run bottom 1 (game vloc EMPTY) {P})", ""),
    ],
)  # fmt: skip
def test_cards_made_of_cards_are_what_the_page_says(collection: str, expected: str) -> None:
    assert cards(collection) == expected


def test_a_run_may_lie_in_any_order_and_be_longer_than_a_shorter_that_is_none() -> None:
    """From the top 4 6 5: two of them are no run, but three are."""
    decks = "(create deck (game vloc DECK) (deck (N (NINE, FIVE, SIX, FOUR))))"
    found = [cards(f"(run top {least} {DECK} {R})", PIPS, decks=decks) for least in (1, 2, 3, 4)]
    assert found == ["four five six", "four five six", "four five six", ""]
    assert cards(f"(run bottom 1 {DECK} {R})", PIPS, decks=decks) == "nine"


def test_cards_of_one_score_are_no_run_even_if_a_score_beside_them_is_missing() -> None:
    decks = "(create deck (game vloc DECK) (deck (N (THREE, FIVE)))) (create deck (game vloc DECK) (deck (N (THREE))))"
    assert cards(f"(run top 2 {DECK} {R})", PIPS, decks=decks) == ""


def test_sort_puts_the_lowest_first_and_leaves_equal_ones_as_they_lay() -> None:
    steps = "(set (game points T) (((N : A) 2) ((N : B) 1) ((N : C) 2) ((N : D) (- 0 1))))"
    assert cards(f"(sort {DECK} using (game points T))", steps) == "d e b a c"


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (f"(partition N (top 2 {DECK}))", ["e", "d"]),  # as first met
        (f"(partition NOKEY {DECK})", ["a b c d e"]),
        (f"(partition N (top 2 {DECK}) (top 3 {DECK}))", ["e e", "d d", "c"]),  # of several sources
        (f"(partition N (all (range 1 .. 2) 'K (top 'K {DECK})))", ["e e", "d"]),
        ("(partition N (game vloc EMPTY))", []),
        (f"(subsets (bottom 2 {DECK}))", ["", "a", "b", "a b"]),
        (f"(subsets (bottom 3 {DECK}))", ["", "a", "b", "a b", "c", "a c", "b c", "a b c"]),
        ("(subsets (game vloc EMPTY))", [""]),
        (f"(subsets 2 (bottom 4 {DECK}))", ["a b", "a c", "b c", "a d", "b d", "c d"]),
        (f"(subsets 3 (bottom 3 {DECK}))", ["a b c"]),
        (f"(subsets 4 (bottom 3 {DECK}))", []),
        (f"(subsets 0 (bottom 3 {DECK}))", [""]),
        (f"(subsets (- 0 1) (bottom 3 {DECK}))", [""]),
        ("(subsets 1 (game vloc EMPTY))", []),
        (f"(filter (subsets (bottom 2 {DECK})) 'G (== 1 1))", ["a", "b", "a b"]),
        (f"(all (range 1 .. 2) 'K (bottom 'K {DECK}))", ["a", "a b"]),
        (f"(tuples 1 {DECK} {P})", ["a", "b", "c", "d", "e"]),
        (f"(tuples 2 {DECK} {P})", []),
    ],
)  # fmt: skip
def test_groups_are_what_the_page_says(made: str, expected: list[str]) -> None:
    assert groups(made) == expected


def test_tuples_are_of_one_score_each_by_score_then_by_where_they_lie() -> None:
    steps = "(set (game points T) (((N : A) 40) ((N : B) (- 0 3)) ((N : C) 40) ((N : D) 40) ((N : E) (- 0 3))))"
    assert groups(f"(tuples 2 {DECK} using (game points T))", steps) == ["b e", "a c", "a d", "c d"]
    assert groups(f"(tuples 3 {DECK} using (game points T))", steps) == ["a c d"]


def test_the_largest_runs_are_one_for_each_way_to_take_a_card_of_each_score() -> None:
    found = groups(f"(runs largest 1 {DECK} {R})", PIPS, decks=RUNS)
    assert sorted(found) == ["nine", "nine", "three four five six", "three four five six"]
    assert groups(f"(runs largest 2 {DECK} {R})", PIPS, decks=RUNS) == ["three four five six"] * 2
    assert groups(f"(runs largest 5 {DECK} {R})", PIPS, decks=RUNS) == []
    assert groups("(runs largest 1 (game vloc EMPTY) using (game points R))") == []


def test_all_runs_hold_the_shorter_ones_too() -> None:
    found = groups(f"(runs all 3 {DECK} {R})", PIPS, decks=RUNS)
    assert sorted(found) == sorted(["three four five"] * 2 + ["four five six"] * 2 + ["three four five six"] * 2)
    assert sorted(groups(f"(runs all 2 (bottom 2 {DECK}) {R})", PIPS, decks=RUNS)) == ["three four"]
    assert (
        len(groups(f"(runs all 1 (bottom 4 {DECK}) {R})", PIPS, decks=RUNS)) == 4 + 4 + 2
    )  # of 3 4 4 5: single ones, pairs, threes


# -- variables


def test_a_place_bound_by_let_changes_with_it_and_a_filter_does_not() -> None:
    played = Played("""(do ((let (game vloc DECK) 'LIVE (let (filter (game vloc DECK) 'C (== 1 1)) 'THEN
        (let (union (game vloc DECK)) 'ALSO (do ((move (top (game vloc DECK)) (top (game vloc HEAP)))
            (set (game sto LIVE) (size 'LIVE)) (set (game sto THEN) (size 'THEN)) (set (game sto ALSO) (size 'ALSO)))))))))""")
    assert [played.number(name) for name in ("LIVE", "THEN", "ALSO")] == [4, 5, 5]


def test_a_place_bound_by_let_is_that_of_the_moment() -> None:
    played = Played("""(do ((let ((current player) vloc HEAP) 'MINE (do ((cycle current next)
        (move (top (game vloc DECK)) (top 'MINE)) (let 'MINE 'SAME (move (top (game vloc DECK)) (bottom 'SAME))))))))""")
    assert played.cards("HEAP", 0) == "d e"


def test_let_works_its_value_out_once() -> None:
    played = Played("""(do ((let (random 1000000) 'N (do ((set (game sto X) 'N) (set (game sto Y) 'N))))
        (let (cardatt N (top (game vloc DECK))) 'S (do ((move (top (game vloc DECK)) (top (game vloc 'S)))
            (set (game str 'S) 'S))))
        (let (== 1 1) 'B ('B (set (game sto Z) 1))) (let (A, B) 'NAMES (all 'NAMES 'N (inc (game sto 'N) 1)))
        (let (range 1 .. 3) 'R (set (game sto W) (size 'R)))))""")
    assert played.number("X") == played.number("Y")
    assert (played.cards("E"), played.name("E")) == ("e", "E")
    assert [played.number(name) for name in "ZABW"] == [1, 1, 1, 3]


def test_a_group_stands_for_cards_for_a_collection_and_for_its_top_card() -> None:
    played = Played("""(do ((all (partition K (game vloc DECK)) 'G (do (
        (set (game sto SIZE) (size 'G)) (all 'G 'C (inc (game sto EACH) 1))
        (set (game str TOP) (cardatt N 'G)) (set (game sto UNION) (size (union 'G 'G)))
        (move 'G (top (game vloc HEAP))))))))""")
    assert [played.number(name) for name in ("SIZE", "EACH", "UNION")] == [5, 5, 10]
    assert (played.name("TOP"), played.cards("HEAP"), played.cards("DECK")) == ("E", "e", "a b c d")


# -- memories


def test_a_remembered_card_stays_where_it_lies() -> None:
    played = Played("""(do ((remember (top (game vloc DECK)) (top (game mem M))) (remember (0 (game vloc DECK)) (bottom (game mem M)))
        (remember (1 (game vloc DECK)) (1 (game mem M))) (remember (top (game vloc DECK)) (top ((1 player) mem M)))
        (set (game sto X) (size (game mem M)))))""")
    assert (played.cards("DECK"), played.cards("M", vis="mem"), played.number("X")) == ("a b c d e", "a b e", 3)
    assert played.cards("M", 1, "mem") == "e"


@pytest.mark.parametrize(
    ("step", "memory", "deck", "heap"),
    [
        ("(forget (top (game mem M)))", "c d", "a b c d e", ""),
        ("(forget (bottom (game mem M)))", "d e", "a b c d e", ""),
        ("(forget (1 (game mem M)))", "c e", "a b c d e", ""),
        ("(forget (max (game mem M) using (game points P)))", "c d", "a b c d e", ""),
        ("(repeat all (forget (top (game mem M))))", "", "a b c d e", ""),
        ("(repeat 2 (forget (top (game mem M))))", "c", "a b c d e", ""),
        ("(all (game mem M) 'C ((!= (cardatt N 'C) D) (forget 'C)))", "d", "a b c d e", ""),
        ("(let (game mem M) 'L (forget (top 'L)))", "c d", "a b c d e", ""),
        (
            "(all (game mem M) 'C (move 'C (top (game vloc HEAP))))",
            "c d e",
            "a b",
            "c d e",
        ),  # from where it really lies
        ("(move (actual (top (game mem M))) (top (game vloc HEAP)))", "c d", "a b c d", "e"),
        ("(repeat all (move (actual (bottom (game mem M))) (top (game vloc HEAP))))", "", "a b", "c d e"),
        ("(shuffle (game mem M))", None, "a b c d e", ""),
    ],
)
def test_a_memory_holds_cards_that_lie_elsewhere(step: str, memory: str | None, deck: str, heap: str) -> None:
    played = Played(f"""(do ((set (game points P) (((N : A) 1) ((N : B) 2) ((N : C) 3) ((N : D) 4) ((N : E) 5)))
        (all (game vloc DECK) 'C
        ((> (score 'C using (game points P)) 2) (remember 'C (top (game mem M))))) {step}))""")
    found = played.cards("M", vis="mem")
    assert (found if memory is not None else "".join(sorted(found.replace(" ", "")))) == (
        memory if memory is not None else "cde"
    )
    assert (played.cards("DECK"), played.cards("HEAP")) == (deck, heap)


@pytest.mark.parametrize(
    "step",
    [
        "(repeat 3 (move (actual (top 'L)) (top (game vloc HEAP))))",
        "(repeat all (move (top 'L) (top (game vloc HEAP))))",
    ],
)
def test_a_memory_that_is_declared_is_a_memory(step: str) -> None:
    steps = f"(all (top 3 (game vloc DECK)) 'C (remember 'C (top (game mem M)))) {step}"
    played = Played(f"(do ({steps}))", declares="(declare (game mem M) 'L)")
    assert (played.cards("M", vis="mem"), played.cards("DECK"), played.cards("HEAP")) == ("", "a b", "c d e")


# -- shuffling


def test_shuffling_keeps_the_cards_and_reaches_every_order() -> None:
    decks = "(create deck (game vloc DECK) (deck (N (A, B, C))))"
    found = {
        Played("(do ((shuffle (game vloc DECK))))", decks=decks, seed=str(seed)).cards("DECK") for seed in range(60)
    }
    assert found == {"a b c", "a c b", "b a c", "b c a", "c a b", "c b a"}


def test_shuffling_what_is_no_place_leaves_the_places_as_they_are() -> None:
    played = Played("""(do ((let (filter (game vloc DECK) 'C (== 1 1)) 'F (do ((shuffle 'F)
        (all 'F 'C (remember 'C (top (game mem M)))))))))""")
    assert played.cards("DECK") == "a b c d e"
    assert sorted(played.cards("M", vis="mem").split()) == list("abcde")


def test_a_faro_shuffle_takes_a_card_of_each_in_turn() -> None:
    played = Played(
        "(do ((shuffle faro (game vloc DECK) (game vloc HEAP))))",
        decks="(create deck (game vloc DECK) (deck (N (A, B, C)))) (create deck (game vloc HEAP) (deck (N (X, Y))))",
    )
    assert (played.cards("DECK"), played.cards("HEAP")) == ("a x b y c", "")


def test_the_number_of_cards_in_a_place_counts_what_is_there_now() -> None:
    assert (
        number(
            "(size (game vloc DECK))",
            "(repeat (- (size (game vloc DECK)) 1) (move (top (game vloc DECK)) (top (game vloc X))))",
        )
        == 1
    )


WORTH = "(set (game points P) (((N : C) 5)))"
NOTED = "(all (game vloc DECK) 'N (do ((remember 'N (top (game mem ONE))) (remember 'N (top (game mem TWO))))))"


@pytest.mark.parametrize("memory", ["ONE", "TWO"])
@pytest.mark.parametrize(
    ("forgets", "left"),
    [
        ("(all (game mem {}) 'N ((!= (cardatt N 'N) C) (forget 'N)))", "c"),
        ("(forget (top (game mem {})))", "a b c d"),
        ("(forget (1 (game mem {})))", "a c d e"),
        ("(forget (max (game mem {}) using (game points P)))", "a b d e"),
        ("(let (game mem {}) 'M (forget (bottom 'M)))", "b c d e"),
        ("(repeat all (forget (top (game mem {}))))", ""),
    ],
)
def test_a_card_is_forgotten_by_the_memory_that_is_named(forgets: str, left: str, memory: str) -> None:
    forgets = forgets.format(memory)
    kept = {memory: left, ({"ONE", "TWO"} - {memory}).pop(): "a b c d e"}
    done = Played(f"(do ({WORTH} {NOTED} {forgets}))")
    assert {name: done.cards(name, vis="mem") for name in kept} == kept
    chosen = Played(f"(do ({WORTH} {NOTED})) (choice ((do ({forgets} (turn pass)))))")
    chosen.take(chosen.moves()[0])
    assert {name: chosen.cards(name, vis="mem") for name in kept} == kept


KNOWN = "(create deck (game vloc OPEN) (deck (N (A, B, C)))) (create deck (game hloc DECK) (deck (N (D, E))))"


@pytest.mark.parametrize(
    ("steps", "left"),
    [
        ("(move (top (game hloc DECK)) (top (game hloc OTHER)))", ["", "", "a"]),
        ("(let (game hloc DECK) 'D (move (top 'D) (top (game hloc OTHER))))", ["", "", "a"]),
        ("(let (game hloc DECK) 'D (let 'D 'E (move (actual (bottom 'E)) (top (game hloc OTHER)))))", ["", "a", "b"]),
        ("(repeat 2 (move (top 'PILE) (top (game hloc OTHER))))", ["", ""]),
        ("(move (max (game hloc DECK) using (game points NONE)) (top (game hloc OTHER)))", ["", "", ""]),
        ("(all (game hloc DECK) 'C ((== (cardatt N 'C) B) (move 'C (top (game hloc OTHER)))))", ["", "", ""]),
    ],
)
def test_a_player_who_has_seen_a_card_follows_it_if_it_is_taken_by_its_place(steps: str, left: list[str]) -> None:
    """Two cards that all have seen are put face down on others. The place may have a name by a variable."""
    down = "(repeat 2 (move (bottom (game vloc OPEN)) (top (game hloc DECK))))"
    done = Played(f"(do ({down} {steps}))", decks=KNOWN, declares="(declare (game hloc DECK) 'PILE)").state
    for audience in (None, 0, 1):
        seen = {place.where.name: place.cards for place in done.observe(audience).places}
        assert [lying.face for lying in seen["DECK"]] == left
        assert not any(lying.id for lying in seen["DECK"])


@pytest.mark.parametrize("name", ["PILE", "(cardatt N (top (game vloc DECK)))"])
def test_a_place_into_which_cards_are_shuffled_has_been_used(name: str) -> None:
    done = Played(f"(do ((shuffle faro (game vloc {name}) (game vloc DECK))))").state
    for audience in (None, 0, 1):
        there = {place.where.name: place for place in done.observe(audience).places if place.cards}
        assert [(len(place.cards), place.used) for place in there.values()] == [(5, True)]
