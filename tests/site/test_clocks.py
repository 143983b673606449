"""Clocks: no table waits for one person for ever, and a person who returns gets the seat back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cardsite.lobby.models import Seat, Table
from cardsite.server import live as live_module
from cardsite.server.live import SeatDecider
from cardsite.table.models import Match, Move
from cardsite.table.services.matches import do_start_match
from tests.running_site import RunningSite
from tests.site.conftest import Actor
from tests.site.copies import load, rules_of
from tests.site.visitor import TableSocket, Visitor, begin, play_on, two_at_a_table
from tests.tiers import full


def short_clocks(site: RunningSite, site_db: str, seconds: int = 1) -> tuple[str, Visitor, Visitor]:
    """Seat two people at a table with so few seconds for each decision as no form offers."""
    code, host, guest = two_at_a_table(site)
    Table.objects.using(site_db).filter(code=code).update(seconds=seconds)
    return code, host, guest


def sleeper_and_player(one: TableSocket, two: TableSocket) -> tuple[TableSocket, TableSocket]:
    """Return who is to decide first, who will sleep, and the other."""
    return (one, two) if one.my_turn() else (two, one)


def decided_by(site_db: str, match: int, seat: int) -> list[str]:
    """Return who made the decisions of a seat."""
    moves = Move.objects.using(site_db).filter(match=match, seat=seat).order_by("ply")
    return list(moves.values_list("by", flat=True))


def test_a_player_who_does_not_decide_in_time_has_a_bot_decide_and_keeps_the_seat(
    site: RunningSite, site_db: str
) -> None:
    code, host, guest = short_clocks(site, site_db)
    with host.connect(code) as one, guest.connect(code) as two:
        match = begin(code, host, one, two)
        asleep, awake = sleeper_and_player(one, two)
        deadline = asleep.messages[-1]["deadlines"]
        assert list(deadline) == [str(asleep.seat)]
        awake.until(lambda: awake.version == 1)
        assert awake.messages[-1]["by"] == "clock"
        assert awake.messages[-1]["now"] >= deadline[str(asleep.seat)]
        asleep.until(lambda: asleep.version == 1)
        assert not asleep.table["seats"][asleep.seat or 0]["away"]
        assert decided_by(site_db, match, asleep.seat or 0) == ["clock"]


def test_a_click_after_the_clock_has_decided_is_answered_so(site: RunningSite, site_db: str) -> None:
    code, host, guest = short_clocks(site, site_db)
    with host.connect(code) as one, guest.connect(code) as two:
        match = begin(code, host, one, two)
        asleep, _ = sleeper_and_player(one, two)
        asleep.until(lambda: asleep.version == 1)
        made = Move.objects.using(site_db).get(match=match, ply=1).text
        other = "trade" if made == "keep" else "keep"
        assert asleep.move(other, decision=0)["code"] == "too_late"
        assert asleep.move(made, decision=0)["again"] is True


def test_a_player_who_misses_twice_is_away_and_sits_again_by_coming_back(site: RunningSite, site_db: str) -> None:
    code, host, guest = short_clocks(site, site_db)
    with host.connect(code) as one, guest.connect(code) as two:
        match = begin(code, host, one, two)
        asleep, awake = sleeper_and_player(one, two)
        seat = asleep.seat or 0

        def away() -> bool:
            return bool(awake.table["seats"][seat]["away"])

        while not away():
            awake.until(lambda: away() or awake.my_turn() or awake.over())
            assert not awake.over()
            if not away():
                awake.decide(lambda moves: moves[-1])
        assert decided_by(site_db, match, seat)[:2] == ["clock", "clock"]
        asleep.until(lambda: bool(asleep.table["seats"][seat]["away"]))
        asleep.say("back")
        asleep.until(lambda: not asleep.table["seats"][seat]["away"])
        awake.until(lambda: not away())


@full
def test_a_player_who_is_not_here_is_away_after_one_miss_and_back_by_opening_the_table(
    site: RunningSite, site_db: str
) -> None:
    code, host, guest = short_clocks(site, site_db, seconds=3)
    one, two = host.connect(code), guest.connect(code)
    begin(code, host, one, two)
    (gone, absentee), (stays, _) = ((one, host), (two, guest)) if one.my_turn() else ((two, guest), (one, host))
    seat = gone.seat or 0
    gone.close()
    stays.until(lambda: bool(stays.table["seats"][seat]["away"]))
    assert [m["by"] for m in stays.messages if m["t"] == "change" and m["seat"] == seat] == ["clock"]
    with absentee.connect(code):
        stays.until(lambda: not stays.table["seats"][seat]["away"])
    stays.close()


def test_a_bot_decides_for_a_player_who_is_away_without_using_up_the_clock(site: RunningSite, site_db: str) -> None:
    code, host, _ = two_at_a_table(site)  # five minutes a decision: only a bot gets on with it
    with host.connect(code) as one:
        begin(code, host, one)
        Seat.objects.using(site_db).filter(table__code=code, index=1).update(away=True)
        host.must(code, "name", name="Duchess")  # anything that makes the site look at the table
        play_on([one])
        assert {m["by"] for m in one.messages if m["t"] == "change" and m["seat"] == 1} == {"away"}


def test_after_a_leave_in_mid_match_a_bot_plays_to_the_end(site: RunningSite, site_db: str) -> None:
    code, host, guest = two_at_a_table(site)
    with host.connect(code) as one, guest.connect(code) as two:
        match = begin(code, host, one, two)
        play_on([one, two], plies=2)
        guest.must(code, "stand")
        assert guest.press(code, "sit")["code"] == "playing"
        play_on([one])
        assert set(decided_by(site_db, match, 1)[1:]) == {"bot"}
        one.until(lambda: one.table["status"] == "over")
        assert one.table["seats"][1]["kind"] == "bot"


def test_when_everybody_has_left_the_match_is_played_to_its_end(site: RunningSite, site_db: str) -> None:
    code, host, _ = short_clocks(site, site_db)
    with Visitor(site).connect(code) as spectator:
        begin(code, host, spectator)
        spectator.until(spectator.over)
        assert {m["by"] for m in spectator.messages if m["t"] == "change"} <= {"clock", "away"}
        spectator.until(lambda: spectator.table["status"] == "over")
    assert Match.objects.using(site_db).get(pk=spectator.match).status == "over"


def test_a_player_who_comes_back_on_their_turn_has_the_whole_clock(
    table: Table, host: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = load(do_start_match(table.code, host.person))
    [seat] = rules_of(live).state.to_act()
    present = [SeatDecider(person=index + 1, bot="house", away=False) for index in range(4)]
    gone = [replace(occupant, away=index == seat) for index, occupant in enumerate(present)]
    live.update_occupants(gone)
    assert live.deadlines() == {}
    back = live.since[seat] + 1_000_000  # long after the clock would have run out
    monkeypatch.setattr(live_module, "now_ms", lambda: back)
    live.update_occupants(present)
    assert live.deadlines() == {str(seat): back + 60_000}
    monkeypatch.setattr(live_module, "now_ms", lambda: back + 5_000)
    live.update_occupants(present)  # who was here all the time gets nothing more
    assert live.deadlines() == {str(seat): back + 60_000}
