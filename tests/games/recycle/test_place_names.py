"""What names of places usually mean: one table for the buttons, the table, the log and the rules page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from games.core.view import Arg, card_arg, plain, say, seat_arg
from games.recycle import phrase_book
from games.recycle.example import example, in_signs
from games.recycle.explaining.course import CourseOfPlay
from games.recycle.explaining.survey import Survey
from games.recycle.labels import Labels
from games.recycle.phrase_book import capital
from games.recycle.place_names import PlaceNames
from tests.games.recycle.in_language import said, sentences
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


@pytest.mark.parametrize("path", [*LIBRARY, *PATTERNS, *STRANGERS], ids=lambda path: path.stem)
def test_what_places_are_called_is_never_english_where_the_language_has_a_word(path: Path) -> None:
    game, texts = game_of(path), sentences(path)
    assert len(texts) > 10
    for language in LANGUAGES[1:]:
        words = game.words(language)
        for text in texts:
            line = said(text, words)
            assert "{" not in line
            for name, arg in text["args"].items():
                if isinstance(arg, str) and name.startswith(("place", "from")) and not arg[:1].isupper():  # a label
                    assert arg in words, (language, text)
                if isinstance(arg, str) and words.get(arg, arg).casefold() != arg.casefold():
                    assert not re.search(rf"(?<!\w){re.escape(arg)}(?!\w)", line), (language, line)


@pytest.mark.parametrize("path", [*PATTERNS, *STRANGERS], ids=lambda path: path.stem)
@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_the_log_of_a_text_without_words_of_its_own_is_in_the_language_of_the_reader(path: Path, language: str) -> None:
    game = game_of(path)
    lines = [said(text, game.words(language)) for text in sentences(path)]
    assert len(lines) > 10
    for line in lines:
        assert not re.search(r"\b([Tt]he|[Ee]verybody|gets|takes|plays|puts|rolls|cards?|from)\b", line), line


PLACES = {
    "{seat} puts {card1} on {place}.": [
        ("DISCARD", "Anna puts 7♥ on the discard pile.", "Anna legt 7♥ auf den Ablagestapel."),
        ("STOCK", "Anna puts 7♥ on the stock.", "Anna legt 7♥ in den Talon."),
        ("OFFER", "Anna puts 7♥ on the offer.", "Anna legt 7♥ zum Angebot."),
        ("KEPT", "Anna puts 7♥ on “Kept”.", "Anna legt 7♥ in „Kept“."),
    ],
    "{seat} takes {card1} from {from}.": [
        ("DISCARD", "Anna takes 7♥ from the discard pile.", "Anna nimmt 7♥ vom Ablagestapel."),
        ("STOCK", "Anna takes 7♥ from the stock.", "Anna nimmt 7♥ aus dem Talon."),
        ("KEPT", "Anna takes 7♥ from “Kept”.", "Anna nimmt 7♥ aus „Kept“."),
    ],
    "{place} is shuffled.": [("PILE", "The pile is shuffled.", "Der Stapel wird gemischt.")],
}


@pytest.mark.parametrize(
    ("template", "name", "english", "german"),
    [(template, *case) for template, cases in PLACES.items() for case in cases],
)
def test_german_inflects_a_place_and_quotes_a_name_that_is_no_noun(
    template: str, name: str, english: str, german: str
) -> None:
    table = Sitting(f"(do ((shuffle (game vloc {name}))))" + PASSING)
    place = table.game.labels.phrase(name)
    args: dict[str, Arg] = {"seat": seat_arg(0), "card1": card_arg("7H"), "from": place, "place": place}
    text = say(template, **{gap: arg for gap, arg in args.items() if f"{{{gap}}}" in template})
    assert capital(plain(text, ["Anna"])) == english
    assert in_signs(example(table.game, [text], "de")[0]) == german


def test_what_a_player_has_is_called_by_the_words_that_its_author_chose_for_sentences() -> None:
    labels = Labels.read('[labels]\nWON = "Won"\nSHOWN = "Shown"\n[phrases]\nWON = "the cards won"')
    assert [labels.owned(name) for name in ("WON", "SHOWN", "TAKEN", "TRICK")] == [
        "cards won",
        "shown",
        "“Taken”",
        "trick",
    ]


@pytest.mark.parametrize(("language", "said"), [("fr", "la pile"), ("nl", "de stapel"), ("de", "der Stapel")])
def test_a_place_that_begins_an_english_sentence_stands_within_those_of_other_languages(
    language: str, said: str
) -> None:
    table = Sitting("(do ((shuffle (game vloc PILE))))" + PASSING)
    assert table.game.words(language)["The pile"] == said
