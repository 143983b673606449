"""The audit of Camel Up's engine: it notices every result of a move that breaks the rules, wherever it is played."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import fields

import pytest

from games.camelup import audit, engine
from games.camelup.bots import random_move
from games.camelup.game import GAME
from games.camelup.position import Position, Scored
from games.core import FastChance, Match, RulesFailed, SealedChance
from games.lab import command_line
from games.lab.simulate import Simulation, simulate
from tests.games.camelup import start_after
from tests.games.camelup_faults import (
    Place,
    asked_for,
    before_moves,
    by_terms,
    keeps,
    misreports,
    pays_for_tiles,
    put_in,
    restacked,
    returns,
    seeing,
    sets,
)
from tests.tiers import sampled

RULES = pytest.mark.parametrize("rules", ["official", "series"])
SEATS = 8
MATCHES = 40  # at most, until a fault shows


def to_next(race: Position, bets: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    """Return bets as if the next players had placed them."""
    return tuple([(camel, (seat + 1) % race.seats) for camel, seat in bets])


def more(scored: Scored) -> Scored:
    """Return a scoring with one more coin for each."""
    return tuple([(camel, seat, coins + 1) for camel, seat, coins in scored])


def first_plus_one(part: str) -> Callable[[Position], tuple[int, ...]]:
    """Return a field of the position with one added to its first number."""
    return lambda race: (getattr(race, part)[0] + 1, *getattr(race, part)[1:])


def last_leg_only(race: Position) -> tuple[tuple[int, int], ...]:
    """Return the leg bets, but none in a race that is over."""
    return () if max(race.place) >= race.terms.spaces else race.leg_bets


TRACK: dict[str, Place] = {
    "a unit that arrives goes under the others": (
        "ride",
        restacked(lambda push: push == 0, lambda there, unit: unit + there),
    ),
    "a unit goes under the others after an oasis": (
        "ride",
        restacked(lambda push: push > 0, lambda there, unit: unit + there),
    ),
    "a unit goes on top after a mirage": ("ride", restacked(lambda push: push < 0, lambda there, unit: there + unit)),
    "a unit is turned upside down": ("ride", restacked(lambda push: push == 0, lambda there, unit: there + unit[::-1])),
    "a unit is turned upside down by a mirage": (
        "ride",
        restacked(lambda push: push < 0, lambda there, unit: unit[::-1] + there),
    ),
    "a stack is turned upside down when stepped on": (
        "ride",
        restacked(lambda push: push >= 0, lambda there, unit: there[::-1] + unit),
    ),
    "the last camel is taken for the first": ("roll", sets(order=lambda race: (*race.order[1:], race.order[0]))),
    "a tile pays nobody": ("ride", pays_for_tiles(lambda race, owner: {})),
    "a tile pays twice": ("ride", pays_for_tiles(lambda race, owner: {owner: 2})),
    "a tile pays the player who rolls": ("ride", pays_for_tiles(lambda race, owner: {race.mover: 1})),
    "a tile costs a coin": ("ride", pays_for_tiles(lambda race, owner: {owner: -1})),
    "a tile pays everybody": ("ride", pays_for_tiles(lambda race, owner: dict.fromkeys(range(race.seats), 1))),
}
DICE: dict[str, Place] = {
    "a die shows less than it can": ("roll", asked_for(lambda race, seat, camel, pips: (seat, camel, pips - 1))),
    "a die shows more than it can": ("roll", asked_for(lambda race, seat, camel, pips: (seat, camel, pips + 1))),
    "dice show one more from the start on": ("throw", returns(lambda pips: pips + 1)),
    "a die falls twice in a leg": (
        "roll",
        asked_for(
            lambda race, seat, camel, pips: (seat, next((c for c in range(5) if c not in race.left), camel), pips)
        ),
    ),
    "another number than was rolled is shown": (
        "roll",
        sets(last_die=lambda race: (race.last_die[0], race.last_die[1] % 3 + 1)),
    ),
    "another camel's die than was rolled is shown": (
        "roll",
        sets(last_die=lambda race: ((race.last_die[0] + 1) % 5, 1)),
    ),
    "dice on the table show another number": ("roll", sets(dice=first_plus_one("dice"))),
    "dice lie on after a leg": ("end_leg", keeps("dice")),
    "a roll pays nothing": ("roll", keeps("pyramids", "money")),
    "a roll pays the next player": (
        "roll",
        asked_for(lambda race, seat, camel, pips: ((seat + 1) % race.seats, camel, pips)),
    ),
    "a roll pays two": ("roll", by_terms(roll_pay=2)),
    "a roll is paid as by the other rules": ("roll", by_terms(pay_at_once=lambda at_once: not at_once)),
    "pyramid tiles are not paid": ("end_leg", seeing(pyramids=lambda race: (0,) * race.seats)),
    "pyramid tiles do not go back": ("end_leg", keeps("pyramids")),
}
LEGS: dict[str, Place] = {
    "leg tiles pay the late ones more": ("end_leg", by_terms(leg_first=(2, 3, 5))),
    "leg tiles of the second camel pay more": ("end_leg", by_terms(leg_second=(2, 1, 1))),
    "leg tiles of other camels cost nothing": ("end_leg", by_terms(leg_other=0)),
    "the second camel of a leg is taken for the first": (
        "end_leg",
        seeing(order=lambda race: (*race.order[:3], race.order[4], race.order[3])),
    ),
    "the last leg tile is not paid": ("end_leg", seeing(leg_bets=lambda race: race.leg_bets[:-1])),
    "leg tiles pay the next player": ("end_leg", seeing(leg_bets=lambda race: to_next(race, race.leg_bets))),
    "leg tiles of the last leg are not paid": ("end_leg", seeing(leg_bets=last_leg_only)),
    "nothing is paid at an end": ("_pay", asked_for(lambda race, gains: ([0] * len(gains),))),
    "an end pays the wrong seats": ("_pay", asked_for(lambda race, gains: (gains[1:] + gains[:1],))),
    "debts are forgiven as by the other rules": ("_pay", by_terms(floor=lambda floor: not floor)),
    "losses are forgiven": ("_pay", asked_for(lambda race, gains: ([max(gain, 0) for gain in gains],))),
    "the leg is not counted": ("end_leg", keeps("leg")),
    "the wrong player begins the next leg": (
        "pass_on",
        sets(opener=lambda race: (race.opener + 1) % race.seats),
    ),
    "what a leg pays is reported wrong": ("end_leg", misreports(leg_bets=more)),
    "what pyramid tiles pay is reported wrong": ("end_leg", misreports(rolls=lambda rolls: (9, *rolls[1:]))),
    "how a leg ended is not reported": ("end_leg", keeps("last_score")),
}
RACES: dict[str, Place] = {
    "the second camel wins": ("end_race", seeing(order=lambda race: (*race.order[:3], race.order[4], race.order[3]))),
    "the last but one loses": ("end_race", seeing(order=lambda race: (race.order[1], race.order[0], *race.order[2:]))),
    "winner and loser are mixed up": ("end_race", seeing(order=lambda race: race.order[::-1])),
    "race cards are paid from the last to the first": (
        "_score_pile",
        asked_for(lambda race, bets, camel: (bets[::-1], camel)),
    ),
    "all correct race cards pay alike": ("_score_pile", by_terms(race=(8,) * 8)),
    "a fourth correct race card pays as by the other rules": (
        "_score_pile",
        by_terms(race=lambda race: (8, 5, 3) if len(race) == 4 else (8, 5, 3, 2)),
    ),
    "wrong race cards cost nothing": ("_score_pile", by_terms(race_wrong=0)),
    "race cards pay the next player": (
        "_score_pile",
        asked_for(lambda race, bets, camel: (to_next(race, bets), camel)),
    ),
    "the first race card is not paid": ("_score_pile", asked_for(lambda race, bets, camel: (bets[1:], camel))),
    "the winner's pile is not paid": ("end_race", seeing(winner_bets=lambda race: ())),
    "the loser's pile is not paid": ("end_race", seeing(loser_bets=lambda race: ())),
    "the race is paid twice": ("end_race", lambda right: lambda race: (right(race), right(race))[0]),
    "what the race pays is reported wrong": ("end_race", misreports(loser_bets=more)),
}
OTHERS: dict[str, Place] = {
    "what the last die showed is forgotten": ("put_tile", sets(last_die=lambda race: (-1, 0))),
    "somebody gets a coin between two moves": ("open_by_derived_fields", before_moves(money=first_plus_one("money"))),
    "camels change places between two moves": (
        "open_by_derived_fields",
        before_moves(order=lambda race: race.order[::-1]),
    ),
    "a camel starts too far on": ("Position.place_camels", sets(place=lambda race: (*race.place[:-1], 3))),
    "camels start in a row that is not their squares'": (
        "Position.place_camels",
        sets(order=lambda race: race.order[::-1]),
    ),
    "a camel starts twice, another not at all": (
        "Position.place_camels",
        sets(order=lambda race: (race.order[1], *race.order[1:])),
    ),
    "everybody starts with a coin more": ("Position.place_camels", sets(money=lambda race: (9,) * race.seats)),
}
FAULTS = TRACK | DICE | LEGS | RACES | OTHERS
HARMLESS = {
    ("pyramid tiles are not paid", "series"),  # there are none
    ("pyramid tiles do not go back", "series"),
}


def play_by_hand(rules: str, index: int) -> Match:
    """Play a match of random moves, as at a table."""
    match = Match.start(GAME, SEATS, {"rules": rules, "spaces": 10}, SealedChance(bytes([index]) * 32))
    choices = FastChance(f"{index}/choices")
    while not match.over:
        (seat,) = match.to_act()
        match.advance(seat, random_move(match.state.observe(seat).position, seat, choices))
    return match


def play_in_bulk(rules: str, index: int) -> None:
    """Play a match as large simulations of the engine alone do."""
    dice, choices = FastChance(str(index)), FastChance(f"{index}/choices")
    position = start_after(dice, SEATS, rules=rules, spaces="10")
    engine.play_game(position, [lambda seen, seat: random_move(seen, seat, choices)] * SEATS, dice)


def first_failure(play: Callable[[str, int], object], rules: str) -> str:
    """Play until the rules fail, and return the error; "" if they do not fail."""
    for index in range(MATCHES):
        try:
            play(rules, index)
        except RulesFailed as failed:
            return failed.kind
    return ""


def plan(rules: str, *, audit: bool = True) -> Simulation:
    """Return a simulation of random bots."""
    return Simulation.checked(GAME, ["random"] * SEATS, {"rules": rules, "spaces": "10"}, "1", audit=audit)


@RULES
@pytest.mark.parametrize("fault", sampled(list(FAULTS), 4))
def test_a_fault_in_the_engine_is_noticed_wherever_it_plays(
    monkeypatch: pytest.MonkeyPatch, fault: str, rules: str
) -> None:
    put_in(monkeypatch, FAULTS[fault])
    for play in (play_by_hand, play_in_bulk):
        if (fault, rules) in HARMLESS:
            play(rules, 0)
            continue
        assert first_failure(play, rules) == "engine at fault"
    broken = simulate(plan(rules), MATCHES).broken
    assert set(broken) == (set() if (fault, rules) in HARMLESS else {"rules: engine at fault"})


@pytest.mark.parametrize(
    ("fault", "part"),
    [
        ("a unit goes on top after a mirage", "order"),
        ("a unit is turned upside down", "order"),
        ("a tile pays twice", "money"),
    ],
)
def test_a_fault_is_noticed_at_the_move_that_shows_it(monkeypatch: pytest.MonkeyPatch, fault: str, part: str) -> None:
    put_in(monkeypatch, FAULTS[fault])
    reports = list(simulate(plan("official"), 5).reports.values())
    assert reports[0][1].startswith(f"Its {part} after 'roll' of seat ")


def test_a_replayed_record_is_audited(monkeypatch: pytest.MonkeyPatch) -> None:
    match = play_by_hand("official", 0)
    put_in(monkeypatch, TRACK["a tile pays nobody"])
    with pytest.raises(
        RulesFailed, match=r"engine at fault: Its money after 'roll' of seat \d is \(.*\), not \(.*\)\."
    ):
        Match.replay(GAME, SEATS, match.options, bytes(32), match.moves)


def test_a_simulation_can_switch_the_audit_off(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = simulate(plan("official"), 10)
    assert simulate(plan("official", audit=False), 10) == expected, "no figure depends on it"
    put_in(monkeypatch, TRACK["a tile pays nobody"])
    assert simulate(plan("official", audit=False), 10).broken == {}
    assert simulate(plan("official"), 10).broken


def test_the_command_line_can_leave_the_audit_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put_in(monkeypatch, TRACK["a tile pays twice"])
    parser = argparse.ArgumentParser()
    command_line.add_to(parser.add_subparsers())
    command = ["simulate", "camelup", "60", "random", "random", "--seed", "1", "--json", "--option", "spaces=8"]
    matches = []
    for flags in ([], ["--no-audit"]):
        asked = parser.parse_args([*command, *flags])
        asked.run(asked)
        matches.append(json.loads(capsys.readouterr().out)["matches"])
    assert 0 < matches[0] < matches[1] == 60


def test_a_fork_in_which_a_bot_searches_is_not_audited(monkeypatch: pytest.MonkeyPatch) -> None:
    state = GAME.new(4, {}, FastChance("1"))
    monkeypatch.setattr(audit, "check_turn", lambda *_: pytest.fail("audited"))
    for sample in (state.clone(), state.determinize(0, FastChance("2"))):
        sample.apply(sample.to_act()[0], "roll")


def test_every_field_of_a_position_is_audited_except_derived_ones_that_the_rules_engine_checks() -> None:
    derived = {"occupied", "near", "open_legs", "cards"}
    assert set(audit.PARTS) | derived == {part.name for part in fields(Position)}
    position = start_after(FastChance("1"))
    assert audit.parts(position) == tuple(getattr(position, part) for part in audit.PARTS)
