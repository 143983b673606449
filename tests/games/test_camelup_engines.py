"""Engine and rules engine check each other: faults put into the engine are noticed, and there are none without."""

from __future__ import annotations

import pickle
from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.camelup import engine, rules_engine
from games.camelup.game import GAME
from games.camelup.position import Position
from games.camelup.rules import CamelUpState
from games.camelup.terms import Terms
from games.core import FastChance, Match, RulesFailed, State
from games.core.options import OptionValue
from games.lab.simulate import Simulation, simulate
from tests.games.camelup import lay, random_position, roll, terms_by
from tests.games.camelup_faults import Place, after, asked_for, keeps, put_in, sets
from tests.games.table import moves
from tests.tiers import examples

RULES = pytest.mark.parametrize("rules", ["official", "series"])
seeds = st.integers(0, 2**32).map(str)


def play_random_match(seed: str, **options: OptionValue) -> Match:
    """Play a match of random moves, kinds equally likely, each checked as a stranger's. Raises RulesFailed."""
    match = Match.start(GAME, 3, options, FastChance(seed))
    choices = FastChance(f"{seed}/choices")
    while not match.over:
        (seat,) = match.to_act()
        kinds: dict[str, list[str]] = {}
        for move in match.legal_moves(seat):
            kinds.setdefault(move.split()[0], []).append(move)
        match.advance(seat, choices.choice(choices.choice(list(kinds.values()))))
    return match


# -- faults


def _middles(position: Position) -> tuple[int, ...]:
    return tuple(1 << abs(tile) if tile else 0 for tile in position.tiles)


FAULTS: dict[str, Place] = {
    "a tile's neighbours are forgotten": ("Position.lay", sets(near=_middles)),
    "a tile's own square is forgotten": (
        "Position.lay",
        sets(near=lambda race: tuple(near & ~own for near, own in zip(race.near, _middles(race), strict=True))),
    ),
    "a tile blocks nothing": ("Position.lay", keeps("near")),
    "a tile stays where it was": ("Position.lay", keeps("tiles")),
    "no tile is laid at all": ("Position.lay", keeps("tiles", "near")),
    "a tile is laid a square too far": (
        "put_tile",
        asked_for(lambda race, seat, side, square: (seat, side, square % (race.terms.spaces - 1) + 1)),
    ),
    "a tile is laid with the other side up": (
        "put_tile",
        asked_for(lambda _, seat, side, square: (seat, -side, square)),
    ),
    "another player's tile is laid": (
        "put_tile",
        asked_for(lambda race, seat, side, square: ((seat + 1) % race.seats, side, square)),
    ),
    "leg tiles are never gone": ("bet_on_leg", keeps("open_legs")),
    "a leg bet is not noted": ("bet_on_leg", keeps("leg_bets")),
    "leg bets neither count nor are noted": ("bet_on_leg", keeps("leg_bets", "open_legs")),
    "a leg tile closes all camels": ("bet_on_leg", sets(open_legs=lambda _: 0)),
    "a leg tile is another camel's": (
        "bet_on_leg",
        asked_for(lambda race, seat, camel: (seat, (camel + 1) % race.terms.camels)),
    ),
    "a race card stays in the hand": ("bet_on_race", keeps("cards")),
    "a race card is not on the pile": ("bet_on_race", keeps("winner_bets", "loser_bets")),
    "a race card neither leaves the hand nor reaches the pile": (
        "bet_on_race",
        keeps("cards", "winner_bets", "loser_bets"),
    ),
    "a race card goes on the other pile": (
        "bet_on_race",
        asked_for(lambda _, seat, camel, win: (seat, camel, not win)),
    ),
    "another player's race card is played": (
        "bet_on_race",
        asked_for(lambda race, seat, camel, win: ((seat + 1) % race.seats, camel, win)),
    ),
    "squares of camels are not brought up to date": ("ride", keeps("occupied")),
    "camels do not move": ("ride", keeps("place", "order")),
    "camels are shown to move but do not": ("ride", keeps("place", "order", "occupied")),
    "a camel leaves its riders behind": (
        "ride",
        sets(place=lambda race: tuple(max(race.place[camel], 0) for camel in range(race.terms.camels))[::-1]),
    ),
    "a die falls a pip short": ("ride", asked_for(lambda _, camel, pips: (camel, pips - 1))),
    "a die goes back into the pyramid": ("roll", keeps("left")),
    "the last turn without a roll is still counted after it": ("roll", sets(still=lambda _: 1)),
    "turns without a roll are not counted": ("act", sets(still=lambda _: 0)),
    "the turn is not passed on": ("act", keeps("mover")),
    "leg tiles do not come back after a leg": ("end_leg", keeps("open_legs")),
    "leg bets lie on after a leg": ("end_leg", keeps("leg_bets")),
    "dice do not come back after a leg": ("end_leg", keeps("left")),
    "tiles do not go back after a leg, or do": ("end_leg", keeps("tiles")),
    "squares beside tiles stay closed after a leg": ("end_leg", keeps("near")),
    "tiles go back after a leg, even if they should not": ("end_leg", after(lambda race: race.lay((0,) * race.seats))),
    "the race never ends": ("end_race", keeps("over")),
    "the race ends with every leg": ("end_leg", sets(over=lambda _: True)),
}
HARMLESS = {
    ("tiles do not go back after a leg, or do", "series"),  # there they stay
    ("squares beside tiles stay closed after a leg", "series"),
    ("tiles go back after a leg, even if they should not", "official"),  # there they go back
}


@RULES
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_the_engine_ends_a_match(monkeypatch: pytest.MonkeyPatch, fault: str, rules: str) -> None:
    put_in(monkeypatch, FAULTS[fault])

    def play_some() -> None:
        for seed in range(20):
            play_random_match(str(seed), rules=rules, spaces=10)

    if (fault, rules) in HARMLESS:
        play_some()
        return
    with pytest.raises(RulesFailed, match=r"engines disagree|engine at fault"):
        play_some()


@RULES
def test_without_a_fault_engine_and_rules_engine_agree_in_every_match(rules: str) -> None:
    for seed in range(30):
        play_random_match(str(seed), rules=rules)
    options: dict[str, OptionValue] = {
        "camels": 8,
        "spaces": 9,
        "die_low": 2,
        "die_high": 9,
        "leg_first": "4",
        "leg_second": "2",
    }
    for seed in range(30):
        play_random_match(str(seed), rules=rules, **options)


@pytest.mark.parametrize(
    ("fault", "only"),
    [
        ("a tile's neighbours are forgotten", "'tile"),
        ("leg tiles are never gone", "'bet"),
        ("a race card stays in the hand", "'race"),
    ],
)
def test_the_error_lists_the_moves_that_the_engines_disagree_about(
    monkeypatch: pytest.MonkeyPatch, fault: str, only: str
) -> None:
    put_in(monkeypatch, FAULTS[fault])

    def play_some() -> None:
        for seed in range(20):
            play_random_match(str(seed))

    with pytest.raises(
        RulesFailed, match=rf"\[\] only by the rules engine, and \[{only}.* only by the engine's derived fields"
    ):
        play_some()


@given(seeds)
def test_a_move_is_among_the_open_ones_if_it_is_in_their_list(seed: str) -> None:
    race = random_position(FastChance(seed))
    notation = race.terms.notation
    for seat in range(race.seats):
        open_now = rules_engine.open_by_rules(race, seat)
        for move in (*notation.meaning, "", "roll ", "tile + on 99", "bet pink"):
            assert notation.is_among(move, open_now) == (move in notation.moves(*open_now)), move


def test_a_bulk_run_checks_moves_unless_it_is_unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    put_in(monkeypatch, FAULTS["a tile's neighbours are forgotten"])
    simulation = Simulation.checked(GAME, ["random"] * 4, {}, "1")
    assert simulate(simulation, 20).broken == {"rules: engines disagree": 20}

    def play_blindly(checked: bool) -> int:
        illegal = 0
        draws = FastChance("1")

        def player(race: Position, seat: int) -> str:
            nonlocal illegal
            move = draws.choice(race.terms.notation.moves(*engine.open_by_derived_fields(race, seat)))
            illegal += move not in rules_engine.get_valid_moves(race, seat)
            return move

        engine.play_game(engine.start(Terms(), 4, draws), [player] * 4, draws, checked=checked)
        return illegal

    assert play_blindly(checked=False) > 0
    with pytest.raises(RulesFailed, match="engines disagree"):
        play_blindly(checked=True)


def test_the_rules_engine_does_not_use_the_derived_fields() -> None:
    for seed in range(40):
        race = random_position(FastChance(str(seed)))
        valid = [rules_engine.get_valid_moves(race, seat) for seat in range(race.seats)]
        race.occupied, race.near, race.open_legs, race.cards = 0, (0,) * 4, 0, (0,) * 4
        assert [rules_engine.get_valid_moves(race, seat) for seat in range(race.seats)] == valid


# -- copies


def test_a_copy_is_equal_and_independent_in_every_part() -> None:
    race = random_position(FastChance("4"))
    for copy in (race.copy(), pickle.loads(pickle.dumps(race))):
        assert copy == race
        for part in fields(Position):
            assert getattr(copy, part.name) == getattr(race, part.name)
        copy.lay((3, 0, 0, 0))
        copy.mover += 1
        assert copy.tiles != race.tiles
        assert copy.mover != race.mover


def test_pickled_terms_are_equal_and_made_once() -> None:
    terms = terms_by(camels="3", race="9,9")
    again = pickle.loads(pickle.dumps(terms))
    assert again == terms
    assert (again.camels, again.race, again.every_card) == (3, (9, 9), 7)
    assert again is pickle.loads(pickle.dumps(terms))


# -- determinizations


@examples(30)
@given(seed=seeds, seat=st.integers(0, 3))
def test_a_determinization_depends_only_on_what_the_seat_knows_and_on_chance(seed: str, seat: int) -> None:
    state = CamelUpState(random_position(FastChance(seed)), FastChance("any"), odds=True)
    once = state.determinize(seat, FastChance("one"))
    for other in (once, state.determinize(seat, FastChance("two")), once.determinize(seat, FastChance("three"))):
        twice, direct = other.determinize(seat, FastChance("four")), state.determinize(seat, FastChance("four"))
        assert twice.position == direct.position
        assert twice.chance.randbelow(1000) == direct.chance.randbelow(1000)
        assert other.observe(seat) == state.observe(seat)
        assert other.legal_moves(state.position.mover) or state.over


def test_cards_under_bets_of_others_differ_between_determinizations() -> None:
    state = lay({3: "blue", 9: "white"}, seats=3)
    moves(state, "race blue win", "race green lose", "race white win")
    samples = {state.determinize(1, FastChance(str(seed))).position.winner_bets for seed in range(40)}
    assert len(samples) > 10
    assert {bets[0][1] for bets in samples} == {0}


# -- roll-outs


@RULES
@pytest.mark.parametrize("seats", [2, 4, 8])
def test_a_rollout_is_the_one_that_any_game_would_make(rules: str, seats: int) -> None:
    for seed in range(12):
        state = GAME.start(seats, GAME.check_options({"rules": rules}), FastChance(str(seed)))
        state.log = None
        for cap in (1, 30, 10_000):
            fast, plain = state.fork(FastChance("dice")), state.fork(FastChance("dice"))
            assert fast.rollout(FastChance("moves"), cap) == State.rollout(plain, FastChance("moves"), cap)
            assert fast.position == plain.position
            assert fast.over == (cap == 10_000)
            state = fast if cap < 10_000 else state


def test_a_rollout_does_not_change_the_state_it_was_forked_from() -> None:
    state = lay({3: "blue", 9: "white"})
    roll(state, "blue", 2)
    before = state.position.copy()
    state.fork(FastChance("1")).rollout(FastChance("2"))
    assert state.position == before
