"""One text is two programs and many copies: all of them must play the same match."""

from __future__ import annotations

import pickle
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.core import FastChance
from games.core.moves import RulesFailed
from games.recycle.game import RecycleGame, read
from games.recycle.problems import BadText
from games.recycle.rules import RecycleState
from tests.games.recycle.generate import Author, texts
from tests.games.recycle.library import LIBRARY
from tests.games.recycle.played import HANDS, Played, fields, quietly, text_of
from tests.tiers import examples, full, is_full, tiered

QUICK = ("agram", "climbing-partners", "stealing")  # a game of tricks, one of partners, one of captures
DECISIONS = 20  # of each match
SEEDED = 400 if is_full() else 20  # texts that are made by chance, and the same each time


def started(game: RecycleGame, seats: int, seed: str) -> RecycleState:
    state = game.new(seats, {}, FastChance(seed))
    assert isinstance(state, RecycleState)
    return state


def take_both(state: RecycleState, pick: FastChance) -> None:
    """Let both programs take the same move. Raises RulesFailed if both do, by the same fault."""
    seat = state.to_act()[0]
    before = fields(state)
    moves = state.legal_moves(seat)
    assert fields(state) == before, "looking for the options has changed something"
    move = moves[pick.randbelow(len(moves))]
    twin = quietly(state)
    failed, quiet = failure_of(state, seat, move), failure_of(twin, seat, move)
    assert (failed and failed.kind) == (quiet and quiet.kind)
    if failed:
        raise failed
    assert fields(twin) == fields(state)
    if state.to_act():  # at the end scores are logged, which takes steps of its own
        assert twin.steps == state.steps, "what never ends would end at different places"


def failure_of(state: RecycleState, seat: int, move: str) -> RulesFailed | None:
    """Take a move. Return how the rules fail at that, if they do."""
    try:
        state.apply(seat, move)
        if state.over:
            state.scores()
    except RulesFailed as failed:
        return failed
    return None


def look_around(game: RecycleGame, state: RecycleState, seed: str) -> None:
    """See that copies are equal and independent, and that every seat sees the same in every determinization."""
    before = fields(state)
    copy: RecycleState = pickle.loads(pickle.dumps(state))
    assert fields(copy) == fields(state.clone()) == before
    for seat in [*range(state.seats), None]:
        game.view(state, seat)
        seen = state.observe(seat)
        assert copy.observe(seat) == seen
        if seat is not None:
            world = state.determinize(seat, FastChance(seed))
            assert world.observe(seat) == seen
            assert cards_of(world) == cards_of(state)
    roll_out(state, seed)
    assert fields(state) == before


def cards_of(state: RecycleState) -> Counter[int]:
    """Return how often each card is on the table. A die counts as its first face, whichever is up."""
    places = [cards for place, cards in enumerate(state.L) if state.fact(place).vis != "mem"]
    return Counter(state.program.cards.die(card)[0] for cards in places for card in cards)


def roll_out(state: RecycleState, seed: str) -> None:
    """See that a roll-out makes the match that its choices make one by one."""
    quick, slow, pick = state.clone(), state.clone(), FastChance(seed)
    failed: list[str] = []
    try:
        quick.rollout(FastChance(seed), cap=3)
    except RulesFailed as error:
        failed.append(error.kind)
    try:
        for _ in range(3):
            if not slow.over:
                seat = slow.to_act()[0]
                moves = slow.legal_moves(seat)
                slow.apply(seat, moves[pick.randbelow(len(moves))])
        slow.scores()
    except RulesFailed as error:
        failed.append(error.kind)
    assert failed in ([], failed[:1] * 2)
    if not failed:
        assert fields(quick) == fields(slow)


def play(game: RecycleGame, seats: int, seed: str) -> None:
    """Play some decisions by both programs; the rules may fail, with a line of the text, and nothing else."""
    failed = _play(game, seats, seed)
    if failed:
        assert "engine failed" not in failed.text
        assert ", line " in failed.text


def _play(game: RecycleGame, seats: int, seed: str) -> RulesFailed | None:
    try:
        state, pick = started(game, seats, seed), FastChance(f"{seed}/moves")
        for turn in range(DECISIONS):
            if turn % 5 == 0:
                look_around(game, state, f"{seed}/{turn}")
            if state.over:
                break
            take_both(state, pick)
    except RulesFailed as failed:
        return failed
    return None


@pytest.mark.parametrize("path", tiered(LIBRARY, lambda path: path.stem in QUICK, lambda path: path.stem))
def test_both_programs_of_a_library_game_play_the_same_match(path: Path) -> None:
    game = read(path.stem, path.read_text(encoding="utf-8"))
    for seats in {game.min_seats, game.max_seats}:
        play(game, seats, f"{path.stem}/{seats}")


def test_both_programs_of_a_made_text_play_the_same_match() -> None:
    failures = 0
    for number in range(SEEDED):
        source = random.Random(number)
        text = Author(source.randrange).text()
        game = RecycleGame("made", text)
        try:
            play(game, game.max_seats, str(number))
        except AssertionError as error:
            raise AssertionError(f"text {number}:\n{text}") from error
        try:
            started(game, game.max_seats, str(number)).rollout(FastChance("x"), cap=50)
        except RulesFailed:
            failures += 1
    assert failures < SEEDED * 2 // 3, "most texts should play on, or little is tested"


@full
@examples(12)
@given(text=texts(), seed=st.integers(0, 1000))
def test_no_text_makes_anything_fail_but_its_own_rules(text: str, seed: int) -> None:
    try:
        game = RecycleGame("made", text)
    except BadText:
        return
    play(game, game.max_seats, str(seed))


def test_a_copy_goes_its_own_way() -> None:
    played = Played(
        "(stage player (end (== 1 2)) (choice ((any ((0 player) vloc HAND) 'C (move 'C (top (game vloc HEAP)))))))",
        decks=HANDS,
    )
    copy, before = played.state.clone(), fields(played.state)
    copy.apply(0, "a HAND>HEAP")
    assert fields(played.state) == before
    assert fields(copy) != before
    played.take("a HAND>HEAP")
    assert fields(copy) == fields(played.state)


def test_a_state_goes_on_in_another_process_as_it_would_here() -> None:
    played = Played("(stage player (end (== 1 2)) (choice ((set (game sto X) (random 1000000)))))")
    assert played.moves() == ["X=?"]
    sent: RecycleState = pickle.loads(pickle.dumps(played.state))
    sent.apply(0, "X=?")
    played.take("X=?")
    assert fields(sent) == fields(played.state)


def test_a_game_is_sent_as_its_text() -> None:
    game = read("text", LIBRARY[0].read_text(encoding="utf-8"))
    sent = pickle.loads(pickle.dumps(game))
    assert (sent.name, sent.text) == (game.name, game.text)


def test_a_player_who_may_choose_by_hidden_cards_believes_in_determinizations_where_the_choice_is_the_same() -> None:
    """The options name ranks that the other player holds: the player who is asked knows them from that."""
    deal = "(all player 'Q (repeat 2 (move (top (game hloc DECK)) (top ('Q iloc HAND)))))"
    decks = "(create deck (game hloc DECK) (deck (N (A, B, C, D, E, F))))"
    steps = (
        """(any (A, B, C, D, E, F) 'N ((any ((1 player) iloc HAND) 'C (== (cardatt N 'C) 'N)) (set (game str X) 'N)))"""
    )
    played = Played(
        f"""(do ((shuffle (game hloc DECK)) {deal}))
        (choice ({steps}))""",
        decks=decks,
    )
    held = set(played.cards("HAND", 1, "iloc").split())
    for seed in range(10):
        world = played.state.determinize(0, FastChance(str(seed)))
        assert world.observe(0) == played.state.observe(0)
        assert {played.face(card) for card in world.L[played.state.W[_card(played, min(held))]]} == held


def test_a_memory_shows_its_cards_when_nobody_knows_where_they_lie_any_more() -> None:
    """Two cards look alike; one is remembered, then both are shuffled: the memory still says what it was."""
    alike = "(repeat 2 (create deck (game hloc DECK) (deck (N (A, B)))))"
    steps = "(remember (top (game hloc DECK)) (top (game mem M))) (shuffle (game hloc DECK))"
    played = Played(f"(do ({steps})) (choice ((turn pass)))", decks=alike)
    for seat in (0, 1, None):
        [noted] = [place for place in played.state.observe(seat).places if place.where.vis == "mem"]
        assert [lying.face for lying in noted.cards] == ["b"]
    look_around(read("text", played.state.program.source.text), played.state, "x")


def _card(played: Played, face: str) -> int:
    found: int = next(card for card, name in played.program.cards.faces.items() if name == face)
    return found


DRAWING = {
    "at the same time": "(together player {})",
    "one after the other": "(stage player (end (all player 'P (== (size ('P vloc LAID)) 3))) {})",
}
LAYING = """(choice ((any (subsets 3 ((current player) iloc HAND)) 'S
    (repeat all (move (top 'S) (bottom ((current player) vloc LAID)))))))"""


@pytest.mark.parametrize("blocks", DRAWING.values(), ids=list(DRAWING))
def test_a_roll_out_draws_the_selection_that_it_would_have_taken_from_the_list(
    blocks: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    decks = "(create deck (game hloc S) (deck (N (A, B, C, D, E, F, G, H)) (M (X, Y))))"
    blocks = "(do ((shuffle (game hloc S)) (call DEAL 7 (game hloc S) HAND)))" + blocks.format(LAYING)
    game = RecycleGame("drawn", text_of(blocks, decks=decks))
    assert game.program(2).drawn[1] is not None
    ends: dict[bool, list[Any]] = {True: [], False: []}
    for listed in (False, True):
        if listed:
            monkeypatch.setattr(game.program(2), "drawn", [None, None])
        for seed in range(20):
            for begun_by in (None, 0, 1):
                state = game.new(2, {}, FastChance(str(seed)))
                assert isinstance(state, RecycleState)
                if begun_by in state.to_act():  # one has chosen before the roll-out begins
                    state.play(begun_by, state.legal_moves(begun_by)[3])
                state.rollout(FastChance(f"roll-out {seed}"))
                ends[listed].append((state.L, state.decided))
    assert ends[True] == ends[False]
