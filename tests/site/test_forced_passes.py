"""Forced passes: if everybody can see that a player must pass, the server passes for them, and nobody has decided."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from pytest_django.fixtures import Settings

from cardsite.lobby.games import NO_CLOCK
from cardsite.lobby.models import Seat, Table
from cardsite.people.models import Person
from cardsite.server.events import Events, MovePlayed
from cardsite.server.live import LiveMatch
from cardsite.server.referee import Referee
from cardsite.server.scheduler import Scheduler
from cardsite.table.models import Match, Move, Player
from cardsite.table.services.matches import do_start_match
from games import catalogue
from games.recycle.provider import read
from tests.interleaving import run
from tests.site.copies import advance, copy_of, load, rules_of
from tests.site.processes import RandomBots

pytestmark = pytest.mark.django_db(transaction=True)
CODE = "abcdefghjk"
PACE = 6.0  # seconds that a bot takes at least
MOMENT = 0.1  # seconds in which everything is done that is due
# The first player has two cards, the second none. Hands are open, so everybody sees that the second must pass.
TEXT = """(game
  (setup (create players 2) (create deck ((0 player) vloc HAND) (deck (N (A, B)))))
  (stage player
    (end (== (game sto TURNS) 3))
    (choice ((any ((current player) vloc HAND) 'C (move 'C (top (game vloc DISCARD))))
             ((== (size ((current player) vloc HAND)) 0) (turn pass))))
    (do ((inc (game sto TURNS) 1))))
  (scoring max 0))"""
Scenario = Callable[[Referee], Coroutine[Any, Any, None]]


@pytest.fixture
def people(monkeypatch: pytest.MonkeyPatch, settings: Settings, tmp_path: Path) -> list[Person]:
    """Two people at a table without a clock, for a match of the text."""
    settings.BOT_PACE = PACE
    settings.REDIS_URL = "redis://made-up"
    monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
    (tmp_path / "forced.rcy").write_text(TEXT)
    texts = catalogue.TextFolder("Texts", tmp_path, ".rcy", lambda name, text: read(name, text, ""))
    monkeypatch.setattr(catalogue, "providers", [*catalogue.providers, texts])
    found = [Person.objects.create(name=name) for name in ("Hostess", "Guest")]
    table = Table.objects.create(code=CODE, game="forced", host=found[0], seconds=NO_CLOCK)
    for index, person in enumerate(found):
        Seat.objects.create(table=table, index=index, person=person)
    return found


def play(scenario: Scenario) -> None:
    """Run a scenario with a virtual clock, while a process runs the matches."""

    async def prepared(chance: random.Random) -> None:
        chance.random = lambda: 0.0  # type: ignore[method-assign]  # calls of the database and bots take no time
        RandomBots.chance = chance
        events = Events()
        referee = Referee(events)
        scheduler = Scheduler("one", referee, events, RandomBots(1), RandomBots(1))  # type: ignore[arg-type]
        events.subscribe(MovePlayed, scheduler.on_move_played)
        await scheduler.round()
        await asyncio.sleep(MOMENT)
        await scenario(referee)

    run(prepared, "any")


def first_move(live: LiveMatch) -> str:
    """Return the first legal move of the player who has cards."""
    return rules_of(live).legal_moves(0)[0]


def decided() -> list[tuple[int, str, str]]:
    """Return the stored moves: the seat, the move, and who decided."""
    return list(Move.objects.order_by("ply").values_list("seat", "text", "by"))


def test_the_table_passes_after_a_pause_and_nobody_has_decided(people: list[Person]) -> None:
    match = do_start_match(CODE, None)

    async def scenario(referee: Referee) -> None:
        live = await referee.live(match)
        await referee.do_move(match, 0, 0, first_move(live))
        await asyncio.sleep(PACE - MOMENT)
        assert len(decided()) == 1, "the pass comes after a pause, so that people can follow"
        await asyncio.sleep(2 * MOMENT)
        assert decided()[1:] == [(1, "pass", "forced")]
        await asyncio.sleep(3 * PACE)
        assert len(decided()) == 2, "the first player has a card, and is asked, without a clock"
        await referee.do_move(match, 0, 1, first_move(live))

    play(scenario)
    assert Match.objects.get().status == Match.Status.OVER
    rows = Player.objects.order_by("seat").values_list("person", "decisions", "own_decisions")
    assert list(rows) == [(people[0].pk, 2, 2), (people[1].pk, 0, 0)]
    assert all(player.counts for player in Player.objects.all()), "a player who was never asked is not absent"


@pytest.mark.parametrize(("bot", "away"), [("", False), ("", True), ("random", False)])
def test_a_forced_pass_is_made_for_a_person_and_for_a_bot(people: list[Person], bot: str, away: bool) -> None:
    Seat.objects.filter(index=1).update(person=None if bot else people[1], bot=bot)
    match = do_start_match(CODE, None)
    Seat.objects.filter(index=1).update(away=away)

    async def scenario(referee: Referee) -> None:
        live = await referee.live(match)
        await referee.do_move(match, 0, 0, first_move(live))
        await asyncio.sleep(PACE + MOMENT)

    play(scenario)
    assert decided()[1:] == [(1, "pass", "forced")]


def test_the_player_is_not_asked_and_has_no_deadline(people: list[Person]) -> None:
    live = load(do_start_match(CODE, None))
    assert live.turns == {0: None}
    assert len(copy_of(live).view(0)["moves"]) == 2
    advance(live, 0, first_move(live))
    shown = copy_of(live).view(1)
    assert shown["moves"] == []
    assert shown["prompt"]["text"] == "You must pass"
    assert (live.turns, live.deadlines(), live.asks(1)) == ({}, {}, False)


def test_a_pass_that_a_client_sends_itself_is_no_decision_either(people: list[Person]) -> None:
    match = do_start_match(CODE, None)

    async def scenario(referee: Referee) -> None:
        live = await referee.live(match)
        await referee.do_move(match, 0, 0, first_move(live))
        await referee.do_move(match, 1, 0, "pass")

    play(scenario)
    assert decided()[1:] == [(1, "pass", "forced")]
