"""The laboratory's pages: reports, comparisons and downloads, and their permissions."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.utils.html import escape
from django.utils.translation import override

from cardsite.lab import findings, library
from games import catalogue
from games.lab import report_library
from games.lab.analyse import Analysis, analyse
from games.lab.compare import compare, difference
from games.lab.explained import MEASURES
from games.lab.publish import REPORT, publish
from games.lab.report_types import AnalysisReport, Figure
from games.lab.reports import NAMES, OF_RANDOM
from tests.site.conftest import Actor, Texts
from tests.site.reasons import NO_PAGE, why_refused
from tests.tiers import full

SUBJECTS = [subject.name for subject in report_library.subjects()]


@pytest.fixture
def var(tmp_path: Path, settings: Any) -> Path:
    """The folder for files that the site makes."""
    settings.VAR_DIR = tmp_path / "var"
    return tmp_path / "var"


@pytest.fixture
def few_matches(var: Path) -> str:
    """The name of a report of this site that has 3 matches with search."""
    analysis = Analysis.checked(catalogue.find("kuhn"), None, {}, "1", report_library.ROLLOUTS)
    folder = library.runs_folder() / "3"
    publish(analysis, 4, analyse(analysis, 4, folder, searched=3), folder, searched=3)
    return "run-3"


# -- the reports that come with the project


@pytest.mark.parametrize("name", SUBJECTS)
def test_every_game_of_the_catalogue_has_a_report_that_loads_and_is_whole(name: str) -> None:
    folder = report_library.SHIPPED / name
    report = report_library.read(folder)
    assert {*report["measures"], *report["left_out"]} == set(NAMES)
    for file in report_library.charts_of(folder, report):
        ElementTree.fromstring(report_library.chart(folder, report, file) or "")
    rows = list(csv.DictReader(io.StringIO((report_library.decisions(folder) or b"").decode())))
    assert rows or report["seats"] == 1
    assert {row["match"] for row in rows} <= {str(number) for number in range(report["search_matches"])}


@pytest.mark.django_db
def test_a_report_and_its_charts_are_in_the_language_of_the_reader(client: Client) -> None:
    client.cookies["django_language"] = "de"
    page = client.get("/lab/reports/hearts/").content.decode()
    assert "Hearts, 4 Personen" in page
    charts = re.findall(r'<img src="([^"]+)"', page)
    assert len(charts) == 5
    for address in charts:
        drawn = client.get(address).content.decode()
        assert "Hearts, 4 Personen" in drawn
        assert "Seat" not in drawn
        # An address without a language is the same for everybody: caches may store it.
        assert "Hearts, 4 players" in client.get(address.partition("?")[0]).content.decode()


def test_no_report_is_shipped_for_a_game_that_is_not_in_the_catalogue() -> None:
    assert {path.name for path in report_library.SHIPPED.iterdir()} == set(SUBJECTS)


def test_the_shipped_reports_are_small() -> None:
    assert sum(path.stat().st_size for path in report_library.SHIPPED.rglob("*") if path.is_file()) < 3 * 2**20


@pytest.mark.parametrize("name", SUBJECTS)
def test_a_shipped_report_is_what_its_manifest_says(name: str) -> None:
    """Version, command, seed, date, bots and files; and the report's figures are of as many matches as it says."""
    folder = report_library.SHIPPED / name
    manifest, report = report_library.read_manifest(folder), report_library.read(folder)
    whole: dict[str, Any] = {**report}
    assert manifest, f"{name} was made by an older version: python -m games reports --again {name}"
    assert {key: manifest[key] for key in report_library.OF_MANIFEST} == {
        key: whole[key] for key in report_library.OF_MANIFEST
    }
    assert manifest["command"] == f"python -m games reports {name}"
    assert manifest["bots"]["search"] == report["player"]
    assert date.fromisoformat(manifest["date"]) >= date(2026, 11, 1)
    assert re.fullmatch(r"[0-9a-f]{16}", manifest["program"])
    there = {path.name for path in folder.iterdir()} - {report_library.MANIFEST, report_library.LADDER}
    assert manifest["files"].keys() == there
    for file, digest in manifest["files"].items():
        assert hashlib.sha256((folder / file).read_bytes()).hexdigest() == digest
    for run, matches in (("random", report["matches"]), ("search", report["search_matches"])):
        played = whole["runs"][run]
        assert played["matches"] + sum(played["broken"].values()) == matches
    rows = csv.DictReader(io.StringIO((report_library.decisions(folder) or b"").decode()))
    counts = Counter(row["match"] for row in rows)
    assert len(counts) == report["runs"]["search"]["matches"]
    assert sum(counts.values()) == report["evidence"]["search"]["decisions"]


def test_a_report_of_an_older_version_can_be_read(tmp_path: Path) -> None:
    """It lacks what was not measured then, says so, and has skilled fairness and intervals that cover."""
    now = report_library.read(report_library.SHIPPED / "agram")
    older: Any = json.loads((report_library.SHIPPED / "agram" / REPORT).read_text())
    for name in ("evidence", "findings"):
        del older[name]
    for name in ("spread_corrected", "fairness_skilled"):
        del older["measures"][name]
    older["measures"]["clarity"] = {"value": 1.0, "low": 1.0, "high": 1.0, "matches": 50}
    (tmp_path / REPORT).write_text(json.dumps(older))
    read = report_library.read(tmp_path)
    assert read["measures"]["fairness_skilled"] == now["measures"]["fairness_skilled"]
    assert read["measures"]["clarity"]["low"] == pytest.approx(0.05 ** (1 / 50))
    assert read["left_out"] == {"spread_corrected": "It was made by an older version, which did not measure this."}
    assert list(read["measures"]) == [name for name in NAMES if name != "spread_corrected"]
    assert report_library.completed(read) == read


def test_a_report_is_current_only_by_the_same_rules_and_settings(tmp_path: Path) -> None:
    subject = next(subject for subject in report_library.subjects() if subject.name == "kuhn")
    path = tmp_path / "kuhn" / "report.json"
    assert not report_library.is_current(subject, tmp_path)
    for change, current in (({}, True), ({"rules": "0"}, False), ({"rollouts": 4}, False), ({"matches": 7}, False)):
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps({**report_library.read(report_library.SHIPPED / "kuhn"), **change}))
        assert report_library.is_current(subject, tmp_path) is current


@full
def test_a_shipped_report_is_the_same_wherever_it_is_made(tmp_path: Path) -> None:
    """The shipped report of Kuhn Poker, made again, is equal."""
    subject = next(subject for subject in report_library.subjects() if subject.name == "kuhn")
    made = report_library.make(subject, tmp_path)
    assert made == report_library.read(report_library.SHIPPED / "kuhn")
    assert report_library.decisions(tmp_path / "kuhn") == report_library.decisions(report_library.SHIPPED / "kuhn")


# -- comparisons


def figure(value: float, low: float | None, high: float | None) -> Figure:
    return {"value": value, "low": low, "high": high, "matches": 50}


def test_a_difference_is_clear_only_if_0_lies_outside_of_its_interval() -> None:
    assert difference(figure(0.2, 0.1, 0.3), figure(0.5, 0.4, 0.6)).verdict == "more"
    assert difference(figure(0.5, 0.4, 0.6), figure(0.2, 0.1, 0.3)).verdict == "less"
    assert difference(figure(0.2, 0.1, 0.3), figure(0.3, 0.2, 0.4)).verdict == "inconclusive"
    assert difference(figure(0.2, None, None), figure(0.9, 0.8, 1.0)).verdict == "inconclusive"


def test_the_interval_of_a_difference_of_rates_is_newcombes() -> None:
    """His example: 56 of 70 less 48 of 80 is 0.2000, 95 % by method 10 from 0.0524 to 0.3339."""
    from games.lab.intervals import wilson

    first, second = (figure(wins / many, *wilson(wins, many)) for wins, many in ((48, 80), (56, 70)))
    gap = difference(first, second)
    assert (gap.value, gap.low, gap.high) == pytest.approx((0.2, 0.0524, 0.3339), abs=5e-5)


def with_matches(report: AnalysisReport, random: int, searched: int) -> AnalysisReport:
    """Return a report with so many matches of its runs."""
    measures = {
        name: {**each, "matches": random if name in OF_RANDOM else searched}
        for name, each in report["measures"].items()
    }
    return {**report, "search_matches": searched, "measures": measures}  # type: ignore[typeddict-item]


@pytest.mark.parametrize(("one", "other"), [(19, 50), (50, 19), (3, 3), (20, 20)])
def test_no_verdict_rests_on_fewer_than_twenty_matches_with_search(one: int, other: int) -> None:
    """On the page of comparisons nothing is said then, in the workshop only about what random matches measure."""
    agram, kuhn = (report_library.read(report_library.SHIPPED / name) for name in ("agram", "kuhn"))
    first, second = with_matches(agram, 100, one), with_matches(kuhn, 100, other)
    few = min(one, other) < 20
    for strict in (False, True):
        verdicts = {row.name: row.verdict for row in compare(first, second, strict=strict)}
        assert (verdicts["drama"] == "few") is few
        assert (verdicts["length"] == "few") is (few and strict)
        assert (verdicts["length"] == "more") is not (few and strict)


def test_verdicts_are_corrected_for_the_number_of_measures() -> None:
    """A difference whose own interval excludes 0 by little is not clear among a dozen others."""
    report = report_library.read(report_library.SHIPPED / "agram")

    def of(drama: float) -> AnalysisReport:
        measures = {**report["measures"], "drama": figure(drama, drama - 0.1, drama + 0.1)}
        return {**report, "rollouts": 10, "measures": measures}

    rows = {shift: {row.name: row for row in compare(of(0.4), of(0.4 + shift))}["drama"] for shift in (0.15, 0.3)}
    assert rows[0.15].difference
    assert rows[0.15].difference.verdict == "more"
    assert [rows[shift].verdict for shift in (0.15, 0.3)] == ["inconclusive", "more"]
    assert rows[0.15].difference.p == pytest.approx(0.0376, abs=1e-3)


def test_the_noise_of_roll_outs_is_not_compared() -> None:
    agram, kuhn = (report_library.read(report_library.SHIPPED / name) for name in ("agram", "kuhn"))
    assert {row.name: row.verdict for row in compare(agram, kuhn)}["spread"] == "biased"


def test_measures_that_few_roll_outs_change_get_a_verdict_from_ten_on() -> None:
    for rollouts, said in ((5, {"noisy"}), (10, {"more", "less"})):
        agram, kuhn = (report_library.read(report_library.SHIPPED / name) for name in ("agram", "kuhn"))
        agram["rollouts"] = kuhn["rollouts"] = rollouts
        verdicts = {row.name: row.verdict for row in compare(agram, kuhn)}
        assert {verdicts["drama"], verdicts["clarity"]} <= said
        assert verdicts["security"] != "noisy"


def test_few_matches_are_named_on_the_page(newcomer: Client, db: None, few_matches: str) -> None:
    page = newcomer.get("/lab/compare/", {"a": "agram", "b": few_matches}).content.decode()
    assert "Too few matches with search for a verdict: 100 and 3. Each side needs at least 20." in page
    assert page.count("too few matches</span>") > 10
    assert "clearly more</strong>" not in page
    assert "clearly less</strong>" not in page


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_report_begins_with_what_was_found(
    newcomer: Client, db: None, texts: Texts, var: Path, language: str
) -> None:
    """In words, with evidence, before the measures."""
    name = texts.put("sticks", "sticks 6", "take 1")
    analysis = Analysis.checked(catalogue.find(name), 2, {}, "1", 4)
    folder = library.runs_folder() / "3"
    publish(analysis, 30, analyse(analysis, 30, folder), folder)
    newcomer.cookies["django_language"] = language
    page = newcomer.get("/lab/reports/run-3/").content.decode()
    found = re.findall(r'<li data-finding="([^"]+)">\s*<strong>([^<]+)</strong>\s*<span[^>]*>([^<]+)', page)
    assert found[0][0] == "no decisions"
    assert ("180 of 180" in found[0][1]) or language != "en"
    assert page.index("data-finding") < page.index('id="measures"')
    assert all("30" in details for *_, details in found)


def test_a_report_without_faults_says_so_and_one_of_few_matches_that_they_are_few(
    newcomer: Client, db: None, few_matches: str
) -> None:
    assert "None of the faults that are looked for was found." in newcomer.get("/lab/reports/agram/").content.decode()
    page = newcomer.get(f"/lab/reports/{few_matches}/").content.decode()
    assert "Too few matches with search for most findings: 3, and 20 are needed." in page


def test_a_report_shows_what_each_faculty_is_worth_and_where_its_line_is(
    newcomer: Client, db: None, var: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = report_library.read(report_library.SHIPPED / "agram")
    assert findings.worths(report) is None
    assert 'id="faculties"' not in newcomer.get("/lab/reports/agram/").content.decode()
    worth: Figure = {"value": 0.31, "low": 0.22, "high": 0.4, "matches": 200}
    wins: Figure = {"value": 0.19, "low": 0.14, "high": 0.25, "matches": 200}
    line = 30
    report["faculties"] = [
        {"name": "hand", "worth": worth, "wins": wins},
        {"name": "without", "worth": {**worth, "value": -0.004, "low": -0.02, "high": 0.01}, "wins": wins,
         "kind": f"{line}:5", "line": line},
    ]  # fmt: skip
    stored = library.find("agram")
    assert stored
    monkeypatch.setattr(library, "find", lambda name: stored._replace(report=report))
    page = newcomer.get("/lab/reports/agram/").content.decode()
    section = re.sub(r"\s+", " ", re.sub("<[^>]+>", " ", page.split('id="faculties"')[1].split("</section>")[0]))
    assert "Seeing one&#x27;s hand 31 22 … 40 19 % 14 … 25 %" in section
    assert f"Taking line {line} at all Line {line} 0 -2 … 1" in section
    assert f'href="/workshop/games/agram/#line-{line}"' in page or f"#line-{line}" in page
    assert "Seeing one&#x27;s hand is worth 31 of 100 wins." in page


def test_nothing_is_said_about_fairness_among_thinking_players_after_few_matches(
    newcomer: Client, db: None, few_matches: str
) -> None:
    page = newcomer.get(f"/lab/reports/{few_matches}/").content.decode()
    assert "so nothing is said about fairness among them" in page


def test_wins_by_seat_are_shown_by_skill_and_the_skilled_ones_are_the_headline(newcomer: Client, db: None) -> None:
    page = newcomer.get("/lab/reports/agram/").content.decode()
    part = page[page.index('id="skill"') : page.index('id="measures"')]
    report = report_library.read(report_library.SHIPPED / "agram")
    assert f"Thinking, <strong>{report['measures']['fairness_skilled']['value']:.3f}</strong>" in part
    rows = re.findall(r'<tr><th scope="row">(\d)</th>(.*?)</tr>', part)
    assert [seat for seat, _ in rows] == ["1", "2", "3"]
    for seat, cells in rows:
        for run in ("random", "search"):
            share = report["basics"][run]["seats"][int(seat) - 1]["wins"]["value"]
            assert f"{100 * share:.0f} %" in cells


def test_a_finding_about_a_line_leads_to_it_while_the_rules_are_the_same(db: None) -> None:
    kuhn: Any = {**report_library.read(report_library.SHIPPED / "kuhn")}
    kuhn["evidence"] = {"kinds": {"48:56": {"offered": 200, "best": 0.0, "move": ""}}}
    (found,) = findings.said(kuhn)["findings"]
    assert (found.text, found.line) == ("Line 48 is never chosen: 0 of 200 times.", 48)
    assert found.url == "/workshop/house/kuhn/#line-48"
    kuhn["rules"] = "older"
    (found,) = findings.said(kuhn)["findings"]
    assert found.url == ""


def test_a_line_of_a_game_can_be_pointed_at(newcomer: Client, db: None) -> None:
    page = newcomer.get("/workshop/house/kuhn/").content.decode()
    text = catalogue.find("kuhn").text.splitlines()
    assert f'<span id="line-{len(text)}">' in page
    assert '<span id="line-1">;; Title: Kuhn Poker</span>' in page


def test_figures_of_other_numbers_of_roll_outs_are_not_compared() -> None:
    one = report_library.read(report_library.SHIPPED / "kuhn")
    other: Any = {**one, "rollouts": 50}
    reasons = {row.name: row.why_not for row in compare(one, other)}
    assert {name for name, why_not in reasons.items() if why_not} == set(NAMES) - {
        "fairness", "convergence", "length", "branching",
    }  # fmt: skip


def test_every_measure_is_explained() -> None:
    assert list(MEASURES) == list(NAMES)


# -- pages


def test_the_reports_page_shows_a_report_of_every_game(newcomer: Client, db: None) -> None:
    page = newcomer.get("/lab/").content.decode()
    assert set(re.findall(r'href="/lab/reports/([\w-]+)/"', page)) == set(SUBJECTS)


@pytest.mark.parametrize("name", ["hamsterdam", "thief-level-2", "golf-patience", "hearts"])
def test_a_report_has_every_measure_or_why_it_is_left_out(newcomer: Client, db: None, name: str) -> None:
    page = newcomer.get(f"/lab/reports/{name}/").content.decode()
    report = report_library.read(report_library.SHIPPED / name)
    rows = re.findall(r'<th scope="row">([^<]+)<span class="lab-line">[^<]+</span></th>(.*?)</tr>', page, re.DOTALL)
    if report["seats"] == 1:  # it is about wins and scores, and nothing is left out
        shown = [title for title, _ in rows]
        assert shown == ["Win rate", "Score", "Tension", *(MEASURES[name].title for name in report["measures"])]
        assert "left out" not in page
        return
    assert [title for title, _ in rows] == [MEASURES[measure].title for measure in NAMES]
    for (_, cells), measure in zip(rows, NAMES, strict=True):
        assert ("left out:" in cells) == (measure in report["left_out"])


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("reports/nothing/", "There is no such report."),
        ("reports/run-1/", "There is no such report."),
        ("reports/..%2f..%2fsecret/", NO_PAGE),
        ("reports/kuhn/settings.json", "This report has no such chart."),
        ("reports/kuhn/..%2f..%2fagram%2freport.json", NO_PAGE),
        ("reports/kuhn/trend.svg%00", "This report has no such chart."),
        ("reports/run-..%2f/report.json", NO_PAGE),
        ("reports/kuhn%2f..%2fagram/decisions.csv", NO_PAGE),
        ("reports/%2e%2e/report.json", NO_PAGE),
        ("reports/golf-patience/trend.svg", "This report has no such chart."),
    ],
)
def test_missing_files_and_files_elsewhere_are_not_found(newcomer: Client, db: None, path: str, reason: str) -> None:
    assert why_refused(newcomer.get(f"/lab/{path}")) == reason


def test_a_report_and_its_decisions_can_be_taken_home(newcomer: Client, db: None) -> None:
    answer = newcomer.get("/lab/reports/agram/report.json")
    assert answer["Content-Disposition"] == 'attachment; filename="agram.json"'
    assert answer.json() == report_library.read(report_library.SHIPPED / "agram")
    table = newcomer.get("/lab/reports/agram/decisions.csv")
    assert table["Content-Disposition"] == 'attachment; filename="agram-decisions.csv"'
    assert table.content == report_library.decisions(report_library.SHIPPED / "agram")


def test_no_page_names_an_option_that_only_administrators_set(newcomer: Client, db: None) -> None:
    for path in ("", "reports/hamsterdam/", "reports/hamsterdam/report.json"):
        assert b"rigged" not in newcomer.get(f"/lab/{path}").content


def test_a_chart_may_style_itself_and_load_nothing(newcomer: Client, db: None) -> None:
    answer = newcomer.get("/lab/reports/agram/trend.svg")
    assert answer["Content-Type"] == "image/svg+xml"
    policy = answer["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "style-src 'unsafe-inline'" in policy
    assert "script-src" not in policy
    assert "'unsafe-inline'" not in newcomer.get("/lab/reports/agram/")["Content-Security-Policy"].replace(
        "style-src-attr 'unsafe-inline'", ""
    )


def test_two_reports_are_shown_side_by_side_with_what_is_clear(newcomer: Client, db: None) -> None:
    page = newcomer.get("/lab/compare/", {"a": "agram", "b": "kuhn"}).content.decode()
    verdicts = [
        row.verdict
        for row in compare(*(report_library.read(report_library.SHIPPED / n) for n in ("agram", "kuhn")))
        if row.difference
    ]
    assert "Kuhn Poker, 2 players has clearly more:" in page
    assert page.count("clearly more</strong>") == verdicts.count("more") > 0
    assert page.count("clearly less</strong>") == verdicts.count("less") > 0
    assert page.count(">inconclusive<") == verdicts.count("inconclusive") > 0


@pytest.mark.parametrize(
    ("query", "status", "words"),
    [
        ("?a=agram&b=nothing", 404, "There is no such report"),
        ("?a=../agram&b=kuhn", 404, "There is no such report"),
        ("?a=agram&b=agram", 200, "These are the same report"),
        ("?a=nothing", 404, "There is no such report"),
    ],
)
def test_a_comparison_that_is_not_possible_says_why(
    newcomer: Client, db: None, query: str, status: int, words: str
) -> None:
    answer = newcomer.get(f"/lab/compare/{query}")
    assert answer.status_code == status
    assert words in answer.content.decode()
    assert "<script>" not in answer.content.decode()


def test_an_option_that_rarely_looks_best_is_named_where_nothing_is_found() -> None:
    agram = report_library.read(report_library.SHIPPED / "agram")
    assert findings.said(agram)["doubts"] == []
    kinds: Any = {"14:8": {"offered": 1800, "best": 184.0, "move": "one"},
                  "": {"offered": 1800, "best": 1616.0, "move": ""}}  # fmt: skip
    agram["evidence"]["kinds"] = kinds
    with override("de"):
        page = render_to_string("lab/_findings.html", findings.said(agram))
    assert "Zeile 14 sieht bei 10\u202f% der 1800 Entscheidungen" in page
    assert "#line-14" in page
    assert page.count("<li data-doubt>") == 1


FIRST, SECOND = report_library.EXAMPLE


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("", (FIRST, SECOND)),
        ("?a=&b=", (FIRST, SECOND)),
        ("?a=agram", ("agram", FIRST)),
        ("?b=agram", (FIRST, "agram")),
        (f"?a={FIRST}", (FIRST, SECOND)),
        (f"?b={FIRST}", (SECOND, FIRST)),
    ],
)
def test_a_reader_who_has_chosen_nothing_yet_sees_a_comparison(
    newcomer: Client, db: None, query: str, shown: tuple[str, str]
) -> None:
    page = newcomer.get(f"/lab/compare/{query}").content.decode()
    assert page.index('class="lab-answer"') < page.index("<form class") < page.index("<table"), "the answer comes first"
    assert tuple(re.findall(r'<option value="([\w-]+)" selected', page)) == shown
    assert ("This is an example." in page) is (query in ("", "?a=&b="))


def test_the_example_of_a_comparison_has_something_to_say() -> None:
    reports = [report_library.read(report_library.SHIPPED / name) for name in report_library.EXAMPLE]
    assert reports[0]["seats"] == reports[1]["seats"]
    assert not [note for report in reports for note in report["notes"]]
    assert {"more", "less", "inconclusive"} <= {row.verdict for row in compare(*reports, strict=True)}


def test_a_comparison_has_the_remarks_of_each_report(newcomer: Client, db: None) -> None:
    page = newcomer.get("/lab/compare/", {"a": "whist", "b": "agram"}).content.decode()
    [note] = report_library.read(report_library.SHIPPED / "whist")["notes"]
    assert f">Whist, 4 players: {escape(note)}<" in page
    assert "Agram, 3 players: " not in page


# -- reports that were made here


@pytest.fixture
def sticks(texts: Texts, var: Path) -> str:
    """A report of a text, made as staff would, under the number 3."""
    name = texts.put("sticks", "sticks 4", "take 1 2")
    analysis = Analysis.checked(catalogue.find(name), 2, {}, "1", 2)
    folder = library.runs_folder() / "3"
    publish(analysis, 25, analyse(analysis, 25, folder), folder)
    return name


def test_a_report_that_was_made_here_stands_beside_the_others(newcomer: Client, db: None, sticks: str) -> None:
    assert "/lab/reports/run-3/" in newcomer.get("/lab/").content.decode()
    assert newcomer.get("/lab/reports/run-3/report.json").json()["game"] == sticks
    assert newcomer.get("/lab/reports/run-3/decisions.csv").content.startswith(b"match,decision")
    assert newcomer.get("/lab/reports/run-3/lead-history-0.svg").status_code == 200


def test_a_page_says_when_the_rules_have_changed_since(newcomer: Client, db: None, sticks: str, texts: Texts) -> None:
    changed = "The rules of this game have changed. The figures"
    assert changed not in newcomer.get("/lab/reports/run-3/").content.decode()
    texts.put(sticks, "sticks 5", "take 1 2")
    assert changed in newcomer.get("/lab/reports/run-3/").content.decode()
    assert "older rules" in newcomer.get("/lab/").content.decode()


def test_a_report_of_a_game_that_is_gone_can_still_be_read(
    newcomer: Client, db: None, sticks: str, texts: Texts
) -> None:
    texts.take_away(sticks)
    assert "This game is no longer available" in newcomer.get("/lab/reports/run-3/").content.decode()
    assert newcomer.get("/lab/").status_code == 200


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"measures": 1}', "[" * 100_000, '{"game": "kuhn"}'])
def test_a_folder_that_holds_no_report_breaks_no_page(newcomer: Client, db: None, var: Path, text: str) -> None:
    folder = library.runs_folder() / "1"
    folder.mkdir(parents=True)
    (folder / "report.json").write_text(text)
    assert newcomer.get("/lab/").status_code == 200
    assert why_refused(newcomer.get("/lab/reports/run-1/")) == "There is no such report."


@pytest.mark.parametrize("name", ["agram", "run-3"])
def test_a_report_is_found_without_reading_the_others(newcomer: Client, db: None, sticks: str, name: str) -> None:
    library._cached.cache_clear()
    assert newcomer.get(f"/lab/reports/{name}/report.json").status_code == 200
    assert library._cached.cache_info().misses == 1


def test_pages_lead_to_the_laboratory(newcomer: Client, admin: Actor) -> None:
    for path in ("/", "/games/", "/rules/agram/"):
        assert 'href="/lab/' in newcomer.get(path).content.decode()


# -- ladders


def test_the_page_of_ladders_has_every_bot_of_every_ladder_best_first(newcomer: Client, db: None) -> None:
    page = newcomer.get("/lab/ladder/").content.decode()
    cards = re.findall(r'<li class="lab-card" id="([\w-]+)">(.*?)</li>', page, re.DOTALL)
    listed = {name: re.findall(r'<th scope="row">([^<]+)</th>', card) for name, card in cards}
    ladders = {
        path.parent.name: report_library.read_ladder(path.parent)
        for path in report_library.SHIPPED.glob("*/ladder.json")
    }
    assert (
        listed
        == {name: [row["bot"] for row in ladder["standings"]] for name, ladder in ladders.items() if ladder}
        != {}
    )


def test_why_a_bot_is_not_on_a_ladder_is_said_in_the_language_of_the_reader(newcomer: Client, db: None) -> None:
    english = newcomer.get("/lab/ladder/").content.decode()
    assert "Without strong: 1,000 roll-outs a decision take too long here." in english
    german = newcomer.get("/lab/ladder/", headers={"accept-language": "de"}).content.decode()
    slow = "1.000 Simulationen je Entscheidung dauern hier zu lange"
    assert german.count(slow) == english.count("strong: 1,000 ") > 0
    assert "take too long" not in german
    assert "outs a decision" not in english.replace("roll-outs a decision", ""), "as older files have it"


@pytest.mark.parametrize("text", ["", "[", "[]", "{}"])
def test_a_ladder_that_cannot_be_read_breaks_no_page(
    newcomer: Client, db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    for name in ("kuhn", "agram"):
        (tmp_path / name).mkdir()
        for file in (report_library.SHIPPED / name).iterdir():
            (tmp_path / name / file.name).write_bytes(file.read_bytes())
    (tmp_path / "kuhn" / report_library.LADDER).write_text(text)
    monkeypatch.setattr(report_library, "SHIPPED", tmp_path)
    assert newcomer.get("/lab/ladder/").status_code == 200
