"""Whatever the grammar of the language can make is read, and whatever else comes is refused with a reason."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.core.texts import LARGEST
from games.recycle import signatures
from games.recycle.lint import warnings
from games.recycle.problems import BadText, Source
from games.recycle.reader import read
from tests.games.cases import QUICK_TEXTS
from tests.games.recycle.library import LIBRARY
from tests.games.recycle.texts import games, laid_out
from tests.games.recycle.trees import bare
from tests.patience import cpu_time_below
from tests.tiers import examples, tiered

WORDS = (
    *sorted(signatures.WORDS),
    "HAND",
    "A",
    "'X",
    "'P",
    "0",
    "7",
    "(",
    "(",
    "(",
    ")",
    ")",
    ")",
    "..",
    ",",
    ":",
    "==",
    "+",
    "@",
    "'",
)


def refused_or_read(text: str) -> None:
    """Read a text; if it is refused, with a place in it and words, which can be shown."""
    problems = []
    try:
        warnings(read(text), Source(text))
    except BadText as bad:
        problems = bad.problems
        shown = str(bad).count("game.rcy:")
    for problem in problems:
        assert 0 <= problem.at.start <= problem.at.end <= max(1, len(text))
        assert problem.text.endswith(".")
    if problems:
        assert shown >= len(problems)


@examples(10)
@given(games())
def test_everything_that_the_grammar_makes_is_read(text: str) -> None:
    game = read(text)
    assert game.blocks
    warnings(game, Source(text))


@examples(12)
@given(laid_out())
def test_blanks_line_ends_and_comments_between_tokens_mean_nothing(text: str) -> None:
    plain = "\n".join(line.split(";;")[0] for line in text.split("\n"))
    assert bare(read(text)) == bare(read(" ".join(plain.split())))


@examples(20)
@given(st.text(max_size=300))
def test_any_characters_are_refused_with_a_place(text: str) -> None:
    refused_or_read(text)


@examples(20)
@given(st.lists(st.sampled_from(WORDS), max_size=120))
def test_any_words_are_refused_with_a_place(words: list[str]) -> None:
    refused_or_read("(game " + " ".join(words))
    refused_or_read(f"(game (setup (create players 2) (create deck (game iloc S) (deck (R (A))))) {' '.join(words)})")


@pytest.mark.parametrize("path", tiered(LIBRARY, lambda path: path.stem in QUICK_TEXTS, lambda path: path.stem))
@examples(12)
@given(data=st.data())
def test_a_damaged_text_is_read_or_refused_with_a_place(path: Path, data: st.DataObject) -> None:
    text = path.read_text(encoding="utf-8")
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.integers(0, 12)))
        put = data.draw(st.sampled_from(("", "", *WORDS)))
        text = f"{text[:start]}{put}{text[end:]}"
    refused_or_read(text)


BIG = LARGEST
HOSTILE = {
    "only opened": "(" * BIG,
    "only closed": ")" * BIG,
    "very deep": "(" * (BIG // 2) + ")" * (BIG // 2),
    "deep lists of steps": "(game " + "(do (" * 5000 + "))" * 5000 + ")",
    "many lines in many brackets": "(" * 20_000 + "\n  ()" * 8_000,
    "many open stages": "(game " + "(stage " * 9_000,
    "one long name": "(game " + "A" * (BIG - 10) + ")",
    "one long number": "(game " + "9" * (BIG - 10) + ")",
    "one long word": "(game (" + "a" * (BIG - 10) + "))",
    "many strange characters": "(game " + "@ " * (BIG // 2 - 10) + ")",
    "many glued characters": "(game " + "A_" * (BIG // 2 - 10) + ")",
    "many unknown words": "(game " + "(abc) " * (BIG // 6 - 10) + ")",
    "many declares of one name": "(game " + "(declare 1 'A)" * (BIG // 14 - 10) + ")",
    "many unknown variables": "(game (setup) (do (" + "(set 'A 'B)" * (BIG // 11 - 10) + ")))",
    "many comments": ";;\n" * (BIG // 3),
    "one comment": ";;" + "x" * (BIG - 2),
    "too long": "(" * (BIG + 1),
    "nothing": "",
    "a byte order mark": "\ufeff",
    "lone surrogates": "(game \ud800)",
    "zeros": "\x00" * 1000,
}


QUICK = (
    "only closed",
    "very deep",
    "many unknown words",
    "too long",
    "nothing",
    "a byte order mark",
    "lone surrogates",
    "zeros",
)


@pytest.mark.parametrize("name", tiered(list(HOSTILE), lambda name: name in QUICK))
def test_a_hostile_text_is_refused_in_time(name: str) -> None:
    with cpu_time_below(60), pytest.raises(BadText) as raised:
        read(HOSTILE[name])
    assert 1 <= len(raised.value.problems) <= 100


def names(count: int) -> list[str]:
    """Return that many names."""
    return ["".join(chr(65 + number // 26**place % 26) for place in range(3)) for number in range(count)]


def test_the_warnings_of_a_huge_text_are_few_and_come_in_time() -> None:
    stores = " ".join(f"(set (game sto {name}) (game sto X{name}))" for name in names(1_000))
    stages = "(stage player (end (== 1 2)) " * 40 + f"(do ({stores}))" + ")" * 40
    declares = " ".join(f"(declare 1 '{name})" for name in names(500))
    text = f"""(game {declares} (setup (create players 2) (create deck (game iloc S) (deck (R (A)))))
    (choice ({"((== (game sto A) (game sto B)) (turn pass)) " * 200})) {stages} (scoring max 0))"""
    with cpu_time_below(60):
        found = warnings(read(text), Source(text))
    assert 10 < len(found) < 200
