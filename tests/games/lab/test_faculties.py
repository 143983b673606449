"""What each faculty is worth: restricted players lose where it matters, and nowhere else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest

from games import catalogue
from games.__main__ import main
from games.core import BadOption, Game
from games.lab import faculties as module
from games.lab.analyse import Analysis
from games.lab.explained import FACULTIES, faculty_title
from games.lab.faculties import FacultiesReport, measure, play
from games.lab.findings import findings
from games.lab.report_types import AnalysisReport, Faculty
from games.lab.reports import report
from tests.games.lab import faulty
from tests.games.lab.interrupted import check_that_it_continues
from tests.tiers import full


def measured(game: Game, folder: Path, matches: int, rollouts: int = 5, workers: int = 1) -> FacultiesReport:
    return measure(Analysis.checked(game, None, {}, "1", rollouts), matches, folder, workers=workers)


def worths(made: FacultiesReport) -> dict[tuple[str, int | None], Faculty]:
    return {(each["name"], each.get("line")): each for each in made["faculties"]}


def found_in(faculties: list[Faculty]) -> list[tuple[str, int | None]]:
    """Return the findings about faculties alone: kind and line."""
    empty: Any = {"runs": {run: {"matches": 0, "broken": {}} for run in ("random", "search")}, "measures": {},
                  "basics": {}, "seats": 2, "faculties": faculties}  # fmt: skip
    made: AnalysisReport = empty
    return [(each["kind"], each.get("line")) for each in findings(made)]


def line_of(text: str, part: str) -> int:
    return next(number for number, line in enumerate(text.splitlines(), 1) if part in line)


def test_a_player_who_does_not_see_the_hand_loses_in_agram() -> None:
    analysis = Analysis.checked(catalogue.find("agram"), None, {}, "1", 10)
    blind, seeing = (
        sum(play(analysis, name, index)["share"] for index in range(100)) for name in ("blind-10", "pimc-10")
    )
    assert blind < seeing - 5


@full
def test_seeing_the_hand_is_surely_worth_something_in_agram(tmp_path: Path) -> None:
    found = worths(measured(catalogue.find("agram"), tmp_path, 400, 10))
    low = found["hand", None]["worth"]["low"]
    assert low is not None
    assert low > 0
    assert ("others", None) not in found, "the score says only who has won"


def test_no_faculty_is_worth_anything_where_nothing_is_decided(tmp_path: Path) -> None:
    made = measured(faulty.game(faulty.NO_DECISIONS), tmp_path, 60, 1)
    assert made["faculties"]
    for each in made["faculties"]:
        assert each["worth"]["value"] == 0
        low, high = each["worth"]["low"], each["worth"]["high"]
        assert low is not None
        assert high is not None
        assert -0.06 < low < 0 < high < 0.06, "sixty equal matches are no proof"
    assert all("kind" not in each for each in made["faculties"])


def test_nobody_misses_the_dominated_option(tmp_path: Path) -> None:
    made = measured(faulty.game(faulty.DOMINATED), tmp_path, 120)
    line = line_of(faulty.DOMINATED, "dec ((current player) sto POINTS) 9")
    high = worths(made)["without", line]["worth"]["high"]
    assert high is not None
    assert high < 0.03
    assert worths(made)["always", line]["wins"]["value"] < 0.1
    assert ("dead option", line) in found_in(made["faculties"])
    assert [each for each in found_in(made["faculties"]) if "option" in each[0]] == [("dead option", line)]


def test_the_dominant_option_is_all_that_is_needed(tmp_path: Path) -> None:
    made = measured(faulty.game(faulty.DOMINANT), tmp_path, 150)
    line = line_of(faulty.DOMINANT, "inc ((current player) sto POINTS) 9")
    found = worths(made)
    assert found["always", line]["worth"]["value"] <= 0
    assert found["without", line]["worth"]["value"] > 0.3
    kinds = found_in(made["faculties"])
    assert ("dominant option", line) in kinds
    assert ("faculty", line) in kinds
    assert not [each for each in kinds if each[0] == "dead option"], "that follows from the dominant one"


@full
def test_a_sound_game_of_the_same_kind_has_no_useless_options(tmp_path: Path) -> None:
    """Each keeps the highest cards: nobody can hinder another, and nothing has a late effect. That is found, too."""
    made = measured(faulty.game(faulty.SOUND), tmp_path, 120)
    assert {kind for kind, _line in found_in(made["faculties"])} <= {"faculty", "useless faculty"}


def test_a_player_that_lacks_nothing_has_the_same_match(tmp_path: Path) -> None:
    analysis = Analysis.checked(faulty.game(faulty.DOMINATED), None, {}, "1", 5)
    for index in range(6):
        shares = {name: play(analysis, name, index)["share"] for name in ("pimc-5", "without=99:9-5", "always=99:9-5")}
        assert len(set(shares.values())) == 1


def faculty(name: str, value: float, low: float, high: float, matches: int = 200, line: int | None = None) -> Faculty:
    worth = {"value": value, "low": low, "high": high, "matches": matches}
    made: Any = {"name": name, "worth": worth, "wins": {**worth, "value": 0.5 - value}}
    if line is not None:
        made |= {"kind": f"{line}:5", "line": line}
    return cast(Faculty, made)


def test_findings_name_the_largest_faculty_and_those_of_no_worth() -> None:
    hand, ahead = faculty("hand", 0.31, 0.22, 0.4), faculty("ahead", 0.2, 0.1, 0.3)
    idle = faculty("others", 0.0, -0.015, 0.015)
    assert found_in([hand, ahead, idle]) == [("useless faculty", None), ("faculty", None)]
    assert found_in([ahead]) == [("faculty", None)]
    assert found_in([faculty("hand", 0.1, 0.05, 0.15)]) == []
    assert found_in([faculty("hand", 0.31, -0.05, 0.6)]) == [], "not sure"
    assert found_in([faculty("others", 0.0, -0.1, 0.1)]) == [], "not sure"
    assert found_in([faculty("others", 0.0, -0.04, 0.04, 25)]) == [], "too few"
    said: Any = {"faculties": [hand], "runs": {"random": {"matches": 0, "broken": {}}, "search": {"matches": 0}},
                 "measures": {}, "basics": {}, "seats": 2}  # fmt: skip
    assert findings(said)[0]["text"] == "Seeing one's hand is worth 31 of 100 wins."


def test_of_two_equal_options_neither_is_dead_or_dominant() -> None:
    nothing = (0.0, -0.015, 0.015)
    both = [faculty(name, *nothing, line=line) for line in (3, 4) for name in ("without", "always")]
    assert found_in(both) == []
    assert found_in([both[0], faculty("always", 0.3, 0.2, 0.4, line=3)]) == [("dead option", 3)]
    assert found_in([both[1], faculty("without", 0.1, 0.05, 0.15, line=3)]) == [("dominant option", 3)]


def sentences(faculties: list[Faculty]) -> list[str]:
    said: Any = {"faculties": faculties, "runs": {"random": {"matches": 0, "broken": {}}, "search": {"matches": 0}},
                 "measures": {}, "basics": {}, "seats": 2}  # fmt: skip
    return [each["text"] for each in findings(said)]


def test_a_player_who_lacks_something_and_wins_more_is_said_to_win_more() -> None:
    better, costly = (-0.215, -0.31, -0.12), (0.3, 0.2, 0.4)
    said = sentences([faculty("without", *better, line=3), faculty("always", *costly, line=3)])
    assert said[0] == "Line 3 costs wins: a player who never takes it wins 22 more of every 100 matches."
    said = sentences([faculty("always", *better, line=3), faculty("without", *costly, line=3)])
    assert said[0] == "Line 3 is all that is needed: a player who always takes it wins 22 more of every 100 matches."
    assert sentences([faculty("others", *better)]) == [
        "A player who ignores the others wins 22 more of every 100 matches."
    ]
    assert sentences([faculty("others", 0.0, -0.015, 0.015)])[0].endswith("at most 2 of 100 wins fewer.")


def test_an_option_that_is_all_one_needs_is_said_before_what_follows_from_it() -> None:
    nothing = (0.0, -0.015, 0.015)
    always, never = faculty("always", *nothing, line=3), faculty("without", 0.5, 0.4, 0.6, line=3)
    found = found_in([faculty("others", *nothing), faculty("ahead", *nothing), always, never])
    assert found[0] == ("dominant option", 3)


def test_an_option_that_two_tests_find_dead_is_named_once() -> None:
    faculties = [faculty("without", 0.0, -0.015, 0.015, line=3), faculty("always", 0.3, 0.2, 0.4, line=3)]
    made: Any = {"runs": {"random": {"matches": 0, "broken": {}}, "search": {"matches": 50}}, "measures": {},
                 "basics": {}, "seats": 2, "faculties": faculties,
                 "evidence": {"kinds": {"3:5": {"offered": 400, "best": 0.0, "move": "x"}}}}  # fmt: skip
    assert [each["text"] for each in findings(made)] == ["Line 3 is never chosen: 0 of 400 times."]


def test_more_faculties_need_more_evidence() -> None:
    one = faculty("others", 0.0, -0.025, 0.025, 80)
    many = [faculty("without", 0.1, -0.1, 0.3, line=line) for line in range(1, 9)]
    assert found_in([one]) == [("useless faculty", None)]
    assert found_in([one, *many]) == []


@pytest.mark.parametrize("name", ["camelup", "spoof"])
def test_there_is_no_hand_to_see_where_nobody_sees_cards_of_their_own(name: str) -> None:
    analysis = Analysis.checked(catalogue.find(name), 2 if name == "camelup" else None, {}, "1", 1)
    ended = [play(analysis, "pimc-1", index) for index in range(2)]
    assert "blind-1" not in module._lacking(analysis, ended)
    assert "greedy-1" in module._lacking(analysis, ended)


def test_a_game_for_one_player_is_refused(tmp_path: Path) -> None:
    analysis = Analysis.checked(catalogue.find("golf-patience"), 1, {}, "1", 1)
    with pytest.raises(BadOption, match="it needs 2 players or more"):
        measure(analysis, 1, tmp_path)


def test_figures_do_not_depend_on_the_number_of_workers_or_on_an_earlier_run(tmp_path: Path) -> None:
    game = catalogue.find("kuhn")
    one = measured(game, tmp_path / "one", 16, 1)
    assert json.dumps(measured(game, tmp_path / "two", 16, 1, workers=2)) == json.dumps(one)
    measured(game, tmp_path / "grown", 7, 1)
    assert json.dumps(measured(game, tmp_path / "grown", 16, 1)) == json.dumps(one)
    with pytest.raises(BadOption, match="other settings: rollouts"):
        measured(game, tmp_path / "one", 16, 3)


@full
def test_an_interrupted_measurement_continues(tmp_path: Path) -> None:
    command = ["faculties", "agram", "--matches", "5000", "--rollouts", "2", "--seed", "1", "--out", str(tmp_path)]
    check_that_it_continues(command, tmp_path, tmp_path / "matches" / "pimc-2.jsonl", 4000)


def test_the_command_prints_a_table_and_an_analysis_has_it_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = tmp_path / "dominant.rcy"
    text.write_text(faulty.DOMINANT)
    line = line_of(faulty.DOMINANT, "inc ((current player) sto POINTS) 9")
    usual = ["--rollouts", "2", "--seed", "1"]
    assert main(["faculties", str(text), "--matches", "40", *usual, "--out", str(tmp_path / "alone")]) == 0
    printed = capsys.readouterr().out
    assert f"Taking line {line} at all" in printed
    stored = json.loads((tmp_path / "alone" / "faculties.json").read_text())
    assert (
        main(["analyse", str(text), "--matches", "2", "--faculties", "40", *usual, "--out", str(tmp_path / "a")]) == 0
    )
    again = capsys.readouterr().out
    assert f"Taking line {line} at all" in again
    made = json.loads((tmp_path / "a" / "report.json").read_text())
    assert made["faculties"] == stored["faculties"]
    assert made["findings"] == findings(made)


def test_a_report_without_faculties_is_as_before(tmp_path: Path) -> None:
    from games.lab.analyse import analyse

    analysis = Analysis.checked(catalogue.find("kuhn"), None, {}, "1", 1)
    assert "faculties" not in report(analysis, 2, analyse(analysis, 2, tmp_path))


def test_every_faculty_has_a_title() -> None:
    for name in ("hand", "others", "ahead"):
        assert faculty_title(faculty(name, 0, 0, 0)) == FACULTIES[name]
    assert faculty_title(faculty("without", 0, 0, 0, line=7)) == "Taking line 7 at all"
    of_move: Any = {**faculty("always", 0, 0, 0), "kind": "pass"}
    assert faculty_title(of_move, lambda english: f"* {english}") == "* Choosing between “pass” and others"
