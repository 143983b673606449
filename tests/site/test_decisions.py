"""Numbered decisions and clocks: which moves are acknowledged again or refused, and since when a table waits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest
from pytest_django.fixtures import Settings

from cardsite.database import in_thread
from cardsite.lobby.models import Seat
from cardsite.people.models import Person
from cardsite.refusal import Refused
from cardsite.server import live as live_module
from cardsite.server import referee as referee_module
from cardsite.server.bots import BotPool, Look
from cardsite.server.events import Events
from cardsite.server.live import LiveMatch, SeatDecider
from cardsite.server.referee import Referee
from cardsite.server.scheduler import Scheduler
from cardsite.table.models import Match, Move
from tests.patience import PATIENCE
from tests.site.conftest import Texts
from tests.site.copies import advance, load, rules_of
from tests.site.listener import two_at_sticks

pytestmark = pytest.mark.django_db(transaction=True)
CODE = "abcdefghjk"


@pytest.fixture
def match(texts: Texts) -> int:
    """A match of two people that has begun: twenty sticks."""
    return two_at_sticks(texts, CODE, 20)


async def test_a_decision_sent_again_is_acknowledged_with_its_own_ply(match: int) -> None:
    referee = Referee(Events())
    [first] = (await referee.live(match)).since
    stored_moves: dict[tuple[int, int], tuple[int, str]] = {}
    for ply in range(1, 7):
        seat, decision, text = (first + ply - 1) % 2, (ply - 1) // 2, f"take {1 + ply % 3}"
        stored = await referee.do_move(match, seat, decision, text)
        stored_moves[seat, decision] = (stored.version, text)
        assert (stored.version, stored.again) == (ply, False)
    for (seat, decision), (ply, text) in stored_moves.items():
        again = await referee.do_move(match, seat, decision, text)
        assert (again.version, again.again) == (ply, True)
        with pytest.raises(Refused) as caught:
            await referee.do_move(match, seat, decision, "take 1" if text != "take 1" else "take 2")
        assert caught.value.code == "stale"
    assert await Move.objects.filter(match=match).acount() == 6


@pytest.mark.parametrize(
    ("by", "code"), [("person", "stale"), ("bot", "stale"), ("clock", "too_late"), ("away", "too_late")]
)
async def test_another_move_for_a_stored_decision_is_refused_with_the_reason(match: int, by: str, code: str) -> None:
    referee = Referee(Events())
    [seat] = (await referee.live(match)).since
    await referee.do_move(match, seat, 0, "take 1", by)
    with pytest.raises(Refused) as caught:
        await referee.do_move(match, seat, 0, "take 2")
    assert caught.value.code == code


def test_a_decision_that_is_not_stored_has_no_ply(match: int) -> None:
    live = load(match)
    with pytest.raises(LookupError, match="Seat 0 has not made decision 0"):
        live.decision_of(0, 0)


def test_only_people_who_are_not_away_have_a_deadline(match: int) -> None:
    live = load(match)
    for person, away, has_deadline in ((7, False, True), (7, True, False), (0, False, False), (0, True, False)):
        live.occupants = [SeatDecider(person, "house", away)] * 2
        assert bool(live.deadlines()) is has_deadline


def test_the_time_of_a_player_counts_from_the_move_before(match: int, monkeypatch: pytest.MonkeyPatch) -> None:
    live = load(match)
    [seat] = live.since
    advance(live, seat, "take 1", "person", 5_000)
    assert live.since == {1 - seat: 5_000}
    # If several are to act at once, the time of each counts from the beginning of their own turn.
    monkeypatch.setattr(type(rules_of(live)), "to_act", lambda match: (0, 1))
    advance(live, 1 - seat, "take 1", "person", 9_000)
    assert live.since == {seat: 9_000, 1 - seat: 9_000}
    advance(live, seat, "take 1", "person", 12_000)
    assert live.since == {seat: 12_000, 1 - seat: 9_000}


async def test_no_clock_runs_while_reveals_are_shown(
    match: int, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = await in_thread(load)(match)
    [seat] = live.since
    monkeypatch.setattr(type(rules_of(live)), "hold", 700)  # milliseconds
    settings.REVEAL_PACE = 2.0
    advance(live, seat, "take 1", "person", 5_000)
    assert live.since == {1 - seat: 6_400}
    settings.REVEAL_PACE = 0.0
    advance(live, 1 - seat, "take 1", "person", 9_000)
    assert live.since == {seat: 9_000}


async def test_clock_compensation_reaches_a_loaded_copy_and_is_sent_once(match: int) -> None:
    referee = Referee(Events())
    before = dict((await referee.live(match)).since)
    assert await referee.resync_clocks(match) is False  # there is no compensation yet
    await in_thread(Match.objects.filter(pk=match).update)(compensation_ply=0, compensation_ms=30_000)
    assert await referee.resync_clocks(match) is True
    live = await referee.live(match)
    assert live.since == {seat: at + 30_000 for seat, at in before.items()}
    assert await referee.resync_clocks(match) is False  # it has been sent


async def test_a_bot_does_not_wait_because_of_clock_compensation(match: int) -> None:
    """If the clocks of two processes differ, the compensation may exceed the time that has passed: a bot would wait."""
    started = (await in_thread(load)(match)).since
    await in_thread(Match.objects.filter(pk=match).update)(compensation_ply=0, compensation_ms=30_000)
    [seat] = started
    for person, away in ((False, False), (True, True), (True, False)):
        await in_thread(seat_at)(match, seat, person=person, away=away)
        [since] = (await in_thread(load)(match)).since.values()
        if person and not away:
            assert since == started[seat] + 30_000
        else:
            assert started[seat] <= since <= live_module.now_ms()


def seat_at(match: int, seat: int, *, person: bool, away: bool) -> None:
    """Put a person or a bot into a seat."""
    player = Person.objects.get_or_create(name="Pepper")[0] if person else None
    Seat.objects.filter(table__matches=match, index=seat).update(
        person=player, bot="" if person else "house", away=away
    )


async def test_compensation_never_shortens_the_time_of_a_player_who_has_come_back(match: int) -> None:
    referee = Referee(Events())
    live = await referee.live(match)
    late = live_module.now_ms() + 1_000_000
    live.since = dict.fromkeys(live.since, late)
    await in_thread(Match.objects.filter(pk=match).update)(compensation_ply=0, compensation_ms=30_000)
    assert await referee.resync_clocks(match) is False
    assert set(live.since.values()) == {late}


async def test_a_copy_that_is_behind_is_brought_up_to_date_before_its_clocks_are_set(match: int) -> None:
    one, other = Referee(Events()), Referee(Events())
    [seat] = (await other.live(match)).since
    await one.do_move(match, seat, 0, "take 1")
    at = (await Move.objects.aget(match=match)).at
    await in_thread(Match.objects.filter(pk=match).update)(compensation_ply=1, compensation_ms=30_000)
    assert await other.resync_clocks(match) is True
    live = await other.live(match)
    assert (live.version, live.since) == (1, {1 - seat: at + 30_000})


async def test_clocks_of_a_match_that_has_gone_on_meanwhile_are_left_alone(
    match: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Clock compensation that the database has stored for the decision before does not apply."""
    referee = Referee(Events())
    live = await referee.live(match)
    [seat] = live.since
    await in_thread(Match.objects.filter(pk=match).update)(compensation_ply=0, compensation_ms=30_000)

    async def overtaken(match_id: int) -> LiveMatch:
        read = await live_module.load(match_id)
        await referee.do_move(match, seat, 0, "take 1")
        return read

    monkeypatch.setattr(referee_module, "load", overtaken)
    assert await referee.resync_clocks(match) is False
    at = (await Move.objects.aget(match=match)).at
    assert live.since == {1 - seat: at}


class Thinking(BotPool):
    """Bots that take one stick, after something has happened while they think."""

    def __init__(self, happens: Callable[[], None]) -> None:
        super().__init__(1)
        self._happens = happens
        self.thought = False

    async def choose(
        self,
        game: str,
        bots: Iterable[str],
        look: Look,
        table: str = "",
        charge: Callable[[float], object] = lambda seconds: None,
    ) -> str | None:
        self.thought = True
        self._happens()
        return "take 1"


class Deciding(Scheduler):
    """A scheduler that sets ``decided`` once a bot has answered, whether its move was played or dropped."""

    def __init__(self, referee: Referee, pool: Thinking) -> None:
        super().__init__("this process", referee, Events(), pool, pool)
        self._thinking = pool
        self.decided = asyncio.Event()

    def consider(self, live: LiveMatch) -> None:
        super().consider(live)
        if self._thinking.thought:
            self.release(live.id)
            self.decided.set()


@pytest.mark.parametrize("back", [True, False])
async def test_a_bot_decides_for_a_player_who_is_away_but_not_if_they_come_back_while_it_thinks(
    match: int, back: bool
) -> None:
    referee = Referee(Events())
    live = await referee.live(match)
    present = live.occupants
    live.update_occupants([replace(occupant, away=True) for occupant in present])
    scheduler = Deciding(referee, Thinking(lambda: live.update_occupants(present) if back else None))
    await scheduler.run_match(match)
    async with asyncio.timeout(PATIENCE):
        await scheduler.decided.wait()
    assert [move.by async for move in Move.objects.filter(match=match)] == ([] if back else ["away"])
    await scheduler.close()
