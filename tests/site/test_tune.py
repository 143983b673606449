"""The search for the numbers of a text, in the workshop: for its author, in the background, and the next version."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from cardsite.workshop import tune
from cardsite.workshop.models import Text, Version
from tests.games.lab.test_tuning import BONUS
from tests.patience import wait_for
from tests.site.conftest import Actor
from tests.site.reasons import why_refused
from tests.site.test_feel import state_of
from tests.tiers import full

FAIR, LENGTH = ["fair", 0, 0.1], ["length", 4, 0.4]


@pytest.fixture(autouse=True)
def var(tmp_path: Path, settings: Any) -> Path:
    """A folder of the site's own."""
    settings.VAR_DIR = tmp_path
    return tmp_path


@pytest.fixture
def saved(host: Actor) -> dict[str, Any]:
    answer = post(host.client, "/workshop/save/", source=BONUS)
    assert answer["ok"]
    return {"code": answer["code"], "number": answer["number"]}


def post(client: Client, path: str, **sent: object) -> dict[str, Any]:
    answer = client.post(path, sent, "application/json")
    return {"status": answer.status_code, **answer.json()}


def found_by(client: Client, url: str) -> str:
    """Look until it has ended, and return the last piece of a page."""

    def whole() -> str:
        answer = client.get(url)
        assert answer.status_code == 200
        page = answer.content.decode()
        return "" if "data-later" in page else page

    return wait_for(whole)


def rows(page: str) -> list[str]:
    return re.findall(r"<tr[ >].*?</tr>", page, re.DOTALL)[1:]


def test_the_author_is_offered_the_numbers_and_the_goals(host: Actor, saved: dict[str, Any]) -> None:
    page = host.client.get(f"/workshop/{saved['code']}/").content.decode()
    assert 'id="tune"' in page
    assert "/workshop/tune/numbers/" in page
    answer = post(host.client, "/workshop/tune/numbers/", **saved)
    named = [each for each in answer["numbers"] if ":" not in each["name"]]
    assert [(each["name"], each["value"], each["low"], each["high"]) for each in named] == [
        ("BONUS", 12, 6, 24), ("TURNS", 4, 2, 8),
    ]  # fmt: skip
    assert [each["name"] for each in answer["goals"]][:3] == ["fair", "length", "minutes"]


def test_candidates_are_shown_with_intervals_and_curves_and_one_becomes_the_next_version(
    host: Actor, saved: dict[str, Any]
) -> None:
    asked = {**saved, "vary": [["BONUS", 0, 12]], "goals": [FAIR, LENGTH], "seats": None, "seconds": None}
    url = post(host.client, "/workshop/tune/", **asked)["url"]
    page = found_by(host.client, url)
    assert 'data-state="done"' in page
    assert len(rows(page)) == 7
    first = rows(page)[0]
    assert 'class="tuned-best"' in first
    found = int(re.search(r'data-values="BONUS=(\d+)"', first)[1])  # type: ignore[index]
    assert abs(found - 4) <= 2
    assert " … " in first
    (now,) = (row for row in rows(page) if ">now<" in row)
    assert "data-values" not in now
    assert "missed" in now
    curves = re.findall(r'<img src="([^"]+)"', page)
    assert len(curves) == 2
    for curve in curves:
        answer = host.client.get(curve.replace("&amp;", "&"))
        assert answer["Content-Type"] == "image/svg+xml"
        assert "BONUS" in answer.content.decode()
    german = host.client.get(curves[0].partition("?")[0], {"in": "de"}).content.decode()
    assert "Bonus, 2 Personen: Vorteil eines Platzes" in german
    made = post(host.client, "/workshop/tune/make/", **saved, values={"BONUS": found})
    assert (made["ok"], made["number"]) == (True, 2)
    version = Version.objects.get(text__code=saved["code"], number=2)
    assert version.source == BONUS.replace("(declare 12", f"(declare {found}")
    assert version.playable
    assert post(host.client, "/workshop/tune/", **asked)["url"] == url, "the same search is made once"


def test_a_text_that_was_changed_since_is_not_overwritten(host: Actor, saved: dict[str, Any]) -> None:
    other = BONUS.replace("(declare 4 'TURNS)", "(declare 6 'TURNS)")
    post(host.client, "/workshop/save/", source=other, code=saved["code"], base=1)
    made = post(host.client, "/workshop/tune/make/", **saved, values={"BONUS": 4})
    assert (made["ok"], made["code"]) == (False, "not_latest")
    assert "as version 2" in made["text"]
    assert Text.objects.get(code=saved["code"]).latest == 2


@pytest.mark.parametrize("path", ["/workshop/tune/", "/workshop/tune/numbers/", "/workshop/tune/make/"])
def test_only_the_author_may(path: str, guest: Actor, newcomer: Client, admin: Actor, saved: dict[str, Any]) -> None:
    asked = {**saved, "vary": [["BONUS", 0, 12]], "goals": [FAIR], "values": {"BONUS": 4}}
    for client in (guest.client, newcomer, admin.client):
        answer = post(client, path, **asked)
        assert (answer["ok"], answer["code"]) == (False, "not_yours")
        assert 'id="tune"' not in client.get(f"/workshop/{saved['code']}/").content.decode()
    assert Version.objects.filter(text__code=saved["code"]).count() == 1


@pytest.mark.parametrize(
    ("sent", "status", "message"),
    [
        ({"vary": []}, 409, "Choose at least one number and one goal"),
        ({"goals": []}, 409, "Choose at least one number and one goal"),
        ({"vary": [["BONUS", 0]]}, 400, "vary must be rows of a name and two numbers"),
        ({"vary": [["BONUS", 0, "9"]]}, 400, "vary must be rows of a name and two numbers"),
        ({"goals": [["fair", 0, float("inf")]]}, 400, "goals must be rows of a name and two numbers"),
        ({"vary": [["BONUS", 0, 12]] * 7}, 413, "Choose at most 6"),
        ({"seats": 3}, 409, "for 2 to 2 players"),
        ({"code": "aaaaaaaa"}, 409, "no such game"),
        ({"number": 9}, 409, "no version 9"),
    ],
)
def test_what_cannot_be_searched_is_refused_at_once(
    sent: dict[str, Any], status: int, message: str, host: Actor, saved: dict[str, Any]
) -> None:
    asked = {**saved, "vary": [["BONUS", 0, 12]], "goals": [FAIR], **sent}
    answer = post(host.client, "/workshop/tune/", **asked)
    assert answer["status"] == status
    assert message in answer["text"]


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        ({"vary": [["NOTHING", 0, 12]]}, "no number &#x27;NOTHING&#x27; that can be varied"),
        ({"goals": [["beauty", 0, 1]]}, "There is no goal &#x27;beauty&#x27;"),
        ({"goals": [["minutes", 15, 1]]}, "needs the seconds that people take"),
    ],
)
def test_what_is_wrong_with_a_search_is_said(
    sent: dict[str, Any], message: str, host: Actor, saved: dict[str, Any]
) -> None:
    asked = {**saved, "vary": [["BONUS", 0, 12]], "goals": [FAIR], **sent}
    page = found_by(host.client, post(host.client, "/workshop/tune/", **asked)["url"])
    assert 'data-state="failed"' in page
    assert message in page


def test_what_is_wrong_with_a_search_is_said_in_the_language_of_the_author(host: Actor, saved: dict[str, Any]) -> None:
    host.client.defaults["HTTP_ACCEPT_LANGUAGE"] = "de"
    asked = {**saved, "vary": [["BONUS", 0, 2_000_000]], "goals": [FAIR]}
    page = found_by(host.client, post(host.client, "/workshop/tune/", **asked)["url"])
    assert "Der Bereich von BONUS muss aufsteigen, von mindestens 0 bis höchstens 1.000.000." in page


def test_what_is_wrong_with_the_text_is_said_in_the_language_of_the_author(host: Actor) -> None:
    saved = post(host.client, "/workshop/save/", source="(game")
    asked = {"code": saved["code"], "number": saved["number"], "vary": [["BONUS", 0, 12]], "goals": [FAIR]}
    host.client.defaults["HTTP_ACCEPT_LANGUAGE"] = "nl"
    page = found_by(host.client, post(host.client, "/workshop/tune/", **asked)["url"])
    assert 'data-state="failed"' in page
    assert "Regel 1, kolom 1:" in page
    assert "never closed" not in page


@pytest.mark.parametrize("values", [{"BONUS": -1}, {"BONUS": "4"}, {"BONUS": True}, [4], None, {"BONUS": 10**12}])
def test_what_are_no_values_is_refused(values: object, host: Actor, saved: dict[str, Any]) -> None:
    answer = post(host.client, "/workshop/tune/make/", **saved, values=values)
    assert "values must give a whole number for each name" in answer["text"]
    answer = post(host.client, "/workshop/tune/make/", **saved, values={"NOTHING": 4})
    assert "no number 'NOTHING' that can be varied" in answer["text"]


def test_candidates_without_a_game_have_their_reason_and_no_button(host: Actor, saved: dict[str, Any]) -> None:
    source = BONUS.replace("players 2", "players 'MANY").replace("(game\n", "(game\n  (declare 2 'MANY)\n", 1)
    number = post(host.client, "/workshop/save/", source=source, code=saved["code"], base=1)["number"]
    asked = {**saved, "number": number, "vary": [["MANY", 0, 2]], "goals": [LENGTH]}
    page = found_by(host.client, post(host.client, "/workshop/tune/", **asked)["url"])
    (row,) = (row for row in rows(page) if "no game:" in row)
    assert "data-values" not in row
    assert "Line " in row
    host.client.defaults["HTTP_ACCEPT_LANGUAGE"] = "nl"
    assert "Regel " in found_by(host.client, post(host.client, "/workshop/tune/", **asked)["url"])


@full
def test_when_nobody_looks_on_it_stops_and_can_go_on(
    host: Actor, saved: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tune.queue, "forgotten", 0.3)
    asked = {**saved, "vary": [["BONUS", 0, 12], ["TURNS", 2, 9]], "goals": [FAIR]}
    key = post(host.client, "/workshop/tune/", **asked)["key"]
    wait_for(lambda: state_of(key) == "stopped")
    monkeypatch.setattr(tune.queue, "forgotten", 1000.0)
    monkeypatch.setattr(tune.queue, "cpu", 5.0)
    url = post(host.client, "/workshop/tune/", **asked)["url"]
    page = found_by(host.client, url)
    assert 'data-state="done"' in page
    assert "computing time is used up" in page


@pytest.mark.parametrize("path", ["/workshop/tune/nothing/", "/workshop/tune/nothing/curve-fair.svg"])
def test_there_is_nothing_where_nobody_has_asked(path: str, client: Client, db: None) -> None:
    assert why_refused(client.get(path)) in ("There is no such search.", "There is no such curve.")
