"""Spectators of a table with a delay never receive anything newer, through whichever door they come.

Those with sockets run by a clock that does not wait (``tests/interleaving.py``).
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable, Coroutine
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from cardsite.circles import evenings, page_data
from cardsite.circles.services import do_make, do_start_evening
from cardsite.front import tables
from cardsite.lobby.games import DELAYS, UNTIL_DEAL_ENDS
from cardsite.lobby.models import Seat, Table
from cardsite.lobby.services import hosting, presence, seating
from cardsite.people.models import Person
from cardsite.refusal import Refused
from cardsite.server import server, transport
from cardsite.server.live import now_ms
from cardsite.server.protocol import PROTOCOL
from cardsite.server.room import Room as OpenRoom
from cardsite.server.room import Socket
from cardsite.server.server import MatchServer
from cardsite.server.table_info import read_table
from cardsite.table import tidy
from cardsite.table.delay import delay_for_next
from cardsite.table.models import Match, Move
from cardsite.table.moves import milliseconds
from cardsite.table.services.matches import do_end_match, do_resign, do_start_match
from cardsite.table.services.takebacks import do_answer_take_back, do_ask_to_take_back
from cardsite.table.statistics import results_of
from games import catalogue
from tests.interleaving import run
from tests.site.conftest import Actor, Texts
from tests.site.listener import Listener, move, two_at_sticks
from tests.site.processes import RandomBots, never
from tests.site.reasons import why_refused
from tests.tiers import tiered

CODE = "abcdefghjk"
DELAY = 60
MOMENT = 0.5  # seconds in which everything happens that is due
SHOWN = ("snapshot", "change")
WITHOUT_SEATS = ("status", "match", "number", "game", "options", "occupancies", "seconds", "clock", "bots", "notice")
LATE = "Spectators of this table see its matches with a delay. Come back when that time has passed."
Scenario = Callable[["Room"], Coroutine[Any, Any, None]]


class NotedSocket(Socket):
    """A socket that notes when each message was sent, in milliseconds, and its seat then."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.noted: list[tuple[int, int | None, dict[str, Any]]] = []

    def push(self, message: str) -> None:
        self.noted.append((now_ms(), self.seat, json.loads(message)))
        super().push(message)


class Spectator(Listener):
    """A client with such a socket."""

    def __init__(self, room: Room, person: Person | None = None) -> None:
        super().__init__(room.server, CODE, person)
        self.socket: NotedSocket = NotedSocket(self._receive, person.pk if person else 0, "")

    def seen(self, version: int) -> int:
        """Return when a version of the match was first sent."""
        return next(at for at, _, one in self.socket.noted if one["t"] in SHOWN and one["version"] == version)


class Room:
    """A table with a delay where two people play, and the match server."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.server = MatchServer()
        self.match = Match.objects.get().pk
        self.people = [seat.person for seat in Seat.objects.order_by("index") if seat.person]

    async def move(self, text: str = "take 1") -> None:
        """Make a move for the player whose turn it is."""
        await move(self.server.referee, self.match, text)


@pytest.fixture
def play(texts: Texts, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """A function that runs a scenario at a table with a delay, where a match of two people has just begun."""
    settings.REDIS_URL = ""
    monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
    monkeypatch.setattr(server, "BotPool", RandomBots)
    monkeypatch.setattr(tidy, "run_periodically", never)

    def play(scenario: Scenario, seed: str = "", delay: int = DELAY, game: str = "") -> None:
        async def prepared(chance: random.Random) -> None:
            if not seed:
                chance.random = lambda: 0.0  # type: ignore[method-assign]  # how long calls take
            RandomBots.chance = random.Random(seed)
            two_at_sticks(texts, CODE, 9)
            Table.objects.update(spectator_delay=delay, seconds=60 if seed else 0)
            if game:  # else that of the sticks, which is running
                Match.objects.all().delete()
                Table.objects.update(game=game, status=Table.Status.OPEN)
                do_start_match(CODE, None)
            Match.objects.update(spectator_delay=delay, seconds=60 if seed else 0)
            room = Room()
            monkeypatch.setattr(transport, "match_server", room.server)
            room.server.open()
            try:
                await scenario(room)
            finally:
                await room.server.close()

        run(prepared, seed or "any")

    return play


pytestmark = pytest.mark.django_db(transaction=True)


def test_each_move_reaches_players_at_once_and_spectators_after_the_delay(play: Callable[..., None]) -> None:
    async def scenario(room: Room) -> None:
        player, spectator = Spectator(room, room.people[0]), Spectator(room)
        await player.hello()
        await spectator.hello()
        await spectator.settle()
        assert (spectator.table["status"], spectator.table["match"], spectator.version) == ("open", 0, -1)
        made = []
        for _ in range(4):
            await asyncio.sleep(7)
            made.append(now_ms())
            await room.move()
        await asyncio.sleep(DELAY + 10)
        for ply, at in enumerate(made, 1):
            assert player.seen(ply) - at < 1000 * MOMENT
            assert 0 <= spectator.seen(ply) - at - 1000 * DELAY < 1000 * MOMENT
        assert [seat["here"] for seat in spectator.table["seats"]] == [True, True]  # whoever is connected now
        assert [spectator.table[one] for one in WITHOUT_SEATS] == [player.table[one] for one in WITHOUT_SEATS]
        assert spectator.table["spectator_delay"] == DELAY

    play(scenario)


def test_the_end_and_the_next_match_reach_spectators_after_the_delay(play: Callable[..., None]) -> None:
    async def scenario(room: Room) -> None:
        spectator = Spectator(room)
        await spectator.hello()
        for _ in range(3):
            await asyncio.sleep(5)
            await room.move("take 3")
        ended = now_ms()
        await asyncio.sleep(DELAY - 1)
        assert (spectator.table["status"], spectator.table["results"], spectator.version) == ("playing", [], 2)
        assert [seat["wins"] for seat in spectator.table["seats"]] == [0, 0]
        assert not any(message.get("seed") for message in spectator.received)
        await asyncio.sleep(1 + MOMENT)
        assert (spectator.table["status"], len(spectator.table["results"]), spectator.version) == ("over", 2, 3)
        assert sorted(seat["wins"] for seat in spectator.table["seats"]) == [0, 1]
        assert spectator.all("change")[-1]["seed"]  # the deal was sealed
        assert 0 <= spectator.seen(3) - ended - 1000 * DELAY < 1000 * MOMENT
        first = room.match
        room.match = do_start_match(CODE, None)
        await asyncio.sleep(DELAY - 1)
        assert (spectator.table["match"], spectator.table["status"]) == (first, "over")
        await asyncio.sleep(1 + MOMENT)
        assert (spectator.table["match"], spectator.table["status"]) == (room.match, "playing")
        assert spectator.all("snapshot")[-1]["match"] == room.match

    play(scenario)


def test_a_resignation_reaches_spectators_after_the_delay(play: Callable[..., None]) -> None:
    async def scenario(room: Room) -> None:
        spectator = Spectator(room)
        await spectator.hello()
        await room.move()
        await asyncio.sleep(5)
        do_resign(CODE, room.people[0])
        await asyncio.sleep(DELAY - 1)
        assert (spectator.table["status"], spectator.table["dropped"]) == ("playing", "")
        assert not spectator.all("snapshot")[-1]["view"]["over"]
        await asyncio.sleep(1 + MOMENT)
        assert (spectator.table["status"], spectator.table["dropped"]) == ("over", "resigned")
        assert spectator.all("snapshot")[-1]["view"]["over"]

    play(scenario)


def test_a_move_that_is_taken_back_within_the_delay_is_never_shown(play: Callable[..., None]) -> None:
    async def scenario(room: Room) -> None:
        spectator = Spectator(room)
        await spectator.hello()
        await asyncio.sleep(5)
        await room.move("take 1")
        await asyncio.sleep(5)
        await room.move("take 3")
        await asyncio.sleep(5)
        mover = Move.objects.get(ply=2).seat
        do_ask_to_take_back(CODE, room.people[mover])
        do_answer_take_back(CODE, room.people[1 - mover], 2, True)
        room.match = Match.objects.get().pk
        await asyncio.sleep(5)
        await room.move("take 2")
        await asyncio.sleep(DELAY + 10)
        views = [message["view"] for message in spectator.all("snapshot", "change")]
        sizes = [view["zones"][0]["size"] for view in views]
        assert sorted(set(sizes), reverse=True) == [9, 8, 6]

    play(scenario)


def test_a_person_who_stands_up_sees_the_table_late_and_one_who_sits_down_sees_it_now(
    play: Callable[..., None],
) -> None:
    async def scenario(room: Room) -> None:
        guest = Spectator(room, room.people[1])
        await guest.hello()
        await asyncio.sleep(10)
        await room.move()
        await asyncio.sleep(DELAY - 5)  # the deal is known, the move is not
        assert guest.all("snapshot", "change")[-1]["version"] == 1
        seating.do_stand(CODE, room.people[1])
        await asyncio.sleep(MOMENT)
        last = guest.all("snapshot", "change")[-1]
        assert (guest.socket.seat, last["view"]["seat"], last["version"]) == (None, None, 0)
        await guest.say(t="hello", protocol=PROTOCOL, match=room.match, version=1)
        assert guest.all("snapshot", "change")[-1]["version"] == 0
        seating.do_return(CODE, room.people[1])
        await asyncio.sleep(MOMENT)
        last = guest.all("snapshot", "change")[-1]
        assert (last["view"]["seat"], last["version"] >= 1) == (1, True)

    play(scenario)


def test_the_clock_of_spectators_runs_as_long_as_that_of_players(play: Callable[..., None]) -> None:
    async def scenario(room: Room) -> None:
        Table.objects.update(seconds=120)
        Match.objects.update(seconds=120)
        player, spectator = Spectator(room, room.people[0]), Spectator(room)
        await player.hello()
        await spectator.hello()
        await asyncio.sleep(5)
        await room.move()
        await asyncio.sleep(DELAY + 5)
        left = []
        for listener in (player, spectator):
            change = next(one for one in listener.all("change") if one["version"] == 1)
            left.append(next(iter(change["deadlines"].values())) - change["now"])
        assert left[0] == pytest.approx(left[1], abs=1000 * MOMENT)

    play(scenario)


@pytest.mark.parametrize("seed", tiered(range(40), quick=lambda seed: seed < 4))
def test_no_order_of_events_shows_a_spectator_anything_newer(play: Callable[..., None], seed: int) -> None:
    """Spectators come, go, and say hello with any version; players stand up and come back."""

    spectators: list[Spectator] = []

    async def attack(room: Room, person: Person | None, chance: random.Random) -> None:
        while room.loop.time() < 400:
            spectator = Spectator(room, person)
            await spectator.hello()
            for _ in range(chance.randrange(5)):
                await asyncio.sleep(chance.random() * 30)
                version, match = chance.randrange(-1, 12), Match.objects.latest("pk").pk
                await spectator.say(t="hello", protocol=PROTOCOL, match=match, version=version)
                await spectator.say(t="why", id=1, match=match, touched="zone:pile")
            await spectator.settle()
            spectators.append(spectator)
            await room.server.relay.leave(CODE, spectator.socket)

    async def go_on(room: Room, chance: random.Random) -> None:
        while room.loop.time() < 300:
            await asyncio.sleep(chance.random() * 20)
            with suppress(Refused, RuntimeError):  # a bot may have made the move, or the last one
                if Match.objects.get(pk=room.match).status == Match.Status.RUNNING:
                    await room.move()
                else:
                    room.match = do_start_match(CODE, None)
                chance.choice([seating.do_stand, seating.do_return])(CODE, room.people[1])

    async def scenario(room: Room) -> None:
        chance = random.Random(seed)
        people = (None, None, room.people[1])
        await asyncio.gather(go_on(room, chance), *(attack(room, person, chance) for person in people))
        matches = {match.pk: match for match in Match.objects.all()}
        moves = {(move.match_id, move.ply): move.at for move in Move.objects.all()}
        checked = 0
        for came, seat, message in [one for spectator in spectators for one in spectator.socket.noted]:
            until = came - 1000 * DELAY
            if seat is not None:
                continue
            if message["t"] in SHOWN:
                checked += 1
                at = moves.get((message["match"], message["version"]), 0)
                assert max(at, milliseconds(matches[message["match"]].started)) <= until, message
            if table := message.get("table"):
                match = matches.get(table["match"])
                assert match is None or milliseconds(match.started) <= until
                ended = match is not None and match.finished and milliseconds(match.finished) <= until
                assert (ended or not table["results"], table["take_back"]) == (True, None)
                assert all(moves.get((table["match"], row["ply"]), 0) <= until for row in table["occupancies"])
        assert checked > 10

    play(scenario, str(seed))


def test_until_the_deal_ends_spectators_see_each_deal_when_it_is_scored_and_no_move_before(
    play: Callable[..., None],
) -> None:
    async def scenario(room: Room) -> None:
        chance, spectator = random.Random(1), Spectator(room)
        await spectator.hello()
        live = await room.server.referee.live(room.match)
        assert live.copy is not None
        scoring, scored = "", [0]
        while not live.over:
            seat = next(iter(live.since))
            legal = (await live.question(seat, "")).legal
            await room.server.referee.do_move(room.match, seat, live.decisions[seat], chance.choice(legal))
            after = live.copy.match.view(None).get("scoring", {}).get("id", scoring)
            if after != scoring:
                scoring = after
                scored.append(live.version)
            await asyncio.sleep(10)
            assert spectator.version == (live.version if live.over else scored[-1])
            assert spectator.table["status"] == ("over" if live.over else "playing")
        assert len(scored) > 2
        shown = [message["version"] for message in spectator.all(*SHOWN)]
        assert shown == list(range(live.version + 1))
        late = Spectator(room)
        await late.hello()
        await late.settle()
        assert (late.version, late.table["results"]) == (live.version, spectator.table["results"])

    play(scenario, delay=UNTIL_DEAL_ENDS, game="hamsterdam")


def test_until_the_deal_ends_a_game_that_scores_no_deals_is_shown_when_it_is_over(play: Callable[..., None]) -> None:
    async def scenario(room: Room) -> None:
        spectator = Spectator(room)
        await spectator.hello()
        for _ in range(2):
            await asyncio.sleep(300)
            await room.move("take 3")
        await asyncio.sleep(300)
        [snapshot] = spectator.all(*SHOWN)
        assert (snapshot["version"], snapshot["deadlines"]) == (0, {})
        await room.move("take 3")
        await asyncio.sleep(10)
        assert [message["version"] for message in spectator.all(*SHOWN)] == [0, 1, 2, 3]
        assert spectator.table["status"] == "over"

    play(scenario, delay=UNTIL_DEAL_ENDS)


def test_spectators_learn_after_the_delay_who_is_away_or_has_stood_up_and_never_who_is_connected(
    play: Callable[..., None],
) -> None:
    async def scenario(room: Room) -> None:
        player, spectator = Spectator(room, room.people[0]), Spectator(room)
        await player.hello()
        await spectator.hello()
        await asyncio.sleep(DELAY + 5)

        def seat(watcher: Spectator) -> tuple[str, bool, bool, int]:
            one = watcher.table["seats"][1]
            return one["kind"], one["here"], one["away"], one["held_for"]

        assert (seat(player)[:3], seat(spectator)[:3]) == (("person", False, False), ("person", True, False))
        presence.do_set_away(CODE, 1, True)
        await asyncio.sleep(5)
        seating.do_stand(CODE, room.people[1])
        await asyncio.sleep(DELAY - 6)
        assert (seat(player)[0], seat(spectator)) == ("bot", ("person", True, False, 0))
        await asyncio.sleep(1 + MOMENT)
        assert seat(spectator) == ("person", True, True, 0)
        await asyncio.sleep(5)
        assert seat(spectator)[0] == "bot"

    play(scenario)


def test_in_a_shared_room_spectators_read_what_players_write_after_the_delay(play: Callable[..., None]) -> None:
    async def scenario(room: Room) -> None:
        Table.objects.update(together=True)
        player, spectator, later = (
            Spectator(room, room.people[0]),
            Spectator(room, Person.objects.create()),
            Spectator(room),
        )
        await player.hello()
        await spectator.hello()
        await player.say(t="chat", id=1, text="I have the ace")
        await spectator.say(t="chat", id=1, text="Good evening")
        await asyncio.sleep(DELAY - 2)
        assert [one["line"]["text"] for one in player.all("chat")] == ["I have the ace", "Good evening"]
        await later.hello()  # it reads the messages from the database
        await asyncio.sleep(1)
        assert [one["line"]["text"] for one in spectator.all("chat")] == ["Good evening"]
        assert [line["text"] for line in later.all("welcome")[0]["chat"]] == ["Good evening"]
        await asyncio.sleep(1 + MOMENT)
        for one in (spectator, later):
            assert one.all("chat")[-1]["line"]["text"] == "I have the ace"
        assert len(later.all("chat")) == 1

    play(scenario)


@pytest.mark.parametrize("chosen", [0, 180, UNTIL_DEAL_ENDS])
def test_another_delay_counts_from_the_next_match_on_and_shows_nothing_of_this_one_early(
    play: Callable[..., None], chosen: int
) -> None:
    async def scenario(room: Room) -> None:
        spectator = Spectator(room)
        await spectator.hello()
        game = catalogue.find(Table.objects.get().game)
        for _ in range(3):
            await asyncio.sleep(5)
            await room.move("take 3")
        ended = now_ms()
        hosting.do_change_game(CODE, room.people[0], game, {}, 0, spectator_delay=chosen)
        await asyncio.sleep(DELAY - 1)
        assert (spectator.table["status"], spectator.table["results"], spectator.version) == ("playing", [], 2)
        await asyncio.sleep(1 + MOMENT)
        assert (spectator.table["status"], spectator.version) == ("over", 3)
        assert 0 <= spectator.seen(3) - ended - 1000 * DELAY < 1000 * MOMENT
        room.match = do_start_match(CODE, None)
        await asyncio.sleep(MOMENT)
        await room.move()
        await asyncio.sleep(MOMENT)
        known = {0: (room.match, 1), 180: (room.match - 1, 3), UNTIL_DEAL_ENDS: (room.match, 0)}[chosen]
        last = spectator.all(*SHOWN)[-1]
        assert (last["match"], last["version"]) == known

    play(scenario)


def test_a_match_that_starts_before_spectators_know_the_end_of_the_last_one_has_at_least_its_delay(
    play: Callable[..., None],
) -> None:
    async def scenario(room: Room) -> None:
        spectator = Spectator(room)
        await spectator.hello()
        for _ in range(3):
            await room.move("take 3")
        Table.objects.update(spectator_delay=0)
        await asyncio.sleep(DELAY - 10)
        room.match = do_start_match(CODE, None)
        assert Match.objects.get(pk=room.match).spectator_delay == DELAY
        await room.move()
        await asyncio.sleep(DELAY - 1)
        assert spectator.all(*SHOWN)[-1]["match"] != room.match
        await asyncio.sleep(2)
        assert spectator.all(*SHOWN)[-1]["match"] == room.match

    play(scenario)


# -- pages


@pytest.fixture
def match(table: Table) -> Match:
    """A sealed match that began long ago at a public table with a delay. Its last move was made now."""
    Table.objects.update(spectator_delay=DELAY, sealed=True)
    match = Match.objects.get(pk=do_start_match(table.code, None))
    Match.objects.update(started=timezone.now() - timedelta(hours=1))
    return Match.objects.select_related("table").get(pk=match.pk)


def end(match: Match) -> None:
    scores = [4.0, 3.0, 2.0, 1.0]
    do_end_match(match.pk, match.table_id, scores, [0], deciders=[(seat, "person") for seat in (0, 1)])


def passed() -> None:
    """Let the delay pass."""
    Match.objects.update(finished=timezone.now() - timedelta(seconds=DELAY + 1))


def doors(match: Match, client: Client) -> list[Any]:
    """Return the answers of all pages that show a match, or something about its moves."""
    number, link = match.pk, f"?table={match.table.code}"
    pages = [
        f"/replay/{number}/",
        f"/replay/{number}/frames.json",
        f"/replay/{number}/record.json",
        f"/replay/{number}/preview.png",
        f"/verify/{number}/",
        f"/lab/leads/{number}/",
        f"/workshop/from/{number}/",
    ]
    posts = [f"/replay/{number}/play/", f"/workshop/look/{number}/0/"]
    answers = [client.get(page + query) for page in pages for query in ("", link)]
    return answers + [client.post(page, {"move": 0, "seat": 0}) for page in posts]


@pytest.mark.parametrize("over", [False, True])
def test_no_page_shows_a_match_to_who_neither_sits_nor_played_there_before_the_delay_has_passed(
    match: Match, host: Actor, stranger: Actor, newcomer: Client, admin: Actor, over: bool
) -> None:
    if over:
        end(match)
    for client in (newcomer, stranger.client):
        assert {why_refused(answer) for answer in doors(match, client)} == {LATE}
    for client in (host.client, admin.client):
        assert client.get(f"/replay/{match.pk}/frames.json").status_code == 200
    if over:
        passed()
        for client in (newcomer, stranger.client):
            answers = [client.get(f"/replay/{match.pk}/{page}") for page in ("", "frames.json", "record.json")]
            assert [answer.status_code for answer in answers] == [200] * 3


def test_a_person_who_stood_up_during_the_match_is_a_spectator_of_its_pages(match: Match, guest: Actor) -> None:
    page = f"/replay/{match.pk}/frames.json"
    assert guest.client.get(page).status_code == 200
    seating.do_stand(match.table.code, guest.person)
    assert why_refused(guest.client.get(page)) == LATE
    end(match)  # no longer of use to anybody there
    assert guest.client.get(page).status_code == 200


def test_without_a_delay_a_running_match_has_a_replay(match: Match, newcomer: Client) -> None:
    Match.objects.update(spectator_delay=0)
    assert newcomer.get(f"/replay/{match.pk}/frames.json").status_code == 200


def test_a_match_that_was_dropped_is_announced_at_once(match: Match, newcomer: Client) -> None:
    Match.objects.update(status=Match.Status.DROPPED, dropped="stopped", finished=timezone.now())
    Table.objects.update(status=Table.Status.OVER)
    assert read_table(match.table.code).for_spectators.dropped == "stopped"
    assert newcomer.get(f"/replay/{match.pk}/").status_code == 200


def test_the_public_page_of_a_person_has_the_result_after_the_delay(match: Match, host: Actor) -> None:
    end(match)
    assert not results_of(host.person, public=True).exists()
    assert results_of(host.person).exists()
    passed()
    assert results_of(host.person, public=True).exists()


def test_the_score_of_an_evening_counts_a_match_after_the_delay(host: Actor, guest: Actor) -> None:
    circle = do_make(host.person, "Friday")
    game = catalogue.find("hamsterdam")
    table = do_start_evening(circle.code, host.person, game, ["me", "open", "house"], spectator_delay=DELAY)
    seating.do_sit(table.code, guest.person)
    match = Match.objects.get(pk=do_start_match(table.code, None))
    do_end_match(match.pk, match.table_id, [3, 2, 1], [0], deciders=[(seat, "person") for seat in (0, 1)])
    assert not evenings.scores(circle)[0].standings
    passed()
    assert len(evenings.scores(circle)[0].standings) == 2


def test_the_front_page_says_of_a_match_what_spectators_know(match: Match, host: Actor, guest: Actor) -> None:
    Seat.objects.filter(index=0).update(to_act=True)
    [row] = tables.public_rows()
    names = [player["name"] for player in row["players"]]
    assert (row["status"], row["close"], row["waits_for"]) == ("playing", 0, [])
    seating.do_stand(match.table.code, guest.person)
    end(match)
    [row] = tables.public_rows()
    assert (row["status"], [player["name"] for player in row["players"]]) == ("playing", names)
    assert tables.rows_of(host.person)[0]["status"] == "over"
    passed()
    Seat.objects.filter(index=0).update(seen=timezone.now())
    [row] = tables.public_rows()
    assert row["status"] == "over"
    assert [player["name"] for player in row["players"]] != names


def test_the_front_page_reads_no_table_that_is_open_in_this_process(
    match: Match, monkeypatch: pytest.MonkeyPatch, django_assert_max_num_queries: Any
) -> None:
    code = match.table.code
    expected = tables.public_rows()
    monkeypatch.setitem(server.match_server.relay.rooms, code, OpenRoom(read_table(code)))
    with django_assert_max_num_queries(3):
        assert tables.public_rows() == expected


def test_link_previews_say_nothing_of_who_is_in_the_seats_now(match: Match, newcomer: Client, guest: Actor) -> None:
    before = [newcomer.get(f"/t/{match.table.code}/{page}").content for page in ("", "preview.png")]
    assert guest.person.name.encode() not in before[0]
    seating.do_stand(match.table.code, guest.person)
    picture = newcomer.get(f"/t/{match.table.code}/preview.png").content
    assert picture == before[1]


def test_the_pages_of_a_circle_show_an_ended_match_as_being_played_until_the_delay_has_passed(
    host: Actor, guest: Actor
) -> None:
    circle = do_make(host.person, "Friday")
    game = catalogue.find("hamsterdam")
    table = do_start_evening(circle.code, host.person, game, ["me", "open", "house"], spectator_delay=DELAY)
    seating.do_sit(table.code, guest.person)
    match = Match.objects.get(pk=do_start_match(table.code, None))
    Match.objects.update(started=timezone.now() - timedelta(hours=1))
    do_end_match(match.pk, match.table_id, [3, 2, 1], [0], deciders=[(seat, "person") for seat in (0, 1)])
    [row] = page_data.tables(circle)
    assert (row.status, evenings.scores(circle)[0].matches[0].status) == ("playing", "running")
    passed()
    [row] = page_data.tables(circle)
    assert (row.status, evenings.scores(circle)[0].matches[0].status) == ("over", "over")


def test_the_public_page_of_a_person_lists_a_match_neither_before_nor_just_after_its_end(
    match: Match, host: Actor
) -> None:
    assert not results_of(host.person, public=True).exists()
    end(match)
    assert not results_of(host.person, public=True).exists()


def test_a_match_that_is_continued_from_one_with_a_delay_has_that_delay_too(match: Match, host: Actor) -> None:
    end(match)
    ended = Match.objects.get(pk=match.pk)
    other = Table(spectator_delay=0)
    assert (delay_for_next(other, [None, ended]), delay_for_next(other, [None, None])) == (DELAY, 0)
    passed()
    assert delay_for_next(other, [None, Match.objects.get(pk=match.pk)]) == 0


# -- the choice


@pytest.mark.parametrize("delay", DELAYS)
def test_the_host_chooses_a_delay_for_a_new_table_and_changes_it_between_matches(host: Actor, delay: int) -> None:
    form = {"seat0": "me", "seat1": "house", **{f"seat{n}": "none" for n in range(2, 6)}}
    form |= {"seconds": "60", "visibility": "link", "name": "Hostess"}
    host.client.post("/new/?game=hamsterdam", {**form, "spectator_delay": delay})
    table = Table.objects.get()
    assert (table.spectator_delay, read_table(table.code).info.spectator_delay) == (delay, delay)
    for chosen, result in ((60, 60), ("", 60), (0, 0)):  # "": a form of before
        host.client.post(f"/t/{table.code}/change/?game=hamsterdam", {"seconds": 60, "spectator_delay": chosen})
        assert Table.objects.get().spectator_delay == result


def test_a_delay_that_is_not_offered_is_refused(table: Table, host: Actor) -> None:
    game = catalogue.find("hamsterdam")
    with pytest.raises(
        Refused, match=r"^The spectator delay must be one of 0, 15, 60, 180 seconds, or 1000000000: until"
    ):
        hosting.do_change_game(table.code, host.person, game, {}, 60, spectator_delay=59)
