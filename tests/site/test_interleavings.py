"""Matches with many orders of events and random failures: invariants that hold in all of them.

``tests/interleaving.py`` has the event loop, ``processes.py`` says what of the site is real here.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from contextlib import suppress
from functools import partial

import pytest
from django.db import OperationalError, connection
from pytest_django.fixtures import Settings

from cardsite import database
from cardsite.lobby.services import presence
from cardsite.refusal import Refused
from cardsite.server import transport
from cardsite.server.cluster import LOOK
from cardsite.server.connections import ConnectionCounter
from cardsite.server.events import Events, MovePlayed
from cardsite.server.live import LiveMatch
from cardsite.server.referee import Referee
from cardsite.server.server import EVICT_EVERY
from games import catalogue, core
from tests.interleaving import at, run, seeds
from tests.site.conftest import Texts
from tests.site.processes import EXPECTED, Match, Site, Window, site_of

pytestmark = pytest.mark.django_db(transaction=True)

EVENINGS = 1  # runs of the whole site for each thing that goes wrong: half a CPU second each
MATCHES = 20  # runs without sockets and clocks: a fortieth
SECONDS = 5  # for a decision
PACES = (0.5, 2.0, 8.0)  # seconds from one act of somebody to the next, at most: the last ones often miss their time
ASLEEP = (100.0,), 40  # such a pace, and seconds for a decision: longer than a match stays without a process
NOTICED = 5_000  # milliseconds after which all processes know of what happened, unless something is wrong
LOST_CHANGES = 6  # runs in which the notice of a change is lost
LONGEST_LOOK = LOOK + 4.0  # seconds from one look for lost notices to the next, with two calls of the database
SETTLED = 25.0  # seconds after which everything is sent and repaired
WAYS = [
    "all is well",
    "the database fails",
    "the connection is cut",
    "a process is killed",
    "a process is killed while people sleep",
    "the whole site is killed",
    "the whole site is killed while people sleep",
]


@pytest.fixture(autouse=True)
def _own_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """Connections that are cancelled when a run is over are counted for nobody else."""
    monkeypatch.setattr(transport, "_inside", ConnectionCounter())


@pytest.fixture
def put(texts: Texts, settings: Settings) -> Callable[[int], str]:
    """A function that adds a game with so many sticks. The processes are connected."""
    settings.REDIS_URL = "redis://made.up"
    settings.BOT_PACE = 6.0  # long enough for somebody to come back while a bot takes its time
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA synchronous = OFF")  # nobody cuts the power here
    return lambda sticks: texts.put(f"sticks{sticks}", "rules 1", f"sticks {sticks}", "take 1 2 3")


@pytest.mark.parametrize("way", WAYS)
def test_what_is_stored_is_acknowledged_and_shown_and_nothing_else(put: Callable[[int], str], way: str) -> None:
    for seed in seeds(EVENINGS):
        faults = run(partial(evening, put, way), f"{way}{seed}")
        assert not faults, f"{way}{seed}: {faults}"


async def evening(put: Callable[[int], str], way: str, chance: random.Random) -> list[str]:
    """Play matches at two processes while something goes wrong. Return what else did."""
    with site_of(chance, put) as site:
        for name in ("one", "two"):
            await site.begin(name)
        await asyncio.sleep(SETTLED / 4)
        idle = len(asyncio.all_tasks())
        paces, seconds = ASLEEP if "sleep" in way else (PACES, SECONDS)
        matches = [
            site.open_table("a" * 10, 9, people=2, seconds=seconds),
            site.open_table("b" * 10, 12, people=2, seconds=seconds, bots=1),
        ]
        windows = [Window(site, match, seat) for match in matches for seat in (0, 0, 1, None)]
        plays = [asyncio.create_task(window.play(chance.choice(paces))) for window in windows]
        await go_wrong(site, way)
        await asyncio.gather(*plays)
        for window in windows:
            if not window.process:
                window.connect(chance.choice(list(site.processes)))
        # New connections wait for each other, and for those that are gone already.
        await site.until(lambda: all(window.greeted for window in windows), "all windows are welcome")
        await asyncio.sleep(SETTLED)
        for match in matches:
            check_books(site, match, NOTICED if way == "all is well" else SETTLED * 1000)
        for window in windows:
            check_window(site, window)
        for window in windows:
            window.leave()
            await asyncio.sleep(chance.random())
        await asyncio.sleep(EVICT_EVERY + NOTICED / 1000)
        check_nobody_is_left(site)
        if "killed" not in way:
            await site.until(lambda: len(asyncio.all_tasks()) <= idle, "other tasks have ended")
            site.check(
                not site.connection_counter.inside, f"still counted as connected: {site.connection_counter.inside}"
            )
        return site.faults


async def go_wrong(site: Site, way: str) -> None:
    """Have something go wrong after a while, for a while."""
    chance = site.chance
    await asyncio.sleep(chance.random() * 10)
    match way:
        case "the database fails":
            for _ in range(3):
                site.trouble = chance.choice([0.02, 0.2, 1])
                await asyncio.sleep(chance.random() * 4)
                site.trouble = 0
                await asyncio.sleep(chance.random() * 4)
        case "the connection is cut":
            site.layer.cut = True
            await asyncio.sleep(chance.random() * 20)
            site.layer.cut = False
        case "a process is killed" | "a process is killed while people sleep":
            site.kill("one")
            if chance.random() < 0.5:
                await site.begin("three")
        case "the whole site is killed" | "the whole site is killed while people sleep":
            for name in list(site.processes):
                site.kill(name)
            await asyncio.sleep(chance.random() * 30)
            for name in ("three", "four"):
                await site.begin(name)
            await asyncio.sleep(chance.random() * 10)
            site.kill("three")


def test_moves_at_two_processes_are_played_once_and_shown_when_they_are_stored(put: Callable[[int], str]) -> None:
    for seed in seeds(MATCHES):
        faults = run(partial(play_at_once, put), f"moves{seed}")
        assert not faults, f"moves{seed}: {faults}"


async def play_at_once(put: Callable[[int], str], chance: random.Random) -> list[str]:
    """Play a match at two referees, in two windows for each seat. The database may fail. Return what else did."""
    with site_of(chance, put) as site:
        match = site.open_table("a" * 10, 9, people=2, seconds=0)
        site.trouble = chance.choice([0, 0, 0.05, 0.2])

        def look(live: LiveMatch) -> bool:
            stored = len(site.moves(match.number))
            site.check(live.version <= stored, f"ply {live.version} can be seen, and {stored} are stored")
            return live.over

        events = Events()

        def on_move_played(event: MovePlayed) -> None:
            look(event.live)

        events.subscribe(MovePlayed, on_move_played)

        async def watch(referee: Referee) -> None:
            over = False
            while not over:
                await asyncio.sleep(chance.random())
                if chance.random() < 0.5:
                    referee.evict(match.number)  # as when the last one leaves who looks at it
                with suppress(OperationalError):
                    async with referee.held(match.number) as live:
                        site.check(referee.lives.get(match.number) is live, "somebody holds a copy that is forgotten")
                        over = look(live)

        async def play(referee: Referee, seat: int) -> None:
            over = False
            while not over:
                await asyncio.sleep(chance.random())
                made = sum(row.seat == seat for row in site.moves(match.number))
                decision = chance.randint(0, made) if chance.random() < 0.2 else made
                move = f"take {chance.randint(1, 3)}"
                try:
                    done = await referee.do_move(match.number, seat, decision, move)
                    site.check_decision(match, seat, decision, move, done.version)
                except Refused as refusal:
                    over = refusal.code == "over"
                    site.check(refusal.code in {*EXPECTED, "ahead"}, f"a move is refused: {refusal.code}")
                    if refusal.code == "ahead":  # the other process would have said so
                        with suppress(OperationalError):
                            await referee.catch_up(match.number)
                except OperationalError:
                    pass  # the player tries again

        referees = {"one": Referee(events), "two": Referee(events)}
        plays = [at(name, play(referee, seat)) for name, referee in referees.items() for seat in (0, 0, 1, 1)]
        await asyncio.gather(*plays, *(at(name, watch(referee)) for name, referee in referees.items()))
        check_books(site, match)
        return site.faults


def test_a_change_of_a_table_while_notices_are_lost_is_shown_at_other_processes_soon(put: Callable[[int], str]) -> None:
    for seed in seeds(LOST_CHANGES):
        faults = run(partial(change_without_notice, put), f"table{seed}")
        assert not faults, f"table{seed}: {faults}"


async def change_without_notice(put: Callable[[int], str], chance: random.Random) -> list[str]:
    """Change a table at one process while no notice gets to the other. Return what the other does not show."""
    with site_of(chance, put) as site:
        for name in ("one", "two"):
            await site.begin(name)
        match = site.open_table("a" * 10, 9, people=2, seconds=0)
        window = Window(site, match, None)
        window.connect("two")
        await asyncio.sleep(SETTLED + chance.random() * LOOK)
        site.layer.cut = True
        await asyncio.sleep(chance.random())
        await at("one", database.in_thread(presence.do_set_away)(match.code, 0, True))
        await asyncio.sleep(LONGEST_LOOK)  # so at least one beat is lost, and often no second one
        site.layer.cut = False
        await asyncio.sleep(3 * LONGEST_LOOK)
        site.check(window.table["seats"][0]["away"], "the other process shows the table as it was")
        return site.faults


def check_window(site: Site, window: Window) -> None:
    """Check that a window shows the table and its match, which is over, as they are in the database."""
    last = site.moves(window.at.number)[-1].ply
    site.check(window.version == last, f"seat {window.seat} was last shown ply {window.version} of {last}")
    code = window.at.code
    query = "SELECT s.person_id, s.away FROM lobby_seat s JOIN lobby_table t ON t.id = s.table_id WHERE t.code = ?"
    seats = [(person or 0, bool(away)) for person, away in site.ask(f'{query} ORDER BY s."index"', code)]
    shown = [(seat["person"], seat["away"]) for seat in window.table["seats"]]
    site.check(shown == seats, f"seat {window.seat} was last shown {shown}, and it is {seats}")
    site.check(window.table["status"] == "over", f"the table is shown as {window.table['status']}")


def check_books(site: Site, match: Match, noticed: float = 0) -> None:
    """Check what is stored of a match that is over.

    A process may be ``noticed`` milliseconds late to be notified that somebody is back.
    """
    stored, check = site.moves(match.number), site.check
    check([row.ply for row in stored] == list(range(1, len(stored) + 1)), f"gaps among {stored}")
    [(game, seed, began)] = site.ask("SELECT game, seed, started FROM table_match WHERE id = ?", match.number)
    seats = site.ask(
        "SELECT s.wins FROM lobby_seat s JOIN lobby_table t ON t.id = s.table_id WHERE t.code = ?", match.code
    )
    moves = [(row.seat, row.text) for row in stored]
    replayed = core.Match.replay(catalogue.find(game), len(seats), {}, bytes.fromhex(seed), moves)
    check(replayed.over, f"it is over, and not by {stored}")
    wins = [float(seat in replayed.winners()) for seat in range(len(seats))]
    # Who stands up after the match takes their wins along.
    check(all(won in (0, due) for (won,), due in zip(seats, wins, strict=True)), f"{seats} have won, not {wins}")
    results = site.ask("SELECT score, share FROM table_player WHERE match_id = ? ORDER BY seat", match.number)
    check(results == list(zip(replayed.scores(), wins, strict=True)), f"other results: {results}")
    since = site.milliseconds(began)
    for row in stored:
        check(row.at >= since, f"{row} was made before the move before")
        if row.by == "clock":
            due = since + match.seconds * 1000 + compensation(match, since, row.at)
            check(row.at >= due, f"the clock decided {due - row.at} ms too early: {row}, {match.kills}")
        if row.by == "away":
            was_away = any(span.begins <= row.at <= span.ends + noticed for span in match.aways_of(row.seat))
            check(was_away, f"a bot decided for a person who was here: {row}, {match.aways}")
        since = row.at


def compensation(match: Match, since: int, decided: int) -> int:
    """Return how many milliseconds at least nobody kept a match, while a decision was open."""
    return sum(max(0, lost - max(kill, since)) for kill, lost in match.kills if kill < decided)


def check_nobody_is_left(site: Site) -> None:
    """Check that the processes have evicted what nobody is there for."""
    for name, process in site.processes.items():
        clock = process.scheduler
        copies, due = process.referee.lives, clock._timers
        left = (process.relay.rooms, copies, clock.running, due, clock._deciding, clock._tasks)
        site.check(not any(left), f"process {name} keeps {left}")
    for match in site.matches.values():
        for seat, person in enumerate(match.people):
            last = max(window.left for window in site.windows if (window.at, window.seat) == (match, seat))
            for (seen,) in site.ask("SELECT seen FROM lobby_seat WHERE person_id = ? AND seen IS NOT NULL", person.pk):
                # A person who leaves while a process notes who is still here counts as here for 30 more seconds.
                site.check(site.milliseconds(seen) > last, f"it is not noted that seat {seat} of {match.code} has left")
