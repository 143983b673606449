"""Standings: the scores if the match ended now and who would win, which everybody at the table may work out."""

from __future__ import annotations

import pytest

from games import catalogue
from games.core import FastChance, Match, SealedChance
from games.core.ranks import leaders
from tests.tiers import tiered

NAMES = [game.name for provider in catalogue.providers for game in catalogue.listed(provider)]
QUICK = ("hamsterdam", "enchere", "hearts", "cribbage")
EVERY = 9  # moves from one look at all audiences to the next
MOST = 400  # moves


def begun(name: str) -> tuple[Match, FastChance]:
    game = catalogue.find(name)
    return Match.start(game, game.default_seats, {}, SealedChance(b"s" * 32)), FastChance(name)


def step(match: Match, chance: FastChance) -> None:
    seat = match.to_act()[0]
    match.advance(seat, chance.choice(match.legal_moves(seat)))


@pytest.mark.parametrize("name", tiered(NAMES, QUICK.__contains__))
def test_standings_are_the_same_for_all_and_agree_with_the_result(name: str) -> None:
    match, chance = begun(name)
    while match.to_act() and match.ply < MOST:
        if match.ply % EVERY == 0:
            spectator, *players = [
                match.view(seat).get("standings") for seat in (None, *range(match.game.default_seats))
            ]
            assert all(player == spectator for player in players)
        step(match, chance)
    view = match.view(None)
    if not match.to_act() and "standings" in view:
        standings = view["standings"]
        assert not standings["leaders"] or standings["leaders"] == view["result"]["winners"]


def test_the_prizes_of_a_round_under_way_count() -> None:
    match, chance = begun("enchere")
    assert match.view(None)["standings"] == {"scores": [0, 0, 0], "leaders": []}
    while match.view(None)["phase"]["args"]["prize"] != 9:
        step(match, chance)
    view = match.view(None)
    won = {zone["seat"]: zone["total"] for zone in view["zones"] if zone["id"].startswith("won:")}
    assert view["standings"]["scores"] == [won[seat] for seat in range(3)]
    assert view["standings"]["leaders"] == leaders(view["standings"]["scores"]) != [0, 1, 2]


def test_where_the_lowest_score_wins_it_leads() -> None:
    match, chance = begun("hearts")
    while not any(match.view(None)["standings"]["scores"]):
        step(match, chance)
    scores = match.view(None)["standings"]["scores"]
    assert match.view(None)["standings"]["leaders"] == [seat for seat in range(4) if scores[seat] == min(scores)]


def test_hidden_scores_and_a_player_alone_have_no_standings() -> None:
    assert "standings" not in begun("thief")[0].view(None)
    hidden = [name for name in NAMES if "standings" not in begun(name)[0].view(None)]
    assert "thief" in hidden
    assert len(hidden) < len(NAMES) / 2
