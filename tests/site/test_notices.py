"""Notices to other processes: their number depends on the matches, not on the moves."""

from __future__ import annotations

import asyncio

from cardsite.server.cluster import Notice, NoticeQueue


async def test_of_one_subject_the_last_notice_is_sent_and_no_other_subject_is_lost() -> None:
    queue = NoticeQueue(5)
    sentence: list[Notice] = [{"kind": "chat", "code": "a", "line": (n,)} for n in range(2)]
    notices: list[Notice] = [
        *({"kind": "ply", "match": match, "ply": ply} for ply in range(1, 400) for match in (7, 8)),
        *sentence,
        {"kind": "table", "code": "a"},
        {"kind": "ply", "match": 7, "ply": 400},
    ]
    for notice in notices:
        assert queue.put(notice)
    assert not queue.put({"kind": "spectators", "code": "a", "spectators": 1})  # it is full
    assert await queue.take() == [
        {"kind": "ply", "match": 8, "ply": 399},
        *sentence,
        {"kind": "table", "code": "a"},
        {"kind": "ply", "match": 7, "ply": 400},
    ]
    assert queue.put({"kind": "spectators", "code": "a", "spectators": 1})


async def test_take_waits_until_there_is_something() -> None:
    queue = NoticeQueue(5)
    taking = asyncio.create_task(queue.take())
    await asyncio.sleep(0)
    assert not taking.done()
    queue.put({"kind": "beat", "beat": 1})
    assert await taking == [{"kind": "beat", "beat": 1}]


async def test_that_a_process_is_new_to_a_table_is_not_forgotten_over_how_many_watch_there_later() -> None:
    queue = NoticeQueue(5)
    for spectators, new in ((3, True), (4, False)):
        queue.put({"kind": "spectators", "code": "a", "spectators": spectators, "new": new})
    assert await queue.take() == [{"kind": "spectators", "code": "a", "spectators": 4, "new": True}]


async def test_notices_that_could_not_be_sent_come_before_later_ones_about_other_things() -> None:
    queue = NoticeQueue(4)
    moves: list[Notice] = [{"kind": "ply", "match": match, "ply": 1} for match in (7, 8)]
    queue.put(moves[0])
    queue.put(moves[1])
    unsent = await queue.take()
    later: list[Notice] = [{"kind": "ply", "match": 7, "ply": 2}, {"kind": "table", "code": "a"}]
    for notice in later:
        queue.put(notice)
    queue.put_back(unsent)
    assert await queue.take() == [moves[1], *later]
