"""Rules that fail end a match with a message to their author, whatever they raise and for any caller."""

from __future__ import annotations

import pickle
import re

import pytest

from games.core import BadOption, FastChance, IllegalMove, Match, RulesFailed, SealedChance
from games.core.moves import LONGEST_MOVE
from games.core.state import MAX_LEGAL_MOVES
from games.lab.simulate import Simulation, play_match, record, report, simulate
from tests.games.text_game import TextGame, read

WORKING_RULES = "sticks 9\ntake 1 2 3"
METHODS = ("start", "to_act", "legal_moves", "apply", "observe", "render", "scores", "why_not")


def match_of(text: str) -> Match:
    return Match.start(read("sticks", text), 2, {}, FastChance("any"))


def ask_everything(match: Match) -> None:
    """What a live table asks of a match at every ply."""
    while not match.over:
        seat = match.to_act()[0]
        match.view(seat)
        match.view(None)
        with pytest.raises(IllegalMove, match=r"Take 1, 2, 3 sticks\."):
            match.advance(seat, "take everything")
        match.advance(seat, match.legal_moves(seat)[0])
    match.scores()
    match.winners()
    match.view(None)


def test_working_rules_do_not_fail() -> None:
    ask_everything(match_of(WORKING_RULES))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("left", [9, 3])
def test_any_exception_of_any_method_of_the_rules_is_reported_with_the_place(method: str, left: int) -> None:
    fault = "break start" if (method, left) == ("start", 3) else f"break {method} {left}"
    with pytest.raises(RulesFailed) as caught:
        ask_everything(match_of(f"{WORKING_RULES}\n{fault}"))
    assert caught.value.kind == "Broken"
    assert re.search(
        rf"The rules of Sticks, .*, raised Broken\.\n.*at {method}, with \d sticks left", caught.value.text, re.S
    )
    assert "text_game.py" in caught.value.text, "the author sees where"


@pytest.mark.parametrize(
    "error", [RecursionError("deep"), MemoryError(), AssertionError("?"), KeyError("x"), StopIteration()]
)
def test_any_exception_of_the_rules_is_their_failure(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    match = match_of(WORKING_RULES)

    def broken(*_: object) -> None:
        raise error

    monkeypatch.setattr(match.state, "apply", broken)
    with pytest.raises(RulesFailed, match=type(error).__name__):
        match.advance(match.to_act()[0], "take 1")


def test_refusals_are_not_failures() -> None:
    match = match_of(WORKING_RULES)
    with pytest.raises(IllegalMove, match=r"Take 1, 2, 3 sticks\."):
        match.advance(match.to_act()[0], "take 4")
    with pytest.raises(BadOption, match="2 to 4 seats"):
        Match.start(read("sticks", WORKING_RULES), 9, {}, FastChance("any"))


def test_an_endless_match_is_dropped_after_as_many_decisions_as_the_game_allows() -> None:
    match = match_of(f"{WORKING_RULES}\nendless")
    for _ in range(TextGame.longest):
        match.advance(match.to_act()[0], "take 1")
    with pytest.raises(RulesFailed, match="too long"):
        match.advance(match.to_act()[0], "take 1")


def test_too_many_legal_moves_are_a_failure() -> None:
    counts = " ".join(map(str, range(1, MAX_LEGAL_MOVES + 2)))
    match = match_of(f"sticks {MAX_LEGAL_MOVES + 1}\ntake {counts}")
    with pytest.raises(RulesFailed, match=r"too many options.*20,001"):
        match.advance(match.to_act()[0], "take 1")


def test_a_move_too_long_to_be_stored_is_a_failure_of_the_rules_and_refused_otherwise() -> None:
    long = "take " + "9" * LONGEST_MOVE
    match = match_of(WORKING_RULES)
    with pytest.raises(IllegalMove, match=r"Take 1, 2, 3 sticks\."):
        match.advance(match.to_act()[0], long)
    match.state.legal_moves = lambda seat: [long]  # type: ignore[method-assign]
    with pytest.raises(RulesFailed, match="move too long"):
        match.advance(match.to_act()[0], long)


def test_a_failure_can_be_sent_from_one_process_to_another() -> None:
    failed = pickle.loads(pickle.dumps(RulesFailed("kind", "what happened")))
    assert (failed.kind, failed.text, str(failed)) == ("kind", "what happened", "kind: what happened")


# -- the laboratory


@pytest.mark.parametrize("method", ["start", "to_act", "legal_moves", "apply", "observe", "scores"])
def test_the_laboratory_counts_matches_whose_rules_failed_and_continues(method: str) -> None:
    text = f"{WORKING_RULES}\nbreak {method}"
    simulation = Simulation.checked(read("sticks", text), ["house", "house"], {}, "1")
    tally = simulate(simulation, 5)
    assert (tally.matches, tally.broken) == (0, {"rules: Broken": 5})
    assert "raised Broken" in tally.reports["rules: Broken"][1]
    with pytest.raises(RulesFailed, match="Broken"):
        report(simulation, tally)
    with pytest.raises(RulesFailed, match="Broken"):
        record(simulation, 0)


def test_the_laboratory_counts_good_matches_beside_failed_ones() -> None:
    """`apply` fails when two sticks or fewer are left: only a match that takes the last three at once ends well."""
    simulation = Simulation.checked(
        read("sticks", "sticks 7\ntake 1 2 3\nbreak apply 2"), ["random", "random"], {}, "1"
    )
    tally = simulate(simulation, 60)
    assert tally.matches > 0
    assert tally.broken["rules: Broken"] > 0
    assert tally.played == 60
    made = report(simulation, tally)
    assert sum(row["wins"] for row in made["seats"]) == made["matches"] == tally.matches
    assert made["broken"] == {"rules: Broken": tally.broken["rules: Broken"]}


def test_the_laboratory_drops_endless_matches() -> None:
    simulation = Simulation.checked(read("sticks", f"{WORKING_RULES}\nendless"), ["house", "house"], {}, "1")
    played = play_match(simulation, 0)
    assert played.broken
    assert played.broken.kind == "too long"
    assert len(played.moves) == TextGame.longest


def test_a_match_is_played_equally_by_the_laboratory_and_at_a_table() -> None:
    simulation = Simulation.checked(read("sticks", WORKING_RULES), ["house", "random"], {}, "1")
    written = record(simulation, 3)
    match = Match.start(simulation.game, 2, {}, SealedChance(simulation.match_seed(3)))
    for seat, move in written["moves"]:
        match.advance(seat, move)
    assert match.over
