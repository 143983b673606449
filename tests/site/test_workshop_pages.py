"""The workshop over HTTP: texts of strangers are kept, judged and shown, and nothing of them is believed."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from cardsite.limits import LIMITS
from cardsite.lobby.models import Table
from cardsite.people.models import Person
from cardsite.refusal import Refused
from cardsite.table.models import Match
from cardsite.workshop import services, trial
from cardsite.workshop.models import Like, Report, Text, Version
from cardsite.workshop.sandbox import Sandbox
from cardsite.workshop.site_games import measured
from cardsite.workshop.trial import Trial
from cardsite.workshop.views import in_words
from games import catalogue
from games.core.messages import NONE, message
from games.recycle.game import RecycleGame
from tests.site.conftest import Actor, boss
from tests.site.hostile_texts import SCRIPT, UNKEPT, UNPLAYED, library, small
from tests.site.reasons import NO_CSRF, NO_GAME, why_refused
from tests.site.stored_texts import GOOD, keep
from tests.site.test_limits import limited
from tests.tiers import full

__all__ = ["limited"]  # a fixture

SAVE, TRY = "/workshop/save/", "/workshop/try/"


def ask(client: Client, path: str, **asked: object) -> Any:
    """Send a JSON object as the editor does, and return the answer."""
    return client.post(path, json.dumps(asked), content_type="application/json")


def save(actor: Actor, source: str, table: str = "", **asked: object) -> Version:
    """Save a text as the editor does, and return the version."""
    answer = ask(actor.client, SAVE, source=source, table=table, **asked)
    assert answer.status_code == 200, answer.content
    saved = answer.json()
    return Version.objects.get(text__code=saved["code"], number=saved["number"])


@pytest.fixture
def shown(host: Actor) -> Version:
    """A game of the host's that can be played, published."""
    version = keep(host, small())
    services.do_publish(host.person, version.text.code, 1)
    return version


# -- saving


def test_a_newcomer_saves_a_game_and_is_a_guest_who_has_it(newcomer: Client, db: None) -> None:
    answer = ask(newcomer, SAVE, code=None, source=small(), table="", base=None).json()
    text = Text.objects.get()
    assert answer == {
        "ok": True, "code": text.code, "number": 1, "url": f"/workshop/{text.code}/", "title": "Pick or Drop",
        "playable": True, "why": "",
    }  # fmt: skip
    assert text.owner == Person.objects.get()
    again = ask(newcomer, SAVE, code=text.code, source=small("Other"), table="", base=1).json()
    assert (again["number"], again["title"]) == (2, "Other")
    same = ask(newcomer, SAVE, code=text.code, source=small("Other"), table="", base=2).json()
    assert (same["number"], Version.objects.count()) == (2, 2)
    late = ask(newcomer, SAVE, code=text.code, source=small("Third"), table="", base=1)
    assert (late.status_code, late.json()["code"]) == (409, "not_latest")


@pytest.mark.parametrize("name", ["agram", "golf-patience", "kuhn"])
def test_games_of_the_library_pass_their_trial(name: str, host: Actor) -> None:
    version = save(host, *library(name))
    assert (version.playable, version.why) == (True, "")
    assert version.min_seats >= 1


@pytest.mark.parametrize("what", UNKEPT)
def test_what_cannot_be_kept_is_refused_with_a_sentence(what: str, host: Actor) -> None:
    source, why = UNKEPT[what]
    answer = ask(host.client, SAVE, source=source, table="")
    assert answer.status_code in (409, 413)
    assert why in answer.json()["text"]
    assert not Text.objects.exists()


def test_what_is_hostile_is_kept_with_why_it_is_not_played(host: Actor) -> None:
    for what, (source, why) in UNPLAYED.items():
        Text.objects.all().delete()
        version = save(host, source)
        assert (what, version.playable) == (what, False)
        assert why in version.why, what
        assert len(version.why) < 3000, what
        tried = ask(host.client, TRY, code=version.text.code, number=1)
        assert (tried.status_code, tried.json()["code"]) == (409, "not_playable"), what
        assert why in tried.json()["text"], what
        page = host.client.get(f"/workshop/{version.text.code}/")
        assert "cannot be played yet" in page.content.decode(), what
    assert not Table.objects.exists()


@full
def test_a_trial_that_takes_too_much_costs_its_process_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    own = Sandbox(processes=1, waiting=0, seconds=0.5)
    monkeypatch.setattr(trial, "_trials", own)
    much = small(stage="(do (" + "(set (game sto N) 1)" * 2000 + "))").replace("2 .. 3", "2 .. 20")
    try:
        found = trial.trial(much, "")
        assert (found.ok, found.heavy) == (False, True)
        assert "takes too long" in found.why
        assert trial.trial(small()[:-3], "").why.startswith("game.rcy")  # another process answers
    finally:
        own.close()


def test_a_visitor_who_has_texts_tried_that_take_too_much_has_to_wait(
    host: Actor, monkeypatch: pytest.MonkeyPatch, limited: None
) -> None:
    heavy = trial.Trial(False, message("This takes too long to compute."), heavy=True)
    monkeypatch.setattr(services, "trial", lambda *asked: heavy)
    most = LIMITS["heavy"].amount
    answers = [ask(host.client, SAVE, source=f"({n})", table="") for n in range(most + 2)]
    assert [answer.status_code for answer in answers] == [200] * most + [429] * 2
    assert answers[-1].json()["code"] == "slow_down"
    assert Version.objects.filter(playable=False).count() == most


NO_TEXT = "There is no such game in the workshop. It may have been removed."
NO_OBJECT = [b"", b"[]", b"{", b'"x"', b"[" * 5000, b"\xff"]
GARBAGE = [
    *((path, body, "bad_request") for path in (SAVE, TRY) for body in NO_OBJECT),
    (SAVE, b'{"source": 1}', "bad_request"),
    (SAVE, b'{"source": "x", "code": {}}', "bad_request"),
    (SAVE, b'{"source": "x", "base": 1e99}', "bad_request"),
    (SAVE, b'{"source": "x", "base": true}', "bad_request"),
    (SAVE, b'{"source": "x", "code": "\\u0000"}', "not_yours"),
    (SAVE, b'{"source": "x", "code": "\\ud800"}', "not_yours"),
    (TRY, b'{"code": {}, "number": 1}', "bad_request"),
    (TRY, b'{"code": "abcdefgh", "number": -1}', "no_text"),
    (TRY, b'{"code": "\\u0000", "number": 1}', "no_text"),
    (TRY, b'{"code": "\\ud800", "number": 1}', "no_text"),
    (TRY, b'{"code": "abcdefgh", "number": 99999999999999999999999}', "no_text"),
]


@pytest.mark.parametrize(("path", "body", "code"), GARBAGE)
def test_garbage_is_refused(path: str, body: bytes, code: str, host: Actor) -> None:
    answer = host.client.post(path, body, content_type="application/json")
    assert why_refused(answer) == code
    assert not Text.objects.exists()


@pytest.mark.parametrize("path", [SAVE, TRY, *(f"/workshop/{one}/" for one in ("check", "look", "picture", "feel"))])
def test_a_form_is_refused_where_json_is_expected(path: str, host: Actor) -> None:
    strict = Client(enforce_csrf_checks=True)  # the check looks for its token in the form, so it reads the body first
    strict.cookies = host.client.cookies
    strict.cookies["csrftoken"] = "0123456789abcdef0123456789abcdef"
    answer = strict.post(path, {"source": "x"}, headers={"X-CSRFToken": strict.cookies["csrftoken"].value})
    assert answer.status_code == 400
    assert answer.json()["code"] == "bad_request"


def test_no_other_site_saves_or_tries_in_somebodys_name(host: Actor, shown: Version) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = host.client.cookies
    for path in (SAVE, TRY, *(f"/workshop/{shown.text.code}/{what}/" for what in (
        "play", "fork", "publish", "unpublish", "withdraw", "like", "report", "judge"))):  # fmt: skip
        assert why_refused(ask(strict, path, source="x", code=shown.text.code)) == NO_CSRF, path
    assert Text.objects.count() == 1


def test_a_visitor_who_saves_again_and_again_has_to_wait(
    host: Actor, limited: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "trial", lambda *asked: GOOD)
    answers = [ask(host.client, SAVE, source=f"({n})", table="") for n in range(32)]
    assert {answer.status_code for answer in answers[:10]} == {200}
    assert why_refused(answers[-1]) == "slow_down"
    assert Text.objects.count() == services.GUEST.texts


# -- trying


def test_it_is_tried_out_at_once_at_a_private_table_with_searching_bots(host: Actor, shown: Version) -> None:
    answer = ask(host.client, TRY, code=shown.text.code, number=1, seats=3).json()
    table = Table.objects.get()
    assert answer == {"ok": True, "url": f"/t/{table.code}/"}
    assert (table.game, table.public, table.sealed, table.status) == (shown.game, False, False, "playing")
    assert [(seat.person, seat.bot) for seat in table.seats.all()] == [
        (host.person, ""), (None, "strong"), (None, "strong")
    ]  # fmt: skip
    assert Match.objects.get().status == Match.Status.RUNNING
    assert Text.objects.get().plays == 0
    Match.objects.update(status="over")
    Table.objects.update(status="over")
    ask(host.client, TRY, code=shown.text.code, number=1, seats=2, bots="easy")
    assert Table.objects.get(pk=table.pk).status == Table.Status.CLOSED  # the one before
    assert [seat.bot for seat in Table.objects.latest("pk").seats.all()] == ["", "easy"]


def test_what_a_game_does_not_take_is_refused(host: Actor, guest: Actor, shown: Version) -> None:
    for asked, status, text in (({"seats": 4}, 409, "2 to 3 seats"), ({"seats": 1}, 409, "2 to 3 seats"),
                                ({"bots": "house"}, 409, "Bots must be"), ({"number": 7}, 409, "no version 7"),
                                ({"seats": 10**6}, 409, "2 to 3 seats"), ({"seats": "x"}, 400, "seats must be"),
                                ({"number": -1}, 400, "number must be")):  # fmt: skip
        answer = ask(host.client, TRY, **{"code": shown.text.code, "number": 1, **asked})
        assert answer.status_code == status
        assert text in answer.json()["text"]
    services.do_hide([shown.text_id], True, boss())
    for actor, code in ((host, "no_game"), (guest, "no_text")):
        assert why_refused(ask(actor.client, TRY, code=shown.text.code, number=1)) == code
    assert not Table.objects.exists()


# -- reading


def test_the_editor_reads_a_version(host: Actor, guest: Actor, shown: Version) -> None:
    for actor, own in ((host, True), (guest, False)):
        saved = actor.client.get(f"/workshop/{shown.text.code}/1.json").json()
        assert saved == {
            "code": shown.text.code, "source": small(), "table": "", "number": 1, "latest": 1, "title": "Three Cards",
            "own": own, "playable": True, "why": "",
        }  # fmt: skip
    for name in (f"{shown.text.code}/2", f"{shown.text.code}/0", f"{shown.text.code}/{10**30}", "abcdefgh/1", "x/1"):
        code = "no_version" if shown.text.code in name else "no_text"
        assert why_refused(guest.client.get(f"/workshop/{name}.json")) == code
    services.do_hide([shown.text_id], True, boss())
    assert why_refused(guest.client.get(f"/workshop/{shown.text.code}/1.json")) == "no_text"
    assert host.client.get(f"/workshop/{shown.text.code}/1.json").status_code == 200


# -- pages


def page(actor: Actor | Client, path: str) -> str:
    """Return a page of the workshop."""
    client = actor.client if isinstance(actor, Actor) else actor
    answer = client.get(path)
    assert answer.status_code == 200, path
    return str(answer.content.decode())


def test_nothing_that_an_author_writes_is_markup_on_any_page(host: Actor, guest: Actor, newcomer: Client) -> None:
    source = small(SCRIPT, f"{SCRIPT} [x](javascript:alert(1)) ![x](https://evil.example/x.png)")
    version = save(host, source)
    assert version.playable, version.why
    services.do_publish(host.person, version.text.code, 1)
    services.do_feature([version.text_id], True, boss())
    broken = save(host, f"({SCRIPT}", code=version.text.code, base=1)
    assert SCRIPT.split()[0] in broken.why
    report = guest.client.post(f"/workshop/{version.text.code}/report/", {"why": SCRIPT})
    assert report.status_code == 302
    code = version.text.code
    answer = ask(guest.client, TRY, code=code, number=1)
    paths = ["/", "/workshop/", f"/workshop/{code}/", f"/workshop/{code}/?version=2", f"/rules/{version.game}/",
             f"/new/?game={version.game}", answer.json()["url"], f"/replay/{Match.objects.get().pk}/",
             f"/people/{host.person.pk}/", "/people/me/", f"/pictures/{version.game}/sign.svg"]  # fmt: skip
    for path in paths:
        for client in (host.client, guest.client):
            answer = client.get(path)
            assert answer.status_code in (200, 404), path
            body = answer.content.decode()
            assert "<script>alert" not in body, path
            assert 'href="javascript:' not in body, path
            assert 'src="https://evil' not in body, path
    assert "&lt;script&gt;" in page(newcomer, f"/workshop/{code}/")


def test_the_section_shows_what_is_published_and_to_each_their_own(host: Actor, guest: Actor, newcomer: Client) -> None:
    drafted, published, hidden, featured = (keep(host, "(game)", trial.Trial(True, NONE, (2, 2), title))
                                            for title in ("Drafted", "Published", "Hidden", "Featured"))  # fmt: skip
    for version in (published, hidden, featured):
        services.do_publish(host.person, version.text.code, 1)
    services.do_hide([hidden.text_id], True, boss())
    services.do_feature([featured.text_id], True, boss())
    for client in (guest, newcomer):
        body = page(client, "/workshop/")
        assert ("Drafted" in body, "Published" in body, "Hidden" in body, "Featured" in body) == (
            False, True, False, True
        )  # fmt: skip
        assert body.index("Featured") < body.index("Published")
    mine = page(host, "/workshop/?list=mine")
    assert "Drafted" in mine
    assert "Hidden by an administrator" in mine
    assert drafted.text.code not in page(guest, "/workshop/")


def test_people_with_the_link_see_the_game_and_only_its_author_may_change_it(
    host: Actor, guest: Actor, newcomer: Client
) -> None:
    version = keep(host, small())
    path = f"/workshop/{version.text.code}/"
    for client, own in ((host, True), (guest, False), (newcomer, False)):
        body = page(client, path)
        assert "Take a card, or throw it away." in body  # the rules, in words
        assert ("Publish version 1" in body) is own
        assert ("Report this game" in body) is not own
        assert "By link only" in body
    assert why_refused(newcomer.get("/workshop/abcdefgh/")) == NO_TEXT
    assert why_refused(newcomer.get(f"{path}?version=2")) == "This game has no version 2."
    assert why_refused(newcomer.get(f"{path}?version=x")) == "That is not a version number."
    services.do_withdraw(host.person, version.text.code)
    assert why_refused(host.client.get(path)) == NO_TEXT


def test_an_older_version_is_shown_by_its_number(host: Actor, shown: Version) -> None:
    keep(host, small("New"), trial.Trial(True, NONE, (2, 3), "New"), Text.objects.get())
    path = f"/workshop/{shown.text.code}/"
    assert "<h1>Three Cards</h1>" in page(host, path)  # published
    assert "<h1>New</h1>" in page(host, f"{path}?version=2")
    services.do_unpublish(host.person, shown.text.code)
    assert "<h1>New</h1>" in page(host, path)
    assert "<h1>Three Cards</h1>" in page(host, f"{path}?version=1")


def test_the_buttons_do_what_they_say(host: Actor, guest: Actor, shown: Version) -> None:
    path = f"/workshop/{shown.text.code}/"

    def press(actor: Actor, what: str, **fields: object) -> str:
        answer = actor.client.post(f"{path}{what}/", fields)
        assert answer.status_code == 302, answer.content[:500]
        return str(answer["Location"])

    assert press(host, "unpublish") == path
    assert Text.objects.get().published is None
    assert press(host, "publish", number=1) == path
    assert Text.objects.get().published == 1
    press(guest, "like")
    assert Like.objects.count() == 1
    assert "You like it" in page(guest, path)
    press(guest, "like", liked="no")
    assert not Like.objects.exists()
    press(guest, "report", why="rude")
    assert Report.objects.get().why == "rude"
    assert press(guest, "fork", number=1) != path
    assert Text.objects.get(owner=guest.person).forked_from == shown
    table = press(guest, "play", number=1, seats=2, bots="medium")
    assert Table.objects.get().public is True
    assert table == f"/t/{Table.objects.get().code}/"
    press(host, "withdraw")
    assert Text.objects.get(pk=shown.text_id).withdrawn is False
    assert press(host, "withdraw", sure="yes") == "/workshop/"
    assert Text.objects.get(pk=shown.text_id).withdrawn is True  # a match is being played


def test_the_page_offers_bots_in_the_language_of_the_visitor(guest: Actor, shown: Version) -> None:
    answer = guest.client.get(f"/workshop/{shown.text.code}/", headers={"Accept-Language": "nl"}).content.decode()
    bots = re.findall(
        r'<option value="(\w+)"[^>]*>([^<]+)', answer.partition('id="id_bots"')[2].partition("</select>")[0]
    )
    assert bots == [("easy", "Makkelijk"), ("medium", "Gemiddeld"), ("strong", "Sterk")]


def test_what_is_refused_is_shown_on_the_page(guest: Actor, shown: Version) -> None:
    path = f"/workshop/{shown.text.code}/"
    for what, fields, text in (("publish", {"number": 1}, "not yours"), ("publish", {}, "Choose a version"),
                               ("withdraw", {"sure": "yes"}, "not yours"), ("play", {"bots": "x"}, "Bots must be"),
                               ("play", {"seats": "99999999999"}, "number"), ("report", {}, "few words"),
                               ("fork", {"number": "x"}, "number")):  # fmt: skip
        guest.client.post(f"{path}{what}/", fields)
        assert text in page(guest, path), what
    gone = guest.client.post("/workshop/abcdefgh/like/")
    assert (gone.status_code, gone["Location"]) == (302, "/workshop/")


def test_staff_have_their_buttons_and_nobody_else(guest: Actor, admin: Actor, shown: Version) -> None:
    path = f"/workshop/{shown.text.code}/"
    services.do_report(guest.person, shown.text.code, "very rude")
    assert why_refused(guest.client.post(f"{path}judge/", {"do": "hide"})) == "Only administrators can moderate games."
    assert "For administrators" not in page(guest, path)
    assert "very rude" not in page(guest, path)
    assert "very rude" in page(admin, path)
    for do, field, value in (("feature", "featured", True), ("hide", "hidden", True), ("show", "hidden", False),
                             ("unfeature", "featured", False)):  # fmt: skip
        admin.client.post(f"{path}judge/", {"do": do})
        assert getattr(Text.objects.get(), field) is value
    admin.client.post(f"{path}judge/", {"do": "resolve"})
    assert not Report.objects.exists()


def test_the_way_from_the_front_page(newcomer: Client, db: None) -> None:
    assert re.search(r'<nav class="masthead-nav".*?href="/workshop/"', page(newcomer, "/"), re.DOTALL)
    assert "Nobody has published a game yet" in page(newcomer, "/workshop/")


def test_refusals_of_the_sandbox_reach_the_person_who_saves(host: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(*asked: object) -> None:
        raise Refused("busy", "Many people are using the sandbox.")

    monkeypatch.setattr(services, "trial", busy)
    answer = ask(host.client, SAVE, source=small(), table="")
    assert (answer.status_code, answer.json()["text"]) == (503, "Many people are using the sandbox.")
    assert not Text.objects.exists()


def test_a_text_that_has_failed_its_trial_is_tried_again(host: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    results = [Trial(False, message("The sandbox failed.")), Trial(False, message("Again.")), GOOD, GOOD]
    monkeypatch.setattr(services, "trial", lambda *asked: results.pop(0))
    answer, found = ask(host.client, SAVE, source=small(), table="").json(), []
    for _ in range(4):
        fields = {"code": answer["code"], "base": answer["number"]}
        found.append((answer["number"], answer["playable"], answer["why"]))
        answer = ask(host.client, SAVE, source=small(), table="", **fields).json()
    assert found == [(1, False, "The sandbox failed."), (1, False, "Again."), (2, True, ""), (2, True, "")]
    assert results == [GOOD]  # what can be played is not tried again


def test_raw_html_in_a_page_of_rules_stays_text() -> None:
    class Explained(RecycleGame):
        def rules_page(self, language: str = "en") -> str:
            return f"# Title\n\n{SCRIPT}\n\n[x](javascript:alert(1)) ![x](https://evil.example/x.png)"

    html = in_words(Explained("explained", small()))
    assert "&lt;script&gt;" in html
    assert not [what for what in ("<script", "<img", 'href="javascript', "<h1") if what in html]


# -- games of the house


def test_a_game_of_the_house_has_a_page_with_its_rules_and_measures(newcomer: Client, db: None) -> None:
    for name in ("hamsterdam", "agram"):
        body = page(newcomer, f"/workshop/house/{name}/")
        assert f"<h1>{catalogue.find(name).title}</h1>" in body
        assert body.count("<h1>") == 1
        assert "With the current rules" in body
        assert re.search(rf'href="/lab/reports/{name}[^"]*/"', body)
        assert ("Make a copy" in body) is (name == "agram")
        assert f'href="/workshop/house/{name}/"' in page(newcomer, f"/rules/{name}/")
    assert why_refused(newcomer.get("/workshop/house/no-such/")) == NO_GAME
    assert 'href="/workshop/house/agram/"' in page(newcomer, "/workshop/")


def test_measures_by_older_rules_are_distinguished(monkeypatch: pytest.MonkeyPatch) -> None:
    game = catalogue.find("agram")
    now = measured(game)
    assert [one.now for one in now] == [True]
    monkeypatch.setattr(game, "rules_version", "of tomorrow")
    assert [(one.rules, one.now) for one in measured(game)] == [(now[0].rules, False)]


def test_a_text_of_the_house_is_copied_and_a_program_is_not(guest: Actor) -> None:
    answer = guest.client.post("/workshop/house/agram/copy/")
    version = Version.objects.get()
    assert answer["Location"].startswith(f"/workshop/{version.text.code}/")
    assert ((version.source, version.table), version.playable, version.text.owner) == (
        library("agram"), True, guest.person
    )  # fmt: skip
    assert guest.client.post("/workshop/house/bundles/copy/")["Location"] == "/workshop/house/bundles/"
    assert Text.objects.count() == 1


def test_the_page_of_a_game_of_the_workshop_is_its_own(guest: Actor, shown: Version) -> None:
    for game in (shown.game, f"w-{shown.text.code}-1"):
        assert guest.client.get(f"/workshop/house/{game}/")["Location"] == f"/workshop/{shown.text.code}/"


def test_a_text_is_downloaded_with_its_table_file_unless_it_is_hidden(host: Actor, newcomer: Client) -> None:
    version = keep(host, small('Ça va? "../'), GOOD, table='[labels]\nROW = "Row"\n')
    path = f"/workshop/{version.text.code}/1"
    for kind, text in (("rcy", version.source), ("toml", version.table)):
        answer = newcomer.get(f"{path}.{kind}")
        assert answer.content.decode() == text
        assert answer["Content-Type"] == "text/plain; charset=utf-8"
        assert re.fullmatch(rf'attachment; filename="[a-z0-9-]+\.{kind}"', answer["Content-Disposition"])
        assert f'href="{path}.{kind}"' in page(newcomer, f"/workshop/{version.text.code}/")
    services.do_hide([version.text_id], True, boss())
    assert why_refused(newcomer.get(f"{path}.rcy")) == NO_TEXT
    assert host.client.get(f"{path}.rcy").status_code == 200


def test_the_rules_of_a_visitors_game_are_in_the_language_of_the_reader(shown: Version, newcomer: Client) -> None:
    note = "Diese Spielregeln gibt es nur auf Englisch."
    theirs, ours = f"/workshop/{shown.text.code}/", "/rules/hearts/"
    pages = (theirs, f"/rules/{shown.game}/")
    assert not any(note in newcomer.get(path).content.decode() for path in (*pages, ours))
    newcomer.cookies["django_language"] = "de"
    for path in (*pages, ours):
        page = newcomer.get(path).content.decode()
        assert "Das Ziel</h2>" in page
        assert "The aim" not in page
        assert note not in page


WHY = {"de": "Fehler: Diese Klammer wird nirgends geschlossen.", "nl": "fout: Dit haakje wordt nergens gesloten."}


@pytest.mark.parametrize("language", WHY)
def test_why_a_version_cannot_be_played_is_in_the_language_of_the_reader(host: Actor, language: str) -> None:
    version = save(host, small()[:-3])
    assert "error: This bracket is never closed." in version.why
    host.client.cookies["django_language"] = language
    page = html.unescape(host.client.get(f"/workshop/{version.text.code}/").content.decode())
    assert WHY[language] in page
    assert WHY[language] in host.client.get(f"/workshop/{version.text.code}/1.json").json()["why"]


def test_why_an_older_version_cannot_be_played_stays_as_it_was_stored(host: Actor) -> None:
    version = keep(host, "(game", Trial(False, message("Old.")))
    with connection.cursor() as cursor:
        cursor.execute("UPDATE workshop_version SET why = 'It {really} never ends.'")
    version.refresh_from_db()
    assert version.why == "It {really} never ends."
    host.client.cookies["django_language"] = "de"
    page = html.unescape(host.client.get(f"/workshop/{version.text.code}/").content.decode())
    assert "It {really} never ends." in page
