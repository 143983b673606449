"""The referee when rules fail or return nonsense: the copy is evicted, and what is stored is consistent.

One process without pages and sockets: the rules are a text (``tests/games/text_game.py``) whose state is tampered with.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import IntegrityError, InterfaceError, OperationalError

from cardsite.database import in_thread
from cardsite.lobby.models import Seat, Table
from cardsite.people.models import Person
from cardsite.refusal import Refused
from cardsite.server import live as live_module
from cardsite.server import transport
from cardsite.server.events import Events, MovePlayed
from cardsite.server.live import LiveMatch
from cardsite.server.referee import Referee
from cardsite.server.server import MatchServer
from cardsite.table.concession import SENTENCES
from cardsite.table.dropped import WORDS, Dropped
from cardsite.table.models import DropReason, Match, Move, Player
from cardsite.table.moves import PlyTaken, moves_after
from cardsite.table.services.matches import do_drop_match, do_end_match, do_start_match
from games.core import IllegalMove, RulesFailed
from tests.games.text_game import Observation, SticksState
from tests.site.conftest import Texts
from tests.site.copies import load, rules_of
from tests.site.listener import Listener, SignallingReferee, two_at_sticks

pytestmark = pytest.mark.django_db(transaction=True)
CODE = "abcdefghjk"
Tamper = Callable[[str, Callable[..., Any]], None]


@pytest.fixture
def match(texts: Texts) -> int:
    """A match of two people that has begun: nine sticks."""
    return two_at_sticks(texts, CODE, 9)


@pytest.fixture
async def match_server(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[MatchServer]:
    """A match server of this test's own, opened."""
    opened = MatchServer()
    monkeypatch.setattr(transport, "match_server", opened)
    opened.open()
    yield opened
    await opened.close()


@pytest.fixture
def tamper(monkeypatch: pytest.MonkeyPatch) -> Tamper:
    """A function that puts another one in the place of a method of the rules; it gets the true one first."""

    def put(method: str, other: Callable[..., Any]) -> None:
        true = getattr(SticksState, method)
        monkeypatch.setattr(SticksState, method, lambda *given, **named: other(true, *given, **named))

    return put


async def mover(referee: Referee, match: int) -> int:
    """Return the seat that is to act."""
    return next(iter((await referee.live(match)).since))


async def move(referee: Referee, match: int, text: str = "take 1") -> None:
    """Make a move for the player whose turn it is."""
    seat = await mover(referee, match)
    await referee.do_move(match, seat, (await referee.live(match)).decisions[seat], text)


# -- half-way


async def test_a_rule_that_raises_half_way_leaves_no_invalid_copy(match: int, tamper: Tamper) -> None:
    referee = Referee(Events())
    await move(referee, match)
    broken = rules_of(await referee.live(match))

    def half(true: Any, state: SticksState, seat: int, text: str) -> None:
        state.sticks -= 5
        raise ZeroDivisionError

    tamper("apply", half)
    with pytest.raises(Dropped, match="rules of this game failed"):
        await move(referee, match)
    assert broken.state.sticks == 3  # type: ignore[attr-defined]
    assert match not in referee.lives
    assert await Move.objects.filter(match=match).acount() == 1
    with pytest.raises(Dropped, match="rules of this game failed"):
        await referee.live(match)


async def test_a_task_that_waits_for_a_copy_does_not_get_it_once_it_is_invalid(match: int, tamper: Tamper) -> None:
    referee = SignallingReferee()
    live = await referee.live(match)
    await live.lock.acquire()
    waiting = asyncio.create_task(look(referee, match))
    await referee.asked.wait()
    referee.evict(match)
    rules_of(live).state.sticks = 1  # type: ignore[attr-defined]
    live.lock.release()
    assert await waiting == 9


async def look(referee: Referee, match: int) -> int:
    """Return how many sticks there are in the copy that one holds."""
    async with referee.held(match) as live:
        return rules_of(live).state.sticks  # type: ignore[attr-defined, no-any-return]


async def test_a_refusal_by_the_rules_changes_nothing_and_keeps_the_copy(match: int) -> None:
    referee = Referee(Events())
    live = await referee.live(match)
    with pytest.raises(Refused, match="Take 1, 2, 3 sticks"):
        await move(referee, match, "take 9")
    assert referee.lives[match] is live
    await move(referee, match)


async def test_rules_that_refuse_their_own_legal_move_have_broken_down(match: int, tamper: Tamper) -> None:
    def unsure(true: Any, state: SticksState, seat: int, text: str) -> None:
        state.sticks -= 5
        raise IllegalMove("Not that one after all.")

    tamper("apply", unsure)
    referee = Referee(Events())
    with pytest.raises(Dropped) as caught:
        await move(referee, match)
    assert caught.value.code == "rules_failed"
    assert match not in referee.lives


async def test_a_fault_of_our_own_drops_no_match_but_forgets_the_copy(
    match: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    referee = Referee(Events())
    await referee.live(match)

    async def broken(*_: Any) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(referee._ledger, "append", broken)
    with pytest.raises(OSError, match="full"):
        await move(referee, match)
    assert match not in referee.lives
    monkeypatch.undo()
    assert (await Match.objects.aget(pk=match)).status == "running"


# -- a commit that fails


class Slow:
    """Stands where the ledger appends: moves wait there until ``opened``, and then fail, unless there is no error."""

    def __init__(self, append: Callable[..., Awaitable[None]], error: Exception | None) -> None:
        self._append = append
        self.error = error
        self.reached, self.opened = asyncio.Event(), asyncio.Event()

    async def __call__(self, *given: Any) -> None:
        self.reached.set()
        await self.opened.wait()
        if self.error:
            raise self.error
        await self._append(*given)


COMMITS_FAIL = [
    OperationalError("the disk is full"),
    InterfaceError("no connection"),
    IntegrityError("of something else"),
    OSError("no memory"),
    RuntimeError("a fault of our own"),
]


@pytest.mark.parametrize("error", COMMITS_FAIL, ids=lambda error: type(error).__name__)
async def test_a_copy_whose_move_was_not_stored_is_not_kept(
    match: int, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    referee = Referee(Events())
    await move(referee, match)
    slow = Slow(referee._ledger.append, error)
    slow.opened.set()
    monkeypatch.setattr(referee._ledger, "append", slow)
    with pytest.raises(type(error)) as failed:
        await move(referee, match)
    assert failed.value is error
    slow.error = None
    assert (await referee.live(match)).version == 1
    await move(referee, match, "take 2")
    assert [row.text async for row in Move.objects.filter(match=match)] == ["take 1", "take 2"]


@pytest.mark.parametrize("stored", [False, True])
async def test_a_copy_whose_mover_was_cancelled_is_what_the_database_says(
    match: int, monkeypatch: pytest.MonkeyPatch, stored: bool
) -> None:
    """Nobody knows then whether the move has been stored."""
    referee = Referee(Events())
    seat = await mover(referee, match)
    slow = Slow(referee._ledger.append, None)
    monkeypatch.setattr(referee._ledger, "append", slow)
    moving = asyncio.create_task(move(referee, match))
    await slow.reached.wait()
    moving.cancel()
    await asyncio.gather(moving, return_exceptions=True)
    assert match not in referee.lives
    if stored:
        await Move.objects.acreate(match_id=match, ply=1, seat=seat, text="take 1", by="person", at=0)
    assert (await referee.live(match)).version == int(stored)


async def test_a_move_that_waits_behind_one_that_is_not_stored_is_judged_by_what_is(
    match: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would be the second move of the match, and the first was never made."""
    referee = SignallingReferee()
    seat = await mover(referee, match)
    slow = Slow(referee._ledger.append, OperationalError("the disk is full"))
    monkeypatch.setattr(referee._ledger, "append", slow)
    first = asyncio.create_task(referee.do_move(match, seat, 0, "take 1"))
    await slow.reached.wait()
    referee.asked.clear()
    second = asyncio.create_task(referee.do_move(match, 1 - seat, 0, "take 2"))
    await referee.asked.wait()
    slow.opened.set()
    with pytest.raises(OperationalError, match="the disk is full"):
        await first
    slow.error = None
    with pytest.raises(Refused, match="not your turn"):
        await second
    assert not await Move.objects.filter(match=match).aexists()
    await move(referee, match, "take 3")
    assert [(row.ply, row.seat) async for row in Move.objects.filter(match=match)] == [(1, seat)]


async def test_a_copy_that_cannot_follow_another_process_to_the_end_is_not_kept(
    match: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    versions: list[int] = []

    def fails_once(event: MovePlayed) -> None:
        versions.append(event.live.version)
        if len(versions) == 1:
            raise OSError("no memory")

    events = Events()
    events.subscribe(MovePlayed, fails_once)
    one, other = Referee(Events()), Referee(events)
    await other.live(match)
    for _ in range(3):
        await move(one, match)
    with pytest.raises(OSError, match="memory"):
        await other.catch_up(match, 3)
    assert other.lives == {}
    assert (await other.live(match)).version == 3


# -- nonsense


NONSENSE: list[tuple[str, Callable[..., Any]]] = [
    ("scores", lambda true, state: [1.0]),
    ("scores", lambda true, state: [float("nan"), 0.0]),
    ("scores", lambda true, state: None),
    ("scores", lambda true, state: ["a", "b"]),
    ("winners", lambda true, state: [7]),
    ("to_act", lambda true, state: (5,) if state.sticks < 7 else true(state)),
    ("to_act", lambda true, state: None if state.sticks < 7 else true(state)),
    ("to_act", lambda true, state: (-1,) if state.sticks < 7 else true(state)),
    ("legal_moves", lambda true, state, seat: 7 if state.sticks < 7 else true(state, seat)),
    ("why_not", lambda true, state, seat, text: 1 / 0),
]


async def play_on(referee: Referee, match: int, bad: str = "") -> None:
    """Make moves until the match is over, each after one that is ``bad``."""
    while not (await referee.live(match)).over:
        if bad:
            await move(referee, match, bad)
        await move(referee, match)


@pytest.mark.parametrize(("method", "other"), NONSENSE)
async def test_nonsense_from_the_rules_is_their_failure(
    match: int, tamper: Tamper, method: str, other: Callable[..., Any]
) -> None:
    tamper(method, other)
    referee = Referee(Events())
    with pytest.raises(Dropped) as caught:
        await play_on(referee, match, bad="take 7" if method == "why_not" else "")
    assert caught.value.code == "rules_failed"
    stored = await Match.objects.aget(pk=match)
    assert stored.status == "dropped"
    assert stored.failure
    assert not [player async for player in Player.objects.filter(match=match) if player.score is not None]


async def test_a_view_that_cannot_be_sent_is_the_failure_of_the_rules(
    match_server: MatchServer, match: int, tamper: Tamper
) -> None:
    def odd(true: Any, state: SticksState, seat: int | None, *, face_up: bool = False) -> Observation:
        if state.sticks < 9:
            state.add_entry("info", {"text": "A thing.", "args": {"thing": object()}})  # type: ignore[dict-item]
        seen: Observation = true(state, seat, face_up=face_up)
        return seen

    tamper("observe", odd)
    listener = Listener(match_server, CODE)
    await listener.hello()
    with pytest.raises(Dropped) as caught:
        await play_on(match_server.referee, match)
    assert caught.value.code == "rules_failed"
    await listener.until(lambda: listener.table["dropped"] == "rules_failed")


# -- one audience


async def test_rules_that_cannot_draw_for_one_audience_drop_the_match_before_anybody_learns_of_the_move(
    match_server: MatchServer, match: int, tamper: Tamper
) -> None:
    """A player's view is rendered first, a spectator's fails: neither gets the ply, both see the match dropped."""

    def shy(true: Any, state: SticksState, seat: int | None, *, face_up: bool = False) -> Any:
        if seat is None and state.sticks < 9:
            raise KeyError("a card that nobody may know")
        return true(state, seat, face_up=face_up)

    tamper("observe", shy)
    people = [person async for person in Person.objects.order_by("pk")]
    listeners = [
        Listener(match_server, CODE, people[0]),
        Listener(match_server, CODE, people[1]),
        Listener(match_server, CODE),
    ]
    for listener in listeners:
        await listener.hello()
    with pytest.raises(Dropped, match="rules of this game failed"):
        await move(match_server.referee, match)
    for listener in listeners:
        await listener.until(lambda listener=listener: listener.table["dropped"] == "rules_failed")  # type: ignore[misc]
        assert "change" not in [message["t"] for message in listener.received]
        assert "nobody may know" not in json.dumps(listener.received)
    assert "nobody may know" in (await Match.objects.aget(pk=match)).failure


async def test_a_copy_that_cannot_be_broadcast_is_evicted(match: int) -> None:
    def mute(event: MovePlayed) -> None:
        raise RulesFailed("KeyError", "what")

    events = Events()
    events.subscribe(MovePlayed, mute)
    referee = Referee(events)
    with pytest.raises(Dropped) as caught:
        await move(referee, match)
    assert caught.value.code == "rules_failed"
    assert referee.lives == {}


async def test_rules_that_cannot_draw_for_a_newcomer_drop_the_match_at_hello(
    match_server: MatchServer, match: int, tamper: Tamper
) -> None:
    people = [person async for person in Person.objects.order_by("pk")]
    player = Listener(match_server, CODE, people[0])
    await player.hello()

    def shy(true: Any, state: SticksState, seat: int | None, *, face_up: bool = False) -> Any:
        if seat is None:
            raise RecursionError
        return true(state, seat, face_up=face_up)

    tamper("observe", shy)
    spectator = Listener(match_server, CODE)
    await spectator.hello()
    await spectator.until(lambda: bool(spectator.received))
    assert [m["t"] for m in spectator.received if m["t"] in ("snapshot", "refused")] == []
    for listener in (player, spectator):
        await listener.until(lambda listener=listener: listener.table["dropped"] == "rules_failed")  # type: ignore[misc]
    assert spectator.table["notice"] == WORDS[DropReason.RULES_FAILED]


# -- two processes


async def test_a_match_dropped_by_one_process_is_not_continued_by_the_other(match: int) -> None:
    one, other = Referee(Events()), Referee(Events())
    for _ in range(4):
        await move(one, match, "take 2")
    await other.live(match)
    await in_thread(do_drop_match)(match, Dropped(DropReason.RULES_FAILED, "found elsewhere"))
    with pytest.raises(Dropped, match="rules of this game failed"):
        await move(other, match, "take 1")  # the last stick
    stored = await Match.objects.aget(pk=match)
    assert (stored.status, stored.failure) == ("dropped", "found elsewhere")
    assert await Move.objects.filter(match=match).acount() == 4
    assert not await Seat.objects.filter(wins__gt=0).aexists()


async def test_a_move_of_another_process_that_our_rules_refuse_drops_the_match(match: int) -> None:
    referee = Referee(Events())
    seat = await mover(referee, match)
    await Move.objects.acreate(match_id=match, ply=1, seat=seat, text="take 77", by="person", at=0)
    with pytest.raises(Dropped, match="rules of this game failed"):
        await referee.catch_up(match, 1)
    assert match not in referee.lives
    assert "take 77" in (await Match.objects.aget(pk=match)).failure


def test_a_match_that_is_dropped_cannot_end_and_one_that_ended_is_not_dropped(match: int) -> None:
    failed = Dropped(DropReason.RULES_FAILED, "first \0 \ud800")
    do_drop_match(match, failed)
    do_drop_match(match, Dropped(DropReason.NO_END, "second"))
    row = Match.objects.get(pk=match)
    assert (row.status, row.dropped, row.failure) == ("dropped", "rules_failed", "first \\0 \\ud800")
    with pytest.raises(PlyTaken, match=f"match {match} has ended"):
        do_end_match(match, row.table_id, [1.0, 0.0], [0])
    assert Player.objects.filter(score=None).count() == 2

    table = Table.objects.get()
    second = do_start_match(CODE, None)
    do_end_match(second, table.pk, [1.0, 0.0], [0])
    do_drop_match(second, failed)
    row = Match.objects.get(pk=second)
    assert (row.status, row.dropped, bool(row.failure)) == ("over", "", True)
    assert [player.share for player in Player.objects.filter(match=second)] == [1, 0]


def test_an_end_is_written_once_and_another_one_later_is_ignored(match: int) -> None:
    table = Table.objects.get()
    do_end_match(match, table.pk, [1.0, 0.0], [0])
    finished = Match.objects.get(pk=match).finished
    with pytest.raises(PlyTaken, match=f"match {match} has ended"):
        do_end_match(match, table.pk, [0.0, 1.0], [1])
    assert Match.objects.get(pk=match).finished == finished
    assert [(one.score, one.share) for one in Player.objects.order_by("seat")] == [(1, 1), (0, 0)]
    assert [seat.wins for seat in Seat.objects.order_by("index")] == [1, 0]


async def test_two_processes_that_make_the_last_move_end_the_match_once(match: int) -> None:
    one, other = Referee(Events()), Referee(Events())
    for _ in range(4):
        await move(one, match, "take 2")
    seat = await mover(other, match)
    await one.do_move(match, seat, 2, "take 1")
    assert not other.lives[match].over  # it was not notified of that
    late = await other.do_move(match, seat, 2, "take 1")
    assert (late.version, late.again) == (5, True)
    assert other.lives[match].over
    assert await Move.objects.filter(match=match).acount() == 5
    assert sum([seat.wins async for seat in Seat.objects.all()]) == 1


def test_a_match_that_was_dropped_before_reasons_were_kept_says_at_least_that(match: int) -> None:
    Match.objects.filter(pk=match).update(status="dropped")
    with pytest.raises(Dropped) as caught:
        load(match)
    assert (caught.value.code, caught.value.text) == ("dropped", "This match could not continue and was abandoned.")


async def test_hello_is_answered_where_a_match_cannot_be_shown_for_no_known_reason(
    match_server: MatchServer, match: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match that is over, and cannot be loaded for a reason that the database does not have."""
    await in_thread(do_end_match)(match, (await Table.objects.aget()).pk, [1.0, 0.0], [0])

    async def refuse(match_id: int) -> None:
        raise Dropped(DropReason.NO_END)

    monkeypatch.setattr(match_server.referee, "live", refuse)
    listener = Listener(match_server, CODE)
    async with asyncio.timeout(30):
        await listener.hello()
    await listener.until(lambda: "welcome" in [message["t"] for message in listener.received])


def test_dropped_is_a_refusal_for_each_reason_there_is() -> None:
    for why in set(DropReason) - set(SENTENCES):  # those give a result
        assert SimpleNamespace(**vars(Dropped(why))).code == why.value
        assert WORDS[why].endswith(".")


# -- loading


async def test_a_match_that_many_wait_for_is_loaded_once(match: int, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []

    def counted(match_id: int, **how: Any) -> live_module.StoredMatch:
        read.append(match_id)
        return true(match_id, **how)

    true = live_module.read
    monkeypatch.setattr(live_module, "read", counted)
    referee = Referee(Events())
    copies = await asyncio.gather(*(referee.live(match) for _ in range(5)))
    assert read == [match]
    assert all(copy is copies[0] for copy in copies)


async def test_a_match_that_could_not_be_loaded_is_loaded_again_by_the_next_request(
    match: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    true, fail = live_module.read, [OperationalError("gone")]

    def failing(match_id: int, **how: Any) -> live_module.StoredMatch:
        if fail:
            raise fail.pop()
        return true(match_id, **how)

    monkeypatch.setattr(live_module, "read", failing)
    referee = Referee(Events())
    first, second = await asyncio.gather(referee.live(match), referee.live(match), return_exceptions=True)
    assert isinstance(first, OperationalError)
    assert isinstance(second, LiveMatch)


async def test_spectators_of_a_match_that_could_not_be_read_get_all_of_it_afterwards(
    match: int, match_server: MatchServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    listener = Listener(match_server, CODE)
    await listener.hello()
    failing = Failing(OperationalError("gone"), moves_after)
    monkeypatch.setattr("cardsite.server.referee.moves_after", failing)
    await move(Referee(Events()), match)  # at another process
    await match_server.cluster.catch_up(match, 1)
    await listener.until(lambda: listener.version == 1)
    assert failing.failed
    await move(Referee(Events()), match)
    await match_server.cluster.catch_up(match, 2)
    await listener.settle()
    assert listener.version == 2


async def test_a_move_that_is_stored_although_its_commit_failed_is_shown_to_everybody(
    match: int, match_server: MatchServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    listener = Listener(match_server, CODE)
    await listener.hello()
    append = match_server.referee._ledger.append

    async def stored_and_lost(*args: Any) -> None:
        await append(*args)
        raise OperationalError("the connection was lost while it committed")

    monkeypatch.setattr(match_server.referee._ledger, "append", stored_and_lost)
    with pytest.raises(OperationalError):
        await move(match_server.referee, match)
    await listener.until(lambda: listener.version == 1)


class Failing:
    """Wraps a function whose first call fails."""

    def __init__(self, error: Exception, function: Callable[..., Any]) -> None:
        self.failed = False
        self._error, self._function = error, function

    def __call__(self, *arguments: Any) -> Any:
        if not self.failed:
            self.failed = True
            raise self._error
        return self._function(*arguments)
