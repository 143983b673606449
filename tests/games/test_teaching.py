"""What tables teach: every tip is shown in some match, and everything on the table has an explanation."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from string import Formatter

import pytest

from games import catalogue
from games.core import FastChance, Game, View
from games.core.teaching import (
    LONGEST,
    MOST,
    USUAL,
    Teaching,
    checked,
    explained,
    meaning,
    signs,
    there,
    tip,
    usual_tips,
)
from games.core.view import say
from games.recycle.game import RecycleGame
from games.recycle.labels import BadTableFile, Labels
from tests.games.cases import BUILT_IN, CASES, TEXTS, Case, likely_match, likely_move
from tests.tiers import sampled

LONG = 170  # moves of a match that are checked; after them only its end is
MOST_IN_A_MATCH = 7  # tips in one match
OWN_WORDS = ("counter:", "badge:", "space:", "mark:")  # what no table can explain without knowing the game


def views(case: Case) -> Iterator[View]:
    """Yield what the player to act and a spectator see of a likely match, with its reveals, and of its end."""
    match, choices = case.start(FastChance("taught")), FastChance("taught/choices")
    while not match.over:
        if match.ply < LONG:
            for seat in (match.to_act()[0], None):
                yield match.view(seat)
            yield from (stage["view"] for stage in match.reveals(0))
        likely_move(match, choices)
    yield match.view(0)


@cache
def seen(name: str) -> tuple[set[str], set[str]]:
    """Return the tips and the signs that were shown in a game, over all ways to play it."""
    known: set[str] = set()
    shown: set[str] = set()
    for case in CASES:
        if case.game.name != name:
            continue
        came: set[str] = set()
        for view in views(case):
            shown |= set(explained(view))
            for one in case.game.teaching()["tips"]:
                if one["id"] not in came and all(there(view, sign) for sign in (one["at"], *one.get("when", []))):
                    came.add(one["id"])
        assert len(came) <= MOST_IN_A_MATCH, f"{case}: too many tips for one match"
        known |= came
    return known, shown


def derived(game: Game, name: str) -> bool:
    """Whether a tip is made from the text alone: it is not known whether such a decision ever leaves a choice."""
    kinds = game.labels.kinds if isinstance(game, RecycleGame) else {}
    return name.startswith("kind:") and name.removeprefix("kind:") not in kinds


each_game = pytest.mark.parametrize("game", sampled([*BUILT_IN, *TEXTS], 3, lambda game: game.name))


@each_game
def test_every_tip_of_a_game_is_shown_in_some_match(game: Game) -> None:
    came, _ = seen(game.name)
    if game.tips:
        assert {one["id"] for one in game.tips if one["id"] not in came and not derived(game, one["id"])} == set()


@each_game
def test_everything_that_is_shown_has_a_meaning(game: Game) -> None:
    about = game.teaching()["about"]
    _, shown = seen(game.name)
    assert [sign for sign in shown if meaning(about, sign) is None] == []
    if game in BUILT_IN:
        own = {sign: text for sign, text in USUAL.items() if not sign.endswith("*")} | dict(game.about)
        assert [sign for sign in shown if sign.startswith(OWN_WORDS) and meaning(own, sign) is None] == []


@each_game
def test_a_game_explains_only_things_that_occur(game: Game) -> None:
    _, shown = seen(game.name)
    used = {pattern for sign in shown for pattern, text in game.about.items() if meaning(game.about, sign) is text}
    assert set(game.about) - used == set()


@pytest.mark.parametrize("game", [*BUILT_IN, *TEXTS], ids=lambda game: game.name)
def test_tips_are_few_and_short_sentences_without_placeholders(game: Game) -> None:
    teaching = game.teaching()
    assert 3 <= len(checked(teaching["tips"])) <= MOST
    for text in [*(one["text"] for one in teaching["tips"]), *teaching["about"].values()]:
        assert [name for _, name, _, _ in Formatter().parse(text["text"]) if name] == []
        assert text["text"].endswith((".", "!", "?"))
        assert len(text["text"]) <= LONGEST


def test_a_game_without_tips_has_the_general_ones() -> None:
    setup = "(setup (create players 2) (create deck (game hloc STOCK) (deck (RANK (A)))))"
    text = f"(game {setup} (do ((set (game sto N) 1))) (scoring max 0))"
    without_decisions = RecycleGame("none", text)
    assert not without_decisions.tips
    assert without_decisions.teaching()["tips"] == usual_tips(without_decisions.summary)


DECISIONS = """
(game
  (setup (create players 2) (create deck (game hloc STOCK) (deck (RANK (A, K, Q, J)))))
  (stage player
    (end (== (size (game hloc STOCK)) 0))
    (choice
      ((move (top (game hloc STOCK)) (top ((current player) iloc HAND)))
       (any ((current player) iloc HAND) 'C (move 'C (top (game vloc DISCARD))))
       (set ((current player) str SAYS) YES)
       (set ((current player) str SAYS) NO)
       (turn pass))))
  (scoring max 0))
"""


def test_a_text_has_a_tip_for_each_kind_of_decision() -> None:
    kinds = {one["id"]: one for one in RecycleGame("any", DECISIONS).tips if one["id"].startswith("kind:")}
    assert list(kinds) == ["kind:STOCK>HAND", "kind:HAND>DISCARD", "kind:SAYS", "kind:PASS"]
    assert not any(" " in name for name in kinds), "the browser stores what was read as words"
    draw = kinds["kind:STOCK>HAND"]
    assert draw["text"]["text"] == "You may draw a card from this pile."
    assert (draw["at"], draw.get("when")) == ("zone:hloc:STOCK", ["does:STOCK>HAND*"])
    assert kinds["kind:HAND>DISCARD"]["at"] == "zone:iloc:HAND:{me}"
    assert kinds["kind:PASS"].get("when") == ["does:pass"]


def test_a_table_file_words_the_tip_for_a_kind_of_decision() -> None:
    table = '[tips]\nDISCARD = "Throw away."\n"SAYS=NO" = "No ends it."\n'
    said = {one["id"]: one["text"]["text"] for one in RecycleGame("any", DECISIONS, table).tips}
    assert said["kind:DISCARD"] == "Throw away."
    assert said["kind:SAYS=NO"] == "No ends it."
    assert "kind:HAND>DISCARD" not in said
    assert "kind:SAYS" not in said, "one value has a tip of its own, so the general one says nothing more"


@pytest.mark.parametrize("game", [game for game in TEXTS if game.listed], ids=lambda game: game.name)
def test_a_line_for_a_kind_of_decision_is_used(game: Game) -> None:
    assert isinstance(game, RecycleGame)
    assert set(game.labels.kinds) <= {one["id"].removeprefix("kind:") for one in game.tips}


@pytest.mark.parametrize("game", sampled([game for game in TEXTS if game.listed], 3, lambda game: game.name))
def test_every_number_at_the_seats_of_a_library_game_has_a_meaning_of_its_own(game: Game) -> None:
    _, shown = seen(game.name)
    assert [sign for sign in shown if sign.startswith("counter:") and meaning(game.about, sign) is None] == []


def test_a_tip_waits_until_all_its_signs_are_there() -> None:
    view = likely_match(next(case for case in CASES if case.name == "hamsterdam-3"), "x", 0).view(None)
    assert there(view, "counter:certificates")
    assert there(view, "zone:deck:*")
    assert not there(view, "moves"), "a spectator has none"
    assert "turn" in set(signs(view))


def test_the_most_specific_meaning_of_a_sign_applies() -> None:
    about = {"badge:*": say("any"), "badge:hand:*": say("hand"), "badge:hand:1": say("that")}
    assert [meaning(about, sign) for sign in ("badge:pool", "badge:hand:0", "badge:hand:1", "mark:x")] == [
        say("any"),
        say("hand"),
        say("that"),
        None,
    ]


def test_a_table_file_brings_tips_and_explanations() -> None:
    labels = Labels.read('[tips]\na = ["prompt", "Do it.", "pick"]\n[about]\n"mark:x" = "An x."\n')
    assert labels.tips == (tip("a", "prompt", say("Do it."), "pick"),)
    assert labels.about == {"mark:x": say("An x.")}


@pytest.mark.parametrize(
    "wrong",
    [
        '[tips]\na = ""',
        '[tips]\na = ["prompt"]',
        '[tips]\na = ["prompt", 3]',
        f'[tips]\na = ["prompt", "{"x" * (LONGEST + 1)}"]',
        "[tips]\n" + "".join(f'a{number} = ["prompt", "Do it."]\n' for number in range(MOST + 1)),
        f'[about]\n"mark:x" = "{"x" * (LONGEST + 1)}"',
    ],
)
def test_a_table_file_with_impossible_tips_is_refused(wrong: str) -> None:
    with pytest.raises(BadTableFile, match="table file"):
        Labels.read(wrong)


def test_two_tips_have_two_names() -> None:
    with pytest.raises(ValueError, match="same name"):
        checked([tip("a", "prompt", say("Do it.")), tip("a", "prompt", say("Again."))])


def test_a_teaching_is_plain_data() -> None:
    game: Teaching = catalogue.find("hamsterdam").teaching()
    assert set(game) == {"tips", "about"}
