"""Two processes over one PostgreSQL and one Redis: everybody sees the same match, and no ply is written twice.

What the processes do for each other when one of them or Redis is gone, ``tests/services`` shows.
"""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

from cardsite.table.models import Move
from tests.running_site import RunningSite
from tests.site.conftest import DatabaseOf
from tests.site.visitor import TableSocket, Visitor, begin, two_at_a_table
from tests.tiers import full

Processes = tuple[RunningSite, RunningSite]


@full
def test_spectators_of_both_processes_see_every_ply_in_order(grown_site: Processes) -> None:
    first, second = grown_site
    code, host, guest = two_at_a_table(first, "house")
    guest.site = second
    sockets = [host.connect(code), guest.connect(code), Visitor(first).connect(code), Visitor(second).connect(code)]
    begin(code, host, *sockets)
    hands = {0: sockets[0], 1: sockets[1]}
    while not sockets[0].over():
        sockets[0].until(lambda: sockets[0].over() or any(seat in hands for seat in sockets[0].view["to_act"]))
        for seat in sockets[0].view["to_act"]:
            if seat in hands:
                hands[seat].until(lambda seat=seat: hands[seat].version >= sockets[0].version)  # type: ignore[misc]
                hands[seat].decide(random.choice)
                sockets[0].until(lambda seat=seat: sockets[0].version >= hands[seat].version)  # type: ignore[misc]
    for ws in sockets:
        ws.until(ws.over)
        # On a busy machine the bot may have moved before the snapshot.
        versions = [m["version"] for m in ws.messages if m["t"] in ("snapshot", "change")]
        assert versions == list(range(versions[0], ws.version + 1))
        ws.close()
    first_log, second_log = ({m["version"]: m["log"] for m in ws.messages if m["t"] == "change"} for ws in sockets[2:])
    both = first_log.keys() & second_log.keys()
    assert both
    assert all(first_log[version] == second_log[version] for version in both)


@full
def test_a_person_with_a_window_on_each_process_decides_once(grown_site: Processes, database_of: DatabaseOf) -> None:
    first, second = grown_site
    site_db = database_of(first)
    code, host, guest = two_at_a_table(first)
    windows: dict[int, list[TableSocket]] = {}
    for seat, person in enumerate((host, guest)):
        for person.site in (first, second):
            windows.setdefault(seat, []).append(person.connect(code))
    host.site = first
    every = [ws for pair in windows.values() for ws in pair]
    match = begin(code, host, *every)
    both_clicked = 0
    with ThreadPoolExecutor(2) as hands:
        while not every[0].over():
            for ws in every:
                ws.until(lambda ws=ws: ws.version >= every[0].version)  # type: ignore[misc]
            [seat] = every[0].view["to_act"]
            pair = windows[seat]
            moves = [legal["move"] for legal in pair[0].view["moves"]]
            clicks = random.sample(moves, 2) if len(moves) > 1 else moves * 2
            answers = list(hands.map(lambda ws, move: ws.move(move), pair, clicks))  # two different moves at once
            acks = [answer for answer in answers if answer["t"] == "ack"]
            assert len(acks) == (1 if clicks[0] != clicks[1] else 2), answers
            assert {answer["code"] for answer in answers if answer["t"] == "refused"} <= {"stale"}
            assert {ack["version"] for ack in acks} == {every[0].version + 1} or every[0].version == acks[0]["version"]
            both_clicked += clicks[0] != clicks[1]
            for ws in every:
                ws.until(lambda ws=ws, ply=acks[0]["version"]: ws.version >= ply)  # type: ignore[misc]
    assert both_clicked > 5
    stored = Move.objects.using(site_db).filter(match=match).order_by("ply")
    assert [move.ply for move in stored] == list(range(1, every[0].version + 1))
    for ws in every:
        assert [m["version"] for m in ws.messages if m["t"] in ("snapshot", "change")] == list(range(ws.version + 1))
        ws.close()
