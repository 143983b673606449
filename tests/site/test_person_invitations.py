"""Invitations of people to a table: whom one may invite, what the invited person finds, and when it goes away."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import RequestFactory
from django.utils import timezone
from limits.strategies import FixedWindowRateLimiter
from pytest_django.fixtures import DjangoCaptureOnCommitCallbacks, Settings

from cardsite import limits
from cardsite.counts import Counts
from cardsite.lobby.models import PersonInvitation, Seat, SeatRequest, Table
from cardsite.lobby.services import hosting, lifecycle, seating
from cardsite.lobby.services.invitations import do_answer, do_invite_people, open_invitations
from cardsite.people.models import Person
from cardsite.people.services import do_adopt, do_restrict
from cardsite.push.models import NotificationKind
from cardsite.push.sending import Notification
from cardsite.refusal import Refused
from cardsite.table.models import Match, Player
from cardsite.table.services import invitations
from cardsite.table.services.invitations import LISTED, do_invite_person, people_to_invite
from tests.site.conftest import Actor, block, new_guest

NOT_ON_THE_LIST = "You cannot invite this person now. Reload the page to see whom you can."
STATUS = Match.Status


def played(*people: Person, ago: int = 1, status: str = STATUS.OVER, **fields: Any) -> Table:
    """Let people have played a match at a table of their own, so many days ago. ``fields``: of the table."""
    table = Table.objects.create(game="bundles", **{"public": False, **fields})
    finished = None if status == STATUS.RUNNING else timezone.now() - timedelta(days=ago)
    match = Match.objects.create(
        table=table, number=1, game="bundles", seed="00", seconds=60, sealed=False, status=status, finished=finished,
        spectator_delay=table.spectator_delay,
    )  # fmt: skip
    for seat, person in enumerate(people):
        Player.objects.create(match=match, seat=seat, person=person, name=person.name)
    Player.objects.create(match=match, seat=len(people), bot="house", name="Aagje")
    return table


@pytest.fixture
def anna(db: None) -> Actor:
    """The host of ``table``, who sits there."""
    return new_guest("Anna")


@pytest.fixture
def bram(db: None) -> Actor:
    """Somebody else, who has played with nobody yet."""
    return new_guest("Bram")


@pytest.fixture
def table(anna: Actor) -> Table:
    """A table that is found by its link, with Anna and two free seats."""
    made = Table.objects.create(game="bundles", host=anna.person, opened_by=anna.person, public=False)
    Seat.objects.create(table=made, index=0, person=anna.person)
    Seat.objects.bulk_create(Seat(table=made, index=index) for index in (1, 2))
    return made


@pytest.fixture
def notified(monkeypatch: pytest.MonkeyPatch) -> list[tuple[list[int], Notification]]:
    """Return who was notified of what, while the test runs."""
    found: list[tuple[list[int], Notification]] = []
    monkeypatch.setattr(invitations, "send", lambda people, notification: found.append((list(people), notification)))
    return found


def names(table: Table, person: Person) -> list[str]:
    """Return the names on the list of a person."""
    return [one.name for one in people_to_invite(table, person)]


def invite(actor: Actor, table: Table, person: Person) -> dict[str, Any]:
    """Press the button. Return the answer."""
    answer: dict[str, Any] = actor.client.post(f"/t/{table.code}/invite-person/", {"person": person.pk}).json()
    return answer


def front_page(actor: Actor) -> str:
    """Return the front page as a person sees it."""
    return actor.client.get("/").content.decode()


def invited_to(actor: Actor) -> list[str]:
    """Return the codes of the tables to which a person finds invitations, on the front page and as it is updated."""
    codes = [one["code"] for one in actor.client.get("/tables.json").json()["invited"]]
    shown = front_page(actor)
    assert all(f"/t/{code}/accept/" in shown for code in codes)
    assert ("/accept/" in shown) is bool(codes)
    return codes


# -- the list


def test_the_list_has_the_people_with_whom_a_person_has_finished_a_match_the_latest_first(
    table: Table, anna: Actor, bram: Actor
) -> None:
    cato, dirk = (new_guest(name).person for name in ("Cato", "Dirk"))
    played(anna.person, bram.person, ago=9)
    played(anna.person, cato, ago=5)
    played(anna.person, bram.person, ago=2)
    played(cato, dirk)
    assert names(table, anna.person) == ["Bram", "Cato"]
    assert anna.client.get(f"/t/{table.code}/people.json").json()["people"][0] == {
        "person": bram.person.pk, "name": "Bram", "invited": False
    }  # fmt: skip


@pytest.mark.parametrize(
    ("status", "there"),
    [(STATUS.OVER, {"public": True}), (STATUS.OVER, {"tournament": True}), (STATUS.RUNNING, {}), (STATUS.DROPPED, {})],
)
def test_strangers_and_people_of_matches_that_did_not_end_are_not_on_the_list(
    table: Table, anna: Actor, bram: Actor, status: str, there: dict[str, Any]
) -> None:
    played(anna.person, bram.person, status=status, **there)
    assert names(table, anna.person) == []


def test_an_end_that_spectators_do_not_know_yet_adds_nobody(table: Table, anna: Actor, bram: Actor) -> None:
    there = played(anna.person, bram.person, ago=0, spectator_delay=180)
    assert names(table, anna.person) == []
    Match.objects.filter(table=there).update(finished=timezone.now() - timedelta(seconds=181))
    assert names(table, anna.person) == ["Bram"]


def test_the_list_has_at_most_twelve_people_and_names_that_can_be_distinguished(table: Table, anna: Actor) -> None:
    for number in range(LISTED + 2):
        played(anna.person, new_guest("Cato").person, ago=number)
    found = names(table, anna.person)
    assert len(found) == len(set(found)) == LISTED == 12


def sits(table: Table, person: Person, anna: Person) -> None:
    Seat.objects.filter(table=table, index=1).update(person=person)


def asks(table: Table, person: Person, anna: Person) -> None:
    SeatRequest.objects.create(table=table, person=person)


def is_blocked(table: Table, person: Person, anna: Person) -> None:
    block(person)


def is_muted(table: Table, person: Person, anna: Person) -> None:
    do_restrict(person, "muted", "", None, None)


def was_removed_elsewhere(table: Table, person: Person, anna: Person) -> None:
    other = Table.objects.create(game="bundles", host=anna)
    SeatRequest.objects.create(table=other, person=person, answer="", removed=True)


def has_removed_anna(table: Table, person: Person, anna: Person) -> None:
    other = Table.objects.create(game="bundles", host=person)
    SeatRequest.objects.create(table=other, person=anna, answer="", removed=True, barred=True)


@pytest.mark.parametrize("why", [sits, asks, is_blocked, is_muted, was_removed_elsewhere, has_removed_anna])
def test_people_who_are_here_or_not_wanted_are_left_out_and_the_refusal_does_not_say_why(
    table: Table, anna: Actor, bram: Actor, why: Any
) -> None:
    played(anna.person, bram.person)
    why(table, bram.person, anna.person)
    assert names(table, anna.person) == []
    assert invite(anna, table, bram.person) == {"ok": False, "code": "not_invitable", "text": NOT_ON_THE_LIST}
    assert not PersonInvitation.objects.exists()


def test_a_person_who_is_no_longer_muted_is_on_the_list_again(table: Table, anna: Actor, bram: Actor) -> None:
    played(anna.person, bram.person)
    do_restrict(bram.person, "muted", "", timezone.now() - timedelta(seconds=1), None)
    assert names(table, anna.person) == ["Bram"]


# -- who may invite


def test_a_person_of_whom_the_list_does_not_know_is_not_invited(table: Table, anna: Actor, bram: Actor) -> None:
    for number in (bram.person.pk, anna.person.pk, 0, 10**6):
        with pytest.raises(Refused) as refusal:
            do_invite_person(table.code, anna.person, number)
        assert (refusal.value.code, refusal.value.text) == ("not_invitable", NOT_ON_THE_LIST)
    assert not PersonInvitation.objects.exists()


def test_people_who_sit_at_the_table_may_invite_and_others_see_no_list(
    table: Table, anna: Actor, bram: Actor, stranger: Actor
) -> None:
    played(bram.person, stranger.person)
    assert bram.client.get(f"/t/{table.code}/people.json").json() == {"people": []}
    assert invite(bram, table, stranger.person)["code"] == "not_seated"
    sits(table, bram.person, anna.person)
    assert invite(bram, table, stranger.person) == {"ok": True}
    assert "Bram invites you to a table" in front_page(stranger)
    assert "Anna\N{RIGHT SINGLE QUOTATION MARK}s table" in front_page(stranger)


def test_a_host_without_a_seat_may_invite(table: Table, anna: Actor, bram: Actor) -> None:
    played(anna.person, bram.person)
    Seat.objects.filter(table=table).update(person=None)
    assert invite(anna, table, bram.person) == {"ok": True}


@pytest.mark.parametrize("kind", ["story", "what_if", "tournament", "house"])
def test_nobody_is_invited_to_a_table_that_others_cannot_join(
    table: Table, anna: Actor, bram: Actor, kind: str
) -> None:
    played(anna.person, bram.person)
    Table.objects.filter(pk=table.pk).update(**{kind: True})
    answer = invite(anna, table, bram.person)
    assert (answer["code"], answer["text"]) == ("bad_option", "Nobody can be invited to this table.")


@pytest.mark.parametrize(("kind", "code"), [("blocked", "blocked"), ("muted", "muted")])
def test_people_who_are_blocked_or_muted_invite_nobody(
    table: Table, anna: Actor, bram: Actor, kind: str, code: str
) -> None:
    played(anna.person, bram.person)
    do_restrict(anna.person, kind, "Shouting", None, None)
    answer = invite(anna, table, bram.person)
    assert answer["code"] == code
    assert "The reason: Shouting" in answer["text"]


def test_nobody_is_invited_to_a_closed_table(table: Table, anna: Actor, bram: Actor) -> None:
    played(anna.person, bram.person)
    lifecycle.do_close_table(table)
    assert invite(anna, table, bram.person)["code"] == "no_table"
    assert anna.client.get(f"/t/{table.code}/people.json").status_code == 404


# -- limits


@pytest.fixture
def limited(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rate limits on, and nothing spent yet."""
    settings.RATE_LIMITS = True
    monkeypatch.setattr(limits, "_here", FixedWindowRateLimiter(Counts()))


def test_a_person_is_invited_at_most_three_times_an_hour_by_the_same_person(
    limited: None, table: Table, anna: Actor, bram: Actor
) -> None:
    played(anna.person, bram.person)
    answers = [invite(anna, table, bram.person) for _ in range(4)]
    assert [answer["ok"] for answer in answers] == [True, True, True, False]
    assert answers[-1]["code"] == "slow_down"
    assert answers[-1]["text"].startswith("You sent too many requests. Wait ")
    cato = new_guest("Cato").person
    played(anna.person, cato)
    assert invite(anna, table, cato) == {"ok": True}


def test_a_person_invites_at_most_thirty_times_an_hour(limited: None, table: Table, anna: Actor) -> None:
    for _ in range(27):
        limits.spend_now("invite_person", RequestFactory().post("/"), f"person {anna.person.pk}")
    friends = [new_guest(f"Friend {number}").person for number in range(4)]
    played(anna.person, *friends)
    assert [invite(anna, table, friend).get("code", "ok") for friend in friends] == ["ok", "ok", "ok", "slow_down"]


# -- the notification


def test_an_invited_person_is_notified_once_for_each_table_without_cards_and_chat(
    table: Table,
    anna: Actor,
    bram: Actor,
    notified: list[tuple[list[int], Notification]],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    played(anna.person, bram.person)
    with django_capture_on_commit_callbacks(execute=True):
        invite(anna, table, bram.person)
        invite(anna, table, bram.person)
        do_answer(table.code, bram.person)
        invite(anna, table, bram.person)
    [(people, notification)] = notified
    assert people == [bram.person.pk]
    assert (notification.kind, str(notification.title), notification.body, notification.path) == (
        NotificationKind.INVITED, "Anna invites you to a table", "Stealing Bundles", f"/t/{table.code}/"
    )  # fmt: skip
    assert people_to_invite(table, anna.person)[0].invited  # and it does not show that Bram has declined


# -- the invited person


@pytest.fixture
def invited(table: Table, anna: Actor, bram: Actor) -> Table:
    """The table, to which Anna has invited Bram."""
    played(anna.person, bram.person)
    assert invite(anna, table, bram.person) == {"ok": True}
    return table


def test_the_front_page_shows_the_table_the_game_and_who_invites(invited: Table, bram: Actor, stranger: Actor) -> None:
    shown = front_page(bram)
    for words in ("You are invited", "Anna invites you to a table", "Bundles", f"/t/{invited.code}/decline/"):
        assert words in shown
    assert invited_to(bram) == [invited.code]
    assert invited_to(stranger) == []


def test_a_person_who_joins_sits_at_the_table_and_the_invitation_is_gone_for_good(invited: Table, bram: Actor) -> None:
    answer = bram.client.post(f"/t/{invited.code}/accept/")
    assert (answer.status_code, answer["Location"]) == (302, f"/t/{invited.code}/")
    assert Seat.objects.get(table=invited, index=1).person == bram.person
    assert invited_to(bram) == []
    seating.do_stand(invited.code, bram.person)
    assert invited_to(bram) == []


def test_a_person_who_joins_where_no_seat_is_free_finds_the_table_and_keeps_the_invitation(
    invited: Table, bram: Actor
) -> None:
    Seat.objects.filter(table=invited, person=None).update(bot="house")
    assert bram.client.post(f"/t/{invited.code}/accept/")["Location"] == f"/t/{invited.code}/"
    assert invited_to(bram) == [invited.code]


def test_a_declined_invitation_is_gone_and_only_that_of_the_person_who_declines(
    invited: Table, anna: Actor, bram: Actor
) -> None:
    cato = new_guest("Cato")
    PersonInvitation.objects.create(table=invited, by=anna.person, person=cato.person)
    answer = bram.client.post(f"/t/{invited.code}/decline/")
    assert (answer.status_code, answer["Location"]) == (302, "/")
    assert invited_to(bram) == []
    assert invited_to(cato) == [invited.code]


def test_an_invitation_goes_away_when_the_table_is_closed(invited: Table, anna: Actor, bram: Actor) -> None:
    hosting.do_close(invited.code, anna.person)
    assert invited_to(bram) == []
    assert not PersonInvitation.objects.exists()


def test_an_invitation_goes_away_when_an_idle_table_is_closed(invited: Table, bram: Actor) -> None:
    assert lifecycle.do_close_idle([invited.pk]) == 1
    assert not PersonInvitation.objects.exists()


def test_an_invitation_of_a_person_who_is_blocked_later_is_not_shown(invited: Table, anna: Actor, bram: Actor) -> None:
    block(anna.person)
    assert invited_to(bram) == []


def test_a_person_whom_the_host_removes_is_no_longer_invited(invited: Table, anna: Actor, bram: Actor) -> None:
    hosting.do_remove_spectator(invited.code, anna.person, bram.person.pk)
    assert invited_to(bram) == []


def test_a_blocked_person_does_not_sit_down_by_an_invitation(invited: Table, bram: Actor) -> None:
    block(bram.person)
    answer = bram.client.post(f"/t/{invited.code}/accept/", follow=True)
    assert "An administrator has blocked you" in answer.content.decode()
    assert not Seat.objects.filter(person=bram.person).exists()


def test_a_newcomer_who_posts_to_the_buttons_becomes_nobody(invited: Table, newcomer: Any) -> None:
    assert newcomer.post(f"/t/{invited.code}/accept/")["Location"] == f"/t/{invited.code}/"
    assert newcomer.post(f"/t/{invited.code}/decline/")["Location"] == "/"
    assert Person.objects.count() == 2


# -- a login


@pytest.mark.parametrize("answered", ["guest", "account", "neither"])
def test_of_two_invitations_to_one_table_one_is_left_which_either_may_have_answered(
    table: Table, anna: Actor, bram: Actor, admin: Actor, answered: str
) -> None:
    for actor, whose in ((bram, "guest"), (admin, "account")):
        when = timezone.now() if answered == whose else None
        PersonInvitation.objects.create(table=table, by=anna.person, person=actor.person, answered=when)
    do_adopt(bram.person, User.objects.get(username="boss"))
    assert PersonInvitation.objects.get().person == admin.person
    assert open_invitations(admin.person).exists() is (answered == "neither")


@pytest.mark.parametrize("personal", ["guest", "account"])
def test_of_an_invitation_of_a_circle_and_one_of_a_person_the_one_of_a_person_is_left(
    table: Table, anna: Actor, bram: Actor, admin: Actor, personal: str
) -> None:
    do_invite_people(table, anna.person, [bram.person.pk], of_circle=personal == "account")
    do_invite_people(table, anna.person, [admin.person.pk], of_circle=personal == "guest")
    do_adopt(bram.person, User.objects.get(username="boss"))
    assert PersonInvitation.objects.count() == 1
    assert open_invitations(admin.person).exists()


def test_nobody_is_invited_by_themselves_after_the_login(table: Table, bram: Actor, admin: Actor) -> None:
    PersonInvitation.objects.create(table=table, by=bram.person, person=admin.person)
    do_adopt(bram.person, User.objects.get(username="boss"))
    assert not PersonInvitation.objects.exists()
