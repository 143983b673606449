"""No seat is sent anything it cannot know: change what is hidden, and every byte it gets stays the same.

``determinize`` draws afresh all that a seat cannot know. Its view must not change by a byte; nor may a log line say
more than the view shows.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from games import catalogue
from games.core import FastChance, Game, Match, State
from tests.games.cases import CASES, Case, likely_move, positions

cases = pytest.mark.parametrize("case", CASES, ids=str)
POSITIONS = 30


def seen(state: State[Any], audience: int | None) -> str:
    return json.dumps(state.view(audience))


def untouched(match: Match) -> str:
    """All of a position, to see that nothing in it has changed."""
    seats = range(match.state.seats)
    return json.dumps([match.view(None, face_up=True), [repr(match.state.observe(seat)) for seat in seats], match.log])


@cases
def test_what_a_seat_cannot_know_changes_no_byte_it_is_sent(case: Case) -> None:
    differ = hidden = 0
    for match, seat, chance in positions(case, POSITIONS):
        state = match.state
        before = untouched(match)
        face_up = json.dumps(state.view(seat, face_up=True))
        other = state.determinize(seat, chance)
        for audience in (seat, None):
            assert seen(other, audience) == seen(state, audience)
            assert repr(other.observe(audience)) == repr(state.observe(audience)), "bots get no more than people"
        assert other.to_act() == state.to_act()
        assert other.legal_moves(seat) == state.legal_moves(seat)
        assert untouched(match) == before
        hidden += face_up != seen(state, seat)
        differ += json.dumps(other.view(seat, face_up=True)) != face_up
    assert differ >= hidden * 0.6, "what is hidden is really drawn afresh"


@cases
def test_the_log_tells_no_audience_more_than_the_table_shows_it(case: Case) -> None:
    """Make the same move in two positions a seat cannot tell apart: if they still look alike, so do the lines."""
    compared = 0
    for match, seat, chance in positions(case, POSITIONS):
        if match.state.over:
            continue
        here, there = match.state.clone(), match.state.determinize(seat, chance)
        mover = here.to_act()[0]
        moves = [move for move in here.legal_moves(mover) if move in there.legal_moves(mover)]
        if not moves:
            continue
        move = chance.choice(moves)
        here.lines, there.lines = [], []
        here.play(mover, move)
        there.play(mover, move)
        for audience in (seat, None):
            if seen(here, audience) == seen(there, audience):
                compared += 1
                lines = [
                    json.dumps([line for line in state.lines or [] if line.get("only", audience) == audience])
                    for state in (here, there)
                ]
                assert lines[0] == lines[1]
    assert compared


@cases
def test_determinizations_can_be_played_to_the_end(case: Case) -> None:
    for match, seat, chance in positions(case, POSITIONS)[:8]:
        other = match.state.determinize(seat, chance)
        while other.to_act():
            mover = other.to_act()[0]
            other.play(mover, chance.choice(other.legal_moves(mover)))


@cases
def test_no_seed_deck_order_or_secret_option_is_in_what_is_sent(case: Case) -> None:
    secret = [option.name for option in case.game.options if option.secret]
    for match, seat, _ in positions(case, POSITIONS):
        sent = json.dumps([match.view(seat), match.view(None), match.log]).lower()
        assert not any(word in sent for word in ("seed", "favourite", *secret))


def shape(found: Any, path: str = "") -> set[str]:
    """Every path of keys there is, with the kind of value at its end; sentences with their wording."""
    if isinstance(found, dict):
        if set(found) == {"text", "args"}:
            return {f"{path} {found['text']} {sorted(found['args'])}"}
        return {piece for key, value in found.items() for piece in shape(value, f"{path}.{key}")}
    if isinstance(found, list):
        return {piece for value in found for piece in shape(value, f"{path}[]")}
    return {f"{path} {type(found).__name__}"}


riggable = pytest.mark.parametrize(
    "game", [game for game in catalogue.GAMES.values() if game.rig], ids=lambda g: g.name
)


@riggable
def test_a_rigged_match_has_the_shape_of_an_honest_one(game: Game) -> None:
    assert game.rig
    rigged = Case("rigged", game, game.default_seats, game.rig.options(favourite=1, honest_games=0, won=[]))
    honest = Case("honest", game, game.default_seats)
    shapes = []
    for case, matches in ((rigged, 15), (honest, 60)):
        found: set[str] = set()
        for index in range(matches):
            match = case.start(FastChance(str(index)))
            choices = FastChance(f"{index}/choices")
            while not match.state.over:
                for audience in (0, 1, None):
                    found |= shape(match.view(audience))
                likely_move(match, choices)
            found |= shape(match.view(None)) | shape(match.log)
        shapes.append(found)
    assert shapes[0] <= shapes[1]
