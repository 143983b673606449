"""CPU budgets of pages: work that can wait is refused, and administrators see who costs most."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from cardsite import costs
from cardsite.costs import PERIOD
from cardsite.lab import leads
from cardsite.lab.models import LeadHistory
from cardsite.lobby.models import Seat, Table
from cardsite.people.cost_page import network_of
from cardsite.people.models import Person
from cardsite.table import replay, replay_worker
from cardsite.table.models import Match, StoredReplay
from cardsite.table.replay_worker import Bounds
from cardsite.table.services.matches import do_start_match
from tests.patience import wait_for
from tests.site.conftest import Actor
from tests.site.hostile_texts import small
from tests.site.reasons import WAIT, why_refused
from tests.site.stored_texts import keep
from tests.site.test_costs import Clock, clock, limited
from tests.site.test_stored_replays import ask, play, sticks, unpacked
from tests.tiers import full

__all__ = ["clock", "limited", "sticks"]  # fixtures

CLIENT_ADDRESS = "127.0.0.1"  # of Django's test client
MUCH = 10.0**6  # seconds


def person(actor: Actor) -> str:
    """Return the name by which a person is charged."""
    return f"person {actor.person.pk}"


# -- replays


def test_a_replay_is_booked_to_the_person_the_address_and_the_table(clock: Clock, sticks: Match, host: Actor) -> None:
    unpacked(ask(host.client, sticks))
    spent = [costs.spent(actor)["replay"] for actor in (person(host), CLIENT_ADDRESS, f"table {sticks.table.code}")]
    assert spent[0] > 0.0
    assert spent == pytest.approx([spent[0]] * 3)


@pytest.mark.parametrize("path", ["/replay/{}/frames.json", "/verify/{}/"])
def test_a_visitor_who_has_used_up_their_time_has_no_more_matches_played_again(
    limited: Clock, sticks: Match, host: Actor, guest: Actor, path: str
) -> None:
    costs.book("report", person(host), "", MUCH)
    answer = host.client.get(path.format(sticks.pk))
    assert why_refused(answer) == WAIT
    assert re.search(r"Your replays, checks and reports .* Try again in \d+ minutes\.", answer.content.decode())
    assert guest.client.get(path.format(sticks.pk)).status_code == 200


def test_stored_replays_are_sent_to_them_nevertheless(limited: Clock, sticks: Match, host: Actor) -> None:
    stored = unpacked(ask(host.client, sticks))
    costs.book("report", person(host), "", MUCH)
    assert unpacked(ask(host.client, sticks)) == stored


def test_newcomers_and_new_guests_pay_with_their_address(limited: Clock, sticks: Match) -> None:
    costs.book("replay", CLIENT_ADDRESS, "", MUCH)
    assert why_refused(ask(Client(), sticks)) == WAIT
    new = Client()
    new.post(f"/t/{sticks.table.code}/name/", {"name": "Newest"})
    assert Person.objects.filter(name="Newest").exists()
    answer = ask(new, sticks)
    assert why_refused(answer) == WAIT
    assert "your network address" in answer.json()["text"]
    assert unpacked(ask(Client(REMOTE_ADDR="203.0.113.8"), sticks))


def test_administrators_are_never_refused(limited: Clock, sticks: Match, admin: Actor) -> None:
    costs.book("replay", [person(admin), CLIENT_ADDRESS], "", MUCH)
    assert unpacked(ask(admin.client, sticks))
    assert admin.client.get(f"/verify/{sticks.pk}/").status_code == 200


def test_a_match_that_takes_too_long_is_replayed_as_far_as_it_went_and_once(
    sticks: Match, newcomer: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay, "BUILT_IN_BOUNDS", Bounds(cpu=0.0))
    replayed: dict[str, Any] = json.loads(unpacked(ask(newcomer, sticks)))
    assert len(replayed["frames"]) == 1
    assert replayed["remark"] == replay_worker.STOPPED
    assert replay_worker.STOPPED in str(replayed["frames"][-1]["log"][-1])
    assert StoredReplay.objects.count() == 1
    monkeypatch.delattr(replay, "frames")
    assert json.loads(unpacked(ask(newcomer, sticks))) == replayed


@pytest.mark.parametrize("path", ["/rules/hamsterdam/", "/rules/hamsterdam/drawer/"])
def test_pages_of_rules_are_booked(clock: Clock, stranger: Actor, path: str) -> None:
    assert stranger.client.get(path).status_code == 200
    assert costs.spent(person(stranger))["page"] > 0.0


def test_the_page_of_a_text_is_booked_and_refused(limited: Clock, host: Actor, stranger: Actor) -> None:
    path = f"/workshop/{keep(host, small()).text.code}/"
    assert stranger.client.get(path).status_code == 200
    assert costs.spent(person(stranger))["page"] > 0.0
    costs.book("page", person(stranger), "", MUCH)
    assert why_refused(stranger.client.get(path)) == WAIT
    assert host.client.get(path).status_code == 200


# -- matches


@pytest.mark.parametrize("path", ["/play/hamsterdam/", "/daily/thief/", "/workshop/{}/play/"])
def test_a_visitor_who_has_used_up_the_time_of_matches_begins_no_other(
    limited: Clock, stranger: Actor, host: Actor, path: str
) -> None:
    path = path.format(keep(host, small()).text.code)
    costs.book("move", person(stranger), "", MUCH)
    answer = stranger.client.post(path)
    assert why_refused(answer) == WAIT
    assert "Your matches have used up your computing time" in answer.content.decode()
    assert not Table.objects.exists()
    limited.now += 6 * PERIOD
    assert stranger.client.post(path).status_code == 302


@pytest.mark.parametrize("button", ["start", "ready"])
def test_at_an_open_table_they_begin_no_match_but_everything_else_goes_on(
    limited: Clock, table: Table, host: Actor, stranger: Actor, button: str
) -> None:
    if button == "ready":
        play(Match.objects.get(pk=do_start_match(table.code, host.person)))
    costs.book("bot", person(host), table.code, MUCH)
    press = f"/t/{table.code}/{{}}/".format
    assert why_refused(host.client.post(press(button))) == WAIT
    for other in ("stand", "sit"):
        assert host.client.post(press(other)).status_code == 200
    if button == "ready":
        assert host.client.post(press("ready"), {"ready": "no"}).status_code == 200


def test_cpu_time_of_reports_does_not_prevent_playing(limited: Clock, table: Table, host: Actor) -> None:
    costs.book("report", [person(host), CLIENT_ADDRESS], "", MUCH)
    assert host.client.post(f"/t/{table.code}/start/").status_code == 200


# -- the page


def test_administrators_see_who_costs_most_by_kind_with_links(
    clock: Clock, admin: Actor, host: Actor, guest: Actor, table: Table
) -> None:
    costs.book("replay", [person(host), "203.0.113.7"], table.code, 12.34)
    costs.book("trial", [person(guest), "203.0.113.200"], "", 56.78)
    costs.book("check", ["person 987654", "2001:db8:1:2::/64"], "gone", 0.5)
    page = admin.client.get("/admin/costs/").content.decode()
    people, networks, tables = re.findall(r'<div class="module results">(.*?)</div>', page, re.DOTALL)
    assert people.index("Guest") < people.index("Hostess") < people.index("a former player")
    assert reverse("admin:people_person_change", args=[host.person.pk]) in people
    assert [text.split() for text in re.findall(r"<td>([^<]*)</td>", people)] == [
        ["56.8"], [], [], ["56.8"], ["12.3"], [], ["12.3"], [], ["0.5"], ["0.5"], [], [],
    ]  # fmt: skip
    assert "203.0.113.0/24" in networks
    assert "69.1" in networks
    assert "2001:db8:1::/48" in networks
    assert f"/admin/lobby/table/?q={table.code}" in tables
    assert "203.0.113.7" not in page
    assert admin.client.get(f"/admin/lobby/table/?q={table.code}").status_code == 200
    assert "/admin/costs/" in admin.client.get("/admin/").content.decode()


@pytest.mark.parametrize("actor", ["newcomer", "guest", "no staff"])
def test_nobody_else_sees_it(actor: str, guest: Actor, db: None) -> None:
    client = guest.client if actor == "guest" else Client()
    if actor == "no staff":
        client.force_login(User.objects.create_user("ann", password=None))
    answer = client.get("/admin/costs/")
    assert (answer.status_code, answer["Location"]) == (302, "/admin/login/?next=/admin/costs/")


def test_of_an_address_only_its_network_is_shown() -> None:
    shown = {each: network_of(each) for each in ("10.1.2.3", "2001:db8:1:2::/64", "::1", "?", "")}
    assert shown == {
        "10.1.2.3": "10.1.2.0/24",
        "2001:db8:1:2::/64": "2001:db8:1::/48",
        "::1": "::/48",
        "?": "unknown",
        "": "unknown",
    }


# -- child processes


@full
def test_a_lead_history_is_booked_with_all_that_its_process_computed(
    transactional_db: None, clock: Clock, host: Actor, guest: Actor
) -> None:
    table = Table.objects.create(game="kuhn", host=host.person, sealed=True)
    for seat, actor in enumerate((host, guest)):
        Seat.objects.create(table=table, index=seat, person=actor.person)
    match = Match.objects.get(pk=do_start_match(table.code, host.person))
    play(match)
    assert host.client.post(f"/lab/leads/{match.pk}/").json()["state"] == "working"
    wait_for(lambda: LeadHistory.objects.filter(match=match, state=LeadHistory.Status.DONE).exists(), "the history")
    spent = [costs.spent(visitor)["lead"] for visitor in (person(host), CLIENT_ADDRESS, f"table {table.code}")]
    assert spent[0] > 0.0
    assert spent == pytest.approx([spent[0]] * 3)
    assert "lead" not in costs.spent(person(guest))


def test_a_visitor_who_has_used_up_their_time_has_no_lead_history_worked_out(
    limited: Clock, sticks: Match, host: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, ...]] = []

    def ask_lead(match: Match, payers: tuple[str, ...]) -> None:
        asked.append(payers)

    monkeypatch.setattr(leads, "do_ask_lead", ask_lead)
    costs.book("check", person(host), "", MUCH)
    assert why_refused(host.client.post(f"/lab/leads/{sticks.pk}/")) == WAIT
    assert not asked
    assert Client().post(f"/lab/leads/{sticks.pk}/").json()["ok"]
    assert asked == [(CLIENT_ADDRESS,)]
