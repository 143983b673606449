"""Simulations: bots that misbehave, and records of what was played."""

from __future__ import annotations

import pytest

from games import catalogue
from games.core import Bot, FastChance, Information, Match, RandomBot, SealedChance
from games.hamsterdam.game import GAME as HAMSTERDAM
from games.lab.intervals import wilson
from games.lab.records import replay
from games.lab.simulate import Simulation, play_match, record, report, simulate


class Cheat(Bot):
    name = "cheat"
    title = "Cheat"

    def choose(self, info: Information) -> str:
        return "take everything"


class Faulty(Bot):
    name = "faulty"
    title = "Faulty"

    def choose(self, info: Information) -> str:
        raise ZeroDivisionError


class Sly(Bot):
    """Adds a move to the list it gets, and plays that."""

    name = "sly"
    title = "Sly"
    needs = "moves"

    def choose(self, info: Information) -> str:
        info.legal_moves.append("win at once")
        return info.legal_moves[-1]


@pytest.fixture
def failing_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hamsterdam Exchange with bots that fail."""
    monkeypatch.setattr(type(HAMSTERDAM), "bots", (RandomBot, Cheat, Faulty, Sly))


@pytest.mark.usefixtures("failing_bots")
def test_bots_that_fail_are_counted_and_the_run_goes_on() -> None:
    simulation = Simulation.checked(HAMSTERDAM, ["random", "cheat", "faulty"], {}, "1")
    tally = simulate(simulation, 20)
    made = report(simulation, tally)
    assert set(made["failures"]) == {"cheat: illegal move", "faulty: ZeroDivisionError"}
    assert min(made["failures"].values()) >= 20 * 3, "at least one a round"
    assert made["matches"] == 20
    assert sum(seat["wins"] for seat in made["seats"]) == pytest.approx(20)


@pytest.mark.usefixtures("failing_bots")
def test_a_move_that_a_bot_adds_to_its_list_is_still_illegal() -> None:
    simulation = Simulation.checked(HAMSTERDAM, ["random", "sly"], {}, "1")
    tally = simulate(simulation, 5)
    assert set(tally.failures) == {"sly: illegal move"}
    assert tally.matches == 5


@pytest.mark.usefixtures("failing_bots")
def test_a_bot_that_fails_has_its_first_legal_move_made_for_it() -> None:
    simulation = Simulation.checked(HAMSTERDAM, ["cheat", "faulty"], {}, "1")
    match = Match.start(HAMSTERDAM, 2, {}, SealedChance(simulation.match_seed(0)))
    for seat, move in play_match(simulation, 0).moves:
        assert move == match.legal_moves(seat)[0]
        match.advance(seat, move)


def test_forced_decisions_are_counted() -> None:
    """Enchère's last prize of a round, at the least, leaves everybody one card to bid."""
    simulation = Simulation.checked(catalogue.find("enchere"), ["random"] * 3, {"target": "0"}, "1")
    made = report(simulation, simulate(simulation, 20))
    assert made["forced"] >= 3 / made["decisions_per_match"]
    simulation = Simulation.checked(HAMSTERDAM, ["house"] * 2, {}, "1")
    assert report(simulation, simulate(simulation, 5))["forced"] == 0, "there is always something to keep, or to pass"


def test_a_record_replays_to_the_scores_that_were_counted() -> None:
    simulation = Simulation.checked(HAMSTERDAM, ["random"] * 4, {"rigged": "2"}, "a seed")
    for index in range(10):
        match = replay(record(simulation, index))
        assert match.over
        assert match.scores() == play_match(simulation, index).scores


@pytest.mark.parametrize("game", ["bundles", "stealing", "gops"])
def test_moves_that_were_chosen_by_number_are_those_of_the_match(game: str) -> None:
    simulation = Simulation.checked(catalogue.find(game), ["random", "random"], {}, "a seed")
    played = play_match(simulation, 0)
    assert all(isinstance(choice, int) for _, choice in played.choices), "nobody has written them"
    match = Match.replay(simulation.game, 2, simulation.options, simulation.match_seed(0), played.moves)
    assert match.over
    assert (match.scores(), match.winners()) == (played.scores, played.winners)
    assert len(played.moves) == len(played.choices)


def test_matches_of_a_simulation_differ_and_so_do_those_of_another_seed() -> None:
    simulations = [Simulation.checked(HAMSTERDAM, ["random"] * 2, {}, seed) for seed in ("1", "2")]
    seeds = {simulation.match_seed(index) for simulation in simulations for index in range(50)}
    assert len(seeds) == 100


def test_wins_are_shared_and_scores_averaged() -> None:
    simulation = Simulation.checked(HAMSTERDAM, ["random"] * 2, {}, "1")
    matches = [play_match(simulation, index) for index in range(400)]
    shared = sum(match.scores[0] == match.scores[1] for match in matches)
    alone = sum(match.scores[0] > match.scores[1] for match in matches)
    assert shared
    seat = report(simulation, simulate(simulation, 400))["seats"][0]
    assert seat["wins"] == alone + shared / 2
    assert seat["mean_score"] == pytest.approx(sum(match.scores[0] for match in matches) / 400)


def test_bots_do_not_draw_from_the_match() -> None:
    """The deal does not depend on the bots: the first decks of a match follow from the seed alone."""
    deals = []
    for bots in (["random"] * 3, ["house"] * 3):
        simulation = Simulation.checked(HAMSTERDAM, bots, {}, "1")
        match = replay({**record(simulation, 0), "moves": []})
        deals.append(match.view(None, face_up=True))
    assert deals[0] == deals[1]
    assert FastChance("1/0").randbelow(2**32) != FastChance("1/1").randbelow(2**32)


def test_wilsons_interval_is_the_published_one() -> None:
    # Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
    for wins, matches, low, high in (
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ):
        assert wilson(wins, matches) == pytest.approx((low, high), abs=0.00006)
    assert wilson(29, 29)[1] == pytest.approx(1)
