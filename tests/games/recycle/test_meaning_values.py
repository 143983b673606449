"""What numbers, tests, names, players and teams mean, by ``docs/recycle.md``, worked out by hand."""

# ruff: noqa: E501  # a text is easier to read in one line than in pieces

from __future__ import annotations

from operator import eq, ge, gt, le, lt, ne

import pytest

from games.core.moves import RulesFailed
from tests.games.recycle.played import Played, cards, holds, number

DECK = "(game vloc DECK)"
P = "using (game points P)"
SUITS = "(create deck (game vloc DECK) (deck (SUIT (HEARTS, CLUBS)) (RANK (A, TWO))))"  # hA h2 cA c2, the last on top


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("(+ 2 3)", 5),
        ("(- 2 3)", -1),
        ("(* (- 0 4) 3)", -12),
        ("(// (- 0 7) 2)", -3),  # cut off towards zero
        ("(// 7 (- 0 2))", -3),
        ("(// 7 2)", 3),
        ("(% (- 0 7) 3)", -1),  # the sign of the dividend
        ("(% 7 (- 0 3))", 1),
        ("(% 7 3)", 1),
        ("(^ 2 10)", 1024),
        ("(^ 5 0)", 1),
        ("(^ (- 0 2) 3)", -8),
        ("(^ 2 (- 0 1))", 0),
        ("(^ (- 0 1) (- 0 3))", -1),
        ("(tri 4)", 10),
        ("(tri 0)", 0),
        ("(tri (- 0 3))", 3),
        ("(fib 1)", 1),
        ("(fib 2)", 1),
        ("(fib 7)", 13),
        ("(fib 0)", 0),
        ("(size (game vloc DECK))", 5),
        ("(size player)", 2),
        ("(size team)", 2),
        ("(size (other player))", 1),
        ("(size (other team))", 1),
        ("(size (range 2 .. 5))", 4),  # both ends
        ("(size (range 3..3))", 1),
        ("(size (range 3 .. 2))", 0),
        ("(size (A, B, C))", 3),
        ("(size (union (game vloc DECK) (game vloc DECK)))", 10),  # duplicates are kept
        ("(size (current team))", 1),
        ("(size (subsets (top 3 (game vloc DECK))))", 8),
        ("(game sto NEVER)", 0),
        ("((1 player) sto NEVER)", 0),
        ("((0 team) sto NEVER)", 0),
        (f"(sum {DECK} {P})", 15),
        (f"(sum {DECK} using (game points NEVER))", 0),
        (f"(sum (game vloc EMPTY) {P})", 0),
        (f"(sum (union {DECK} {DECK}) {P})", 30),
        (f"(score (top {DECK}) {P})", 5),
        (f"(score (bottom {DECK}) {P})", 1),
        (f"(score (2 {DECK}) {P})", 3),
        (f"(score ((- (size {DECK}) 2) {DECK}) {P})", 4),
        (f"(score (max {DECK} {P}) {P})", 5),
        (f"(score (min {DECK} {P}) {P})", 1),
        (f"(score (actual (max {DECK} {P})) {P})", 5),
    ],
)
def test_a_number_is_what_the_page_says(expression: str, expected: int) -> None:
    assert number(expression) == expected


@pytest.mark.parametrize(
    ("steps", "expression", "expected"),
    [
        ("(set (game sto Y) 7) (inc (game sto Y) 2) (dec (game sto Y) 10)", "(game sto Y)", -1),
        ("(set ((1 player) sto Y) 4) (set ((0 player) sto Y) 3)", "((1 player) sto Y)", 4),
        ("(set ((1 team) sto Y) 4) (set ((1 player) sto Y) 3)", "((1 team) sto Y)", 4),
        ("(let 5 'N (set (game sto Y) (* 'N 'N)))", "(game sto Y)", 25),
        ("(repeat 3 (inc (game sto Y) 2))", "(game sto Y)", 6),  # one after the other, not all at once
        ("(repeat (- 0 2) (inc (game sto Y) 2))", "(game sto Y)", 0),
        ("(all (range 1 .. 4) 'N (inc (game sto Y) 'N))", "(game sto Y)", 10),
        ("(any (range 1 .. 4) 'N (set (game sto Y) 'N))", "(game sto Y)", 4),  # any is all outside of a choice
        ("(all (A, B) 'N (set (game sto 'N) 3))", "(+ (game sto A) (* 10 (game sto B)))", 33),  # stores by variable
        ("(set (game str K) B) (set (game sto (game str K)) 8)", "(game sto B)", 8),  # and by stored name
        ("(all player 'Q (set ('Q sto Y) (size (other player))))", "((1 player) sto Y)", 1),
    ],
)
def test_numbers_are_kept_by_owner_and_name(steps: str, expression: str, expected: int) -> None:
    assert number(expression, steps) == expected


@pytest.mark.parametrize(
    "expression",
    [
        "(// 1 0)",
        "(% 1 0)",
        "(^ 0 (- 0 1))",
        "(random 3 .. 1)",
        "(score (top (game vloc EMPTY)) using (game points P))",
        "(score (bottom (game vloc EMPTY)) using (game points P))",
        "(score (5 (game vloc DECK)) using (game points P))",
        "(score ((- 0 1) (game vloc DECK)) using (game points P))",
        "(size (filter (range 1 .. 1) 'N (== (top (game vloc DECK)) (5 (game vloc DECK)))))",
        "(size (filter (range 1 .. 1) 'N (== (top (game vloc DECK)) (max (game vloc EMPTY) using (game points P)))))",
        "(score (max (game vloc EMPTY) using (game points P)) using (game points P))",
        "(score (min (game vloc EMPTY) using (game points P)) using (game points P))",
        "((owner (top (game vloc DECK))) sto X)",
        "((2 player) sto X)",
        "((2 team) sto X)",
        "(size (top 6 (game vloc DECK)))",
        "(size (top (subsets (top 6 (game vloc DECK)))))",
        "(size (top (tuples 2 (game vloc DECK) using (game points P))))",
        "(^ 2 40)",
        "(* 2147483647 2)",
        "(+ 2147483647 1)",
        "(fib 60)",
        "(tri 100000)",
    ],
)
def test_what_cannot_be_worked_out_ends_the_match_with_its_line(expression: str) -> None:
    with pytest.raises(RulesFailed, match=r"text.rcy, line 1: ") as failed:
        number(expression)
    assert "engine failed" not in failed.value.text


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ("(== 1 1)", True),
        ("(!= 1 1)", False),
        ("(< 1 2)", True),
        ("(> 1 2)", False),
        ("(<= 2 2)", True),
        ("(>= 1 2)", False),
        ("(and (== 1 1) (== 1 1) (== 1 2))", False),
        ("(or (== 1 2) (== 1 2) (== 1 1))", True),
        ("(not (== 1 2))", True),
        ("(== (game str NEVER) NONE)", False),  # what was never set is no name
        ("(!= (game str NEVER) NONE)", True),
        ("(== (cardatt N (top (game vloc DECK))) E)", True),
        ("(== (cardatt N (top (game vloc EMPTY))) (game str NEVER))", True),  # nothing of an empty place
        ("(== (cardatt N (actual (bottom (game vloc EMPTY)))) (game str NEVER))", True),
        ("(== (cardatt NOKEY (top (game vloc DECK))) (game str NEVER))", True),
        ("(== (top (game vloc DECK)) (4 (game vloc DECK)))", True),  # a card is itself
        ("(== (top (game vloc DECK)) (3 (game vloc DECK)))", False),
        ("(!= (top (game vloc DECK)) (3 (game vloc DECK)))", True),
        ("(== (top (game vloc DECK)) (top (game vloc EMPTY)))", False),  # no card equals the top of an empty place
        ("(!= (bottom (game vloc EMPTY)) (top (game vloc DECK)))", True),
        ("(== (top (game vloc EMPTY)) (top (game vloc DECK)))", False),
        ("(!= (top (game vloc DECK)) (actual (2 (game vloc EMPTY))))", True),
        ("(any (game vloc DECK) 'C (== 'C (top (union (game vloc EMPTY) (game vloc EMPTY)))))", False),
        ("(== (top (game vloc EMPTY)) (bottom (game vloc OTHER)))", True),  # there is no card in either
        ("(== (current player) (0 player))", True),
        ("(!= (next player) (1 player))", False),
        ("(== (team (current player)) (current team))", True),
        ("(== (next team) (current team))", False),
        ("(any (game vloc DECK) 'C (== (cardatt N 'C) B))", True),
        ("(all (game vloc DECK) 'C (== (cardatt N 'C) B))", False),
        ("(any (game vloc EMPTY) 'C (== 1 1))", False),  # no member at all
        ("(all (game vloc EMPTY) 'C (== 1 2))", True),
        ("(any (X, Y) 'N (== 'N Y))", True),
        ("(all (range 1 .. 3) 'N (< 'N 4))", True),
        ("(any player 'Q (== 'Q (next player)))", True),
        ("(all (other player) 'Q (!= 'Q (current player)))", True),
        ("(any team 'T (== 'T (next team)))", True),
        ("(any (subsets (game vloc DECK)) 'G (== (size 'G) 5))", True),
        (
            "(any (game vloc DECK) 'C (any (game vloc DECK) 'D (and (!= 'C 'D) (== (cardatt N 'C) (cardatt N 'D)))))",
            False,
        ),
    ],
)
def test_a_test_is_what_the_page_says(test: str, expected: bool) -> None:
    assert holds(test) is expected


def test_two_cards_that_are_alike_are_two() -> None:
    twice = "(repeat 2 (create deck (game vloc DECK) (deck (N (A)))))"
    assert holds("(!= (top (game vloc DECK)) (bottom (game vloc DECK)))", decks=twice)
    assert holds("(== (cardatt N (top (game vloc DECK))) (cardatt N (bottom (game vloc DECK))))", decks=twice)


@pytest.mark.parametrize("test", ["(and (== 1 2) {})", "(or (== 1 1) {})"])
def test_and_and_or_stop_early(test: str) -> None:
    holds(test.format("(== 1 (// 1 0))"))


@pytest.mark.parametrize(
    "test",
    [
        "(any (range 0 .. 2) 'N (== 1 (// 1 (- 1 'N))))",  # 0 fits, but 1 cannot be tried
        "(all (range 0 .. 2) 'N (== 2 (// 1 (- 1 'N))))",
        "(any player 'Q (or (== 'Q (0 player)) (== 1 (// 1 0))))",
        "(all player 'Q (and (!= 'Q (0 player)) (== 1 (// 1 0))))",
    ],
)
def test_any_and_all_try_every_member_whatever_the_others_say(test: str) -> None:
    with pytest.raises(RulesFailed, match="divided by 0"):
        holds(test)


def test_random_numbers_reach_both_ends_and_no_further() -> None:
    played = Played("""(do ((all (range 1 .. 200) 'N (do (
        (set (game sto X) (random 2)) (set (game sto Y) (random 4 .. 6))
        ((< (game sto X) 0) (set (game sto BAD) 1)) ((> (game sto X) 2) (set (game sto BAD) 1))
        ((< (game sto Y) 4) (set (game sto BAD) 1)) ((> (game sto Y) 6) (set (game sto BAD) 1))
        ((== (game sto X) 0) (set (game sto LOW) 1)) ((== (game sto X) 2) (set (game sto HIGH) 1))
        ((== (game sto Y) 4) (inc (game sto LOW) 2)) ((== (game sto Y) 6) (inc (game sto HIGH) 2)))))))""")
    assert played.number("BAD") == 0
    assert played.number("LOW") > 2
    assert played.number("HIGH") > 2


def test_ties_of_max_are_broken_by_chance_evenly() -> None:
    """Three of five score most; each is taken about as often. Two questions may have two answers."""
    played = Played("""(do ((set (game points T) (((N : B) 9) ((N : C) 9) ((N : E) 9) ((N : A) 1)))
        (all (range 1 .. 600) 'N (inc (game sto (cardatt N (max (game vloc DECK) using (game points T)))) 1))
        (all (range 1 .. 600) 'N (inc (game sto (cardatt N (min (game vloc DECK) using (game points T)))) 1000))))""")
    found = {name: played.number(name) for name in "ABCE"}
    assert found["A"] == 0
    assert all(150 <= found[name] <= 250 for name in "BCE")
    assert played.number("D") == 600_000


def test_max_looks_at_scores_below_zero() -> None:
    steps = "(set (game points T) (((N : A) (- 0 5)) ((N : B) (- 0 7)) ((N : C) (- 0 6)) ((N : D) (- 0 9)) ((N : E) (- 0 8))))"
    assert number("(score (max (game vloc DECK) using (game points T)) using (game points T))", steps) == -5


@pytest.mark.parametrize(
    ("awards", "expected"),
    [
        ("((SUIT : HEARTS) 5)", {"AH": 5, "2H": 5}),
        ("((SUIT : HEARTS) 5) ((RANK : A) 3)", {"AH": 8, "2H": 5, "AC": 3}),  # all that fit add up
        ("((SUIT : HEARTS) 5) ((SUIT : HEARTS) 5)", {"AH": 10, "2H": 10}),
        ("((SUIT : HEARTS) (RANK : A) 7)", {"AH": 7}),  # all pairs of one award must fit
        ("((RANK : A) (SUIT : HEARTS) 7) ((SUIT : HEARTS) (RANK : A) 1)", {"AH": 8}),
        ("((NOKEY : (game str UNSET)) 2)", {"AH": 2, "2H": 2, "AC": 2, "2C": 2}),  # no attribute, no name: alike
        ("((SUIT : (game str UNSET)) 2)", {}),
        ("((SUIT : (cardatt SUIT (top (game vloc DECK)))) (- 0 4))", {"AC": -4, "2C": -4}),
        ("(((game str KEY) : A) 4)", {"AH": 4, "AC": 4}),
        ("((SUIT : HEARTS) (RANK : CLUBS) 7)", {}),
    ],
)
def test_a_point_map_is_the_sum_of_the_awards_that_fit(awards: str, expected: dict[str, int]) -> None:
    played = Played(f"(do ((set (game str KEY) RANK) (set (game points M) ({awards}))))", decks=SUITS)
    assert played.scores_of("M") == expected


def test_a_point_map_is_worked_out_when_it_is_set_and_replaced_as_a_whole() -> None:
    played = Played(
        """(do ((set (game str LED) HEARTS) (set (game sto WORTH) 3)
        (set (game points M) (((SUIT : (game str LED)) (game sto WORTH))))
        (set (game points OTHER) (((SUIT : (game str LED)) 1)))
        (set (game str LED) CLUBS) (set (game sto WORTH) 9) (set (game points OTHER) (((RANK : A) 1)))))""",
        decks=SUITS,
    )
    assert played.scores_of("M") == {"AH": 3, "2H": 3}
    assert played.scores_of("OTHER") == {"AH": 1, "AC": 1}


def test_players_and_teams_have_point_maps_of_their_own() -> None:
    played = Played(
        """(do ((set ((1 player) points M) (((RANK : A) 1))) (set ((0 team) points M) (((RANK : TWO) 2)))
        (set (game points M) (((SUIT : HEARTS) 3)))
        (set (game sto X) (sum (game vloc DECK) using ((1 player) points M)))
        (set (game sto Y) (sum (game vloc DECK) using ((0 team) points M)))
        (all player 'Q (set ('Q sto Z) (sum (game vloc DECK) using ('Q points M))))))""",
        decks=SUITS,
    )
    assert (played.number("X"), played.number("Y")) == (2, 4)
    assert [played.number("Z", seat) for seat in (0, 1)] == [0, 2]


def test_the_owner_of_a_card_is_the_player_in_whose_place_it_lies() -> None:
    played = Played("""(do ((move (top (game vloc DECK)) (top ((1 player) iloc HAND)))
        (inc ((owner (top ((1 player) iloc HAND))) sto X) 4)
        (let (union ((0 player) iloc HAND) ((1 player) iloc HAND)) 'HANDS (set ((owner (top 'HANDS)) sto Y) 5))))""")
    assert [played.number("X", seat) for seat in (0, 1)] == [0, 4]
    assert [played.number("Y", seat) for seat in (0, 1)] == [0, 5]


def test_names_are_stored_and_may_be_names_of_places() -> None:
    played = Played("""(do ((set (game str WHERE) HEAP) (set ((1 player) str WHERE) OTHER)
        (move (top (game vloc DECK)) (top (game vloc (game str WHERE))))
        (move (top (game vloc DECK)) (top ((0 player) vloc ((1 player) str WHERE))))
        (move (top (game vloc DECK)) (top (game vloc (cardatt N (top (game vloc DECK))))))))""")
    assert played.cards("HEAP") == "e"
    assert played.cards("OTHER", 0) == "d"
    assert played.cards("C") == "c"  # the name of the card's own rank
    assert (played.name("WHERE"), played.name("WHERE", 1), played.name("WHERE", 0)) == ("HEAP", "OTHER", "")


def test_declared_names_lists_and_numbers_stand_for_what_they_are() -> None:
    declares = "(declare 4 'FOUR) (declare PILE 'PILE) (declare (L, M) 'BOTH) (declare (* 'FOUR 2) 'EIGHT) (declare (range 1 .. 2) 'R)"
    played = Played(
        """(do ((set (game sto X) (+ 'FOUR 'EIGHT)) (move (top (game vloc DECK)) (top (game vloc 'PILE)))
        (all 'BOTH 'B (move (top (game vloc DECK)) (top (game vloc 'B)))) (all 'R 'N (inc (game sto Y) 'N))
        (set (game sto 'PILE) (size 'BOTH)) (set (game str S) 'PILE)))""",
        declares=declares,
    )
    assert (played.number("X"), played.number("Y"), played.number("PILE"), played.name("S")) == (12, 3, 2, "PILE")
    assert (played.cards("PILE"), played.cards("L"), played.cards("M")) == ("e", "d", "c")


def test_a_declared_place_is_that_place_and_not_what_lay_there() -> None:
    declares = "(declare (game vloc DECK) 'D) (declare ((1 player) vloc HEAP) 'H)"
    played = Played(
        "(do ((move (top 'D) (top 'H)) (move (bottom 'D) (bottom 'H)) (cycle current next) (set (game sto X) (size 'H))))",
        declares=declares,
    )
    assert played.cards("HEAP", 1) == "a e"
    assert played.number("X") == 2


def test_the_place_of_a_declared_player_stays_that_player_s() -> None:
    played = Played(
        "(do ((cycle current next) (move (top (game vloc DECK)) (top 'MINE))))",
        declares="(declare ((current player) vloc HEAP) 'MINE)",
    )
    assert played.cards("HEAP", 0) == "e"


def test_the_members_of_a_team_come_in_the_order_in_which_it_lists_them() -> None:
    played = Played(
        """(do ((all (1 team) 'Q (do ((inc (game sto N) 1) (set ('Q sto X) (game sto N)))))
        (all (team (0 player)) 'Q (set ('Q sto Y) 1)) (set (game sto SIZE) (size (filter (1 team) 'Q (== 'Q (1 player)))))))""",
        players="4) (create teams (0, 2) (3, 1)",
    )
    assert [played.number("X", seat) for seat in range(4)] == [0, 2, 0, 1]
    assert [played.number("Y", seat) for seat in range(4)] == [1, 0, 1, 0]
    assert played.number("SIZE") == 1


def test_a_player_who_is_listed_in_no_team_has_none() -> None:
    listed = "3) (create teams (0, 2)"
    assert holds("(== (team (2 player)) (0 team))", players=listed)
    assert number("(size team)", players=listed) == 1
    with pytest.raises(RulesFailed, match="team"):
        holds("(== (team (1 player)) (0 team))", players=listed)


def test_without_teams_each_player_is_one() -> None:
    assert number("(size (filter team 'T (== 'T (team (2 player)))))", players="3") == 1
    assert holds("(== (team (2 player)) (2 team))", players="3")


def test_teams_that_are_made_in_play_come_after_those_that_are_there() -> None:
    played = Played(
        "(do ((create teams (1, 2)) (set (game sto X) (size team)) (set ((team (1 player)) sto Y) 5)))", players="3"
    )
    assert played.number("X") == 4
    assert played.number("Y", team=3) == 5


def test_what_is_filtered_keeps_its_order_and_its_kind() -> None:
    assert cards("(filter (game vloc DECK) 'C (!= (cardatt N 'C) C))") == "a b d e"
    assert number("(size (filter player 'Q (== 'Q (current player))))") == 1
    assert number("(size (filter (range 1 .. 9) 'N (> 'N 6)))") == 3
    assert number("(size (filter (A, B) 'N (== 'N B)))") == 1
    assert (
        number("(size (filter (subsets (top 2 (game vloc DECK))) 'G (< (size 'G) 2)))") == 2
    )  # the empty group is dropped
    assert cards("(filter (filter (game vloc DECK) 'C (!= (cardatt N 'C) C)) 'D (!= (cardatt N 'D) A))") == "b d e"


@pytest.mark.parametrize("op", ["<", "<=", "==", "!=", ">=", ">"])
@pytest.mark.parametrize("bound", [0, 1, 2])
def test_a_size_is_compared_with_any_number_from_both_sides(op: str, bound: int) -> None:
    compare = {"<": lt, "<=": le, "==": eq, "!=": ne, ">=": ge, ">": gt}[op]
    sizes = {0: "(game vloc EMPTY)", 1: "(top 1 (game vloc DECK))", 2: "(top 2 (game vloc DECK))"}
    for size, cards_of_that_size in sizes.items():
        assert holds(f"({op} (size {cards_of_that_size}) {bound})") is compare(size, bound)
        assert holds(f"({op} {bound} (size {cards_of_that_size}))") is compare(bound, size)
