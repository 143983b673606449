"""Muting a person: nothing that the person writes, and no invitation or notification by them, reaches the one who did.

It is kept with the person, holds everywhere, and the muted person does not notice.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from cardsite.circles import services as circles
from cardsite.circles.models import Circle, Invitation, Member
from cardsite.lobby.models import HERE, PersonInvitation, Seat, Table
from cardsite.people import services
from cardsite.people.models import Mute, Person
from cardsite.people.mutes import muted_by
from cardsite.people.services import do_adopt, do_mute, do_unmute
from cardsite.table.services.invitations import do_invite_person, people_to_invite
from games import catalogue
from tests.running_site import RunningSite
from tests.site.conftest import Actor, new_guest
from tests.site.push_service import PushService
from tests.site.test_person_invitations import invited_to, played
from tests.site.test_push import sent, service, switch_on, thursdays  # noqa: F401 - a fixture
from tests.site.visitor import TableSocket, Visitor
from tests.tiers import full

pytestmark = pytest.mark.django_db(transaction=True)
MUTE = "/people/me/mute/"
SAID = "Do you play tonight?"


@pytest.fixture
def anna(db: None) -> Actor:
    """The one who is muted."""
    return new_guest("Anna")


@pytest.fixture
def bram(db: None) -> Actor:
    """The one who mutes Anna."""
    return new_guest("Bram")


@pytest.fixture
def circle(anna: Actor, bram: Actor) -> Circle:
    """A circle of both."""
    return thursdays(anna, bram)


def table_of(person: Person) -> Table:
    """Return a new table that is found by its link, where a person sits beside two free seats."""
    made = Table.objects.create(game="bundles", host=person, opened_by=person, public=False)
    Seat.objects.create(table=made, index=0, person=person)
    Seat.objects.bulk_create(Seat(table=made, index=index) for index in (1, 2))
    return made


# -- everything that can reach a person


@pytest.fixture
def received(service: PushService, anna: Actor, bram: Actor) -> Callable[[], list[str]]:  # noqa: F811
    """A function that returns the titles of the notifications that Bram's device has got since the last call."""
    device = switch_on(bram, service.device("phone"))
    return lambda: [device.read(body)["title"] for _path, _headers, body in sent(service)]


def chat_of_a_circle(anna: Actor, bram: Actor, circle: Circle) -> None:
    circles.do_post_message(circle.code, anna.person, SAID)


def invitation_of_a_person(anna: Actor, bram: Actor, circle: Circle) -> None:
    table = table_of(anna.person)
    if any(one.person == bram.person.pk for one in people_to_invite(table, anna.person)):
        do_invite_person(table.code, anna.person, bram.person.pk)


def invitation_of_a_circle(anna: Actor, bram: Actor, circle: Circle) -> None:
    circles.do_invite(circle.code, anna.person, table_of(anna.person).code)


def evening_of_a_circle(anna: Actor, bram: Actor, circle: Circle) -> None:
    circles.do_start_evening(circle.code, anna.person, catalogue.find("hamsterdam"), ["me", "open"])


def friend_is_here(anna: Actor, bram: Actor, circle: Circle) -> None:
    Member.objects.filter(circle=circle).update(seen=None)
    anna.client.get(f"/circles/{circle.code}/")


WAYS: dict[Callable[[Actor, Actor, Circle], None], str] = {
    chat_of_a_circle: SAID,
    invitation_of_a_person: "Anna invites you to a table",
    invitation_of_a_circle: "Anna invites you to a table",
    evening_of_a_circle: "An evening begins",
    friend_is_here: "Anna is here",
}


def what_reaches(bram: Actor, circle: Circle, received: Callable[[], list[str]]) -> str:
    """Return the text of everything of others that reaches Bram: on pages, in their updates, and on his device."""
    parts = bram.client.get(f"/circles/{circle.code}/now.json").json()["parts"]
    front = bram.client.get("/").content.decode() + str(bram.client.get("/tables.json").json()["invited"])
    return "\n".join([parts["chat"], front, *received()])


@pytest.mark.parametrize("way", WAYS)
def test_nothing_of_a_muted_person_reaches_the_one_who_has_muted_them(
    way: Callable[[Actor, Actor, Circle], None],
    anna: Actor,
    bram: Actor,
    circle: Circle,
    received: Callable[[], list[str]],
) -> None:
    played(anna.person, bram.person)
    words = WAYS[way]
    do_mute(bram.person, [anna.person.pk])
    way(anna, bram, circle)
    assert words not in what_reaches(bram, circle, received)
    do_unmute(bram.person, anna.person.pk)
    PersonInvitation.objects.all().delete()
    way(anna, bram, circle)
    assert words in what_reaches(bram, circle, received)
    # And what is there already is not shown any longer, until the mute is taken back.
    do_mute(bram.person, [anna.person.pk])
    assert words not in what_reaches(bram, circle, received)


def test_the_page_of_a_circle_does_not_list_a_table_to_which_a_muted_person_invites_it(
    anna: Actor, bram: Actor, circle: Circle
) -> None:
    def listed() -> bool:
        now = bram.client.get(f"/circles/{circle.code}/now.json").json()["parts"]["now"]
        assert ("You are invited" in now) is (f"/t/{table.code}/" in now)
        return "You are invited" in now

    table = table_of(anna.person)
    circles.do_invite(circle.code, anna.person, table.code)
    assert listed()
    do_mute(bram.person, [anna.person.pk])
    assert not listed()
    Invitation.objects.update(by=None)  # by a person who has left the site, or from before this was stored
    assert listed()


def test_an_evening_that_a_muted_person_starts_stays_on_the_page_of_the_circle_as_the_question_says(
    anna: Actor, bram: Actor, circle: Circle
) -> None:
    asked = bram.client.get(MUTE, {"mute": anna.person.pk}).content.decode()
    assert "Evenings of your circles stay listed, even if <bdi>Anna</bdi> starts them." in asked
    do_mute(bram.person, [anna.person.pk])
    evening_of_a_circle(anna, bram, circle)
    table = Table.objects.get()
    circles.do_invite(circle.code, anna.person, table.code)  # this is not shown, but the evening is
    now = bram.client.get(f"/circles/{circle.code}/now.json").json()["parts"]["now"]
    assert f"/t/{table.code}/" in now
    assert "You are invited" not in now
    assert invited_to(bram) == []


def test_others_still_receive_what_a_muted_person_sends(anna: Actor, bram: Actor, circle: Circle) -> None:
    cato = new_guest("Cato")
    Member.objects.create(circle=circle, person=cato.person)
    do_mute(bram.person, [anna.person.pk])
    circles.do_post_message(circle.code, anna.person, SAID)
    assert SAID in cato.client.get(f"/circles/{circle.code}/").content.decode()


def mutes(ws: TableSocket) -> list[int]:
    """Return whom the person of a socket has muted, as it was sent last."""
    [*_, last] = (message["mutes"] for message in ws.messages if message["t"] in ("welcome", "you"))
    return list(last)


def test_the_numbers_of_muted_people_are_sent_to_all_sockets_of_a_person_and_to_nobody_else(site: RunningSite) -> None:
    anna, bram = Visitor(site, "Anna"), Visitor(site, "Walter")
    code = anna.open_table("me", "open")
    bram.must(code, "sit")

    with anna.connect(code) as of_anna, bram.connect(code) as one, bram.connect(code) as two:
        number = of_anna.messages[0]["person"]
        assert bram.post(MUTE, mute=number).status == 302
        for ws in (one, two):
            ws.until(lambda ws=ws: mutes(ws) == [number])  # type: ignore[misc]
        with bram.connect(code) as late:
            assert mutes(late) == [number]
        of_anna.settle()
        assert mutes(of_anna) == []
        assert [message["t"] for message in of_anna.messages].count("you") == 0
        bram.post(MUTE, unmute=number)
        one.until(lambda: mutes(one) == [])


@full
def test_a_mute_is_sent_to_sockets_at_other_processes(grown_site: tuple[RunningSite, RunningSite]) -> None:
    anna, bram = Visitor(grown_site[0], "Anna"), Visitor(grown_site[0], "Walter")
    code = anna.open_table("me", "open")
    bram.must(code, "sit")
    with anna.connect(code) as of_anna, bram.connect(code) as here:
        bram.site = grown_site[1]
        with bram.connect(code) as there:
            number = of_anna.messages[0]["person"]
            bram.post(MUTE, mute=number)
            for ws in (here, there):
                ws.until(lambda ws=ws: mutes(ws) == [number])  # type: ignore[misc]


# -- the muted person does not notice


def test_a_muted_person_sees_a_list_of_people_to_invite_without_a_word_about_it(anna: Actor, bram: Actor) -> None:
    cato = new_guest("Cato")
    played(anna.person, bram.person, cato.person)
    table = table_of(anna.person)
    do_mute(bram.person, [anna.person.pk])
    assert [one.name for one in people_to_invite(table, anna.person)] == ["Cato"]
    answer = anna.client.post(f"/t/{table.code}/invite-person/", {"person": bram.person.pk}).json()
    assert answer["code"] == "not_invitable"
    assert "mute" not in answer["text"].lower()


def test_the_pages_of_a_muted_person_stay_the_same(anna: Actor, bram: Actor, circle: Circle) -> None:
    def pages() -> list[bytes]:
        paths = (
            "/people/me/",
            f"/people/{anna.person.pk}/",
            f"/people/{bram.person.pk}/",
            "/people/me/data.json",
            f"/circles/{circle.code}/now.json",
        )
        return [anna.client.get(path).content for path in paths]

    Member.objects.update(seen=timezone.now() + HERE)  # so that presence does not change meanwhile
    anna.client.get(f"/circles/{circle.code}/")
    before = [page.split(b"csrfmiddlewaretoken")[0] for page in pages()]
    do_mute(bram.person, [anna.person.pk])
    assert [page.split(b"csrfmiddlewaretoken")[0] for page in pages()] == before


def test_somebody_else_may_invite_where_the_invitation_of_a_muted_person_is_not_shown(anna: Actor, bram: Actor) -> None:
    cato = new_guest("Cato")
    played(anna.person, bram.person)
    played(cato.person, bram.person)
    table = table_of(anna.person)
    Seat.objects.filter(table=table, index=1).update(person=cato.person)
    do_invite_person(table.code, anna.person, bram.person.pk)
    do_mute(bram.person, [anna.person.pk])
    assert invited_to(bram) == []
    do_invite_person(table.code, cato.person, bram.person.pk)
    assert invited_to(bram) == [table.code]
    assert PersonInvitation.objects.get().by == cato.person


# -- pages and buttons


def test_an_invitation_leads_to_a_question_and_that_to_a_mute(anna: Actor, bram: Actor) -> None:
    played(anna.person, bram.person)
    do_invite_person(table_of(anna.person).code, anna.person, bram.person.pk)
    address = f"{MUTE}?mute={anna.person.pk}&amp;next=/"
    shown = bram.client.get("/").content.decode()
    assert address in shown
    assert "No more invitations from Anna" in shown
    asked = bram.client.get(address.replace("&amp;", "&"))
    assert "<bdi>Anna</bdi>?" in asked.content.decode()
    assert not Mute.objects.exists()
    done = bram.client.post(MUTE, {"mute": anna.person.pk, "next": "/"}, follow=True)
    assert done.redirect_chain == [("/", 302)]
    assert "You have muted Anna." in done.content.decode()
    assert invited_to(bram) == []


def test_a_persons_page_lists_whom_they_have_muted_and_takes_it_back(anna: Actor, bram: Actor) -> None:
    do_mute(bram.person, [anna.person.pk, new_guest("Anna").person.pk])
    shown = bram.client.get("/people/me/").content.decode()
    assert "People you have muted" in shown
    assert "<bdi>Anna</bdi>" in shown
    assert "<bdi>Anna (2)</bdi>" in shown
    done = bram.client.post(MUTE, {"unmute": anna.person.pk}, follow=True)
    assert done.redirect_chain == [("/people/me/", 302)]
    assert f'value="{anna.person.pk}"' not in done.content.decode()
    do_unmute(bram.person, muted_by(bram.person.pk)[0])
    assert "People you have muted" not in bram.client.get("/people/me/").content.decode()


def test_the_page_of_a_circle_mutes_a_member_and_says_that_messages_are_hidden(
    anna: Actor, bram: Actor, circle: Circle
) -> None:
    page = f"/circles/{circle.code}/"
    circles.do_post_message(circle.code, anna.person, SAID)
    shown = bram.client.get(page).content.decode()
    assert f'name="mute" value="{anna.person.pk}"' in shown
    assert f'value="{bram.person.pk}"' not in shown
    answer = bram.client.post(MUTE, {"mute": anna.person.pk, "next": page})
    assert answer["Location"] == page
    shown = bram.client.get(page).content.decode()
    assert SAID not in shown
    assert "Messages of people whom you have muted are not shown." in shown
    assert "Nobody has written anything yet." not in shown
    assert f'name="unmute" value="{anna.person.pk}"' in shown
    assert SAID in bram.client.get(f"{page}report/").content.decode()  # a mute does not prevent a report


def test_the_page_of_a_person_mutes_them_and_takes_it_back(anna: Actor, bram: Actor, newcomer: Client) -> None:
    page = f"/people/{anna.person.pk}/"
    question, undo = f'href="{MUTE}?mute={anna.person.pk}&amp;next={page}"', f'name="unmute" value="{anna.person.pk}"'

    def shown(client: Client) -> tuple[bool, bool]:
        """Return whether the page offers to mute Anna, and to take it back."""
        text = client.get(page).content.decode()
        return question in text, undo in text

    assert shown(bram.client) == (True, False)
    asked = bram.client.get(MUTE, {"mute": str(anna.person.pk), "next": page}).content.decode()
    assert f'name="next" value="{page}"' in asked
    done = bram.client.post(MUTE, {"mute": anna.person.pk, "next": page}, follow=True)
    assert done.redirect_chain == [(page, 302)]
    assert "You have muted Anna." in done.content.decode()
    assert shown(bram.client) == (False, True)
    # Others see what they saw before: Anna herself no button, a third person her page as it is for everybody.
    assert shown(anna.client) == shown(newcomer) == (False, False)
    assert shown(new_guest("Cato").client) == (True, False)
    done = bram.client.post(MUTE, {"unmute": anna.person.pk, "next": page}, follow=True)
    assert done.redirect_chain == [(page, 302)]
    assert shown(bram.client) == (True, False)


@pytest.mark.parametrize(
    "to", ["https://elsewhere.example/", "//elsewhere.example", "javascript:alert(1)", "front", ""]
)
def test_the_answer_leads_to_no_other_site(anna: Actor, bram: Actor, to: str) -> None:
    form = {"mute": str(anna.person.pk), "next": to}
    assert bram.client.post(MUTE, form)["Location"] == "/people/me/"
    assert 'href="/people/me/">Cancel' in bram.client.get(MUTE, form).content.decode()


# -- what is stored


def script(client: Client, **form: str | int) -> dict[str, object]:
    """Send a form as a script of the page of a table does. Return the answer."""
    return dict(client.post(MUTE, form, headers={"Accept": "application/json"}).json())


def test_a_script_mutes_several_people_at_once(anna: Actor, bram: Actor) -> None:
    cato = new_guest("Cato")
    numbers = f"{anna.person.pk} {cato.person.pk} {bram.person.pk} 999999999 x"
    assert script(bram.client, mute=numbers) == {"ok": True}
    assert set(muted_by(bram.person.pk)) == {anna.person.pk, cato.person.pk}
    assert script(bram.client, mute=numbers) == {"ok": True}
    assert Mute.objects.count() == 2


@pytest.mark.parametrize("number", ["", "x", "0", "-1", "999999999", "9" * 50, "me"])
def test_nobody_mutes_themselves_or_people_who_do_not_exist(bram: Actor, number: str) -> None:
    answer = script(bram.client, mute=str(bram.person.pk) if number == "me" else number)
    assert (answer["code"], answer["text"]) == ("bad_option", "You cannot mute this person.")
    assert not Mute.objects.exists()


def test_a_visitor_without_a_name_stores_nothing(anna: Actor, newcomer: Client) -> None:
    assert script(newcomer, mute=anna.person.pk) == {"ok": True}
    assert newcomer.get(MUTE, {"mute": anna.person.pk})["Location"] == "/people/me/"
    assert not Mute.objects.exists()
    assert Person.objects.count() == 1


def test_a_person_mutes_and_unmutes_for_themselves_alone(anna: Actor, bram: Actor, stranger: Actor) -> None:
    do_mute(bram.person, [anna.person.pk])
    assert script(stranger.client, unmute=anna.person.pk) == {"ok": True}
    assert muted_by(bram.person.pk) == [anna.person.pk]
    assert muted_by(stranger.person.pk) == []


def test_of_too_many_mutes_the_oldest_go(bram: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MOST_MUTES", 3)
    people = [new_guest(f"Person {index}").person.pk for index in range(5)]
    for number in people:
        do_mute(bram.person, [number])
    assert muted_by(bram.person.pk) == people[:1:-1]


def test_mutes_go_with_either_person(anna: Actor, bram: Actor) -> None:
    for gone in (anna, bram):
        other = new_guest("Cato").person
        do_mute(other, [gone.person.pk])
        do_mute(gone.person, [other.pk])
        services.do_remove_people([gone.person.pk])
        assert not Mute.objects.exists()


# -- a login


def test_an_account_keeps_one_mute_of_each_pair_and_none_of_itself(anna: Actor, bram: Actor, admin: Actor) -> None:
    guest = new_guest("Guest").person
    for person in (guest, admin.person):
        do_mute(person, [anna.person.pk])
        do_mute(bram.person, [person.pk])
    do_mute(guest, [admin.person.pk, bram.person.pk])
    do_mute(admin.person, [guest.pk])
    do_adopt(guest, User.objects.get(username="boss"))
    assert set(muted_by(admin.person.pk)) == {anna.person.pk, bram.person.pk}
    assert muted_by(bram.person.pk) == [admin.person.pk]
    assert Mute.objects.count() == 3
