"""CPU time used by people, addresses and tables in about the last hour, by kind of work.

All work done for a person is booked here: pages through ``charged``, which measures the thread; child processes report
their CPU time. Time is booked to the people and addresses who asked and to the table. A booked second decays: after t
hours it counts e**-t. At a steady rate a sum therefore equals the CPU seconds of one hour, and no booking needs a time
stamp. ``limits.py`` says how much each may use.

Sums are kept in Redis, for all processes together; without Redis, or while it is unreachable, in this process's memory.
Addresses are kept for eight hours at most.

How sums decay without being rewritten: time is cut into periods, and a booking t seconds after the start of a period is
stored as seconds * e**(t / hour). All numbers of a period then decay alike and can be added and ranked as stored. A
read divides by e**(now / hour) and adds the last two periods.
"""

from __future__ import annotations

import heapq
import math
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Literal, get_args

import redis
import structlog
from django.conf import settings

from cardsite import metrics

CostKind = Literal["bot", "check", "lead", "move", "page", "replay", "report", "trial", "view"]
KINDS: tuple[CostKind, ...] = get_args(CostKind)

HOUR = 3600.0  # seconds in which a booked second decays to 1/e
PERIOD = 4 * 3600  # seconds; what is left after two of them is e**-4 of it, or less
MOST = 10_000  # numbers kept for each period: the smallest are dropped first
SEND_AFTER = 1.0  # seconds for which bookings are collected before they are sent to Redis together

Periods = dict[int, dict[str, float]]  # by the number of the period: scaled seconds by "kind subject"

log = structlog.get_logger(__name__)

for _kind in KINDS:
    metrics.costs.labels(_kind)  # created at once, so that kinds without costs read 0


def clock() -> float:
    """Return the time of day, in seconds: the same for all processes."""
    return time.time()


# -- booking


def book(kind: CostKind, payer: str | Sequence[str], table: str, seconds: float) -> None:
    """Book CPU seconds to people or addresses and to a table. Takes microseconds; may be called in the event loop.

    ``payer``: one or several names as in ``payers``, each charged the full amount; "" or () for nobody.
    ``table``: its code, "" for none.
    """
    if not seconds > 0:
        return
    metrics.costs.labels(kind).inc(seconds)
    subjects = [payer] if isinstance(payer, str) else [*payer]
    if table:
        subjects.append(f"table {table}")
    period, since = divmod(clock(), PERIOD)
    _store.add(int(period), [f"{kind} {subject}" for subject in subjects if subject], seconds * math.exp(since / HOUR))


class Charge:
    """Work in this thread whose CPU time is being measured."""

    def __init__(self) -> None:
        self._began = time.thread_time()
        self.children = 0.0  # CPU seconds of child processes that worked for it
        self.booked = 0.0  # CPU seconds of this thread that a nested charge has booked already

    @property
    def thread(self) -> float:
        """CPU seconds of this thread since it began."""
        return time.thread_time() - self._began

    @property
    def seconds(self) -> float:
        """CPU seconds to be booked, so far."""
        return self.thread - self.booked + self.children


_charge: ContextVar[Charge | None] = ContextVar("charge", default=None)


@contextmanager
def charged(kind: CostKind, payer: str | Sequence[str], table: str = "") -> Iterator[None]:
    """Book the CPU time of this thread inside the block, also when it raises, and the seconds passed to ``add``.

    Only for work that stays in its thread: not around an ``await``.
    """
    outer, charge = _charge.get(), Charge()
    token = _charge.set(charge)
    try:
        yield
    finally:
        _charge.reset(token)
        if outer:
            outer.booked += charge.thread
        book(kind, payer, table, charge.seconds)


def add(seconds: float) -> None:
    """Add the CPU seconds of a child process to the charge that is open in this thread, if there is one."""
    if charge := _charge.get():
        charge.children += seconds


def so_far() -> float:
    """Return the CPU seconds of the charge that is open in this thread; 0 where none is."""
    charge = _charge.get()
    return charge.seconds if charge else 0.0


def payers(person: int | None, address: str) -> tuple[str, ...]:
    """Return who is charged for a request: the person and the address, so that taking a new name gains nothing."""
    return (f"person {person}", address) if person else (address,)


# -- reading


def spent(payer: str) -> dict[CostKind, float]:
    """Return the CPU seconds of about the last hour that are booked to one of ``payers``, by kind."""
    numbers = _store.read([f"{kind} {payer}" for kind in KINDS])
    return {kind: seconds for kind, seconds in zip(KINDS, numbers, strict=True) if seconds}


def until(seconds: float, most: float) -> float:
    """Return after how many seconds a sum has decayed to ``most``, if nothing is added."""
    return HOUR * math.log(seconds / most)


def most_expensive(most: int) -> dict[str, dict[CostKind, float]]:
    """Return the people, addresses and tables with the highest costs in about the last hour: CPU seconds by kind.

    The highest sum is first. Keys are the names given to ``book``; a table is "table CODE".
    """
    sums: dict[str, float] = {}
    for entry, seconds in _store.greatest(most * len(KINDS)).items():
        subject = entry.partition(" ")[2]
        sums[subject] = sums.get(subject, 0.0) + seconds
    costs_of: dict[str, dict[CostKind, float]] = {
        subject: {} for subject in heapq.nlargest(most, sums, key=sums.__getitem__)
    }
    each = [(subject, kind) for subject in costs_of for kind in KINDS]
    for (subject, kind), seconds in zip(
        each, _store.read([f"{kind} {subject}" for subject, kind in each]), strict=True
    ):
        if seconds:
            costs_of[subject][kind] = seconds
    return dict(sorted(costs_of.items(), key=lambda one: -sum(one[1].values())))


# -- keeping


class Store:
    """Sums by period: all of them, or with Redis those that have not been sent there yet."""

    def __init__(self, url: str) -> None:
        self._lock = threading.Lock()
        self._periods: Periods = {}
        self._timer: threading.Timer | None = None
        self._reachable = True
        waiting = {"socket_timeout": 1, "socket_connect_timeout": 1}
        self._redis = redis.Redis.from_url(url, decode_responses=True, **waiting) if url else None

    def add(self, period: int, entries: Sequence[str], scaled: float) -> None:
        """Add to sums of a period, and schedule sending them to Redis."""
        with self._lock:
            self._add(period, dict.fromkeys(entries, scaled))
            if self._redis and self._timer is None:
                self._timer = threading.Timer(SEND_AFTER, self._send)
                self._timer.daemon = True
                self._timer.start()

    def _add(self, period: int, more: Mapping[str, float]) -> None:
        if period not in self._periods:
            self._periods = {old: self._periods[old] for old in self._periods if abs(old - period) <= 1}
            self._periods[period] = {}
        numbers = self._periods[period]
        for entry, scaled in more.items():
            numbers[entry] = numbers.get(entry, 0.0) + scaled
        if len(numbers) > 2 * MOST:
            self._periods[period] = dict(heapq.nlargest(MOST, numbers.items(), key=lambda number: number[1]))

    def read(self, entries: Sequence[str]) -> list[float]:
        """Return the present value of each of these sums."""
        totals = [0.0] * len(entries)
        for period, numbers, fading in self._last_two():
            with self._lock:
                here = [numbers.get(entry, 0.0) for entry in entries]
            shared = self._ask(lambda client, key: client.zmscore(key, [*entries]), period) or [None] * len(entries)
            for index, (number, score) in enumerate(zip(here, shared, strict=True)):
                totals[index] += fading * (number + (score or 0.0))
        return totals

    def greatest(self, most: int) -> dict[str, float]:
        """Return about ``most`` of the greatest sums, at their present values."""
        totals: dict[str, float] = {}
        for period, numbers, fading in self._last_two():
            with self._lock:
                here = heapq.nlargest(most, numbers.items(), key=lambda number: number[1])
            shared = self._ask(lambda client, key: client.zrevrange(key, 0, most - 1, withscores=True), period)
            for entry, number in [*here, *shared]:
                totals[entry] = totals.get(entry, 0.0) + fading * number
        return totals

    def _last_two(self) -> list[tuple[int, dict[str, float], float]]:
        """Return the last two periods: the part that is not in Redis, and the factor of decay."""
        self._send()
        now = clock()
        this = int(now // PERIOD)
        with self._lock:
            return [
                (period, self._periods.get(period, {}), math.exp((period * PERIOD - now) / HOUR))
                for period in (this, this - 1)
            ]

    # -- Redis: a sorted set for each period, which expires

    def _ask(self, question: Callable[[redis.Redis, str], Any], period: int) -> list[Any]:
        """Return the answer of Redis about a period, [] without Redis or while it is unreachable."""
        if not self._redis or not self._reachable:
            return []
        try:
            return list(question(self._redis, f"costs {period}"))
        except redis.RedisError as error:
            self._note(error)
            return []

    def _send(self) -> None:
        """Move the sums in memory to Redis. Those that cannot be sent stay here."""
        if not self._redis:
            return
        with self._lock:
            taken, self._periods, self._timer = self._periods, {}, None
        if not taken and self._reachable:
            return
        try:
            with self._redis.pipeline(transaction=False) as pipe:
                pipe.ping()
                for period, numbers in taken.items():
                    key = f"costs {period}"
                    for entry, scaled in numbers.items():
                        pipe.zincrby(key, scaled, entry)
                    pipe.zremrangebyrank(key, 0, -MOST - 1)
                    pipe.expireat(key, (period + 2) * PERIOD)
                pipe.execute()
        except redis.RedisError as error:
            self._note(error)
            with self._lock:
                for period, numbers in taken.items():
                    self._add(period, numbers)
            return
        self._reachable = True

    def _note(self, error: redis.RedisError) -> None:
        """Log the first of a series of failures."""
        if self._reachable:
            log.warning("costs are counted per process only", error=repr(error))
        self._reachable = False


_store = Store(settings.REDIS_URL)
