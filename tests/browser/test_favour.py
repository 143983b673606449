"""Whole evenings of a favour in a browser, to each of their endings.

An evening is chance, so each match is brought near its end: a match that exists already gets another seed and all moves
but the last one. That one, and everything between the matches, is done in the page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Locator, Page, expect

from games import catalogue
from games.core import FastChance, Game, Information, Match, SealedChance
from games.core.story import HERO, NARRATOR, Act, Choice, Story, Voice
from games.core.view import Sentence, plain
from tests import words
from tests.browser.conftest import Visitor
from tests.browser.tables import MOVE, code_of, piece, wait_for_turn
from tests.running_site import RunningSite
from tests.tiers import full
from tests.voices import speaks_of

pytestmark = full

HAMSTERDAM, BUNDLES = catalogue.find("hamsterdam"), catalogue.find("bundles")
# Seed and moves of the running match of a table.
STORE = """
from time import time
from cardsite.table.models import Match, Move
match = Match.objects.get(table__code="{code}", status=Match.Status.RUNNING)
Match.objects.filter(pk=match.pk).update(seed="{seed}")
match.moves.all().delete()
for ply, (seat, text) in enumerate({moves}, 1):
    by = "bot" if seat else "person"
    Move.objects.create(match=match, ply=ply, seat=seat, text=text, by=by, at=int(1000 * time()))
"""
# What lies under a bubble that has to be seen or touched.
COVERED = """() => {
  const bubbles = [...document.querySelectorAll(".bubble")].map((one) => one.getBoundingClientRect());
  return [...document.querySelectorAll(".felt [data-piece], .controls button, .scoring")].filter((node) => {
    const box = node.getBoundingClientRect();
    return bubbles.some((one) => Math.min(one.right, box.right) - Math.max(one.left, box.left) > 1 &&
      Math.min(one.bottom, box.bottom) - Math.max(one.top, box.top) > 1);
  });
}"""


class Position(NamedTuple):
    """A position of a match: its seed, the moves so far, and a move that the person is to make now."""

    seed: str
    moves: list[tuple[int, str]]
    move: str


def story_of(game: Game) -> Story:
    """Return the story of a game that has one."""
    assert game.story
    return game.story


def dealt(game: Game, stacked: bool = False) -> Iterator[tuple[str, Match]]:
    """Deal matches of a story. Yields their seeds, too."""
    story = story_of(game)
    options = game.rig.options(story.favourite, 0, [], story.way) if stacked and game.rig else {}
    for number in range(10_000):
        seed = number.to_bytes(32, "big")
        yield seed.hex(), Match.start(game, 3, options, SealedChance(seed))
    raise AssertionError("No match is like that.")


@cache
def before_the_end(game: Game, winner: int, stacked: bool, helps: bool) -> Position:
    """Return a position in which the person makes the last move of a match, and a seat wins."""
    story, chance = story_of(game), FastChance("favour")
    for seed, match in dealt(game, stacked):
        helped = 0
        while match.to_act():
            seat = match.to_act()[0]
            move = chance.choice(match.legal_moves(seat))
            helped += seat == HERO and story.helps(match.state, move)
            match.advance(seat, move)
        *moves, (seat, move) = match.moves
        if seat == HERO and match.winners() == [winner] and bool(helped) == helps:
            return Position(seed, moves, move)
    raise AssertionError


@cache
def before_a_word(game: Game) -> tuple[Position, Voice]:
    """Return a position, and what a character says about the person's move. Nothing is said about the next ones."""
    story, chance, house = story_of(game), FastChance("favour"), catalogue.bot(game, "house")
    for seed, match in dealt(game):
        while match.to_act():
            seat = match.to_act()[0]
            move = chance.choice(match.legal_moves(seat))
            match.advance(seat, move)
            if seat != HERO or not (comments := spoken(story, match, -1)):
                continue
            before = match.ply
            while match.to_act() and (next_seat := match.to_act()[0]) != HERO:
                legal = match.legal_moves(next_seat)
                info = Information.of(game, match.state, next_seat, chance, house.needs, legal)
                match.advance(next_seat, house.choose(info))
            if match.to_act() and not any(spoken(story, match, ply) for ply in range(before + 1, match.ply + 1)):
                return Position(seed, match.moves[: before - 1], move), comments[0]
    raise AssertionError


def spoken(story: Story, match: Match, ply: int) -> list[Voice]:
    """Return the voices that speak about a move of a match."""
    return [voice for voice in story.voices if any(speaks_of(voice, entry) for entry in match.log[ply])]


class Evening:
    """An evening of a game's story in a page, and its site."""

    def __init__(self, site: RunningSite, page: Page, game: Game, language: str) -> None:
        """Go to the story from the front page, and sit down."""
        self.site, self.page, self.game = site, page, game
        self.story = story_of(game)
        self.words = game.words(language)
        self.site_words = words.known(language, "scripts") if language != "en" else {}
        page.goto("/")
        card = page.locator(".favour-card").filter(has_text=self.written(self.story.title))
        card.get_by_role("link").click()
        expect(page.locator(".scene p")).to_have_text([self.written(line.text) for line in self.story.acts["begin"]])
        page.locator("main form[method=post] button").click()
        page.wait_for_url("**/t/*/")

    def written(self, sentence: Sentence) -> str:
        """Return a sentence of the story as it is read."""
        return plain(sentence, self.story.names, self.words)

    def button(self, text: str) -> Locator:
        """Return a button of the table with this text, which is given in English."""
        return self.page.get_by_role("button", name=self.site_words.get(text, text), exact=True)

    def bring_to(self, position: Position) -> None:
        """Bring the running match to a position."""
        seed, moves, _ = position
        self.site.kill()
        self.site.manage("shell", "-c", STORE.format(code=code_of(self.page.url), seed=seed, moves=moves))
        self.site.start()
        self.page.reload()
        wait_for_turn(self.page)

    def decide(self, move: str) -> None:
        """Make a move as people do, by its button or by its card and a seat."""
        verb, *words = move.split()
        if verb != "play":
            self.page.locator(f"{MOVE}[data-move={verb}]").click()
            return
        piece(self.page, words[0]).click()
        if len(words) > 1:
            self.page.locator(f".felt .seat[data-seat='{words[-1]}'] .plate").click()

    def see_a_comment(self) -> None:
        """Make a move that a character says something about, and see the words at the table."""
        position, voice = before_a_word(self.game)
        self.bring_to(position)
        self.decide(position.move)
        bubble = self.page.locator(f".bubble[data-seat='{voice.speaker}']")
        expect(bubble).to_have_text(self.written(voice.text))
        expect(bubble).to_be_in_viewport(ratio=1)
        self.page.wait_for_function(f"() => ({COVERED})().length === 0")  # it moves as soon as a card comes there

    def end(self, winner: int, *acts: Act, stacked: bool = False, helps: bool = False) -> None:
        """Play the running match to its end, after which these acts are read."""
        position = before_the_end(self.game, winner, stacked, helps)
        self.bring_to(position)
        self.decide(position.move)
        self.reads(*acts)

    def choose(self, choice: Choice, *acts: Act) -> None:
        """Press the button of a choice, which is in view, after which these acts are read."""
        button = self.page.get_by_role("button", name=self.written(self.story.choices[choice]), exact=True)
        expect(button).to_be_in_viewport(ratio=1)
        button.click()
        self.reads(*acts)
        if choice in ("tell", "keep"):
            expect(self.page.locator(".result .scene p").last).to_be_in_viewport(ratio=1)

    def reads(self, *acts: Act) -> None:
        """Expect the lines of these acts, each with its speaker's name and portrait."""
        lines = [line for act in acts for line in self.story.acts[act]]
        scene = self.page.locator(".result .scene")
        expect(scene.locator("p")).to_have_text([self.written(line.text) for line in lines])
        names = [self.story.names[line.speaker] if line.speaker != NARRATOR else self.story.narrator for line in lines]
        expect(scene.locator("b")).to_have_text(names)
        faces = scene.locator("use").evaluate_all("(all) => all.map((use) => use.href.baseVal.split('#')[1])")
        assert faces == [self.story.faces[line.speaker] if line.speaker != NARRATOR else "spectator" for line in lines]

    def go_on(self) -> None:
        """Begin the next match."""
        self.button("Play the next match").click()
        expect(self.page.locator(".result")).to_be_hidden()
        wait_for_turn(self.page)

    def is_over(self) -> None:
        """Expect that nothing is left to choose, and no match to be played."""
        expect(self.page.locator(".result .scene + .button-row")).to_have_count(0)
        expect(self.button("Play the next match")).to_have_count(0)
        expect(self.page.locator("[data-key^='lobby ']").first).to_be_visible()


HER, FRIEND = 1, 2
Begin = Callable[..., Evening]


@pytest.fixture
def begin(new_site: Callable[..., RunningSite], visitor: Visitor) -> Begin:
    """A function that begins an evening with a game in a language; further arguments are those of ``visitor``."""

    def evening(game: Game, language: str = "en", **how: Any) -> Evening:
        site = new_site()
        site.open()
        site.start()
        page = visitor(at=site, **how)
        page.set_extra_http_headers({"Accept-Language": language})
        return Evening(site, page, game, language)

    return evening


def test_a_favour_is_done_alone(begin: Begin) -> None:
    evening = begin(HAMSTERDAM, reduced_motion=False)
    evening.see_a_comment()
    evening.end(HERO, "lost", "hint", "offer")
    evening.go_on()
    evening.end(HER, "won", "noticed", "offer", helps=True)
    evening.go_on()
    evening.end(HER, "alone")
    evening.choose("tell", "alone", "told")
    evening.is_over()


def test_a_favour_is_done_with_the_friend(begin: Begin) -> None:
    evening = begin(HAMSTERDAM, device="phone", scheme="dark", reduced_motion=True)
    evening.see_a_comment()
    evening.page.set_viewport_size({"width": 844, "height": 390})
    evening.end(HER, "won", "noticed", "offer", helps=True)
    evening.choose("ask", "agreed", "offer")
    evening.go_on()
    evening.end(HER, "friend")
    evening.choose("keep", "friend", "kept")
    evening.is_over()


def test_a_favour_is_done_with_the_deck_and_in_german(begin: Begin) -> None:
    evening = begin(HAMSTERDAM, "de")
    evening.see_a_comment()
    evening.end(FRIEND, "lost", "hint", "offer")
    evening.choose("deck", "lost", "hint", "accepted")
    evening.go_on()
    evening.end(HER, "won", "hint", stacked=True)
    expect(evening.page.locator(".stacked-note")).to_contain_text("Mevrouw Pruim")
    evening.go_on()
    evening.end(HER, "deck", stacked=True)
    evening.choose("tell", "deck", "told")
    evening.is_over()


def test_a_favour_is_not_done(begin: Begin) -> None:
    evening = begin(HAMSTERDAM, device="phone")
    evening.end(FRIEND, "lost", "hint", "offer")
    evening.choose("ask", "refused", "offer")
    evening.go_on()
    evening.see_a_comment()
    evening.end(FRIEND, "over")
    evening.is_over()


def test_the_other_favour_is_done_with_the_friend(begin: Begin) -> None:
    evening = begin(BUNDLES, device="phone")
    evening.see_a_comment()
    evening.end(HERO, "lost", "noticed", helps=True)
    evening.choose("ask", "agreed")
    evening.go_on()
    evening.end(HER, "won")
    evening.go_on()
    evening.end(HER, "friend")
    evening.choose("keep", "friend", "kept")
    evening.is_over()
