"""``/metrics``: what two real processes report to a client with the token, over real HTTP."""

from __future__ import annotations

import secrets
from collections.abc import Callable

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.running_site import RunningSite
from tests.site.visitor import Visitor, begin, two_at_a_table
from tests.tiers import full

TOKEN = secrets.token_urlsafe(20)
Figures = dict[tuple[str, str], float]


def figures(site: RunningSite) -> Figures:
    """Return what Prometheus would read: the value of each name, with its one label, "" for none."""
    prometheus = Visitor(site)
    prometheus.headers = {"Authorization": f"Bearer {TOKEN}"}
    answer = prometheus.get("/metrics")
    assert answer.status == 200, answer.text[:500]
    return {
        (sample.name, next(iter(sample.labels.values()), "")): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
        if "le" not in sample.labels
    }


@pytest.fixture
def watched(new_site: Callable[..., RunningSite], pg_url: str, redis_url: str) -> tuple[RunningSite, RunningSite]:
    """Two processes of one site that publish their figures."""
    shared = {
        "DATABASE_URL": pg_url,
        "REDIS_URL": redis_url,
        "SECRET_KEY": secrets.token_urlsafe(50),
        "METRICS_TOKEN": TOKEN,
    }
    first, second = new_site(**shared), new_site(**shared)
    first.open()
    first.start()
    second.start()
    return first, second


@full
def test_each_process_counts_the_moves_it_commits_and_whom_it_sends_them(
    watched: tuple[RunningSite, RunningSite],
) -> None:
    first, second = watched
    code, ann, bob = two_at_a_table(first)
    with (
        ann.connect(code) as a,
        bob.connect(code) as b,
        Visitor(second).connect(code) as e,
        Visitor(second).connect(code) as f,
    ):
        begin(code, ann, a, b, e, f)
        before, elsewhere = figures(first), figures(second)
        assert before["hamsterdam_sockets", "seated"] == 2
        assert elsewhere["hamsterdam_sockets", "watching"] == 2
        for _ in range(3):
            mover = a if a.my_turn() else b
            ply = mover.decide()["version"]
            for ws in (a, b, e, f):
                ws.until(lambda ws=ws, ply=ply: ws.version >= ply)  # type: ignore[misc]
        assert a.move("nonsense", decision=a.view["decision"])["t"] == "refused"
        now, then = figures(first), figures(second)
    assert moved(before, now, "hamsterdam_moves_total", "person") == 3
    assert moved(elsewhere, then, "hamsterdam_moves_total", "person") == 0
    assert moved(before, now, "hamsterdam_deliveries_total") == 6
    assert moved(elsewhere, then, "hamsterdam_deliveries_total") == 6
    assert moved(before, now, "hamsterdam_ledger_batch_moves_sum") == 3
    assert moved(before, now, "hamsterdam_ledger_flush_seconds_count") == 3
    assert moved(before, now, "hamsterdam_ledger_flush_seconds_sum") > 0
    assert moved(before, now, "hamsterdam_refusals_total", "illegal") == 1
    assert now["hamsterdam_matches_running", ""] == 1
    assert now["hamsterdam_scheduler_round_timestamp_seconds", ""] > 0
    assert now["process_open_fds", ""] > 0


@full
def test_moves_of_bots_are_counted_apart_from_those_of_people(new_site: Callable[..., RunningSite]) -> None:
    site = new_site(METRICS_TOKEN=TOKEN)
    site.open()
    site.start()
    ann = Visitor(site, "Ann")
    code = ann.open_table("me", "house", "house")
    with ann.connect(code) as a:
        begin(code, ann, a)
        while a.version < 8:
            a.until(lambda: a.version >= 8 or a.my_turn())
            if a.my_turn():
                a.decide()
        a.settle()
        result = figures(site)
        people = sum(m["t"] == "change" and m["by"] == "person" for m in a.messages)
        bots = sum(m["t"] == "change" and m["by"] == "bot" for m in a.messages)
    assert people
    assert result["hamsterdam_moves_total", "person"] == people
    assert result["hamsterdam_moves_total", "bot"] >= bots > 0
    assert result["hamsterdam_moves_total", "clock"] == 0
    assert ("hamsterdam_bots_waiting", "") in result


@full
@pytest.mark.parametrize("setting", [pytest.param("", id="no token"), pytest.param(TOKEN, id="a token")])
def test_a_visitor_who_does_not_know_the_token_finds_no_such_page(
    new_site: Callable[..., RunningSite], setting: str
) -> None:
    site = new_site(METRICS_TOKEN=setting)
    site.open()
    site.start()
    stranger = Visitor(site)
    nowhere = stranger.get("/no-such-page")
    for shown in ("", "Bearer ", "Bearer", "Bearer \xff", f"Bearer {TOKEN[:-1]}", f"Basic {TOKEN}", TOKEN):
        stranger.headers = {"Authorization": shown}
        answer = stranger.get("/metrics")
        assert (answer.status, answer.text) == (404, nowhere.text)
    if not setting:
        stranger.headers = {"Authorization": f"Bearer {TOKEN}"}
        assert stranger.get("/metrics").status == 404


def test_a_token_that_could_be_guessed_is_refused_at_the_start(new_site: Callable[..., RunningSite]) -> None:
    site = new_site(METRICS_TOKEN="open sesame")
    with pytest.raises(AssertionError, match="METRICS_TOKEN must have at least 20 characters"):
        site.manage("check")


def moved(before: Figures, after: Figures, name: str, label: str = "") -> float:
    """Return by how much a figure has grown."""
    return after.get((name, label), 0) - before.get((name, label), 0)
