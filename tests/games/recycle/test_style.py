"""The formatter changes blanks and line breaks only, and leaves a formatted text as it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given

from games import catalogue
from games.recycle.game import RecycleGame
from games.recycle.problems import BadText
from games.recycle.reader import read
from games.recycle.reader.syntax import tokens
from games.recycle.style import format_text
from tests.games.recycle.library import LIBRARY
from tests.games.recycle.texts import laid_out
from tests.games.recycle.trees import SCORING, SETUP, bare
from tests.tiers import examples, sampled


def check(text: str) -> None:
    """Assert that a layout keeps what a text says, its comments, and itself."""
    shown = format_text(text)
    assert bare(read(shown)) == bare(read(text))
    assert format_text(shown) == shown
    kept = [[str(token).rstrip() for token in tokens(each, comments=True)] for each in (text, shown)]
    assert kept[0] == kept[1]
    assert all(line == line.rstrip() for line in shown.split("\n"))


@pytest.mark.parametrize("path", sampled(LIBRARY, 3, lambda path: path.stem))
def test_the_layout_of_a_library_text_says_the_same_and_is_final(path: Path) -> None:
    check(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", LIBRARY, ids=lambda path: path.stem)
def test_the_library_is_laid_out_as_the_style_asks_of_others(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert format_text(text) == text


def test_layout_and_comments_make_no_other_version_of_the_rules() -> None:
    text = catalogue.find("agram").text
    again = text.replace("\n", "\n\n   ").replace("(setup", ";; how it begins\n(setup")
    other = text.replace("(call DEAL 6 ", "(call DEAL 5 ")
    assert again != text != other
    versions = [RecycleGame("agram", each).rules_version for each in (text, again, other)]
    assert versions[0] == versions[1] != versions[2]


@examples(10)
@given(laid_out())
def test_the_layout_of_any_text_says_the_same_and_is_final(text: str) -> None:
    check(text)


def test_a_text_is_laid_out_by_its_brackets() -> None:
    text = """;; Title: Example
(game (declare (A,B) 'NAMES)  ;; two names
(setup (create players 2 .. 4) (create deck (game iloc STOCK) (deck (RANK (A,TWO)) (SUIT (H,S)))))


;; Each in turn.
(stage player (end (== (size (game iloc STOCK)) 0))
(choice (((> (size (game iloc STOCK)) 0) (move (top (game iloc STOCK)) (top ((current player) iloc HAND)))) (turn pass)
)) (do ((all player 'P (set ('P sto SCORE) (+ ('P sto SCORE) (sum ('P iloc HAND) using (game points WORTH)))))))
)
(scoring max ((current player) sto SCORE) )) ;; the end
"""
    assert format_text(text) == (
        """;; Title: Example
(game
  (declare (A, B) 'NAMES) ;; two names
  (setup
    (create players 2 .. 4)
    (create deck (game iloc STOCK) (deck (RANK (A, TWO)) (SUIT (H, S)))))

  ;; Each in turn.
  (stage player
    (end (== (size (game iloc STOCK)) 0))
    (choice
      (((> (size (game iloc STOCK)) 0)
        (move (top (game iloc STOCK)) (top ((current player) iloc HAND))))
       (turn pass)))
    (do
      ((all player 'P
         (set ('P sto SCORE) (+ ('P sto SCORE) (sum ('P iloc HAND) using (game points WORTH))))))))
  (scoring max ((current player) sto SCORE))) ;; the end
"""
    )


def test_what_follows_the_game_stays() -> None:
    shown = format_text(f"(game {SETUP} (do ((turn pass))) {SCORING}) )\n junk ;; and more")
    assert shown.endswith("(scoring max 0))\n\n)\n junk ;; and more\n")
    assert format_text(shown) == shown


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("(game", "never closed"),
        ("(game HAND_ONE)", "is no name"),
        ("", "nothing in this text"),
        ("(game (A B))", "no comma"),
    ],
)
def test_a_text_with_wrong_brackets_or_tokens_is_not_laid_out(text: str, why: str) -> None:
    with pytest.raises(BadText, match=why):
        format_text(text)
