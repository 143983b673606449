"""The pages of a table and its matches: who may view them, and how much they see."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from django.test import Client

from cardsite.lobby.models import Table
from cardsite.table.models import Match, Move
from cardsite.table.services.matches import do_start_match
from games import catalogue, core
from games.core import FastChance, Record
from tests.site.conftest import Actor
from tests.site.copies import advance, load, rules_of
from tests.site.reasons import BY_LINK, NO_MATCH, NO_PAGE, NOT_FINISHED, why_refused

LOOKS = ("/replay/{}/", "/replay/{}/frames.json", "/verify/{}/")


def played(table: Table, host: Actor, plies: int | None = None) -> Match:
    """Play a match of ``table`` (to its end, or so many plies) directly in the database."""
    match = Match.objects.get(pk=do_start_match(table.code, host.person))
    live = load(match.pk)
    chance = FastChance("pages")
    while not live.over and (plies is None or live.version < plies):
        [seat] = rules_of(live).state.to_act()
        move = chance.choice(rules_of(live).state.legal_moves(seat))
        advance(live, seat, move, "person", 0)
        Move.objects.create(match=match, ply=live.version, seat=seat, text=move, by="person", at=0)
    if live.over:
        match.status = Match.Status.OVER
        match.save()
        Table.objects.filter(pk=table.pk).update(status=Table.Status.OVER)
    return match


def frames(client: Client, match: Match, query: str = "") -> dict[str, Any]:
    """Return the frames that a visitor gets."""
    answer = client.get(f"/replay/{match.pk}/frames.json{query}")
    assert answer.status_code == 200
    data: dict[str, Any] = answer.json()
    return data


# -- the table


def test_everybody_may_open_a_table_whose_address_they_have(
    table: Table, host: Actor, guest: Actor, stranger: Actor, newcomer: Client, admin: Actor
) -> None:
    for public in (True, False):
        Table.objects.update(public=public)
        for client in (host.client, guest.client, stranger.client, newcomer, admin.client):
            assert client.get(f"/t/{table.code}/").status_code == 200


def test_opening_a_table_makes_nobody(table: Table, newcomer: Client) -> None:
    newcomer.get(f"/t/{table.code}/")
    assert "sessionid" not in newcomer.cookies


def test_a_table_by_link_is_on_nobody_elses_front_page(
    table: Table, host: Actor, guest: Actor, stranger: Actor, newcomer: Client
) -> None:
    Table.objects.update(public=False)
    for client, listed in ((host.client, True), (guest.client, True), (stranger.client, False), (newcomer, False)):
        assert (table.code in client.get("/").content.decode()) is listed


def test_a_closed_table_is_gone(table: Table, host: Actor) -> None:
    Table.objects.update(status="closed")
    assert why_refused(host.client.get(f"/t/{table.code}/")) == "This table is closed."
    assert table.code not in host.client.get("/").content.decode()


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/t/nosuchtable/", "No Table matches the given query."),
        ("/t/' OR 1/", NO_PAGE),
        ("/t/../admin/", NO_PAGE),
        ("/replay/0/", NO_MATCH),
        ("/replay/" + "9" * 400 + "/", NO_MATCH),
    ],
)
def test_an_address_that_never_was_is_not_found(newcomer: Client, path: str, reason: str) -> None:
    assert why_refused(newcomer.get(path)) == reason


# -- matches at tables by link


@pytest.mark.parametrize("path", LOOKS)
def test_a_private_match_is_for_those_who_played_or_have_the_link(
    table: Table, host: Actor, guest: Actor, stranger: Actor, newcomer: Client, admin: Actor, path: str
) -> None:
    match = played(table, host, plies=3)
    Table.objects.update(public=False)
    path = path.format(match.pk)
    for actor in (host, guest, admin):
        assert actor.client.get(path).status_code == 200
    for client in (stranger.client, newcomer):
        for link in ("", "?table=", "?table=wrong"):
            assert why_refused(client.get(f"{path}{link}")) == BY_LINK
        assert client.get(f"{path}?table={table.code}").status_code == 200


def test_a_host_who_does_not_play_may_look_too(table: Table, stranger: Actor, host: Actor) -> None:
    Table.objects.update(public=False, host=stranger.person)
    match = played(table, stranger, plies=1)
    assert frames(stranger.client, match)["seat"] is None


# -- frames


def test_each_visitor_steps_through_the_match_from_their_own_seat(
    table: Table, host: Actor, guest: Actor, stranger: Actor, newcomer: Client
) -> None:
    match = played(table, host)
    for client, seat in ((host.client, 0), (guest.client, 1), (stranger.client, None), (newcomer, None)):
        replay = frames(client, match)
        assert (replay["seat"], replay["face_up"], replay["over"]) == (seat, False, True)
        assert {frame["view"]["seat"] for frame in replay["frames"]} == {seat}
        assert [frame["version"] for frame in replay["frames"]] == list(range(len(replay["frames"])))
    assert frames(host.client, match)["frames"] != frames(guest.client, match)["frames"]


def test_an_administrator_sees_all_hands_at_any_time(table: Table, host: Actor, admin: Actor) -> None:
    match = played(table, host, plies=2)
    replay = frames(admin.client, match)
    assert (replay["face_up"], replay["over"], replay["seed"]) == (True, False, "")
    stocks = [zone for zone in replay["frames"][0]["view"]["zones"] if zone["id"].startswith("stock:")]
    assert all("face" in piece for zone in stocks for piece in zone["pieces"])


def test_a_sealed_match_opens_all_hands_and_its_seed_when_it_is_over_and_not_before(
    table: Table, host: Actor, newcomer: Client
) -> None:
    Table.objects.update(sealed=True)
    running = played(table, host, plies=5)
    before = frames(newcomer, running)
    assert (before["face_up"], before["seed"]) == (False, "")
    assert why_refused(newcomer.get(f"/replay/{running.pk}/record.json")) == NOT_FINISHED
    running.delete()
    Table.objects.update(status="over")
    match = played(table, host)
    after = frames(newcomer, match)
    assert after["face_up"] is True
    assert hashlib.sha256(bytes.fromhex(after["seed"])).hexdigest() == after["commitment"]
    record: Record = newcomer.get(f"/replay/{match.pk}/record.json").json()
    again = core.Match.replay(
        catalogue.find(record["game"]),
        record["seats"],
        record["options"],
        bytes.fromhex(record["seed"]),
        record["moves"],
    )
    assert again.over
    result = after["frames"][-1]["view"]["result"]
    del result["rounds"]  # which a match played again from its record does not ask for
    assert again.view(None)["result"] == result


def test_an_unsealed_match_has_no_record_even_for_its_players(table: Table, host: Actor, admin: Actor) -> None:
    match = played(table, host)
    for actor in (host, admin):
        assert why_refused(actor.client.get(f"/replay/{match.pk}/record.json")) == NOT_FINISHED


def test_a_match_that_was_dropped_never_shows_its_seed(table: Table, host: Actor) -> None:
    Table.objects.update(sealed=True)
    match = played(table, host, plies=2)
    Match.objects.update(status="dropped")
    assert frames(host.client, match)["seed"] == ""
    assert match.seed not in host.client.get(f"/verify/{match.pk}/").content.decode()


# -- the rig owned up to, or not


@pytest.mark.parametrize(("reveal", "revealed"), [(False, -1), (True, 1)])
def test_a_rig_is_revealed_after_the_match_only_where_the_administrator_chose_so(
    table: Table, host: Actor, stranger: Actor, newcomer: Client, admin: Actor, reveal: bool, revealed: int
) -> None:
    Table.objects.update(rigged=True, favourite=1, honest_games=0, reveal=reveal)
    running = played(table, host, plies=2)
    assert running.favourite == 1
    for client in (host.client, stranger.client, newcomer):
        assert frames(client, running)["stacked_for"] == -1
    assert frames(admin.client, running)["stacked_for"] == 1
    running.delete()
    Table.objects.update(status="over")
    match = played(table, host)
    for client in (host.client, stranger.client, newcomer):
        assert frames(client, match)["stacked_for"] == revealed
    assert frames(admin.client, match)["stacked_for"] == 1
