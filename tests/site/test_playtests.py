"""What people say after a match: who may, until when, and who reads it."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from limits import parse

from cardsite import limits
from cardsite.lobby.models import Table
from cardsite.people.services import do_restrict
from cardsite.playtests.models import NOTE_LENGTH, Opinion
from cardsite.playtests.services import Given, do_answer
from cardsite.table.models import DropReason, Match, Player
from cardsite.table.moves import plies_of
from cardsite.table.services.matches import do_start_match
from games import catalogue
from tests.site.conftest import Actor
from tests.site.reasons import BY_LINK, why_refused
from tests.site.stored_texts import keep
from tests.site.test_limits import limited
from tests.site.test_stored_replays import play

__all__ = ["limited"]  # a fixture


@pytest.fixture
def match(table: Table, host: Actor) -> Match:
    """A match of the host, the guest and two bots that is over."""
    match = Match.objects.get(pk=do_start_match(table.code, host.person))
    play(match)
    return match


def answer(actor: Actor, match: Match, **given: object) -> str:
    """Give an answer by the page. Return the code of the refusal, "" if there is none."""
    response = actor.client.post(f"/replay/{match.pk}/opinion/", given)
    found = response.json()
    assert found["ok"] == (response.status_code == 200)
    return "" if found["ok"] else str(found["code"])


def test_parts_of_an_answer_are_stored_and_changed_one_at_a_time(match: Match, guest: Actor) -> None:
    assert guest.client.get(f"/replay/{match.pk}/opinion/").json() == {"ok": True, "often": False, "answer": None}
    for given in ({"fun": 2}, {"fair": 5}, {"note": " A long  way. ", "ply": 3}, {"fun": 4}):
        assert answer(guest, match, **given) == ""
    kept = Opinion.objects.get()
    assert (kept.person, kept.seat) == (guest.person, 1)
    said = {"fun": 4, "fair": 5, "note": "A long way.", "ply": 3}
    assert guest.client.get(f"/replay/{match.pk}/opinion/").json()["answer"] == said
    assert answer(guest, match, note="") == ""
    kept.refresh_from_db()
    assert (kept.note, kept.ply, kept.fun) == ("", None, 4)


def test_a_note_is_on_no_page_of_the_match_or_of_its_writer(
    match: Match, guest: Actor, host: Actor, admin: Actor
) -> None:
    answer(guest, match, note="He had the queen.", ply=1)
    pages = (f"/t/{match.table.code}/", f"/replay/{match.pk}/", f"/people/{guest.person.pk}/")
    for actor in (host, guest, admin):
        for path in (*pages, f"/replay/{match.pk}/frames.json"):
            shown = actor.client.get(path)
            assert shown.status_code == 200
            assert b"queen" not in shown.content


def test_nobody_reads_the_answer_of_another_player(match: Match, guest: Actor, host: Actor) -> None:
    answer(guest, match, fun=1, note="I hate it")
    assert host.client.get(f"/replay/{match.pk}/opinion/").json()["answer"] is None


@pytest.mark.parametrize(
    "given", [{"fun": 0}, {"fun": 6}, {"fair": "x"}, {"fair": "-1"}, {}, {"note": "no", "ply": 10**6}]
)
def test_what_is_no_answer_is_refused(match: Match, guest: Actor, given: dict[str, object]) -> None:
    assert answer(guest, match, **given) == "bad_option"
    assert not Opinion.objects.exists()


def test_a_note_is_about_the_deal_about_a_move_or_about_the_last_one(match: Match, guest: Actor) -> None:
    last = plies_of(match.pk)
    for ply in (0, 1, last):
        assert answer(guest, match, note="Here.", ply=ply) == ""
        assert Opinion.objects.get().ply == ply
    assert answer(guest, match, note="Here.", ply=last + 1) == "bad_option"


def test_a_long_note_is_cut(match: Match, guest: Actor) -> None:
    assert answer(guest, match, note="x" * 2 * NOTE_LENGTH) == ""
    assert Opinion.objects.get().note == "x" * NOTE_LENGTH


def late(match: Match) -> None:
    """Let the match be over for more than a day."""
    Match.objects.update(finished=timezone.now() - timedelta(days=1, minutes=1))


def mostly_a_bot(match: Match) -> None:
    """Let a bot have made most of the decisions of the people."""
    Player.objects.filter(bot="").update(decisions=9, own_decisions=4)


NOT_OPEN: dict[str, tuple[str, Callable[[Match], object]]] = {
    "playing": ("playing", lambda match: Match.objects.update(status=Match.Status.RUNNING)),
    "dropped": ("dropped", lambda match: Match.objects.update(status="dropped", dropped=DropReason.AGREED)),
    "practice": ("not_counted", lambda match: Match.objects.update(practice=True)),
    "story": ("not_counted", lambda match: Table.objects.update(story=True)),
    "what if": ("not_counted", lambda match: Table.objects.update(what_if=True)),
    "a bot played": ("not_counted", mostly_a_bot),
    "late": ("too_late", late),
}


@pytest.mark.parametrize("why", NOT_OPEN)
def test_answers_are_for_matches_that_are_over_and_count(match: Match, guest: Actor, why: str) -> None:
    code, change = NOT_OPEN[why]
    change(match)
    assert answer(guest, match, fun=3) == code
    assert guest.client.get(f"/replay/{match.pk}/opinion/").json()["code"] == code
    assert not Opinion.objects.exists()


def test_people_who_did_not_play_have_no_say(match: Match, stranger: Actor, admin: Actor, newcomer: Client) -> None:
    assert answer(stranger, match, fun=3) == "not_yours"
    assert answer(admin, match, fun=3) == "not_yours"
    assert newcomer.post(f"/replay/{match.pk}/opinion/", {"fun": 3}).json()["code"] == "not_yours"


def test_a_match_at_a_private_table_is_not_there_for_others(match: Match, stranger: Actor, guest: Actor) -> None:
    Table.objects.update(public=False)
    assert why_refused(stranger.client.post(f"/replay/{match.pk}/opinion/", {"fun": 3})) == BY_LINK
    assert answer(guest, match, fun=3) == ""


def test_a_muted_person_may_answer_but_not_write(match: Match, guest: Actor) -> None:
    do_restrict(guest.person, "muted", "", None, None)
    assert answer(guest, match, fun=3) == ""
    assert answer(guest, match, note="Hello") == "muted"
    assert Opinion.objects.get().note == ""


def test_authors_do_not_judge_their_own_games_and_are_asked_often_of_those_of_others(
    match: Match, guest: Actor, host: Actor
) -> None:
    version = keep(guest, catalogue.find("agram").text)
    Match.objects.update(game=version.game)
    assert answer(guest, match, fun=5) == "yours"
    assert answer(host, match, fun=5) == ""
    assert host.client.get(f"/replay/{match.pk}/opinion/").json()["often"] is True


@pytest.mark.usefixtures("limited")
def test_answers_have_a_rate_limit_of_their_own(
    match: Match, guest: Actor, host: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(limits.LIMITS, "opinion", parse("2/minute"))
    assert [answer(guest, match, fun=fun) for fun in (1, 2, 3)] == ["", "", "slow_down"]
    assert Opinion.objects.get().fun == 2
    assert answer(host, match, fun=3) == "", "it is by person"


def test_an_answer_needs_the_token_of_a_form(match: Match, guest: Actor) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = guest.client.cookies
    assert strict.post(f"/replay/{match.pk}/opinion/", {"fun": 3}).status_code == 403
    assert not Opinion.objects.exists()


def test_a_person_who_leaves_takes_their_note_along_and_not_the_numbers(
    match: Match, guest: Actor, host: Actor
) -> None:
    do_answer(match, guest.person, Given(fun=1, note="Bye"))
    do_answer(match, host.person, Given(note="Mine"))
    guest.client.post("/people/me/leave/", {"sure": "yes"})
    assert set(Opinion.objects.values_list("person", "fun", "note")) == {(None, 1, ""), (host.person.pk, None, "Mine")}


def test_the_export_has_answers_and_measures_and_no_name_or_note(match: Match, guest: Actor, host: Actor) -> None:
    do_answer(match, guest.person, Given(fun=1, note="My words"))
    do_answer(match, host.person, Given(fair=4))
    written = io.StringIO()
    call_command("export_opinions", stdout=written, stderr=io.StringIO())
    first, second = csv.DictReader(written.getvalue().splitlines())
    assert (first["fun"], first["fair"], second["fun"], second["fair"]) == ("1", "", "", "4")
    assert first["match"] == second["match"] == "1"
    assert (first["players"], first["people"]) == (str(match.players.count()), "2")
    assert float(first["drama"]) > 0
    assert not [word for word in ("Guest", "Hostess", "My words", str(match.seed)) if word in written.getvalue()]
    Match.objects.update(favourite=1)
    again = io.StringIO()
    call_command("export_opinions", stdout=again, stderr=io.StringIO())
    assert len(again.getvalue().splitlines()) == 1
