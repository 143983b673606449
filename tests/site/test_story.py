"""The favour: a story for one person at a table, whose matches do not count."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from cardsite.lobby.models import Seat, Table
from cardsite.server.table_info import read_table
from cardsite.table import statistics
from cardsite.table.models import Match, Player
from cardsite.table.services.matches import do_end_match
from cardsite.table.story import helper
from games import catalogue
from games.core import FastChance, LogEntry, SealedChance
from games.core import Match as Played
from games.core.story import Act, Story
from tests.running_site import ROOT
from tests.site.conftest import Actor
from tests.site.reasons import why_refused
from tests.site.test_person_page import page

FAVOUR = "/favour/hamsterdam/"
GAME = catalogue.find("hamsterdam")


@pytest.fixture
def story() -> Story:
    """The one of the game that has one."""
    assert GAME.story
    return GAME.story


@pytest.fixture
def begun(host: Actor) -> Table:
    """A table where the story has begun."""
    answer = host.client.post(FAVOUR)
    return Table.objects.get(code=answer.headers["Location"].strip("/").split("/")[1])


def end(table: Table, winners: list[int]) -> Match:
    """Have the game end that is being played."""
    match = Match.objects.get(table=table, status=Match.Status.RUNNING)
    scores = [float(seat in winners) for seat in range(3)]
    do_end_match(match.pk, table.pk, scores, winners)
    match.refresh_from_db()
    return match


def press(actor: Actor, table: Table, button: str, **fields: object) -> str:
    """Press a button at the table. Return the code of the refusal, "" for none."""
    return str(actor.client.post(f"/t/{table.code}/{button}/", fields).json().get("code", ""))


def test_every_act_is_narrated_by_characters_who_are_there(story: Story) -> None:
    acts: tuple[Act, ...] = ("begin", "lost", "open", "agreed", "still", "alone", "friend", "deck")
    assert set(story.acts) == set(acts)
    assert all(
        lines and all(-1 <= sentence.speaker < len(story.names) for sentence in lines) for lines in story.acts.values()
    )
    assert GAME.rig
    assert story.way in GAME.rig.ways
    assert catalogue.bot(GAME, helper(story), len(story.names))


def test_the_characters_have_faces_and_say_something_about_what_happens(
    begun: Table, host: Actor, story: Story
) -> None:
    info = read_table(begun.code)[0]
    assert info.story
    assert [seat.face for seat in info.seats] == list(story.faces) == ["", "pruim", "krol"]
    assert {one.speaker for one in info.story.voices} == {1, 2}
    drawn = (ROOT / "static/art/portraits.svg").read_text()
    assert all(f'<symbol id="{face}"' in drawn for face in story.faces[1:])


def test_everything_that_a_character_may_say_is_about_something_that_happens(story: Story) -> None:
    events = {(voice.kind, voice.seat, *sorted(voice.about.items())) for voice in story.voices}
    chance = FastChance("voices")
    for number in range(300):
        match = Played.start(GAME, 3, {}, SealedChance(bytes([number % 256, number // 256]) * 16))
        while match.to_act():
            seat = match.to_act()[0]
            match.advance(seat, chance.choice(match.legal_moves(seat)))
        for entry in (entry for ply in match.log for entry in ply):
            events -= {event for event in events if _is_about(event, entry)}
        if not events:
            return
    raise AssertionError(events)


def _is_about(event: tuple[Any, ...], entry: LogEntry) -> bool:
    kind, seat, *about = event
    args = {
        name: arg["seat"] if "seat" in arg else arg["card"][-1]
        for name, arg in entry["text"]["args"].items()
        if isinstance(arg, dict)
    }
    return (entry["kind"], entry.get("seat")) == (kind, seat) and all(args.get(name) == value for name, value in about)


@pytest.mark.parametrize(
    ("won", "asked", "helped", "act", "may_ask"),
    [
        ([], False, False, "begin", False),
        ([[0]], False, False, "lost", False),
        ([[0], [2]], False, False, "open", True),
        ([[0], [2]], True, False, "agreed", False),
        ([[0], [2], [0]], False, False, "still", True),
        ([[0], [2], [0]], True, False, "agreed", False),
        ([[0], [2], [0]], True, True, "still", False),
        ([[1]], False, False, "alone", False),
        ([[0], [0, 1]], False, False, "alone", False),
        ([[0], [2], [1]], False, False, "deck", False),
        ([[0], [2], [1]], True, True, "friend", False),
    ],
)
def test_the_story_follows_from_who_has_won_and_who_helped(
    story: Story, won: list[list[int]], asked: bool, helped: bool, act: Act, may_ask: bool
) -> None:
    assert story.act(won, asked, helped) == act
    assert story.may_ask(won, asked) == may_ask


def test_it_goes_from_the_front_page_to_its_end(host: Actor, newcomer: Client, begun: Table, story: Story) -> None:
    assert FAVOUR in newcomer.get("/").content.decode()
    assert "Mevrouw Pruim by the window" in page(newcomer, FAVOUR)
    assert not begun.public
    assert not begun.sealed
    assert [player.name for player in Player.objects.filter(match__table=begun)] == ["Hostess", *story.names[1:]]

    # Two games by an honest deck; nobody can be asked before they are lost.
    assert end(begun, [0]).favourite is None
    assert press(host, begun, "ask-friend") == "bad_option"
    assert press(host, begun, "ready") == ""
    assert end(begun, [2]).favourite is None
    info = read_table(begun.code)[0]
    assert info.story
    assert (info.story.done, info.story.may_ask) == (False, True)
    assert press(host, begun, "ask-friend") == ""
    assert press(host, begun, "ask-friend") == "bad_option"
    assert read_table(begun.code)[0].story.lines[0].seat == story.friend  # type: ignore[union-attr]

    # The third by a friend and a deck that means well, which the house owns up to.
    assert press(host, begun, "ready") == ""
    assert read_table(begun.code)[0].stacked_for == -1
    third = end(begun, [1])
    assert (third.favourite, third.options["rigged"]) == (1, "subtle-1")
    assert Player.objects.get(match=third, seat=story.friend).bot == helper(story)
    info = read_table(begun.code)[0]
    assert info.story
    assert (info.stacked_for, info.story.done) == (1, True)
    assert [line.text for line in info.story.lines] == [sentence.text for sentence in story.acts["friend"]]
    assert press(host, begun, "ready") == "story_over"
    assert press(host, begun, "start") == "story_over"

    # It is a favour, and neither a win nor a loss.
    read = page(host.client)
    assert "Favour done" in read
    assert "1 favour done, in match 3" in read
    assert read.count("A favour, not done yet") == 2
    assert "Place" not in read
    assert statistics.by_game(statistics.lines(host.person)) == []
    assert "Favour" not in page(newcomer, f"/people/{host.person.pk}/")


def test_its_seats_and_its_game_stay_as_they_are(host: Actor, stranger: Actor, begun: Table) -> None:
    end(begun, [0])
    before = list(Seat.objects.filter(table=begun).values_list("index", "bot", "person"))
    tries: list[tuple[str, dict[str, object]]] = [
        ("set-seat", {"seat": 1, "kind": "random"}),
        ("fill", {}),
        ("add-seat", {}),
        ("remove-seat", {"seat": 1}),
    ]
    for button, fields in tries:
        assert press(host, begun, button, **fields) == "story", button
    assert press(stranger, begun, "request-seat") == "story"
    assert press(stranger, begun, "ask-friend") == "not_host"
    host.client.post(f"/t/{begun.code}/change/", {"game": "bundles", "seconds": 60})
    begun.refresh_from_db()
    assert begun.game == "hamsterdam"
    assert list(Seat.objects.filter(table=begun).values_list("index", "bot", "person")) == before
    # Who gets up may come back, and nobody else takes the seat.
    assert press(host, begun, "stand") == ""
    assert press(stranger, begun, "sit") == "story"
    assert press(host, begun, "sit") == ""


def test_no_table_but_a_storys_asks_a_friend(host: Actor, table: Table) -> None:
    Table.objects.filter(pk=table.pk).update(status=Table.Status.OVER)
    assert press(host, table, "ask-friend") == "bad_option"
    assert why_refused(Client().get("/favour/bundles/")) == "Stealing Bundles has no story."


def test_a_second_click_finds_the_story_that_has_just_begun(host: Actor, begun: Table) -> None:
    assert begun.code in host.client.post(FAVOUR).headers["Location"]
    assert begun.code not in host.client.post("/play/hamsterdam/").headers["Location"]
