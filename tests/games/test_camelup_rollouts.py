"""What the Master of Camel Up computes with: tables of odds, and roll-outs of many races at once."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from games.camelup import engine
from games.camelup.odds import leg_odds
from games.camelup.position import Position
from games.camelup.race_odds import race_odds
from games.camelup.rollouts import Lanes
from games.camelup.standings import FIRST, FURTHEST, LOSES, SECOND, WINS
from games.core import FastChance
from tests.games.camelup import random_position


def positions(count: int, *, tiles: bool) -> list[Position]:
    results: list[Position] = []
    seed = 0
    while len(results) < count:
        race = random_position(FastChance(f"lanes {seed}"))
        seed += 1
        if not tiles:
            race.lay((0,) * race.seats)
        if not race.over:
            results.append(race)
    return results


def lanes(race: Position, count: int = 1) -> Lanes:
    return Lanes(race, count, np.random.default_rng(1), noise=0)


def furthest(race: Position) -> int:
    """Return the longest way from a camel to the one before it."""
    squares = sorted(race.place)
    return max(ahead - behind for behind, ahead in pairwise(squares))


def test_odds_from_the_table_are_close_to_exact_ones() -> None:
    together = [race for race in positions(40, tiles=False) if furthest(race) <= FURTHEST]
    assert len(together) > 20
    exact = 0
    for race in together:
        looked_up, counted = lanes(race).odds[0], leg_odds(race)
        for what, place in ((FIRST, 0), (SECOND, 1)):
            assert looked_up[what] == pytest.approx(counted.ranks[:, place] / counted.sequences, abs=0.06)
        exact += looked_up[FIRST] == pytest.approx(counted.ranks[:, 0] / counted.sequences, abs=0.001)
        rolled = race_odds(race)
        assert looked_up[WINS] == pytest.approx(rolled.wins, abs=0.12)
        assert looked_up[LOSES] == pytest.approx(rolled.losses, abs=0.12)
    assert exact > 0.8 * len(together)


class GivenDice:
    """Dice with given results."""

    def __init__(self, *values: int) -> None:
        self.values = list(values)

    def randbelow(self, n: int) -> int:
        return self.values.pop(0)


def test_a_roll_in_a_lane_does_what_the_engine_does() -> None:
    compared = ended = 0
    for race in positions(60, tiles=True):
        many = lanes(race, 3)
        many.act(np.arange(3), (0, 0, 0))
        for lane in range(3):
            truth = race.copy()
            camel, pips = int(many.order[lane, 0, 0]), int(many.pips[lane, 0, 0])
            for pile in ("winner_bets", "loser_bets"):  # unknown cards are not scored here
                setattr(truth, pile, ())
            engine.act(truth, "roll", GivenDice(truth.left.index(camel), pips - truth.terms.die_low))
            ranking = many.heights[lane].argsort()[::-1]
            assert tuple(ranking) == truth.ranking()
            assert tuple(many.heights[lane] >> 3) == truth.place
            assert bool(many.over[lane]) == truth.over
            ended += truth.leg > race.leg
            if not truth.over and not (truth.terms.floor and 0 in truth.money):
                pyramids = np.array(truth.pyramids) * truth.terms.roll_pay
                assert many.money[lane] == pytest.approx(np.array(truth.money) + pyramids)
                compared += 1
    assert compared > 50
    assert ended > 5


def test_hidden_cards_are_drawn_apart_and_known_ones_kept() -> None:
    race = positions(1, tiles=False)[0]
    race.winner_bets = ((-1, 1), (2, 0), (-1, 1))
    race.loser_bets = ((-1, 1),)
    many = lanes(race, 200)
    assert not many.holds[:, 0, 2].any()
    assert (many.holds[:, 1].sum(1) == race.terms.camels - 3).all(), "three different cards"
    assert len({tuple(row) for row in many.holds[:, 1]}) > 3, "not always the same ones"
    assert (many.piles[1].own[:, 1] == 2).all()
    assert (many.piles[0].own[:, 1] == 1).all()


def test_a_roll_out_ends_with_its_leg_and_estimates_a_win_only_where_the_race_goes_on() -> None:
    for race in positions(6, tiles=True):
        many = lanes(race, 50)
        ended = many.play_on()
        assert np.isfinite(ended.coins).all()
        assert (ended.to_go >= 0).all()
        assert (ended.to_go <= race.terms.spaces).all()
