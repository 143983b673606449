"""Sentences of buttons, prompts and log entries, over whole matches of the library."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from games.core.game import EXACT_WORDING
from games.core.view import Arg
from games.core.words import languages
from tests.games.recycle.in_language import said, sentences
from tests.games.recycle.library import LIBRARY, PATTERNS, STRANGERS, game_of

texts = pytest.mark.parametrize("path", [*LIBRARY, *PATTERNS, *STRANGERS], ids=lambda path: path.stem)
UNSPACED = re.compile(r"(?<!\N{NARROW NO-BREAK SPACE})[:;!?](?=\s|$)")  # no time and no address
CODE = re.compile(r"```.*?```|`[^`]*`", re.DOTALL)
NAMED: dict[str, Arg] = {"place": "<name>", "store": "<name>"}
RULED = re.compile(r"\|[ :|-]+\|")  # the line below the head of a table


@texts
def test_french_has_a_narrow_space_before_a_colon_and_its_like(path: Path) -> None:
    words = game_of(path).words("fr")
    written = [said(sentence, words, "et") for sentence in sentences(path)]
    assert len(written) > 5
    assert [one for one in written if UNSPACED.search(one)] == []


@texts
def test_so_has_the_rules_page(path: Path) -> None:
    page = game_of(path).rules_page("fr").partition(f"\n## {EXACT_WORDING}\n")[0]
    lines = [line for line in CODE.sub("", page).splitlines() if not RULED.fullmatch(line)]
    assert len(lines) > 20
    assert [line for line in lines if UNSPACED.search(line)] == []


@texts
def test_no_log_entry_ends_with_the_name_of_a_place_or_a_store_behind_a_colon(path: Path) -> None:
    entries = [sentence for sentence in sentences(path) if sentence["text"].endswith(".")]
    assert len(entries) > 5
    for language in ("en", *languages()):
        words = game_of(path).words(language)
        written = {said({**one, "args": dict.fromkeys(one["args"], "?") | NAMED}, words) for one in entries}
        assert [one for one in written if re.search(r":\s<name>\.$", one)] == [], language


# None of something, or one, with a noun in the plural, and none with a noun at all.
COUNTED = {
    "en": r"\b(1 (dice|cards|tokens|coins|points|tricks|chips|players)|0 [a-z]{2,})",
    "de": r"\b(1 (Karten|Marken|Münzen|Punkte|Stiche|Personen)|0 [A-Z][a-z]{2,})",
    "fr": r"\b[01] (dés|cartes|jetons|pièces|points|plis|joueurs)|\b0 [a-z]{2,}",
    "nl": r"\b(1 (dobbelstenen|stenen|kaarten|fiches|munten|punten|slagen|spelers)|0 [a-z]{2,})",
}


@texts
def test_none_and_one_do_not_have_a_noun_in_the_plural(path: Path) -> None:
    for language, counted in COUNTED.items():
        words = game_of(path).words(language)
        written = [said(sentence, words) for sentence in sentences(path)]
        assert [one for one in written if re.search(counted, one)] == [], language
