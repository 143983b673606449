"""The favour: a story for one person at a table, whose matches do not count."""

from __future__ import annotations

from importlib import import_module
from typing import Any, cast, get_args

import pytest
from django.apps import apps
from django.test import Client

from cardsite.lobby.models import Seat, Table
from cardsite.server.table_info import read_table
from cardsite.table import statistics
from cardsite.table.models import Match, Move, Player
from cardsite.table.services.matches import do_end_match
from cardsite.table.story import helper
from games import catalogue
from games.bundles.rules import BundlesState
from games.core import FastChance, Game, SealedChance
from games.core import Match as Played
from games.core.story import HERO, Act, Choice, Story, StoryProgress
from games.core.view import Sentence
from games.hamsterdam.rules import HamsterdamState
from tests.running_site import ROOT
from tests.site.conftest import Actor
from tests.site.reasons import why_refused
from tests.site.test_person_page import page
from tests.voices import speaks_of

FAVOUR = "/favour/hamsterdam/"
GAME = catalogue.find("hamsterdam")
BUNDLES = catalogue.find("bundles")
with_story = [game for game in catalogue.listed() if game.story]
each_story = pytest.mark.parametrize("game", with_story, ids=[game.name for game in with_story])
ABOUT_THE_DECK: set[Act] = {"offer", "accepted", "deck"}


def story_of(game: Game) -> Story:
    """Return the story of a game that has one."""
    assert game.story
    return game.story


@pytest.fixture
def story() -> Story:
    """The story of Hamsterdam Exchange."""
    return story_of(GAME)


def begin(host: Actor, address: str) -> Table:
    """Begin the story at this address. Return its table."""
    answer = host.client.post(address)
    return Table.objects.get(code=answer.headers["Location"].strip("/").split("/")[1])


@pytest.fixture
def begun(host: Actor) -> Table:
    """A table where the story of Hamsterdam Exchange has begun."""
    return begin(host, FAVOUR)


def end(table: Table, winners: list[int]) -> Match:
    """End the running match."""
    match = Match.objects.get(table=table, status=Match.Status.RUNNING)
    scores = [float(seat in winners) for seat in range(3)]
    do_end_match(match.pk, table.pk, scores, winners)
    match.refresh_from_db()
    return match


def press(actor: Actor, table: Table, button: str, **fields: object) -> str:
    """Press a button at the table. Return the code of the refusal, "" for none."""
    return str(actor.client.post(f"/t/{table.code}/{button}/", fields).json().get("code", ""))


def chosen(table: Table) -> list[str]:
    """Return what may be chosen now."""
    info = read_table(table.code).info
    return [one.key for one in info.story.choices] if info.story else []


def said(table: Table) -> list[Sentence]:
    """Return the sentences that are said at a table of a story now."""
    info = read_table(table.code).info
    assert info.story
    return [line.text for line in info.story.lines]


def sentences(story: Story, *acts: Act) -> list[Sentence]:
    """Return the sentences of these acts."""
    return [line.text for act in acts for line in story.acts[act]]


def help_her(table: Table) -> None:
    """Let the person put a spade on her stock in the running match, whose cards are those of a seed that allows it."""
    for number in range(256):
        seed = bytes([number] * 32)
        played = Played.start(GAME, 3, {}, SealedChance(seed))
        state: Any = played.state
        while state.phase == "market":
            played.advance(played.to_act()[0], "keep")
        if played.to_act() == (0,) and (spade := next((one for one in state.hands[0] if one[-1] == "S"), "")):
            played.advance(0, f"play {spade} on 1")
            match = Match.objects.get(table=table, status=Match.Status.RUNNING)
            Match.objects.filter(pk=match.pk).update(seed=seed.hex())
            for ply, (seat, text) in enumerate(played.moves, 1):
                Move.objects.create(match=match, ply=ply, seat=seat, text=text, at=0)
            return
    raise AssertionError("No seed gives the person a spade and the first turn.")


@each_story
def test_every_act_is_narrated_by_characters_who_are_there(game: Game) -> None:
    story = story_of(game)
    stacked = "deck" in story.choices
    assert set(story.acts) == set(get_args(Act)) - (set() if stacked else ABOUT_THE_DECK)
    assert set(story.choices) == set(get_args(Choice)) - (set() if stacked else {"deck"})
    assert all(
        lines and all(-1 <= sentence.speaker < len(story.names) for sentence in lines) for lines in story.acts.values()
    )
    assert not stacked or (game.rig and story.way in game.rig.ways)
    assert catalogue.bot(game, helper(story), len(story.names))
    drawn = (ROOT / "static/art/portraits.svg").read_text()
    assert all(f'<symbol id="{face}"' in drawn for face in story.faces[1:])


def test_the_characters_have_faces_and_say_something_about_what_happens(
    begun: Table, host: Actor, story: Story
) -> None:
    info = read_table(begun.code).info
    assert info.story
    assert [seat.face for seat in info.seats] == list(story.faces) == ["", "pruim", "krol"]
    assert {one.speaker for one in info.story.voices} == {1, 2}


@each_story
def test_everything_that_a_character_may_say_is_about_something_that_happens(game: Game) -> None:
    story = story_of(game)
    waiting = list(story.voices)
    chance = FastChance("voices")
    helped = 0
    for number in range(300):
        match = Played.start(game, 3, {}, SealedChance(bytes([number % 256, number // 256]) * 16))
        while match.to_act():
            seat = match.to_act()[0]
            move = chance.choice(match.legal_moves(seat))
            helped += seat == HERO and story.helps(match.state, move)
            match.advance(seat, move)
        for entry in (entry for ply in match.log for entry in ply):
            waiting = [voice for voice in waiting if not speaks_of(voice, entry)]
        if helped and not waiting:
            return
    raise AssertionError(waiting)


@pytest.mark.parametrize(
    ("move", "helps"),
    [
        ("play 7C", False),  # steals her three cards
        ("play 9C", True),  # joins the pool
        ("play 2C", True),  # takes one card: two cards gained, and not four
        ("play 5C", False),  # steals five of her grandfather's
    ],
)
def test_a_player_who_leaves_her_a_bundle_that_was_worth_more_has_helped_her(move: str, helps: bool) -> None:
    state = cast(BundlesState, Played.start(BUNDLES, 3, {}, FastChance("birthday")).state)
    state.pool = ["2D"]
    state.bundles = [[], ["3C", "3D", "7D"], ["4C", "4D", "6C", "6D", "5D"]]
    state.hands[HERO] = ["2C", "5C", "7C", "9C"]
    assert story_of(BUNDLES).helps(state, move) is helps
    state.bundles[1] = []
    assert story_of(BUNDLES).helps(state, move) is False


@pytest.mark.parametrize(
    ("move", "stock", "dealer", "certificates", "helps"),
    [
        ("play 3S on 1", "2C", 2, [2, 2, 2], True),
        ("play 3S on 2", "2C", 2, [2, 2, 2], False),
        ("play 3H on 0", "2C", 2, [2, 2, 2], False),
        ("play 3H on 2", "2C", 2, [2, 2, 2], False),  # on the captain
        ("trade", "7C", 2, [2, 2, 2], True),
        ("trade", "6C", 2, [2, 2, 2], False),
        ("keep", "10C", 2, [2, 2, 2], False),
        ("trade", "10C", 0, [2, 2, 2], False),  # with the deck
        ("trade", "10C", 2, [2, 0, 2], False),  # with the captain: she is out
    ],
)
def test_a_player_who_gives_away_what_nobody_gives_away_has_helped_her(
    move: str, stock: str, dealer: int, certificates: list[int], helps: bool, story: Story
) -> None:
    state = cast(HamsterdamState, Played.start(GAME, 3, {}, FastChance("favour")).state)
    state.stock[HERO], state.dealer, state.certificates = stock, dealer, certificates
    assert story.helps(state, move) is helps


HER, FRIEND, ME = [1], [2], [0]
ASK, DECK = (1, "ask"), (1, "deck")


@pytest.mark.parametrize(
    ("won", "helped", "chosen", "acts", "choices"),
    [
        ([], [], [], "begin", ""),
        # After a game: how it went, whether the friend has noticed anything, and the deck once he has or she has lost.
        ([ME], [0], [], "lost hint offer", "ask deck"),
        ([HER], [0], [], "won hint", "ask"),
        ([HER], [1], [], "won noticed offer", "ask deck"),
        ([HER], [1], [ASK], "agreed offer", "deck"),
        ([ME, HER], [1, 0], [], "won noticed offer", "ask deck"),
        # Asked: he agrees if he has noticed, and may otherwise be asked again after the next game.
        ([ME], [1], [ASK], "agreed offer", "deck"),
        ([ME], [0], [ASK], "refused offer", "deck"),
        ([ME, HER], [0, 1], [ASK], "won noticed offer", "ask deck"),
        ([ME, HER], [1, 0], [ASK], "won offer", "deck"),
        ([ME], [1], [ASK, DECK], "agreed accepted", ""),
        ([ME], [0], [DECK], "lost hint accepted", "ask"),
        # The end: alone, with the friend, with the deck, or another player's evening.
        ([HER, HER], [0, 0], [], "alone", "tell keep"),
        ([HER, [0, 1]], [0, 0], [ASK], "alone", "tell keep"),
        ([ME, HER, HER], [1, 0, 0], [ASK], "friend", "tell keep"),
        ([ME, HER, HER], [1, 0, 0], [ASK, DECK], "deck", "tell keep"),
        ([ME, HER, FRIEND, FRIEND], [1, 0, 0, 0], [ASK, DECK], "over", ""),
        ([[0, 1], [0, 1]], [0, 0], [], "alone", "tell keep"),
        ([HER, HER], [0, 0], [(2, "tell")], "alone told", ""),
        ([HER, HER], [0, 0], [(2, "keep")], "alone kept", ""),
    ],
)
def test_what_is_said_and_may_be_chosen_follows_from_the_games_and_the_choices(
    story: Story, won: list[list[int]], helped: list[int], chosen: list[tuple[int, Choice]], acts: str, choices: str
) -> None:
    now = StoryProgress(story, won, helped, chosen)
    assert now.lines == [line for act in acts.split() for line in story.acts[act]]  # type: ignore[index]
    assert now.choices == choices.split()


def test_a_favour_goes_from_the_front_page_to_its_end(
    host: Actor, newcomer: Client, begun: Table, story: Story
) -> None:
    front = newcomer.get("/").content.decode()
    assert all(f"/favour/{game.name}/" in front for game in with_story)
    assert "Mevrouw Pruim by the window" in page(newcomer, FAVOUR)
    assert not begun.public
    assert not begun.sealed
    assert [player.name for player in Player.objects.filter(match__table=begun)] == ["Hostess", *story.names[1:]]

    # Nothing can be chosen during a game. After one that she lost, the friend refuses who has not been seen to help.
    assert press(host, begun, "choose", choice="ask") == "playing"
    assert end(begun, [0]).favourite is None
    assert chosen(begun) == ["ask", "deck"]
    assert press(host, begun, "choose", choice="tell") == "bad_option"
    assert press(host, begun, "choose", choice="ask") == ""
    assert press(host, begun, "choose", choice="ask") == "bad_option"
    assert said(begun) == sentences(story, "refused", "offer")
    assert Seat.objects.get(table=begun, index=story.friend).bot == "house"

    # In the second game the person gives her a spade, and he has seen it.
    assert press(host, begun, "ready") == ""
    help_her(begun)
    assert end(begun, [1]).favourite is None
    assert said(begun) == sentences(story, "won", "noticed", "offer")
    assert press(host, begun, "choose", choice="ask") == ""
    assert said(begun) == sentences(story, "agreed", "offer")
    assert press(host, begun, "choose", choice="deck") == ""
    assert said(begun) == sentences(story, "agreed", "accepted")

    # The third is by the friend and by the deck, which is revealed. It is her second win.
    assert press(host, begun, "ready") == ""
    assert read_table(begun.code).info.stacked_for == -1
    third = end(begun, [1])
    assert (third.favourite, third.options["rigged"]) == (1, "subtle-1")
    assert Player.objects.get(match=third, seat=story.friend).bot == helper(story)
    info = read_table(begun.code).info
    assert info.story
    assert (info.stacked_for, info.story.done, info.story.over, info.story.won) == (1, True, True, [1, 2, 0])
    assert said(begun) == sentences(story, "deck")
    assert press(host, begun, "ready") == "story_over"
    assert press(host, begun, "start") == "story_over"
    assert press(host, begun, "choose", choice="keep") == ""
    assert press(host, begun, "choose", choice="tell") == "bad_option"
    assert said(begun) == sentences(story, "deck", "kept")

    # A favour counts neither as a win nor as a loss.
    read = page(host.client)
    assert "Favour done" in read
    assert "1 favour done, in match 3" in read
    assert read.count("A favour, not done yet") == 2
    assert "Place" not in read
    assert statistics.by_game(statistics.results_of(host.person)) == []
    assert "Favour" not in page(newcomer, f"/people/{host.person.pk}/")


def test_a_favour_whose_deck_is_always_honest_goes_to_its_end(host: Actor) -> None:
    story = story_of(BUNDLES)
    table = begin(host, "/favour/bundles/")
    assert [seat.called for seat in Seat.objects.filter(table=table)] == list(story.names)
    end(table, [0])
    assert said(table) == sentences(story, "lost", "hint")
    assert chosen(table) == ["ask"]
    assert press(host, table, "choose", choice="deck") == "bad_option"
    assert press(host, table, "choose", choice="ask") == ""
    assert said(table) == sentences(story, "refused")
    for _ in range(2):
        assert press(host, table, "ready") == ""
        assert end(table, [1]).favourite is None
    assert said(table) == sentences(story, "alone")
    info = read_table(table.code).info
    assert (info.stacked_for, info.story and info.story.done) == (-1, True)
    assert press(host, table, "choose", choice="tell") == ""
    assert said(table) == sentences(story, "alone", "told")


def test_the_seats_and_the_game_of_a_favour_stay_as_they_are(host: Actor, stranger: Actor, begun: Table) -> None:
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
    assert press(stranger, begun, "choose", choice="ask") == "not_host"
    host.client.post(f"/t/{begun.code}/change/", {"game": "bundles", "seconds": 60})
    begun.refresh_from_db()
    assert begun.game == "hamsterdam"
    assert list(Seat.objects.filter(table=begun).values_list("index", "bot", "person")) == before
    # A person who stands up may come back, and nobody else takes the seat.
    assert press(host, begun, "stand") == ""
    assert press(stranger, begun, "sit") == "story"
    assert press(host, begun, "sit") == ""


def test_no_table_but_a_storys_has_choices(host: Actor, table: Table) -> None:
    Table.objects.filter(pk=table.pk).update(status=Table.Status.OVER)
    assert press(host, table, "choose", choice="ask") == "bad_option"
    assert why_refused(Client().get("/favour/camelup/")) == "Camel Up has no story."


def test_a_second_click_finds_the_story_that_has_just_begun(host: Actor, begun: Table) -> None:
    assert begun.code in host.client.post(FAVOUR).headers["Location"]
    assert begun.code not in host.client.post("/play/hamsterdam/").headers["Location"]


@pytest.mark.parametrize(("winner", "wins", "rigged"), [(1, 1, True), (0, 2, False)])
def test_a_favour_of_before_the_evenings_stays_done_or_becomes_one(
    begun: Table, winner: int, wins: int, rigged: bool
) -> None:
    """It was done with the first match that she won, and its deck was stacked from the third match on."""
    end(begun, [winner])
    Table.objects.filter(pk=begun.pk).update(rigged=True, rig_lasts=Table.RigLasts.SERIES)
    import_module("cardsite.table.migrations.0015_story_evenings").keep_what_was_done(apps, None)
    begun.refresh_from_db()
    assert (begun.story_wins, begun.rigged) == (wins, rigged)
    info = read_table(begun.code).info
    assert info.story
    assert info.story.done == (winner == 1)
