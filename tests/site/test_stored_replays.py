"""Replays are computed once and stored; nobody is sent what was stored for another audience."""

from __future__ import annotations

import json
import zlib
from itertools import product
from typing import Any

import pytest
from django.test import Client

from cardsite.lobby.models import Table
from cardsite.server.protocol import encode
from cardsite.table import replay, replay_worker
from cardsite.table.dropped import Dropped
from cardsite.table.models import DropReason, Match, Move, Occupancy, Player, StoredReplay
from cardsite.table.services.matches import do_drop_match, do_end_match, do_start_match
from cardsite.table.stored_replay import etag, takes_gzip
from tests.site.conftest import Actor, Texts
from tests.site.copies import advance, at_once, load, rules_of
from tests.site.reasons import BY_LINK, why_refused
from tests.site.test_limits import limited

__all__ = ["limited"]  # a fixture

BROWSER = {"Accept-Encoding": "gzip, deflate, br, zstd"}


def play(match: Match, plies: int = 1000, *, end: bool = True) -> None:
    """Play a match directly in the database, the first legal move each time."""
    live = load(match.pk)
    rows = []
    while not live.over and live.version < plies:
        seat = min(live.since)
        move = rules_of(live).legal_moves(seat)[0]
        advance(live, seat, move, "person", 1000)
        rows.append(Move(match=match, ply=live.version, seat=seat, text=move, by="person", at=1000))
    Move.objects.bulk_create(rows)
    if live.over and end:
        do_end_match(match.pk, match.table_id, *at_once(live.end()))
    match.refresh_from_db()


@pytest.fixture
def cast(host: Actor, guest: Actor, stranger: Actor, admin: Actor, newcomer: Client) -> dict[str, Client]:
    """Everybody who may ask for a replay; the stranger has stood up in mid-match."""
    return {
        "host": host.client,
        "player": guest.client,
        "player who left": stranger.client,
        "spectator": newcomer,
        "administrator": admin.client,
    }


STATES = ("over", "running", "dropped", "sealed and over", "sealed and running", "sealed and dropped", "rigged", "old")


@pytest.fixture(params=STATES)
def state(request: pytest.FixtureRequest) -> str:
    """What has become of the match."""
    return str(request.param)


@pytest.fixture
def match(state: str, table: Table, host: Actor, guest: Actor, stranger: Actor) -> Match:
    """A match of the house's game: the host on seat 0, the guest on 1, a bot on 2; who has left had seat 3."""
    table.sealed = "sealed" in state
    if state == "rigged":
        table.rigged, table.favourite, table.honest_games = True, 1, 0
    table.save()
    table.seats.filter(index=3).update(person=stranger.person)
    made = Match.objects.get(pk=do_start_match(table.code, host.person))
    play(made, plies=12)
    stranger.client.post(f"/t/{table.code}/stand/")
    if "running" not in state and "dropped" not in state:
        Move.objects.filter(match=made).delete()
        play(made)
        assert made.status == Match.Status.OVER
    if "dropped" in state:
        do_drop_match(made.pk, Dropped(DropReason.NO_END))
    if state == "old":
        Match.objects.filter(pk=made.pk).update(rules_version="archived")
    made.refresh_from_db()
    return made


def ask(client: Client, match: Match, **headers: str) -> Any:
    """Ask for the frames of a match as a browser does."""
    return client.get(f"/replay/{match.pk}/frames.json", headers={**BROWSER, **headers})


def unpacked(answer: Any) -> bytes:
    """Unpack an answer as browsers do: one gzip member and not a byte behind it."""
    assert (answer.status_code, answer["Content-Encoding"]) == (200, "gzip")
    packed = zlib.decompressobj(16 + zlib.MAX_WBITS)
    body = packed.decompress(answer.content)
    assert packed.eof
    assert not packed.unused_data
    return body


def may_see(state: str, visitor: str) -> tuple[int | None, bool]:
    """Return the seat from which a visitor sees the match, and whether all hands are open.

    Not for the player who left: see ``replay.audience_of``.
    """
    seat = {"host": 0, "player": 1}.get(visitor)
    return seat, visitor == "administrator" or state == "sealed and over"


def test_everybody_is_sent_what_they_may_see_and_the_same_from_the_store(
    state: str, match: Match, cast: dict[str, Client], stranger: Actor
) -> None:
    first = {visitor: unpacked(ask(client, match)) for visitor, client in cast.items()}
    for visitor, client in reversed(cast.items()):
        assert unpacked(ask(client, match)) == first[visitor]
    for visitor, body in first.items():
        seat, face_up = may_see(state, visitor)
        if visitor == "player who left":
            seat, face_up = replay.audience_of(match, stranger.person)
        replayed = json.loads(body)
        assert (replayed["seat"], replayed["face_up"]) == (seat, face_up)
        frames, _ = replay.frames(match, seat, face_up=face_up)
        assert replayed["frames"] == json.loads(encode(frames))
        assert replayed["stacked_for"] == (1 if state == "rigged" and visitor == "administrator" else -1)
        assert bool(replayed["seed"]) == (state == "sealed and over")
        plain = cast[visitor].get(f"/replay/{match.pk}/frames.json")
        assert plain.content == body
        assert "Content-Encoding" not in plain.headers
    if "running" in state:
        assert not StoredReplay.objects.exists()
    else:
        assert StoredReplay.objects.filter(match=match).exists()


def test_nobody_is_sent_unchanged_of_what_they_may_not_see(state: str, match: Match, cast: dict[str, Client]) -> None:
    answers = {visitor: ask(client, match) for visitor, client in cast.items()}
    bodies = {visitor: unpacked(answer) for visitor, answer in answers.items()}
    for one, other in product(cast, cast):
        if "running" in state:
            assert "ETag" not in answers[one].headers
            assert "no-store" in answers[one]["Cache-Control"]
            continue
        again = ask(cast[other], match, **{"If-None-Match": answers[one]["ETag"]})
        assert (again.status_code == 304) == (bodies[one] == bodies[other]), (one, other)
        if again.status_code == 304:
            assert again.content == b""
        else:
            assert unpacked(again) == bodies[other]
    for answer in answers.values():
        assert "private" in answer["Cache-Control"]
        assert {"Accept-Encoding", "Cookie"} <= {name.strip() for name in answer["Vary"].split(",")}


def test_a_stored_replay_gives_no_access_to_a_private_table(match: Match, cast: dict[str, Client]) -> None:
    Table.objects.update(public=False)
    etag = ask(cast["host"], match).headers.get("ETag", '"none"')
    for headers in ({}, {"If-None-Match": etag}, {"If-None-Match": "*"}):
        answer = ask(cast["spectator"], match, **headers)
        assert why_refused(answer) == BY_LINK
        assert b"frames" not in answer.content


def test_no_frame_that_a_spectator_is_sent_from_the_store_holds_a_hand(match: Match, cast: dict[str, Client]) -> None:
    if match.sealed and match.status == Match.Status.OVER:
        return  # open to all
    for client in reversed(cast.values()):  # the person who may see most asks first
        ask(client, match)
    watched = _hidden_places(unpacked(ask(cast["spectator"], match)))
    assert watched
    assert not any(watched)
    assert any(_hidden_places(unpacked(ask(cast["administrator"], match))))


def _hidden_places(body: bytes) -> list[bool]:
    """Return, of each card that the deal lays before a player, whether its face can be seen."""
    zones = json.loads(body)["frames"][0]["view"]["zones"]
    hands = [zone for zone in zones if zone["id"].startswith(("stock:", "modifiers:"))]
    return ["face" in piece for zone in hands for piece in zone["pieces"]]


# -- when it is computed, and when not


ONE = ("title Sticks", "rules one", "sticks 9", "take 1 2 3")


@pytest.fixture
def sticks(texts: Texts, table: Table, host: Actor) -> Match:
    """A match of sticks, by a text that may change, which is over."""
    Table.objects.filter(pk=table.pk).update(game=texts.put("sticks", *ONE), sealed=True)
    match = Match.objects.get(pk=do_start_match(table.code, host.person))
    play(match)
    return match


def test_what_is_stored_is_not_computed_again(sticks: Match, newcomer: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    body = unpacked(ask(newcomer, sticks))
    monkeypatch.delattr(replay, "frames")
    assert unpacked(ask(newcomer, sticks)) == body


def test_a_visitor_who_can_see_the_same_shares_what_is_stored(sticks: Match, newcomer: Client, stranger: Actor) -> None:
    for client in (newcomer, stranger.client, Client()):
        ask(client, sticks)
    assert StoredReplay.objects.count() == 1


def test_a_game_whose_words_have_changed_is_computed_anew_though_its_rules_are_the_same(
    sticks: Match, texts: Texts, newcomer: Client
) -> None:
    before = ask(newcomer, sticks)
    texts.put("sticks", "title Sticks", "rules one", "sticks 10", "take 1 2 3")
    after = ask(newcomer, sticks, **{"If-None-Match": before["ETag"]})
    assert json.loads(unpacked(after))["frames"] != json.loads(unpacked(before))["frames"]
    assert StoredReplay.objects.count() == 1


def test_a_name_that_changes_is_not_taken_from_the_store(sticks: Match, newcomer: Client) -> None:
    before = ask(newcomer, sticks)
    for kind in (Player, Occupancy):
        kind.objects.filter(match=sticks, seat=0).update(name="a former player")
    after = ask(newcomer, sticks, **{"If-None-Match": before["ETag"]})
    assert json.loads(unpacked(after))["names"][0]["name"] == "a former player"
    assert b"Hostess" not in unpacked(after)


def test_rules_that_break_down_are_stored_with_the_remark_that_they_do(
    sticks: Match, texts: Texts, newcomer: Client
) -> None:
    texts.put("sticks", "title Sticks", "rules two", "sticks 9", "take 1 2 3", "break apply 3")
    first, second = (json.loads(unpacked(ask(newcomer, sticks))) for _ in range(2))
    assert first == second
    assert replay_worker.STOPPED in second["remark"]
    assert StoredReplay.objects.count() == 1


def test_a_game_that_is_gone_stores_nothing(sticks: Match, texts: Texts, newcomer: Client) -> None:
    texts.take_away("sticks")
    assert json.loads(unpacked(ask(newcomer, sticks)))["frames"] == []
    assert not StoredReplay.objects.exists()


def test_a_replay_that_cannot_be_stored_is_shown_all_the_same(
    transactional_db: None, sticks: Match, newcomer: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    frames = replay.frames

    def removed_meanwhile(match: Match, seat: int | None, *, face_up: bool) -> Any:
        replayed = frames(match, seat, face_up=face_up)
        Match.objects.filter(pk=match.pk).delete()
        return replayed

    monkeypatch.setattr(replay, "frames", removed_meanwhile)
    assert len(json.loads(unpacked(ask(newcomer, sticks)))["frames"]) == 10


# -- how often


@pytest.mark.usefixtures("limited")
def test_a_stored_replay_is_sent_to_anybody_as_often_as_they_like(sticks: Match) -> None:
    assert {ask(Client(), sticks).status_code for _ in range(60)} == {200}


@pytest.mark.usefixtures("limited")
@pytest.mark.parametrize("what", ["running", "without gzip", "verify"])
def test_whatever_plays_a_match_again_or_sends_it_unpacked_is_limited(
    what: str, sticks: Match, host: Actor, guest: Actor
) -> None:
    path, headers = f"/replay/{sticks.pk}/frames.json", BROWSER
    if what == "running":
        Match.objects.update(status=Match.Status.RUNNING)
    elif what == "without gzip":
        headers = {}
    else:
        path, headers = f"/verify/{sticks.pk}/", {}
    answers = [client.get(path, headers=headers) for _ in range(30) for client in (host.client, guest.client)]
    assert answers[0].status_code == 200
    assert why_refused(answers[-1]) == "slow_down"
    assert "Wait" in answers[-1].content.decode()
    assert Client(REMOTE_ADDR="10.0.0.9").get(path, headers=headers).status_code == 200


@pytest.mark.parametrize(
    ("accepted", "taken"),
    [
        ("gzip", True),
        ("GZIP", True),
        ("br, gzip", True),
        ("deflate, gzip;q=0.5", True),
        ("gzip; q=1.0", True),
        ("*", True),
        ("*;q=0.1", True),
        ("", False),
        ("br", False),
        ("identity", False),
        ("gzip;q=0", False),
        ("gzip; q=0.000", False),
        ("gzip;q=0, *", False),
        ("*;q=0", False),
        ("notgzip", False),
    ],
)
def test_gzip_goes_to_those_who_say_that_they_read_it(accepted: str, taken: bool) -> None:
    assert takes_gzip(accepted) is taken


def test_what_a_browser_has_kept_is_never_taken_for_what_another_audience_is_sent() -> None:
    tags = {etag("edition", seat, up, {}) for seat in (None, 0, 1) for up in (False, True)}
    assert len(tags) == 6
