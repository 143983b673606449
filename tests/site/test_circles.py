"""Circles: their members and owners, who is here, and that nobody else learns anything."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from cardsite.circles import page_data, services
from cardsite.circles.models import Circle, Evening, Invitation, Member
from cardsite.limits import MAX_CIRCLES, MAX_MEMBERS
from cardsite.lobby.models import HERE, Seat, Table
from cardsite.lobby.services.hosting import do_close
from cardsite.lobby.services.invitations import do_invite_people
from cardsite.lobby.services.lifecycle import do_close_table, do_create_table
from cardsite.people.models import Person
from cardsite.people.services import do_adopt, do_remove_people, do_restrict
from cardsite.refusal import Refused
from cardsite.table.services.leaving import do_leave as do_leave_site
from games import catalogue
from tests.site.conftest import Actor, block, new_guest
from tests.site.reasons import NOT_A_MEMBER, why_refused
from tests.site.test_person_invitations import invited_to

SECRET = "Kwartaalkaarters"
BUTTONS = ("leave", "remove", "transfer", "rename", "renew-link", "close", "plan", "cancel-plan", "evenings/1/double")


@pytest.fixture
def circle(host: Actor, guest: Actor) -> Circle:
    """A circle of the hostess, with a guest as a member."""
    made = services.do_make(host.person, SECRET)
    services.do_join(guest.person, made.token)
    return made


def roles(circle: Circle) -> dict[str, str]:
    """Return the roles in a circle, by name."""
    return {member.person.name: member.role for member in circle.members.select_related("person")}


def page(actor: Actor, circle: Circle) -> str:
    """Return the page of a circle as a member sees it."""
    answer = actor.client.get(f"/circles/{circle.code}/")
    assert answer.status_code == 200
    return answer.content.decode()


# -- make and join


def test_a_newcomer_makes_a_circle_and_a_newcomer_with_the_link_joins(newcomer: Client, db: None) -> None:
    assert newcomer.post("/circles/", {"circle": "  Friday   night ", "name": "Anna"}).status_code == 302
    circle = Circle.objects.get()
    assert circle.name == "Friday night"
    other = Client()
    link = f"/circles/join/{circle.token}/"
    assert link in newcomer.get(f"/circles/{circle.code}/").content.decode()
    assert other.get(link).status_code == 200
    joined = other.post(link, {"name": "Bob"})
    assert (joined.status_code, joined["Location"]) == (302, f"/circles/{circle.code}/")
    assert roles(circle) == {"Anna": "owner", "Bob": "member"}
    assert other.get(link)["Location"] == f"/circles/{circle.code}/"  # a member goes straight there


@pytest.mark.parametrize(("name", "why"), [(" \0 ", "Enter a name for the circle."), ("x" * 41, "at most 40")])
def test_a_circle_needs_a_name_of_one_line(host: Actor, circle: Circle, name: str, why: str) -> None:
    refused = host.client.post("/circles/", {"circle": name})
    assert refused.status_code == 400
    assert why in refused.content.decode()
    assert why in host.client.post(f"/circles/{circle.code}/rename/", {"circle": name}, follow=True).content.decode()
    assert list(Circle.objects.values_list("name", flat=True)) == [SECRET]


def test_joining_twice_changes_nothing(circle: Circle, guest: Actor) -> None:
    guest.client.post(f"/circles/join/{circle.token}/")
    services.do_join(guest.person, circle.token)
    assert roles(circle) == {"Hostess": "owner", "Guest": "member"}


def test_a_full_circle_and_a_person_in_many_circles_are_refused(circle: Circle, stranger: Actor) -> None:
    for number in range(MAX_CIRCLES):
        services.do_make(stranger.person, f"Circle {number}")
    with pytest.raises(Refused, match=f"You are in {MAX_CIRCLES} circles"):
        services.do_make(stranger.person, "One more")
    with pytest.raises(Refused, match=f"You are in {MAX_CIRCLES} circles"):
        services.do_join(stranger.person, circle.token)
    people = Person.objects.bulk_create(Person(name=f"P{n}") for n in range(MAX_MEMBERS - 2))
    Member.objects.bulk_create(Member(circle=circle, person=person) for person in people)
    with pytest.raises(Refused, match="This circle is full: it has 50 members"):
        services.do_join(new_guest("Late").person, circle.token)


# -- nobody else


def everything(circle: Circle) -> Iterator[str]:
    """Yield every address of a circle that is read."""
    yield from (f"/circles/{circle.code}/", f"/circles/{circle.code}/now.json", f"/new/?circle={circle.code}")
    yield from (f"/circles/{circle.code}/evening.ics", f"/circles/{circle.code}/evenings/1/")


def test_a_stranger_gets_the_answer_of_a_circle_that_does_not_exist(
    circle: Circle, stranger: Actor, admin: Actor, newcomer: Client
) -> None:
    nothing = Circle(code="abcdefghjk")
    for client in (stranger.client, admin.client, newcomer):
        for path, other in zip(everything(circle), everything(nothing), strict=True):
            got, missing = client.get(path), client.get(other)
            assert why_refused(got) == why_refused(missing) == NOT_A_MEMBER
            assert got.content.replace(circle.code.encode(), b"") == missing.content.replace(nothing.code.encode(), b"")
            assert {**got.headers} == {**missing.headers}
        for action in BUTTONS:
            got, missing = (client.post(f"/circles/{one.code}/{action}/", {"sure": "yes"}) for one in (circle, nothing))
            assert why_refused(got) == why_refused(missing) == NOT_A_MEMBER
            assert got.content == missing.content
    assert roles(circle) == {"Hostess": "owner", "Guest": "member"}


def test_the_link_to_join_says_nothing_about_the_circle(circle: Circle, newcomer: Client, stranger: Actor) -> None:
    for client in (newcomer, stranger.client):
        text = client.get(f"/circles/join/{circle.token}/").content.decode()
        assert [word for word in (SECRET, "Hostess", "Guest", circle.code) if word in text] == []
        assert why_refused(client.get("/circles/join/no-such/")) == NOT_A_MEMBER


def test_no_page_shows_a_stranger_that_a_table_is_of_a_circle(
    circle: Circle, host: Actor, stranger: Actor, newcomer: Client
) -> None:
    table = evening(circle, host, public=True)
    paths = ("/", "/tables.json", f"/t/{table.code}/", f"/people/{host.person.pk}/", "/circles/", "/people/me/")
    for client in (newcomer, stranger.client):
        for path in paths:
            text = client.get(path).content.decode()
            assert [word for word in (SECRET, circle.code, circle.token) if word in text] == [], path
    assert f"/circles/{circle.code}/evenings/" in host.client.get(f"/t/{table.code}/").content.decode()
    assert SECRET in host.client.get("/").content.decode()
    assert SECRET in host.client.get("/people/me/").content.decode()


# -- leave, remove, transfer, close


def test_a_member_who_leaves_is_a_stranger(circle: Circle, guest: Actor) -> None:
    left = guest.client.post(f"/circles/{circle.code}/leave/", {"sure": "yes"})
    assert left["Location"] == "/circles/"
    assert why_refused(guest.client.get(f"/circles/{circle.code}/")) == NOT_A_MEMBER
    assert SECRET not in guest.client.get("/").content.decode()


def test_a_removed_member_cannot_return_by_the_link_they_know(circle: Circle, host: Actor, guest: Actor) -> None:
    host.client.post(f"/circles/{circle.code}/remove/", {"person": guest.person.pk, "sure": "yes"})
    assert roles(circle) == {"Hostess": "owner"}
    assert why_refused(guest.client.post(f"/circles/join/{circle.token}/")) == NOT_A_MEMBER
    circle.refresh_from_db()
    assert guest.client.post(f"/circles/join/{circle.token}/").status_code == 302


def test_the_owner_renews_the_link(circle: Circle, host: Actor, stranger: Actor) -> None:
    host.client.post(f"/circles/{circle.code}/renew-link/")
    assert why_refused(stranger.client.get(f"/circles/join/{circle.token}/")) == NOT_A_MEMBER


def test_the_owner_transfers_the_circle(circle: Circle, host: Actor, guest: Actor) -> None:
    host.client.post(f"/circles/{circle.code}/transfer/", {"person": guest.person.pk, "sure": "yes"})
    assert roles(circle) == {"Hostess": "member", "Guest": "owner"}
    refused = host.client.post(f"/circles/{circle.code}/rename/", {"circle": "Mine"}, follow=True)
    assert "Only the owner of the circle can do that." in refused.content.decode()


@pytest.mark.parametrize("person", ["", "abc", "0", "999999999", "own"])
def test_a_button_for_no_other_member_changes_nothing(circle: Circle, host: Actor, person: str) -> None:
    number = host.person.pk if person == "own" else person
    for action, sure in itertools.product(("remove", "transfer"), ({}, {"sure": "yes"})):
        answer = host.client.post(f"/circles/{circle.code}/{action}/", {"person": number, **sure}, follow=True)
        assert "That person is no longer a member. Nothing was changed." in answer.content.decode()
    assert roles(circle) == {"Hostess": "owner", "Guest": "member"}


def test_the_owner_who_leaves_is_replaced_by_the_first_member_with_an_account(
    circle: Circle, host: Actor, admin: Actor, stranger: Actor
) -> None:
    services.do_join(stranger.person, circle.token)
    services.do_join(admin.person, circle.token)
    services.do_leave(circle.code, host.person)
    assert roles(circle) == {"Guest": "member", "Stranger": "member", "Boss": "owner"}
    services.do_leave(circle.code, admin.person)
    assert roles(circle) == {"Guest": "owner", "Stranger": "member"}


@pytest.mark.parametrize("by_administrator", [True, False])
def test_the_owner_who_is_removed_from_the_site_is_replaced(
    circle: Circle, host: Actor, by_administrator: bool
) -> None:
    if by_administrator:
        do_remove_people([host.person.pk])
    else:
        do_leave_site(host.person)
    assert roles(circle) == {"Guest": "owner"}


def test_a_circle_whose_members_are_all_removed_from_the_site_is_closed(circle: Circle) -> None:
    do_remove_people(circle.members.values_list("person", flat=True))
    assert not Circle.objects.exists()


def test_the_last_member_who_leaves_closes_the_circle(circle: Circle, host: Actor, guest: Actor) -> None:
    evening(circle, host)
    for actor in (host, guest):
        services.do_leave(circle.code, actor.person)
    assert not Circle.objects.exists()
    assert not Evening.objects.exists()
    assert Table.objects.count() == 1


def asked(actor: Actor, circle: Circle, action: str, number: int | None = None) -> str:
    """Return the page that asks before an action, the same for a link and for a form without the answer."""
    path, form = f"/circles/{circle.code}/{action}/", {"person": number} if number else {}
    pages = [actor.client.get(path, form), actor.client.post(path, form)]
    texts = [re.sub(r'<input type="hidden" name="csrf.*?>', "", answer.content.decode()) for answer in pages]
    assert [answer.status_code for answer in pages] == [200, 200]
    assert texts[0] == texts[1]
    assert f'<a class="text-link" href="/circles/{circle.code}/">Cancel</a>' in texts[0]
    return texts[0]


@pytest.mark.parametrize(
    ("action", "question", "said", "result"),
    [
        ("remove", "Remove <bdi>Guest</bdi> from the circle?", "the old one stops working", {"Hostess": "owner"}),
        (
            "transfer",
            "Make <bdi>Guest</bdi> the owner of the circle?",
            "Only the new owner can make you the owner again.",
            {"Hostess": "member", "Guest": "owner"},
        ),
        ("leave", "Leave this circle?", "<bdi>Guest</bdi> becomes the owner.", {"Guest": "owner"}),
        ("close", "Close this circle for everybody?", "That cannot be undone.", {}),
    ],
)
def test_it_is_said_what_would_happen_before_it_happens(
    circle: Circle, host: Actor, guest: Actor, action: str, question: str, said: str, result: dict[str, str]
) -> None:
    number = guest.person.pk if action in ("remove", "transfer") else None
    page = asked(host, circle, action, number)
    assert question in page
    assert said in page
    assert roles(circle) == {"Hostess": "owner", "Guest": "member"}
    form = {"sure": "yes", **({"person": number} if number else {})}
    host.client.post(f"/circles/{circle.code}/{action}/", form)
    assert roles(circle) == result


def test_a_member_who_leaves_reads_how_to_return_and_the_last_one_that_it_closes(
    circle: Circle, host: Actor, guest: Actor
) -> None:
    page = asked(guest, circle, "leave")
    assert "To return you need the link to join." in page
    assert "becomes the owner" not in page
    services.do_leave(circle.code, guest.person)
    page = asked(host, circle, "leave")
    assert "You are the last member: the circle is then closed." in page
    assert "becomes the owner" not in page


def test_the_one_who_becomes_the_owner_is_named(circle: Circle, host: Actor, admin: Actor, stranger: Actor) -> None:
    services.do_join(stranger.person, circle.token)
    services.do_join(admin.person, circle.token)
    assert "<bdi>Boss</bdi> becomes the owner." in asked(host, circle, "leave")


def test_of_two_members_of_one_name_it_is_said_which_one(circle: Circle, host: Actor) -> None:
    twin = new_guest("Guest")
    services.do_join(twin.person, circle.token)
    assert "Remove <bdi>Guest (2)</bdi> from the circle?" in asked(host, circle, "remove", twin.person.pk)


@pytest.mark.parametrize("owner", [True, False])
def test_a_guest_who_logs_in_stays_a_member_once(circle: Circle, host: Actor, guest: Actor, owner: bool) -> None:
    user = User.objects.create_user("anna")
    account = Person.objects.create(name="Anna", user=user)
    services.do_join(account, circle.token)
    do_adopt(host.person if owner else guest.person, user)
    expected = {"Anna": "owner", "Guest": "member"} if owner else {"Hostess": "owner", "Anna": "member"}
    assert roles(circle) == expected


# -- blocked people


def test_a_blocked_person_may_look_and_leave_and_nothing_else(circle: Circle, host: Actor, guest: Actor) -> None:
    stranger = new_guest("Blocked")
    block(host.person, guest.person, stranger.person)
    for do in (
        lambda: services.do_make(stranger.person, "Mine"),
        lambda: services.do_join(stranger.person, circle.token),
        lambda: services.do_rename(circle.code, host.person, "Rude words"),
        lambda: services.do_renew_link(circle.code, host.person),
        lambda: services.do_remove_member(circle.code, host.person, guest.person.pk),
        lambda: evening(circle, guest),
    ):
        with pytest.raises(Refused, match="An administrator has blocked you"):
            do()
    assert SECRET in page(guest, circle)
    services.do_leave(circle.code, guest.person)
    services.do_close(circle.code, host.person)


# -- who is here, and tables


def evening(circle: Circle, actor: Actor, **settings: bool) -> Table:
    """Have a member start an evening of Hamsterdam Exchange, at a table of three."""
    game = catalogue.find("hamsterdam")
    return services.do_start_evening(circle.code, actor.person, game, ["me", "open", "house"], **settings)


def here(circle: Circle) -> dict[str, str]:
    """Return where the members of a circle are, by name."""
    return {member.name: member.here for member in page_data.members(circle)}


def test_members_see_who_has_the_page_open_and_who_is_at_a_table(circle: Circle, host: Actor, guest: Actor) -> None:
    assert here(circle) == {"Hostess": "", "Guest": ""}
    guest.client.get(f"/circles/{circle.code}/now.json")
    assert here(circle) == {"Hostess": "", "Guest": "page"}
    table = evening(circle, host)
    Table.objects.update(host_seen=timezone.now() - 2 * HERE)
    assert here(circle)["Hostess"] == ""
    Seat.objects.filter(table=table, person=host.person).update(seen=timezone.now())
    Member.objects.update(seen=timezone.now() - HERE - timedelta(seconds=1))
    assert here(circle) == {"Hostess": "table", "Guest": ""}


def test_the_page_lists_the_tables_of_the_circle_until_they_are_closed(
    circle: Circle, host: Actor, guest: Actor
) -> None:
    other = services.do_make(host.person, "Another circle")
    table = evening(circle, host)
    assert f"/t/{table.code}/" in page(guest, circle)
    assert f"/t/{table.code}/" not in page(host, other)
    etag = guest.client.get(f"/circles/{circle.code}/now.json")["ETag"]
    again = guest.client.get(f"/circles/{circle.code}/now.json", headers={"If-None-Match": etag})
    assert (again.status_code, again.content) == (304, b"")
    do_close(table.code, host.person)
    now = guest.client.get(f"/circles/{circle.code}/now.json", headers={"If-None-Match": etag})
    assert f"/t/{table.code}/" not in now.json()["parts"]["now"]


def test_a_member_invites_a_circle_to_the_table_where_they_sit(
    circle: Circle, host: Actor, guest: Actor, stranger: Actor
) -> None:
    table = do_create_table(guest.person, catalogue.find("bundles"), ["me", "open"], public=False)
    menu = guest.client.get(f"/t/{table.code}/").content.decode()
    assert f"/circles/invite/{table.code}/" in menu
    assert "/circles/invite/" not in stranger.client.get(f"/t/{table.code}/").content.decode()
    for _ in range(2):  # a second click changes nothing
        guest.client.post(f"/circles/invite/{table.code}/", {"circle": circle.code})
    shown = page(host, circle)
    assert f"/t/{table.code}/" in shown
    assert "You are invited" in shown
    assert "/evenings/" not in shown
    asked = guest.client.get(f"/circles/invite/{table.code}/").content.decode()
    assert "Invite again" in asked
    do_close_table(table)
    assert f"/t/{table.code}/" not in page(host, circle)
    assert guest.client.get(f"/circles/invite/{table.code}/").status_code == 404


def test_members_find_the_invitation_of_their_circle_on_the_front_page_and_answer_it(
    circle: Circle, host: Actor, guest: Actor, stranger: Actor
) -> None:
    other = new_guest("Other")
    for actor in (other, stranger):
        services.do_join(actor.person, circle.token)
    table = do_create_table(guest.person, catalogue.find("bundles"), ["me", "open", "open"], public=False)
    Seat.objects.filter(table=table, index=2).update(person=other.person)
    for _ in range(2):
        services.do_invite(circle.code, guest.person, table.code)
    assert "Guest invites you to a table" in host.client.get("/").content.decode()
    assert invited_to(host) == invited_to(stranger) == [table.code]
    assert invited_to(guest) == invited_to(other) == []  # they sit there
    host.client.post(f"/t/{table.code}/decline/")
    stranger.client.post(f"/t/{table.code}/accept/")
    assert Seat.objects.get(table=table, index=1).person == stranger.person
    services.do_invite(circle.code, guest.person, table.code)  # once more, after the answers
    assert invited_to(host) == invited_to(stranger) == []


def test_an_invitation_names_the_circles_of_the_table_to_their_members_and_to_nobody_else(
    circle: Circle, host: Actor, guest: Actor, stranger: Actor
) -> None:
    second = services.do_make(guest.person, "Zondagskaarters")
    services.do_join(host.person, second.token)

    def named(actor: Actor) -> tuple[bool, bool, bool]:
        """Return whether an invitation calls the table an evening of the circle, and names it and the second one."""
        [row] = actor.client.get("/tables.json").json()["invited"]
        assert row["html"] in actor.client.get("/").content.decode()
        return (
            f"Evening of <bdi>{SECRET}</bdi>" in row["html"],
            f"Circle <bdi>{SECRET}</bdi>" in row["html"],
            f"Circle <bdi>{second.name}</bdi>" in row["html"],
        )

    table = do_create_table(guest.person, catalogue.find("bundles"), ["me", "open"], public=False)
    do_invite_people(table, guest.person, [stranger.person.pk])
    services.do_invite(circle.code, guest.person, table.code)
    assert named(host) == (False, True, False)
    services.do_invite(second.code, guest.person, table.code)
    assert named(host) == (False, True, True)
    evening = Evening.objects.create(circle=circle, table=table)
    assert named(host) == (True, False, True)
    services.do_leave(second.code, host.person)
    assert named(host) == (True, False, False)
    assert named(stranger) == (False, False, False)  # invited in person, and in no circle
    evening.delete()
    for name in (SECRET, second.name):
        assert name not in stranger.client.get("/").content.decode()


def leaves(circle: Circle, owner: Actor, member: Actor) -> None:
    services.do_leave(circle.code, member.person)


def is_removed(circle: Circle, owner: Actor, member: Actor) -> None:
    services.do_remove_member(circle.code, owner.person, member.person.pk)


def circle_is_closed(circle: Circle, owner: Actor, member: Actor) -> None:
    services.do_close(circle.code, owner.person)


def reported_circle_is_closed(circle: Circle, owner: Actor, member: Actor) -> None:
    services.do_post_message(circle.code, owner.person, "rude")
    services.do_report_messages(circle.code, member.person, circle.messages.values_list("pk", flat=True), "why")
    services.do_close(circle.code, owner.person)


ENDS = [leaves, is_removed, circle_is_closed, reported_circle_is_closed]


@pytest.mark.parametrize("end", ENDS)
def test_the_invitation_of_a_circle_goes_away_with_the_membership(
    circle: Circle, host: Actor, guest: Actor, stranger: Actor, end: Callable[[Circle, Actor, Actor], None]
) -> None:
    services.do_join(stranger.person, circle.token)
    table = do_create_table(guest.person, catalogue.find("bundles"), ["me", "open"], public=False)
    services.do_invite(circle.code, guest.person, table.code)
    assert invited_to(stranger) == invited_to(host) == [table.code]
    end(circle, host, stranger)
    assert invited_to(stranger) == []
    assert invited_to(host) == ([table.code] if Member.objects.exists() else [])
    # Another one can be made then, of a person or of another circle, and is shown.
    do_invite_people(table, guest.person, [stranger.person.pk])
    assert invited_to(stranger) == [table.code]


@pytest.mark.parametrize("end", ENDS)
def test_an_invitation_stays_without_the_membership_if_it_has_another_reason(
    circle: Circle, host: Actor, guest: Actor, stranger: Actor, end: Callable[[Circle, Actor, Actor], None]
) -> None:
    in_two = new_guest("In two circles")
    second = services.do_make(in_two.person, "Zondagskaarters")
    services.do_join(guest.person, second.token)
    for actor in (in_two, stranger):
        services.do_join(actor.person, circle.token)
    table = do_create_table(guest.person, catalogue.find("bundles"), ["me", "open"], public=False)
    do_invite_people(table, guest.person, [stranger.person.pk])
    for one in (circle, second):
        services.do_invite(one.code, guest.person, table.code)
    for actor in (in_two, stranger):
        if Member.objects.filter(circle=circle).exists():
            end(circle, host, actor)
    assert invited_to(stranger) == [table.code]
    assert invited_to(in_two) == [table.code]
    services.do_leave(second.code, in_two.person)
    assert invited_to(in_two) == []


def is_blocked(circle: Circle, owner: Actor, member: Actor) -> None:
    block(member.person)


def is_muted_by_an_administrator(circle: Circle, owner: Actor, member: Actor) -> None:
    do_restrict(member.person, "muted", "", None, None)


@pytest.mark.parametrize("unwanted", [is_blocked, is_muted_by_an_administrator, is_removed])
def test_invitations_of_a_circle_go_away_with_a_member_who_is_not_wanted_and_its_evenings_stay(
    circle: Circle, host: Actor, guest: Actor, unwanted: Callable[[Circle, Actor, Actor], None]
) -> None:
    invited, evening = (
        do_create_table(guest.person, catalogue.find("bundles"), ["me", "open"], public=False) for _ in range(2)
    )
    Evening.objects.create(circle=circle, table=evening)
    for table in (invited, evening):
        services.do_invite(circle.code, guest.person, table.code)
    assert len(invited_to(host)) == 2
    assert f"/t/{invited.code}/" in page(host, circle)
    unwanted(circle, host, guest)
    assert invited_to(host) == []
    assert f"/t/{invited.code}/" not in page(host, circle)
    assert f"/t/{evening.code}/" in page(host, circle)


def test_a_member_who_has_declined_and_left_is_not_asked_again(circle: Circle, host: Actor, guest: Actor) -> None:
    table = do_create_table(host.person, catalogue.find("bundles"), ["me", "open"], public=False)
    services.do_invite(circle.code, host.person, table.code)
    guest.client.post(f"/t/{table.code}/decline/")
    services.do_leave(circle.code, guest.person)
    do_invite_people(table, host.person, [guest.person.pk])
    assert invited_to(guest) == []


def test_a_circle_is_not_invited_to_a_story_or_a_table_of_others(circle: Circle, host: Actor, guest: Actor) -> None:
    table = do_create_table(host.person, catalogue.find("bundles"), ["me", "open"])
    with pytest.raises(Refused, match=r"^Sit down at the table first\.$"):
        services.do_invite(circle.code, guest.person, table.code)
    Table.objects.update(story=True)
    with pytest.raises(Refused, match=r"^Nobody can be invited to this table\.$"):
        services.do_invite(circle.code, host.person, table.code)
    assert not Invitation.objects.exists()


def test_a_member_starts_an_evening_by_the_form_of_a_new_table(circle: Circle, guest: Actor, stranger: Actor) -> None:
    form = {"game": "bundles", "circle": circle.code, "seat0": "me", "seat1": "open", "seconds": "60"}
    form |= {"visibility": "link", "sealed": "yes", "seat2": "none", "seat3": "none"}
    started = guest.client.get(f"/new/?game=bundles&circle={circle.code}").content.decode()
    assert f'name="circle" value="{circle.code}"' in started
    assert f"?game=hamsterdam&amp;circle={circle.code}" in started
    answer = stranger.client.post("/new/", form)
    assert why_refused(answer) == NOT_A_MEMBER
    assert "Circle not found" in answer.content.decode()
    assert guest.client.post("/new/", form).status_code == 302
    assert Evening.objects.get().table.opened_by == guest.person
    assert guest.client.post("/new/", {**form, "circle": ""}).status_code == 302
    assert Evening.objects.count() == 1
