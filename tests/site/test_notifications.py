"""Notices to other processes: their number depends on the matches, not on the moves."""

from __future__ import annotations

import asyncio

from cardsite.server.cluster import Notice, NoticeQueue


async def test_of_one_subject_the_last_notice_is_sent_and_no_other_subject_is_lost() -> None:
    notifications = NoticeQueue(5)
    sentence: list[Notice] = [{"kind": "chat", "code": "a", "line": (n,)} for n in range(2)]
    notices: list[Notice] = [
        *({"kind": "ply", "match": match, "ply": ply} for ply in range(1, 400) for match in (7, 8)),
        *sentence,
        {"kind": "table", "code": "a"},
        {"kind": "ply", "match": 7, "ply": 400},
    ]
    for notice in notices:
        assert notifications.put(notice)
    assert not notifications.put({"kind": "spectators", "code": "a", "spectators": 1})  # it is full
    assert await notifications.take() == [
        {"kind": "ply", "match": 8, "ply": 399},
        *sentence,
        {"kind": "table", "code": "a"},
        {"kind": "ply", "match": 7, "ply": 400},
    ]
    assert notifications.put({"kind": "spectators", "code": "a", "spectators": 1})


async def test_take_waits_until_there_is_something() -> None:
    notifications = NoticeQueue(5)
    taking = asyncio.create_task(notifications.take())
    await asyncio.sleep(0)
    assert not taking.done()
    notifications.put({"kind": "beat", "beat": 1})
    assert await taking == [{"kind": "beat", "beat": 1}]


async def test_that_a_process_is_new_to_a_table_is_not_forgotten_over_how_many_watch_there_later() -> None:
    notifications = NoticeQueue(5)
    for spectators, new in ((3, True), (4, False)):
        notifications.put({"kind": "spectators", "code": "a", "spectators": spectators, "new": new})
    assert await notifications.take() == [{"kind": "spectators", "code": "a", "spectators": 4, "new": True}]


async def test_notices_that_could_not_be_sent_come_before_later_ones_about_other_things() -> None:
    notifications = NoticeQueue(4)
    moves: list[Notice] = [{"kind": "ply", "match": match, "ply": 1} for match in (7, 8)]
    notifications.put(moves[0])
    notifications.put(moves[1])
    unsent = await notifications.take()
    later: list[Notice] = [{"kind": "ply", "match": 7, "ply": 2}, {"kind": "table", "code": "a"}]
    for notice in later:
        notifications.put(notice)
    notifications.put_back(unsent)
    assert await notifications.take() == [moves[1], *later]
