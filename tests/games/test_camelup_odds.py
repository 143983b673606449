"""Exact odds of a leg against every sequence played one by one, and estimates of the race against the exact."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from games.__main__ import main
from games.camelup.commands import odds
from games.camelup.odds import LegOdds, leg_odds
from games.camelup.position import Position
from games.camelup.race_odds import race_odds
from games.core import BadOption, FastChance
from tests.games.camelup import lay, naive_step, random_position
from tests.tiers import full, sampled


def brute_force(race: Position) -> tuple[int, Any, Any, dict[int, int], int]:
    """Play all sequences of the dice left: how many, ranks, first and second, hits of tiles, ends of the race."""
    terms = race.terms
    tiles = {abs(tile): 1 if tile > 0 else -1 for tile in race.tiles if tile}
    start: list[list[int]] = [[] for _ in range(terms.spaces + 20)]
    for square, stack in race.stacks().items():
        start[square] = stack
    ranks = np.zeros((terms.camels, terms.camels), int)
    top = np.zeros((terms.camels, terms.camels), int)
    hits = dict.fromkeys(tiles, 0)
    sequences = ends = 0
    faces = range(terms.die_low, terms.die_high + 1)
    for order in itertools.permutations(race.left):
        for pips in itertools.product(faces, repeat=len(order)):
            track = start
            for camel, number in zip(order, pips, strict=True):
                track, landing = naive_step(track, tiles, camel, number)
                if landing in hits:
                    hits[landing] += 1
                if any(track[terms.spaces :]):
                    ends += 1
                    break
            ranking = [camel for stack in reversed(track) for camel in reversed(stack)]
            for place, camel in enumerate(ranking):
                ranks[camel, place] += 1
            top[ranking[0], ranking[1]] += 1
            sequences += 1
    return sequences, ranks, top, hits, ends


def check(race: Position, result: LegOdds) -> None:
    sequences, ranks, top, hits, ends = brute_force(race)
    assert result.sequences == sequences
    assert (result.ranks == ranks).all()
    assert (result.top == top).all()
    assert {square: result.tile_hits(square) for square in hits} == hits
    assert result.race_ends == ends


def with_left(race: Position, count: int) -> Position:
    race.left = race.left[:count]
    return race


@full
def test_odds_of_a_fresh_leg_are_those_of_all_29160_sequences() -> None:
    for space in (1, 13):
        state = lay({space: "blue white", space + 1: "green", space + 2: "orange yellow"})
        state.position.lay((space + 2, -(space + 4), 0, 0) if space < 10 else (-2, -5, 0, 0))
        assert leg_odds(state.position).sequences == 29160
        check(state.position, leg_odds(state.position))


@pytest.mark.parametrize("seed", sampled(range(60), 3))
def test_odds_equal_brute_force_in_positions_of_random_races(seed: int) -> None:
    race = with_left(random_position(FastChance(str(seed))), 4)
    check(race, leg_odds(race))


@pytest.mark.parametrize(
    ("tiles", "track"),
    [
        ((-4, 0, 0, 0), {4: "blue green orange yellow white"}),  # back under those it has just left
        ((4, -6, 0, 0), {4: "blue green", 8: "orange"}),
        ((-15, 0, 0, 0), {14: "blue green", 15: "orange", 10: "yellow white"}),  # a mirage just before the line
        ((15, 0, 0, 0), {14: "blue green", 15: "orange", 10: "yellow white"}),  # an oasis over it
    ],
)
def test_odds_equal_brute_force_around_tiles(tiles: tuple[int, ...], track: dict[int, str]) -> None:
    race = with_left(lay(track).position, 4)
    race.lay(tiles)
    check(race, leg_odds(race))


def test_odds_count_any_number_of_camels_and_any_die() -> None:
    for camels, high, left in ((2, 6, 2), (3, 3, 3), (7, 2, 4), (8, 3, 3)):
        state = lay({2: "blue", 3: "green"}, camels=str(camels), die_high=str(high))
        check(with_left(state.position, left), leg_odds(state.position))


@full
def test_equal_situations_are_merged_even_if_they_do_not_fit_into_a_machine_word() -> None:
    state = lay({1: "blue green orange yellow", 30: "white red", 59: "purple black"}, camels="8", spaces="60")
    check(with_left(state.position, 4), leg_odds(state.position))
    state.position.left = tuple(range(8))
    assert leg_odds(state.position).sequences == 264539520
    assert leg_odds(state.position).ranks.sum(axis=0).tolist() == [264539520] * 8


def test_landings_show_what_a_tile_would_earn_before_it_is_placed() -> None:
    race = lay({2: "blue green", 3: "orange", 9: "yellow white"}).position
    race.left = (0,)
    assert leg_odds(race).landings[:8].tolist() == [0, 0, 1, 1, 1, 0, 0, 0]


def test_a_leg_with_no_die_left_is_over() -> None:
    race = lay({2: "blue", 3: "green"}).position
    race.left = ()
    result = leg_odds(race)
    assert (result.sequences, result.race_ends) == (1, 0)
    assert result.ranks[1].tolist() == [1, 0, 0, 0, 0]


# -- the race


def test_a_race_that_ends_in_this_leg_is_estimated_near_its_exact_odds() -> None:
    state = lay({16: "blue", 15: "green orange", 14: "yellow", 13: "white"})
    exact = leg_odds(state.position)
    assert exact.race_ends == exact.sequences
    result = race_odds(state.position)
    assert np.abs(result.wins - exact.ranks[:, 0] / exact.sequences).max() < 0.07
    assert np.abs(result.losses - exact.ranks[:, -1] / exact.sequences).max() < 0.07


def test_the_same_race_gets_the_same_estimate_and_shares_add_up() -> None:
    race = random_position(FastChance("7"))
    first = race_odds(race)
    assert first is race_odds(race.copy())
    assert first.wins.sum() == pytest.approx(1)
    assert first.losses.sum() == pytest.approx(1)


# -- the command


POSITION: dict[str, Any] = {
    "finish": 16,
    "track": {"4": ["c_2", "c_0"], "5": ["c_1"]},
    "tiles": {"7": 1, "9": -1},
    "left": ["c_0", "c_1", "c_2"],
}


def test_the_command_counts_what_the_position_says() -> None:
    data = json.loads(json.dumps(odds(POSITION)))
    race = lay({5: "orange blue", 6: "green"}, camels="3").position
    race.lay((7, -9, 0, 0))
    sequences, ranks, _, hits, ends = brute_force(race)
    assert data == {
        "sequences": sequences,
        "ranks": {f"c_{camel}": ranks[camel].tolist() for camel in range(3)},
        "tile_hits": {str(square): count for square, count in hits.items()},
        "race_ends": ends,
    }


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"finish": "16"}, "finish must be"),
        ({"finish": 5}, "past the finish"),
        ({"track": []}, "track must be"),
        ({"track": {}}, "1 to 8 camels"),
        ({"track": {"x": ["c_0"]}}, "not 'x'"),
        ({"track": {"4": ["c_0", "c_0"]}}, "each of them once"),
        ({"track": {"4": "c_0"}}, "bottom first"),
        ({"tiles": {"4": 1}}, "has camels"),
        ({"tiles": {"8": 2}}, "1 or -1"),
        ({"tiles": {"8": 0}}, "1 or -1"),
        ({"tiles": {"8": True}}, "1 or -1"),
        ({"tiles": {"0": 1}}, "the first"),
        ({"tiles": {"16": 1}}, "off the track"),
        ({"tiles": {"8": 1, "7": -1}}, "next to each other"),
        ({"tiles": {"8": 1, "08": -1}}, "not '08'"),
        ({"left": ["c_7"]}, "left must be"),
        ({"left": ["c_0", "c_0"]}, "at most once"),
        ({"left": [["c_0"]]}, "left must be"),
        ({"die": [3, 1]}, "lowest and its highest"),
        ({"die": [1, 4], "track": {"0": list("abcdefgh")}, "left": list("abcdefgh")}, "2,642,411,520 sequences"),
        ({"weather": "fine"}, "no weather"),
    ],
)
def test_a_position_that_cannot_be_counted_is_refused_with_the_reason(change: dict[str, Any], why: str) -> None:
    with pytest.raises(BadOption, match=why):
        odds({**POSITION, **change})
    with pytest.raises(BadOption, match="A position is"):
        odds([])


def test_the_command_line_prints_the_odds_of_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "position.json"
    path.write_text(json.dumps(POSITION))
    assert main(["camelup", "odds", str(path)]) == 0
    assert json.loads(capsys.readouterr().out) == odds(POSITION)


@pytest.mark.parametrize(
    ("text", "why"),
    [(b"{", "is not JSON"), (b"\xff", "is not JSON"), (b"[" * 100_000, "is not JSON"), (b"7", "A position is")],
)
def test_a_file_that_holds_no_position_is_refused_with_the_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: bytes, why: str
) -> None:
    path = tmp_path / "position.json"
    path.write_bytes(text)
    assert main(["camelup", "odds", str(path)]) == 2
    assert why in capsys.readouterr().err
    assert main(["camelup", "odds", str(tmp_path / "none.json")]) == 2
