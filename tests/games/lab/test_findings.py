"""Findings: games that were made to have a fault are found out by its name, and good games are not accused."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest

from games import catalogue
from games.__main__ import main
from games.core import Game
from games.lab import findings as module
from games.lab import report_library
from games.lab.analyse import Analysis, RunResult, analyse
from games.lab.evidence import by_place, by_seat, certain_from, evidence
from games.lab.findings import details, doubts, findings, sentence
from games.lab.histories import DecisionRecord, History
from games.lab.intervals import FEW
from games.lab.printed import print_analysis
from games.lab.report_types import AnalysisReport, Fault, Finding
from games.lab.reports import report
from tests.games.lab import faulty
from tests.games.lab.histories import history
from tests.tiers import full, tiered

GOOD = ("agram", "kuhn", "pairs", "cuckoo", "hamsterdam", "bundles", "stealing", "spoof", "gops", "crazy-eights")
QUICK = GOOD[:6]


def measured(
    game: Game, folder: Path, matches: int = 40, searched: int = 40, rollouts: int = 5, strong: int = 0, seed: str = "1"
) -> AnalysisReport:
    analysis = Analysis.checked(game, None, {}, seed, rollouts)
    played = analyse(analysis, matches, folder, searched=searched, strong=strong)
    return report(analysis, matches, played, searched, strong)


def kinds(found: list[Finding]) -> list[str]:
    return [each["kind"] for each in found]


@pytest.mark.parametrize("seed", ["1", pytest.param("2", marks=full)])
@pytest.mark.parametrize("fault", list(faulty.FAULTS))
def test_the_first_finding_about_a_game_with_a_fault_is_that_fault(fault: str, seed: str, tmp_path: Path) -> None:
    rollouts = 10 if fault == "dead option" else 5
    searched = 0 if fault == "long" else 40
    made = measured(faulty.game(faulty.FAULTS[fault]), tmp_path, searched=searched, rollouts=rollouts, seed=seed)
    found = made["findings"][0]
    assert found["kind"] == fault
    assert found["confidence"] >= 0.95
    assert found["matches"] >= FEW


def test_a_leader_of_whichever_seat_is_found_beside_an_unfair_seat(tmp_path: Path) -> None:
    made = measured(faulty.game(faulty.UNFAIR), tmp_path, rollouts=3)
    assert kinds(made["findings"]) == ["seat"], "the seat that leads from the start wins: one fault, not three"
    leader = made["evidence"]["leader"]
    leader["wins"], leader["expected"] = 39, 20
    assert {"seat", "runaway leader"} <= set(kinds(findings(made)))


def test_a_sound_game_of_the_same_kind_has_no_findings(tmp_path: Path) -> None:
    assert measured(faulty.game(faulty.SOUND), tmp_path)["findings"] == []


def test_where_nothing_is_found_the_command_says_what_was_not_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = measured(faulty.game(faulty.SOUND), tmp_path)
    print_analysis(made, tmp_path)
    assert "--faculties 300" in capsys.readouterr().out
    print_analysis({**made, "faculties": []}, tmp_path)
    assert "--faculties" not in capsys.readouterr().out


def test_an_option_that_rarely_looks_best_is_named_where_nothing_is_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = measured(faulty.game(faulty.SOUND), tmp_path)
    made["evidence"]["kinds"] = {
        "14:8": {"offered": 1800, "best": 184.0, "move": "one"},
        "15:18": {"offered": 1800, "best": 1616.0, "move": "two"},
        "": {"offered": 99, "best": 1.0, "move": ""},
    }
    print_analysis(made, tmp_path)
    printed = capsys.readouterr().out
    assert "  Line 14 looks best in 10% of the 1800 decisions that offer it." in printed
    assert "Line 15" not in printed
    assert "“pass”" not in printed, "too few decisions"
    several: Any = {f"{number}:8": {"offered": 1800, "best": 180.0, "move": "one"} for number in range(10, 20)}
    made["evidence"]["kinds"] = several
    assert doubts(made) == [], "each of ten looks best as often as an even share"


@pytest.mark.parametrize("name", tiered(GOOD, QUICK.__contains__, str))
def test_a_good_game_of_the_library_is_not_accused(name: str, tmp_path: Path) -> None:
    assert kinds(measured(catalogue.find(name), tmp_path, 40, 20)["findings"]) == []


@pytest.mark.parametrize("name", [subject.name for subject in report_library.subjects()])
def test_no_game_of_the_library_is_accused_in_its_report(name: str) -> None:
    assert findings(report_library.read(report_library.SHIPPED / name)) == []


def test_of_partners_a_thinking_player_can_win_half_the_share_of_a_side_at_most() -> None:
    whist = report_library.read(report_library.SHIPPED / "whist")
    for order, kind in ((0.33, []), (0.0, ["no stakes", "no skill"])):  # its side wins 99 %, or 50 %
        whist["measures"]["order"] = {"value": order, "low": order, "high": order, "matches": 100}
        whist["measures"]["spread_corrected"] = {"value": 0.0, "low": 0.0, "high": 0.01, "matches": 100}
        assert kinds(findings(whist)) == kind


@full
def test_a_game_in_which_thinking_is_of_no_use_is_found_out(tmp_path: Path) -> None:
    made = measured(faulty.game(faulty.NO_STAKES), tmp_path, 600, 600, 2)
    (found,) = [each for each in made["findings"] if each["kind"] == "no skill"]
    assert re.match(
        r"Thinking hardly pays: a thinking player wins 3\d% against random ones \(33% would be luck", found["text"]
    )


@full
def test_strong_bots_play_each_other_and_one_of_them_plays_easy_ones(tmp_path: Path) -> None:
    """In a game without skill, strong is no better than easy; the fair seats of the skilled run are the headline."""
    made = measured(faulty.game(faulty.NO_DECISIONS), tmp_path, 200, 20, 2, strong=200)
    assert made["runs"]["strong"]["matches"] == made["runs"]["duel"]["matches"] == made["strong_matches"] == 200
    assert made["duel"]["value"] == pytest.approx(1 / 3, abs=0.1)
    assert made["measures"]["fairness_skilled"]["matches"] == 200
    assert (module.skilled_seats(made) or ("", []))[0] == "strong"


def test_what_is_said_has_its_evidence(tmp_path: Path) -> None:
    made = measured(faulty.game(faulty.NO_DECISIONS), tmp_path, 25, 20, 2)
    (found,) = made["findings"]
    assert found["text"] == "Nobody ever decides anything: 450 of 450 moves are forced."
    assert sentence(found) == found["text"]
    assert details(found) == ["25 matches", f"confidence {min(99.9, round(100 * found['confidence'] - 0.05, 1)):g}%"]
    assert sentence(found, lambda english: f"* {english}") == f"* {found['text']}"


def test_a_finding_about_an_option_names_its_line(tmp_path: Path) -> None:
    made = measured(faulty.game(faulty.DOMINATED), tmp_path, rollouts=10)
    (found,) = [each for each in made["findings"] if each["kind"] == "dead option"]
    line = faulty.DOMINATED.splitlines()[found["line"] - 1]
    assert "dec ((current player) sto POINTS) 9" in line
    assert f"Line {found['line']} is " in found["text"]


def test_nothing_is_found_in_fewer_than_twenty_matches(tmp_path: Path) -> None:
    for number, text in enumerate(faulty.FAULTS.values()):
        if text not in (faulty.ENDLESS, faulty.LONG):
            made = measured(faulty.game(text), tmp_path / str(number), FEW - 1, FEW - 1, 2)
            assert made["findings"] == []


def test_findings_come_of_the_report_alone_and_a_stored_report_has_them(tmp_path: Path) -> None:
    made = measured(faulty.game(faulty.UNFAIR), tmp_path, 30, 30, 3)
    again: AnalysisReport = json.loads(json.dumps(made))
    assert findings(again) == made["findings"] != []
    del again["evidence"]  # as of an older version
    assert set(kinds(findings(again))) <= set(kinds(made["findings"]))
    assert "seat" in kinds(findings(again))


def test_what_is_usual_stands_beside_a_figure(tmp_path: Path) -> None:
    made = measured(faulty.game(faulty.NO_DECISIONS), tmp_path, 25, 20, 2)
    (found,) = findings(made, {"forced": (0.1, 0.34)})
    assert details(found)[-1] == "usual in the library: 10% to 34%"


def test_every_sentence_can_be_said_with_its_arguments(tmp_path: Path) -> None:
    assert len(set(module.TEMPLATES)) == len(module.TEMPLATES)
    named = {name for template in module.TEMPLATES for name in re.findall(r"\{(\w+)\}", template)}
    for template in module.TEMPLATES:
        assert "{" not in template.format(**dict.fromkeys(named, "x"))


def test_there_is_advice_about_every_fault() -> None:
    assert set(module.ADVICE) == set(get_args(Fault))


def test_the_command_begins_with_what_was_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "faulty.rcy"
    path.write_text(faulty.NO_DECISIONS)
    command = [
        "analyse",
        str(path),
        "--matches",
        "20",
        "--rollouts",
        "1",
        "--seed",
        "1",
        "--out",
        str(tmp_path / "out"),
    ]
    assert main(command) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].startswith("- Nobody ever decides anything: 360 of 360 moves are forced. (20 matches, confidence ")
    assert lines[2].startswith("  To try: Offer two moves where there is one now")
    stored = json.loads((tmp_path / "out" / "report.json").read_text())
    assert kinds(stored["findings"]) == ["no decisions"]


# -- the evidence


def test_a_match_is_certain_from_where_its_winner_never_doubts_again() -> None:
    rows = [[0.5, 0.5], [1.0, 0.0], [0.9, 0.1], [1.0, 0.0], [0.96, 0.04]]
    assert certain_from(history(rows)) == 0.6
    assert certain_from(history(rows[:3])) == 1
    assert certain_from(history([[1.0, 0.0]] * 4)) == 0
    assert certain_from(history(rows, scores=[0, 1])) == 1


def test_decisions_are_counted_by_seat_and_by_place_in_a_round() -> None:
    match = history([[0.5] * 3] * 6, movers=[0, 1, 2, 2, 0, 1], options=[2, 2, 1, 3, 2, 1])
    assert by_seat([match], 3) == [
        {"decisions": 2, "forced": 0}, {"decisions": 2, "forced": 1}, {"decisions": 2, "forced": 1}
    ]  # fmt: skip
    assert by_place([match], 3)[2] == {"decisions": 2, "forced": 2}


def test_kinds_count_where_they_matter_and_equals_share_it() -> None:
    def decision(means: tuple[float, ...], kinds: tuple[str, ...], move: str = "x") -> DecisionRecord:
        return DecisionRecord(0, move, len(means), (0.5, 0.5), means, kinds)

    decisions = (
        decision((0.5, 0.5), ("1:1", "2:1")),  # all the same: it does not matter
        decision((0.5, 0.9), ("1:1", "1:1")),  # of one kind
        decision((0.2, 0.9, 0.9), ("1:1", "1:1", "2:1"), "y"),
        decision((0.9, 0.1), ("1:1", "2:1"), "z"),
    )
    match = History(0, decisions, (1.0, 0.0), (1, 2), (0,))
    played: Any = {"random": RunResult(), "search": RunResult([match])}
    assert evidence(played, 2)["kinds"] == {
        "1:1": {"offered": 2, "best": 1.5, "move": "y"}, "2:1": {"offered": 2, "best": 0.5, "move": ""},
    }  # fmt: skip


def test_the_leader_after_a_third_wins_as_often_as_it_does() -> None:
    rows = [[0.5, 0.5], [0.9, 0.1], [0.5, 0.5]]
    tie = [[0.5, 0.5]] * 3
    played: Any = {
        "random": RunResult(),
        "search": RunResult([history(rows), history(rows, scores=[0, 1]), history(tie)]),
    }
    leader = evidence(played, 2)["leader"]
    assert (leader["matches"], leader["wins"], leader["decision"], leader["length"]) == (3, 1.5, 1, 3)


# -- the library


@pytest.mark.parametrize("path", sorted(report_library.SHIPPED.iterdir()), ids=lambda path: path.name)
def test_findings_about_shipped_reports_can_be_said(path: Path) -> None:
    for each in findings(report_library.read(path), report_library.usual()):
        assert sentence(each)
        assert details(each)
