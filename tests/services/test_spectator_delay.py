"""Spectators with a delay at two processes of the site, on a real PostgreSQL and a real Redis."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from cardsite.lobby.games import DELAYS, UNTIL_DEAL_ENDS
from cardsite.table.models import Match, Move
from tests.running_site import RunningSite
from tests.services.test_two_processes import play
from tests.site import conftest as site
from tests.site.conftest import DatabaseOf
from tests.site.visitor import Message, TableSocket, Visitor

database_of = site.database_of
SHOWN = ("snapshot", "change")


def stream(ws: TableSocket) -> dict[int, tuple[Message, list[Message]]]:
    """Return the view and the log entries that a socket was sent after each move.

    Moves that a snapshot contains already, as on a busy machine, have none.
    """
    return {one["version"]: (one["view"], one["log"]) for one in ws.messages if one["t"] == "change"}


def may_see(views: list[Message], at: list[int], delay: int) -> list[int]:
    """Return when spectators may see each move, by ``views`` after the moves and ``at``, when these were made."""
    if delay < UNTIL_DEAL_ENDS:
        return [one + 1000 * delay for one in at]
    scored, last = [], ""
    for ply, view in enumerate(views):
        scoring = view.get("scoring", {}).get("id", last)
        if scoring != last or view["over"]:
            scored.append(ply)
        last = scoring
    assert len(scored) > 1
    return [at[min(end for end in scored if end >= ply)] for ply in range(len(views))]


@pytest.mark.parametrize("delay", [DELAYS[1], UNTIL_DEAL_ENDS])
def test_spectators_of_both_processes_are_sent_the_same_and_nothing_before_its_time(
    grown_site: tuple[RunningSite, RunningSite], database_of: DatabaseOf, delay: int
) -> None:
    first, second = grown_site
    ann, bob = Visitor(first, "Ann"), Visitor(second, "Bob")
    code = ann.open_table("me", "open", spectator_delay=delay)
    bob.must(code, "sit")
    eve, joe = Visitor(first), Visitor(second)
    with ann.connect(code) as a, bob.connect(code) as b, eve.connect(code) as e, joe.connect(code) as j:
        ann.must(code, "start")
        with ThreadPoolExecutor() as together:
            made = dict(
                made for one in together.map(lambda ws: play(ws, random.Random(5)), (a, b)) for made in one.items()
            )
        replay = f"/replay/{a.match}/frames.json"
        if delay < UNTIL_DEAL_ENDS:
            assert [one.get(replay).status for one in (ann, bob, eve, joe)] == [200, 200, 404, 404]
        for spectator in (e, j):
            spectator.until(spectator.over)
            spectator.until(lambda ws=spectator: ws.table["status"] == "over")  # type: ignore[misc]
        both = stream(e).keys() & stream(j).keys()
        assert {version: stream(e)[version] for version in both} == {version: stream(j)[version] for version in both}
        alias = database_of(first)
        at = list(Move.objects.using(alias).filter(match=a.match).order_by("ply").values_list("at", flat=True))
        began = Match.objects.using(alias).get(pk=a.match).started.timestamp() * 1000
        assert len(at) == len(made)
        assert e.version == j.version == len(at)
        assert e.view["result"] == j.view["result"] == a.view["result"]
        frames = ann.get(replay).json["frames"]
        times = may_see([frame["view"] for frame in frames if frame["version"]], at, delay)
        for spectator in (e, j):
            for message in (one for one in spectator.messages if one["t"] in SHOWN):
                due = times[message["version"] - 1] if message["version"] else began + 1000 * (delay % UNTIL_DEAL_ENDS)
                assert message["now"] >= due - 1, message["version"]
        assert {one.get(replay).status for one in (eve, joe)} == {200}
