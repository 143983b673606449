"""CPU time is booked to visitor and table, and decays; a refusal says how long to wait for more."""

from __future__ import annotations

import math
import re
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.test import RequestFactory
from prometheus_client import REGISTRY
from pytest_django.fixtures import Settings

from cardsite import costs, limits
from cardsite.costs import HOUR, MOST, PERIOD
from cardsite.limits import ALLOWANCES, require_allowance
from cardsite.refusal import Refused
from tests.tiers import tiered

ANN, HOME = "person 1", "203.0.113.7"
NOON = 100_000 * PERIOD  # the beginning of a period


class Clock:
    """The clock of all costs, which stands still until it is set."""

    def __init__(self) -> None:
        self.now = float(NOON)

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """It is the beginning of a period."""
    clock = Clock()
    monkeypatch.setattr(costs, "clock", clock)
    return clock


@pytest.fixture
def limited(clock: Clock, settings: Settings) -> Clock:
    """The same, with limits on."""
    settings.RATE_LIMITS = True
    return clock


def burn(seconds: float) -> None:
    """Compute for so long."""
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


# -- booking


def test_time_is_booked_by_kind_to_everybody_who_asked_and_to_the_table(clock: Clock) -> None:
    costs.book("replay", [ANN, HOME], "abcd", 2.0)
    costs.book("move", ANN, "abcd", 0.5)
    costs.book("bot", "", "abcd", 4.0)
    assert costs.spent(ANN) == pytest.approx({"replay": 2.0, "move": 0.5})
    assert costs.spent(HOME) == pytest.approx({"replay": 2.0})
    assert costs.spent("table abcd") == pytest.approx({"replay": 2.0, "move": 0.5, "bot": 4.0})
    assert costs.spent("") == {}
    assert costs.spent("table ") == {}


@pytest.mark.parametrize("nothing", [0.0, -1.0, math.nan])
def test_zero_and_negative_times_are_not_booked(clock: Clock, nothing: float) -> None:
    costs.book("replay", ANN, "", nothing)
    assert costs.spent(ANN) == {}


@pytest.mark.parametrize("after", [1.0, HOUR, PERIOD - 1.0, float(PERIOD), PERIOD + 1.0, 2.0 * PERIOD - 1.0])
@pytest.mark.parametrize("at", [0.0, PERIOD / 2, PERIOD - 0.001])
def test_what_was_booked_fades_alike_within_a_period_and_beyond_it(clock: Clock, at: float, after: float) -> None:
    clock.now += at
    costs.book("check", ANN, "", 100.0)
    clock.now += after
    kept = at + after < 2 * PERIOD
    assert sum(costs.spent(ANN).values()) == pytest.approx(100.0 * math.exp(-after / HOUR) if kept else 0.0)


def test_a_visitor_who_spends_at_a_steady_rate_shows_what_they_spend_in_an_hour(clock: Clock) -> None:
    for _minute in range(9 * 60):
        clock.now += 60
        costs.book("move", ANN, "", 1.0)
    assert costs.spent(ANN)["move"] == pytest.approx(60.0, rel=0.02)


def test_a_clock_that_is_set_back_breaks_nothing(clock: Clock) -> None:
    costs.book("move", ANN, "", 1.0)
    clock.now -= PERIOD / 2
    costs.book("move", ANN, "", 1.0)
    assert costs.spent(ANN)["move"] >= 1.0


def test_many_threads_book_each_second_once(clock: Clock) -> None:
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda _: costs.book("view", ANN, "abcd", 1.0), range(2000)))
    assert costs.spent(ANN)["view"] == pytest.approx(2000.0)


def test_many_addresses_take_little_room_and_the_one_who_costs_most_is_remembered(clock: Clock) -> None:
    costs.book("replay", ANN, "", 5.0)
    for number in range(3 * MOST):
        costs.book("page", f"address {number}", "", 0.01)
        clock.now += 0.1
    assert sum(map(len, costs._store._periods.values())) <= 2 * MOST
    assert costs.spent(ANN)["replay"] > 1.0
    clock.now += 2 * PERIOD
    costs.book("page", HOME, "", 0.01)
    assert sum(map(len, costs._store._periods.values())) == 1


def test_the_most_expensive_come_first_with_all_their_costs(clock: Clock) -> None:
    for number in range(50):
        costs.book("check", f"person {number}", "", 1.0 + number)
    costs.book("replay", ["person 3", HOME], "abcd", 90.0)
    clock.now += PERIOD  # another period, in which some of them go on
    costs.book("check", "person 3", "", 5.0)
    result = costs.most_expensive(4)
    assert next(iter(result)) == "person 3"
    assert set(result) == {"person 3", HOME, "table abcd", "person 49"}
    assert result["person 3"] == pytest.approx({"replay": 90 * math.exp(-4), "check": 5 + 4 * math.exp(-4)})
    assert len(result) == 4


def test_figures_count_each_second_once_by_kind(clock: Clock) -> None:
    def counted() -> float:
        return REGISTRY.get_sample_value("hamsterdam_cost_seconds_total", {"kind": "trial"}) or 0.0

    before = counted()
    costs.book("trial", [ANN, HOME], "abcd", 1.5)
    assert counted() - before == pytest.approx(1.5)


# -- measuring


def test_what_a_thread_computes_is_booked_and_what_others_do_meanwhile_is_not(clock: Clock) -> None:
    with ThreadPoolExecutor(1) as other, costs.charged("replay", ANN, "abcd"):
        parallel = other.submit(burn, 0.3)
        burn(0.05)
        parallel.result()
    assert 0.05 <= costs.spent(ANN)["replay"] < 0.25
    assert costs.spent("table abcd") == pytest.approx(costs.spent(ANN))


def test_work_that_fails_is_booked_as_well(clock: Clock) -> None:
    def fail() -> None:
        with costs.charged("replay", ANN):
            burn(0.02)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert costs.spent(ANN)["replay"] >= 0.02


def test_child_processes_are_booked_to_the_visitor_who_waits_for_them(clock: Clock) -> None:
    costs.add(100.0)  # nobody waits
    with costs.charged("check", ANN):
        costs.add(2.0)
        costs.add(0.5)
    costs.add(100.0)
    assert 2.5 <= costs.spent(ANN)["check"] < 3.0


def test_a_charge_in_a_charge_is_booked_once(clock: Clock) -> None:
    with costs.charged("page", ANN):
        burn(0.02)
        with costs.charged("replay", ANN):
            burn(0.1)
            costs.add(5.0)
    spent = costs.spent(ANN)
    assert 5.1 <= spent["replay"] < 5.2
    assert 0.02 <= spent["page"] < 0.1


# -- limits


def refused(*subject: str, name: str = "asked") -> str:
    """Return why they may not spend more, "" if they may."""
    try:
        require_allowance(name, subject)  # type: ignore[arg-type]
    except Refused as refusal:
        return refusal.text if refusal.code == "slow_down" else "another reason"
    return ""


def minutes_in(text: str) -> int:
    """Return after how many minutes the answer says to try again."""
    [minutes] = re.findall(r"Try again in (\d+) minutes?\.", text)
    return int(minutes)


@pytest.mark.parametrize("name", ALLOWANCES)
@pytest.mark.parametrize(("subject", "whose"), [(ANN, "person"), (HOME, "address"), ("2001:db8::/64", "address")])
def test_an_allowance_can_be_spent_and_no_more(limited: Clock, name: str, subject: str, whose: str) -> None:
    most = getattr(ALLOWANCES[name], whose)
    kind = ALLOWANCES[name].kinds[0]
    costs.book(kind, subject, "", most * 0.999)
    assert not refused(subject, name=name)
    costs.book(kind, subject, "", most * 0.002)
    assert "used up" in refused(subject, name=name)
    assert ("your network address" in refused(subject, name=name)) == (whose == "address")
    assert not refused("person 2", "203.0.113.8", "2001:db8:0:1::/64", name=name)


@pytest.mark.parametrize("times", tiered([1.0, 1.0001, 1.5, 10.0], lambda times: times != 1.5))
@pytest.mark.parametrize("at", [0.0, PERIOD - 61.0, PERIOD - 0.5])
def test_a_visitor_who_waits_as_long_as_the_answer_says_may_go_on_and_not_long_before(
    limited: Clock, at: float, times: float
) -> None:
    limited.now += at
    costs.book("report", ANN, "", ALLOWANCES["asked"].person * times)
    wait = 60 * minutes_in(refused(ANN))
    began = limited.now
    limited.now = began + wait - 61
    assert limited.now < began or refused(ANN)
    limited.now = began + wait
    assert not refused(ANN)


def test_new_names_at_an_old_address_get_nothing(limited: Clock) -> None:
    request = RequestFactory().get("/", REMOTE_ADDR=HOME)
    for number in range(100):
        payers = costs.payers(number + 1, limits.address(request))
        if refused(*payers):
            break
        costs.book("check", payers, "", 60.0)
    assert number * 60.0 == pytest.approx(ALLOWANCES["asked"].address, abs=60.0)
    assert refused(*costs.payers(None, HOME))  # nor do those without a name
    assert not refused(*costs.payers(1000, "203.0.113.8"))


def test_all_addresses_of_one_household_are_one(limited: Clock) -> None:
    def at(address: str) -> str:
        return limits.address(RequestFactory().get("/", REMOTE_ADDR=address))

    for number in range(100):
        costs.book("replay", costs.payers(None, at(f"2001:db8:1:2::{number:x}")), "", 30.0)
    assert refused(*costs.payers(None, at("2001:db8:1:2:ffff:ffff:ffff:ffff")))
    assert not refused(*costs.payers(None, at("2001:db8:1:3::1")))


def test_matches_use_up_another_allowance_than_what_is_asked_for(limited: Clock) -> None:
    costs.book("bot", ANN, "abcd", 10**6)
    assert not refused(ANN)
    assert refused(ANN, name="match")
    costs.book("replay", HOME, "abcd", 10**6)
    assert refused(HOME)
    assert not refused(HOME, name="match")


def test_nobody_is_limited_where_limits_are_off(limited: Clock, settings: Settings) -> None:
    costs.book("report", ANN, "", 10**6)
    assert refused(ANN)
    settings.RATE_LIMITS = False
    assert not refused(ANN)
