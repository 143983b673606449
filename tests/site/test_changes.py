"""The changes that are sent for a move: applied to the earlier view they give the later one, in every game."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardsite.server.changes import apply_change, difference
from games import catalogue
from games.core import FastChance, Match
from games.core.chance import SealedChance
from games.core.view import View
from tests.games.cases import GAME_NAMES

PLIES = 60
words = st.text("abc", max_size=3)
seat_args, card_args = st.fixed_dictionaries({"seat": st.integers(0, 2)}), st.fixed_dictionaries({"card": words})
args = st.dictionaries(words, st.integers(0, 2) | words | seat_args | card_args, max_size=3)
pieces = st.fixed_dictionaries({"id": words}, optional={"face": words, "badge": words, "label": args})
places = {"id": words, "pieces": st.lists(pieces, max_size=5)}
zones = st.fixed_dictionaries(places, optional={"total": st.integers(0, 2)})
steps: st.SearchStrategy[Any] = st.deferred(
    lambda: st.fixed_dictionaries({"word": words}, optional={"then": st.lists(steps, max_size=3)})
)
views: st.SearchStrategy[Any] = st.fixed_dictionaries(
    {"prompt": args, "to_act": st.lists(st.integers(0, 3), max_size=3), "zones": st.lists(zones, max_size=4)},
    optional={"paths": steps, "over": st.booleans(), "cells": st.lists(st.lists(words, max_size=2), max_size=3)},
)


@given(views, views)
def test_a_view_and_what_changes_in_it_make_the_next(before: Any, after: Any) -> None:
    as_it_was = json.dumps(before)
    change = json.loads(json.dumps(difference(before, after)))  # as sent
    assert apply_change(before, change) == after
    assert json.dumps(before) == as_it_was
    assert difference(after, json.loads(json.dumps(after))) == {}


def shown(match: Match, audience: int | None) -> list[View]:
    """Return what an audience is shown after the last move, moment by moment."""
    return [*[reveal["view"] for reveal in match.reveals(audience)], match.view(audience)]


@pytest.mark.parametrize("name", GAME_NAMES)
def test_a_snapshot_and_the_changes_since_make_the_snapshot_of_now(name: str) -> None:
    game = catalogue.find(name)
    match = Match.start(game, game.default_seats, {}, SealedChance(b"changes!" * 4))
    match.note_round()
    audiences = [None, *range(game.default_seats)]
    has: dict[int | None, Any] = {audience: match.view(audience) for audience in audiences}
    chance = FastChance(name)
    while not match.over and match.ply < PLIES:
        seat = chance.choice(match.to_act())
        match.advance(seat, chance.choice(match.legal_moves(seat)))
        match.note_round()
        for audience in audiences:
            for view in shown(match, audience):
                assert no_nulls(view)
                change = json.loads(json.dumps(difference(has[audience], view)))
                has[audience] = apply_change(has[audience], change)
                assert has[audience] == json.loads(json.dumps(view))
    assert match.ply > 3


def no_nulls(view: View) -> bool:
    """Return whether only a spectator's ``seat`` is null in a view: in a change null means that a field is gone."""
    return "null" not in json.dumps({**view, "seat": 0}).replace('"null"', "")
