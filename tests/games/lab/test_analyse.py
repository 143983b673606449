"""Analyses: the runs, what is kept of them, and the report that comes of it."""

from __future__ import annotations

import csv
import json
import os
import pty
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from games import catalogue
from games.__main__ import main
from games.core import BadOption, Game, SealedChance
from games.core.match import Match
from games.lab import measures
from games.lab.analyse import Analysis, Run, RunResult, analyse
from games.lab.histories import of_json
from games.lab.intervals import wilson
from games.lab.plugins import ROOT
from games.lab.publish import publish
from games.lab.reports import NAMES, OF_MANY, report
from games.lab.saved import PLAYED, SETTINGS
from tests.games.lab.histories import history
from tests.games.lab.interrupted import check_that_it_continues
from tests.games.text_game import read
from tests.tiers import full, sampled

AGRAM = Analysis.checked(catalogue.find("agram"), None, {}, "a seed", 2)


def lines(folder: Path) -> dict[str, list[str]]:
    return {path.stem: path.read_text().splitlines() for path in (folder / PLAYED).iterdir()}


def outcome(folder: Path, analysis: Analysis = AGRAM, matches: int = 5, workers: int = 1) -> dict[str, str]:
    """Analyse and return all files but the lines of the matches, whose order does not matter."""
    publish(analysis, matches, analyse(analysis, matches, folder, workers=workers), folder)
    return {path.name: path.read_text() for path in folder.iterdir() if path.is_file()}


@pytest.fixture(scope="module")
def at_once(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return outcome(tmp_path_factory.mktemp("once"))


def test_the_same_seed_gives_the_same_files_whatever_the_number_of_workers(
    tmp_path: Path, at_once: dict[str, str]
) -> None:
    assert outcome(tmp_path, workers=2) == at_once


def test_another_seed_gives_other_matches(tmp_path: Path, at_once: dict[str, str]) -> None:
    other = outcome(tmp_path, Analysis.checked(AGRAM.game, None, {}, "another", 2))
    assert other["decisions.csv"] != at_once["decisions.csv"]


def test_no_two_matches_of_an_analysis_are_dealt_alike() -> None:
    seeds = {AGRAM.match_seed(run, index) for run in AGRAM.runs for index in range(50)}
    assert len(seeds) == 150


class Stop(Exception):
    pass


@pytest.mark.parametrize("after", [0, 2, 7, 11])
def test_an_interrupted_analysis_continues_to_the_same_report(
    tmp_path: Path, at_once: dict[str, str], after: int
) -> None:
    noted: list[Run] = []

    def stop(run: Run, more: int) -> None:
        noted.extend([run] * more)
        if len(noted) > after:
            raise Stop

    with pytest.raises(Stop):
        analyse(AGRAM, 5, tmp_path, progress=stop)
    kept = lines(tmp_path)
    assert sum(map(len, kept.values())) == len(noted) > after
    assert outcome(tmp_path) == at_once
    for run, result in lines(tmp_path).items():
        assert result[: len(kept.get(run, []))] == kept.get(run, []), "what was done is not played again"
        assert len(result) == 5


def test_more_matches_are_added_to_those_that_are_there(tmp_path: Path, at_once: dict[str, str]) -> None:
    outcome(tmp_path, matches=2)
    counted: dict[Run, int] = dict.fromkeys(AGRAM.runs, 0)

    def note(run: Run, more: int) -> None:
        counted[run] += more

    analyse(AGRAM, 5, tmp_path, progress=note)
    assert counted == dict.fromkeys(AGRAM.runs, 5), "those that were there are reported, too"
    assert outcome(tmp_path) == at_once
    assert json.loads(outcome(tmp_path, matches=2)["report.json"])["measures"]["length"]["matches"] == 2


def test_an_incomplete_last_line_is_written_again(tmp_path: Path, at_once: dict[str, str]) -> None:
    outcome(tmp_path)
    path = tmp_path / PLAYED / "search.jsonl"
    text = path.read_text()
    path.write_text(text[:-20])
    assert outcome(tmp_path) == at_once
    assert path.read_text() == text


@pytest.mark.parametrize(
    ("other", "named"),
    [
        (Analysis.checked(AGRAM.game, None, {}, "another", 2), "seed"),
        (Analysis.checked(AGRAM.game, None, {}, "a seed", 3), "rollouts"),
        (Analysis.checked(AGRAM.game, 2, {}, "a seed", 2), "seats"),
        (Analysis.checked(catalogue.find("stealing"), 3, {}, "a seed", 2), "game, rules"),
        (Analysis.checked(read("agram", "sticks 9\ntake 1"), 3, {}, "a seed", 2), "rules"),
    ],
)
def test_a_folder_with_matches_of_other_settings_is_refused(tmp_path: Path, other: Analysis, named: str) -> None:
    analyse(AGRAM, 1, tmp_path)
    before = lines(tmp_path)
    with pytest.raises(BadOption, match=f"other settings: {named}. Choose another folder"):
        analyse(other, 1, tmp_path)
    assert lines(tmp_path) == before


@pytest.mark.parametrize("name", [SETTINGS, f"{PLAYED}/random.jsonl"])
@pytest.mark.parametrize("text", ["{", "[]", '"index"'])
def test_a_folder_that_cannot_be_read_is_refused(tmp_path: Path, name: str, text: str) -> None:
    analyse(AGRAM, 1, tmp_path)
    (tmp_path / name).write_text(text + "\n")
    with pytest.raises(BadOption, match="Choose another folder"):
        analyse(AGRAM, 2, tmp_path)


def test_a_saved_match_has_its_moves_and_estimates(tmp_path: Path) -> None:
    """The moves make the same match again, and of every decision there is an estimate of everybody."""
    [match] = analyse(AGRAM, 1, tmp_path)["search"].histories
    chance = SealedChance(AGRAM.match_seed("search", 0))
    again = Match.start(AGRAM.game, AGRAM.seats, AGRAM.options, chance)
    for each in match.decisions:
        legal = again.legal_moves(each.mover)
        assert each.options == len(legal) == len(each.means)
        assert len(each.estimates) == AGRAM.seats
        assert each.estimates[each.mover] == max(each.means), "it took the best one"
        assert legal.index(each.move) == each.means.index(max(each.means)), "the first of equal ones"
        again.advance(each.mover, each.move)
    assert again.over
    assert tuple(again.scores()) == match.scores
    assert tuple(again.winners()) == match.winners


def test_only_the_first_seat_searches_in_the_run_for_order(tmp_path: Path) -> None:
    """Where the first card of two wins at once: who searches takes it, the others do so half of the time."""
    game = read("sticks", "sticks 2\ntake 1 2")
    analysis = Analysis.checked(game, 2, {}, "1", 10)
    played = analyse(analysis, 40, tmp_path)

    def taken(run: Run, seat: int) -> set[str]:
        firsts = [match.decisions[0] for match in played[run].histories]
        return {first.move for first in firsts if first.mover == seat}

    assert taken("search", 0) == taken("search", 1) == taken("order", 0) == {"take 2"}
    assert taken("random", 0) == taken("random", 1) == taken("order", 1) == {"take 1", "take 2"}
    assert played["random"].rollouts == played["order"].rollouts == 0
    assert report(analysis, 40, played)["measures"]["order"]["value"] > 0


@pytest.mark.parametrize("game", sampled(catalogue.listed(catalogue.providers[0]), 3, lambda game: game.name))
def test_every_built_in_game_can_be_analysed(tmp_path: Path, game: Game) -> None:
    """Texts all run on one machine, which has its own tests."""
    analysis = Analysis.checked(game, None, {}, "1", 2)
    made = publish(analysis, 1, analyse(analysis, 1, tmp_path), tmp_path)
    assert {**made["measures"], **made["left_out"]}.keys() == set(NAMES)
    assert bool(made["left_out"]) == (analysis.seats == 1)
    assert not any(run["broken"] or run["rollouts_lost"] for run in made["runs"].values())


def test_of_very_many_moves_some_drawn_by_the_seed_are_examined_and_the_report_says_so(tmp_path: Path) -> None:
    game = read("sticks", f"sticks 45\ntake {' '.join(map(str, range(1, 41)))}")
    analysis = Analysis.checked(game, 2, {}, "1", 2, examined=8)
    played = analyse(analysis, 6, tmp_path / "some")
    decisions = [each for match in played["search"].histories for each in match.decisions]
    for each in decisions:
        assert len(each.means) == min(each.options, 8)
        assert each.estimates[each.mover] == max(each.means), "it took the best of those"
    firsts = {match.decisions[0].move for match in played["search"].histories}
    assert firsts - {f"take {number}" for number in range(1, 9)}, "not always the first moves of the list"
    assert played["search"].rollouts == 2 * sum(len(each.means) for each in decisions)
    assert OF_MANY in report(analysis, 6, played)["notes"]
    again = analyse(analysis, 6, tmp_path / "again", workers=2)
    assert again["search"].histories == played["search"].histories
    assert again["order"].histories == played["order"].histories


def test_where_no_decision_has_more_moves_than_are_examined_nothing_changes(
    tmp_path: Path, at_once: dict[str, str]
) -> None:
    few = Analysis.checked(AGRAM.game, None, {}, "a seed", 2, examined=6)
    found = outcome(tmp_path, few)
    assert json.loads(found.pop(SETTINGS)) == {**json.loads(at_once[SETTINGS]), "examined": 6}
    assert found == {name: text for name, text in at_once.items() if name != SETTINGS}


# -- rules that fail


def test_matches_whose_rules_fail_are_counted_and_reported_but_in_no_figure(tmp_path: Path) -> None:
    game = read("sticks", "sticks 4\ntake 1 2\nbreak apply 1")  # a player who takes 1 with 2 left falls into it
    analysis = Analysis.checked(game, 2, {}, "1", 1)
    made = report(analysis, 30, played := analyse(analysis, 30, tmp_path))
    run = made["runs"]["random"]
    assert 0 < run["broken"]["Broken"] < 30
    assert run["matches"] == made["measures"]["length"]["matches"] == 30 - run["broken"]["Broken"]
    assert "sticks left" in run["samples"]["Broken"]["text"]
    assert f"In {sum(sum(each.broken.values()) for each in played.values())} matches" in made["notes"][0]


def test_the_report_says_that_a_text_never_ends(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = tmp_path / "broken.rcy"
    text.write_text(
        (ROOT / "games/recycle/library/kuhn.rcy").read_text().replace("(== (game sto HANDS) 10)", "(< 1 0)")
    )
    assert main(["analyse", str(text), "--matches", "1", "--rollouts", "1", "--out", str(tmp_path / "out")]) == 1
    output = capsys.readouterr().out
    assert "left out: No match finished." in output
    assert [f"Broken: 1 matches of the run {run} (too long)" in output for run in AGRAM.runs] == [True] * 3
    data = json.loads((tmp_path / "out" / "report.json").read_text())
    assert data["measures"] == {}
    assert set(data["left_out"]) == set(NAMES)


# -- the report


def test_a_report_has_every_measure_with_its_interval_and_settings(at_once: dict[str, str]) -> None:
    data = json.loads(at_once["report.json"])
    settings = {"game": "agram", "options": {}, "seats": 3, "matches": 5, "rollouts": 2, "seed": "a seed"}
    assert settings.items() <= data.items()
    assert data["rules"] == AGRAM.game.rules_version
    assert list(data["measures"]) == list(NAMES)
    assert set(data["measures_full_ties"]) == {
        "drama", "security", "fairness", "order", "decisiveness", "lead_change"
    }  # fmt: skip
    for figure in [*data["measures"].values(), *data["measures_full_ties"].values()]:
        assert set(figure) == {"value", "low", "high", "matches"}
        assert figure["low"] - 1e-9 <= figure["value"] <= figure["high"] + 1e-9
        assert figure["matches"] == 5


def test_fairness_and_order_are_made_of_the_wins_of_the_first_seat_by_wilsons_interval() -> None:
    def match(*scores: float) -> Any:
        return history([[0.5, 0.5]], scores=scores)

    wins = RunResult(histories=[match(2, 1)] * 6 + [match(1, 1)] * 2 + [match(1, 2)] * 2)
    made = report(Analysis.checked(catalogue.find("bundles"), 2, {}, "1"), 10, dict.fromkeys(AGRAM.runs, wins))
    for table, won in ((made["measures"], 7), (made["measures_full_ties"], 8)):
        low, high = wilson(won, 10)
        order, fairness = table["order"], table["fairness"]
        assert order["value"] == pytest.approx(measures.order(won / 10, 2))
        assert (order["low"], order["high"]) == pytest.approx((2 * low - 1, 2 * high - 1))
        assert fairness["value"] == pytest.approx(measures.fairness(won / 10, 2))
        assert (fairness["low"], fairness["high"]) == pytest.approx(
            measures.fairness_interval(low, high, 2)
        )  # fmt: skip
    seats = made["basics"]["random"]["seats"]
    assert [seat["wins"]["value"] for seat in seats] == [0.7, pytest.approx(0.3)]
    assert [seat["wins_full"]["value"] for seat in seats] == [0.8, 0.4]
    assert made["basics"]["random"]["ties"]["value"] == 0.2


def test_one_match_has_figures_and_no_intervals_of_means(tmp_path: Path) -> None:
    data = json.loads(outcome(tmp_path, matches=1)["report.json"])["measures"]
    assert data["drama"]["low"] is data["drama"]["high"] is None
    assert data["fairness"]["low"] is not None, "Wilson's interval is good for one"


def test_the_table_of_decisions_is_the_lead_history_of_every_match(tmp_path: Path) -> None:
    text = outcome(tmp_path)["decisions.csv"]
    rows = list(csv.DictReader(text.splitlines()))
    kept = [of_json(json.loads(line)["history"]) for line in lines(tmp_path)["search"]]
    assert len(rows) == sum(len(match.decisions) for match in kept)
    for row in rows:
        match = next(match for match in kept if match.index == int(row["match"]))
        each = match.decisions[int(row["decision"])]
        assert (int(row["mover"]), row["move"], int(row["options"])) == (each.mover, each.move, each.options)
        assert [float(row[f"estimate_{seat}"]) for seat in range(3)] == list(each.estimates)
        assert [int(row[f"rank_{seat}"]) for seat in range(3)] == list(match.ranks)
        assert (float(row["best"]), float(row["worst"])) == (max(each.means), min(each.means))


def test_a_player_who_plays_alone_gets_no_measure_that_compares_players(tmp_path: Path) -> None:
    analysis = Analysis.checked(catalogue.find("golf-patience"), None, {}, "1", 1)
    files = outcome(tmp_path, analysis, 2)
    data = json.loads(files["report.json"])
    assert list(data["measures"]) == ["convergence", "length", "branching"]
    assert set(data["left_out"]) == set(NAMES) - set(data["measures"])
    assert list(data["runs"]) == ["search", "random"]
    assert "A game for one" in data["notes"][0]
    assert {name for name in files if name.endswith(".svg")} == {"branching.svg", "lead-history-0.svg"}


def test_the_report_of_a_partnership_game_explains_its_figures(tmp_path: Path) -> None:
    analysis = Analysis.checked(catalogue.find("climbing-partners"), None, {}, "1", 1)
    assert "partners" in report(analysis, 2, analyse(analysis, 2, tmp_path))["notes"][0]


# -- the command


def test_the_command_continues_with_the_seed_of_the_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["analyse", "agram", "--seats", "2", "--rollouts", "1", "--out", str(tmp_path)]
    assert main([*command, "--matches", "2"]) == 0
    seed = json.loads((tmp_path / "report.json").read_text())["seed"]
    assert main([*command, "--matches", "3", "--lead", "1", "2"]) == 0
    assert json.loads((tmp_path / "report.json").read_text())["seed"] == seed
    assert {path.name for path in tmp_path.glob("lead*")} == {"lead-history-1.svg", "lead-history-2.svg"}
    output = capsys.readouterr()
    assert "Agram, 2 players: 3 matches a run, pimc-1" in output.out
    assert "lead_change" in output.out
    assert main([*command, "--matches", "3", "--seed", f"{seed}?"]) == 2
    assert "other settings: seed. Choose another folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (["agram", "--seats", "1"], "takes"),
        (["agram", "--option", "colour=red"], "no option"),
        (["nothing"], "nothing"),
    ],
)
def test_the_command_names_what_it_cannot_analyse(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], asked: list[str], why: str
) -> None:
    assert main(["analyse", *asked, "--out", str(tmp_path / "out")]) == 2
    assert why in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@full
@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_keeps_finished_matches_and_the_same_command_continues(tmp_path: Path, workers: str) -> None:
    command = ["analyse", "agram", "--matches", "100000", "--rollouts", "1", "--workers", workers, "--out"]
    kept = tmp_path / PLAYED / "search.jsonl"
    check_that_it_continues([*command, str(tmp_path)], tmp_path, kept, 20_000)


@full
def test_a_terminal_shows_a_progress_bar_for_each_run(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    command = ["analyse", "agram", "--matches", "30", "--rollouts", "1", "--out", str(tmp_path)]
    with subprocess.Popen(
        [sys.executable, "-m", "games", *command], cwd=ROOT, stdout=subprocess.PIPE, stderr=theirs, text=True
    ) as going:
        os.close(theirs)
        shown = ""
        with suppress(OSError):  # when nobody has the terminal open any more
            while chunk := os.read(ours, 4096):
                shown += chunk.decode(errors="replace")
        assert going.stdout
        assert "Agram, 3 players: 30 matches a run" in going.stdout.read()
        assert going.wait() == 0
    for run in AGRAM.runs:
        assert re.search(rf"{run} .*\d+/30", shown)
