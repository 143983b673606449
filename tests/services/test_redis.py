"""What Redis is needed for, and that the site survives without it."""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from cardsite.limits import LIMITS
from tests.running_redis import running_redis
from tests.running_site import RunningSite, free_port
from tests.services.test_two_processes import a_table_across, play
from tests.site.visitor import Visitor, begin
from tests.tiers import full


@full
def test_newcomers_are_counted_over_all_processes(
    new_site: Callable[..., RunningSite], pg_url: str, redis_url: str
) -> None:
    shared = {"DATABASE_URL": pg_url, "REDIS_URL": redis_url, "SECRET_KEY": secrets.token_urlsafe(50)}
    sites = [new_site(RATE_LIMITS="1", **shared) for _ in range(2)]
    sites[0].open()
    for site in sites:
        site.start()
    for number in range(LIMITS["arrive"].amount):
        assert Visitor(sites[number % 2], "Ann").press("nowhere", "sit")["code"] == "no_table"
    for site in sites:
        assert Visitor(site, "Ann").press("nowhere", "sit")["code"] == "slow_down"


@full
def test_two_people_play_on_by_two_processes_while_redis_is_gone(
    new_site: Callable[..., RunningSite], pg_url: str, tmp_path: Path
) -> None:
    port = free_port()
    shared = {
        "DATABASE_URL": pg_url,
        "REDIS_URL": f"redis://127.0.0.1:{port}/0",
        "SECRET_KEY": secrets.token_urlsafe(50),
        "RATE_LIMITS": "1",
    }
    first, second = new_site(**shared), new_site(**shared)
    with running_redis(port, tmp_path):
        first.open()
        first.start()
        second.start()
        code, ann, bob = a_table_across(first, second)
        a, b, e = ann.connect(code), bob.connect(code), Visitor(second).connect(code)
        begin(code, ann, a, b, e)
    dice = random.Random(3)
    with a, b, e, ThreadPoolExecutor() as together:
        # Redis is gone. Each process finds the other's moves in the database, if a few seconds later.
        a_made, b_made = together.map(lambda ws: play(ws, dice, decisions=2), (a, b))
        assert len(a_made) == len(b_made) == 2
        e.until(lambda: e.version >= max(a_made | b_made))
        # What is said and who sits where too.
        assert b.ask("chat", text="Are you still there?")["t"] == "ack"
        a.until(lambda: "Are you still there?" in {line["text"] for line in a.chat})
        joe = Visitor(second, "Joe")
        lone = joe.open_table("me", "open", "house")
        with Visitor(first).connect(lone) as watching:
            joe.must(lone, "set-seat", seat=1, kind="random")
            watching.until(lambda: watching.table["seats"][1]["bot"] == "random")
        with running_redis(port, tmp_path):
            list(together.map(lambda ws: play(ws, dice), (a, b)))  # until both have seen the end
            e.until(e.over)
            begin(code, ann, a, b, e)
            assert b.table["number"] == 2
