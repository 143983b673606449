"""One table across two processes of the site, on a real PostgreSQL and a real Redis."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

from cardsite.server.protocol import CREDENTIALS_EXPIRED
from tests.running_site import RunningSite
from tests.site import conftest as site
from tests.site.conftest import DatabaseOf
from tests.site.test_credentials import Regular, seated, token
from tests.site.test_permissions import try_the_sockets
from tests.site.visitor import TableSocket, Visitor, program, two_at_a_table
from tests.tiers import full

Processes = tuple[RunningSite, RunningSite]
database_of = site.database_of


def play(ws: TableSocket, dice: random.Random, decisions: int = 1000) -> dict[int, str]:
    """Make legal moves until the match is over or ``decisions`` are made. Return those acknowledged, by ply."""
    acknowledged: dict[int, str] = {}
    while len(acknowledged) < decisions:
        ws.until(lambda: ws.over() or (ws.my_turn() and bool(ws.view["moves"])))
        if ws.over():
            break
        move = dice.choice(ws.view["moves"])["move"]
        ack = ws.move(move)
        assert ack["t"] == "ack", ack
        acknowledged[ack["version"]] = move
    return acknowledged


def a_table_across(first: RunningSite, second: RunningSite) -> tuple[str, Visitor, Visitor]:
    """Seat Ann through one process, Bob through the other, and a bot. Return the table's code and both."""
    code, ann, bob = two_at_a_table(first, "house")
    bob.site = second
    return code, ann, bob


def test_two_people_play_a_match_by_two_processes_while_a_stranger_watches(grown_site: Processes) -> None:
    first, second = grown_site
    code, ann, bob = a_table_across(first, second)
    eve = Visitor(second)
    with ann.connect(code) as a, bob.connect(code) as b, eve.connect(code) as e, ThreadPoolExecutor() as together:
        assert (a.seat, b.seat, e.seat) == (0, 1, None)
        ann.must(code, "start")
        a_made, b_made, e_made = together.map(lambda ws: play(ws, random.Random(1)), (a, b, e))
        assert a.version == b.version == e.version
        assert a.view["result"] == b.view["result"] == e.view["result"]
        assert a_made
        assert b_made
        assert not e_made
        record = dict(enumerate(ann.get(f"/replay/{a.match}/record.json").json["moves"], 1))
        assert {ply: [0, move] for ply, move in a_made.items()}.items() <= record.items()
        assert {ply: [1, move] for ply, move in b_made.items()}.items() <= record.items()


def test_chat_and_the_number_of_spectators_cross_from_one_process_to_the_other(grown_site: Processes) -> None:
    first, second = grown_site
    code, ann, bob = a_table_across(first, second)
    eve, joe = Visitor(second), Visitor(first)
    with ann.connect(code) as a, bob.connect(code) as b, eve.connect(code) as e, joe.connect(code) as j:
        for ws in (a, b, e, j):
            ws.wait("spectators", spectators=2)
        assert b.ask("chat", text="Good evening, Ann")["t"] == "ack"
        a.until(lambda: [line["text"] for line in a.chat] == ["Good evening, Ann"])
    with eve.connect(code) as e:
        assert e.chat == []  # what players say is not for spectators


def test_what_a_person_may_do_follows_at_once_what_another_process_has_done(
    grown_site: Processes, database_of: DatabaseOf
) -> None:
    first, second = grown_site
    try_the_sockets(first, second, database_of(first))


@full
def test_a_match_goes_on_by_the_other_process_when_the_one_that_kept_it_is_killed(grown_site: Processes) -> None:
    first, second = grown_site
    code, ann, bob = a_table_across(first, second)
    dice = random.Random(2)
    with ExitStack() as afterwards, bob.connect(code) as b, ThreadPoolExecutor() as together:
        with ann.connect(code) as a:
            ann.must(code, "start")  # by the first process, which so keeps the match
            bob_plays = together.submit(play, b, dice)
            before = play(a, dice, decisions=2)
            first.kill()
            afterwards.callback(first.start)
        ann.site = second
        with ann.connect(code) as again:
            after = play(again, dice)
            record = dict(enumerate(ann.get(f"/replay/{again.match}/record.json").json["moves"], 1))
            assert again.version == len(record)
            assert {ply: [0, move] for ply, move in (before | after).items()}.items() <= record.items()
            assert {ply: [1, move] for ply, move in bob_plays.result().items()}.items() <= record.items()
            assert set(before).isdisjoint(after)


@full
def test_a_logout_and_a_new_token_cut_the_sockets_of_other_processes(
    grown_site: Processes,
) -> None:
    first, second = grown_site
    pepper = Regular(first)
    code = seated(first, pepper)
    made = token(pepper)
    pepper.site = second
    with pepper.connect(code) as browser, program(second, code, made) as bot:
        assert bot.hello()["seat"] == browser.seat == 1
        pepper.site = first
        token(pepper)
        assert bot.closed() == CREDENTIALS_EXPIRED
        browser.settle()
        pepper.post("/people/logout/")
        assert browser.closed() == CREDENTIALS_EXPIRED
