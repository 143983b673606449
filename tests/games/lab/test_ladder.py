"""Ladders of bots: a schedule that is fair to all, and ratings that are those of the model."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from games import catalogue
from games.__main__ import main
from games.core import BadOption, RulesFailed
from games.lab import report_library
from games.lab.ladder import LINES, Ladder, Outcome, comparisons, intervals, play, ratings, report
from games.lab.saved import PLAYED
from tests.games.lab.interrupted import interrupted
from tests.games.text_game import read
from tests.tiers import full

KUHN = catalogue.find("kuhn")
THREE = ("house", "random", "easy")


@pytest.mark.parametrize(("bots", "seats"), [(2, 2), (3, 2), (5, 2), (5, 3), (5, 5), (2, 4), (3, 4), (3, 5)])
def test_in_the_rotations_of_a_deal_each_bot_sits_in_every_seat_once(bots: int, seats: int) -> None:
    names = tuple(f"bot {number}" for number in range(bots))
    ladder = Ladder(KUHN, names, seats, {}, "1")
    for deal in range(6):
        tables = [ladder.seating(deal, rotation) for rotation in range(bots)]
        for seat in range(seats):
            assert sorted(table[seat] for table in tables) == list(range(bots))
        for table in tables:
            assert len(set(table)) == min(bots, seats)


def test_every_bot_meets_every_other_over_some_deals() -> None:
    ladder = Ladder(KUHN, ("a", "b", "c", "d", "e"), 2, {}, "1")
    met = Counter(frozenset(ladder.seating(deal, rotation)) for deal in range(200) for rotation in range(5))
    assert len(met) == 10
    assert min(met.values()) > 60, "each pair about a hundred times"


def test_the_rotations_of_a_deal_have_the_same_seed_and_other_deals_another() -> None:
    ladder = Ladder.checked(KUHN, THREE, 2, {}, "1")
    deals = {ladder.simulation(ladder.seating(4, rotation)).match_seed(4) for rotation in range(3)}
    assert len(deals) == 1
    assert deals != {ladder.simulation(ladder.seating(5, 0)).match_seed(5)}


def test_ratings_are_those_of_the_greatest_likelihood() -> None:
    """No bot could be rated otherwise and make what was played, prior included, more likely."""
    ahead = np.array([[0.0, 7, 9, 3], [3, 0, 6, 4.5], [1, 4, 0, 2], [2, 5.5, 1, 0]])

    def likelihood(rated: np.ndarray) -> float:
        wins = ahead + 0.5 * (1 - np.eye(4))
        pairs = [(a, b) for a in range(4) for b in range(4) if a != b]
        return math.fsum(-wins[a, b] * math.log1p(10 ** ((rated[b] - rated[a]) / 400)) for a, b in pairs)

    best = ratings(ahead)
    assert best.mean() == pytest.approx(1500)
    for bot in range(4):
        for step in (-1.0, 1.0):
            other = best.copy()
            other[bot] += step
            assert likelihood(other) < likelihood(best)


def test_a_bot_that_lost_every_match_has_a_finite_rating_and_is_last() -> None:
    rated = ratings(np.array([[0.0, 20, 20], [0, 0, 10], [0, 10, 0]]))
    assert np.isfinite(rated).all()
    assert rated[0] > rated[1] == pytest.approx(rated[2])


def test_equal_bots_have_equal_ratings_and_ties_are_half_wins() -> None:
    tie = Outcome((0, 1, 2), (1, 1, 3), (0.5, 0.5, 0.0))
    ahead = comparisons([tie], 3)
    assert ahead.tolist() == [[0, 0.5, 1], [0.5, 0, 1], [0, 0, 0]]
    assert ratings(ahead)[0] == pytest.approx(ratings(ahead)[1])


def test_a_bot_that_sits_in_several_seats_is_not_compared_with_itself() -> None:
    twice = Outcome((0, 1, 0), (1, 2, 3), (1.0, 0.0, 0.0))
    assert comparisons([twice], 2).tolist() == [[0, 1], [1, 0]]


def test_intervals_become_narrower_with_more_deals_and_a_few_deals_have_none() -> None:
    deals = [np.array([[0.0, 2], [1, 0]]), np.array([[0.0, 1], [2, 0]])]
    assert intervals(deals * 2, "1") is None
    few, many = intervals(deals * 4, "1"), intervals(deals * 64, "1")
    assert few
    assert many
    assert (many[1] - many[0] < (few[1] - few[0]) / 2).all()


@full
def test_the_same_seed_gives_the_same_ladder_whatever_the_number_of_workers(tmp_path: Path) -> None:
    ladder = Ladder.checked(KUHN, THREE, None, {}, "1")
    one = report(ladder, play(ladder, 12, tmp_path / "one"))
    assert report(ladder, play(ladder, 12, tmp_path / "two", workers=2)) == one
    assert (one["rounds"], one["matches"]) == (4, 12)
    other = Ladder.checked(KUHN, THREE, None, {}, "2")
    assert one["ahead"] != report(other, play(other, 12, tmp_path / "other"))["ahead"]


def test_a_bot_that_takes_the_last_stick_climbs_above_one_that_moves_at_random(tmp_path: Path) -> None:
    game = read("sticks", "sticks 2\ntake 1 2")
    ladder = Ladder.checked(game, ("pimc-10", "random"), 2, {}, "1")
    made = report(ladder, play(ladder, 60, tmp_path))
    assert [row["bot"] for row in made["standings"]] == ["pimc-10", "random"]
    best, worst = made["standings"]
    assert best["low"] is not None
    assert worst["high"] is not None
    assert best["low"] > worst["high"]


def test_a_plug_in_bot_can_be_on_a_ladder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text(
        "from games.core import Bot\n\n\nclass Last(Bot):\n    name, title, needs = 'last', 'Last', 'moves'\n\n"
        "    def choose(self, info):\n        return info.legal_moves[-1]\n"
    )
    out = tmp_path / "out"
    assert main(["ladder", "kuhn", f"{mine}:Last", "random", "--matches", "4", "--seed", "1", "--out", str(out)]) == 0
    data = json.loads((out / "ladder.json").read_text())
    assert {row["bot"] for row in data["standings"]} == {f"{mine}:Last", "random"}
    assert data["matches"] == 4
    assert "random" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["kuhn", "house"], "2 to 50 bots"),
        (["kuhn", "house", "house"], "Name each bot of a ladder once"),
        (["kuhn", "house", "nobody"], "has no bot 'nobody'"),
        (["kuhn", "house", "random", "--seats", "5"], "takes 2 seats"),
        (["golf-patience", "house", "random"], "takes 1 seat"),
        (["kuhn", "house", "random", "--option", "x=1"], "has no option"),
        (["nothing", "house", "random"], "There is no game"),
    ],
)
def test_an_invalid_ladder_is_refused(arguments: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ladder", *arguments, "--matches", "2"]) == 2
    assert why in capsys.readouterr().err


def test_a_ladder_in_which_the_rules_of_every_match_fail_is_refused(tmp_path: Path) -> None:
    game = read("sticks", "sticks 4\ntake 1 2\nbreak apply 4")
    ladder = Ladder.checked(game, ("house", "random"), 2, {}, "1")
    with pytest.raises((RulesFailed, BadOption)):
        report(ladder, play(ladder, 4, tmp_path))


# -- kept in a folder


@pytest.mark.parametrize("workers", ["1", pytest.param("2", marks=full)])
def test_an_interrupted_ladder_prints_its_figures_and_continues_to_the_same_file(
    tmp_path: Path, workers: str, capsys: pytest.CaptureFixture[str]
) -> None:
    once, twice = tmp_path / "once", tmp_path / "twice"
    command = ["ladder", "kuhn", "random", "easy", "pimc-2", "--workers", workers, "--seed", "1"]
    shown = interrupted("games", [*command, "--matches", "1000000", "--out", str(twice)], twice, 1000)
    kept = (twice / PLAYED / LINES).read_text().splitlines()
    [(matches, deals)] = re.findall(r"2 players: ([\d,]+) matches on ([\d,]+) deals, seed 1", shown)
    assert 3 <= int(matches) == 3 * int(deals) <= len(kept), "of the deals that were played in every rotation"
    assert re.search(r"random +\d+ .*%", shown)
    more = ["--matches", str(len(kept) + 9)]
    assert main([*command, *more, "--out", str(twice)]) == 0
    assert main([*command, *more, "--out", str(once)]) == 0
    assert (twice / "ladder.json").read_bytes() == (once / "ladder.json").read_bytes()
    lines = (twice / PLAYED / LINES).read_text().splitlines()
    assert lines[: len(kept)] == kept
    assert sorted(lines) == sorted((once / PLAYED / LINES).read_text().splitlines()), "no match is played twice"


@pytest.mark.parametrize(
    ("other", "named"),
    [
        (["kuhn", "house", "random", "--seed", "2"], "seed"),
        (["kuhn", "house", "easy"], "bots"),
        (["agram", "house", "random"], "game, rules, seats"),
    ],
)
def test_a_folder_with_matches_of_another_ladder_is_refused(
    tmp_path: Path, other: list[str], named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ["--matches", "4", "--out", str(tmp_path / "out")]
    assert main(["ladder", "kuhn", "house", "random", "--seed", "1", *where]) == 0
    made = (tmp_path / "out" / "ladder.json").read_bytes()
    assert main(["ladder", *other, *where]) == 2
    assert f"other settings: {named}. Choose another folder" in capsys.readouterr().err
    assert (tmp_path / "out" / "ladder.json").read_bytes() == made


# -- the ladders that come with the project

LADDERS = [
    subject
    for subject in report_library.subjects()
    if (report_library.SHIPPED / subject.name / report_library.LADDER).exists()
]


def test_every_listed_game_for_several_players_has_a_ladder() -> None:
    climbed = {subject.name for subject in LADDERS}
    assert climbed == {game.name for game in catalogue.listed() if game.max_seats > 1}


def test_smaller_searches_join_a_ladder_where_those_of_the_tables_take_too_long() -> None:
    """Whist is long, and its house bot searches, too; in Agram all bots are fast enough."""
    subjects = {subject.name: subject for subject in report_library.subjects()}
    result, agram = report_library.prepared_ladder(subjects["whist"]), report_library.prepared_ladder(subjects["agram"])
    assert result
    assert agram
    ladder, _matches, left_out = result
    assert set(left_out) == {"house", "easy", "medium", "strong"}
    assert ladder.bots[0] == "random"
    assert len(ladder.bots) > 2
    assert all(bot.startswith("ismcts-") for bot in ladder.bots[1:])
    assert set(agram[0].bots) == {kind.name for kind in catalogue.bots(agram[0].game)}


@pytest.mark.parametrize("subject", LADDERS, ids=lambda subject: subject.name)
def test_a_ladder_that_comes_with_the_project_loads_and_is_whole(subject: report_library.Subject) -> None:
    result = report_library.read_ladder(report_library.SHIPPED / subject.name)
    assert result
    assert "random" in result["bots"]
    kinds = {kind.name for kind in catalogue.bots(subject.game)}
    smaller = {f"ismcts-{rollouts}" for rollouts in report_library.SMALL}
    assert kinds <= {*result["bots"], *result["left_out"]} <= kinds | smaller
    assert not {*result["bots"]} & {*result["left_out"]}
    for one, other in combinations(range(len(result["bots"])), 2):
        assert result["ahead"][one][other] + result["ahead"][other][one] > 0, "they have met"
    rated = dict(zip(result["bots"], ratings(np.array(result["ahead"])), strict=True))
    for row in result["standings"]:
        assert row["rating"] == pytest.approx(rated[row["bot"]], abs=0.1)


def test_a_ladder_is_made_again_just_if_its_rules_bots_or_matches_are_others_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [kuhn] = [subject for subject in LADDERS if subject.name == "kuhn"]
    shipped = report_library.read_ladder(report_library.SHIPPED / "kuhn")
    assert shipped
    monkeypatch.setattr(report_library, "SHIPPED", tmp_path)
    (tmp_path / "kuhn").mkdir()
    for change, current in (
        ({}, True),
        ({"matches": shipped["matches"] - 4}, False),
        ({"matches": shipped["matches"] - 4, "broken": {"too long": 4}}, True),
        ({"bots": shipped["bots"][1:]}, False),
        ({"rules": "1.other"}, False),
    ):
        (tmp_path / "kuhn" / report_library.LADDER).write_text(json.dumps({**shipped, **change}))
        assert report_library.is_current_ladder(kuhn) == current, change


@pytest.mark.parametrize("subject", LADDERS, ids=lambda subject: subject.name)
def test_a_shipped_ladder_is_what_the_command_would_make_and_the_manifest_says_so(
    subject: report_library.Subject,
) -> None:
    assert report_library.is_current_ladder(subject), "python -m games reports --ladders"
    folder = report_library.SHIPPED / subject.name
    manifest = report_library.read_manifest(folder)
    assert manifest
    assert manifest["ladder"] == report_library.ladder_manifest(folder)
    assert manifest["ladder"]["command"] == f"python -m games reports --ladders {subject.name}"
