"""Replays are computed few at once, the same one once for all who wait, and guests leave a place to others."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import pytest
from django.db import connection

from cardsite.people.models import Person
from cardsite.refusal import Refused
from cardsite.table import replay_queue
from cardsite.table.replay_queue import AT_ONCE, BY_GUESTS, WAITING, ReplayQueue
from tests.patience import wait_for


class Desk:
    """A queue, requests to it in threads, and work that goes on until it is let go."""

    def __init__(self, threads: ThreadPoolExecutor) -> None:
        self.queue = ReplayQueue()
        self.threads = threads
        self.begun: list[object] = []
        self.go_on = threading.Event()

    def ask(self, key: object, *, guest: bool = True) -> Future[object]:
        """Ask for a replay in a thread, as a request does."""

        def work() -> object:
            self.begun.append(key)
            self.go_on.wait()
            return key

        return self.threads.submit(self.queue.do, key, work, guest=guest)

    def asking(self) -> int:
        """How many requests there are that have no answer."""
        return sum(self.queue._asking.values())


@pytest.fixture
def desk() -> Iterator[Desk]:
    with ThreadPoolExecutor(100) as threads:
        desk = Desk(threads)
        yield desk
        desk.go_on.set()


def test_the_same_replay_is_computed_once_for_all_who_ask_meanwhile(desk: Desk) -> None:
    asked = [desk.ask("one") for _ in range(WAITING)]
    wait_for(lambda: desk.asking() == WAITING, "the requests")
    desk.go_on.set()
    assert [each.result() for each in asked] == ["one"] * WAITING
    assert desk.begun == ["one"]
    assert desk.ask("one").result() == "one"  # later ones are not told of what was then
    assert desk.begun == ["one", "one"]
    assert desk.queue._under_way == {}


def test_guests_leave_a_place_to_people_with_accounts(desk: Desk) -> None:
    guests = [desk.ask(f"guest {number}") for number in range(AT_ONCE + 3)]
    wait_for(lambda: desk.asking() == len(guests) and bool(desk.begun), "the guests")
    people = [desk.ask(f"account {number}", guest=False) for number in range(AT_ONCE)]
    wait_for(lambda: len(desk.begun) == AT_ONCE and desk.asking() == len(guests) + len(people), "a place")
    assert [str(key).split()[0] for key in desk.begun] == ["guest"] * BY_GUESTS + ["account"] * (AT_ONCE - BY_GUESTS)
    desk.go_on.set()
    assert len({each.result() for each in [*guests, *people]}) == len(guests) + len(people)


def test_an_account_does_not_wait_for_a_guest_who_asks_for_the_same(desk: Desk) -> None:
    guests = [desk.ask(number) for number in range(3)]
    wait_for(lambda: desk.asking() == 3 and len(desk.begun) == 1, "the guests")
    waiting = next(number for number in range(3) if number not in desk.begun)
    account = desk.ask(waiting, guest=False)
    wait_for(lambda: waiting in desk.begun, "a place")
    desk.go_on.set()
    assert account.result() == waiting
    assert [each.result() for each in guests] == [0, 1, 2]


def test_when_too_many_wait_one_more_is_told_so_at_once(desk: Desk) -> None:
    asked = [desk.ask(number) for number in range(WAITING)]
    wait_for(lambda: desk.asking() == WAITING, "the requests")
    with pytest.raises(Refused, match="Many people are asking for replays") as refused:
        desk.ask("one more").result()
    assert (refused.value.code, refused.value.status) == ("busy", 503)
    account = desk.ask("an account", guest=False)
    desk.go_on.set()
    assert account.result() == "an account"
    assert [each.result() for each in asked] == list(range(WAITING))
    assert desk.ask("one more").result() == "one more"


def test_who_has_waited_long_for_a_place_is_told_to_come_back(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay_queue, "PATIENCE", 0.01)
    first = desk.ask("first")
    wait_for(lambda: desk.begun == ["first"], "the first")
    for key in ("second", "first"):  # who waits for another's is told so, too
        with pytest.raises(Refused, match="Many people are asking for replays"):
            desk.ask(key).result()
    desk.go_on.set()
    assert first.result() == "first"
    assert desk.ask("second").result() == "second"


@pytest.mark.parametrize("error", [Refused("other_rules", "no"), RuntimeError("broken"), SystemExit()])
def test_what_fails_fails_for_all_who_waited_and_gives_its_place_back(error: BaseException) -> None:
    queue, asked = ReplayQueue(), threading.Event()

    def fail() -> None:
        asked.wait()
        raise error

    def do(work: Callable[[], object]) -> object:
        return queue.do("one", work, guest=True)

    with ThreadPoolExecutor(4) as threads:
        found = [threads.submit(do, fail) for _ in range(4)]
        wait_for(lambda: queue._asking[True] == 4, "the requests")
        asked.set()
        for each in found:
            assert each.exception() is error
    for _ in range(AT_ONCE + 1):
        assert do(lambda: "well") == "well"


def test_a_request_that_waits_holds_no_connection_to_the_database(transactional_db: None) -> None:
    def ask() -> tuple[bool, bool]:
        Person.objects.count()
        before = connection.connection is not None
        return before, ReplayQueue().do("one", lambda: connection.connection is not None, guest=True)

    with ThreadPoolExecutor(1) as threads:
        assert threads.submit(ask).result() == (True, False)
