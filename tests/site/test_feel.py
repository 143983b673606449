"""Measurements of a text while somebody views them; a hostile text harms nobody."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from cardsite.jobs.folder import JobFolder, JobState
from cardsite.workshop import measuring
from cardsite.workshop.feel import of_the_house
from games.core.texts import LARGEST
from games.lab.publish import REPORT
from games.lab.reports import OF_MANY
from tests.games.lab import faulty
from tests.games.recycle.test_numbers import TEXT
from tests.patience import PATIENCE, wait_for
from tests.site.conftest import Actor
from tests.site.reasons import NO_PAGE, why_refused
from tests.tiers import full

NOT_ASKED = "There is no such measurement."
LOOP = TEXT.replace("(end (all player 'P (== (size ('P iloc HAND)) 0)))", "(end (== 1 2))").replace(
    "(any ((current player) iloc HAND) 'C (move 'C (top (game vloc PILE))))", "(turn pass)"
)


@pytest.fixture(autouse=True)
def var(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of the site's own, and measurements of one step."""
    settings.VAR_DIR = tmp_path
    monkeypatch.setattr(measuring.queue, "cpu", 0.0)
    return tmp_path


@pytest.fixture
def asker(client: Client, db: None) -> Client:
    return client


def ask(asker: Client, **sent: object) -> dict[str, Any]:
    answer = asker.post("/workshop/feel/", {"source": TEXT, **sent}, "application/json")
    return {"status": answer.status_code, **answer.json()}


def felt(asker: Client, key: str, against: str = "") -> str:
    """Look until it has ended, and return the last piece of a page."""

    def whole() -> str:
        answer = asker.get(f"/workshop/feel/{key}/", {"against": against})
        assert answer.status_code == 200
        page = answer.content.decode()
        return "" if "data-later" in page else page

    return wait_for(whole)


def state_of(key: str) -> JobState | None:
    """Return the state of a measurement."""
    return JobFolder(measuring.folder_of_all() / key).state


def test_a_text_is_measured_with_intervals_and_charts(asker: Client) -> None:
    key = ask(asker)["key"]
    page = felt(asker, key)
    assert 'data-state="done"' in page
    assert "20 random matches" in page
    assert "Length" in page
    assert "6.000" in page  # three cards each
    chart = asker.get(f"/workshop/feel/{key}/branching.svg")
    assert chart["Content-Type"] == "image/svg+xml"
    assert why_refused(asker.get(f"/workshop/feel/{key}/nonsense.svg")) == "This report has no such chart."
    assert ask(asker)["key"] == key  # and is not measured again
    assert 'data-state="done"' in felt(asker, key)


def test_findings_stand_above_the_measures(asker: Client) -> None:
    page = felt(asker, ask(asker, source=faulty.NO_DECISIONS)["key"])
    assert "Nobody ever decides anything: 360 of 360 moves are forced." in page
    assert page.index('data-finding="no decisions"') < page.index('class="lab-table"')


@full
def test_the_page_says_where_only_some_options_were_examined(asker: Client) -> None:
    key = ask(asker)["key"]
    assert OF_MANY not in felt(asker, key)
    stored = measuring.folder_of_all() / key / REPORT
    made = json.loads(stored.read_text())
    stored.write_text(json.dumps({**made, "notes": [*made["notes"], OF_MANY]}))
    assert OF_MANY in felt(asker, key)


def test_a_changed_line_is_shown_with_its_interval(asker: Client) -> None:
    before = ask(asker)["key"]
    felt(asker, before)
    after = ask(asker, source=TEXT.replace("(declare 3", "(declare 5"))["key"]
    page = felt(asker, after, against=before)
    row = page[page.index("Length") :]
    assert "+4.000" in row[: row.index("</tr>")]
    assert "▲ more" in row[: row.index("</tr>")]


def test_a_text_is_compared_with_a_game_of_the_house(asker: Client) -> None:
    (kuhn,) = (each for each in of_the_house() if each["key"] == "kuhn")
    page = felt(asker, ask(asker)["key"], against=kuhn["key"])
    assert f"Difference from {kuhn['label']}" in page
    row = page[page.index("Length") :]
    assert "▼ less" in row[: row.index("</tr>")]


def test_what_is_published_is_measured_though_nobody_looks_and_the_section_says_so(
    host: Actor, newcomer: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = host.client.post("/workshop/save/", {"source": TEXT}, "application/json").json()
    monkeypatch.setattr(measuring.queue, "forgotten", -1.0)
    assert "Length 6" not in newcomer.get("/workshop/").content.decode()
    host.client.post(f"/workshop/{saved['code']}/publish/", {"number": saved["number"]})
    key = ask(newcomer)["key"]
    wait_for(lambda: state_of(key) == "done")
    page = newcomer.get("/workshop/").content.decode()
    assert "Length 6.000" in page
    assert "Fairness" in page


def test_a_range_of_a_named_number_gives_a_curve(asker: Client) -> None:
    page = felt(asker, ask(asker, number="HANDSIZE", low=1, high=4)["key"])
    assert 'data-state="done"' in page
    lengths = [f'<td class="lab-value">{2 * cards}.000' for cards in range(1, 5)]
    assert all(each in page for each in lengths)
    assert page.count("<polyline") >= 1


def test_the_number_of_players_gives_a_curve_however_many_were_asked_for(asker: Client) -> None:
    source = TEXT.replace("(declare 3", "(declare 2 'NUMP) (declare 3").replace("players 2)", "players 'NUMP)")
    page = felt(asker, ask(asker, source=source, seats=2, number="NUMP", low=2, high=3)["key"])
    assert 'data-state="done"' in page
    lengths = [f'<td class="lab-value">{3 * seats}.000' for seats in (2, 3)]  # three cards each
    assert all(each in page for each in lengths)


@pytest.mark.parametrize(
    ("sent", "status", "message"),
    [
        ({"source": ""}, 409, "no text yet"),
        ({"source": "x" * (LARGEST + 1)}, 413, "65536 characters"),
        ({"seats": 21}, 409, "1 to 20 players"),
        ({"seats": "2"}, 400, "seats must be a whole number from 1 to 1000000"),
        ({"source": 7}, 400, "source must be text"),
        ({"number": "HANDSIZE", "low": 1, "high": 1}, 409, "larger than its start"),
        ({"number": "HANDSIZE", "low": 1, "high": 10**5}, 409, "at most 1000"),
    ],
)
def test_what_cannot_be_measured_is_refused_at_once(
    asker: Client, sent: dict[str, object], status: int, message: str
) -> None:
    result = ask(asker, **sent)
    assert result["status"] == status
    assert message in result["text"]


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        ({"source": TEXT.replace("(setup", "(set<script>")}, "Line 6"),
        pytest.param({"seats": 7}, "takes 2 seats, not 7", marks=full),
        ({"number": "COLOURS", "low": 1, "high": 3}, "declares no number COLOURS. It has: HANDSIZE, LAST"),
        ({"source": TEXT.replace("(RANK (A", "(RANK (" + ", ".join("X" * n for n in range(1, 300)) + ", A")}, ""),
        pytest.param({"source": LOOP}, "too long", marks=full),
        pytest.param({"source": "(" * 30_000}, "Line 1", marks=full),
    ],
)
def test_what_is_wrong_with_a_text_is_said(asker: Client, sent: dict[str, object], message: str) -> None:
    page = felt(asker, ask(asker, **sent)["key"])
    assert message in page
    assert "<script" not in page
    assert "Traceback" not in page


def test_a_text_that_eats_memory_is_stopped(asker: Client) -> None:
    big = ", ".join(
        f"{'ABCDEFGHIJ'[i // 100 % 10]}{'ABCDEFGHIJ'[i // 10 % 10]}{'ABCDEFGHIJ'[i % 10]}" for i in range(1000)
    )
    text = TEXT.replace("(RANK (A, B, C, D, E, F, G, H))", f"(RANK ({big})) (SUIT ({big}))")
    page = felt(asker, ask(asker, source=text)["key"])
    assert 'data-state="failed"' in page
    assert "Traceback" not in page


@pytest.fixture
def forgetful(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring.queue, "cpu", 600.0)
    monkeypatch.setattr(measuring.queue, "forgotten", 0.5)


@pytest.mark.usefixtures("forgetful")
def test_when_nobody_looks_on_it_stops_and_can_go_on(asker: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    key = ask(asker)["key"]
    wait_for(lambda: state_of(key) not in ("waiting", "running"))
    assert state_of(key) == "stopped"
    monkeypatch.setattr(measuring.queue, "cpu", 0.0)
    monkeypatch.setattr(measuring.queue, "forgotten", 100.0)
    assert ask(asker)["key"] == key
    assert 'data-state="done"' in felt(asker, key)


@full
def test_the_last_request_does_not_wait_until_the_first_is_done(asker: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring.queue, "cpu", 600.0)
    monkeypatch.setattr(measuring.queue, "time_slice", 0.5)
    keys = [ask(asker, source=TEXT.replace("(declare 3", f"(declare {cards}"))["key"] for cards in (7, 8)]
    most = dict.fromkeys(keys, 0)
    deadline = time.monotonic() + PATIENCE
    while not all(most.values()) or most[keys[0]] <= 20:
        assert time.monotonic() < deadline, most
        for key in keys:
            result = measuring.look(key)
            assert result
            assert result[0] in ("waiting", "running"), result
            matches = result[1]["matches"] if result[1] else 0
            assert matches >= most[key]  # what has been reported is not taken back
            most[key] = matches
        time.sleep(0.05)
    monkeypatch.setattr(measuring.queue, "forgotten", 0.0)  # so that nothing goes on after the test
    for key in keys:
        wait_for(lambda key=key: state_of(key) == "stopped")  # type: ignore[misc]


@pytest.mark.parametrize(
    ("key", "reason"),
    [("nothing", NOT_ASKED), ("a" * 24, NOT_ASKED), ("..", NO_PAGE), ("%2e%2e", NO_PAGE)],
)
def test_there_is_nothing_where_nobody_has_asked(asker: Client, key: str, reason: str) -> None:
    assert why_refused(asker.get(f"/workshop/feel/{key}/")) == reason
