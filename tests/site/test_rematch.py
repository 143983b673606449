"""The next match starts when all people at the table are ready, or when the host starts it."""

from __future__ import annotations

import pytest

from tests.running_site import RunningSite
from tests.site.visitor import TableSocket, Visitor, begin, play_on, two_at_a_table


@pytest.fixture
def after_a_match(site: RunningSite) -> tuple[str, Visitor, Visitor]:
    """Return a table where host and guest, and a bot, have played a match to its end."""
    code, host, guest = two_at_a_table(site, "random")
    with host.connect(code) as one, guest.connect(code) as two:
        begin(code, host, one, two)
        play_on([one, two])
        one.until(lambda: one.table["status"] == "over")
    return code, host, guest


def ready(ws: TableSocket) -> list[bool]:
    """Return who wants the next match, by seat, as this socket received it."""
    return [seat["ready"] for seat in ws.table["seats"]]


def test_it_begins_when_the_last_of_all_is_ready(after_a_match: tuple[str, Visitor, Visitor]) -> None:
    code, host, guest = after_a_match
    with host.connect(code) as one, guest.connect(code) as two:
        before = one.match
        guest.must(code, "ready")
        one.until(lambda: ready(one) == [False, True, False])
        assert one.table["match"] == before
        host.must(code, "ready")
        for ws in (one, two):
            ws.until(lambda ws=ws: ws.match != before and ws.table["status"] == "playing")  # type: ignore[misc]
            assert ready(ws) == [False] * 3


def test_a_program_says_ready_over_its_socket(after_a_match: tuple[str, Visitor, Visitor], site: RunningSite) -> None:
    code, host, guest = after_a_match
    with host.connect(code) as one, guest.connect(code) as two, Visitor(site, "Spectator").connect(code) as spectator:
        before = one.match
        assert two.ask("ready")["match"] == 0
        one.until(lambda: ready(one) == [False, True, False])
        assert two.ask("ready", ready=False)["t"] == "ack"
        one.until(lambda: ready(one) == [False] * 3)
        assert spectator.ask("ready")["code"] == "not_seated"
        two.ask("ready")
        begun = one.ask("ready")["match"]
        assert begun > before
        two.until(lambda: two.match == begun)


def test_a_player_who_is_ready_may_change_their_mind(after_a_match: tuple[str, Visitor, Visitor]) -> None:
    code, host, guest = after_a_match
    with host.connect(code) as one:
        guest.must(code, "ready")
        guest.must(code, "ready", ready="no")
        host.must(code, "ready")
        one.until(lambda: ready(one) == [True, False, False])
        assert one.table["status"] == "over"


def test_the_host_alone_starts_without_waiting(after_a_match: tuple[str, Visitor, Visitor]) -> None:
    code, host, guest = after_a_match
    with guest.connect(code) as two:
        assert guest.press(code, "start")["code"] == "not_host"
        host.must(code, "start")
        two.until(lambda: two.table["status"] == "playing")
        assert [seat["kind"] for seat in two.table["seats"]] == ["person", "person", "bot"]  # nobody lost a seat


def test_with_an_open_seat_the_host_who_is_ready_with_all_others_starts(
    after_a_match: tuple[str, Visitor, Visitor],
) -> None:
    code, host, guest = after_a_match
    with guest.connect(code) as two:
        host.must(code, "set-seat", seat=2, kind="open")
        guest.must(code, "ready")
        host.must(code, "ready")
        two.until(lambda: two.table["status"] == "playing")
        assert two.table["seats"][2]["kind"] == "bot"


def test_with_an_open_seat_a_guest_who_is_the_last_to_be_ready_starts_nothing(
    after_a_match: tuple[str, Visitor, Visitor],
) -> None:
    code, host, guest = after_a_match
    with guest.connect(code) as two:
        host.must(code, "set-seat", seat=2, kind="open")
        host.must(code, "ready")
        two.until(lambda: ready(two)[0])
        assert two.table["status"] == "over"
        guest.must(code, "ready")
        two.until(lambda: ready(two) == [True, True, False])
        assert two.table["status"] == "over"
        host.must(code, "start")
        two.until(lambda: two.table["status"] == "playing")


def test_alone_with_bots_it_begins_at_once(site: RunningSite) -> None:
    host = Visitor(site, "Hostess")
    code = host.open_table("me", "random")
    with host.connect(code) as one:
        begin(code, host, one)
        play_on([one])
        one.until(lambda: one.table["status"] == "over")
        before = one.match
        host.must(code, "ready")
        one.until(lambda: one.match != before)
