"""What may be chosen, by ``docs/recycle.md``, worked out by hand; and that looking for it changes nothing."""

# ruff: noqa: E501  # a text is easier to read in one line than in pieces

from __future__ import annotations

from copy import deepcopy

import pytest

from games.core import FastChance
from games.core.moves import RulesFailed
from games.recycle.rules import RecycleState
from tests.games.recycle.played import HANDS, Played, begun, fields, take, text_of

HAND = "((0 player) vloc HAND)"
PLAY = "(move 'C (top (game vloc HEAP)))"
LAY = "(repeat all (move (top 'G) (top (game vloc HEAP))))"


def moves(steps: str, before: str = "", **setting: str) -> list[str]:
    """Return the options of a choice, and see that looking for them has changed nothing."""
    setting.setdefault("decks", HANDS)
    played = Played(f"(do ((turn pass) {before})) (choice ({steps}))", **setting)
    at_first = _all_of(played.state)
    found = played.moves()
    assert _all_of(played.state) == at_first
    return found


def _all_of(state: RecycleState) -> object:
    """Return a copy of everything, but for places that were named for the first time, and what was found by looking."""
    return (
        fields(state),
        deepcopy(state.sight.named_by(None)),
        [deepcopy(state.sight.named_by(seat)) for seat in range(state.seats)],
    )


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        # One option for each action, in the order of the text.
        ("(turn pass) (set (game sto X) 3) (set (game str X) GO)", ["pass", "X=3", "X=GO"]),
        ("(inc (game sto X) 3) (dec ((1 player) sto X) 3)", ["X=3", "X:1=-3"]),
        ("(cycle next (1 player)) (cycle current previous)", ["next:1", "turn:1"]),
        ("(move (top (game vloc DECK)) (top (game vloc HEAP)))", ["q DECK>HEAP"]),
        ("(move (top (game vloc DECK)) (bottom (game vloc HEAP)))", ["q DECK>HEAP(0)"]),
        # Tests guard options.
        ("((== 1 2) (turn pass)) ((== 1 1) (set (game sto X) 3))", ["X=3"]),
        # Each member is an option, forward; doubles are kept.
        (f"(any {HAND} 'C {PLAY})", ["a HAND>HEAP", "b HAND>HEAP", "c HAND>HEAP"]),
        ("(any (range 1 .. 3) 'N (set (game sto X) 'N))", ["X=1", "X=2", "X=3"]),
        ("(any (B, A) 'S (set (game str X) 'S))", ["X=B", "X=A"]),
        ("(any player 'Q (cycle next 'Q))", ["next:0", "next:1"]),
        ("(any (other player) 'Q (inc ('Q sto X) 1))", ["X:1=1"]),
        ("(any (A, A) 'S (set (game str X) 'S)) (set (game str X) A)", ["X=A", "X=A #2", "X=A #3"]),
        ("(any (range 1 .. 3) 'N ((!= 'N 2) (set (game sto X) 'N)))", ["X=1", "X=3"]),
        (f"(any {HAND} 'C (let (cardatt N 'C) 'S (set (game str X) 'S)))", ["X=A", "X=B", "X=C"]),
        (f"(any (partition K {HAND}) 'G (move 'G (top (game vloc HEAP))))", ["c HAND>HEAP"]),
        (f"(any (filter (subsets {HAND}) 'G (== (size 'G) 2)) 'G (all 'G 'C {PLAY}))",
         ["a b HAND>HEAP", "a c HAND>HEAP", "b c HAND>HEAP"]),
        # Selections: of the cards of one place, of several, and of a place that is named twice.
        (f"(any (subsets 2 {HAND}) 'G {LAY})", ["b a HAND>HEAP", "c a HAND>HEAP", "c b HAND>HEAP"]),
        (f"(any (subsets 2 {HAND}) 'G {LAY})".replace("(top (game", "(bottom (game"),
         ["b a HAND>HEAP(0)", "c a HAND>HEAP(0)", "c b HAND>HEAP(0)"]),
        (f"(any (subsets 2 (union (bottom 1 {HAND}) (game vloc DECK))) 'G {LAY})",
         ["p DECK>HEAP; a HAND>HEAP", "q DECK>HEAP; a HAND>HEAP", "q p DECK>HEAP"]),
        (f"(any (subsets 2 (union (bottom 2 {HAND}) (bottom 1 {HAND}))) 'G {LAY})",
         ["b a HAND>HEAP", "a HAND>HEAP; a HEAP>HEAP", "a b HAND>HEAP"]),
        # One in another: all pairs.
        ("(any (range 1 .. 2) 'N (any (A, B) 'S (do ((set (game sto X) 'N) (set (game str Y) 'S)))))",
         ["X=1; Y=A", "X=1; Y=B", "X=2; Y=A", "X=2; Y=B"]),
        # One after the other: pairs as well, and the second is looked for after the first was taken.
        (f"(do ((any {HAND} 'C {PLAY}) (any {HAND} 'C (move 'C (top (game vloc OTHER))))))",
         ["a HAND>HEAP; b HAND>OTHER", "a HAND>HEAP; c HAND>OTHER", "b HAND>HEAP; a HAND>OTHER", "b HAND>HEAP; c HAND>OTHER",
          "c HAND>HEAP; a HAND>OTHER", "c HAND>HEAP; b HAND>OTHER"]),
        (f"(do ((any {HAND} 'C {PLAY}) (set (game str LED) (cardatt N (top (game vloc HEAP))))))",
         ["a HAND>HEAP; LED=A", "b HAND>HEAP; LED=B", "c HAND>HEAP; LED=C"]),
        (f"(do ((any {HAND} 'C {PLAY}) (set (game sto X) 1) (any (range 1 .. 2) 'N (inc (game sto X) 'N)) (turn pass)))",
         [f"{c} HAND>HEAP; X=1; X={n}; pass" for c in "abc" for n in (2, 3)]),
        # Steps see what those before them did; tests are tried at their point of the path.
        ("(do ((set (game sto X) 1) ((== (game sto X) 1) (set (game sto Y) 2)) ((== (game sto X) 0) (set (game sto Z) 3))))",
         ["X=1; Y=2"]),
        ("(do (((== (game sto X) 0) (set (game sto X) 1)) ((== (game sto X) 0) (set (game sto Y) 2))))", ["X=1"]),
        # What fails contributes nothing, and the path goes on.
        ("(do ((set (game sto X) 1) ((== 1 2) (turn pass)) (set (game sto Y) 2)))", ["X=1; Y=2"]),
        ("(do ((turn pass) (any (game vloc EMPTY) 'C (move 'C (top (game vloc HEAP))))))", ["pass"]),
        ("(do ((any (game vloc EMPTY) 'C (move 'C (top (game vloc HEAP)))) (turn pass)))", ["pass"]),
        ("(do ((any (game vloc EMPTY) 'C (turn pass)) (any (range 1 .. 2) 'N (set (game sto X) 'N))))", ["X=1", "X=2"]),
        ("(do (((== 1 2) (any (A, B) 'S (set (game str X) 'S))) (turn pass)))", ["pass"]),
        ("(do (((== 1 1) (any (A, B) 'S (set (game str X) 'S))) (turn pass)))", ["X=A; pass", "X=B; pass"]),
        ("(do ((any (range 1 .. 2) 'N ((== 'N 1) (set (game sto X) 'N))) (turn pass)))", ["X=1; pass", "pass"]),
        # A path on which nothing is done is no option.
        ("(do (((== 1 2) (turn pass)))) (any (game vloc EMPTY) 'C (turn pass)) (all (game vloc EMPTY) 'C (turn pass)) (turn pass)",
         ["pass"]),
        ("(any (range 1 .. 3) 'N (any (range 'N .. 2) 'M (set (game sto X) (+ (* 10 'N) 'M)))) (turn pass)",
         ["X=11", "X=12", "X=22", "pass"]),
        # All: the step for every member, forward, in one option.
        (f"(all {HAND} 'C {PLAY})", ["a b c HAND>HEAP"]),
        ("(all (range 1 .. 3) 'N (inc (game sto X) 'N))", ["X=1; X=3; X=6"]),
        ("(all (range 1 .. 3) 'N ((!= 'N 2) (set (game sto X) 'N)))", ["X=1; X=3"]),
        (f"(any player 'Q (all ('Q vloc HAND) 'C {PLAY}))", ["a b c HAND>HEAP", "x y HAND:1>HEAP"]),
        # All with alternatives in it: every combination.
        ("(all player 'Q (any (range 1 .. 2) 'N (set ('Q sto X) 'N)))", ["X=1; X:1=1", "X=1; X:1=2", "X=2; X:1=1", "X=2; X:1=2"]),
        ("(do ((turn pass) (all player 'Q (any (game vloc EMPTY) 'C (turn pass))) (set (game sto X) 1)))", ["pass; X=1"]),
        # Repeated: the same, for every way to do it.
        (f"(repeat 2 (move (top {HAND}) (top (game vloc HEAP))))", ["c b HAND>HEAP"]),
        (f"(repeat 2 (any {HAND} 'C {PLAY}))",
         ["a b HAND>HEAP", "a c HAND>HEAP", "b a HAND>HEAP", "b c HAND>HEAP", "c a HAND>HEAP", "c b HAND>HEAP"]),
        (f"(repeat 0 (any {HAND} 'C {PLAY})) (turn pass)", ["pass"]),
        (f"(any (range 1 .. 2) 'N (repeat 'N (move (top {HAND}) (top (game vloc HEAP)))))", ["c HAND>HEAP", "c b HAND>HEAP"]),
        (f"(repeat all (move (top {HAND}) (top (game vloc HEAP))))", ["c b a HAND>HEAP"]),
        ("(any player 'Q (repeat all (move (top ('Q vloc HAND)) (top (game vloc HEAP)))))", ["c b a HAND>HEAP", "y x HAND:1>HEAP"]),
        ("(repeat all (move (top (game vloc EMPTY)) (top (game vloc HEAP)))) (turn pass)", ["pass"]),
        (f"(repeat all (move (top (filter {HAND} 'C (!= (cardatt N 'C) B))) (top (game vloc HEAP))))", ["c a HAND>HEAP"]),
        # Out of a list of a variable a card goes as it is moved, for this option alone.
        (f"(let (filter {HAND} 'C (!= (cardatt N 'C) B)) 'F (repeat 2 (move (top 'F) (top (game vloc HEAP)))))", ["c a HAND>HEAP"]),
        (f"""(let (filter {HAND} 'C (== 1 1)) 'F (any (range 1 .. 3) 'N (repeat 'N (move (top 'F) (top (game vloc HEAP))))))""",
         ["c HAND>HEAP", "c b HAND>HEAP", "c b a HAND>HEAP"]),
        (f"(let {HAND} 'L (do ((move (top 'L) (top (game vloc HEAP))) (set (game sto X) (size 'L)))))", ["c HAND>HEAP; X=2"]),
        (f"(let (partition K {HAND}) 'G (repeat 2 (move (top (top 'G)) (top (game vloc HEAP)))))", ["c b HAND>HEAP"]),
        # The current player may change on the way.
        ("(do ((cycle current next) (inc ((current player) sto X) 1) (all (other player) 'Q (inc ('Q sto Y) 1))))",
         ["turn:1; X:1=1; Y=1"]),
        ("(any player 'Q (do ((cycle next 'Q) (set ((next player) sto X) 5))))", ["next:0; X=5", "next:1; X:1=5"]),
        # A let around the choice is one around each of its steps; one inside binds along the path.
        ("(let (size (game vloc DECK)) 'N (do ((any (range 1 .. 'N) 'M (set (game sto X) 'M)) (set (game sto Y) 'N))))",
         ["X=1; Y=2", "X=2; Y=2"]),
        (f"(do ((any {HAND} 'C (let 'C 'D {PLAY})) (turn pass)))".replace("(let 'C 'D", "(let (cardatt N 'C) 'D"),
         ["a HAND>HEAP; pass", "b HAND>HEAP; pass", "c HAND>HEAP; pass"]),
        # Point maps, decks, teams and memories.
        ("(do ((set (game points M) (((N : A) 7))) (set (game sto X) (sum ((0 player) vloc HAND) using (game points M)))))",
         ["points 0 0; X=7"]),
        ("(do ((create deck (game vloc DECK) (deck (N (Z)))) (set (game sto X) (size (game vloc DECK)))))", ["deck 3 DECK; X=3"]),
        ("(do ((create teams (0, 1)) (set (game sto X) (size team))))", ["teams 0; X=3"]),
        (f"(any {HAND} 'C (do ((remember 'C (top (game mem M))) (set (game sto X) (size (game mem M))) (forget (top (game mem M))))))",
         [f"remember {c}; X=1; forget {c}" for c in "abc"]),
    ],
)  # fmt: skip
def test_the_options_are_those_of_the_page_in_its_order(steps: str, expected: list[str]) -> None:
    assert moves(steps) == expected


def test_a_let_around_a_choice_binds_for_all_of_its_steps() -> None:
    played = Played(
        f"(let (filter {HAND} 'C (!= (cardatt N 'C) A)) 'F (choice ((any 'F 'C {PLAY}) (set (game sto X) (size 'F)))))",
        decks=HANDS,
    )
    assert played.moves() == ["b HAND>HEAP", "c HAND>HEAP", "X=2"]
    assert played.take("X=2").number("X") == 2


def test_a_choice_is_of_the_current_player_and_the_one_of_an_option_alone_is_asked() -> None:
    played = Played("(do ((cycle current next))) (choice ((turn pass))) (do ((set (game sto X) 1)))")
    assert played.state.to_act() == (1,)
    assert played.state.legal_moves(0) == []
    assert played.moves() == ["pass"]
    assert played.number("X") == 0
    assert played.take("pass").number("X") == 1


def test_a_choice_without_options_ends_the_match() -> None:
    played = Played("(choice (((== 1 2) (turn pass))))")
    with pytest.raises(RulesFailed, match=r"line 1.*Player 1 has no option"):
        played.moves()


def test_an_option_does_what_it_says() -> None:
    played = Played(
        f"""(choice ((do ((any {HAND} 'C {PLAY}) (any {HAND} 'C (move 'C (bottom (game vloc HEAP))))
        (set (game str LED) (cardatt N (top (game vloc HEAP)))) (cycle next (0 player))))))""",
        decks=HANDS,
    )
    played.take("b HAND>HEAP; a HAND>HEAP(0); LED=B; next:0")
    assert (played.cards("HEAP"), played.cards("HAND", 0), played.name("LED")) == ("a b", "c", "B")
    assert played.state.queued == 0


def test_equal_options_may_each_be_taken() -> None:
    played = Played("(choice ((any (A, A) 'S (set (game str X) 'S)) (set (game str X) B)))", decks=HANDS)
    assert played.moves() == ["X=A", "X=A #2", "X=B"]
    assert played.take("X=A #2").name("X") == "A"


def test_a_list_that_an_option_has_shortened_is_whole_again_for_the_next() -> None:
    steps = f"""(let (filter {HAND} 'C (== 1 1)) 'F (any (range 1 .. 2) 'N (do ((move (top 'F) (top (game vloc HEAP)))
        (set (game sto X) (size 'F))))))"""
    assert moves(steps) == ["c HAND>HEAP; X=2", "c HAND>HEAP; X=2 #2"]


def test_the_current_player_of_an_option_is_only_tried_out() -> None:
    played = Played(
        "(choice ((do ((cycle current next) (set ((current player) sto X) 1))) (set ((current player) sto X) 2)))"
    )
    assert played.moves() == ["turn:1; X:1=1", "X=2"]
    assert played.state.cur == 0


# -- what is drawn


def test_what_an_option_draws_is_drawn_when_it_is_taken() -> None:
    """Nobody sees it before: not in the move, and not by what looking for the options has drawn."""
    steps = "(set (game sto X) (random 1 .. 1000000)) (do ((turn pass) (inc (game sto X) (random 1 .. 1000000))))"
    found = set()
    for seed in range(5):
        played = Played(f"(choice ({steps}))", seed=str(seed))
        assert played.moves() == ["X=?", "pass; X=?"]
        looked, blind = played.state.clone(), played.state.clone()
        looked.legal_moves(0)
        for state in (looked, blind):
            take(state, "X=?")
        assert looked.I == blind.I
        found.add(played.take("X=?").number("X"))
    assert len(found) == 5


@pytest.mark.parametrize(
    "step",
    [
        "(move ((random 1) (game vloc DECK)) (top (game vloc HEAP)))",
        "(cycle next ((random 1) player))",
        "(set (game str X) (cardatt N ((random 1) (game vloc DECK))))",
        "(set (game points M) (((N : P) (random 1))))",
        "(do ((shuffle (game vloc DECK)) (move (top (game vloc DECK)) (top (game vloc HEAP)))))",
        "(do ((shuffle (game vloc DECK)) (set (game str X) (cardatt N (top (game vloc DECK)))) (turn pass)))",
        "(do ((any (A) 'S (shuffle (game vloc DECK))) (move (top (game vloc DECK)) (top (game vloc HEAP)))))",
        "(let (filter (game vloc DECK) 'C (== 1 1)) 'F (set (game sto X) (+ (random 1) (size (filter 'F 'C (== (cardatt N 'C) P))))))",
        "(set (game sto X) (+ (random 1) (sum (game vloc DECK) using (game points M))))",
        "(inc ((owner (top ((random 1) (all player 'Q ('Q vloc HAND))))) sto X) 1)",
    ],
)
def test_no_draw_of_an_option_can_be_seen_before(step: str) -> None:
    """Whatever chance brings, the options read alike; and both ways it can go do come."""
    shown, outcomes = set(), set()
    for seed in range(20):
        played = Played(f"(choice ({step})) (choice ((turn pass)))", seed=str(seed), decks=HANDS)
        [move] = played.moves()
        shown.add(move)
        played.take(move)
        state = played.state
        outcomes.add(str((state.L, state.I, state.S, state.P, state.queued)))
    assert len(shown) == 1
    assert len(outcomes) >= 2


def test_copies_are_offered_the_same_whatever_their_chance_will_bring() -> None:
    """What is drawn to find the options is drawn once: a copy with another chance has the same ones."""
    steps = """(any (range 1 .. (random 1 .. 1000)) 'N (set (game sto X) 'N)) ((== (random 1) 0) (turn pass))
        (move (max (game vloc DECK) using (game points M)) (top (game vloc HEAP)))"""
    played = Played(f"(choice ({steps}))", decks=HANDS)
    copies = [played.state.fork(FastChance(str(seed))) for seed in range(5)]
    found = played.moves()
    assert all(copy.legal_moves(0) == found for copy in copies)
    assert played.state.determinize(0, FastChance("z")).legal_moves(0) == found
    assert played.state.legal_moves(0) == found


def test_shuffling_while_looking_draws_nothing_from_the_match() -> None:
    assert moves("(do ((shuffle (game vloc DECK)) (turn pass)))") == ["shuffle DECK; pass"]
    assert moves(f"(shuffle {HAND}) (do ((let (filter {HAND} 'C (== 1 1)) 'F (shuffle 'F)) (turn pass)))") == [
        "shuffle HAND", "shuffle; pass",
    ]  # fmt: skip


HIDDEN = """(create deck (game hloc STOCK) (deck (SUIT (CLUBS, HEARTS, SPADES)) (RANK (A, B))))
    (create deck (game vloc OPEN) (deck (SUIT (GREEN)) (RANK (C, D))))"""
SUIT_OF_TOP = "(cardatt SUIT (top (game hloc STOCK)))"


@pytest.mark.parametrize(
    ("step", "reveals"),
    [
        ("(move (top (game hloc STOCK)) (top (game vloc PILE)))", False),
        ("(move (top (game vloc OPEN)) (top (game hloc STOCK)))", False),
        ("(move (top (game vloc OPEN)) ((- (size (game hloc STOCK)) 1) (game hloc STOCK)))", False),
        (f"(move (top (game vloc OPEN)) (top (game vloc {SUIT_OF_TOP})))", True),
        (f"(move (top (game hloc STOCK)) (top (game vloc {SUIT_OF_TOP})))", True),
        (f"(move (top (game vloc {SUIT_OF_TOP})) (top (game vloc PILE)))", True),
        ("(move (max (game hloc STOCK) using (game points WORTH)) (top (game vloc PILE)))", True),
        (
            f"(move (top (game vloc OPEN)) ((size (filter (game hloc STOCK) 'H (== (cardatt RANK 'H) {SUIT_OF_TOP}))) (game vloc PILE)))",
            True,
        ),
        (f"(set (game str SHOWN) {SUIT_OF_TOP})", True),
    ],
)
def test_a_determinization_offers_the_options_of_the_true_state(step: str, reveals: bool) -> None:
    """What may be chosen reveals hidden cards; not where they are only counted, or moved by their place."""
    suits = " ".join(
        f"(create deck (game vloc {suit}) (deck (SUIT ({suit})) (RANK (E))))" for suit in ("CLUBS", "HEARTS", "SPADES")
    )
    blocks = f"(do ((shuffle (game hloc STOCK)))) (choice ({step} (turn pass)))"
    for seed in range(6):
        state = begun(text_of(blocks, decks=HIDDEN + suits), seed=str(seed))
        assert state.program.looks[state.choice] is reveals
        for world in range(4):
            assert state.determinize(0, FastChance(str(world))).legal_moves(0) == state.legal_moves(0)


@pytest.mark.parametrize("vis", ["vloc", "iloc", "hloc"])
def test_an_option_may_make_cards_and_move_them(vis: str) -> None:
    """They lie nowhere yet when they are offered."""
    new = f"(create deck (game {vis} NEW) (deck (N (X, Y))))"
    first = f"(do ({new} (move (top (game {vis} NEW)) (top (game vloc PILE)))))"
    twice = f"(do ((repeat 2 {new}) (repeat all (move (top (game {vis} NEW)) (top ((current player) iloc HAND))))))"
    noted = f"(do ({new} (remember (bottom (game {vis} NEW)) (top (game mem NOTED)))))"
    played = Played(f"(choice ({first} {twice} {noted}))")
    moves = played.moves()
    assert [move.split("; ", 1)[1] for move in moves] == [
        "new NEW>PILE",
        "deck 2 NEW; new new new new NEW>HAND",
        "remember new",
    ]
    offered = played.state.observe(0).options
    assert [action.source and action.source.name for action in offered[0].actions] == [None, "NEW"]
    for number, (name, owner, there, cards) in enumerate(
        [("PILE", None, "vloc", "y"), ("HAND", 0, "iloc", "y x y x"), ("NOTED", None, "mem", "x")]
    ):
        taken = Played(f"(choice ({first} {twice} {noted}))").take(moves[number])
        assert taken.cards(name, owner, there) == cards


@pytest.mark.parametrize(
    ("steps", "offered"),
    [
        ("(any (range 1 .. 3) 'N (set (game sto X) (random 'N)))", 3),
        (
            "(remember (top (game vloc DECK)) (top (game mem ONE))) (remember (top (game vloc DECK)) (top (game mem TWO)))",
            2,
        ),
        ("(repeat 2 (set (game sto X) (random 6)))", 1),
        ("(any (A, A) 'S (set (game str X) 'S))", 1),
    ],
)
def test_people_are_offered_each_effect_once(steps: str, offered: int) -> None:
    played = Played(f"(do ((turn pass))) (choice ({steps}))", decks=HANDS)
    options = played.state.offered()
    assert len([option for option in options if not option.alike]) == offered
