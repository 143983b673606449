"""Matches of visitors' games: played in worker processes with the same result, without delaying other matches."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator
from typing import Any, NoReturn

import pytest
import pytest_asyncio
from django.utils import timezone

from cardsite import costs
from cardsite.server import live as live_module
from cardsite.server import match_workers
from cardsite.server.live import LiveMatch, SeatDecider
from cardsite.server.match_copy import MatchCopy
from cardsite.server.match_workers import MatchWorkers
from cardsite.table.dropped import Dropped
from cardsite.table.models import Match, Move
from games.core import BadRecord, FastChance, IllegalMove, RulesFailed
from games.jobs import ChildDied, JobFailed, JobResult, OutOfMemory
from games.recycle.game import RecycleGame
from games.recycle.provider import FOLDER
from tests.site.copies import rules_of
from tests.site.test_costs import Clock, clock
from tests.tiers import full

__all__ = ["clock"]  # a fixture

NOW = 1_800_000_000_000
AUDIENCES = [None, 0, 1]
# A player who sets 1 has ``what`` done before the next choice.
TEXT = """(game (setup (create players 2)
    (create deck (game vloc STOCK) (deck (RANK (A, B, C, D, E, F, G, H)) (SUIT (A, B, C, D, E, F, G, H))
      (HUE (A, B, C, D, E, F, G)))))
  (stage player (end (== 1 2))
    (choice ((set (game sto X) 0) (set (game sto X) 1)))
    (do (((== (game sto X) 1) {what}))))
  (scoring max 0))"""
BURN = "(repeat 1500 (shuffle (game vloc STOCK)))"
DIVIDE = "(set (game sto X) (// 1 (- 1 (game sto X))))"


class WorkerGame(RecycleGame):
    """A text whose rules must not run in this process. Once unpickled in a worker, it is playable."""

    untrusted = True

    def start(self, *_: Any) -> NoReturn:
        raise AssertionError("Its rules ran in the match server.")


def text_of(name: str) -> str:
    """Return a text of the library."""
    return (FOLDER / f"{name}.rcy").read_text(encoding="utf-8")


@pytest_asyncio.fixture
async def workers(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[MatchWorkers]:
    """The workers of this process, two at most."""
    made = MatchWorkers(2)
    monkeypatch.setattr(live_module, "workers", made)
    monkeypatch.setattr(live_module, "now_ms", lambda: NOW)
    yield made
    made.close()


def match_of(game: RecycleGame, number: int = 1, seats: int = 2) -> LiveMatch:
    """Return a match of people that has not begun."""
    row = Match(
        pk=number, table_id=number, number=1, game=game.name, rules_version=game.rules_version, seed="5e" * 32,
        started=timezone.now(), options={}, seconds=30,
    )  # fmt: skip
    return LiveMatch(row, f"table{number}", game, [SeatDecider(seat + 1, "house", away=False) for seat in range(seats)])


async def begin(live: LiveMatch, stored: list[Move]) -> None:
    """Begin a match where it is played."""
    if live.game.untrusted:
        await live.begin_in_worker(stored)
    else:
        live.begin_here(stored)


async def both(name: str) -> tuple[LiveMatch, LiveMatch]:
    """Begin the same match of a text of the library in a worker and here."""
    remote, local = match_of(WorkerGame(name, text_of(name))), match_of(RecycleGame(name, text_of(name)))
    local._row.started = remote._row.started
    for live in (remote, local):
        await begin(live, [])
    return remote, local


def pids(workers: MatchWorkers) -> list[int]:
    """Return the processes that run."""
    return [worker.child.pid for worker in workers._workers if worker.child.pid]


@pytest.mark.parametrize("name", ["agram", "crazy-eights"])
async def test_a_match_in_a_worker_is_the_match_it_would_be_here_to_the_last_byte(
    name: str, workers: MatchWorkers
) -> None:
    remote, local = await both(name)
    chance = FastChance("moves")
    for ply in range(60):
        assert (remote.since, remote.moves, remote.decisions) == (local.since, local.moves, local.decisions)
        for audience in AUDIENCES:
            assert await remote.snapshot(audience) == await local.snapshot(audience)
        if local.over:
            break
        seat = next(iter(local.since))
        question = await remote.question(seat, "")
        assert question == await local.question(seat, "")
        move = chance.choice(question.legal)
        for live in (remote, local):
            await live.advance(seat, move, "person", NOW + ply)
        assert await remote.move_messages(AUDIENCES) == await local.move_messages(AUDIENCES)
    assert local.over
    assert await remote.end() == await local.end()
    assert remote.cpu > 0


async def test_the_question_for_a_bot_is_collected_in_the_worker(workers: MatchWorkers) -> None:
    remote, local = await both("agram")
    seat = next(iter(local.since))
    question = await remote.question(seat, "easy")
    assert question.legal == rules_of(local).legal_moves(seat)
    assert question.message


async def test_a_refused_move_changes_nothing_and_says_what_it_would_say_here(workers: MatchWorkers) -> None:
    remote, local = await both("agram")
    seat = next(iter(local.since))
    reasons = []
    for live in (remote, local):
        with pytest.raises(IllegalMove) as refused:
            await live.advance(seat, "eat the cards", "person", NOW)
        reasons.append(refused.value.text)
    assert reasons[0] == reasons[1]
    assert reasons[0].data() == reasons[1].data(), "it can be said in other languages, too"
    assert await remote.snapshot(seat) == await local.snapshot(seat)


async def test_why_not_is_answered_from_the_worker(workers: MatchWorkers) -> None:
    remote, local = await both("crazy-eights")
    seat = next(iter(local.since))
    view = json.loads(await local.snapshot(seat))["view"]
    touched = [piece["id"] for zone in view["zones"] for piece in zone.get("pieces", []) if piece.get("id")]
    assert touched
    for name in touched:
        assert await remote.why_not(seat, name) == await local.why_not(seat, name)


async def test_a_worker_that_is_killed_loses_nothing(workers: MatchWorkers) -> None:
    remote, local = await both("agram")
    for ply in range(4):
        seat = next(iter(local.since))
        [pid] = pids(workers)
        os.kill(pid, signal.SIGKILL)
        move = rules_of(local).legal_moves(seat)[0]
        for live in (remote, local):
            await live.advance(seat, move, "person", NOW + ply)
    assert await remote.snapshot(0) == await local.snapshot(0)


@full
async def test_a_worker_that_is_killed_in_the_middle_of_a_move_loses_nothing(workers: MatchWorkers) -> None:
    remote, local = await both("agram")
    seat = next(iter(local.since))
    move = rules_of(local).legal_moves(seat)[0]
    [pid] = pids(workers)
    os.kill(pid, signal.SIGSTOP)
    moving = asyncio.create_task(remote.advance(seat, move, "person", NOW))
    await asyncio.sleep(0)
    os.kill(pid, signal.SIGKILL)
    await moving
    await local.advance(seat, move, "person", NOW)
    assert await remote.snapshot(seat) == await local.snapshot(seat)
    assert remote.version == 1


@pytest.mark.parametrize(("error", "tries"), [(ChildDied, 6), (OutOfMemory, 2)])
async def test_a_request_that_always_ends_its_process_stops_the_match(
    workers: MatchWorkers, monkeypatch: pytest.MonkeyPatch, error: type[JobFailed], tries: int
) -> None:
    """Once or twice something else may have done it."""
    remote, _ = await both("agram")
    true, left = match_workers.Worker.ask, [tries - 1]

    async def ending(worker: match_workers.Worker, request: bytes, cpu: float, table: str) -> JobResult:
        if left[0]:
            left[0] -= 1
            raise error("It is gone.")
        return await true(worker, request, cpu, table)

    monkeypatch.setattr(match_workers.Worker, "ask", ending)
    assert await remote.snapshot(None)
    left[0] = tries
    with pytest.raises(Dropped, match="used too much computing time") as dropped:
        await remote.snapshot(None)
    assert f"ended its process {tries} times" in dropped.value.failure
    assert left == [0]


def test_whatever_is_asked_of_a_copy_can_be_named_to_the_author_of_its_rules() -> None:
    asked = {method for name, method in vars(MatchCopy).items() if callable(method) and not name.startswith("_")}
    assert asked - {MatchCopy.view} == set(match_workers.WORK)


async def test_a_copy_that_differs_from_the_database_is_made_again(workers: MatchWorkers) -> None:
    """As after a move that could not be stored."""
    remote, local = await both("agram")
    seat = next(iter(local.since))
    await remote.ask(MatchCopy.advance, seat, rules_of(local).legal_moves(seat)[0], None)
    assert await remote.snapshot(0) == await local.snapshot(0)


async def test_a_match_goes_on_where_its_stored_moves_end_and_refuses_those_that_cannot_be(
    workers: MatchWorkers,
) -> None:
    local = match_of(RecycleGame("agram", text_of("agram")))
    await begin(local, [])
    seat = next(iter(local.since))
    move = rules_of(local).legal_moves(seat)[0]
    stored = Move(ply=1, seat=seat, text=move, by="clock", at=NOW)
    remote = match_of(WorkerGame("agram", text_of("agram")))
    await begin(remote, [stored])
    await local.advance(seat, move, "clock", NOW)
    assert await remote.snapshot(seat) == await local.snapshot(seat)
    stored.text = "eat the cards"
    with pytest.raises(BadRecord, match=r"Ply 1 .*eat the cards"):
        await begin(match_of(WorkerGame("agram", text_of("agram")), 2), [stored])


async def test_a_move_that_takes_too_long_stops_its_match_and_no_other_one(
    workers: MatchWorkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_workers, "REQUEST_CPU", 0.05)
    text = TEXT.format(what=BURN)
    remote, other = match_of(WorkerGame("burn", text)), match_of(WorkerGame("burn", text), 2)
    for live in (remote, other):
        await begin(live, [])
    seat = next(iter(remote.since))
    nothing, burn = (await remote.question(seat, "")).legal
    with pytest.raises(Dropped, match="used too much computing time") as dropped:
        await remote.advance(seat, burn, "person", NOW)
    assert "Making a move after move 0 took more than 0.05 seconds" in dropped.value.failure
    await other.advance(seat, nothing, "person", NOW)
    assert other.version == 1


@pytest.mark.parametrize("batch", [0.0, live_module.BOOK_AFTER])
async def test_what_rules_take_is_booked_to_table_people_and_addresses_in_a_worker_as_here(
    workers: MatchWorkers, clock: Clock, monkeypatch: pytest.MonkeyPatch, batch: float
) -> None:
    monkeypatch.setattr(live_module, "BOOK_AFTER", batch)
    monkeypatch.setattr(live_module, "last_address", {1: "203.0.113.7"})  # the other one is not connected
    for live in (match_of(kind("agram", text_of("agram"))) for kind in (WorkerGame, RecycleGame)):
        await begin(live, [])
        while not live.over:
            seat = next(iter(live.since))
            move = (await live.question(seat, "")).legal[0]
            await live.advance(seat, move, "person", NOW)
            await live.move_messages(AUDIENCES)
        await live.end()
        spent = costs.spent("person 1")
        assert 0.0 < spent["move"] + spent["view"] == pytest.approx(live.cpu)
        assert 0.0 < spent["move"] < live.cpu
        for payer in ("person 2", "203.0.113.7", "table table1"):
            assert costs.spent(payer) == pytest.approx(spent), payer
        monkeypatch.setattr(costs, "_store", costs.Store(""))


async def test_an_address_from_which_several_play_is_charged_once(
    workers: MatchWorkers, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_module, "last_address", {1: "203.0.113.7", 2: "203.0.113.7"})
    live = match_of(RecycleGame("agram", text_of("agram")))
    assert live.payers == ["person 1", "203.0.113.7", "person 2"]


async def test_a_match_that_takes_too_much_in_all_is_stopped(
    workers: MatchWorkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    remote, _ = await both("agram")
    monkeypatch.setattr(match_workers, "MATCH_CPU", remote.cpu)
    with pytest.raises(Dropped, match="used too much computing time") as dropped:
        await remote.snapshot(None)
    assert "seconds of computing time" in dropped.value.failure


async def test_rules_that_break_down_there_fail_as_here(workers: MatchWorkers) -> None:
    text = TEXT.format(what=DIVIDE)
    failures = []
    for live in (match_of(WorkerGame("divide", text)), match_of(RecycleGame("divide", text), 2)):
        await begin(live, [])
        seat = next(iter(live.since))
        _, divide = (await live.question(seat, "")).legal
        with pytest.raises(RulesFailed) as failed:
            await live.advance(seat, divide, "person", NOW)
        failures.append(failed.value.kind)
    assert failures[0] == failures[1]


@full
async def test_texts_have_processes_of_their_own_while_there_are_some_and_these_end_with_their_matches(
    workers: MatchWorkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_workers, "REST", 0.0)
    for number, name in enumerate(["agram", "crazy-eights", "agram", "cribbage"]):
        await begin(match_of(WorkerGame(name, text_of(name)), number), [])
    assert len(set(pids(workers))) == 2
    [of_agram] = [worker for worker in workers._workers if "agram" in worker.texts]
    assert of_agram.texts in ({"agram"}, {"agram", "cribbage"})
    for number in range(4):
        workers.evict(number)
    await asyncio.sleep(0.01)  # the timers of all four run out
    assert workers._workers == []
