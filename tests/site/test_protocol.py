"""The WebSocket protocol over real sockets: who receives what, what is refused, and that nothing plays twice."""

from __future__ import annotations

import json
import re

import pytest
from websockets.exceptions import InvalidStatus

from cardsite.server.protocol import PROTOCOL
from cardsite.table.models import Match, Move
from tests.running_site import RunningSite
from tests.site.visitor import TableSocket, Visitor, begin, play_on, program, two_at_a_table

# -- hello


def test_the_answer_to_hello_contains_seat_name_and_role(site: RunningSite) -> None:
    code, host, guest = two_at_a_table(site, "house")
    for visitor, seat in ((host, 0), (guest, 1), (Visitor(site), None)):
        with visitor.connect(code, hello=False) as ws:
            welcome = ws.hello()
            assert (welcome["protocol"], welcome["seat"], welcome["host"]) == (PROTOCOL, seat, visitor is host)
            assert welcome["name"] == visitor.name
            assert [seat["kind"] for seat in welcome["table"]["seats"]] == ["person", "person", "bot"]


def test_a_late_arrival_sees_the_match_and_the_log_so_far(site: RunningSite) -> None:
    code, host, guest = two_at_a_table(site)
    with host.connect(code) as one, guest.connect(code) as two, Visitor(site).connect(code) as early:
        begin(code, host, one, two, early)
        play_on([one, two, early], plies=4)
        with Visitor(site).connect(code) as late:
            assert (late.match, late.version, late.view) == (early.match, early.version, early.view)
            logs = [m["log"] for m in early.messages if m["t"] in ("snapshot", "change")]
            assert late.messages[-1]["log"] == [*logs[0], *logs[1:]]


@pytest.mark.parametrize("number", [1, 2, PROTOCOL + 1])
def test_another_protocol_is_refused_and_nothing_is_sent(site: RunningSite, number: int) -> None:
    code = Visitor(site, "Hostess").open_table("me", "house")
    with Visitor(site).connect(code, hello=False) as ws:
        ws.say("hello", protocol=number)
        refused = ws.wait("refused")
        assert refused["code"] == "protocol"
        assert f"uses protocol version {PROTOCOL}" in refused["text"]
        ws.settle()
        assert [m["t"] for m in ws.messages] == ["refused", "pong"]


def test_nothing_is_sent_before_hello(site: RunningSite) -> None:
    code, host, guest = two_at_a_table(site)
    with host.connect(code) as one, guest.connect(code, hello=False) as silent:
        begin(code, host, one)
        silent.settle()
        assert [m["t"] for m in silent.messages] == ["pong"]


# -- versions and gaps


def test_versions_are_consecutive_for_every_audience(site: RunningSite) -> None:
    code, host, guest = two_at_a_table(site, "house")
    with host.connect(code) as one, guest.connect(code) as two, Visitor(site).connect(code) as spectator:
        begin(code, host, one, two, spectator)
        play_on([one, two, spectator])
        for ws in (one, two, spectator):
            sent = [(m["t"], m["version"]) for m in ws.messages if m["t"] in ("snapshot", "change")]
            first = sent[0][1]
            assert first in (0, 1)  # the one bot may have moved before the match was sent, but no person
            assert sent == [("snapshot", first), *(("change", n) for n in range(first + 1, ws.version + 1))]


def test_changes_put_in_make_the_view_that_a_snapshot_sends(site: RunningSite) -> None:
    code, host, guest = two_at_a_table(site)
    with host.connect(code) as one, guest.connect(code) as two, Visitor(site).connect(code) as spectator:
        begin(code, host, one, two, spectator)
        for plies in range(1, 6):
            play_on([one, two, spectator], plies=1)
            for ws in (one, two, spectator):
                assert kinds(ws) == ["snapshot", *["change"] * plies]
                had = ws.view
                ws.hello()
                assert ws.messages.pop()["view"] == had  # a snapshot


def kinds(ws: TableSocket) -> list[str]:
    """Return how the match was sent, message by message."""
    return [message["t"] for message in ws.messages if message["t"] in ("snapshot", "change")]


def test_a_player_who_was_gone_for_a_moment_gets_just_the_missing_plies(site: RunningSite) -> None:
    code, host, guest = two_at_a_table(site)
    with host.connect(code) as one, guest.connect(code) as two, Visitor(site).connect(code) as spectator:
        match = begin(code, host, one, two, spectator)
        play_on([one, two, spectator], plies=5)
        with Visitor(site).connect(code, hello=False) as back:
            back.hello(match, version=2)
            back.until(lambda: back.version == 5)
            assert (
                back.frames[1:4]
                == [f for f, m in zip(spectator.frames, spectator.messages, strict=True) if m["t"] == "change"][2:]
            )
            back.settle()
            assert "snapshot" not in [m["t"] for m in back.messages]


def test_a_player_who_missed_nothing_is_sent_nothing_again(site: RunningSite) -> None:
    code, host, guest = two_at_a_table(site)
    with host.connect(code) as one, guest.connect(code) as two:
        match = begin(code, host, one, two)
        play_on([one, two], plies=2)
        with Visitor(site).connect(code, hello=False) as back:
            back.hello(match, version=2)
            back.settle()
            assert not [m for m in back.messages if m["t"] in ("snapshot", "change")]


@pytest.mark.parametrize(("match", "version"), [(0, 1), (None, -7), (None, 99), (None, 0), (10**18, 2), (None, 2**70)])
def test_a_client_whose_version_cannot_be_repaired_gets_a_snapshot(
    site: RunningSite, match: int | None, version: int
) -> None:
    code, host, guest = two_at_a_table(site)
    with (
        host.connect(code) as one,
        guest.connect(code) as two,
    ):  # no spectator is here, so no missed change is kept for one
        running = begin(code, host, one, two)
        play_on([one, two], plies=2)
        with Visitor(site).connect(code, hello=False) as back:
            back.hello(running if match is None else match, version)
            back.until(lambda: back.version == 2)
            assert [m["t"] for m in back.messages if m["t"] in ("snapshot", "change")] == ["snapshot"]


def test_a_gap_longer_than_what_is_kept_is_a_snapshot(site: RunningSite) -> None:
    host = Visitor(site, "Hostess")
    code = host.open_table("me", "house", "house", "house", "house", "house")
    with host.connect(code) as one, Visitor(site).connect(code) as spectator:
        match = begin(code, host, one, spectator)
        play_on([one, spectator], plies=24)
        with Visitor(site).connect(code, hello=False) as back:
            back.hello(match, version=1)
            back.until(lambda: back.version >= spectator.version)
            assert back.messages[1]["t"] == "snapshot"


# -- moves


def test_a_move_is_stored_before_it_is_acknowledged(site: RunningSite, site_db: str) -> None:
    code, host, guest = two_at_a_table(site)
    with host.connect(code) as one, guest.connect(code) as two:
        match = begin(code, host, one, two)
        for ply in range(1, 6):
            mover = one if one.my_turn() else two
            move = mover.view["moves"][-1]["move"]
            ack = mover.move(move)
            assert ack == {"t": "ack", "id": ack["id"], "match": match, "version": ply, "again": False}
            stored = Move.objects.using(site_db).filter(match=match).order_by("-ply")[0]
            assert (stored.ply, stored.seat, stored.text, stored.by) == (ply, mover.seat, move, "person")
            for ws in (one, two):
                ws.until(lambda ws=ws, ply=ply: ws.version == ply)  # type: ignore[misc]


def test_a_double_click_plays_once(site: RunningSite, site_db: str) -> None:
    code, host, guest = two_at_a_table(site)
    with host.connect(code) as one, guest.connect(code) as two:
        match = begin(code, host, one, two)
        mover = one if one.my_turn() else two
        clicks = [mover.say("move", match=match, decision=0, move="keep") for _ in range(2)]
        acks = [mover.answer(click) for click in clicks]
        assert [(ack["t"], ack["version"], ack["again"]) for ack in acks] == [("ack", 1, False), ("ack", 1, True)]
        mover.settle()
        assert mover.version == 1
        assert Move.objects.using(site_db).filter(match=match).count() == 1


def test_a_move_sent_again_much_later_is_acknowledged_as_the_ply_it_was(site: RunningSite, site_db: str) -> None:
    code, host, guest = two_at_a_table(site)
    with host.connect(code) as one, guest.connect(code) as two:
        match = begin(code, host, one, two)
        mover = one if one.my_turn() else two
        mover.move("keep")
        play_on([one, two], plies=4)
        ack = mover.move("keep", decision=0)
        assert (ack["t"], ack["version"], ack["again"]) == ("ack", 1, True)
        assert Move.objects.using(site_db).filter(match=match).count() == one.version


def test_every_wrong_move_has_its_code_and_changes_nothing(site: RunningSite, site_db: str) -> None:
    code, host, guest = two_at_a_table(site)
    with host.connect(code) as one, guest.connect(code) as two, Visitor(site).connect(code) as spectator:
        match = begin(code, host, one, two, spectator)
        first, second = (one, two) if one.my_turn() else (two, one)
        first.move("keep")
        for ws in (first, second, spectator):
            ws.until(lambda ws=ws: ws.version == 1)  # type: ignore[misc]
        wrong = [
            (first, {"decision": 0, "move": "trade"}, "stale"),
            (first, {"decision": 1, "move": "keep"}, "illegal"),
            (second, {"decision": 0, "move": "pass"}, "illegal"),
            (second, {"decision": 0, "move": ""}, "illegal"),
            (second, {"decision": 0, "move": "KEEP"}, "illegal"),
            (second, {"decision": 0, "move": "keep\0"}, "illegal"),
            (second, {"decision": 0, "move": "x" * 3000}, "illegal"),
            (second, {"decision": 1, "move": "keep"}, "ahead"),
            (second, {"decision": 2**70, "move": "keep"}, "ahead"),
            (first, {"decision": -1, "move": "keep"}, "stale"),
            (second, {"decision": -(2**70), "move": "keep"}, "stale"),
            (second, {"decision": 0, "move": "keep", "match": match + 1}, "other_match"),
            (second, {"decision": 0, "move": "keep", "match": 0}, "other_match"),
            (second, {"decision": 0, "move": "keep", "match": 2**70}, "other_match"),
            (spectator, {"decision": 0, "move": "keep"}, "not_seated"),
        ]
        for ws, fields, refusal in wrong:
            answer = ws.move(**fields)  # type: ignore[arg-type]
            assert (answer["t"], answer.get("code")) == ("refused", refusal), fields
            assert answer["text"].endswith(".")
            assert len(answer["text"]) < 300
        second.settle()
        assert second.version == 1
        assert Move.objects.using(site_db).filter(match=match).count() == 1


def test_after_the_end_a_move_is_refused(site: RunningSite) -> None:
    code, host, guest = two_at_a_table(site)
    with host.connect(code) as one, guest.connect(code) as two:
        begin(code, host, one, two)
        play_on([one, two])
        assert one.move("keep")["code"] == "over"


def test_two_windows_of_one_person_cannot_both_decide(site: RunningSite, site_db: str) -> None:
    code, host, guest = two_at_a_table(site)
    with host.connect(code) as one, guest.connect(code) as two:
        match = begin(code, host, one, two)
        plays = (host, one, two) if one.my_turn() else (guest, two, one)
        with plays[0].connect(code) as other_window:
            left = plays[1].say("move", match=match, decision=0, move="keep")
            right = other_window.say("move", match=match, decision=0, move="trade")
            answers = [plays[1].answer(left), other_window.answer(right)]
            assert sorted(answer["t"] for answer in answers) == ["ack", "refused"]
            assert next(answer["code"] for answer in answers if answer["t"] == "refused") == "stale"
            for ws in (plays[1], other_window, plays[2]):
                ws.until(lambda ws=ws: ws.version == 1)  # type: ignore[misc]
            [stored] = Move.objects.using(site_db).filter(match=match)
            assert stored.text == ("keep" if answers[0]["t"] == "ack" else "trade")


def test_of_two_people_who_click_at_once_only_the_one_whose_turn_it_is_plays(site: RunningSite, site_db: str) -> None:
    code, host, guest = two_at_a_table(site)
    with host.connect(code) as one, guest.connect(code) as two:
        match = begin(code, host, one, two)
        numbers = [ws.say("move", match=match, decision=0, move="keep") for ws in (one, two)]
        answers = [ws.answer(number) for ws, number in zip((one, two), numbers, strict=True)]
        # Who clicks out of turn is refused, unless the other's click came first and made it their turn.
        moves = list(Move.objects.using(site_db).filter(match=match).order_by("ply").values_list("seat", flat=True))
        assert [a["t"] for a in answers].count("ack") == len(moves) == len(set(moves))
        assert {a["code"] for a in answers if a["t"] == "refused"} <= {"illegal"}


# -- a series


def test_a_rematch_begins_for_everybody_and_the_old_match_takes_no_more_moves(site: RunningSite, site_db: str) -> None:
    code, host, guest = two_at_a_table(site)
    with host.connect(code) as one, guest.connect(code) as two, Visitor(site).connect(code) as spectator:
        old = begin(code, host, one, two, spectator)
        play_on([one, two, spectator])
        one.until(lambda: one.table["status"] == "over")
        assert sum(seat["wins"] for seat in one.table["seats"]) == 1
        new = begin(code, host, one, two, spectator)
        assert new != old
        for ws in (one, two, spectator):
            ws.until(lambda ws=ws: ws.table["number"] == 2)  # type: ignore[misc]
            assert ws.version == 0
        assert one.move("keep", match=old)["code"] == "other_match"
        play_on([one, two, spectator])
        one.until(lambda: one.table["status"] == "over")
        assert sum(seat["wins"] for seat in one.table["seats"]) == 2
        statuses = Match.objects.using(site_db).filter(table__code=code).values_list("status", flat=True)
        assert list(statuses) == ["over", "over"]


# -- seats change


def test_a_player_who_stands_up_is_a_spectator_from_then_on(site: RunningSite) -> None:
    code, host, guest = two_at_a_table(site)
    with host.connect(code) as one, guest.connect(code) as two:
        match = begin(code, host, one, two)
        guest.must(code, "stand")
        assert two.wait("you")["seat"] is None
        two.wait("snapshot")
        hands = [zone for zone in two.view["zones"] if zone["id"] in ("stock:1", "modifiers:1")]
        assert not [piece for zone in hands for piece in zone["pieces"] if "face" in piece]
        assert two.view["moves"] == []
        assert two.move("keep", decision=0, match=match)["code"] == "not_seated"
        one.until(lambda: one.table["seats"][1]["kind"] == "bot")


def test_a_closed_table_notifies_those_who_are_there_and_lets_nobody_in(site: RunningSite) -> None:
    code, host, guest = two_at_a_table(site)
    with guest.connect(code) as two:
        host.must(code, "close")
        two.wait_for(lambda m: m["t"] == "table" and m["table"]["status"] == "closed")
    assert Visitor(site).connect(code, hello=False).closed() == 4004
    gone = host.get(f"/t/{code}/")
    assert (gone.status, "This table may have been removed" in gone.text) == (404, True)
    assert host.press(code, "sit")["code"] == "no_table"


@pytest.mark.parametrize("code", ["nosuchtable", "a", "x" * 200])
def test_a_table_that_never_was_hangs_up(site: RunningSite, code: str) -> None:
    assert Visitor(site).connect(code, hello=False).closed() == 4004


# -- who may connect


@pytest.mark.parametrize("origin", ["http://evil.example", "https://127.0.0.1.evil.example", "null", "file://", None])
def test_a_page_of_another_site_cannot_open_the_socket_with_our_cookie(site: RunningSite, origin: str | None) -> None:
    host = Visitor(site, "Hostess")
    code = host.open_table("me", "house")
    cookie = {"Cookie": f"sessionid={host.cookies['sessionid']}"}
    with TableSocket(site, code, cookie, origin=site.url) as own:
        assert own.hello()["seat"] == 0  # so what is refused is the origin
    with pytest.raises(InvalidStatus) as refused:
        TableSocket(site, code, cookie, origin=origin)
    assert refused.value.response.status_code == 403


def _token(visitor: Visitor, site_db: str) -> str:
    """Make a token as its page does; it is shown on the next page, once."""
    assert visitor.post("/people/me/token/").status == 302
    page = visitor.get("/people/me/").text
    shown = re.search(r'id="token-text">([^<]+)<', page)
    assert shown, page
    return shown[1]


def test_a_program_with_a_token_plays_without_origin_or_cookie(site: RunningSite, site_db: str) -> None:
    code, host, guest = two_at_a_table(site)
    token = _token(guest, site_db)
    with host.connect(code) as one, program(site, code, token) as bot:
        assert bot.hello()["seat"] == 1
        begin(code, host, one, bot)
        play_on([one, bot])


def test_a_wrong_token_is_turned_away(site: RunningSite) -> None:
    code = Visitor(site, "Hostess").open_table("me", "house")
    for token in ("wrong", "x" * 3000, "é", "' OR 1=1 --"):
        assert TableSocket(site, code, {"Authorization": f"Bearer {token}"}).closed() == 4001


def test_a_renewed_token_ends_the_old_one(site: RunningSite, site_db: str) -> None:
    code, _, guest = two_at_a_table(site)
    old, new = _token(guest, site_db), _token(guest, site_db)
    assert program(site, code, old).closed() == 4001
    with program(site, code, new) as bot:
        assert bot.hello()["seat"] == 1


def test_the_token_is_shown_once(site: RunningSite, site_db: str) -> None:
    guest = Visitor(site, "Guest")
    guest.post("/people/me/name/", name="Guest")
    token = _token(guest, site_db)
    assert token not in guest.get("/people/me/").text


def test_messages_go_out_as_compact_text(site: RunningSite) -> None:
    code = Visitor(site, "Hostess").open_table("me", "house")
    with Visitor(site).connect(code) as ws:
        for frame in ws.frames:
            assert frame == json.dumps(json.loads(frame), separators=(",", ":"), ensure_ascii=False)
