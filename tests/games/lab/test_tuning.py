"""The search for numbers: what was made unfair or too long by one number is found, and nothing is hidden."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from games.__main__ import main
from games.core import BadOption
from games.core.game import TextNumber
from games.lab.analyse import Analysis
from games.lab.goals import GOALS, Goal, seat_gap
from games.lab.histories import History
from games.lab.intervals import FEW
from games.lab.printed import print_tuning
from games.lab.tuning import MOST_CANDIDATES, Tuning, TuningReport, candidates_of, tune, values_of
from games.recycle.game import RecycleGame
from tests.games.lab.interrupted import check_that_it_continues
from tests.tiers import full

# Players gain 0 to 5 or 3 points in turn; the one who sits second has four more from the start, and the first BONUS.
BONUS = """;; Title: Bonus
(game
  (declare 12 'BONUS)
  (declare 4 'TURNS)
  (setup (create players 2) (create deck (game iloc STOCK) (deck (RANK (A)))))
  (do
    ((set ((0 player) sto POINTS) 'BONUS)
     (set ((1 player) sto POINTS) 4)
     (set (game sto LEFT) 'TURNS)))
  (stage player
    (end (== (game sto LEFT) 0))
    (choice
      ((inc ((current player) sto POINTS) (random 5))
       (inc ((current player) sto POINTS) 3)))
    (do ((dec (game sto LEFT) 1))))
  (scoring max ((current player) sto POINTS)))
"""


def tuning(
    vary: dict[str, tuple[int, int] | None], *goals: Goal, text: str = BONUS, seed: str = "1", **more: Any
) -> Tuning:
    analysis = Analysis.checked(RecycleGame("bonus", text), None, {}, seed, rollouts=2)
    return Tuning.checked(analysis, vary, goals, **more)


FAIR, SIX = Goal.checked("fair"), Goal.checked("length", 6, 0.5)


def by_values(made: TuningReport) -> dict[tuple[int, ...], Any]:
    return {tuple(each["values"].values()): each for each in made["candidates"]}


@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_the_number_that_makes_a_text_unfair_is_found(seed: str, tmp_path: Path) -> None:
    made = tune(tuning({"BONUS": (0, 12)}, FAIR, seed=seed), tmp_path)
    found = by_values(made)
    first = made["candidates"][0]
    assert abs(first["values"]["BONUS"] - 4) <= 2, first
    assert first["best"]
    now = found[12,]
    assert now["is_now"]
    assert not now["best"]
    assert now["state"] == "left", "the text as it is stays for comparison"
    assert now["figures"]["fair"]["verdict"] == "missed"
    assert found[0,]["state"] == "dropped"
    assert found[0,]["matches"] < first["matches"]


def test_the_number_that_gives_a_length_is_found_and_the_search_ends_when_all_is_clear(tmp_path: Path) -> None:
    made = tune(tuning({"TURNS": (2, 10)}, SIX), tmp_path)
    best = [each["values"] for each in made["candidates"] if each["best"]]
    assert best == [{"TURNS": 6}]
    assert made["candidates"][0]["figures"]["length"]["verdict"] == "met"
    assert [each["verdict"] for each in by_values(made)[4,]["figures"].values()] == ["missed"]
    assert made["stopped"] == "clear"
    assert made["rounds"][-1]["matches"] == FEW


@full
def test_two_goals_are_met_by_two_numbers_at_once(tmp_path: Path) -> None:
    made = tune(tuning({"BONUS": (0, 12), "TURNS": (4, 8)}, FAIR, SIX, matches=80), tmp_path)
    first = made["candidates"][0]
    assert first["best"]
    assert first["values"]["TURNS"] == 6
    assert abs(first["values"]["BONUS"] - 4) <= 2
    assert made["combinations"] == len(made["candidates"]) == 7 * 5


def test_equal_searches_have_equal_reports_for_any_number_of_workers(tmp_path: Path) -> None:
    def reported(folder: str, workers: int) -> str:
        asked = tuning({"BONUS": (2, 6)}, FAIR, SIX, matches=40)
        return json.dumps(tune(asked, tmp_path / folder, workers=workers))

    alone = reported("alone", 1)
    assert reported("alone", 1) == alone, "all matches are saved"
    assert reported("two", 2) == alone


def test_a_budget_of_matches_ends_the_search_and_the_same_folder_continues_it(tmp_path: Path) -> None:
    vary: dict[str, tuple[int, int] | None] = {"BONUS": (0, 12)}
    made = tune(tuning(vary, FAIR, budget=100), tmp_path / "parts")
    assert made["stopped"] == "matches"
    assert 90 < sum(each["matches"] for each in made["candidates"]) <= 100
    assert {each["figures"]["fair"]["verdict"] for each in made["candidates"]} == {"few"}
    assert not any(each["best"] for each in made["candidates"]), "no verdict on so few"
    new = []
    whole = tune(tuning(vary, FAIR), tmp_path / "parts", progress=lambda total, more: new.append((total, more)))
    assert whole == tune(tuning(vary, FAIR), tmp_path / "whole")
    assert new[0][1] == 7 * 5, "those of the first round were saved"


def test_cpu_seconds_end_the_search(tmp_path: Path) -> None:
    made = tune(tuning({"BONUS": (0, 12)}, FAIR), tmp_path, seconds=1e-9)
    assert made["stopped"] == "seconds"
    assert sum(each["matches"] for each in made["candidates"]) == 0
    assert not any(each["best"] for each in made["candidates"])


def test_candidates_that_are_no_game_or_break_off_are_shown(tmp_path: Path) -> None:
    taken = "(repeat (// 'BONUS 9) (move (top (game iloc GONE)) (top (game iloc STOCK))))"  # from an empty place
    text = BONUS.replace("(create players 2)", "(create players 'TURNS)").replace(
        "(declare 4 'TURNS)", "(declare 2 'TURNS)"
    )
    text = text.replace("(set (game sto LEFT) 'TURNS)", f"(set (game sto LEFT) 4) {taken}").replace(
        "12 'BONUS", "4 'BONUS"
    )
    made = tune(tuning({"BONUS": (7, 10), "TURNS": (0, 2)}, FAIR, text=text, matches=20), tmp_path)
    found = by_values(made)
    assert found[7, 0]["state"] == "no text"
    assert "0" in found[7, 0]["why"]
    assert found[9, 2]["state"] == "broken"
    assert found[9, 2]["broken"] == found[9, 2]["matches"] == 5
    assert "no card here to take" in found[9, 2]["why"]
    assert not found[9, 2]["figures"]
    assert found[8, 2]["state"] == "left"
    assert [each["state"] for each in made["candidates"]] == sorted(
        (each["state"] for each in made["candidates"]), key=["left", "dropped", "broken", "no text"].index
    )


def test_of_too_many_combinations_some_are_drawn_and_the_text_as_it_is_is_among_them() -> None:
    asked = tuning({"BONUS": (0, 11), "TURNS": (1, 12)}, FAIR)
    some, many = candidates_of(asked)
    assert many == 13 * 12
    assert len(some) == MOST_CANDIDATES
    assert some[0].values == {"BONUS": 12, "TURNS": 4}
    assert len({each.name for each in some}) == len(some)
    assert [each.values for each in candidates_of(asked)[0]] == [each.values for each in some]
    other = candidates_of(tuning({"BONUS": (0, 11), "TURNS": (1, 12)}, FAIR, seed="2"))[0]
    assert [each.values for each in other] != [each.values for each in some]


@pytest.mark.parametrize("now", [0, 1, 2, 5, 6, 7, 13, 40, 121, 500, 9999])
@pytest.mark.parametrize("ends", [None, (0, 12), (3, 7), (0, 1000), (50, 60)])
def test_every_range_has_few_values_and_the_present_one(now: int, ends: tuple[int, int] | None) -> None:
    values = values_of(TextNumber("N", now, 0, 0, ""), ends)
    assert now in values
    assert list(values) == sorted(set(values))
    assert 2 <= len(values) <= 13
    assert ends is None or all(ends[0] <= value <= ends[1] or value == now for value in values)


def history(winner: int, seats: int) -> History:
    scores = tuple(float(seat == winner) for seat in range(seats))
    return History(0, (), scores, tuple(2 - int(score) for score in scores), (winner,))


@full
@pytest.mark.parametrize(
    "rates", [(0.5, 0.5), (0.6, 0.4), (0.25, 0.25, 0.25, 0.25), (0.2, 0.3, 0.2, 0.3), (0.95, 0.05)]
)
@pytest.mark.parametrize("matches", [20, 80])
def test_the_interval_of_the_seat_advantage_contains_the_true_one(rates: tuple[float, ...], matches: int) -> None:
    true = max(abs(rate - 1 / len(rates)) for rate in rates)
    draws = np.random.RandomState(1)
    contained = 0
    for _ in range(1000):
        winners = draws.choice(len(rates), size=matches, p=rates)
        figure = seat_gap([history(int(winner), len(rates)) for winner in winners])
        low, high = figure["low"], figure["high"]
        assert low is not None
        assert high is not None
        contained += low <= true <= high
    assert contained >= 930


@pytest.mark.parametrize(
    ("vary", "goals", "more", "message"),
    [
        ({"NOTHING": None}, [FAIR], {}, "no number 'NOTHING' that can be varied. It has: BONUS, TURNS"),
        ({"BONUS": (5, 4)}, [FAIR], {}, "The range of BONUS must go up, from 0 or more to 1,000,000 or less"),
        ({"BONUS": None}, [], {}, "Choose a goal: fair, length"),
        ({"BONUS": None}, [FAIR, FAIR], {}, "given twice"),
        ({"BONUS": None}, [Goal.checked("minutes", 15)], {}, "needs the seconds that people take"),
    ],
)
def test_what_cannot_be_searched_is_refused(
    vary: dict[str, tuple[int, int] | None], goals: list[Goal], more: dict[str, Any], message: str
) -> None:
    with pytest.raises(BadOption, match=message):
        tuning(vary, *goals, **more)


@pytest.mark.parametrize(
    ("name", "target", "tolerance", "message"),
    [
        ("beauty", None, None, "There is no goal 'beauty'. The goals are: fair"),
        ("length", None, None, "'length' needs a target"),
        ("drama", 2, None, "The target of 'drama' must be from 0 to 1"),
        ("drama", 0.2, 0, "more than 0"),
        ("length", float("nan"), None, "0 or more"),
        ("length", 0, None, "The tolerance of 'length' must be more than 0"),
    ],
)
def test_what_is_no_goal_is_refused(name: str, target: float | None, tolerance: float | None, message: str) -> None:
    with pytest.raises(BadOption, match=message):
        Goal.checked(name, target, tolerance)


def test_every_goal_can_be_measured(tmp_path: Path) -> None:
    goals = [Goal.checked(name, 0.5, 0.1) for name in GOALS]
    made = tune(tuning({"BONUS": (4, 5)}, *goals, seconds_each=30, matches=20), tmp_path)
    for each in made["candidates"]:
        assert set(each["figures"]) == set(GOALS)
        assert each["figures"]["minutes"]["value"] == each["figures"]["length"]["value"] / 2 == 2
        for figure in each["figures"].values():
            low, high = figure["low"], figure["high"]
            assert low is not None
            assert high is not None
            assert low <= figure["value"] <= high
            assert low <= (figure["alone_low"] or 0.0)
            assert high >= (figure["alone_high"] or 0.0)


def test_a_dropped_candidate_is_marked_apart_from_its_verdicts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = tune(tuning({"BONUS": (0, 12)}, FAIR), tmp_path)
    dropped = by_values(made)[0,]
    dropped["figures"]["fair"]["verdict"] = "few"
    print_tuning(made, tmp_path)
    assert "too few  dropped" in capsys.readouterr().out


def test_the_command_writes_a_report_and_the_curves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bonus.rcy").write_text(BONUS)
    command = ["tune", str(tmp_path / "bonus.rcy"), "--vary", "BONUS=0..12", "--goal", "fair", "--goal", "length=4"]
    command += ["--matches", "20", "--rollouts", "2", "--seed", "1", "--out", str(tmp_path / "out")]
    assert main(command) == 0
    printed = capsys.readouterr().out
    assert "BONUS, now 12: 0, 2, 4, 6, 8, 10, 12   (declare 12 'BONUS)" in printed
    assert "goal length: 4 ± 0.4" in printed
    made = json.loads((tmp_path / "out" / "report.json").read_text())
    assert len(made["candidates"]) == 7
    for name in ("fair", "length"):
        svg = (tmp_path / "out" / f"curve-{name}.svg").read_text()
        ElementTree.fromstring(svg)
        assert "BONUS" in svg
    before = (tmp_path / "out" / "report.json").read_bytes()
    assert main(command) == 0
    assert (tmp_path / "out" / "report.json").read_bytes() == before
    capsys.readouterr()
    assert main([*command[:-4], "--seed", "2", "--out", str(tmp_path / "out")]) == 2
    assert "matches with other settings: seed" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--goal", "length=many"], "Write a goal as NAME, NAME=TARGET or NAME=TARGET:TOLERANCE"),
        (["--vary", "BONUS=1-3"], "Write a number to vary as NAME or NAME=LOW..HIGH"),
        (["--vary", "BONUS=3"], "Write a number to vary as NAME or NAME=LOW..HIGH"),
        (["--goal", "minutes=15"], "needs the seconds that people take"),
    ],
)
def test_the_command_says_what_is_wrong(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bonus.rcy").write_text(BONUS)
    assert main(["tune", str(tmp_path / "bonus.rcy"), *arguments, "--out", str(tmp_path / "out")]) == 2
    assert message in capsys.readouterr().err


@full
def test_an_interrupted_search_continues(tmp_path: Path) -> None:
    (tmp_path / "bonus.rcy").write_text(BONUS)
    out = tmp_path / "out"
    command = ["tune", str(tmp_path / "bonus.rcy"), "--vary", "BONUS=12..13", "--rollouts", "20", "--seed", "1"]
    command += ["--goal", "drama=.5:.01", "--matches", "4000", "--out", str(out)]
    check_that_it_continues(command, out, out / "matches" / "BONUS=12.jsonl", more=2000)
