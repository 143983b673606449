"""Reports run by staff in the background, and lead histories of matches."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from cardsite.jobs.folder import ENDED, take
from cardsite.lab import services
from cardsite.lab.forms import MOST_MATCHES, MOST_ROLLOUTS, MOST_SEARCHED
from cardsite.lab.library import runs_folder
from cardsite.refusal import Refused
from games import catalogue
from games.__main__ import main
from games.core import FastChance
from games.lab import report_library
from games.lab.analyse import Analysis
from games.lab.leads import TooLong, lead, plan
from tests.patience import wait_for
from tests.running_site import RunningSite
from tests.site.conftest import Actor
from tests.site.reasons import NO_CSRF, NO_GAME, NO_PAGE, why_refused
from tests.site.visitor import Visitor, begin, play_on, two_at_a_table
from tests.tiers import full

QUICK = {"game": "kuhn", "seats": 2, "at_random": 3, "searched": 2, "rollouts": 1, "seed": "a seed"}
LONG = {"game": "expeditions", "seats": 2, "at_random": 500, "searched": MOST_SEARCHED, "rollouts": MOST_ROLLOUTS}
BUTTONS = ("cancel", "resume", "remove")


@pytest.fixture
def var(tmp_path: Path, settings: Any) -> Path:
    """A folder of the site's own."""
    settings.VAR_DIR = tmp_path
    return tmp_path


def states(visitor: Visitor) -> dict[int, dict[str, Any]]:
    return {run["number"]: run for run in visitor.get("/lab/runs/status.json").json["runs"]}


def start(visitor: Visitor, **fields: object) -> int:
    """Begin a report on a running site and return its number."""
    answer = visitor.post("/lab/runs/", **fields)
    assert answer.status == 302, answer.text
    return max(states(visitor))


@pytest.fixture
def long_run(administrator: Visitor) -> Iterator[int]:
    """A report that would take hours."""
    number = start(administrator, **LONG)
    yield number
    administrator.post(f"/lab/runs/{number}/cancel/")
    wait_for(lambda: states(administrator)[number]["state"] != "running")


# -- who may


@pytest.mark.parametrize("name", ["newcomer", "guest"])
def test_for_everybody_but_staff_there_are_no_such_pages(
    name: str, request: pytest.FixtureRequest, var: Path, db: None
) -> None:
    result = request.getfixturevalue(name)
    client = result.client if isinstance(result, Actor) else result
    assert why_refused(client.get("/lab/runs/")) == "Only administrators can run reports."
    assert why_refused(client.get("/lab/runs/status.json")) == "Only administrators can run reports."
    assert why_refused(client.post("/lab/runs/", QUICK)) == "Only administrators can run reports."
    for button in BUTTONS:
        assert why_refused(client.post(f"/lab/runs/1/{button}/")) == "Only administrators can run reports."
    assert not runs_folder().exists()
    assert "/lab/runs/" not in client.get("/lab/").content.decode()


def test_no_page_of_another_site_presses_a_button(admin: Actor, var: Path) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(admin.person.user)  # type: ignore[arg-type]
    assert why_refused(strict.post("/lab/runs/", QUICK)) == NO_CSRF
    for button in BUTTONS:
        assert why_refused(strict.post(f"/lab/runs/1/{button}/")) == NO_CSRF
    assert not runs_folder().exists()


@pytest.mark.parametrize("button", BUTTONS)
def test_a_button_is_not_pressed_by_looking(admin: Actor, var: Path, button: str) -> None:
    assert why_refused(admin.client.get(f"/lab/runs/1/{button}/")) == "only POST"


@pytest.mark.parametrize(
    "fields",
    [
        {"at_random": 0}, {"at_random": MOST_MATCHES + 1}, {"at_random": 10**30},
        {"at_random": "1e3"}, {"at_random": "-1"},
        {"searched": 0}, {"searched": MOST_SEARCHED + 1}, {"searched": ""}, {"rollouts": MOST_ROLLOUTS + 1},
        {"rollouts": "nan"}, {"seats": 1}, {"seats": 3}, {"seats": 10**100}, {"seed": "x" * 41}, {"seed": "\0"},
        {"game": "enchere", "seats": 3, "option_version": "../../secret"},
        {"game": "enchere", "seats": 3, "option_target": "9" * 90},
        {"game": "camelup", "seats": 2, "option_leg_first": "9,9,9,9,9,9,9,9"},
        {"game": "camelup", "seats": 2, "option_camels": "x" * 200},
    ],
)  # fmt: skip
def test_values_out_of_bounds_are_refused_and_nothing_is_started(
    admin: Actor, var: Path, fields: dict[str, Any]
) -> None:
    answer = admin.client.post("/lab/runs/", {**QUICK, **fields})
    assert answer.status_code == 400
    [(place, errors)] = answer.context["form"].errors.items()
    wrong = list(fields)[-1]
    assert place == wrong or (place, wrong.removeprefix("option_") in str(errors)) == ("__all__", True), errors
    assert not runs_folder().exists()


@pytest.mark.parametrize("game", ["nothing", "../kuhn", "kuhn.rcy", "games/recycle/library/kuhn.rcy", "x" * 10_000])
def test_a_game_is_found_by_its_name_in_a_provider_and_by_no_path(admin: Actor, var: Path, game: str) -> None:
    assert why_refused(admin.client.post("/lab/runs/", {**QUICK, "game": game})) == NO_GAME
    assert why_refused(admin.client.get("/lab/runs/", {"game": game})) == NO_GAME


def test_an_option_that_administrators_set_at_tables_cannot_be_set_here(admin: Actor, var: Path) -> None:
    """It would be in a report that everybody can read."""
    assert b"rigged" not in admin.client.get("/lab/runs/", {"game": "hamsterdam"}).content


def test_the_page_returns_to_the_game_whose_report_was_started_or_removed(
    admin: Actor, var: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "do_run", lambda *_: None)
    assert admin.client.post("/lab/runs/", QUICK).headers["Location"] == f"/lab/runs/?game={QUICK['game']}"
    removed = admin.client.post("/lab/runs/1/remove/?game=kuhn")
    assert removed.headers["Location"] == "/lab/runs/?game=kuhn"
    (runs_folder() / "1").mkdir(parents=True)
    (runs_folder() / "1" / services.ASKED).write_text('{"game": "agram", "seats": 2}')
    page = admin.client.get("/lab/runs/?game=hamsterdam").content.decode()
    assert 'action="/lab/runs/1/remove/?game=hamsterdam"' in page


@pytest.mark.parametrize(
    ("number", "result"),
    [("0", True), ("99", True), ("9" * 400, True), ("..%2f..", False), ("1%2f..%2f..", False), ("-1", False)],
)
def test_a_number_that_is_no_report_removes_nothing(admin: Actor, var: Path, number: str, result: bool) -> None:
    (var / "secret.key").write_text("x")
    runs_folder().mkdir()
    (runs_folder() / "notes").mkdir()
    for button in BUTTONS:
        answer = admin.client.post(f"/lab/runs/{number}/{button}/")
        assert answer.status_code == 302 if result else why_refused(answer) == NO_PAGE
    assert (var / "secret.key").exists()
    assert (runs_folder() / "notes").exists()


def test_no_more_reports_are_kept_than_a_disk_can_hold(admin: Actor, var: Path) -> None:
    for number in range(services.MAX_REPORTS):
        (runs_folder() / str(number + 1)).mkdir(parents=True)
    answer = admin.client.post("/lab/runs/", QUICK)
    assert answer.status_code == 400
    assert "Remove one" in answer.content.decode()


# -- on a running site


def test_a_report_is_made_in_the_background_and_shown_to_everybody(site: RunningSite, administrator: Visitor) -> None:
    number = start(administrator, **QUICK)
    done = wait_for(lambda: states(administrator)[number]["state"] == "done" and states(administrator)[number])
    assert done["done"] == done["total"] == 3 + 2 + 2
    anybody = Visitor(site)
    report = anybody.get(f"/lab/reports/run-{number}/report.json").json
    assert (report["game"], report["matches"], report["search_matches"], report["rollouts"]) == ("kuhn", 3, 2, 1)
    assert report["seed"] == "a seed"
    assert f"/lab/reports/run-{number}/" in anybody.get("/lab/").text
    assert anybody.get(f"/lab/reports/run-{number}/decisions.csv").body.startswith(b"match,decision")
    assert not (site.folder / "var" / "lab" / str(number) / "matches").exists(), "what is done needs them no more"
    administrator.post(f"/lab/runs/{number}/remove/")
    assert number not in states(administrator)
    assert anybody.get(f"/lab/reports/run-{number}/").status == 404


@full
def test_one_report_at_a_time_and_a_button_stops_it_at_once(
    site: RunningSite, administrator: Visitor, long_run: int
) -> None:
    answer = administrator.post("/lab/runs/", **QUICK)
    assert answer.status == 400
    assert "Another report is already running" in answer.text
    worker = wait_for(lambda: laboratory(site))
    assert os.getpriority(os.PRIO_PROCESS, worker) == 19, "it stands behind everything else"
    administrator.post(f"/lab/runs/{long_run}/remove/")
    assert states(administrator)[long_run]["state"] == "running", "it is cancelled first"
    administrator.post(f"/lab/runs/{long_run}/cancel/")
    wait_for(lambda: states(administrator)[long_run]["state"] == "cancelled")
    assert not alive(worker)
    number = start(administrator, **QUICK)
    wait_for(lambda: states(administrator)[number]["state"] == "done")


def laboratory(site: RunningSite) -> int:
    """Return the process that makes a report for a site, 0 while there is none at work."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
                nice = os.getpriority(os.PRIO_PROCESS, int(entry.name))
            except OSError:
                continue
            if parent == site.pid and nice == 19:
                return int(entry.name)
    return 0


def alive(pid: int) -> bool:
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False


@full
def test_a_site_that_went_down_meanwhile_says_so_and_goes_on(tmp_path: Path) -> None:
    site = RunningSite(tmp_path)
    with site.running() as printed:
        boss = Visitor(site)
        password = re.search(r"Password:\s+(\S+)", printed)
        assert password
        assert boss.post("/admin/login/", username="admin", password=password[1]).status == 302
        number = start(boss, **{**LONG, "game": "bundles", "seats": 2, "rollouts": 20})
        lines = site.folder / "var" / "lab" / str(number) / "matches" / "search.jsonl"
        wait_for(lambda: lines.exists() and lines.read_text().count("\n") >= 2)
        worker = laboratory(site)
        site.restart()
        wait_for(lambda: not alive(worker))
        assert states(boss)[number]["state"] == "interrupted"
        assert "interrupted, because the site stopped" in boss.get("/lab/runs/").text
        kept = lines.read_text().count("\n")
        boss.post(f"/lab/runs/{number}/resume/")
        wait_for(lambda: lines.read_text().count("\n") > kept)
        assert states(boss)[number]["state"] == "running"
        assert [json.loads(line)["index"] for line in lines.read_text().splitlines()[:kept]] == list(range(kept))


def test_a_report_whose_rules_have_changed_meanwhile_fails_and_says_why(admin: Actor, var: Path) -> None:
    analysis = Analysis.checked(catalogue.find("kuhn"), 2, {}, "1", 1)
    number = services.do_run(analysis, 1, 1)
    folder = runs_folder() / str(number)
    wait_for(lambda: (folder / ENDED).exists())
    assert json.loads((folder / ENDED).read_text()) == {"how": "done"}
    wait_for(lambda: services.running() is None)
    (folder / "report.json").unlink()
    settings = json.loads((folder / "settings.json").read_text())
    (folder / "settings.json").write_text(json.dumps({**settings, "rules": "0"}))
    services.do_resume(number)
    wait_for(lambda: (folder / ENDED).exists())
    page = admin.client.get("/lab/runs/").content.decode()
    assert "other settings: rules" in page
    wait_for(lambda: services.running() is None)


def test_a_report_that_another_process_starts_just_before_keeps_its_number(
    var: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def take_later(path: Path) -> Any:
        (runs_folder() / "1").mkdir()  # the other process had the lock until now, and its report has ended
        return take(path)

    monkeypatch.setattr(services, "take", take_later)
    monkeypatch.setattr(services, "_begin", lambda *_: None)
    analysis = Analysis.checked(catalogue.find("kuhn"), 2, {}, "1", 1)
    assert services.do_run(analysis, 1, 1) == 2


def test_a_finished_report_cannot_be_resumed_or_cancelled(var: Path) -> None:
    folder = runs_folder() / "1"
    folder.mkdir(parents=True)
    (folder / services.ASKED).write_text("{}")
    (folder / "report.json").write_text("{}")
    with pytest.raises(Refused, match="finished"):
        services.do_resume(1)
    with pytest.raises(Refused, match="not running"):
        services.do_cancel(1)
    services.do_remove(1)
    assert not folder.exists()


@pytest.mark.parametrize("asked", ["", "{", "[]", "{}", '{"game": "gone", "at": 1}', '{"game": 7, "seats": []}'])
def test_an_invalid_folder_breaks_no_page(admin: Actor, var: Path, asked: str) -> None:
    folder = runs_folder() / "1"
    folder.mkdir(parents=True)
    (folder / services.ASKED).write_text(asked)
    (folder / ENDED).write_text("[")
    assert admin.client.get("/lab/runs/").status_code == 200
    assert admin.client.post("/lab/runs/1/resume/").status_code == 302
    assert services.running() is None


# -- lead histories


def played_out(site: RunningSite, sealed: bool) -> tuple[int, Visitor, Visitor]:
    """Return a match that two have played to its end at a public table."""
    code, host, guest = two_at_a_table(site, sealed=sealed)
    with host.connect(code) as one, guest.connect(code) as two:
        match = begin(code, host, one, two)
        play_on([one, two])
    return match, host, guest


@pytest.fixture(scope="module")
def sealed_match(site: RunningSite) -> int:
    return played_out(site, sealed=True)[0]


def test_a_lead_history_is_computed_once_for_all_requests(site: RunningSite, sealed_match: int) -> None:
    anybody, path = Visitor(site), f"/lab/leads/{sealed_match}/"
    assert anybody.get(path).json == {"ok": True, "state": "none", "lead": None}
    assert anybody.post(path).json["state"] == "working"
    result = wait_for(lambda: anybody.get(path).json["state"] == "done" and anybody.get(path).json["lead"])
    assert Visitor(site).post(path).json["lead"] == result, "it is kept"
    record = anybody.get(f"/replay/{sealed_match}/record.json").json
    game = catalogue.find(record["game"])
    assert result == lead(game, record["seats"], record["options"], bytes.fromhex(record["seed"]), record["moves"])
    assert result["points"][-1] == len(record["moves"])
    best = max(each["share"] for each in record["result"])
    winners = [seat for seat, each in enumerate(record["result"]) if each["share"] == best]
    assert [seat for seat, line in enumerate(result["lines"]) if line[-1] == 1] == winners


def test_the_lead_history_of_a_running_match_is_sent_to_nobody(site: RunningSite, administrator: Visitor) -> None:
    code, host, guest = two_at_a_table(site)
    with host.connect(code) as one, guest.connect(code) as two:
        match = begin(code, host, one, two)
        for visitor in (host, guest, Visitor(site), administrator):
            assert visitor.get(f"/lab/leads/{match}/").status == 404
            assert visitor.post(f"/lab/leads/{match}/").status == 404
            assert '"lead": ""' in visitor.get(f"/replay/{match}/").text


def test_where_hands_stay_private_only_administrators_see_them(site: RunningSite, administrator: Visitor) -> None:
    """What somebody expected reveals something of the hand that they held."""
    match, host, guest = played_out(site, sealed=False)
    for visitor in (host, guest, Visitor(site)):
        assert visitor.get(f"/lab/leads/{match}/").status == 404
        assert visitor.post(f"/lab/leads/{match}/").status == 404
        page = visitor.get(f"/replay/{match}/").text
        assert '"lead": ""' in page
        assert '"record": ""' in page
        assert visitor.get(f"/replay/{match}/record.json").status == 404
    assert administrator.post(f"/lab/leads/{match}/").json["ok"]
    assert '"lead": "/lab/leads/' in administrator.get(f"/replay/{match}/").text


def test_a_match_that_is_not_theirs_to_see_has_no_lead_history_for_strangers(site: RunningSite) -> None:
    host = Visitor(site, "Hostess")
    code = host.open_table("me", "house", public=False, sealed=True)
    with host.connect(code) as one:
        match = begin(code, host, one)
        play_on([one])
    assert Visitor(site).get(f"/lab/leads/{match}/").status == 404
    assert Visitor(site).post(f"/lab/leads/{match}/").status == 404
    assert Visitor(site).get(f"/lab/leads/{match}/?table={code}").json["ok"]


def test_how_much_is_looked_at_is_bounded_however_long_a_match_is() -> None:
    from games.lab.leads import EFFORT, FEWEST_POINTS, FEWEST_ROLLOUTS, MOST_POINTS, MOST_ROLLOUTS

    refused = False
    for plies in (1, 2, 11, 12, 13, 48, 60, 61, 200, 500, 1000, 3000, 5000, 10_000, 1_000_000):
        try:
            points, rollouts = plan(plies)
        except TooLong:
            refused = True
            continue
        assert not refused, "what is longer is refused, too"
        assert rollouts * sum(plies - point for point in points) <= EFFORT
        assert min(plies, FEWEST_POINTS) <= len(points) <= MOST_POINTS
        assert FEWEST_ROLLOUTS <= rollouts <= MOST_ROLLOUTS
        assert points[0] == 0
        assert points[-1] < plies
    assert refused


def test_hidden_cards_do_not_change_the_expectation_of_the_mover() -> None:
    """Before the first move of Kuhn Poker the other card is unknown: two deals that look alike to seat 0 do so here."""
    game = catalogue.find("kuhn")
    chance = FastChance("x")
    firsts: dict[str, set[tuple[float | None, ...]]] = {}
    from games.core import SealedChance
    from games.core.match import Match
    from games.lab.leads import _estimate

    for number in range(24):
        match = Match.start(game, 2, {}, SealedChance(bytes([number]) * 32))
        seat = match.to_act()[0]
        move = match.legal_moves(seat)[0]
        result = _estimate(match, seat, move, 20, FastChance("the same"))
        firsts.setdefault(repr(match.view(seat)), set()).add(tuple(result or ()))
    assert chance is not None
    assert 1 < len(firsts) < 24
    assert all(len(result) == 1 for result in firsts.values())


# -- a match as a file


def test_a_match_taken_home_is_replayed_and_analysed_by_the_command_line(
    site: RunningSite, sealed_match: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = Visitor(site).get(f"/replay/{sealed_match}/record.json")
    assert "attachment" in answer.headers["Content-Disposition"]
    path = tmp_path / "match.json"
    path.write_bytes(answer.body)
    assert {*answer.json} == {"game", "rules", "seats", "options", "seed", "moves", "names", "result"}
    assert main(["replay", str(path), "--open"]) == 0
    printed = capsys.readouterr().out
    scores = ", ".join(
        f"{name} {each['score']:g}" for name, each in zip(answer.json["names"], answer.json["result"], strict=True)
    )
    assert f"Scores: {scores}" in printed
    assert "another result" not in printed
    assert main(["lead", str(path), "--out", str(tmp_path / "lead.svg")]) == 0
    output = capsys.readouterr().out
    assert f"{len(answer.json['moves']):>5}  " in output
    assert (tmp_path / "lead.svg").read_text().startswith("<svg")


def test_a_record_of_the_command_line_has_the_same_form_as_the_sites(
    site: RunningSite, sealed_match: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "match.json"
    assert main(["record", "hamsterdam", "house", "random", "--out", str(path)]) == 0
    made = json.loads(path.read_text())
    theirs = Visitor(site).get(f"/replay/{sealed_match}/record.json").json
    assert {*made} == {*theirs}
    assert main(["replay", str(path)]) == 0
    capsys.readouterr()
    made["result"][0]["score"] += 1
    path.write_text(json.dumps(made))
    assert main(["replay", str(path)]) == 0
    assert "The record has another result" in capsys.readouterr().out


@pytest.mark.parametrize(
    "result", [7, [], [{}], [{"score": "1", "share": 0}] * 2, [{"score": float("nan"), "share": 0}] * 2]
)
def test_a_result_that_is_none_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], result: Any) -> None:
    path = tmp_path / "match.json"
    assert main(["record", "hamsterdam", "house", "random", "--out", str(path)]) == 0
    path.write_text(json.dumps({**json.loads(path.read_text()), "result": result}))
    assert main(["replay", str(path)]) == 2
    assert "The result of a record" in capsys.readouterr().err
    assert report_library.SHIPPED.is_dir()
