"""Bots that can play any game, in every game: they decide by what they get, and tables offer them."""

from __future__ import annotations

from typing import Any

import pytest

from games import catalogue
from games.core import BadOption, Bot, FastChance, Game, Information
from games.search.bots import EXAMPLES, LEVELS, bot_named
from games.search.ismcts import Search
from games.search.pimc import estimate
from tests.games.cases import CASES, Case, positions
from tests.games.search.toys import Counting
from tests.tiers import tiered

BUILT_IN = catalogue.providers[0].names()
TEXTS = ["agram", "cuckoo", "golf-patience", "gops", "hearts", "kuhn", "pairs", "stealing", "whist"]
SEARCHED = [case for case in CASES if case.game.name in [*BUILT_IN, *TEXTS]]
cases = pytest.mark.parametrize("case", tiered(SEARCHED, lambda case: case.quick, str))
games = pytest.mark.parametrize("game", catalogue.listed(), ids=lambda game: game.name)
POSITIONS = 4
FEW = 12  # roll-outs


@cases
def test_states_that_look_the_same_to_a_seat_get_the_same_decision(case: Case) -> None:
    compared = 0
    for match, _, chance in positions(case, POSITIONS):
        for seat in match.to_act()[:1]:
            state = match.state
            twin = state.determinize(seat, chance)
            results: list[Any] = []
            for truth in (state, twin):
                info = Counting.of(case.game, truth, seat, FastChance("a bot's"), "determinizations")
                del info.legal_moves[FEW:]  # in Camel Up there are a hundred
                searched = Search(info, info.chance).run(FEW)
                assert info.samples == FEW
                tried = estimate(info, 1, info.chance)
                assert info.samples == FEW + len(info.legal_moves)
                results.append((searched, tried))
            assert results[0] == results[1]
            compared += 1
    assert compared


@cases
def test_the_result_of_a_search_depends_on_its_chance_alone(case: Case) -> None:
    match = next(match for match, _, _ in positions(case, POSITIONS) if not match.over)
    seat = match.to_act()[0]
    whole = [
        Search(
            Information.of(case.game, match.state, seat, FastChance(seed), "determinizations"), FastChance(seed)
        ).run(FEW)
        for seed in ("a", "a")
    ]
    assert whole[0] == whole[1]


@cases
@pytest.mark.parametrize("name", ["easy", "pimc-1", "helper-0-9"])
def test_a_bot_that_knows_no_game_makes_a_legal_move_anywhere(case: Case, name: str) -> None:
    for match, _, chance in positions(case, POSITIONS):
        for seat in match.to_act():
            bot = catalogue.bot(case.game, name)
            info = Information.of(case.game, match.state, seat, chance, bot.needs, budget=FEW)
            legal = match.legal_moves(seat)[:]
            assert bot.choose(info) in legal
            assert match.legal_moves(seat) == legal


# -- who sits at tables


@games
def test_the_levels_sit_at_the_tables_of_every_game_behind_its_own_bots(game: Game) -> None:
    names = [kind.name for kind in catalogue.bots(game)]
    assert names[: len(game.bots)] == [kind.name for kind in game.bots]
    assert {"easy", "medium", "strong"} <= set(names)
    assert len(names) == len(set(names))
    for kind in catalogue.bots(game):
        assert type(catalogue.bot(game, kind.name)) is kind


def test_a_game_keeps_its_own_bot_of_the_same_name() -> None:
    game = catalogue.find("camelup")
    assert type(catalogue.bot(game, "strong")).__module__ == "games.camelup.bots"
    assert type(catalogue.bot(game, "medium")) is LEVELS[1]


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("pimc", {"rollouts": 10}),
        ("pimc-3", {"rollouts": 3}),
        ("ismcts", {"rollouts": 250}),
        ("ismcts-5000", {"rollouts": 5000}),
        ("helper", {"favourite": 0, "rollouts": 250}),
        ("helper-2", {"favourite": 2, "rollouts": 250}),
        ("helper-1-40", {"favourite": 1, "rollouts": 40}),
    ],
)
def test_a_bot_is_named_with_its_numbers(name: str, numbers: dict[str, int]) -> None:
    game = catalogue.bot(catalogue.find("bundles"), name, 4)
    assert {key: getattr(game, key) for key in numbers} == numbers


@pytest.mark.parametrize(
    "name",
    ["pimc-0", "pimc--1", "pimc-x", "pimc-", "pimc-3-4", "ismcts-1000001", "helper-4", "helper-0-0", "helper-0-1-2"],
)
def test_bad_numbers_are_refused_with_those_there_may_be(name: str) -> None:
    with pytest.raises(BadOption, match=r"takes .* not .*\.$"):
        catalogue.bot(catalogue.find("bundles"), name, 4)


@pytest.mark.parametrize("name", ["", "nobody", "Easy", "easy-3", "pimc10"])
def test_an_unknown_bot_is_refused_with_those_there_are(name: str) -> None:
    with pytest.raises(BadOption, match="house, random, easy, medium, strong, pimc-10"):
        catalogue.bot(catalogue.find("bundles"), name)


def test_every_example_of_a_bot_name_is_valid() -> None:
    assert all(isinstance(bot_named(form), Bot) for form in EXAMPLES)
