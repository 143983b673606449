"""Chat: two rooms that do not see each other's messages, and only text."""

from __future__ import annotations

import pytest

from cardsite.lobby.models import Table
from cardsite.people.models import Person, Restriction
from cardsite.table.models import Message
from tests.running_site import RunningSite
from tests.site.visitor import TableSocket, Visitor, two_at_a_table


def lines(ws: TableSocket) -> list[tuple[str, str]]:
    """Return (name, text) of the chat that a socket has received."""
    ws.settle()
    return [(line["name"], line["text"]) for line in ws.chat]


def test_players_and_spectators_do_not_receive_each_others_chat(site: RunningSite) -> None:
    code, host, guest = two_at_a_table(site)
    spectator, other = Visitor(site, "Spectator"), Visitor(site)
    spectator.post("/people/me/name/", name="Spectator")
    with (
        host.connect(code) as one,
        guest.connect(code) as two,
        spectator.connect(code) as three,
        other.connect(code) as four,
    ):
        assert one.ask("chat", text="for players")["t"] == "ack"
        assert three.ask("chat", text="for spectators")["t"] == "ack"
        assert lines(one) == lines(two) == [("Hostess", "for players")]
        assert lines(three) == lines(four) == [("Spectator", "for spectators")]
        with guest.connect(code) as again, other.connect(code) as late:
            assert lines(again) == [("Hostess", "for players")]
            assert lines(late) == [("Spectator", "for spectators")]


def test_where_the_host_wishes_players_and_spectators_share_one_room_and_nothing_said_before_leaks(
    site: RunningSite,
) -> None:
    code, host, guest = two_at_a_table(site)
    spectator = Visitor(site, "Spectator")
    spectator.post("/people/me/name/", name="Spectator")
    with host.connect(code) as one, guest.connect(code) as two, spectator.connect(code) as three:
        one.ask("chat", text="for players")
        three.ask("chat", text="for spectators")
        assert guest.press(code, "share-chat")["code"] == spectator.press(code, "share-chat")["code"] == "not_host"
        host.must(code, "share-chat")
        three.until(lambda: three.table["together"])
        one.ask("chat", text="for all")
        three.ask("chat", text="for everybody")
        both = [("Hostess", "for all"), ("Spectator", "for everybody")]
        assert lines(one) == lines(two) == [("Hostess", "for players"), *both]
        assert lines(three) == [("Spectator", "for spectators"), *both]
        host.must(code, "share-chat", together="no")
        three.until(lambda: not three.table["together"])
        one.ask("chat", text="for players again")
        assert lines(three) == [("Spectator", "for spectators"), *both]
    with guest.connect(code) as two, spectator.connect(code) as three:
        assert lines(two) == [("Hostess", "for players"), *both, ("Hostess", "for players again")]
        assert lines(three) == [("Spectator", "for spectators"), *both]
        assert {line["person"] for line in two.chat} == {one.chat[0]["person"], three.chat[0]["person"]}


def test_a_visitor_who_sits_down_receives_the_players_chat_from_then_on(site: RunningSite) -> None:
    host, guest = Visitor(site, "Hostess"), Visitor(site, "Guest")
    code = host.open_table("me", "open")
    with host.connect(code) as one:
        one.ask("chat", text="anybody there?")
        guest.post("/people/me/name/", name="Guest")
        with guest.connect(code) as two:
            guest.must(code, "sit")
            two.wait("you")
            one.ask("chat", text="welcome")
            assert lines(two)[-1] == ("Hostess", "welcome")


def test_a_chat_message_is_stored_and_sent_as_the_text_it_is(site: RunningSite) -> None:
    host = Visitor(site, "Hostess")
    code = host.open_table("me", "house")
    spoken = "<script>alert(1)</script> &amp; {{ 7*7 }} \\u0041 'quoted' \N{HAMSTER FACE}"
    with host.connect(code) as ws:
        ws.ask("chat", text=spoken)
        assert lines(ws) == [("Hostess", spoken)]
    assert "<script>alert" not in host.get(f"/t/{code}/").text


def test_control_characters_and_line_breaks_become_spaces(site: RunningSite) -> None:
    host = Visitor(site, "Hostess")
    code = host.open_table("me", "house")
    with host.connect(code) as ws:
        ws.ask("chat", text="  one\n\ttwo\0three \N{RIGHT-TO-LEFT OVERRIDE}four  ")
        assert lines(ws) == [("Hostess", "one two three four")]


@pytest.mark.parametrize("text", ["", "   ", "\n\t\0", "\N{ZERO WIDTH SPACE}", "\N{RIGHT-TO-LEFT OVERRIDE}"])
def test_a_line_without_text_is_refused(site: RunningSite, text: str) -> None:
    host = Visitor(site, "Hostess")
    with host.connect(host.open_table("me", "house")) as ws:
        assert ws.ask("chat", text=text)["code"] == "empty"


def test_a_visitor_who_has_no_name_cannot_talk(site: RunningSite) -> None:
    code = Visitor(site, "Hostess").open_table("me", "house")
    with Visitor(site).connect(code) as ws:
        assert ws.ask("chat", text="hello")["code"] == "no_name"


def test_a_blocked_person_watches_but_neither_talks_nor_sits(site: RunningSite, site_db: str) -> None:
    host, pest = Visitor(site, "Hostess"), Visitor(site, "Pest")
    code = host.open_table("me", "open")
    pest.post("/people/me/name/", name="Pest")
    with pest.connect(code) as ws:
        assert ws.ask("chat", text="first")["t"] == "ack"
        person = Person.objects.using(site_db).get(name="Pest")
        Restriction.objects.using(site_db).create(person=person, kind=Restriction.Kind.BLOCKED)
        assert ws.ask("chat", text="second")["code"] == "blocked"
        assert pest.press(code, "sit")["code"] == "blocked"
        assert lines(ws) == [("Pest", "first")]


def test_a_newcomer_gets_the_last_hundred_lines(site: RunningSite) -> None:
    host = Visitor(site, "Hostess")
    code = host.open_table("me", "house")
    with host.connect(code) as ws:
        for n in range(103):
            ws.ask("chat", text=f"line {n}")
    with host.connect(code) as again:
        assert [text for _, text in lines(again)] == [f"line {n}" for n in range(3, 103)]


def test_a_welcome_of_more_than_64_kilobytes_arrives(site: RunningSite, site_db: str) -> None:
    code, host, _ = two_at_a_table(site)
    table = Table.objects.using(site_db).get(code=code)
    Message.objects.using(site_db).bulk_create(
        Message(
            table=table, room=Message.ChatRoom.PLAYERS, name="Hostess", seat=0, text="\N{HAMSTER FACE}" * 500, at=at
        )
        for at in range(100)
    )
    with host.connect(code) as ws:
        assert len(ws.frames[0].encode()) > 64 * 1024
        assert len(ws.chat) == 100


def test_a_name_taken_later_is_the_name_one_talks_by(site: RunningSite) -> None:
    host = Visitor(site, "Hostess")
    code = host.open_table("me", "house")
    with host.connect(code) as ws:
        host.must(code, "name", name="Duchess")
        ws.until(lambda: ws.table["seats"][0]["name"] == "Duchess")
        ws.ask("chat", text="hello")
        assert lines(ws) == [("Duchess", "hello")]
