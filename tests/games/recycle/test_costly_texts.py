"""Texts that the siege plays because each question about them costs as much as may be: no question costs more."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from bench.siege.texts import HONEST, LOG, MOST_PLACES, OPTIONS, SCORES, TOO_MANY_PLACES, AttackText
from cardsite.workshop.trial_worker import DECISION
from games import core
from games.core import FastChance, RulesFailed
from games.recycle.game import RecycleGame
from games.recycle.machine import MOST_PLACES as PLACES_ALLOWED

DEAREST = 2 * DECISION  # CPU seconds of a question: twice what a trial allows, since CPU time wavers
LATER = 3  # decisions that are measured after the author's own


def begun(text: AttackText) -> core.Match:
    return core.Match.start(RecycleGame("x", text.source), text.seats, {}, FastChance("dear"))


def cost(question: Callable[..., Any], *asked: Any) -> float:
    """Return the CPU seconds that something takes, without collecting what other tests have left in this process."""
    gc.disable()
    try:
        began = time.thread_time()
        question(*asked)
        return time.thread_time() - began
    finally:
        gc.enable()


def drawn(match: core.Match, audience: int | None) -> int:
    """Return the bytes of a view."""
    return len(msgspec.json.encode(match.view(audience)))


@pytest.mark.parametrize("text", [HONEST, LOG, MOST_PLACES, OPTIONS, SCORES], ids=lambda text: text.name)
def test_no_question_about_a_text_that_passes_its_trial_costs_more_than_a_trial_allows(text: AttackText) -> None:
    match = begun(text)
    for number in range(len(text.play) + LATER):
        seat = match.to_act()[0]
        costs = {
            "options": cost(match.legal_moves, seat),
            "determinization": cost(match.state.determinize, seat, FastChance("w")),
        }
        costs |= {f"view of {audience}": cost(drawn, match, audience) for audience in (None, seat)}
        moves = match.legal_moves(seat)
        move = text.play[number] if number < len(text.play) else moves[-1]
        costs["move"] = cost(match.advance, seat, move)
        costs["log"] = cost(msgspec.json.encode, match.entries(None, match.ply))
        assert max(costs.values()) < DEAREST, costs


def test_places_that_come_into_being_with_a_rare_option_end_the_match_before_they_are_drawn() -> None:
    match = begun(TOO_MANY_PLACES)
    *others, last = TOO_MANY_PLACES.play
    for move in others:
        match.advance(0, move)
    with pytest.raises(RulesFailed) as failed:
        match.advance(0, last)
    assert failed.value.kind == "too many places"
    assert f"{PLACES_ALLOWED:,}" in failed.value.text
