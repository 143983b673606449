"""Restricted players: each lacks just what it is said to lack."""

from __future__ import annotations

from typing import Any

import pytest

from games import catalogue
from games.core import BadOption, FastChance, Information, RulesFailed, State
from games.search.bots import bot_named
from games.search.pimc import Pimc
from games.search.restricted import Always, Blind, Greedy, Selfish, Without, _classes, _mask
from tests.games.search.toys import Facts, asked, in_turn

WITH_HANDS = ("agram", "hearts", "crazy-eights", "stealing", "kuhn", "bundles", "hamsterdam", "enchere")


@pytest.mark.parametrize("name", WITH_HANDS)
def test_a_blind_player_with_the_same_classes_of_moves_does_the_same_with_any_hand(name: str) -> None:
    """Its legal moves are all that it knows of its hand. Another hand that allows the same classes gives the same."""
    game = catalogue.find(name)
    seats = max(2, game.default_seats)
    compared = 0
    for number in range(12):
        chance = FastChance(f"{name} {number}")
        state = game.start_keeping("sight", seats, game.check_options({}), FastChance(str(number)))
        for _ in range(number):
            if state.to_act():
                first = state.to_act()[0]
                state.take(first, chance.choice(state.options(first)))
        if not state.to_act():
            continue
        seat = state.to_act()[0]
        other = state.determinize((seat + 1) % seats, chance)  # what was true, as others know it
        try:
            taken = [_class_taken(game.name, each, seat) for each in (state, other)]
        except RulesFailed:  # in Hearts nobody can lead who has no two of clubs, as in such a determinization
            continue
        if taken[0][0] == taken[1][0]:
            compared += 1
            assert taken[0][1] == taken[1][1]
    assert compared > 2


def _class_taken(name: str, state: State[Any], seat: int) -> tuple[list[tuple[str, str]], tuple[str, str]]:
    game = catalogue.find(name)
    info = Information.of(game, state, seat, FastChance("1"), "determinizations", state.legal_moves(seat))
    seen = info.determinize(FastChance("2"))
    classes = _classes(seen, seat, _mask(seen))
    assert set(info.legal_moves) <= set(classes)
    return sorted(set(classes.values())), classes[Blind(3).choose(info)]


def test_the_hand_is_sampled_in_the_roll_outs_of_a_blind_player() -> None:
    state = catalogue.find("agram").start_keeping("sight", 2, {}, FastChance("1"))
    seat = state.to_act()[0]
    hands = {tuple(state.determinize_blind(seat, FastChance(str(seed))).legal_moves(seat)) for seed in range(5)}
    assert len(hands) == 5
    assert tuple(state.legal_moves(seat)) not in hands
    seen = {tuple(state.determinize(seat, FastChance(str(seed))).legal_moves(seat)) for seed in range(5)}
    assert seen == {tuple(state.legal_moves(seat))}


def game_of(scores: dict[str, tuple[float, ...]], low_wins: bool = False) -> Facts:
    """Return a game in which seat 0 chooses once, and that decides everything."""
    return Facts(
        2,
        in_turn(2, 1),
        lambda made, seat: list(scores),
        lambda made, card: scores[made[0][1]],
        low_wins=low_wins,
    )


def test_a_selfish_player_takes_the_highest_score_though_it_loses_by_it() -> None:
    facts = game_of({"modest": (5.0, 3.0), "rich": (9.0, 20.0)})
    assert Pimc(2).choose(asked(facts)) == "modest"
    assert Selfish(2).choose(asked(facts)) == "rich"
    low = game_of({"modest": (5.0, 3.0), "rich": (9.0, 20.0)}, low_wins=True)
    assert Selfish(2).choose(asked(low)) == "modest"


def test_a_greedy_player_looks_no_further_than_its_move() -> None:
    """A card that gives a point now makes the second move of the other player win everything."""
    facts = Facts(
        2,
        in_turn(2, 2),
        lambda made, seat: ["point", "wait"] if seat == 0 else ["go"],
        lambda made, card: (
            float(made[0][1] == "point") if made else 0.0,
            (9.0 if made[0][1] == "point" else -9.0) if len(made) > 1 else 0.0,
        ),
    )
    assert Pimc(2).choose(asked(facts)) == "wait"
    assert Greedy(2).choose(asked(facts)) == "point"
    equal = game_of({"a": (1.0, 0.0), "b": (1.0, 5.0)})
    assert {Greedy(1).choose(asked(equal, str(seed))) for seed in range(20)} == {"a", "b"}


def test_players_without_a_kind_of_move_or_with_one_only() -> None:
    facts = game_of({"bid 9": (9.0, 5.0), "bid 1": (1.0, 5.0), "pass": (0.0, 5.0)})
    assert Pimc(2).choose(asked(facts)) == "bid 9"
    assert Without("bid", 2).choose(asked(facts)) == "pass"
    assert Without("pass", 2).choose(asked(facts)) == "bid 9"
    assert Always("pass", 2).choose(asked(facts)) == "pass"
    assert Always("bid", 2).choose(asked(facts)) == "bid 9"
    only = game_of({"bid 1": (1.0, 5.0), "bid 9": (9.0, 5.0)})
    assert Without("bid", 2).choose(asked(only)) == "bid 9", "where it has no other move, it makes this one"
    assert Always("pass", 2).choose(asked(only)) == "bid 9", "where it has no such move, it makes another one"


def test_names_with_numbers_and_kinds_make_them() -> None:
    made = bot_named("without=12:5-20")
    assert isinstance(made, Without)
    assert (made.kind, made.rollouts) == ("12:5", 20)
    other = bot_named("always=a-b-3")
    assert isinstance(other, Always)
    assert (other.kind, other.rollouts) == ("a-b", 3)
    blind = bot_named("blind-4")
    assert isinstance(blind, Blind)
    assert blind.rollouts == 4
    assert isinstance(bot_named("greedy"), Greedy)
    for wrong, why in (
        ("without=pass", "Write without=KIND-ROLLOUTS"),
        ("without=-10", "Write without=KIND-ROLLOUTS"),
        ("always=pass-0", "always takes a number from 1 to .* not '0' as in 'always=pass-0'"),
        ("blind-x", "from 1 to .* not 'x'"),
        ("selfish-1-2", "takes 1 number"),
    ):
        with pytest.raises(BadOption, match=why):
            bot_named(wrong)
