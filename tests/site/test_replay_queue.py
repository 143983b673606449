"""The queue of replays: few at once, in turns, shared by equal requests, with a place of their own for guests."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import pytest
from django.db import connection

from cardsite import costs
from cardsite.limits import WORK
from cardsite.people.models import Person
from cardsite.refusal import Refused
from cardsite.table import replay_queue
from cardsite.table.replay_queue import EACH, THREADS, ReplayQueue
from tests.patience import wait_for

WAITING = WORK["replay"].waiting


class Requests:
    """A queue, and requests to it in threads, whose work ends when ``go_on`` is set."""

    def __init__(self, threads: ThreadPoolExecutor) -> None:
        self.queue = ReplayQueue()
        self.threads = threads
        self.begun: list[object] = []
        self.go_on = threading.Event()

    def ask(self, key: object, payer: str = "", *, guest: bool = True, cpu: float = 0.0) -> Future[object]:
        """Ask for a replay in a thread, as a request does, which costs so much. Return when it is in the queue."""

        def work() -> object:
            self.begun.append(key)
            self.go_on.wait()
            costs.add(cpu)
            return key

        def request() -> object:
            with costs.charged("replay", ()):
                return self.queue.do(key, work, payer or f"address {key}", guest=guest)

        joins = (key, guest) in self.queue._under_way  # it will wait for the result of another request
        count = self.asking if joins else self.in_turns
        before = count()
        result = self.threads.submit(request)
        wait_for(lambda: result.done() or count() > before, "the request")
        return result

    def asking(self) -> int:
        """How many requests there are."""
        return self.queue._asking

    def in_turns(self) -> int:
        """How many requests have a place, or wait for one."""
        return sum(sum(each._there.values()) for each in self.queue._queues.values())


@pytest.fixture
def requests() -> Iterator[Requests]:
    with ThreadPoolExecutor(THREADS + 10) as threads:
        made = Requests(threads)
        yield made
        made.go_on.set()


def test_the_same_replay_is_computed_once_for_all_who_ask_meanwhile(requests: Requests) -> None:
    asked = [requests.ask("one", f"address {number}") for number in range(30)]
    requests.go_on.set()
    assert [each.result() for each in asked] == ["one"] * 30
    assert requests.begun == ["one"]
    assert requests.ask("one").result() == "one"  # later ones are not sent what was then
    assert requests.begun == ["one", "one"]
    assert requests.queue._under_way == {}


def test_guests_and_accounts_have_a_place_each(requests: Requests) -> None:
    guests = [requests.ask(f"guest {number}") for number in range(3)]
    accounts = [requests.ask(f"account {number}", guest=False) for number in range(3)]
    wait_for(lambda: len(requests.begun) == 2, "both places")
    assert set(requests.begun) == {"guest 0", "account 0"}
    requests.go_on.set()
    assert len({each.result() for each in [*guests, *accounts]}) == 6


def test_an_account_does_not_wait_for_a_guest_who_asks_for_the_same(requests: Requests) -> None:
    guests = [requests.ask(number) for number in range(3)]
    account = requests.ask(2, guest=False)
    wait_for(lambda: requests.begun == [0, 2], "the account")
    requests.go_on.set()
    assert account.result() == 2
    assert [each.result() for each in guests] == [0, 1, 2]


def test_a_visitor_who_has_cost_much_lately_lets_others_go_first(requests: Requests) -> None:
    requests.go_on.set()
    for number in range(3):
        assert requests.ask(f"heavy {number}", "heavy", cpu=20.0).result()
    requests.go_on.clear()
    requests.begun.clear()
    asked = [requests.ask("under way")]
    wait_for(lambda: requests.begun == ["under way"], "the first")
    asked += [requests.ask(f"heavy again {number}", "heavy") for number in range(EACH)]
    asked += [requests.ask(f"light {number}") for number in range(3)]
    requests.go_on.set()
    for each in asked:
        each.result()
    assert requests.begun[1:4] == ["light 0", "light 1", "light 2"]


def test_one_address_waits_for_a_few_replays_and_leaves_room_for_others(requests: Requests) -> None:
    mine = [requests.ask(number, "mine") for number in range(EACH)]
    with pytest.raises(Refused, match="Many replays are being prepared"):
        requests.ask("one more", "mine").result()
    other = requests.ask("other", "elsewhere")
    requests.go_on.set()
    assert [each.result() for each in [*mine, other]] == [*range(EACH), "other"]


def test_when_too_many_wait_one_more_is_refused_at_once(requests: Requests) -> None:
    asked = [requests.ask(number) for number in range(1 + WAITING)]
    with pytest.raises(Refused, match="Many replays are being prepared") as refused:
        requests.ask("one more").result()
    assert (refused.value.code, refused.value.status) == ("busy", 503)
    account = requests.ask("an account", guest=False)
    asked += [requests.ask(0, "anybody") for _ in range(THREADS - len(asked) - 1)]
    with pytest.raises(Refused, match="Many replays are being prepared"):
        requests.ask(0, "anybody").result()  # for what is under way, too
    requests.go_on.set()
    assert account.result() == "an account"
    assert {each.result() for each in asked} == {*range(1 + WAITING)}
    assert requests.ask("one more").result() == "one more"


def test_a_visitor_who_has_waited_long_for_a_place_is_asked_to_come_back(
    requests: Requests, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay_queue, "PATIENCE", 0.01)
    first = requests.ask("first")
    wait_for(lambda: requests.begun == ["first"], "the first")
    for key in ("second", "first"):  # a visitor who waits for another's is answered so, too
        with pytest.raises(Refused, match="Many replays are being prepared"):
            requests.ask(key).result()
    requests.go_on.set()
    assert first.result() == "first"
    assert requests.ask("second").result() == "second"


@pytest.mark.parametrize("error", [Refused("other_rules", "no"), RuntimeError("broken"), SystemExit()])
def test_a_failure_is_passed_to_all_waiting_requests_and_frees_its_place(error: BaseException) -> None:
    queue, asked = ReplayQueue(), threading.Event()

    def fail() -> None:
        asked.wait()
        raise error

    def do(work: Callable[[], object]) -> object:
        return queue.do("one", work, "somewhere", guest=True)

    with ThreadPoolExecutor(4) as threads:
        results = [threads.submit(do, fail) for _ in range(4)]
        wait_for(lambda: queue._asking == 4, "the requests")
        asked.set()
        for each in results:
            assert each.exception() is error
    for _ in range(3):
        assert do(lambda: "well") == "well"


def test_a_request_that_waits_holds_no_connection_to_the_database(transactional_db: None) -> None:
    def ask() -> tuple[bool, bool]:
        Person.objects.count()
        before = connection.connection is not None
        return before, ReplayQueue().do("one", lambda: connection.connection is not None, "", guest=True)

    with ThreadPoolExecutor(1) as threads:
        assert threads.submit(ask).result() == (True, False)
