"""Why something that was touched cannot be used: the answer fits, and uses only what the player may know."""

from __future__ import annotations

from string import Formatter

import pytest

from games import catalogue
from games.core import FastChance, Match
from games.core.teaching import touchable, usual_reason
from games.core.view import say
from tests.games.cases import CASES, Case, likely_match, positions
from tests.games.hamsterdam import open_stocks
from tests.tiers import sampled

FEW = 4
OWN = ["hamsterdam-3", "bundles-4", "enchere-version-avancee", "camelup-4", "thief-1"]  # have something to say


def asked(match: Match, seat: int) -> dict[str, object]:
    """Return the answers for everything that can be touched without effect."""
    names = touchable(match.game.render(match.state.observe(seat)))
    return {name: match.why_not(seat, name) for name in sorted(names)}


@pytest.mark.parametrize("name", sampled([*OWN, "hearts-4"], 2))
def test_why_not_is_a_sentence_and_reveals_nothing_hidden(name: str) -> None:
    case = next(case for case in CASES if case.name == name)
    for match, _, chance in positions(case, FEW):
        for seat in match.to_act():
            sentences = asked(match, seat)
            for text in filter(None, sentences.values()):
                assert isinstance(text, dict)
                gaps = {name for _, name, _, _ in Formatter().parse(text["text"]) if name}
                assert gaps == set(text["args"])
            truth, match.state = match.state, match.state.determinize(seat, chance)
            assert asked(match, seat) == sentences
            match.state = truth


@pytest.mark.parametrize("name", OWN)
def test_a_built_in_game_answers_most_useless_touches(name: str) -> None:
    case = next(case for case in CASES if case.name == name)
    sentences = [text for seed in "abc" for text in asked_after(case, seed, 2)]
    assert sentences.count(None) < len(sentences) / 3


def asked_after(case: Case, seed: str, plies: int) -> list[object]:
    """Return the answers for pieces and places after some moves of a match."""
    match = likely_match(case, seed, plies)
    return [text for name, text in asked(match, match.to_act()[0]).items() if not name.startswith("seat")]


def test_usable_and_missing_things_get_no_answer() -> None:
    match = Match.start(catalogue.find("bundles"), 2, {}, FastChance("x"))
    seat = match.to_act()[0]
    (move, *_) = match.view(seat)["moves"]
    for touched in (f"piece:{move['pieces'][0]}", "piece:nothing", "seat:9", "zone:", "", "piece"):
        assert match.why_not(seat, touched) is None
    assert match.why_not(seat, "zone:stock") is not None


def test_your_own_hand_is_never_said_to_be_somebody_elses() -> None:
    traded = open_stocks(["9C", "", "8D", "7C"], ["3D", "", "2H", ""], dealer=0, certificates=[2, 0, 2, 2])
    hamsterdam = Match.start(catalogue.find("hamsterdam"), 4, {}, FastChance("x"))
    hamsterdam.state = traded
    said = {
        name: own_zone(match, zone)
        for name, zone, match in (
            ("hamsterdam", "modifiers", hamsterdam),
            ("bundles", "hand", Match.start(catalogue.find("bundles"), 3, {}, FastChance("x"))),
            ("enchere", "hand", Match.start(catalogue.find("enchere"), 3, {}, FastChance("x"))),
            ("camelup", "cards", Match.start(catalogue.find("camelup"), 3, {}, FastChance("x"))),
        )
    }
    assert said == {
        "hamsterdam": say("First tap one of your modifiers, then the player it is for."),
        "bundles": None,
        "enchere": None,
        "camelup": say("First tap one of your race cards, then the pile for the winner or the loser."),
    }


def own_zone(match: Match, zone: str) -> object:
    """Return the answer to a tap of the player to move on one of their own places, which must be on the table."""
    seat = match.to_act()[0]
    touched = f"zone:{zone}:{seat}"
    assert touched in touchable(match.game.render(match.state.observe(seat)))
    return match.why_not(seat, touched)


def test_the_answer_names_the_suit_that_must_be_followed() -> None:
    case = next(case for case in CASES if case.name == "hearts-4")
    for seed in range(40):
        match = likely_match(case, str(seed), 30)
        seat = match.to_act()[0]
        drawing = match.game.render(match.state.observe(seat))
        texts = [text for name in touchable(drawing) if (text := usual_reason(drawing, name))]
        named = [text for text in texts if "{suit}" in text["text"]]
        if named:
            assert len({str(text["args"]["suit"]) for text in named}) == 1
            return
    raise AssertionError("Nobody ever had to follow suit.")


def test_hamsterdam_says_that_a_player_who_is_out_has_no_stock() -> None:
    state = open_stocks(["9C", "", "8D", "7C"], ["", "", "2H", ""], dealer=0, certificates=[2, 0, 2, 2])
    game = catalogue.find("hamsterdam")
    (seat,) = state.to_act()
    text = game.why_not(state.observe(seat), "seat:1")
    assert text == say("{seat} is out: there is no stock to play on.", seat={"seat": 1})
