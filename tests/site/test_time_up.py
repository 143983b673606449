"""In a match of two, the table may choose that a person whose time is up has lost, instead of a bot that decides."""

from __future__ import annotations

import pytest

from cardsite.lobby.games import DAY, NO_CLOCK
from cardsite.lobby.models import Seat, Table
from cardsite.server.table_info import read_table
from cardsite.table.models import Match
from cardsite.table.services.matches import do_start_match
from games import catalogue
from tests.running_site import RunningSite
from tests.site.conftest import Actor
from tests.site.copies import load
from tests.site.test_clocks import decided_by, short_clocks, sleeper_and_player
from tests.site.visitor import Visitor
from tests.site.visitor import begin as begin_match

LOSES = Table.TimeUp.LOST


# -- the rule


def test_only_one_of_two_loses_by_time(host: Actor, guest: Actor, stranger: Actor) -> None:
    made = Table.objects.create(game="hamsterdam", host=host.person, time_up=LOSES)
    for index, actor in enumerate((host, guest)):
        Seat.objects.create(table=made, index=index, person=actor.person)
    do_start_match(made.code, host.person)
    match = Match.objects.get()
    assert (match.time_up, read_table(made.code).info.time_up) == (LOSES, LOSES)
    copy = load(match.pk)
    now = 10**13
    copy.since = {0: 0}
    assert (copy.loses_by_time(0), copy.loses_by_time(1)) == (True, False)
    copy.since = {0: 0, 1: now}
    assert (copy.loses_by_time(0), copy.loses_by_time(1)) == (True, False)
    copy.since = {0: 0, 1: 0}  # both are late: that the first seat is looked at first must not decide
    assert (copy.loses_by_time(0), copy.loses_by_time(1)) == (False, False)
    Match.objects.update(status=Match.Status.OVER)
    Table.objects.update(status=Table.Status.OVER)
    Seat.objects.create(table=made, index=2, person=stranger.person)
    do_start_match(made.code, host.person)
    three = load(Match.objects.get(number=2).pk)
    three.since = {0: 0}
    assert not three.loses_by_time(0)


@pytest.mark.parametrize("game", [game.name for game in catalogue.listed(catalogue.providers[0])])
def test_the_forms_offer_to_lose_by_time_where_two_can_play(host: Actor, game: str) -> None:
    found = catalogue.find(game)
    offered = found.min_seats <= 2 <= found.max_seats
    page = host.client.get(f"/new/?game={game}").content.decode()
    assert ('name="time_up"' in page) == offered
    kinds = ["me", *["open"] * (found.min_seats - 1), *["none"] * (found.max_seats - found.min_seats)]
    table_only = {f"seat{index}": kind for index, kind in enumerate(kinds)} | {"visibility": "link", "sealed": "yes"}
    options = {f"option_{one.name}": one.default for one in found.options if one.set_by == "host"}
    form: dict[str, object] = {"seconds": DAY, "time_up": "resign", **options}
    assert host.client.post(f"/new/?game={game}", form | table_only).status_code == 302
    table = Table.objects.get()
    assert table.time_up == ("resign" if offered else "bot")
    change = host.client.get(f"/t/{table.code}/change/?game={game}").content.decode()
    assert ('name="time_up"' in change) == offered
    assert ('value="resign" selected' in change) == offered
    for chosen, stored in (("bot", "bot"), ("resign", "resign"), ("", "resign")):
        form |= {"game": game, "seconds": NO_CLOCK, "time_up": chosen}
        answer = host.client.post(f"/t/{table.code}/change/?game={game}", form)
        assert answer.status_code == 302
        table.refresh_from_db()
        assert table.time_up == (stored if offered else "bot")
    wrong = host.client.post(f"/t/{table.code}/change/?game={game}", form | {"time_up": "x"})
    assert wrong.status_code == (400 if offered else 302)


# -- at a running site


def test_everybody_sees_that_a_player_was_out_of_time(site: RunningSite, site_db: str) -> None:
    code, host, guest = short_clocks(site, site_db)
    Table.objects.using(site_db).filter(code=code).update(time_up=LOSES)
    with host.connect(code) as one, guest.connect(code) as two, Visitor(site).connect(code) as spectator:
        match = begin_match(code, host, one, two, spectator)
        asleep, awake = sleeper_and_player(one, two)
        for ws in (one, two, spectator):
            ws.until(ws.over)
            ws.until(lambda ws=ws: ws.table["dropped"] == "late")  # type: ignore[misc]
            assert ws.view["result"]["text"]["text"] == "{loser} was out of time: {winner} wins"
            assert ws.view["result"]["winners"] == [awake.seat]
        assert decided_by(site_db, match, asleep.seat or 0) == []
        assert not any(seat["away"] for seat in one.table["seats"])
        late = asleep.move("keep", decision=0)
        assert (late["t"], late["code"]) == ("refused", "over")
