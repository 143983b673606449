"""Presence: seats, spectators, and sockets that come and go."""

from __future__ import annotations

from tests.running_site import RunningSite
from tests.site.visitor import Visitor, two_at_a_table


def test_spectators_are_counted_and_players_are_not(site: RunningSite) -> None:
    code, host, guest = two_at_a_table(site)
    with host.connect(code) as one, guest.connect(code):
        with Visitor(site).connect(code), Visitor(site).connect(code):
            one.until(lambda: one.spectators == 2)
        one.until(lambda: one.spectators == 0)


def test_a_visitor_who_sees_a_table_in_passing_has_not_come_to_it(site: RunningSite) -> None:
    code, host, guest = two_at_a_table(site)
    with (
        host.connect(code) as one,
        guest.connect(code, query="?preview") as other,
        Visitor(site).connect(code, query="?preview"),
    ):
        assert (other.seat, other.table["seats"][1]["here"]) == (None, False)
        with Visitor(site).connect(code):
            one.until(lambda: one.spectators == 1)
        one.until(lambda: one.spectators == 0)
        assert not one.table["seats"][1]["here"]


def test_a_seat_shows_whether_its_person_is_here(site: RunningSite) -> None:
    code, host, guest = two_at_a_table(site)
    with host.connect(code) as one:
        assert [seat["here"] for seat in one.table["seats"]] == [True, False]
        with guest.connect(code):
            one.until(lambda: one.table["seats"][1]["here"])
        one.until(lambda: not one.table["seats"][1]["here"])


def test_a_visitor_who_watched_and_sits_down_is_here_from_the_first_that_is_sent(site: RunningSite) -> None:
    host, guest = Visitor(site, "Hostess"), Visitor(site, "Guest")
    code = host.open_table("me", "open")
    guest.post("/people/me/name/", name="Guest")  # has a name, so the page keeps its connection
    with host.connect(code) as one, guest.connect(code) as two:
        guest.must(code, "sit")
        one.until(lambda: one.table["seats"][1]["kind"] == "person")
        two.until(lambda: two.table["seats"][1]["kind"] == "person")
        assert one.table["seats"][1]["here"]
        assert two.table["seats"][1]["here"]
        two.close()
        one.until(lambda: not one.table["seats"][1]["here"])


def test_a_player_who_sits_down_from_elsewhere_is_not_here_even_where_somebody_was_just_before(
    site: RunningSite,
) -> None:
    code, host, guest = two_at_a_table(site)
    other = Visitor(site, "Other")
    with host.connect(code) as one, guest.connect(code):
        one.until(lambda: one.table["seats"][1]["here"])
        guest.must(code, "stand")
        other.must(code, "sit")
        one.until(lambda: one.table["seats"][1]["name"] == "Other")
        assert not one.table["seats"][1]["here"]


def test_a_person_with_two_windows_is_here_until_both_are_shut(site: RunningSite) -> None:
    code, host, guest = two_at_a_table(site)
    with host.connect(code) as one:
        first, second = guest.connect(code), guest.connect(code)
        first.close()
        one.say("chat", text="still there?")
        one.settle()
        with Visitor(site).connect(code) as fresh:
            assert fresh.table["seats"][1]["here"]
        second.close()
        one.until(lambda: not one.table["seats"][1]["here"])


def test_a_connection_that_breaks_without_a_word_is_noticed(site: RunningSite) -> None:
    code, host, guest = two_at_a_table(site)
    with host.connect(code) as one:
        gone = guest.connect(code)
        one.until(lambda: one.table["seats"][1]["here"])
        gone.cut()
        one.until(lambda: not one.table["seats"][1]["here"])


def test_the_next_host_can_start_the_match(site: RunningSite) -> None:
    code, host, guest = two_at_a_table(site)
    with guest.connect(code) as two:
        host.must(code, "stand")
        two.until(lambda: two.messages[-1]["t"] == "table" and two.table["seats"][1]["host"])
        assert any(m["t"] == "you" and m["host"] for m in two.messages)
        assert host.press(code, "start")["code"] == "not_host"
        guest.must(code, "start")
        two.until(lambda: two.match > 0 and [seat["kind"] for seat in two.table["seats"]] == ["bot", "person"])
