"""A pass that everybody can see is forced: when the table makes it, and that this never depends on a hidden card."""

from __future__ import annotations

from collections import Counter

import pytest

from games import catalogue
from games.core import FastChance, Match, SealedChance
from games.recycle.game import RecycleGame
from games.recycle.machine import Op
from games.recycle.provider import FOLDER
from games.recycle.rules import RecycleState
from tests.games.recycle.played import begun, text_of
from tests.games.recycle.tables import say_all
from tests.tiers import sampled, seed

CARDS = "(create deck (game hloc S) (deck (N (A, B, C, D, E, F, G, H))))"
DEAL = "(do ((shuffle (game hloc S)) (call DEAL 2 (game hloc S) HAND) (set (game points P) (((N : A) 1) ((N : B) 2)))))"
HAND = "((current player) iloc HAND)"
FITTING = f"(filter {HAND} 'C (== (cardatt N 'C) A))"
PLAY = "(move 'C (top ((current player) vloc SHOWN)))"
NAMES = sorted(path.stem for path in FOLDER.glob("*.rcy"))
SEEDS = range(60)
LONGEST = 600  # decisions of a random match


def hand_of(state: RecycleState, seat: int) -> list[str]:
    faces = state.program.cards.faces
    return [
        faces[card]
        for place, cards in enumerate(state.L)
        for card in cards
        if state.owners[place] == seat and state.program.names[state.fact(place).name] == "HAND"
    ]


def answers(blocks: str) -> set[bool]:
    """Return whether the first player must pass, after each of many deals."""
    return {
        state.must_pass(0)
        for number in SEEDS
        if (state := begun(text_of(blocks, decks=CARDS), seed=str(number))).to_act() == (0,)
    }


@pytest.mark.parametrize("number", sampled(range(8), 2))
@pytest.mark.parametrize("name", NAMES)
def test_nobody_passes_silently_because_of_a_hidden_card_in_any_game_of_the_library(name: str, number: int) -> None:
    game = catalogue.find(name)
    chance = FastChance(f"{name}/{number}/{seed()}")
    seats = chance.choice(range(game.min_seats, game.max_seats + 1))
    state = game.start_keeping("sight", seats, game.check_options({}), chance.stream("match"))
    assert isinstance(state, RecycleState)
    for _ in range(LONGEST):
        if state.over:
            break
        seat = chance.choice(state.to_act())
        legal, must = state.legal_moves(seat), state.must_pass(seat)
        if must:
            assert len(legal) == 1
            assert any(action[0] == Op.PASS for action in state.options(seat)[0])
        # As spectators see it, all hands may hold anything; as another player sees it, all but their own.
        watching = [state.determinize_blind(one, chance) for one in range(seats)]
        for other in [*watching, *(state.determinize(one, chance) for one in range(seats))]:
            assert other.must_pass(seat) == must
        state.play(seat, chance.choice(legal))


def test_the_games_of_the_library_in_which_a_pass_may_be_forced_for_all_to_see() -> None:
    found: Counter[str] = Counter()
    for name in NAMES:
        game = catalogue.find(name)
        for number in range(6):
            chance = FastChance(f"{name}/{number}")
            state = game.start_keeping("nothing", game.default_seats, game.check_options({}), chance)
            for _ in range(LONGEST):
                if state.over:
                    break
                [seat, *_] = state.to_act()
                found[name] += state.must_pass(seat)
                state.take(seat, chance.choice(state.options(seat)))
    assert {name for name, passes in found.items() if passes} == {"climbing-partners", "cuckoo", "president"}


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(f"(any {FITTING} 'C {PLAY}) (turn pass)", id="a card that fits"),
        pytest.param(f"((any {HAND} 'C (== (cardatt N 'C) A)) (any {HAND} 'C {PLAY})) (turn pass)", id="a test"),
        pytest.param(f"(any (tuples 2 {HAND} using (game points P)) 'G (all 'G 'C {PLAY})) (turn pass)", id="a pair"),
        pytest.param(f"((> (sum {HAND} using (game points P)) 2) (any {HAND} 'C {PLAY})) (turn pass)", id="a sum"),
        pytest.param(f"((== (top {HAND}) (top (game vloc X))) (turn pass)) (turn pass)", id="a card itself"),
        pytest.param(f"(any (top 1 {FITTING}) 'C {PLAY}) (turn pass)", id="a part of what fits"),
        pytest.param(f"(let {FITTING} 'F (any 'F 'C {PLAY})) (turn pass)", id="bound by a let"),
        pytest.param(f"(any (union {FITTING} {FITTING}) 'C {PLAY}) (turn pass)", id="a union"),
        pytest.param("((== ((current player) isto X) 1) (inc (game sto Y) 1)) (turn pass)", id="a secret store"),
        pytest.param("(any (range 1 .. (random 0 .. 1)) 'N (inc (game sto Y) 1)) (turn pass)", id="a random number"),
        pytest.param("((!= (owner (top (game mem M))) (current player)) (inc (game sto Y) 1)) (turn pass)",
                     id="an owner"),
    ],
)  # fmt: skip
def test_a_pass_that_depends_on_what_is_hidden_is_asked_for(options: str) -> None:
    notes = """(do ((set ((0 player) isto X) (random 0 .. 1))
        (all (union (all player 'P ('P iloc HAND))) 'C ((== (cardatt N 'C) A) (remember 'C (top (game mem M)))))))"""
    blocks = f"{DEAL} {notes} (choice ({options}))"
    assert answers(blocks) == {False}


HIDDEN = f"(any {HAND} 'C (== (cardatt N 'C) A))"
ROUND = "(do ((inc (game sto T) 1)))"


@pytest.mark.parametrize(
    "blocks",
    [
        pytest.param(f"(stage player (end (or (== (game sto T) 1) (not {HIDDEN}))) (choice ((any {HAND} 'C {PLAY}) "
                     f"(turn pass))) {ROUND}) (choice ((turn pass)))", id="a stage that ends"),
        pytest.param(f"(do (({HIDDEN} (set (game sto F) 1)))) (stage player (end (or (== (game sto T) 1) "
                     f"(== (game sto F) 0))) (do ((set (game sto F) 0))) (choice ((any {HAND} 'C {PLAY}) (turn pass))) "
                     f"{ROUND}) (choice ((turn pass)))", id="a store that remembers"),
        pytest.param(f"(do ((set (game str F) (cardatt N (top {HAND}))) (set (game str G) (game str F)))) "
                     f"(stage player (end (or (== (game sto T) 1) (== (game str G) A))) (do ((set (game str G) NONE) "
                     f"(set (game str F) NONE))) (choice ((any {HAND} 'C {PLAY}) (turn pass))) {ROUND}) "
                     f"(choice ((turn pass)))", id="a store that is copied"),
        pytest.param(f"(do (({HIDDEN} (move (top (game hloc S)) (top (game hloc T)))))) (stage player "
                     f"(end (or (== (game sto T) 1) (== (size (game hloc T)) 0))) (choice ((any {HAND} 'C {PLAY}) "
                     f"(turn pass))) {ROUND}) (choice ((turn pass)))", id="a number of cards"),
    ],
)  # fmt: skip
def test_a_choice_that_is_only_a_pass_hides_who_had_another_one(blocks: str) -> None:
    assert answers(f"{DEAL} {blocks}") == {False}


@pytest.mark.parametrize(
    ("options", "forced"),
    [
        pytest.param(f"(any (tuples 3 {HAND} using (game points P)) 'G (all 'G 'C {PLAY})) (turn pass)", True,
                     id="too few cards for three of a kind"),
        pytest.param(f"(any (filter (partition N {HAND}) 'G (>= (size 'G) 3)) 'G (all 'G 'C {PLAY})) (turn pass)", True,
                     id="too few cards for a group"),
        pytest.param(f"(any (filter {HAND} 'C (> (score 'C using (game points P)) 2)) 'C {PLAY}) (turn pass)", True,
                     id="no card is worth more"),
        pytest.param(f"(any (filter {HAND} 'C (> (score 'C using (game points P)) 1)) 'C {PLAY}) (turn pass)", False,
                     id="a card may be worth more"),
        pytest.param(f"((!= (size {HAND}) 2) (any {HAND} 'C {PLAY})) (turn pass)", True, id="a number of cards"),
        pytest.param(f"((not (or (== (size {HAND}) 2) {HIDDEN})) (any {HAND} 'C {PLAY})) (turn pass)", True,
                     id="one of two tests"),
        pytest.param(f"(any (game vloc EMPTY) 'C {PLAY}) (turn pass)", True, id="an empty place"),
        pytest.param("(turn pass) (turn pass)", False, id="two passes"),
        pytest.param("(any (range 0 .. 1) 'N (turn pass))", False, id="a pass for each of several"),
        pytest.param("(do ((set (game sto PASSED) 1) (turn pass)))", True, id="a pass that is noted"),
        pytest.param("(move (top (game hloc S)) (top (game vloc X)))", False, id="no pass at all"),
        pytest.param("((== (size (game hloc S)) 9) (turn pass)) (set (game sto Y) 1)", False, id="no pass here"),
    ],
)  # fmt: skip
def test_a_pass_is_forced_if_no_cards_would_allow_anything_else(options: str, forced: bool) -> None:
    assert answers(f"{DEAL} (choice ({options}))") == {forced}


def test_of_players_who_choose_at_the_same_time_each_may_have_to_pass() -> None:
    give = "(do ((repeat all (move (top ((1 player) iloc HAND)) (top (game hloc S))))))"
    both = f"(together player (choice ((any {HAND} 'C {PLAY}) ((== (size {HAND}) 0) (turn pass)))))"
    state = begun(text_of(f"{DEAL} {give} {both}", decks=CARDS))
    assert [state.must_pass(seat) for seat in (0, 1)] == [False, True]
    state.play(1, "pass")
    assert not state.must_pass(1), "has passed"


def test_the_log_says_who_must_pass() -> None:
    options = [f"(choice ((any {cards} 'C {PLAY}) (turn pass)))" for cards in ("(game vloc EMPTY)", FITTING)]
    blocks = f"{DEAL} {' '.join(options)}"
    match = Match.start(RecycleGame("x", text_of(blocks, decks=CARDS)), 2, {}, SealedChance(bytes(32)))
    match.advance(0, "pass")
    match.advance(0, "pass")
    said = [say_all(match.entries(None, ply)) for ply in (1, 2)]
    assert "must pass" in str(said[0])
    assert "passes" in str(said[1])
