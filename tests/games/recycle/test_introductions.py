"""The introductions of library games: hand-written pages, in every language, before the rules made from the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

import pytest

from games import catalogue
from games.core import FastChance, Match, View
from games.core.game import EXACT_WORDING
from games.recycle.cards import playing_card
from games.recycle.game import RecycleGame, read
from games.recycle.phrase_book import Book
from games.recycle.provider import FOLDER, LANGUAGES, SUFFIXES
from tests.games.cases import likely_move
from tests.tiers import sampled

LIBRARY = [game.name for game in catalogue.listed(catalogue.providers[1])]
WITHOUT: set[str] = set()  # games that have no introduction yet: their pages begin with the generated rules
INTRODUCED = [name for name in LIBRARY if name not in WITHOUT]
SECTIONS = 5  # the aim, what you need, a turn, an example, scoring
FEWEST, MOST = 90, 240  # words of one: one screen


def introduction(name: str, language: str) -> str:
    suffix = SUFFIXES[2 + LANGUAGES.index(language)]
    return (FOLDER / f"{name}{suffix}").read_text(encoding="utf-8")


def game_of(name: str) -> RecycleGame:
    game = catalogue.find(name)
    assert isinstance(game, RecycleGame)
    return game


def views(game: RecycleGame) -> Iterator[View]:
    """Yield what players see of a likely match for the fewest and the most players."""
    for seats in {game.min_seats, game.max_seats}:
        chance = FastChance(f"introduced {seats}")
        match = Match.start(game, seats, {}, chance)
        while not match.over and match.ply < 150:
            yield match.view(match.to_act()[0])
            likely_move(match, chance)


@cache
def counters(name: str) -> frozenset[str]:
    """Return the labels of all numbers that the table of a game shows: at players' names and above the table."""
    found = set()
    for view in views(game_of(name)):
        for seat in view["seats"]:
            found |= {str(one["label"]["args"].get("name", one["label"]["text"])) for one in seat["counters"]}
        found |= {str(word) for key, word in view["phase"]["args"].items() if key.startswith("store")}
    return frozenset(found)


def test_every_listed_game_has_an_introduction_in_every_language_or_is_named_here() -> None:
    there = {(name, one) for name in LIBRARY for one in LANGUAGES if game_of(name).introductions[LANGUAGES.index(one)]}
    assert there == {(name, one) for name in INTRODUCED for one in LANGUAGES}


@pytest.mark.parametrize("language", LANGUAGES)
def test_introductions_have_the_same_sections_and_one_length(language: str) -> None:
    found = {name: introduction(name, language) for name in INTRODUCED}
    headings = {name: tuple(re.findall(r"^## (.*)$", text, re.MULTILINE)) for name, text in found.items()}
    assert {name: each for name, each in headings.items() if each != headings["hearts"]} == {}
    assert len(headings["hearts"]) == SECTIONS
    assert headings["hearts"][0] == str(Book(language).say("The aim"))
    for name, text in found.items():
        assert text.startswith(f"# {game_of(name).title}\n"), name
        for before, line in pairwise(text.splitlines()):
            assert not (before.startswith("#") and line), f"{name}: no blank line after {before}"
        prose = re.sub(r"^#.*$", "", text, flags=re.MULTILINE)
        assert FEWEST <= len(prose.split()) <= MOST, name


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", sampled(INTRODUCED, 3))
def test_an_introduction_names_every_number_that_its_table_shows(name: str, language: str) -> None:
    text = " ".join(introduction(name, language).lower().split())
    known = game_of(name).words(language)
    assert [label for label in counters(name) if known.get(label, label).lower() not in text] == []


@pytest.mark.parametrize("name", INTRODUCED)
def test_the_cards_of_an_introduction_are_those_of_its_game_in_every_language(name: str) -> None:
    game = game_of(name)
    faces = {playing_card(attributes) for attributes in game.program(game.max_seats).cards.attributes}
    shown = {one: re.findall(r"\[\[(.*?)\]\]", introduction(name, one)) for one in LANGUAGES}
    cards = {one: sorted(face for group in groups for face in group.split()) for one, groups in shown.items()}
    assert set(cards["en"]) - faces == set()
    assert {one: each for one, each in cards.items() if set(each) != set(cards["en"])} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_made_from_the_text_follow_an_introduction_and_end_with_the_exact_wording(language: str) -> None:
    game = game_of("hearts")
    page, alone = game.rules_page(language), read("hearts", game.text, game.table).rules_page(language)
    own, heading, rules = page.partition(f"\n## {Book(language).say('The rules, step by step')}\n\n")
    assert own.strip() == introduction("hearts", language).strip()
    assert heading
    assert re.findall(r"^#+ (.*)$", rules, re.MULTILINE) == re.findall(r"^##+ (.*)$", alone, re.MULTILINE)
    assert [line for line in rules.splitlines() if line.startswith("## ")] == [f"## {EXACT_WORDING}"]
    assert rules.partition(f"## {EXACT_WORDING}")[2] == alone.partition(f"## {EXACT_WORDING}")[2]


def test_a_game_without_an_introduction_in_a_language_has_the_generated_rules_in_that_language() -> None:
    hearts = game_of("hearts")
    only_english = read("hearts", hearts.text, hearts.table, "# Hearts\n\nBy hand.\n")
    assert "By hand." in only_english.rules_page()
    assert only_english.rules_page("nl") == read("hearts", hearts.text, hearts.table).rules_page("nl")
