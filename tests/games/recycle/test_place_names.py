"""What names of places usually mean: one table for the buttons, the table, the log and the rules page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from games.core import FastChance, Match, SealedChance
from games.recycle import phrase_book
from games.recycle.example import example
from games.recycle.explaining.course import CourseOfPlay
from games.recycle.explaining.survey import Survey
from games.recycle.labels import Labels
from games.recycle.place_names import PlaceNames
from tests.games.recycle.library import LIBRARY, PATTERNS, STRANGERS, game_of
from tests.games.recycle.tables import PASSING, Sitting
from tests.games.recycle.trees import game


def test_a_name_is_in_the_table_once() -> None:
    met = [name.rstrip("*") for _, name, _ in phrase_book._ENTRIES]
    assert len(met) == len(set(met))


def test_a_name_is_said_as_the_table_has_it() -> None:
    tree = game("(do ((turn pass)))")
    words = CourseOfPlay(tree, Survey(tree), Labels(), phrase_book.Book())
    said = {name: str(words.place_noun(name)[0]) for name in ("SUPPLY", "PLAYED", "DISCARD", "DRAWPILE", "TRICKSWON")}
    assert said == {
        "SUPPLY": "supply",
        "PLAYED": "place *Played*",
        "DISCARD": "discard pile",
        "DRAWPILE": "draw pile",
        "TRICKSWON": "tricks won",
    }
    assert "STOCK" in phrase_book.used_for("stocks")
    assert "WON" in phrase_book.used_for("won"), "the star is no part of the name"


LANGUAGES = ["en", "nl", "de", "fr"]


@pytest.mark.parametrize("path", [*LIBRARY, *PATTERNS, *STRANGERS], ids=lambda path: path.stem)
def test_two_places_of_a_text_are_never_called_the_same(path: Path) -> None:
    game = game_of(path)
    for language in LANGUAGES:
        words = CourseOfPlay(game.tree, Survey(game.tree), game.labels, phrase_book.Book(language))
        said = {name: str(words.place_noun(name)[0]) for name in words.place_names.names}
        alike = {
            a for a in said for b in said if a < b and said[a] == said[b] and game.labels.word(a) != game.labels.word(b)
        }
        assert not alike, language


def test_places_whose_nouns_are_one_word_in_a_language_are_called_by_their_labels() -> None:
    places = (
        phrase_book.used_for("stocks") | phrase_book.used_for("discards") | {"PILE", "STACK", "POOL", "POT", "KITTY"}
    )
    for language in LANGUAGES:
        names = PlaceNames(places, Labels(), phrase_book.Book(language))
        said = [str(noun[0]) for name in places if (noun := names.noun(name))]
        assert len(said) == len(set(said))
        assert [names.noun("DISCARD"), names.noun("DISCARDPILE")] == [None, None]
        assert names.label("DISCARDPILE") == "Discardpile"
        assert all(map(names.noun, ("STOCK", "DECK", "PILE", "STACK", "POOL", "POT", "KITTY"))), language


@pytest.mark.parametrize("path", [*PATTERNS, *STRANGERS], ids=lambda path: path.stem)
@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_the_log_of_a_text_without_words_of_its_own_is_in_the_language_of_the_reader(path: Path, language: str) -> None:
    game = game_of(path)
    match = Match.start(game, game.default_seats, game.check_options({}), SealedChance(bytes(32)))
    chance, said = FastChance("log"), []
    while not match.over and match.ply < 100:
        seat = match.to_act()[0]
        said.append(match.view(seat)["prompt"])
        match.advance(seat, chance.choice(match.legal_moves(seat)))
    for ply in range(match.ply):
        said += [entry["text"] for entry in match.entries(None, ply, face_up=True, named=True)]
    assert len(said) > 20
    for line in example(game, said, language):
        assert not re.search(r"\b([Tt]he|[Ee]verybody|gets|takes|plays|puts|rolls|cards?|from)\b", line), line


@pytest.mark.parametrize(("language", "said"), [("fr", "la pile"), ("nl", "de stapel"), ("de", "Stapel")])
def test_a_place_that_begins_an_english_sentence_stands_within_those_of_other_languages(
    language: str, said: str
) -> None:
    table = Sitting("(do ((shuffle (game vloc PILE))))" + PASSING)
    assert table.game.words(language)["The pile"] == said
