"""Messages for authors: whatever is wrong with a text is said in the language of the reader."""

from __future__ import annotations

import pickle
import random
from collections.abc import Iterator
from functools import cache

import pytest

from games import catalogue
from games.core import FastChance, Match, RulesFailed
from games.core.messages import Message, all_of, any_of, as_written, message, of_data, restored, words
from games.core.words import languages
from games.recycle.game import RecycleGame
from games.recycle.indentation import indentation
from games.recycle.labels import BadTableFile, Labels
from games.recycle.lint import warnings
from games.recycle.problems import BadText, Problem, Source
from games.recycle.reader import read
from games.recycle.reader.syntax import tokens
from tests.tiers import tiered

in_each_language = pytest.mark.parametrize("language", languages())
SEEDS = tiered(range(40), lambda seed: seed < 6)
# What authors write by mistake in place of a token.
MISTAKES = [
    "(", ")", "foo", "'X", "FOO", "7", "1.5", "-", "_x", "\N{LEFT DOUBLE QUOTATION MARK}Q", "\u00a0", ";", "!", "stage",
    "deal", "if", "99999999999", "none", "suit", "A B", "(current player)", "(owner (top (game vloc STOCK)))",
    "(game sto X)", "(range 1 .. 90000)",
]  # fmt: skip
TABLES = [
    "labels", "[x]", "[labels]\nA = 1", "[layout]\nHAND = 'x'", "[hide]\nstores = 1", "faces = 1", "[faces]\nA = 1",
    "[faces]\nA = {x = 'y'}", "[faces]\nA = {corner = 'long'}", "[faces]\nA = {symbol = 'x'}",
    "[faces]\nA = {corner = 'A'}\nB = {corner = 'A'}", "[verbs]\nA = 1", "[verbs]\nA = '{'", "[verbs]\nA = '{x}'",
    "[tips]\nA = 1", "[tips]\nA = ''", "[tips]\na = ['zone:x', '']", f"[about]\nA = '{'x' * 1000}'",
]  # fmt: skip
BREAKS = """(game (setup (create players 2) (create deck (game iloc STOCK) (deck (RANK (A, B)))))
  (stage player (end (== (size (game vloc PILE)) 9)) (choice ((move (top (game vloc NOWHERE)) (top (game vloc PILE))))))
  (scoring max 1))"""


def templates(said: Message) -> Iterator[str]:
    """Yield the templates of a message and of the messages in it."""
    yield said.template
    for arg in said.args.values():
        if isinstance(arg, Message):
            yield from templates(arg)


def english(said: Message, language: str) -> list[str]:
    """Return the templates of a message that a language has not, other than those without words."""
    known = words(language)
    return [each for each in templates(said) if each not in known and any(map(str.isalpha, _rest(each)))]


def _rest(template: str) -> str:
    return "".join(part.partition("}")[2] for part in ("}" + template).split("{"))


@cache
def problems(seed: int) -> list[Problem]:
    """Return the problems of texts of the library with a few tokens replaced."""
    chance, found = random.Random(seed), []
    for game in (game for game in catalogue.listed() if game.text):
        text = str(game.text)
        places = list(tokens(text))
        for token in sorted(chance.sample(places, 3), key=lambda token: -(token.start_pos or 0)):
            other = chance.choice(MISTAKES) if chance.random() < 0.7 else str(chance.choice(places))
            text = text[: token.start_pos] + other + text[token.end_pos :]
        source = Source(text)
        try:
            found += warnings(read(text), source)
        except BadText as bad:
            found += [*bad.problems, *indentation(source)]
    return found


@pytest.mark.parametrize("seed", SEEDS)
def test_every_problem_of_a_text_is_said_in_every_language(seed: int) -> None:
    said = {message for problem in problems(seed) for message in (problem.text, problem.hint)}
    assert len(said) > 50
    for language in languages():
        assert {each: english(each, language) for each in said if english(each, language)} == {}


@pytest.mark.parametrize("table", TABLES)
def test_whatever_is_wrong_with_a_table_file_is_said_in_every_language(table: str) -> None:
    with pytest.raises(BadTableFile) as bad:
        Labels.read(table)
    for language in languages():
        assert english(bad.value.text, language) == []


@in_each_language
def test_the_failure_of_a_match_is_said_in_every_language(language: str) -> None:
    match = Match.start(RecycleGame("broken", BREAKS), 2, {}, FastChance("1"))
    with pytest.raises(RulesFailed) as failed:
        match.legal_moves(0)
    assert isinstance(failed.value.text, Message)
    assert english(failed.value.text, language) == []
    assert failed.value.kind in words(language)


@in_each_language
def test_a_problem_is_shown_with_its_line_in_every_language(language: str) -> None:
    source = Source("(game")
    with pytest.raises(BadText) as bad:
        read(source.text)
    shown = bad.value.source.show(bad.value.problems[0])
    assert english(shown, language) == []
    assert shown.startswith("game.rcy:1:1: error: This bracket is never closed.\n  (game\n  ^\n  hint: The text ends")


def test_a_message_is_the_same_after_it_was_sent_or_stored() -> None:
    inner = message("{n} players", n=3)
    said = message("With {players}: {text}", players=inner, text=as_written("{braces} stay."))
    assert said == "With 3 players: {braces} stay."
    for again in (of_data(said.data()), restored(said.stored()), pickle.loads(pickle.dumps(said))):
        assert (again, again.template, again.args) == (said, said.template, said.args)
        assert isinstance(again.args["players"], Message)
    assert restored("An older reason, {in English}.") == "An older reason, {in English}."


def test_numbers_and_lists_are_written_as_the_language_does() -> None:
    german = words("de")
    said = message("A match may have at most {most:,} places.", most=12_345)
    assert said == "A match may have at most 12,345 places."
    assert said.translated("de", german.__getitem__) == "Eine Partie darf höchstens 12.345 Stellen haben."
    assert [any_of("A"), any_of("AB"), all_of("ABC")] == ["A", "A or B", "A, B and C"]
    said = message("{text}", text=all_of("ABC"))
    assert said.translated("de", lambda template: german.get(template, template)) == "A, B und C"


@pytest.mark.parametrize("inside", ["n.real", "n[0]", "n.__class__", "0", ""])
def test_a_template_reaches_nothing_but_what_is_filled_in(inside: str) -> None:
    with pytest.raises(KeyError):
        of_data({"text": f"{{{inside}}}", "args": {"n": "A"}})
