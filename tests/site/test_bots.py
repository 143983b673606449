"""The pool of bot processes: a full pool is slow but still asks every bot; a bot that hangs costs one decision."""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
from collections.abc import Callable, Iterator
from dataclasses import replace

import psutil
import pytest

from cardsite.server.bots import BotPool, Look
from cardsite.server.match_copy import MatchCopy, Question
from games import catalogue, core
from games.core import FastChance, Game, Information, RulesFailed, SealedChance
from games.jobs import Child, JobResult
from tests.games.cases import GAME_NAMES
from tests.games.text_game import read
from tests.patience import PATIENCE
from tests.site.thinking_game import BadHouse, ThinkingGame
from tests.tiers import tiered

STICKS = "sticks 9\ntake 1 2 3"
THINKING = 2.0  # seconds that a bot has in these tests
MakePool = Callable[..., BotPool]


@pytest.fixture
def make_pool() -> Iterator[MakePool]:
    """A function that returns a pool of so many workers."""
    made: list[BotPool] = []

    def make(workers: int = 1, thinking_time: float = THINKING) -> BotPool:
        made.append(BotPool(workers, thinking_time))
        return made[-1]

    yield make
    for pool in made:
        pool.close()


def look_at(game: Game | None = None, budget: int = 10**9) -> Look:
    """Return what asks for the first decision of a match of sticks: one, two or three."""
    copy = MatchCopy(core.Match.start(game or ThinkingGame("thinking", STICKS), 2, {}, FastChance("any")), 0.0)
    [seat] = copy.match.to_act()

    async def look(bot: str) -> Question:
        return copy.question(seat, bot, budget)

    return look


async def nothing_left(bot: str) -> None:
    """The decision has been made."""


async def choose(pool: BotPool, bot: str, game: Game | None = None, budget: int = 10**9) -> str | None:
    """Have a bot make that decision."""
    game = game or ThinkingGame("thinking", STICKS)
    return await pool.choose("sticks", (bot, game.house_bot), look_at(game, budget))


def pids(pool: BotPool) -> list[int]:
    """Return the processes of a pool."""
    return [child.pid for child in pool.pool.children if child.pid]


# -- a full pool


async def test_waiting_decisions_do_not_count_as_thinking_however_long_the_queue(
    make_pool: MakePool, caplog: pytest.LogCaptureFixture
) -> None:
    """It takes many times a bot's time to answer them all, and every one is the bot's own answer."""
    pool = make_pool(2, thinking_time=0.3)
    moves = await asyncio.gather(*(choose(pool, "slow") for _ in range(600)))
    assert moves == ["take 3"] * 600
    assert not caplog.records
    assert len(pids(pool)) == 2


async def test_a_decision_that_is_made_while_it_waits_is_not_thought_about(make_pool: MakePool) -> None:
    pool = make_pool()
    first = asyncio.create_task(choose(pool, "late", budget=500))
    await until(lambda: bool(pids(pool)))
    asked = [look_at()]

    async def look(bot: str) -> Question | None:
        return await asked[0](bot) if asked else None

    second = asyncio.create_task(pool.choose("sticks", ("slow",), look))
    await asyncio.sleep(0)  # it waits for the only worker
    asked.clear()
    assert await first == "take 1"
    assert await second is None


async def test_a_decision_that_was_made_meanwhile_is_not_sent_to_a_bot(make_pool: MakePool) -> None:
    pool = make_pool()
    assert await pool.choose("sticks", ("slow",), nothing_left) is None
    assert pids(pool) == []


async def test_a_forced_decision_is_asked_of_nobody(make_pool: MakePool) -> None:
    pool = make_pool()
    assert await choose(pool, "house", read("one", "sticks 9\ntake 2")) == "take 2"
    assert pids(pool) == []


async def test_decisions_one_after_another_use_one_worker(make_pool: MakePool) -> None:
    pool = make_pool(4)
    for _ in range(8):
        assert await choose(pool, "slow") == "take 3"
    assert len(pids(pool)) == 1


# -- who is lost


async def until(condition: Callable[[], bool]) -> None:
    """Wait until a condition is true."""
    async with asyncio.timeout(60):
        while not condition():  # noqa: ASYNC110 - a process that starts sends no event here
            await asyncio.sleep(0.01)


async def both_started(pool: BotPool) -> list[int]:
    """Start both workers of a pool and return their processes."""
    await asyncio.gather(*(choose(pool, "slow") for _ in range(2)))
    return pids(pool)


@pytest.mark.parametrize("bot", tiered(["late", "hanging", "crashing"], lambda bot: bot == "crashing"))
async def test_a_bot_that_hangs_or_crashes_costs_its_own_decision_and_worker_alone(
    make_pool: MakePool, caplog: pytest.LogCaptureFixture, bot: str
) -> None:
    pool = make_pool(2)
    before = await both_started(pool)
    lost, *others = await asyncio.gather(choose(pool, bot), *(choose(pool, "slow") for _ in range(200)))
    assert others == ["take 3"] * 200
    assert lost == "take 3"  # the house bot's answer
    assert len(caplog.records) == 1
    assert len(set(before) & set(pids(pool))) == 1
    assert await asyncio.gather(*(choose(pool, "slow") for _ in range(20))) == ["take 3"] * 20
    assert len(pids(pool)) == 2


async def test_a_worker_that_is_killed_is_replaced(make_pool: MakePool) -> None:
    pool = make_pool()
    assert await choose(pool, "slow") == "take 3"
    [pid] = pids(pool)
    os.kill(pid, signal.SIGKILL)
    assert await choose(pool, "slow") == "take 3"
    assert await choose(pool, "slow") == "take 3"
    assert pids(pool) not in ([], [pid])


@pytest.mark.parametrize("bot", ["failing", "cheating", "no such bot"])
async def test_a_bot_that_fails_or_cheats_is_replaced_by_the_house_bot_and_keeps_its_worker(
    make_pool: MakePool, bot: str
) -> None:
    pool = make_pool()
    assert await choose(pool, "slow") == "take 3"
    before = pids(pool)
    assert await choose(pool, bot) == "take 3"
    assert pids(pool) == before


async def test_where_the_house_bot_fails_too_any_legal_move_is_made(make_pool: MakePool) -> None:
    pool = make_pool()
    game = BadHouse("thinking", STICKS)
    results = {await choose(pool, "cheating", game) for _ in range(40)}
    assert results == {"take 1", "take 2", "take 3"}


async def test_an_answer_that_nobody_waits_for_is_not_taken_for_another(
    make_pool: MakePool, caplog: pytest.LogCaptureFixture
) -> None:
    pool = make_pool(2)  # so that a thread is there to put the next question to the same worker
    asked = asyncio.create_task(choose(pool, "late", budget=1000))
    await until(lambda: bool(pids(pool)))
    asked.cancel()
    await asyncio.gather(asked, return_exceptions=True)
    assert await asyncio.gather(*(choose(pool, "slow") for _ in range(3))) == ["take 3"] * 3
    assert not caplog.records


async def test_a_pool_that_is_closed_leaves_no_process_behind_and_can_start_again(make_pool: MakePool) -> None:
    pool = make_pool(2)
    processes = [psutil.Process(pid) for pid in await both_started(pool)]
    thinking = asyncio.create_task(choose(pool, "hanging"))
    await asyncio.sleep(0)
    thinking.cancel()
    pool.close()
    assert psutil.wait_procs(processes, timeout=PATIENCE)[1] == []
    assert await choose(pool, "slow") == "take 3"


def test_a_seat_that_can_do_nothing_is_a_failure_of_the_rules(
    make_pool: MakePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(core.Match, "legal_moves", lambda match, seat: [])
    with pytest.raises(RulesFailed, match="no moves"):
        asyncio.run(choose(make_pool(), "house"))


# -- what a bot is sent


async def test_a_text_that_was_written_after_the_workers_started_plays(make_pool: MakePool) -> None:
    pool = make_pool()
    assert await choose(pool, "slow") == "take 3"
    before = pids(pool)
    written = read("written just now", "sticks 20\ntake 4 5")
    assert await choose(pool, "house", written) == "take 5"
    assert pids(pool) == before


@pytest.mark.parametrize("budget", [1, 2])
async def test_a_budget_in_rollouts_reaches_the_bot(make_pool: MakePool, budget: int) -> None:
    assert await choose(make_pool(), "budget", budget=budget) == f"take {budget}"


async def test_a_bot_that_would_search_for_ever_is_asked_to_decide(make_pool: MakePool) -> None:
    assert await choose(make_pool(thinking_time=30.0), "patient") == "take 2"


@pytest.mark.parametrize("name", ["easy", "medium", "strong"])
async def test_the_levels_think_about_any_text_in_the_pool(name: str, make_pool: MakePool) -> None:
    """Who takes the last of three sticks loses: two are to be taken. The house bot would take all."""
    three = read("three", "sticks 3\ntake 1 2 3\nlast loses")
    assert await choose(make_pool(thinking_time=30.0), name, three, budget=1000) == "take 2"


@pytest.mark.parametrize("name", GAME_NAMES)
@pytest.mark.parametrize("needs", ["observation", "determinizations"])
async def test_what_is_sent_to_a_worker_depends_on_what_the_seat_knows_alone(
    name: str, needs: str, make_pool: MakePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Positions that look alike to the seat are sent alike, so the true one is not in what is sent."""
    game = catalogue.find(name)
    sent: list[Information] = []

    async def keep(child: Child, message: bytes, cpu: float) -> JobResult:
        *_, info = pickle.loads(message)
        sent.append(info)
        return JobResult(str(info.legal_moves[0]).encode(), 0.0)

    monkeypatch.setattr(Child, "ask_async", keep)
    monkeypatch.setattr("cardsite.server.match_copy.secrets.token_bytes", bytes)
    for bot in game.bots:
        monkeypatch.setattr(bot, "needs", needs)
    match = core.Match.start(game, game.default_seats, {}, SealedChance(bytes(32)))
    state = match.state
    chance = FastChance("twins")
    pool = make_pool()
    for _ in range(12):
        if state.over:
            break
        seat = state.to_act()[0]
        legal = state.legal_moves(seat)
        if len(legal) > 1:
            for position in (state, state.determinize(seat, chance), state.determinize(seat, chance)):
                copy = MatchCopy(replace(match, state=position), 0.0)

                async def look(bot: str, copy: MatchCopy = copy, seat: int = seat) -> Question:
                    return copy.question(seat, bot, 7)

                await pool.choose(name, (game.house_bot,), look)
        state.apply(seat, chance.choice(legal))
    assert sent
    for true, *twins in zip(sent[::3], sent[1::3], sent[2::3], strict=True):
        for twin in twins:
            assert (twin.observation, twin.legal_moves, twin.budget) == (true.observation, true.legal_moves, 7)
            assert (twin._sample is None) == (true._sample is None) == (needs == "observation")
            if true._sample and twin._sample:
                for seat in range(game.default_seats):
                    assert twin._sample.observe(seat) == true._sample.observe(seat)
