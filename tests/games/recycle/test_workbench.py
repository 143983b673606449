"""What an editor tells of the language: all of it, as the reader takes it."""

from __future__ import annotations

import re

import pytest

from games.recycle.reader.syntax import parse
from games.recycle.reader.words import INNER, SHAPES
from games.recycle.workbench import Word, forms, words

WORDS = {word.name: word for word in words()}


def test_every_word_and_sign_of_the_language_is_explained_and_no_other() -> None:
    assert set(WORDS) == {*SHAPES, *INNER}


@pytest.mark.parametrize("name", WORDS)
def test_a_word_is_told_with_a_form_in_which_it_stands_and_a_sentence(name: str) -> None:
    word = WORDS[name]
    assert word.means.endswith(".")
    assert word.forms or name == "new"
    for form in word.forms:
        assert re.search(rf"(?<![a-z]){re.escape(name)}(?![a-z])", form)
        parse(form)  # its brackets match


def test_several_forms_of_a_word_are_told_one_by_one() -> None:
    assert list(forms("(turn pass), (let A 'B (do)) or (do (C))")) == ["(turn pass)", "(let A 'B (do))", "(do (C))"]
    assert len(WORDS["set"].forms) == len(WORDS["create"].forms) == 3


def test_what_is_typed_for_a_word_has_gaps_where_the_author_goes_on() -> None:
    assert WORDS["stage"].snippets == ["stage player (end ${1:TEST}) ${2:BLOCK}"]
    assert WORDS["filter"].snippets == ["filter ${1:COLLECTION} '${2:X} ${3:TEST}"]
    assert WORDS["+"].snippets == []
    assert Word("x", ("(x A_B)",), "").snippets == ["x A_B"]
