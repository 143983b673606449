"""At its end a match lists the points of each round, if they add up to the scores."""

from __future__ import annotations

import pytest

from games import catalogue
from games.core import FastChance, Match, SealedChance

SEED = b"x" * 32
NAMES = [game.name for provider in catalogue.providers for game in catalogue.listed(provider)]


def played(name: str) -> Match:
    """Play a random match to its end."""
    game = catalogue.find(name)
    match = Match.start(game, game.default_seats, {}, SealedChance(SEED))
    match.note_round()
    chance = FastChance(name)
    while seats := match.to_act():
        match.advance(seats[0], chance.choice(match.legal_moves(seats[0])))
        match.note_round()
    return match


@pytest.mark.parametrize("name", ["enchere", "camelup", "enchere-simple", "blackjack"])
def test_the_rounds_add_up_to_the_scores_for_every_audience(name: str) -> None:
    match = played(name)
    views = [match.view(seat) for seat in (None, *range(match.game.default_seats))]
    rounds = views[0]["result"]["rounds"]
    assert len(rounds) > 2
    assert all(view["result"]["rounds"] == rounds for view in views)
    first, last = rounds[0]["values"], rounds[-1]["values"]
    assert list(match.scores()) in (last, [now - before for before, now in zip(first, last, strict=True)])


def test_lives_that_were_lost_are_listed_though_they_are_not_the_score() -> None:
    match = played("hamsterdam")
    rounds = match.view(None)["result"]["rounds"]
    assert [sum(one["values"]) for one in rounds] == list(range(6, 6 - len(rounds), -1))


@pytest.mark.parametrize("name", NAMES)
def test_what_does_not_add_up_or_is_one_round_only_is_not_listed(name: str) -> None:
    match = played(name)
    if rounds := match.view(None).get("result", {}).get("rounds"):
        first, last = rounds[0]["values"], rounds[-1]["values"]
        gained = [now - before for before, now in zip(first, last, strict=True)]
        assert len(rounds) > 2
        assert list(match.scores()) in (last, gained) or max(gained) <= 0


def test_nothing_is_revealed_before_the_end() -> None:
    game = catalogue.find("enchere")
    match = Match.start(game, 3, {}, SealedChance(SEED))
    match.note_round()
    while seats := match.to_act():
        assert "result" not in match.view(None)
        match.advance(seats[0], match.legal_moves(seats[0])[0])
        match.note_round()
    assert "rounds" in match.view(None)["result"]


@pytest.mark.parametrize("name", NAMES)
def test_the_number_of_moves_is_noted_at_which_a_round_was_scored_and_no_other(name: str) -> None:
    game = catalogue.find(name)
    match = Match.start(game, game.default_seats, {}, SealedChance(SEED))
    match.note_round()
    chance, last, scored = FastChance(name), "", 0
    while seats := match.to_act():
        match.advance(seats[0], chance.choice(match.legal_moves(seats[0])))
        match.note_round()
        scoring = match.view(None).get("scoring", {}).get("id", last)
        if scoring != last:
            last, scored = scoring, match.ply
        assert match.settled == scored
